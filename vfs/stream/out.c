/* SPDX-License-Identifier: MIT */
/* Streams that are written: blocks, and bytes and arrays into them. */
#include "config.h"

#include "vfs/stream/stream.h"

#include <errno.h>

#include "vfs/content/string.h"
#include "vfs/mem/mem.h"
#include "vfs/text/kernels.h"

/* Of a stream to memory. */
#define FIRST_CAPACITY 1000

/* Of the cache, where the block of a file begins. */
#define LINE ((size_t)64)

/* Of one that had not even memory to note that. */
static const struct mvfs_data_state no_memory = { .error = -ENOMEM };

/* A stream has one from the first block or failure on. */
static struct mvfs_data_state *state_of(struct mvfs_data_out *out)
{
	if (!out->state)
		out->state = mvfs__calloc(1, sizeof(*out->state));
	if (!out->state)
		out->state = (struct mvfs_data_state *)(uintptr_t)&no_memory;
	return out->state;
}

int mvfs__data_out_fail(struct mvfs_data_out *out, int error)
{
	struct mvfs_data_state *state = state_of(out);

	assert(error < 0);
	if (!state->error)
		state->error = error;
	out->last = out->next;
	return state->error;
}

/* Where values go from now on. */
static void set_block(struct mvfs_data_out *out, unsigned char *block,
		      size_t filled, size_t size)
{
	assert(size >= sizeof(uint64_t));
	out->state->block = block;
	out->state->end = block + size;
	out->next = block + filled;
	out->last = block + size - (sizeof(uint64_t) - 1);
}

int mvfs__data_out_begin(struct mvfs_data_out *out,
			 int64_t (*write)(mvfs *, int, const void *, size_t),
			 mvfs *fs, int fd)
{
	const size_t head = (sizeof(struct mvfs_data_state) + LINE - 1) &
			    ~(LINE - 1);
	struct mvfs_data_state *state = mvfs__memalign(LINE, head +
						       MVFS__DATA_BLOCK);

	if (!state)
		return -ENOMEM;
	*state = (struct mvfs_data_state){
		.write = write, .fs = fs, .fd = fd
	};
	out->state = state;
	set_block(out, (unsigned char *)state + head, 0, MVFS__DATA_BLOCK);
	return 0;
}

static size_t filled(const struct mvfs_data_out *out)
{
	return out->state ? (size_t)(out->next - out->state->block) : 0;
}

static size_t room(const struct mvfs_data_out *out)
{
	if (mvfs__data_out_error(out))
		return 0;
	return out->state ? (size_t)(out->state->end - out->next) : 0;
}

static bool is_file(const struct mvfs_data_out *out)
{
	return out->state && out->state->write;
}

uint64_t mvfs__data_out_size(const struct mvfs_data_out *out)
{
	return out->state ? out->state->before + filled(out) : 0;
}

/* To the file, what counts as put. */
static int write_all(struct mvfs_data_out *out, const unsigned char *bytes,
		     size_t len, size_t *written)
{
	struct mvfs_data_state *state = out->state;
	int64_t n = 0;

	for (*written = 0; *written < len; *written += (size_t)n) {
		n = state->write(state->fs, state->fd, bytes + *written,
				 len - *written);
		if (n <= 0)
			return mvfs__data_out_fail(out, n ? (int)n : -EIO);
		state->before += (uint64_t)n;
	}
	return 0;
}

/* Writes the block to the file. What could not be written only counts. */
static int write_block(struct mvfs_data_out *out)
{
	unsigned char *block = out->state->block;
	size_t len = filled(out), written;
	int rc = write_all(out, block, len, &written);

	set_block(out, block, len - written, MVFS__DATA_BLOCK);
	return rc ? mvfs__data_out_fail(out, rc) : 0;
}

/* In memory: room for `size` more bytes, and a number. */
static int grow(struct mvfs_data_out *out, size_t size)
{
	struct mvfs_data_state *state = state_of(out);
	struct mvfs__buffer *b = state->buffer;
	size_t len, want;

	if (state->error)
		return mvfs__data_out_fail(out, state->error);
	len = filled(out);
	if (mvfs__add_overflow(len + sizeof(uint64_t), size, &want))
		return mvfs__data_out_fail(out, -ENOMEM);
	if (!b) {
		b = mvfs__buffer_new(want > FIRST_CAPACITY ? want :
				     FIRST_CAPACITY);
		if (!b)
			return mvfs__data_out_fail(out, -ENOMEM);
	} else {
		/* so much of it is moved */
		mvfs__buffer_set_used(b, len);
		if (mvfs__buffer_reserve(&b, want))
			return mvfs__data_out_fail(out, -ENOMEM);
	}
	state->buffer = b;
	set_block(out, mvfs__buffer_bytes(b), len, mvfs__buffer_capacity(b));
	return 0;
}

