/* SPDX-License-Identifier: MIT */
/*
 * The kernels in portable C.
 *
 * ASCII is tested 64 bytes at a time. UTF-8 runs through an automaton whose
 * state is a shift count: each byte has a 64-bit row with the next state for
 * each of the nine states, six bits apiece, so a step is a load, a shift and
 * a mask, and nothing depends on what the text is:
 *
 *     state = row[byte] >> state & 63
 *
 * The shift is the only link between two steps, so four stretches of a block
 * that begin at characters run side by side. Branches by the length of the
 * character were rejected: they cost more than the steps where ASCII and
 * Chinese alternate. Where a block does not end in the accepting state, it
 * is searched once more, a character at a time, for the place.
 */
#include "config.h"

#include "vfs/text/kernels.h"
#include "vfs/text/utf8.h"
#include "vfs/text/word.h"

/* States, as shift counts. FAIL is 0: there is no way out of it. */
enum {
	FAIL = 0,
	OK = 6,   /* between characters */
	ONE = 12, /* so many trail bytes are missing */
	TWO = 18,
	THREE = 24,
	E0 = 30,  /* behind that lead byte: its trail is restricted */
	ED = 36,
	F0 = 42,
	F4 = 48
};

#define TO(from, to) ((uint64_t)(to) << (from))

/* Rows of bytes: the trail bytes by what E0, ED, F0 and F4 allow. */
#define ASCII TO(OK, OK)
#define TRAIL (TO(ONE, OK) | TO(TWO, ONE) | TO(THREE, TWO))
#define TRAIL_80 (TRAIL | TO(ED, ONE) | TO(F4, TWO))
#define TRAIL_90 (TRAIL | TO(ED, ONE) | TO(F0, TWO))
#define TRAIL_A0 (TRAIL | TO(E0, ONE) | TO(F0, TWO))
#define LEAD(state) TO(OK, state)

#define TIMES4(x) x, x, x, x
#define TIMES16(x) TIMES4(x), TIMES4(x), TIMES4(x), TIMES4(x)
#define TIMES64(x) TIMES16(x), TIMES16(x), TIMES16(x), TIMES16(x)

static const uint64_t rows[256] = {
	TIMES64(ASCII),		/* 00 */
	TIMES64(ASCII),		/* 40 */
	TIMES16(TRAIL_80),	/* 80 */
	TIMES16(TRAIL_90),	/* 90 */
	TIMES16(TRAIL_A0),	/* A0 */
	TIMES16(TRAIL_A0),	/* B0 */
	FAIL, FAIL, LEAD(ONE), LEAD(ONE), TIMES4(LEAD(ONE)),	/* C0 */
	TIMES4(LEAD(ONE)), TIMES4(LEAD(ONE)),
	TIMES16(LEAD(ONE)),	/* D0 */
	LEAD(E0), LEAD(TWO), LEAD(TWO), LEAD(TWO),	/* E0 */
	TIMES4(LEAD(TWO)), TIMES4(LEAD(TWO)),
	LEAD(TWO), LEAD(ED), LEAD(TWO), LEAD(TWO),
	LEAD(F0), LEAD(THREE), LEAD(THREE), LEAD(THREE), /* F0 */
	LEAD(F4), FAIL, FAIL, FAIL, TIMES4(FAIL), TIMES4(FAIL)
};

static inline unsigned step(unsigned state, uint8_t byte)
{
	return (unsigned)(rows[byte] >> state) & 63;
}

/* The text is tested in blocks, which are four stretches. */
#define STRETCH 64
#define BLOCK (4 * STRETCH)

/* Whether 64 bytes are all ASCII. */
static inline bool ascii_64(const uint8_t *p)
{
	uint64_t w0 = mvfs__word_load_any(p) | mvfs__word_load_any(p + 8);
	uint64_t w1 = mvfs__word_load_any(p + 16) | mvfs__word_load_any(p + 24);
	uint64_t w2 = mvfs__word_load_any(p + 32) | mvfs__word_load_any(p + 40);
	uint64_t w3 = mvfs__word_load_any(p + 48) | mvfs__word_load_any(p + 56);

	return !mvfs__word_high((w0 | w1) | (w2 | w3));
}

size_t mvfs__portable_ascii(const uint8_t *bytes, size_t length)
{
	size_t i = 0;
	uint64_t high;

	while (length - i >= 64 && ascii_64(bytes + i))
		i += 64;
	for (; length - i >= 8; i += 8) {
		high = mvfs__word_high(mvfs__word_load(bytes + i));
		if (high)
			return i + mvfs__word_ascii(high);
	}
	while (i < length && bytes[i] < 0x80)
		i++;
	return i;
}

/* The last place <= `offset` where a character may begin. */
static size_t character_start(const uint8_t *bytes, size_t offset)
{
	unsigned back;

	for (back = 0; back < 3 && mvfs__utf8_is_trail(bytes[offset]); back++)
		offset--;
	return offset;
}

/*
 * The length of a block if it is all well-formed, else 0. It ends where a
 * character begins, up to 3 bytes before BLOCK; the byte there may be read.
 */
