/* SPDX-License-Identifier: MIT */
/*
 * Open files: descriptors, reading, writing, seeking, sizes, ranges.
 *
 * Descriptors belong to the instance: numbers of its own, that the kernel
 * knows nothing of, the lowest free one first from 0 on, good in every view
 * of the instance. A descriptor refers to an *open file*, which has the offset
 * and the flags; dup'ed descriptors share it. An open file keeps working
 * whatever becomes of the name, the mode or the owner of what it opened.
 *
 * Flags, modes and whence are the host's own, of <fcntl.h>, <sys/stat.h> and
 * <unistd.h>. Offsets, sizes and lengths are bytes. A file may be 2^63 - 1
 * bytes long; what was never written is a hole, reads as zeros and occupies
 * nothing, in blocks of 4096.
 *
 * Memory to read into and to write from is the caller's, and is not used
 * after the call; what a write takes is copied. mmap is not offered:
 * mvfs_read_file() (memvfs/whole.h) and mvfs_sys_extents() (memvfs/sys.h)
 * give the bytes themselves without copying them.
 *
 * Errors of every call here that takes a descriptor:
 * -EBADF   it is not open, or it was opened with O_PATH and the call is not
 *          one of those that work on such a one (mvfs_close(), mvfs_dup(),
 *          mvfs_dup2(), mvfs_getfl(); mvfs_fstat() and mvfs_fchdir();
 *          starting point of the *at calls);
 * -EINVAL  the view is NULL;
 * -EFAULT  another pointer is, and must not be.
 * Calls that change something may give -ENOMEM, and have then changed nothing.
 */
#ifndef MEMVFS_FILE_H
#define MEMVFS_FILE_H

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In place of a directory descriptor: the view's current directory. It has
 * the value of the host's AT_FDCWD.
 *
 * @since 0.1.0
 */
#define MVFS_AT_FDCWD (-100)

