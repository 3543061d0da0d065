/* SPDX-License-Identifier: MIT */
/* See modified.h. */
#include "config.h"

#include "vfs/stream/modified.h"

/* How UTF-8 begins that has another form. */
static bool differs(uint8_t byte)
{
	return byte == 0 || byte >= 0xf0;
}

size_t mvfs__modified_length(const uint8_t *utf8, size_t len)
{
	size_t more = 0, i;

	for (i = 0; i < len; i++)
		more += (utf8[i] == 0) + 2 * (utf8[i] >= 0xf0);
	return len + more;
}

/* A code unit of UTF-16 above U+07FF. */
static void put_unit(uint8_t *to, uint32_t unit)
{
	to[0] = (uint8_t)(0xe0 | unit >> 12);
	to[1] = (uint8_t)(0x80 | (unit >> 6 & 0x3f));
	to[2] = (uint8_t)(0x80 | (unit & 0x3f));
}

void mvfs__modified_encode(uint8_t *to, const uint8_t *utf8, size_t len)
{
	const uint8_t *end = utf8 + len;
	uint32_t code;

	while (utf8 < end) {
		if (!differs(*utf8)) {
			*to++ = *utf8++;
		} else if (!*utf8) {
			*to++ = 0xc0;
			*to++ = 0x80;
			utf8++;
		} else {
			code = mvfs__utf8_decode(utf8, 4) - 0x10000;
			put_unit(to, 0xd800 | code >> 10);
			put_unit(to + 3, 0xdc00 | (code & 0x3ff));
			to += 6;
			utf8 += 4;
		}
	}
}

size_t mvfs__modified_same(const uint8_t *bytes, size_t len, bool *ascii)
{
	struct mvfs__verdict v = mvfs__utf8_classify(bytes, len, 0, true);
	size_t i;

	*ascii = v.ascii;
	for (i = 0; !v.ascii && i < v.valid; i++)
		if (bytes[i] >= 0xf0)
			return i;
	return v.valid;
}

/* The unit, from `low` to `low` + 1023, that three bytes are; 0: none. */
static uint32_t surrogate(const uint8_t *bytes, size_t len, uint32_t low)
{
	uint32_t unit;

	if (len < 3 || bytes[0] != 0xed || !mvfs__utf8_is_trail(bytes[1]) ||
	    !mvfs__utf8_is_trail(bytes[2]))
		return 0;
	unit = 0xd000 | (uint32_t)(bytes[1] & 0x3f) << 6 | (bytes[2] & 0x3f);
	return unit >= low && unit < low + 0x400 ? unit : 0;
}

/* What has another form there: its length and code point, or 0. */
static unsigned special(const uint8_t *bytes, size_t len, uint32_t *code)
{
	uint32_t high, low;

	if (len >= 2 && bytes[0] == 0xc0 && bytes[1] == 0x80) {
		*code = 0;
		return 2;
	}
	high = surrogate(bytes, len, 0xd800);
	low = high ? surrogate(bytes + 3, len - 3, 0xdc00) : 0;
	if (!low)
		return 0;
	*code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 6;
}

static unsigned put_code(uint8_t *to, uint32_t code)
{
	if (!code) {
		*to = 0;
		return 1;
	}
	assert(code >= 0x10000);
	to[0] = (uint8_t)(0xf0 | code >> 18);
	to[1] = (uint8_t)(0x80 | (code >> 12 & 0x3f));
	to[2] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
	to[3] = (uint8_t)(0x80 | (code & 0x3f));
	return 4;
}

size_t mvfs__modified_decode(uint8_t *to, size_t *made, const uint8_t *bytes,
			     size_t len, struct mvfs__flaw *flaw)
{
	size_t i = 0, n = 0;
	unsigned length;
	uint32_t code;

	while (i < len) {
		*flaw = mvfs__utf8_look(bytes + i, len - i);
		if (flaw->kind == MVFS__NO_FLAW && flaw->length < 4) {
			memcpy(to + n, bytes + i, flaw->length);
			i += flaw->length;
			n += flaw->length;
			continue;
		}
		length = special(bytes + i, len - i, &code);
		if (!length) {
			if (flaw->kind == MVFS__NO_FLAW)
				*flaw = (struct mvfs__flaw){
					MVFS__MALFORMED, 1 };
			break;
		}
		i += length;
		n += put_code(to + n, code);
	}
	*made = n;
	return i;
}
