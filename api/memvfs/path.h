/* SPDX-License-Identifier: MIT */
/*
 * Names and attributes: what is done to a path.
 *
 * A path that begins with '/' starts at the view's root, any other at its
 * current directory; for the *at calls at the directory `dirfd`, or at the
 * current one with MVFS_AT_FDCWD (memvfs/file.h). Names are bytes: any but 0
 * and '/'. Resolving follows POSIX.1-2024, 4.16 "Pathname Resolution", with
 * the choices of Linux, path_resolution(7): every component is looked up,
 * ".." too; symlinks on the way are followed; a trailing slash asks for a
 * directory. ".." does not lead out of the view's root.
 *
 * `flags` of the *at calls are the host's AT_* of <fcntl.h>, as each call
 * names them; any other bit is -EINVAL. AT_SYMLINK_NOFOLLOW: a symlink as the
 * last component is what is meant, not what it leads to. AT_EMPTY_PATH: with
 * the path "", `dirfd` itself is meant, which may be any descriptor.
 *
 * Strings and structs that are passed are the caller's and are not used after
 * the call. Who acts is the view's user; uid 0 passes every check that a mode
 * makes. Each change happens whole or not at all, and moves the times that
 * POSIX names.
 *
 * Errors of resolving a path, for every call here that takes one:
 * -ENOENT        a component is missing, or the path is empty; or it starts at
 *                a directory that was removed;
 * -ENOTDIR       a component that is not the last, or that a slash follows,
 *                is no directory; or `dirfd` is none, with a relative path;
 * -EACCES        the user may not search a directory on the way;
 * -ELOOP         more than 40 symlinks were met;
 * -ENAMETOOLONG  a component has more than 255 bytes, or the path more than
 *                4095;
 * -EBADF         `dirfd` is neither open nor MVFS_AT_FDCWD, with a relative
 *                path;
 * -EINVAL        the view is NULL;
 * -EFAULT        another pointer is, and must not be.
 * Calls that change something may give -ENOMEM, and have then changed nothing.
 */
#ifndef MEMVFS_PATH_H
#define MEMVFS_PATH_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stores in *st what there is to know of a file: of what the path leads to,
 * of a symlink itself (mvfs_lstat()), or of an open file, O_PATH too. No
 * permission on the file itself is needed. `flags`: AT_SYMLINK_NOFOLLOW,
 * AT_EMPTY_PATH, AT_NO_AUTOMOUNT (which changes nothing). POSIX.1-2024, stat,
 * fstat, fstatat.
 *
 * Returns 0, or
 * -EBADF  `fd` is not open;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_stat(mvfs *fs, const char *path, struct mvfs_stat *st);
MVFS_API int mvfs_lstat(mvfs *fs, const char *path, struct mvfs_stat *st);
MVFS_API int mvfs_fstat(mvfs *fs, int fd, struct mvfs_stat *st);
MVFS_API int mvfs_statat(mvfs *fs, int dirfd, const char *path, int flags,
			 struct mvfs_stat *st);

