/* SPDX-License-Identifier: MIT */
/*
 * For unchanged C code: compile it with `-include memvfs/redirect.h`, and its
 * open, stat, rename, fopen, opendir... go to a tree for the paths that
 * mvfs_route() (memvfs/route.h) leads there, and to the kernel for all others.
 * Only the objects that are compiled so are concerned. They link with
 * libmemvfs.
 *
 *     cc -include memvfs/redirect.h -c journal.c
 *
 * The calls become inline functions that are compiled with the object's own
 * headers, so off_t and struct stat have the size that it expects. A file call
 * that is not covered is an error of the compiler that names it: nothing goes
 * to the host by oversight. (What takes no path but a descriptor and is
 * neither, such as poll or ioctl of another header, gets a number that is no
 * descriptor to the kernel: EBADF. syscall(2), C++, and programs that are
 * started, are not reached.)
 *
 * Descriptors of a tree are numbers from MVFS_REDIRECT_FIRST on. dup, fcntl,
 * fdopen, fileno and the rest know them; dup2 between a tree and the kernel,
 * or two trees, is EOPNOTSUPP, rename and link between them EXDEV, mmap of one
 * ENODEV. They end at exec. A DIR * of a tree must not be given to an object
 * that is not redirected; a FILE * may.
 *
 * What the object itself defines before its first #include comes too late:
 * give _FILE_OFFSET_BITS and the like on the command line. Unless one of
 * _GNU_SOURCE, _DEFAULT_SOURCE, _POSIX_C_SOURCE and _XOPEN_SOURCE is given
 * there, the headers show all that _GNU_SOURCE does.
 *
 * Needs GCC or Clang.
 */
#ifndef MEMVFS_REDIRECT_H
#define MEMVFS_REDIRECT_H

#if defined __cplusplus
#error "memvfs/redirect.h is for C: a std::fstream would go past it unseen"
#endif

#if !defined _GNU_SOURCE && !defined _DEFAULT_SOURCE && \
	!defined _POSIX_C_SOURCE && !defined _XOPEN_SOURCE
#define _GNU_SOURCE 1
#define MVFS__REDIRECT_GNU
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <sys/inotify.h>
#include <ftw.h>
#include <fts.h>
#include <glob.h>
#include <unistd.h>
#include <utime.h>

/* The object may define it itself. */
#if defined MVFS__REDIRECT_GNU
#undef _GNU_SOURCE
#undef MVFS__REDIRECT_GNU
#endif

#include <memvfs/file.h>
#include <memvfs/fopen.h>
#include <memvfs/listing.h>
#include <memvfs/locks.h>
#include <memvfs/path.h>
#include <memvfs/route.h>

#pragma GCC system_header

#include <memvfs/redirect_inline.h>
#include <memvfs/redirect_paths.h>
#include <memvfs/redirect_stdio.h>
#include <memvfs/redirect_names.h>

#endif
