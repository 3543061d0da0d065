/* SPDX-License-Identifier: MIT */
/*
 * Files of a tree as streams of <stdio.h>, for code that takes a FILE *.
 *
 * It is a FILE of the C library, by fopencookie(3): reading, writing, seeking,
 * ungetc, getline, setvbuf, fprintf and the rest are the C library's own, and
 * so are its errors: a call that fails sets errno and, where stdio says so,
 * ferror(). What is buffered reaches the tree at fflush(), fclose(), a seek,
 * or when the buffer is full.
 *
 * The view stays in use until fclose(): destroy it, and with it the instance,
 * after that only. (exit(3) flushes every stream that is still open.) The one
 * thing that such a FILE has not is a descriptor of the kernel: fileno() is
 * -1, EBADF; mvfs_fileno() gives the one of the instance.
 */
#ifndef MEMVFS_FOPEN_H
#define MEMVFS_FOPEN_H

#include <stdio.h>

#include <memvfs/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Opens what the path names as a stream and stores it in *file; fclose() ends
 * it. `mode` is fopen(3)'s:
 * "r"   read from the start; the file must be there;
 * "w"   write; the file loses its content, or is made with 0666 less the
 *       umask;
 * "a"   the same, but it keeps its content, and each write goes to the end;
 * and behind that letter, in any order,
 * '+'   read and write ("a+" reads from the start);
 * 'x'   with "w" and "a": the file must not be there;
 * 'b', 'c', 'e', 'm' and whatever else change nothing. As in glibc only the
 * first six characters behind the letter count (mvfs_fdopen(): four), and a
 * comma ends them (so in glibc 2.41; older ones pass over it).
 *
 * Returns 0, or
 * -EINVAL  `mode` begins with another letter, or has a ",ccs=", for
 *          which there are memvfs/text.h and memvfs/whole.h; or the view is
 *          NULL;
 * -EFAULT  another argument is NULL;
 * -ENOMEM  out of memory;
 * and what mvfs_open() gives.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_fopen(mvfs *fs, const char *path,
				       const char *mode, FILE **file);

/*
 * Makes a stream of an open descriptor and stores it in *file. The descriptor
 * is the stream's from then on, and fclose() closes it; where the call fails
 * it stays the caller's. The stream begins at the offset of the open file
 * ("a" that has to set O_APPEND: at the end).
 * `mode` is as above, but truncates and creates nothing; "a" sets O_APPEND,
 * and 'x' changes nothing.
 *
 * Returns 0, or
 * -EINVAL  as above; or the descriptor is not open for what `mode` asks;
 * -EBADF   `fd` is not open;
 * -EFAULT  another argument is NULL;
 * -ENOMEM  out of memory.
 *
 * @since 0.1.0
 */
MVFS_API MVFS_NODISCARD int mvfs_fdopen(mvfs *fs, int fd, const char *mode,
					FILE **file);

/*
 * The descriptor of a stream, in the instance that it was opened in: to give
 * to mvfs_fsync() after fflush(), say. It stays the stream's.
 *
 * Returns the descriptor, or
 * -EBADF   the stream is not one of these: fileno(3) is for it;
 * -EFAULT  `file` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_fileno(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
