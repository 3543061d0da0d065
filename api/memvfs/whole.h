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
 * -EMFILE, -ENFILE  as in mvfs_decode();
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
 * Stores in *lines at most `count` lines of a file, from the one with the
 * number `first` on, counted from 0: as mvfs_string_lines() of what
 * mvfs_read_string() reads. UINT64_MAX is all. Text that is shared with the
 * file is not copied, however many lines; text of another charset is decoded
 * whole. The caller owns the table, and releases it with
 * mvfs_lines_release().
 *
 * Returns 0, or what mvfs_read_string() does; -EFAULT if `lines` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_read_lines(mvfs *fs, const char *path,
			     const struct mvfs_charset *charset,
			     unsigned flags, uint64_t first, uint64_t count,
			     struct mvfs_lines *lines,
			     struct mvfs_error *error);

/*
 * The same of an open file, of which all lines are counted, whatever its
 * offset, which stays.
 *
 * Returns 0, or what mvfs_fread_string() does; -EFAULT if `lines` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fread_lines(mvfs *fs, int fd,
			      const struct mvfs_charset *charset,
			      unsigned flags, uint64_t first, uint64_t count,
			      struct mvfs_lines *lines,
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
 * -EMFILE, -ENFILE  as in mvfs_encode();
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
 * Adds the string, in that charset (NULL: UTF-8), at the end of a file: all of
 * it or nothing, and nothing of anybody else's between. A file that is not
 * there is made, as mvfs_write_string() does; one that is empty shares the
 * string's bytes likewise. To others the bytes are copied, so that the file
 * stays in one piece. An empty string changes nothing in a file that is there.
 *
 * What is known of the text that is there stays known, and of what is added:
 * reading the file again as a string looks at no byte twice. Only where a
 * string still holds the old bytes, so that they cannot be added to in place,
 * the next reading puts the pieces together, and looks at up to 4096 bytes
 * before the new ones.
 *
 * Returns 0, or what mvfs_write_string() does, and
 * -EINVAL  the charset is one that begins with a mark ("UTF-16", "UTF-32",
 *          "ISO-2022-KR"): if it is that of its order, name the order, that of
 *          the file ("UTF-16LE");
 * -EFBIG   the file would be larger than a file can be.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_append_string(mvfs *fs, const char *path,
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
 * Gives adopted memory back: `bytes` and `len` are those that were adopted.
 * It is called on whichever thread gives up the last reference, be that a
 * file, a clone's or a string; with no lock held, so it may call the library.
 * After a fork(2) it is called in each process, for each has a copy.
 *
 * @since 0.1.0
 */
typedef void mvfs_free_fn(void *ctx, void *bytes, size_t len);

/*
 * Makes the memory of the caller itself the content of a file, as
 * mvfs_write_file() does but without a copy. On success the memory is the
 * library's: it must not be changed any more, the library does not change it
 * either, and when nothing refers to it `free_fn` is called once with `ctx`.
 * That may be before this returns, if another thread replaces the file; with
 * `len` 0 it is, for an empty file keeps nothing. Where `free_fn` is NULL the
 * memory has to last for ever.
 *
 * On failure nothing is adopted, and `free_fn` is not called.
 *
 * Such bytes are not terminated: mvfs_string_cstr() of a string that shares
 * them copies once.
 *
 * Returns 0, or what mvfs_write_file() does.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_write_adopt(mvfs *fs, const char *path, void *bytes,
			      size_t len, mvfs_free_fn *free_fn, void *ctx);

/*
 * Stores in *string the whole text of a file of the host, which the kernel
 * reads, not the library: the same call for a disk, a tmpfs or a mount of an
 * instance. `dirfd` is a descriptor of the kernel's, or AT_FDCWD, as for
 * openat(2); who acts is the process.
 *
 * The file is read into memory that the string then owns: ASCII and UTF-8 are
 * not copied again. A file that holds still takes open, fstat, one read and
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