/*
 * Opens what the path names, and creates it if that is asked for: open(2) of
 * Linux, openat of POSIX.1-2024. A relative path of mvfs_openat() starts at
 * the directory `dirfd`, or at the current one with MVFS_AT_FDCWD.
 *
 * One of O_RDONLY, O_WRONLY, O_RDWR (or 3, Linux's "neither", which needs the
 * permission for both), and any of
 * O_CREAT      a regular file of that name is made if there is none, with
 *              `mode` (permission bits) less the umask; the descriptor has the
 *              access that it asks for, whatever that mode allows later;
 * O_EXCL       with O_CREAT: there must be none, a symlink included;
 * O_TRUNC      a regular file loses its content (write permission is needed);
 * O_APPEND     every write goes to the end of the file as it is then, and
 *              that of mvfs_pwrite() too, as on Linux;
 * O_NOFOLLOW   a symlink as the last component is not followed: -ELOOP;
 * O_DIRECTORY  it must be a directory;
 * O_PATH       a reference only: no permission on the file itself is needed,
 *              and nothing can be read or written; all other flags but
 *              O_NOFOLLOW and O_DIRECTORY are ignored;
 * O_TMPFILE    `path` is a directory, in whose file system an unnamed regular
 *              file is made; needs O_WRONLY or O_RDWR. mvfs_linkat() with
 *              AT_EMPTY_PATH gives it a name, unless O_EXCL is set, too.
 * O_SYNC, O_DSYNC, O_NONBLOCK, O_NOCTTY, O_CLOEXEC, O_LARGEFILE and O_NOATIME
 * (for the owner and root) are accepted and change nothing. `mode` is used
 * with O_CREAT and O_TMPFILE only.
 *
 * Returns a descriptor, to be closed by mvfs_close(), or
 * -EINVAL   a flag is not one of these, or they contradict each other;
 * -EEXIST   O_CREAT and O_EXCL, and the name is there;
 * -EISDIR   a directory is to be written to or created;
 * -ENOTDIR  O_DIRECTORY or O_TMPFILE, and it is not a directory; or the path
 *           ends with a slash and does not name one;
 * -ELOOP    O_NOFOLLOW, and the last component is a symlink;
 * -EACCES   the mode of the file, or that of the directory to create in, does
 *           not allow it to the view's user;
 * -EPERM    O_NOATIME on another's file;
 * -ENXIO    it is a fifo, a socket or a device, and O_PATH is not set: there
 *           is nobody at the other end;
 * -ENOSPC   the limit of inodes is reached;
 * -EMFILE   there is no descriptor left;
 * and what resolving the path gives: see memvfs/path.h.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_open(mvfs *fs, const char *path, int flags, uint32_t mode);
MVFS_API int mvfs_openat(mvfs *fs, int dirfd, const char *path, int flags,
			 uint32_t mode);

/*
 * Closes a descriptor, whose number is free from then on. All POSIX record
 * locks of this view on the file end, whichever descriptor they were set
 * with (but not by closing one of O_PATH); with the last descriptor of an
 * open file, so do its flock and OFD locks. A file without a name ends with
 * the last open file of it, and its blocks are free. POSIX.1-2024, close.
 * Returns 0, or an error named above.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_close(mvfs *fs, int fd);

/*
 * Makes another descriptor of the same open file: the lowest free one, or
 * with mvfs_dup2() the number `to`, which is closed before if it is open (and
 * left as it is if it equals `fd`). POSIX.1-2024, dup, dup2.
 *
 * Returns the new descriptor, or
 * -EBADF   `fd` is not open, or `to` is negative or beyond the most there can
 *          be;
 * -EMFILE  there is no descriptor left.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_dup(mvfs *fs, int fd);
MVFS_API int mvfs_dup2(mvfs *fs, int fd, int to);

/*
 * F_GETFL and F_SETFL of fcntl(2). mvfs_getfl() returns the access mode and
 * the flags of the open file, without those that count at opening only
 * (O_CREAT, O_EXCL, O_TRUNC, O_NOCTTY, O_CLOEXEC). mvfs_setfl() sets O_APPEND
 * and O_NONBLOCK as they are in `flags`, ignores all other bits, and returns
 * 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_getfl(mvfs *fs, int fd);
MVFS_API int mvfs_setfl(mvfs *fs, int fd, int flags);

/*
 * Reads up to `len` bytes, from the offset of the open file, which moves by
 * what was read, or, by the calls with p, from `offset`, and then it stays.
 * The calls with v fill `count` pieces in turn. Holes read as zeros. Each
 * call reads one state of the file: no write is half in it. Times do not
 * move. POSIX.1-2024, read, pread, readv; preadv(2).
 *
 * Returns how many bytes were read: fewer than asked for only at the end of
 * the file, where it is 0; or
 * -EBADF   the descriptor is not open for reading;
 * -EISDIR  it is a directory;
 * -EINVAL  `offset` or `count` is negative, `count` is more than 1024, or the
 *          offset and the lengths add up to more than 2^63 - 1.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_read(mvfs *fs, int fd, void *to, size_t len);
MVFS_API int64_t mvfs_pread(mvfs *fs, int fd, void *to, size_t len,
			    int64_t offset);
MVFS_API int64_t mvfs_readv(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			    int count);
MVFS_API int64_t mvfs_preadv(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			     int count, int64_t offset);

/*
 * Writes `len` bytes, or the `count` pieces in turn, at the offset of the open
 * file, which moves by what was written, or, by the calls with p, at `offset`,
 * and then it stays. With O_APPEND all of them write at the end of the file.
 * A write behind the end leaves a hole between. mtime and ctime move, and
 * setuid and setgid bits fall unless uid 0 writes; with no bytes to write,
 * nothing changes. POSIX.1-2024, write, pwrite, writev; pwritev(2).
 *
 * Returns how many bytes were written: fewer than asked for where the limit
 * of bytes or the largest size was met; or
 * -EBADF   the descriptor is not open for writing;
 * -EINVAL  `offset` or `count` is negative, `count` is more than 1024, or the
 *          offset and the lengths add up to more than 2^63 - 1;
 * -ENOSPC  the limit of bytes is reached: not one could be written;
 * -EFBIG   the same for the largest size of a file.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_write(mvfs *fs, int fd, const void *from, size_t len);
MVFS_API int64_t mvfs_pwrite(mvfs *fs, int fd, const void *from, size_t len,
			     int64_t offset);
MVFS_API int64_t mvfs_writev(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			     int count);
MVFS_API int64_t mvfs_pwritev(mvfs *fs, int fd, const struct mvfs_iovec *iov,
			      int count, int64_t offset);

/*
 * Sets the offset of the open file: to `offset` (SEEK_SET), to that much
 * behind what it is (SEEK_CUR) or behind the end of the file (SEEK_END); to
 * the first byte at or behind `offset` that is data (SEEK_DATA) or in a hole
 * (SEEK_HOLE; the end of the file is one). Holes are told in blocks of 4096;
 * space that is only reserved is a hole. An offset behind the end is allowed
 * and leaves the size as it is. POSIX.1-2024, lseek.
 *
 * Returns the new offset, or
 * -EINVAL  it would be negative or too large, `whence` is none of these, or
 *          the file is of a type without data (SEEK_SET and SEEK_CUR work for
 *          directories);
 * -ENXIO   SEEK_DATA or SEEK_HOLE, and `offset` is negative, or at or behind
 *          the end, or no data follows.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_lseek(mvfs *fs, int fd, int64_t offset, int whence);

/*
 * Sets the size of a regular file. What is cut off is gone; what is added
 * is a hole. mtime and ctime move, even if the size stays (but not at
 * mvfs_truncate() of a file that has no blocks), and setuid and setgid bits
 * fall unless uid 0 acts. An open file needs to be open for writing, a path
 * the permission to write. Offsets stay. POSIX.1-2024, ftruncate, truncate.
 *
 * Returns 0, or
 * -EINVAL  `size` is negative; the descriptor is not open for writing, or it
 *          is no regular file;
 * -EISDIR  the path names a directory;
 * -EACCES  the view's user may not write to the file;
 * and for mvfs_truncate() what resolving the path gives: see memvfs/path.h.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_ftruncate(mvfs *fs, int fd, int64_t size);
MVFS_API int mvfs_truncate(mvfs *fs, const char *path, int64_t size);

/*
 * Modes of mvfs_fallocate(), with the values of <linux/falloc.h>: the size
 * stays; the range becomes a hole, for which MVFS_KEEP_SIZE must be set, too;
 * the range becomes reserved zeros.
 *
 * @since 0.1.0
 */
