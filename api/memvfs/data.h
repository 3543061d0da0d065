/* SPDX-License-Identifier: MIT */
/*
 * Data streams: numbers and texts as bytes, and back. What a stream writes is
 * what java.io.DataOutputStream writes, and what DataInputStream reads:
 * big-endian numbers and modified UTF-8. Each number has a little-endian form
 * as well, whose name ends in _le.
 *
 *     TYPE          i16 u16 i32 u32 i64 u64 f32 f64; without _le: bool i8 u8
 *     one value     mvfs_data_put_TYPE(out, value)
 *                   mvfs_data_get_TYPE(in, &value)
 *     an array      mvfs_data_put_TYPEs(out, values, count)
 *                   mvfs_data_get_TYPEs(in, values, count)
 *     in Java       Boolean is bool, Byte i8, UnsignedByte u8, Short i16,
 *                   UnsignedShort and Char u16, Int i32, Long i64, Float f32,
 *                   Double f64; write(byte[]) is put_bytes, readFully
 *                   get_bytes
 *
 * Values go to a block of memory of the stream's own by inline code; arrays
 * are turned round at the width of vectors. A block that is full is written
 * to the file by one call, which takes the lock once, or, in memory, grows.
 * A stream that is read is the file's own bytes: nothing is copied.
 *
 * A float keeps its bits, those of a NaN too: Java writes one NaN for all.
 *
 * Errors of writing are kept: a put that fails has put nothing (of what is
 * longer than a block a part may be in the file), and from then on every put,
 * and the flush or close, gives the same error. So a program may look at the
 * last result only. Reading is different: a get that fails has moved nothing,
 * and the next may succeed; mvfs_data_in_error() tells whether any has failed.
 *
 * A stream is for one thread at a time. The inline functions work on the
 * structs below, whose members are part of the ABI, but not for use.
 */
#ifndef MEMVFS_DATA_H
#define MEMVFS_DATA_H

#include <memvfs/text.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A stream that is written. The members are private; {0} is one that writes
 * to memory.
 *
 * Every function that takes one is inline, and hands a copy of it to the
 * library where it must. So where the struct is a local variable a compiler
 * keeps it in registers, and a loop of puts costs little more than one that
 * turns numbers round in memory. A function that is passed a stream, and puts
 * many values, does well to work on a local copy, and to put that back.
 *
 * @since 0.1.0
 */
struct mvfs_data_out {
	unsigned char *next; /* where the next byte goes */
	unsigned char *last; /* while `next` is below, 8 bytes fit */
	struct mvfs_data_state *state; /* all else; NULL: nothing was put */
};

/*
 * A stream that is read. The members are private.
 *
 * @since 0.1.0
 */
struct mvfs_data_in {
	const unsigned char *next;
	const unsigned char *end;
	struct mvfs_string source; /* held */
	int error;                 /* the first one */
};

/*
 * Begins a stream that writes to memory. It allocates nothing and cannot fail.
 * Ended by mvfs_data_out_close(), with or without having taken the result.
 *
 * @since 0.1.0
 */
static inline void mvfs_data_out_memory(struct mvfs_data_out *out);

/*
 * Begins a stream that writes to an open file, in blocks of 32 KiB, as
 * mvfs_write() does: at the descriptor's offset, or at the end with O_APPEND.
 * The view and the descriptor stay the caller's, and must last as long as the
 * stream; closing the stream does not close the descriptor.
 *
 * Returns 0, or a negative errno, with *out unchanged:
 * -ENOMEM  out of memory;
 * -EINVAL  `fs` is NULL.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_fd(struct mvfs_data_out *out, mvfs *fs,
				   int fd);

/*
 * How many bytes were put since the stream began or was emptied, be they
 * written or still in the block.
 *
 * @since 0.1.0
 */
static inline uint64_t mvfs_data_out_size(const struct mvfs_data_out *out);

