/* SPDX-License-Identifier: MIT */
/*
 * Data streams: what is behind <memvfs/data.h>.
 *
 * A stream that is written has a block, in which inline code stores values
 * until it is full. In memory the block is a buffer that grows, and becomes a
 * string or a file as it is. With a file it is 32 KiB that are written
 * through a function which whoever begins the stream passes, for files are
 * above this module. (Smaller blocks take the lock more often; larger ones
 * leave the first cache.)
 *
 *     block          next        last    end
 *     | put so far   | free      | 7     |
 *
 * `next` and `last` alone are in the struct that the caller has. What else
 * there is lies in the state, which is made with the first block.
 *
 * A stream that is read is a string, and a place in it.
 */
#ifndef MVFS__STREAM_H
#define MVFS__STREAM_H

#include <memvfs/data.h>

#include "vfs/content/buffer.h"

#define MVFS__DATA_BLOCK ((size_t)32 * 1024)

/*
 * The first error stays. A failed stream has `next` at `last`, so that all
 * that is put comes here.
 */
struct mvfs_data_state {
	unsigned char *block, *end; /* NULL: none yet */
	struct mvfs__buffer *buffer; /* that the block is in; NULL: a file */
	uint64_t before;            /* bytes of earlier blocks */
	int64_t (*write)(mvfs *fs, int fd, const void *from, size_t len);
	mvfs *fs;                   /* for `write`; that is NULL: to memory */
	int fd;
	int error;
};

/* -ENOMEM. */
int mvfs__data_out_begin(struct mvfs_data_out *out,
			 int64_t (*write)(mvfs *, int, const void *, size_t),
			 mvfs *fs, int fd);

/* Notes the first error, after which nothing fits the block; gives it back. */
int mvfs__data_out_fail(struct mvfs_data_out *out, int error);

/*
 * Stores the buffer that was filled so far, still the stream's; NULL if
 * nothing was put. -EINVAL of a stream to a file; the stream's error.
 */
int mvfs__data_out_buffer(const struct mvfs_data_out *out,
			  struct mvfs__buffer **buffer);

/* Drops what was put to memory: the stream is empty. */
void mvfs__data_out_empty(struct mvfs_data_out *out);

static inline int mvfs__data_out_error(const struct mvfs_data_out *out)
{
	return out->state ? out->state->error : 0;
}

/* What is behind <memvfs/data.h>; arguments are valid. */
uint64_t mvfs__data_out_size(const struct mvfs_data_out *out);
int mvfs__data_out_more(struct mvfs_data_out *out, size_t size);
int mvfs__data_out_flush(struct mvfs_data_out *out);
int mvfs__data_out_string(struct mvfs_data_out *out,
			  struct mvfs_string *bytes);
int mvfs__data_out_reset(struct mvfs_data_out *out);
int mvfs__data_out_close(struct mvfs_data_out *out);
int mvfs__data_put_bytes(struct mvfs_data_out *out, const void *bytes,
			 size_t len);
int mvfs__data_put_array(struct mvfs_data_out *out, const void *values,
			 size_t count, unsigned width, bool little);
int mvfs__data_put_utf(struct mvfs_data_out *out, const char *utf8, size_t len,
		       struct mvfs_error *error);
/* `low`: of each unit the low byte only */
int mvfs__data_put_units(struct mvfs_data_out *out, const char *utf8,
			 size_t len, bool low, struct mvfs_error *error);

/* Takes the string over. */
void mvfs__data_in_begin(struct mvfs_data_in *in, struct mvfs_string bytes);
void mvfs__data_in_close(struct mvfs_data_in *in);
int mvfs__data_in_fail(struct mvfs_data_in *in, int error);
int mvfs__data_in_seek(struct mvfs_data_in *in, size_t position);
int mvfs__data_get_bytes(struct mvfs_data_in *in, void *bytes, size_t len);
int mvfs__data_get_array(struct mvfs_data_in *in, void *values, size_t count,
			 unsigned width, bool little);
int mvfs__data_get_string(struct mvfs_data_in *in, size_t len,
			  struct mvfs_string *bytes);
int mvfs__data_get_utf(struct mvfs_data_in *in, struct mvfs_string *text,
		       struct mvfs_error *error);
int mvfs__data_get_line(struct mvfs_data_in *in, struct mvfs_string *line);

/* Whether numbers of that order are this machine's. */
static inline bool mvfs__data_is_native(bool little)
{
	const uint16_t one = 1;
	uint8_t first;

	memcpy(&first, &one, 1);
	return little == (first == 1);
}

#endif
