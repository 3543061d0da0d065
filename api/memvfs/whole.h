/* SPDX-License-Identifier: MIT */
/*
 * Whole files at once: as strings and as bytes, without copying where that
 * is possible; and host files by the same pipeline.
 */
#ifndef MEMVFS_WHOLE_H
#define MEMVFS_WHOLE_H

#include <memvfs/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The whole of a file as one owned string in UTF-8. ASCII in an
 * ASCII-compatible charset, and well-formed UTF-8 read as UTF-8, is shared
 * with the file: nothing is copied. charset NULL: UTF-8. -EILSEQ: malformed
 * or unmappable input, and the error says where (or U+FFFD with
 * MVFS_REPLACE).
 */
MVFS_API int mvfs_read_string(mvfs *fs, const char *path,
			      const struct mvfs_charset *charset,
			      unsigned flags, struct mvfs_string *string,
			      struct mvfs_error *error);
/* The same of an open file, from its beginning; its offset stays. */
MVFS_API int mvfs_fread_string(mvfs *fs, int fd,
			       const struct mvfs_charset *charset,
			       unsigned flags, struct mvfs_string *string,
			       struct mvfs_error *error);
/*
 * Creates (mode 0666 less the umask) or replaces the file's content by the
 * string in that charset. Where the bytes would be the same, the file shares
 * them with the string. All or nothing.
 */
MVFS_API int mvfs_write_string(mvfs *fs, const char *path,
			       const struct mvfs_string *string,
			       const struct mvfs_charset *charset,
			       struct mvfs_error *error);

/* The whole of a file as bytes that are not decoded; never copied if the
 * file is one run. Released with mvfs_string_release(). */
MVFS_API int mvfs_read_file(mvfs *fs, const char *path,
			    struct mvfs_string *bytes);
/* Creates or replaces; copies the bytes. All or nothing. */
MVFS_API int mvfs_write_file(mvfs *fs, const char *path, const void *bytes,
			     size_t len);

/*
 * A file of the host (the kernel's), by the same pipeline; dirfd as for
 * openat(2), AT_FDCWD for the current directory. Files whose size is not
 * known or changes (/proc, pipes) are read to their end.
 */
MVFS_API int mvfs_host_read_string(int dirfd, const char *path,
				   const struct mvfs_charset *charset,
				   unsigned flags, struct mvfs_string *string,
				   struct mvfs_error *error);

#ifdef __cplusplus
}
#endif

#endif
