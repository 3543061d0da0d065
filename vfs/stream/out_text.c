/* SPDX-License-Identifier: MIT */
/* Texts into streams, as Java's DataOutput has them. */
#include "config.h"

#include "vfs/stream/stream.h"

#include <errno.h>

#include "vfs/base/error.h"
#include "vfs/mem/scratch.h"
#include "vfs/stream/modified.h"

#define UTF_MAX 65535u /* what writeUTF can count */

/* Well-formed, or the stream has failed. */
static int check(struct mvfs_data_out *out, const uint8_t *utf8, size_t len,
		 struct mvfs_error *error)
{
	struct mvfs__verdict v;

	if (mvfs__data_out_error(out))
		return mvfs__fail(error, out->state->error, 0, 0,
				  "the stream has failed before");
	v = mvfs__utf8_classify(utf8, len, 0, true);
	if (v.valid == len)
		return 0;
	mvfs__fail(error, -EILSEQ, v.valid, v.flaw.length, "malformed UTF-8");
	if (error)
		error->reason = v.flaw.kind == MVFS__CUT_OFF ?
				MVFS_REASON_TRUNCATED :
				MVFS_REASON_MALFORMED;
	return mvfs__data_out_fail(out, -EILSEQ);
}

/* Says so where the stream, not the text, was the reason. */
static int told(struct mvfs_error *error, int rc)
{
	if (rc)
		mvfs__fail(error, rc, 0, 0, "cannot write the text");
	return rc;
}

static int put_counted(struct mvfs_data_out *out, const void *bytes,
		       size_t len)
{
	int rc = mvfs_data_put_u16(out, (uint16_t)len);

	return rc ? rc : mvfs__data_put_bytes(out, bytes, len);
}

int mvfs__data_put_utf(struct mvfs_data_out *out, const char *utf8, size_t len,
		       struct mvfs_error *error)
{
	const uint8_t *bytes = (const uint8_t *)utf8;
	struct mvfs_scratch frame;
	uint8_t *modified;
	int rc = check(out, bytes, len, error);
	size_t made;

	if (rc)
		return rc;
	made = mvfs__modified_length(bytes, len);
	if (made > UTF_MAX) {
		mvfs__fail(error, -EOVERFLOW, 0, len, "the text has %zu bytes"
			   " of modified UTF-8, and at most 65535 can be"
			   " counted", made);
		return mvfs__data_out_fail(out, -EOVERFLOW);
	}
	if (made == len)
		return told(error, put_counted(out, bytes, len));
	mvfs__scratch_open(&frame);
	modified = mvfs_scratch_alloc(&frame, made);
	if (modified) {
		mvfs__modified_encode(modified, bytes, len);
		rc = put_counted(out, modified, made);
	} else {
		rc = mvfs__data_out_fail(out, -ENOMEM);
	}
	mvfs_scratch_close(&frame);
	return told(error, rc);
}

static int put_unit(struct mvfs_data_out *out, uint32_t unit, bool low)
{
	return low ? mvfs_data_put_u8(out, (uint8_t)unit) :
		     mvfs_data_put_u16(out, (uint16_t)unit);
}

int mvfs__data_put_units(struct mvfs_data_out *out, const char *utf8,
			 size_t len, bool low, struct mvfs_error *error)
{
	const uint8_t *bytes = (const uint8_t *)utf8, *end;
	int rc = check(out, bytes, len, error);
	unsigned length;
	uint32_t code;

	if (rc)
		return rc;
	for (end = bytes + len; !rc && bytes < end; bytes += length) {
		length = mvfs__utf8_look(bytes, (size_t)(end - bytes)).length;
		code = mvfs__utf8_decode(bytes, length);
		if (code >= 0x10000) {
			code -= 0x10000;
			rc = put_unit(out, 0xd800 | code >> 10, low);
			code = 0xdc00 | (code & 0x3ff);
		}
		if (!rc)
			rc = put_unit(out, code, low);
	}
	return told(error, rc);
}