/*
 * Whether the view's user may read (R_OK), write (W_OK) and execute or search
 * (X_OK) what the path leads to; with F_OK, whether it is there. A view has
 * one user, so AT_EACCESS of `flags` changes nothing; AT_SYMLINK_NOFOLLOW and
 * AT_EMPTY_PATH are as above. uid 0 may execute what has any x bit.
 * POSIX.1-2024, access, faccessat.
 *
 * Returns 0, or
 * -EACCES  not all of it is allowed;
 * -EINVAL  `mode` has other bits;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_access(mvfs *fs, const char *path, int mode);
MVFS_API int mvfs_accessat(mvfs *fs, int dirfd, const char *path, int mode,
			   int flags);

/*
 * Sets the permission bits, setuid, setgid and sticky bit included (07777);
 * bits of a type are ignored. setgid falls if the user is neither uid 0 nor in
 * the file's group. `flags`: AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH. ctime moves.
 * POSIX.1-2024, chmod, fchmod, fchmodat.
 *
 * Returns 0, or
 * -EPERM       the user is neither the owner nor uid 0;
 * -EOPNOTSUPP  it is a symlink, whose mode is always 0777;
 * -EBADF       `fd` is not open, or was opened with O_PATH;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_chmod(mvfs *fs, const char *path, uint32_t mode);
MVFS_API int mvfs_fchmod(mvfs *fs, int fd, uint32_t mode);
MVFS_API int mvfs_chmodat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode, int flags);

/*
 * Sets the owner and the group; (uint32_t)-1 leaves either as it is. uid 0
 * may set both; the owner may set the group to one of his. Setuid and setgid
 * bits of what is no directory fall, as on Linux (setgid stays where the
 * group may not execute). `flags`: AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH;
 * mvfs_lchown() is the former. ctime moves. POSIX.1-2024, chown, lchown,
 * fchown, fchownat.
 *
 * Returns 0, or
 * -EPERM  the user may not;
 * -EBADF  `fd` is not open, or was opened with O_PATH;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_chown(mvfs *fs, const char *path, uint32_t uid,
			uint32_t gid);
MVFS_API int mvfs_lchown(mvfs *fs, const char *path, uint32_t uid,
			 uint32_t gid);
MVFS_API int mvfs_fchown(mvfs *fs, int fd, uint32_t uid, uint32_t gid);
MVFS_API int mvfs_chownat(mvfs *fs, int dirfd, const char *path, uint32_t uid,
			  uint32_t gid, int flags);

/*
 * Sets atime to times[0] and mtime to times[1], to the nanosecond; ctime
 * moves. An nsec of MVFS_TIME_NOW or MVFS_TIME_OMIT (memvfs/types.h) stands
 * for the clock's time, or for leaving that one as it is; if both are left,
 * not even the path is looked at. NULL in place of times: both now. To set
 * both to now, the permission to write is enough. `flags`:
 * AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH. POSIX.1-2024, utimensat, futimens.
 *
 * Returns 0, or
 * -EPERM   the user is neither the owner nor uid 0, and a time other than now
 *          is to be set;
 * -EACCES  the same for now, without the permission to write;
 * -EINVAL  an nsec is out of range;
 * -EBADF   `fd` is not open, or was opened with O_PATH;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_utimens(mvfs *fs, const char *path,
			  const struct mvfs_time times[2]);
MVFS_API int mvfs_futimens(mvfs *fs, int fd,
			   const struct mvfs_time times[2]);
MVFS_API int mvfs_utimensat(mvfs *fs, int dirfd, const char *path,
			    const struct mvfs_time times[2], int flags);

/*
 * Makes an empty directory: permissions and sticky bit of `mode` (01777) less
 * the umask, the user's uid and gid. In a directory with setgid it gets that
 * group and setgid as well. A symlink of that name is not followed.
 * POSIX.1-2024, mkdir, mkdirat.
 *
 * Returns 0, or
 * -EEXIST  the name is there, whatever it is;
 * -EACCES  the user may not write to the directory that is to hold it;
 * -ENOSPC  the limit of inodes is reached;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_mkdir(mvfs *fs, const char *path, uint32_t mode);
MVFS_API int mvfs_mkdirat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode);

/*
 * Makes a file of the type in `mode`: S_IFREG (or none), S_IFIFO, S_IFSOCK,
 * S_IFCHR or S_IFBLK; `rdev` is kept for the last two and told by stat, in
 * the encoding it is given in. Permissions (07777) less the umask, owner and
 * group are as for mvfs_mkdir(). POSIX.1-2024, mknod, mknodat.
 *
 * Returns 0, or
 * -EEXIST  the name is there, whatever it is;
 * -EINVAL  `mode` has another type, or bits that are none;
 * -EPERM   it is a device and the user is not uid 0 (a character device 0 is
 *          none: everybody may make one); or S_IFDIR is asked for;
 * -EACCES  the user may not write to the directory that is to hold it;
 * -ENOSPC  the limit of inodes is reached;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_mknod(mvfs *fs, const char *path, uint32_t mode,
			uint64_t rdev);
MVFS_API int mvfs_mknodat(mvfs *fs, int dirfd, const char *path,
			  uint32_t mode, uint64_t rdev);

/*
 * Take a name away: mvfs_unlink() that of anything but a directory, and of a
 * symlink itself; mvfs_rmdir() that of an empty directory; mvfs_unlinkat()
 * does the former, or the latter with AT_REMOVEDIR in `flags`. What has no
 * name left ends when nothing has it open. POSIX.1-2024, unlink, rmdir,
 * unlinkat.
 *
 * Returns 0, or
 * -EISDIR     it is a directory, and not to be one;
 * -ENOTDIR    it is none, and is to be one;
 * -ENOTEMPTY  the directory is not empty, or the path ends with "..";
 * -EINVAL     the path of a directory ends with ".";
 * -EBUSY      it is the view's root;
 * -EACCES     the user may not write to the directory that holds the name;
 * -EPERM      that directory is sticky, and neither it nor the file is the
 *             user's;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_unlink(mvfs *fs, const char *path);
MVFS_API int mvfs_rmdir(mvfs *fs, const char *path);
MVFS_API int mvfs_unlinkat(mvfs *fs, int dirfd, const char *path, int flags);

/*
 * Flags of mvfs_renameat(), with the values of renameat2(2): the new name
 * must not be there; the two names, both there, change what they lead to.
 *
 * @since 0.1.0
 */
#define MVFS_RENAME_NOREPLACE 1u
#define MVFS_RENAME_EXCHANGE 2u

