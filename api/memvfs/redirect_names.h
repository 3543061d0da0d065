/* SPDX-License-Identifier: MIT */
/*
 * The end of memvfs/redirect.h, which includes this: names that it does not
 * cover are made errors, and those that it does are replaced.
 */
#include <memvfs/redirect.h>

#ifndef MEMVFS_REDIRECT_NAMES_H
#define MEMVFS_REDIRECT_NAMES_H

#pragma GCC system_header

/*
 * What is not covered: the use of one of these names is an error. stat and
 * flock, which are structs as well, are replaced where they are called, and
 * cannot be passed on by address.
 */
#if defined __has_attribute
#if __has_attribute(__unavailable__)
#define MVFS__UNCOVERED_AS(name, text) \
	extern __typeof__(name) name __attribute__((__unavailable__(text)));
#endif
#endif
#if !defined MVFS__UNCOVERED_AS
#define MVFS__UNCOVERED_AS(name, text) \
	extern __typeof__(name) name __attribute__((__error__(text)));
#endif
#define MVFS__UNCOVERED(name) \
	MVFS__UNCOVERED_AS(name, "memvfs/redirect.h does not cover " #name)

MVFS__UNCOVERED_AS(stat, "memvfs/redirect.h covers calls of stat only")
MVFS__UNCOVERED_AS(flock, "memvfs/redirect.h covers calls of flock only")
MVFS__UNCOVERED(pathconf)
MVFS__UNCOVERED(fpathconf)
MVFS__UNCOVERED(freopen)
MVFS__UNCOVERED(statvfs)
MVFS__UNCOVERED(fstatvfs)
MVFS__UNCOVERED(statfs)
MVFS__UNCOVERED(fstatfs)
MVFS__UNCOVERED(scandir)
MVFS__UNCOVERED(ftw)
MVFS__UNCOVERED(fts_open)
MVFS__UNCOVERED(glob)
MVFS__UNCOVERED(inotify_add_watch)
MVFS__UNCOVERED(mkfifoat)
MVFS__UNCOVERED(sendfile)
#if defined __USE_MISC
MVFS__UNCOVERED(lockf)
MVFS__UNCOVERED(chroot)
MVFS__UNCOVERED(mknod)
MVFS__UNCOVERED(mknodat)
MVFS__UNCOVERED(futimes)
MVFS__UNCOVERED(lutimes)
MVFS__UNCOVERED(setxattr)
MVFS__UNCOVERED(lsetxattr)
MVFS__UNCOVERED(fsetxattr)
MVFS__UNCOVERED(getxattr)
MVFS__UNCOVERED(lgetxattr)
MVFS__UNCOVERED(fgetxattr)
MVFS__UNCOVERED(listxattr)
MVFS__UNCOVERED(llistxattr)
MVFS__UNCOVERED(flistxattr)
MVFS__UNCOVERED(removexattr)
MVFS__UNCOVERED(lremovexattr)
MVFS__UNCOVERED(fremovexattr)
MVFS__UNCOVERED(mkstemps)
#endif
#if defined __USE_XOPEN_EXTENDED
MVFS__UNCOVERED(nftw)
#endif
#if defined __USE_GNU
MVFS__UNCOVERED(getdents64)
MVFS__UNCOVERED(statx)
MVFS__UNCOVERED(scandirat)
MVFS__UNCOVERED(euidaccess)
MVFS__UNCOVERED(eaccess)
MVFS__UNCOVERED(futimesat)
MVFS__UNCOVERED(get_current_dir_name)
MVFS__UNCOVERED(canonicalize_file_name)
MVFS__UNCOVERED(mkostemps)
MVFS__UNCOVERED(splice)
MVFS__UNCOVERED(tee)
MVFS__UNCOVERED(vmsplice)
MVFS__UNCOVERED(sync_file_range)
MVFS__UNCOVERED(readahead)
MVFS__UNCOVERED(copy_file_range)
MVFS__UNCOVERED(preadv2)
MVFS__UNCOVERED(pwritev2)
MVFS__UNCOVERED(dup3)
MVFS__UNCOVERED(fileno_unlocked)
MVFS__UNCOVERED(close_range)
MVFS__UNCOVERED(closefrom)
MVFS__UNCOVERED(name_to_handle_at)
MVFS__UNCOVERED(open_by_handle_at)
#endif
#if defined __USE_LARGEFILE64
MVFS__UNCOVERED(open64)
MVFS__UNCOVERED(openat64)
MVFS__UNCOVERED(creat64)
MVFS__UNCOVERED(fopen64)
MVFS__UNCOVERED(freopen64)
MVFS__UNCOVERED(stat64)
MVFS__UNCOVERED(lstat64)
MVFS__UNCOVERED(fstat64)
MVFS__UNCOVERED(fstatat64)
MVFS__UNCOVERED(statfs64)
MVFS__UNCOVERED(fstatfs64)
MVFS__UNCOVERED(statvfs64)
MVFS__UNCOVERED(fstatvfs64)
MVFS__UNCOVERED(lseek64)
MVFS__UNCOVERED(pread64)
MVFS__UNCOVERED(pwrite64)
MVFS__UNCOVERED(truncate64)
MVFS__UNCOVERED(ftruncate64)
MVFS__UNCOVERED(readdir64)
MVFS__UNCOVERED(mmap64)
MVFS__UNCOVERED(lockf64)
MVFS__UNCOVERED(posix_fadvise64)
MVFS__UNCOVERED(posix_fallocate64)
MVFS__UNCOVERED(sendfile64)
MVFS__UNCOVERED(ftw64)
MVFS__UNCOVERED(nftw64)
MVFS__UNCOVERED(glob64)
#endif

/* From here on. */
#define access mvfs__redirect_access
#define chdir mvfs__redirect_chdir
#define chmod mvfs__redirect_chmod
#define chown mvfs__redirect_chown
#define close mvfs__redirect_close
#define closedir mvfs__redirect_closedir
#define creat mvfs__redirect_creat
#define dirfd mvfs__redirect_dirfd
#define dprintf mvfs__redirect_dprintf
#define dup mvfs__redirect_dup
#define dup2 mvfs__redirect_dup2
#define faccessat mvfs__redirect_faccessat
#define fallocate mvfs__redirect_fallocate
#define fchdir mvfs__redirect_fchdir
#define fchmod mvfs__redirect_fchmod
#define fchmodat mvfs__redirect_fchmodat
#define fchown mvfs__redirect_fchown
#define fchownat mvfs__redirect_fchownat
#define fcntl mvfs__redirect_fcntl
#define fdatasync mvfs__redirect_fdatasync
#define fdopen mvfs__redirect_fdopen
#define fdopendir mvfs__redirect_fdopendir
#define fileno mvfs__redirect_fileno
#define fopen mvfs__redirect_fopen
#define fstat mvfs__redirect_fstat
#define fstatat mvfs__redirect_fstatat
#define fsync mvfs__redirect_fsync
#define ftruncate mvfs__redirect_ftruncate
#define futimens mvfs__redirect_futimens
#define getcwd mvfs__redirect_getcwd
#define ioctl mvfs__redirect_ioctl
#define isatty mvfs__redirect_isatty
#define lchown mvfs__redirect_lchown
#define link mvfs__redirect_link
#define linkat mvfs__redirect_linkat
#define lseek mvfs__redirect_lseek
#define lstat mvfs__redirect_lstat
#define mkdir mvfs__redirect_mkdir
#define mkdirat mvfs__redirect_mkdirat
#define mkdtemp mvfs__redirect_mkdtemp
#define mkfifo mvfs__redirect_mkfifo
#define mkostemp mvfs__redirect_mkostemp
#define mkstemp mvfs__redirect_mkstemp
#define mmap mvfs__redirect_mmap
#define open mvfs__redirect_open
#define openat mvfs__redirect_openat
#define opendir mvfs__redirect_opendir
#define posix_fadvise mvfs__redirect_posix_fadvise
#define posix_fallocate mvfs__redirect_posix_fallocate
#define pread mvfs__redirect_pread
#define preadv mvfs__redirect_preadv
#define pwrite mvfs__redirect_pwrite
#define pwritev mvfs__redirect_pwritev
#define read mvfs__redirect_read
#define readdir mvfs__redirect_readdir
#define readlink mvfs__redirect_readlink
#define readlinkat mvfs__redirect_readlinkat
#define readv mvfs__redirect_readv
#define realpath mvfs__redirect_realpath
#define remove mvfs__redirect_remove
#define rename mvfs__redirect_rename
#define renameat mvfs__redirect_renameat
#define renameat2 mvfs__redirect_renameat2
#define rewinddir mvfs__redirect_rewinddir
#define rmdir mvfs__redirect_rmdir
#define seekdir mvfs__redirect_seekdir
#define symlink mvfs__redirect_symlink
#define symlinkat mvfs__redirect_symlinkat
#define syncfs mvfs__redirect_syncfs
#define telldir mvfs__redirect_telldir
#define truncate mvfs__redirect_truncate
#define umask mvfs__redirect_umask
#define unlink mvfs__redirect_unlink
#define unlinkat mvfs__redirect_unlinkat
#define utime mvfs__redirect_utime
#define utimensat mvfs__redirect_utimensat
#define utimes mvfs__redirect_utimes
#define vdprintf mvfs__redirect_vdprintf
#define write mvfs__redirect_write
#define writev mvfs__redirect_writev
#define stat(path, st) mvfs__redirect_stat(path, st)
#define flock(fd, operation) mvfs__redirect_flock(fd, operation)

#endif
