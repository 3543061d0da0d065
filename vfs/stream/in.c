/* SPDX-License-Identifier: MIT */
/* Streams that are read: a string, and a place in it. */
#include "config.h"

#include "vfs/stream/stream.h"

#include <errno.h>

#include "vfs/base/error.h"
#include "vfs/content/string.h"
#include "vfs/stream/modified.h"
#include "vfs/text/charset.h"
#include "vfs/text/kernels.h"
#include "vfs/text/lines.h"

void mvfs__data_in_begin(struct mvfs_data_in *in, struct mvfs_string bytes)
{
	in->next = (const unsigned char *)bytes.data;
	in->end = in->next + bytes.len;
	in->source = bytes;
	in->error = 0;
}

void mvfs__data_in_close(struct mvfs_data_in *in)
{
	mvfs__string_release(&in->source);
	*in = (struct mvfs_data_in){ 0 };
}

int mvfs__data_in_fail(struct mvfs_data_in *in, int error)
{
	assert(error < 0);
	if (!in->error)
		in->error = error;
	return error;
}

int mvfs__data_in_seek(struct mvfs_data_in *in, size_t position)
{
	if (position > in->source.len)
		return -EINVAL;
	in->next = (const unsigned char *)in->source.data + position;
	return 0;
}

int mvfs__data_get_bytes(struct mvfs_data_in *in, void *bytes, size_t len)
{
	if (len > mvfs_data_in_left(in))
		return mvfs__data_in_fail(in, -ENODATA);
	if (len)
		memcpy(bytes, in->next, len);
	in->next += len;
	return 0;
}

int mvfs__data_get_array(struct mvfs_data_in *in, void *values, size_t count,
			 unsigned width, bool little)
{
	size_t len;

	assert(width == 2 || width == 4 || width == 8);
	if (mvfs__mul_overflow(count, width, &len) ||
	    len > mvfs_data_in_left(in))
		return mvfs__data_in_fail(in, -ENODATA);
	if (mvfs__data_is_native(little))
		return mvfs__data_get_bytes(in, values, len);
	mvfs__kernels()->swap(values, in->next, len, width);
	in->next += len;
	return 0;
}

/* The next `len` bytes, which are there; the place stays. */
static int string_here(const struct mvfs_data_in *in, size_t len,
		       struct mvfs_string *bytes)
{
	if (!in->source.owner && len)
		return mvfs__string_copy(in->next, len, bytes);
	*bytes = mvfs__string_slice(&in->source, mvfs_data_in_position(in),
				    len);
	return 0;
}

int mvfs__data_get_string(struct mvfs_data_in *in, size_t len,
			  struct mvfs_string *bytes)
{
	int rc;

	if (len > mvfs_data_in_left(in))
		return mvfs__data_in_fail(in, -ENODATA);
	rc = string_here(in, len, bytes);
	if (rc)
		return mvfs__data_in_fail(in, rc);
	in->next += len;
	return 0;
}

/* The modified UTF-8 at `bytes`, which is no UTF-8. */
static int decode(const struct mvfs_data_in *in, const uint8_t *bytes,
		  size_t len, struct mvfs_string *text,
		  struct mvfs_error *error)
{
	struct mvfs__buffer *b = mvfs__buffer_new(len);
	struct mvfs__flaw flaw;
	size_t made, done;

	if (!b)
		return mvfs__fail(error, -ENOMEM, 0, 0, "out of memory");
	done = mvfs__modified_decode(mvfs__buffer_bytes(b), &made, bytes, len,
				     &flaw);
	if (done == len) {
		mvfs__buffer_set_used(b, made);
		*text = mvfs__string_on_all(b, 0);
		return 0;
	}
	mvfs__string_drop(b);
	mvfs__fail(error, -EILSEQ,
		   (uint64_t)(bytes - (const uint8_t *)in->source.data) + done,
		   flaw.length, "malformed modified UTF-8");
	if (error)
		error->reason = flaw.kind == MVFS__CUT_OFF ?
				MVFS_REASON_TRUNCATED :
				MVFS_REASON_MALFORMED;
	return -EILSEQ;
}

/* What is behind the length; the place is there. */
static int get_counted(struct mvfs_data_in *in, size_t len,
		       struct mvfs_string *text, struct mvfs_error *error)
{
	bool ascii;
	int rc;

	if (len > mvfs_data_in_left(in))
		return mvfs__fail(error, -ENODATA, mvfs_data_in_position(in),
				  mvfs_data_in_left(in), "the stream ends"
				  " within a text of %zu bytes", len);
	if (mvfs__modified_same(in->next, len, &ascii) < len)
		return decode(in, in->next, len, text, error);
	rc = string_here(in, len, text);
	if (rc)
		return mvfs__fail(error, rc, 0, 0, "out of memory");
	if (ascii)
		text->flags |= MVFS_STRING_ASCII;
	return 0;
}

int mvfs__data_get_utf(struct mvfs_data_in *in, struct mvfs_string *text,
		       struct mvfs_error *error)
{
	const unsigned char *start = in->next;
	uint16_t len;
	int rc = mvfs_data_get_u16(in, &len);

	if (rc)
		return mvfs__fail(error, rc, mvfs_data_in_position(in),
				  mvfs_data_in_left(in),
				  "the stream ends within a length");
	rc = get_counted(in, len, text, error);
	if (rc) {
		in->next = start;
		return mvfs__data_in_fail(in, rc);
	}
	in->next += len;
	return 0;
}

int mvfs__data_get_line(struct mvfs_data_in *in, struct mvfs_string *line)
{
	struct mvfs__line_scan scan;
	size_t start, len;
	int rc;

	mvfs__line_scan_init(&scan, (const char *)in->next,
			     mvfs_data_in_left(in));
	if (!mvfs__line_scan_next(&scan, &start, &len))
		return 0;
	assert(start == 0);
	if (mvfs__kernels()->ascii(in->next, len) == len)
		rc = string_here(in, len, line);
	else
		rc = mvfs__string_decode(in->next, len,
					 &mvfs__charset_latin1, 0, line, NULL);
	if (rc)
		return mvfs__data_in_fail(in, rc);
	in->next += scan.at;
	return 1;
}