/*
 * Lets `to` lead to what `from` leads to, and takes `from` away, in one step:
 * nobody sees both or none. What `to` led to loses that name, as by
 * mvfs_unlink() or mvfs_rmdir(). Symlinks are moved and replaced themselves.
 * Where both are names of one file, nothing happens, and both stay. `flags`:
 * one of MVFS_RENAME_*, or 0. POSIX.1-2024, rename, renameat; renameat2(2).
 *
 * Returns 0, or
 * -ENOTDIR    `from` is a directory, and `to` something else;
 * -EISDIR     `to` is a directory, and `from` something else;
 * -ENOTEMPTY  `to` is a directory that is not empty;
 * -EINVAL     a directory is to be moved into itself, or exchanged with what
 *             is in it; `flags` are others, or both;
 * -EEXIST     MVFS_RENAME_NOREPLACE, and `to` is there;
 * -EBUSY      one of them is the view's root, or ends with "." or "..";
 * -EACCES     the user may not write to one of the two directories, or to a
 *             directory whose ".." would change;
 * -EPERM      a sticky directory holds one of the names, and neither it nor
 *             what the name leads to is the user's;
 * and what resolving the paths gives; -ENOENT with MVFS_RENAME_EXCHANGE also
 * where `to` is missing.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_rename(mvfs *fs, const char *from, const char *to);
MVFS_API int mvfs_renameat(mvfs *fs, int from_dirfd, const char *from,
			   int to_dirfd, const char *to, unsigned flags);

/*
 * Gives what `from` leads to the further name `to`. A symlink is linked
 * itself, unless AT_SYMLINK_FOLLOW is in `flags`. With AT_EMPTY_PATH and ""
 * the open file `from_dirfd` gets the name: so a file of O_TMPFILE gets its
 * first one. ctime of the file moves. POSIX.1-2024, link, linkat.
 *
 * Returns 0, or
 * -EEXIST  `to` is there, whatever it is;
 * -EPERM   `from` is a directory;
 * -ENOENT  besides what resolving gives: the open file has lost its last
 *          name, or was opened with O_TMPFILE and O_EXCL;
 * -EACCES  the user may not write to the directory that is to hold `to`;
 * -EMLINK  the file has 2^32 - 1 names already;
 * and what resolving the paths gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_link(mvfs *fs, const char *from, const char *to);
MVFS_API int mvfs_linkat(mvfs *fs, int from_dirfd, const char *from,
			 int to_dirfd, const char *to, int flags);

/*
 * Makes a symlink at `path` that leads to `target`, which need not be there
 * and is resolved when the link is followed. Its mode is 0777; owner and
 * group are as for mvfs_mkdir(). POSIX.1-2024, symlink, symlinkat.
 *
 * Returns 0, or
 * -ENOENT        besides what resolving gives: `target` is empty;
 * -ENAMETOOLONG  besides what resolving gives: `target` has more than 4095
 *                bytes;
 * -EEXIST        the name is there, whatever it is;
 * -EACCES        the user may not write to the directory that is to hold it;
 * -ENOSPC        the limit of inodes is reached;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_symlink(mvfs *fs, const char *target, const char *path);
MVFS_API int mvfs_symlinkat(mvfs *fs, const char *target, int dirfd,
			    const char *path);

/*
 * Stores where a symlink leads to, cut to `len` bytes, without a terminating
 * 0. With "" mvfs_readlinkat() reads the symlink that `dirfd` refers to
 * (opened with O_PATH and O_NOFOLLOW). POSIX.1-2024, readlink, readlinkat.
 *
 * Returns how many bytes were stored, or
 * -EINVAL  it is no symlink, or `len` is 0;
 * -ENOENT  besides what resolving gives: the path is "", and `dirfd` no
 *          symlink;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_readlink(mvfs *fs, const char *path, char *to,
			       size_t len);
MVFS_API int64_t mvfs_readlinkat(mvfs *fs, int dirfd, const char *path,
				 char *to, size_t len);

/*
 * Stores the absolute path of what `path` leads to, as seen from the view's
 * root: without symlinks, ".", ".." and double slashes, terminated. 4096 is
 * always enough for `len`. POSIX.1-2024, realpath, but the buffer is the
 * caller's.
 *
 * Returns its length, the terminating 0 not counted, or
 * -ERANGE        it does not fit into `len`;
 * -ENAMETOOLONG  besides what resolving gives: it is longer than 4095 bytes;
 * -ENOENT        besides what resolving gives: it cannot be reached from the
 *                root, since it was removed or lies outside;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_realpath(mvfs *fs, const char *path, char *to,
			       size_t len);

/*
 * Stores in *st what the instance has and uses: see memvfs/types.h.
 *
 * Returns 0, or
 * -EINVAL, -EFAULT  `fs`, or `st`, is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_statfs(mvfs *fs, struct mvfs_statfs *st);

#ifdef __cplusplus
}
#endif

#endif
