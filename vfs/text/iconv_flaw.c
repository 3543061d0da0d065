/* SPDX-License-Identifier: MIT */
/*
 * What is wrong where iconv(3) refuses to go on: it tells the place, but not
 * the length, and not whether the bytes are malformed or just unmappable.
 *
 * The length is found by giving it one byte more each time: as long as it
 * asks for more the bytes could still become a character; n is the number
 * with which it refuses. Such calls consume nothing, so the state stays. (It
 * may ask for more where nothing could help any more, so of n - 1 bytes those
 * count that some byte can follow.)
 *
 *  - Units of 2 or 4 bytes: malformed, n bytes.
 *  - n is 1: malformed; but unmappable where each byte is a character of its
 *    own (windows-1252's 81), for there is no other form than that.
 *  - n is 2: if that byte can follow some first byte it is a pair without a
 *    character: unmappable, both. Otherwise the first alone is malformed: the
 *    other may be a line's end.
 *  - n is 3 or more: unmappable, n bytes, if the last one is 80 or above, else
 *    malformed without it.
 *  - In charsets with a state, of which nothing else can be tried without
 *    losing it: malformed without the last byte if that or the first one is a
 *    control character, else unmappable, n bytes.
 *
 * Where the text ends, the bytes are cut off if some byte behind them would
 * not be refused; if none is so, they were malformed before the end.
 */
#include "config.h"

#include "vfs/text/iconv.h"

#define SCRATCH 64

/* How iconv() ends with these bytes alone, whatever it makes of them. */
static enum mvfs__iconv_end try(iconv_t cd, const uint8_t *bytes,
				size_t length)
{
	const uint8_t *from = bytes;
	uint8_t scratch[SCRATCH], *to = scratch;

	return mvfs__iconv_step(cd, &from, bytes + length, &to,
				scratch + SCRATCH);
}

static void reset(iconv_t cd)
{
	iconv(cd, NULL, NULL, NULL, NULL);
}

/* Whether the byte is the second of any character; in the first state. */
static bool can_follow(struct mvfs__iconv *charset, iconv_t cd, uint8_t byte)
{
	uint8_t pair[2] = { 0, byte };
	enum mvfs__trail found = MVFS__TRAIL_NEVER;
	enum mvfs__trail known = atomic_load_explicit(&charset->trail[byte],
						      memory_order_relaxed);
	unsigned lead;

	if (known != MVFS__TRAIL_UNKNOWN)
		return known == MVFS__TRAIL_OF_SOME;
	for (lead = 0; lead < 256 && found == MVFS__TRAIL_NEVER; lead++) {
		if (!charset->lead[lead])
			continue;
		pair[0] = (uint8_t)lead;
		if (try(cd, pair, 2) != MVFS__ICONV_REFUSED)
			found = MVFS__TRAIL_OF_SOME;
		reset(cd);
	}
	/* several threads may come here, and find the same */
	atomic_store_explicit(&charset->trail[byte], (uint8_t)found,
			      memory_order_relaxed);
	return found == MVFS__TRAIL_OF_SOME;
}

static struct mvfs__flaw flaw(enum mvfs__flaw_kind kind, unsigned length)
{
	return (struct mvfs__flaw){ kind, length };
}

/* Whether some byte behind these would not be refused; in the first state. */
static bool can_go_on(iconv_t cd, const uint8_t *bytes, unsigned n)
{
	uint8_t longer[MVFS__FLAW_MAX + 1];
	enum mvfs__iconv_end end;
	unsigned byte;

	memcpy(longer, bytes, n);
	/* downwards: most trail bytes are high */
	for (byte = 256; byte-- > 0;) {
		longer[n] = (uint8_t)byte;
		end = try(cd, longer, n + 1);
		reset(cd);
		if (end != MVFS__ICONV_REFUSED)
			return true;
	}
	return false;
}

/* How many of the first bytes can still become a character; 1 or more. */
static unsigned could_become(const struct mvfs__iconv *charset, iconv_t cd,
			     const uint8_t *bytes, unsigned n)
{
	while (n > 1 && !can_go_on(cd, bytes, n))
		n--;
	return charset->lead[bytes[0]] ? n : 1;
}

/* Refused with the last of n bytes. */
static struct mvfs__flaw judge(struct mvfs__iconv *charset, iconv_t cd,
			       const uint8_t *bytes, unsigned n)
{
	uint8_t last = bytes[n - 1];

	if (charset->wide)
		return flaw(MVFS__MALFORMED, n);
	if (n == 1)
		return flaw(charset->single ? MVFS__UNMAPPABLE :
					      MVFS__MALFORMED, 1);
	if (charset->stateful)
		return bytes[0] >= 0x20 && last >= 0x20 ?
			flaw(MVFS__UNMAPPABLE, n) :
			flaw(MVFS__MALFORMED, n - 1);
	if (n == 2 ? can_follow(charset, cd, last) :
	    last >= 0x80 && could_become(charset, cd, bytes, n - 1) == n - 1)
		return flaw(MVFS__UNMAPPABLE, n);
	return flaw(MVFS__MALFORMED, could_become(charset, cd, bytes, n - 1));
}

struct mvfs__flaw mvfs__iconv_flaw(struct mvfs__convert *c)
{
	struct mvfs__iconv *charset = mvfs__iconv_of(c->session->cs);
	iconv_t cd = c->session->cd;
	const uint8_t *start = c->from;
	enum mvfs__iconv_end end;
	unsigned n = 0;

	assert(c->from < c->end);
	/* what it holds back comes before the flaw */
	if (!charset->stateful && !mvfs__iconv_flush(cd, &c->to, c->to_end))
		return flaw(MVFS__NO_ROOM, 0);
	do {
		n++;
		end = mvfs__iconv_step(cd, &c->from, start + n, &c->to,
				       c->to_end);
		if (end == MVFS__ICONV_NO_ROOM)
			return flaw(MVFS__NO_ROOM, 0);
		if (c->from != start)
			/* it went on for being asked again */
			return flaw(MVFS__NO_FLAW, 0);
	} while (end == MVFS__ICONV_INCOMPLETE && n < MVFS__FLAW_MAX &&
		 start + n < c->end);
	return judge(charset, cd, start, n);
}

struct mvfs__flaw mvfs__iconv_flaw_at_end(struct mvfs__convert *c)
{
	struct mvfs__iconv *charset = mvfs__iconv_of(c->session->cs);
	iconv_t cd = c->session->cd;
	size_t left = (size_t)(c->end - c->from);
	unsigned n = left < MVFS__FLAW_MAX ? (unsigned)left : MVFS__FLAW_MAX;
	unsigned good;

	assert(left > 0);
	if (charset->stateful || charset->wide)
		return flaw(MVFS__CUT_OFF, n);
	if (!mvfs__iconv_flush(cd, &c->to, c->to_end))
		return flaw(MVFS__NO_ROOM, 0);
	good = could_become(charset, cd, c->from, n);
	return flaw(good == n && charset->lead[c->from[0]] ? MVFS__CUT_OFF :
							     MVFS__MALFORMED,
		    good);
}