#define MVFS_KEEP_SIZE 0x01
#define MVFS_PUNCH_HOLE 0x02
#define MVFS_ZERO_RANGE 0x10

/*
 * fallocate(2). With mode 0 or MVFS_KEEP_SIZE the blocks of the range that
 * are holes are reserved: they count as occupied, so writing there will not
 * meet the limit; they read as zeros. Without MVFS_KEEP_SIZE the file grows
 * to the end of the range. MVFS_PUNCH_HOLE frees whole blocks and zeroes the
 * parts of others; MVFS_ZERO_RANGE zeroes all of the range and reserves it.
 * mtime and ctime move.
 *
 * Returns 0, or
 * -EINVAL      `offset` is negative or `len` is not positive;
 * -EOPNOTSUPP  `mode` is none of these combinations;
 * -EBADF       the descriptor is not open for writing;
 * -EFBIG       the range ends behind the largest size of a file;
 * -ENOSPC      the limit of bytes does not allow all of it: nothing is
 *              reserved.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fallocate(mvfs *fs, int fd, int mode, int64_t offset,
			    int64_t len);

/*
 * Copies up to `len` bytes between two regular files of one instance, from
 * *in_offset to *out_offset, which are moved by what was copied; NULL in
 * place of either uses and moves the offset of the open file. Where both
 * offsets are multiples of 4096, buffers are shared instead of copied, and
 * holes stay holes. `flags` must be 0. copy_file_range(2).
 *
 * Returns how many bytes were copied: fewer than asked for at the end of `in`,
 * where it is 0, and at the limit of bytes; or
 * -EBADF   `in` is not open for reading, `out` not for writing, or it is open
 *          with O_APPEND;
 * -EISDIR  one is a directory;
 * -EINVAL  one is no regular file, the ranges overlap in one file, `flags` is
 *          not 0, or an offset is negative;
 * -EOVERFLOW  a negative offset and `len` add up to 0 or more;
 * -ENOSPC  the limit of bytes is reached: not one could be copied;
 * -EFBIG   the same for the largest size of a file.
 *
 * @since 0.1.0
 */
MVFS_API int64_t mvfs_copy_file_range(mvfs *fs, int in, int64_t *in_offset,
				      int out, int64_t *out_offset,
				      size_t len, unsigned flags);

/*
 * The file `to` gets the content of the file `from`, size and holes included,
 * and loses its own. Nothing is copied: both refer to the same buffers until
 * one of them changes, and count as occupied twice. Offsets and attributes
 * stay; mtime and ctime of `to` move. FICLONE of ioctl_ficlonerange(2).
 *
 * Returns 0, or
 * -EBADF   `from` is not open for reading, `to` not for writing, or it is
 *          open with O_APPEND;
 * -EISDIR  one is a directory;
 * -EINVAL  one is no regular file;
 * -ENOSPC  the limit of bytes does not allow it: nothing has changed.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_clone_file(mvfs *fs, int from, int to);

/*
 * Make durable what was written: there is nothing more durable than memory,
 * so these check the descriptor and return 0; but memvfs/crash.h, while it is
 * on, notes them, as faults and the log do. mvfs_sync() is syncfs(2), too.
 * POSIX.1-2024, fsync, fdatasync, sync.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fsync(mvfs *fs, int fd);
MVFS_API int mvfs_fdatasync(mvfs *fs, int fd);
MVFS_API int mvfs_sync(mvfs *fs);

#ifdef __cplusplus
}
#endif

#endif