static size_t utf8_block(const uint8_t *p)
{
	size_t start[5] = { 0 }, i;
	unsigned s0 = OK, s1 = OK, s2 = OK, s3 = OK;
	unsigned state[4];
	const uint8_t *p1, *p2, *p3;

	for (i = 1; i < 5; i++)
		start[i] = character_start(p, i * STRETCH);
	assert(start[4] > BLOCK - 4 && start[4] <= BLOCK);
	p1 = p + start[1];
	p2 = p + start[2];
	p3 = p + start[3];
	/* the shortest stretch there can be */
	for (i = 0; i < STRETCH - 3; i++) {
		s0 = step(s0, p[i]);
		s1 = step(s1, p1[i]);
		s2 = step(s2, p2[i]);
		s3 = step(s3, p3[i]);
	}
	state[0] = s0;
	state[1] = s1;
	state[2] = s2;
	state[3] = s3;
	for (i = 0; i < 4; i++) {
		const uint8_t *q = p + start[i] + STRETCH - 3;

		while (q < p + start[i + 1])
			state[i] = step(state[i], *q++);
		if (state[i] != OK)
			return 0;
	}
	return start[4];
}

size_t mvfs__portable_utf8_from(const uint8_t *bytes, size_t length,
				size_t from)
{
	struct mvfs__flaw look;
	size_t i = from, back;

	for (back = 1; back <= 3 && back <= from; back++)
		if (!mvfs__utf8_is_trail(bytes[from - back])) {
			i = from - back;
			break;
		}
	while (i < length) {
		look = mvfs__utf8_look(bytes + i, length - i);
		if (look.kind != MVFS__NO_FLAW)
			break;
		i += look.length;
	}
	return i;
}

size_t mvfs__portable_utf8(const uint8_t *bytes, size_t length)
{
	unsigned state = OK;
	size_t i = 0, j, n;

	while (length - i > BLOCK) {
		if (!mvfs__word_high(mvfs__word_load_any(bytes + i)))
			i += mvfs__portable_ascii(bytes + i, length - i);
		if (length - i <= BLOCK)
			break;
		n = utf8_block(bytes + i);
		if (!n)
			return mvfs__portable_utf8_from(bytes, length, i);
		i += n;
	}
	for (j = i; j < length; j++)
		state = step(state, bytes[j]);
	if (state != OK)
		return mvfs__portable_utf8_from(bytes, length, i);
	return length;
}

size_t mvfs__portable_copy_ascii(uint8_t *to, const uint8_t *from,
				 size_t length)
{
	size_t i = 0;
	uint64_t high;

	for (; length - i >= 64 && ascii_64(from + i); i += 64)
		memcpy(to + i, from + i, 64);
	for (; length - i >= 8; i += 8) {
		high = mvfs__word_high(mvfs__word_load(from + i));
		memcpy(to + i, from + i, 8);
		if (high)
			return i + mvfs__word_ascii(high);
	}
	for (; i < length && from[i] < 0x80; i++)
		to[i] = from[i];
	return i;
}

size_t mvfs__portable_count_high(const uint8_t *bytes, size_t length)
{
	size_t i = 0, count = 0;
	uint64_t ones;

	for (; length - i >= 8; i += 8) {
		ones = mvfs__word_high(mvfs__word_load_any(bytes + i)) >> 7;
		/* the sum of the eight bytes, in the highest of them */
		count += (ones * UINT64_C(0x0101010101010101)) >> 56;
	}
	for (; i < length; i++)
		count += bytes[i] >> 7;
	return count;
}

/* The high bits of the bytes that are `c`, and of no others. */
static inline uint64_t bytes_that_are(uint64_t word, uint8_t c)
{
	uint64_t differ = word ^ MVFS__HIGH_BITS / 0x80 * c;

	/* no byte carries into the next */
	return ~(((differ & ~MVFS__HIGH_BITS) + ~MVFS__HIGH_BITS) | differ) &
	       MVFS__HIGH_BITS;
}

/* Each high bit comes to where the multiplication has none from others. */
static inline uint64_t gather_high(uint64_t high)
{
	return (high >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

void mvfs__portable_line_bits(const uint8_t *bytes, size_t length,
			      uint64_t *bits)
{
	uint64_t word, found;
	size_t i;

	memset(bits, 0, (length + 63) / 64 * sizeof(*bits));
	for (i = 0; length - i >= 8; i += 8) {
		word = mvfs__word_load(bytes + i);
		found = bytes_that_are(word, '\n') |
			bytes_that_are(word, '\r');
		if (found)
			bits[i / 64] |= gather_high(found) << i % 64;
	}
	for (; i < length; i++)
		if (bytes[i] == '\n' || bytes[i] == '\r')
			bits[i / 64] |= UINT64_C(1) << i % 64;
}

const struct mvfs__kernels mvfs__kernels_portable = {
	.name = "portable",
	.ascii = mvfs__portable_ascii,
	.utf8 = mvfs__portable_utf8,
	.copy_ascii = mvfs__portable_copy_ascii,
	.count_high = mvfs__portable_count_high,
	.swap = mvfs__portable_swap,
	.line_bits = mvfs__portable_line_bits,
	.latin1_decode = mvfs__portable_latin1_decode,
	.latin1_encode = mvfs__portable_latin1_encode,
	.gbk_decode = mvfs__portable_gbk_decode,
	.utf16le_decode = mvfs__portable_utf16le_decode,
	.utf16be_decode = mvfs__portable_utf16be_decode,
	.utf16le_length = mvfs__portable_utf16le_length,
	.utf16be_length = mvfs__portable_utf16be_length,
	.utf16le_encode = mvfs__portable_utf16le_encode,
	.utf16be_encode = mvfs__portable_utf16be_encode,
};
