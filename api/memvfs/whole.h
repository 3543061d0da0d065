/* SPDX-License-Identifier: MIT */
/*
 * Whole files at once: as strings and as bytes, without a copy where that is
 * possible; and files of the host the same way.
 *
 * Reading takes a reference to the file's bytes as they are at that moment.
 * What is written to the file later goes elsewhere, so that the string stays
 * what it was, without having cost a copy. This holds where the bytes are what
 * the string would be: ASCII in an ASCII-compatible charset, and well-formed
 * UTF-8 read as UTF-8. Each byte of a file is looked at once, at the first
 * reading; later ones take the same time whatever the length. Any other text
 * is decoded at each reading, which copies.
 *
 * A file that was written in order lies in one piece. One that was written in
 * pieces is put together at the first reading, once until it is written again;
 * a file with holes at every reading.
 *
 * Writing replaces all of a file, or makes it: whole or not at all, and no
 * reader sees anything between. It is no rename: the inode stays, with its
 * mode, owner and links, and who has the file open sees the new content.
 *
 * Paths are resolved as memvfs/path.h says, with the errors named there;
 * symlinks are followed. Who acts is the view's user. Calls that take an
 * `error` say there which file it was, what is wrong and where; it may be
 * NULL, and is written on failure only.
 */
#ifndef MEMVFS_WHOLE_H
#define MEMVFS_WHOLE_H

#include <memvfs/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Stores in *string the whole text of a file, which is in that charset (NULL:
 * UTF-8). `flags` is 0 or a sum of MVFS_REPLACE and MVFS_SKIP_BOM. The caller
 * owns the string, and releases it with mvfs_string_release().
 *
 * Returns 0, or a negative errno, with *string unchanged:
 * -EILSEQ  the file is no text in that charset, and `error` has the place: see
 *          mvfs_decode();
 * -EACCES  the user may not read the file;
 * -EISDIR  it is a directory;
 * -ENXIO   it is neither that nor a regular file;
 * -ENOMEM  out of memory; a file that is mostly a hole can be larger than any
 *          memory;
 * -EINVAL  an unknown flag;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_read_string(mvfs *fs, const char *path,
			      const struct mvfs_charset *charset,
			      unsigned flags, struct mvfs_string *string,
			      struct mvfs_error *error);

/*
 * The same of an open file, from its beginning whatever its offset, which
 * stays.
 *
 * Returns 0, or
 * -EBADF  `fd` is not open for reading;
 * and what mvfs_read_string() does, but for the path.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fread_string(mvfs *fs, int fd,
			       const struct mvfs_charset *charset,
			       unsigned flags, struct mvfs_string *string,
			       struct mvfs_error *error);

/*
 * Makes the string, in that charset (NULL: UTF-8), the content of a file. A
 * file that is not there is made with mode 0666 less the umask. Where the
 * bytes are the same in both, the file takes a reference to the string's and
 * nothing is copied; the string remains the caller's. Of a string that is the
 * caller's own memory (`owner` NULL) the bytes are copied.
 *
 * Returns 0, or a negative errno, with nothing changed:
 * -EILSEQ  the string is not well-formed UTF-8, or has a character that the
 *          charset does not have; `error` has the place in the string;
 * -EACCES  the user may not write the file, or not make one there;
 * -EISDIR  it is a directory, or the path ends in a slash;
 * -ENXIO   it is neither that nor a regular file;
 * -ENOSPC  a limit of the instance is met;
 * -ENOMEM  out of memory;
 * -EFAULT  the string is NULL, or its `data` is and its `len` is not 0;
 * and what resolving the path gives.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_write_string(mvfs *fs, const char *path,
			       const struct mvfs_string *string,
			       const struct mvfs_charset *charset,
			       struct mvfs_error *error);

/*
 * Stores in *bytes the whole of a file as it is: nothing is decoded, nor
 * looked at, and nothing is copied if the file lies in one piece. Released
 * with mvfs_string_release(), as a string is; but it is one only if the file
 * happens to be UTF-8.
 *
 * Returns 0, or what mvfs_read_string() does, but for -EILSEQ.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_read_file(mvfs *fs, const char *path,
			    struct mvfs_string *bytes);

/*
 * Makes a copy of `len` bytes the content of a file, as mvfs_write_string()
 * does.
 *
 * Returns 0, or what mvfs_write_string() does, but for -EILSEQ; -EFAULT if
 * `bytes` is NULL and `len` is not 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_write_file(mvfs *fs, const char *path, const void *bytes,
			     size_t len);

/*
 * Stores in *string the whole text of a file of the host, which the kernel
 * reads, not the library: the same call for a disk, a tmpfs or a mount of an
 * instance. `dirfd` is a descriptor of the kernel's, or AT_FDCWD, as for
 * openat(2); who acts is the process.
 *
 * The file is read into memory that the string then owns: ASCII and UTF-8 are
 * not copied again. A file that holds still takes open, fstat, two reads and
 * close. The size that fstat(2) tells is only what is expected: files of
 * /proc, pipes and files that change are read until they end. So this waits
 * for the writer of a pipe, and does not return from a device without an end.
 * A signal does not end it.
 *
 * Returns 0, or a negative errno, with *string unchanged and no descriptor
 * left open:
 * -EILSEQ  as in mvfs_read_string();
 * -ENOMEM, -EFBIG  the file is larger than the memory that can be had, or
 *          than what can be addressed;
 * -EINVAL  an unknown flag;
 * -EFAULT  `path` or `string` is NULL;
 * and whatever openat(2), fstat(2) and read(2) give: -EISDIR for a directory,
 * -EBADF for a wrong `dirfd`.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_host_read_string(int dirfd, const char *path,
				   const struct mvfs_charset *charset,
				   unsigned flags, struct mvfs_string *string,
				   struct mvfs_error *error);

#ifdef __cplusplus
}
#endif

#endif
