/* SPDX-License-Identifier: MIT */
/* UTF-8 one character at a time, and the verdict on a text: see utf8.h. */
#include "config.h"

#include "vfs/text/utf8.h"

#include "vfs/text/kernels.h"

/* What may follow a lead byte: `need` trail bytes, the first in a range. */
struct lead {
	uint8_t need, low, high;
};

static struct lead lead_of(uint8_t byte)
{
	if (byte < 0xc2 || byte > 0xf4)
		return (struct lead){ 0, 0, 0 };
	if (byte < 0xe0)
		return (struct lead){ 1, 0x80, 0xbf };
	if (byte < 0xf0)
		return (struct lead){
			.need = 2,
			/* lower ones are overlong, higher ones surrogates */
			.low = byte == 0xe0 ? 0xa0 : 0x80,
			.high = byte == 0xed ? 0x9f : 0xbf,
		};
	return (struct lead){
		.need = 3,
		/* lower ones are overlong, higher ones above U+10FFFF */
		.low = byte == 0xf0 ? 0x90 : 0x80,
		.high = byte == 0xf4 ? 0x8f : 0xbf,
	};
}

struct mvfs__flaw mvfs__utf8_look(const uint8_t *bytes, size_t length)
{
	struct lead lead;
	unsigned n;

	assert(length > 0);
	if (bytes[0] < 0x80)
		return (struct mvfs__flaw){ MVFS__NO_FLAW, 1 };
	lead = lead_of(bytes[0]);
	if (!lead.need)
		return (struct mvfs__flaw){ MVFS__MALFORMED, 1 };
	for (n = 1; n <= lead.need; n++) {
		if (n == length)
			return (struct mvfs__flaw){ MVFS__CUT_OFF, n };
		if (bytes[n] < lead.low || bytes[n] > lead.high)
			return (struct mvfs__flaw){ MVFS__MALFORMED, n };
		lead.low = 0x80;
		lead.high = 0xbf;
	}
	return (struct mvfs__flaw){ MVFS__NO_FLAW, n };
}

uint32_t mvfs__utf8_decode(const uint8_t *bytes, unsigned length)
{
	uint32_t c = bytes[0];
	unsigned i;

	assert(length >= 1 && length <= 4);
	if (length > 1)
		c &= 0x7fu >> length;
	for (i = 1; i < length; i++)
		c = c << 6 | (bytes[i] & 0x3f);
	return c;
}

struct mvfs__verdict mvfs__utf8_classify(const uint8_t *bytes, size_t length,
					 size_t from, bool ascii)
{
	const struct mvfs__kernels *k = mvfs__kernels();
	struct mvfs__verdict v = { .valid = from, .ascii = ascii };

	assert(from <= length);
	if (ascii)
		v.valid += k->ascii(bytes + from, length - from);
	if (v.valid < length) {
		from = v.valid;
		v.valid += k->utf8(bytes + from, length - from);
		v.ascii = v.ascii && v.valid == from;
	}
	if (v.valid < length)
		v.flaw = mvfs__utf8_look(bytes + v.valid, length - v.valid);
	assert(v.valid == length || v.flaw.kind != MVFS__NO_FLAW);
	return v;
}