/*
 * Writes to the file what is in the block. In memory it only tells whether
 * something has failed.
 *
 * Returns 0, or the first error of the stream: what mvfs_write() gives, or
 * what a put gave.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_flush(struct mvfs_data_out *out);

/*
 * Stores in *bytes what was put to memory, without a copy; the stream is empty
 * then, and goes on. The bytes come as a string because that owns bytes; it is
 * text only if that was put.
 *
 * Returns 0, or a negative errno, with nothing changed:
 * -EINVAL  the stream writes to a file;
 * -EFAULT  `bytes` is NULL;
 * and the first error of the stream.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_string(struct mvfs_data_out *out,
				       struct mvfs_string *bytes);

/*
 * Makes what was put to memory the content of a file, as mvfs_write_file()
 * does, but without a copy; the stream is empty then, and goes on.
 *
 * Returns 0, or a negative errno, with nothing changed: what
 * mvfs_write_file() gives, and what mvfs_data_out_string() does.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_file(struct mvfs_data_out *out, mvfs *fs,
				     const char *path);

/*
 * Drops what was put to memory, and keeps the memory for what is put next.
 *
 * Returns 0, or -EINVAL: the stream writes to a file; or the first error of
 * the stream.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_reset(struct mvfs_data_out *out);

/*
 * Ends the stream: what is in the block is written to the file; what was put
 * to memory and not taken is dropped. *out is {0} afterwards.
 *
 * Returns what mvfs_data_out_flush() does; the stream has ended in any case.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_out_close(struct mvfs_data_out *out);

/*
 * Puts `len` bytes as they are.
 *
 * Returns 0, or the first error of the stream: -ENOMEM, or what mvfs_write()
 * gives; -EFAULT if `bytes` is NULL and `len` is not 0.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_put_bytes(struct mvfs_data_out *out,
				      const void *bytes, size_t len);

/*
 * Puts `len` bytes of UTF-8 as writeUTF does: the length in two bytes, and the
 * text in modified UTF-8, where U+0000 has two bytes, and a character above
 * U+FFFF six, as two surrogates.
 *
 * Returns 0, or, with nothing put, the first error of the stream:
 * -EOVERFLOW  the text would be longer than 65535 bytes;
 * -EILSEQ  it is no UTF-8, and `error`, which may be NULL, has the place;
 * and what mvfs_data_put_bytes() does.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_put_utf(struct mvfs_data_out *out,
				    const char *utf8, size_t len,
				    struct mvfs_error *error);

/*
 * Puts `len` bytes of UTF-8 as writeChars does: as UTF-16, big-endian, without
 * its length.
 *
 * Returns what mvfs_data_put_utf() does, but for -EOVERFLOW.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_put_chars(struct mvfs_data_out *out,
				      const char *utf8, size_t len,
				      struct mvfs_error *error);

/*
 * Puts `len` bytes of UTF-8 as writeBytes does: of each unit of UTF-16 the low
 * byte. What is above U+00FF is lost, as it is in Java.
 *
 * Returns what mvfs_data_put_chars() does.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_put_low_bytes(struct mvfs_data_out *out,
					  const char *utf8, size_t len,
					  struct mvfs_error *error);

/*
 * Begins a stream that reads these bytes, of which it holds a reference; a
 * string that is the caller's own memory (`owner` NULL) must last as long as
 * the stream. Ended by mvfs_data_in_close().
 *
 * Returns 0, or -EFAULT: `in` or `bytes` is NULL.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_in_string(struct mvfs_data_in *in,
				 const struct mvfs_string *bytes);

/*
 * Begins a stream that reads a file as it is now, without a copy if the file
 * lies in one piece.
 *
 * Returns 0, or what mvfs_read_file() does, with *in unchanged.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_in_file(struct mvfs_data_in *in, mvfs *fs,
			       const char *path);

/*
 * Ends the stream, whose struct is {0} then. Strings that were read from it
 * stay. NULL and {0} are fine.
 *
 * @since 0.1.0
 */
MVFS_API void mvfs_data_in_close(struct mvfs_data_in *in);

/*
 * How many bytes are before, and behind, the next one.
 *
 * @since 0.1.0
 */
static inline size_t mvfs_data_in_position(const struct mvfs_data_in *in)
{
	return in->source.len - (size_t)(in->end - in->next);
}

static inline size_t mvfs_data_in_left(const struct mvfs_data_in *in)
{
	return (size_t)(in->end - in->next);
}

/*
 * The first error that a get has returned, or 0.
 *
 * @since 0.1.0
 */
static inline int mvfs_data_in_error(const struct mvfs_data_in *in)
{
	return in->error;
}

/*
 * Goes to that position, from which the next byte is read.
 *
 * Returns 0, or -EINVAL: it is behind the end.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_in_seek(struct mvfs_data_in *in, size_t position);

/*
 * Leaves out `count` bytes, or as many as there are, as skipBytes does.
 *
 * Returns how many.
 *
 * @since 0.1.0
 */
static inline size_t mvfs_data_in_skip(struct mvfs_data_in *in, size_t count)
{
	size_t left = mvfs_data_in_left(in);

	count = count < left ? count : left;
	in->next += count;
	return count;
}

/*
 * Gets `len` bytes into the caller's memory, all or none.
 *
 * Returns 0, or
 * -ENODATA  there are fewer: nothing was moved, and the position stays;
 * -EFAULT   `bytes` is NULL and `len` is not 0.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_get_bytes(struct mvfs_data_in *in, void *bytes,
				 size_t len);

/*
 * Gets `count` numbers of `width` bytes (2, 4 or 8) to memory as this machine
 * has them, all or none: what mvfs_data_get_TYPEs() calls.
 *
 * Returns what mvfs_data_get_bytes() does; -EINVAL for another width.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_get_array(struct mvfs_data_in *in, void *values,
				 size_t count, unsigned width, int little);

/*
 * Gets `len` bytes as a string that shares them; of a stream over memory that
 * nobody owns, a copy. The caller releases it.
 *
 * Returns 0, or -ENODATA, -EFAULT as mvfs_data_get_bytes() does, or -ENOMEM,
 * with the position and *bytes unchanged.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_get_string(struct mvfs_data_in *in, size_t len,
				  struct mvfs_string *bytes);

/*
 * Gets what mvfs_data_put_utf() or Java's writeUTF put, as UTF-8. The string
 * shares the stream's bytes unless a character has another form in modified
 * UTF-8: U+0000 and those above U+FFFF.
 *
 * Returns 0, or a negative errno, with the position and *text unchanged:
 * -EILSEQ  it is no modified UTF-8, and `error`, which may be NULL, has the
 *          place, counted from the beginning of the stream. Stricter than
 *          Java: an overlong form or half a pair of surrogates is none;
 * and what mvfs_data_get_string() does.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_get_utf(struct mvfs_data_in *in,
			       struct mvfs_string *text,
			       struct mvfs_error *error);

/*
 * Gets a line as readLine does: the bytes up to LF, CR, CR LF or the end, each
 * the character of that number (ISO-8859-1), as UTF-8; what ends the line is
 * left out. An ASCII line shares the stream's bytes.
 *
 * Returns 1, or 0 at the end, or a negative errno, with *line unchanged:
 * -ENOMEM, -EFAULT.
 *
 * @since 0.1.0
 */
MVFS_API int mvfs_data_get_line(struct mvfs_data_in *in,
				struct mvfs_string *line);

#ifdef __cplusplus
}
#endif

#include <memvfs/data_inline.h>

#endif