int mvfs__data_out_more(struct mvfs_data_out *out, size_t size)
{
	if (mvfs__data_out_error(out))
		return out->state->error;
	return is_file(out) ? write_block(out) : grow(out, size);
}

int mvfs__data_out_flush(struct mvfs_data_out *out)
{
	if (mvfs__data_out_error(out))
		return out->state->error;
	return is_file(out) ? write_block(out) : 0;
}

int mvfs__data_out_buffer(const struct mvfs_data_out *out,
			  struct mvfs__buffer **buffer)
{
	if (is_file(out))
		return -EINVAL;
	if (mvfs__data_out_error(out))
		return out->state->error;
	*buffer = NULL;
	if (filled(out)) {
		*buffer = out->state->buffer;
		mvfs__buffer_set_used(*buffer, filled(out));
	}
	return 0;
}

void mvfs__data_out_empty(struct mvfs_data_out *out)
{
	struct mvfs_data_state *state = out->state;

	assert(!is_file(out));
	*out = (struct mvfs_data_out){ 0 };
	if (!state || state == &no_memory)
		return;
	mvfs__string_drop(state->buffer);
	mvfs__free(state);
}

int mvfs__data_out_string(struct mvfs_data_out *out, struct mvfs_string *bytes)
{
	struct mvfs__buffer *b;
	int rc = mvfs__data_out_buffer(out, &b);

	if (rc)
		return rc;
	*bytes = mvfs__string_empty;
	if (b) {
		out->state->buffer = NULL;
		*bytes = mvfs__string_on_all(b, 0);
	}
	mvfs__data_out_empty(out);
	return 0;
}

int mvfs__data_out_reset(struct mvfs_data_out *out)
{
	if (is_file(out))
		return -EINVAL;
	if (mvfs__data_out_error(out))
		return out->state->error;
	if (out->state)
		out->next = out->state->block;
	return 0;
}

int mvfs__data_out_close(struct mvfs_data_out *out)
{
	int rc = mvfs__data_out_flush(out);

	if (is_file(out))
		mvfs__free(out->state);
	else
		mvfs__data_out_empty(out);
	return rc;
}

int mvfs__data_put_bytes(struct mvfs_data_out *out, const void *bytes,
			 size_t len)
{
	size_t written;
	int rc;

	if (len > room(out)) {
		rc = mvfs__data_out_more(out, len);
		if (rc)
			return rc;
	}
	if (len > room(out)) /* longer than a block: as it is */
		return write_all(out, bytes, len, &written);
	if (len) { /* else there may be no block yet */
		memcpy(out->next, bytes, len);
		out->next += len;
	}
	return mvfs__data_out_error(out);
}

/* Numbers that this machine has in the other order. */
static int put_swapped(struct mvfs_data_out *out, const uint8_t *values,
		       size_t len, unsigned width)
{
	const struct mvfs__kernels *k = mvfs__kernels();
	size_t n;
	int rc;

	while (len) {
		n = room(out) / width * width;
		if (is_file(out) ? !n : n < len) {
			rc = mvfs__data_out_more(out, len);
			if (rc)
				return rc;
			continue;
		}
		n = n < len ? n : len;
		k->swap(out->next, values, n, width);
		out->next += n;
		values += n;
		len -= n;
	}
	return mvfs__data_out_error(out);
}

int mvfs__data_put_array(struct mvfs_data_out *out, const void *values,
			 size_t count, unsigned width, bool little)
{
	size_t len;

	assert(width == 2 || width == 4 || width == 8);
	if (mvfs__mul_overflow(count, width, &len))
		return mvfs__data_out_fail(out, -ENOMEM);
	if (mvfs__data_is_native(little))
		return mvfs__data_put_bytes(out, values, len);
	return put_swapped(out, values, len, width);
}
