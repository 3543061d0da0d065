/* SPDX-License-Identifier: MIT */
/*
 * Conversions by the C library's iconv(3).
 *
 * A descriptor is opened for each conversion: that takes 0.3 us where the
 * module is loaded, which the charset sees to. Keeping descriptors was
 * rejected: they have a state, so each thread would need its own, and threads
 * end.
 *
 * iconv() is not trusted with everything:
 *  - It makes ill-formed UTF-8 of some input (glibc's UCS-4 beyond U+10FFFF),
 *    so what it made is looked at; and it takes some, so it is given none.
 *  - glibc leaves out tag characters (U+E0000 to U+E007F) that a charset does
 *    not have, and says nothing. Where one does not come back when the charset
 *    is made, it is not given any.
 *  - glibc, told to go on after it ran out of room, makes something else of
 *    charsets in which it holds characters back (TSCII). So each call is given
 *    only what there is room for whatever comes of it.
 *  - Others put something else in place of what a charset does not have, and
 *    say only that they did. Then the place is searched one by one.
 *
 * Runs of ASCII within other text are moved by our own kernel if the charset
 * allows it, for iconv() takes some ns for each byte. Whether a run begins
 * between two characters is not to be seen from outside (the trail bytes of
 * some charsets are below 0x80), so iconv() is given the first few bytes of
 * the run too: if it makes the same of the last ones, it is between two
 * characters there, in its first state, and the rest of the run is ASCII.
 */
#include "config.h"

#include "vfs/text/iconv.h"

#include <errno.h>

#include "vfs/text/kernels.h"

/* ASCII runs from this length on are moved past iconv(). */
#define RUN 48

/* Bytes of it that iconv() is given, and how many must come out the same. */
#define SYNC 8
#define SAME 4

static const struct mvfs__flaw no_flaw = { MVFS__NO_FLAW, 0 };
static const struct mvfs__flaw no_room = { MVFS__NO_ROOM, 0 };

enum mvfs__iconv_end mvfs__iconv_step(iconv_t cd, const uint8_t **from,
				      const uint8_t *stop, uint8_t **to,
				      const uint8_t *to_end)
{
	char *in = (char *)(uintptr_t)*from, *out = (char *)*to;
	size_t left = (size_t)(stop - *from), room = (size_t)(to_end - *to);
	size_t ret = iconv(cd, &in, &left, &out, &room);

	*from = (const uint8_t *)in;
	*to = (uint8_t *)out;
	if (ret != (size_t)-1)
		return left ? MVFS__ICONV_REFUSED :
		       ret ? MVFS__ICONV_CHANGED : MVFS__ICONV_ALL;
	return errno == E2BIG ? MVFS__ICONV_NO_ROOM :
	       errno == EINVAL ? MVFS__ICONV_INCOMPLETE : MVFS__ICONV_REFUSED;
}

bool mvfs__iconv_flush(iconv_t cd, uint8_t **to, const uint8_t *to_end)
{
	char *out = (char *)*to;
	size_t room = (size_t)(to_end - *to);
	size_t ret = iconv(cd, NULL, NULL, &out, &room);

	*to = (uint8_t *)out;
	return ret != (size_t)-1;
}

static enum mvfs__iconv_end step(struct mvfs__convert *c, const uint8_t *stop)
{
	return mvfs__iconv_step(c->session->cd, &c->from, stop, &c->to,
				c->to_end);
}

static bool flush(struct mvfs__convert *c)
{
	return mvfs__iconv_flush(c->session->cd, &c->to, c->to_end);
}


/* ASCII up to `stop`, as far as there is room. */
static void move_ascii(struct mvfs__convert *c, const uint8_t *stop)
{
	size_t n = (size_t)(stop - c->from);

	if (n > (size_t)(c->to_end - c->to))
		n = (size_t)(c->to_end - c->to);
	n = mvfs__kernels()->copy_ascii(c->to, c->from, n);
	c->from += n;
	c->to += n;
}

/* How far there is room, with that of one character more; NULL: too little. */
static const uint8_t *limit(const struct mvfs__convert *c, const uint8_t *end,
			    unsigned most)
{
	size_t room = (size_t)(c->to_end - c->to);
	size_t left = (size_t)(end - c->from), stride;

	if (room < MVFS__ICONV_ROOM_OF_ONE)
		return NULL;
	stride = (room - MVFS__ICONV_ROOM_OF_ONE) / most;
	if (stride >= left)
		return end;
	return stride >= MVFS__ICONV_STRIDE ? c->from + stride : NULL;
}

static bool all_ascii_16(const uint8_t *p)
{
	return !((mvfs__load64(p) | mvfs__load64(p + 8)) &
		 UINT64_C(0x8080808080808080));
}

/*
 * Where iconv() is to stop: a few bytes within the next long run of ASCII, or
 * at the end.
 */
static const uint8_t *next_stop(const uint8_t *from, const uint8_t *end)
{
	const uint8_t *p = from, *run, *stop;

	while (end - p >= RUN) {
		if (!all_ascii_16(p)) {
			p += 16;
			continue;
		}
		for (run = p; run > from && run[-1] < 0x80; run--)
			continue;
		stop = p + mvfs__kernels()->ascii(p, (size_t)(end - p));
		if (stop - run >= RUN)
			return run + SYNC;
		p = stop;
	}
	return end;
}

/* Whether what was read up to `stop` ends in ASCII that came out the same. */
static bool in_step(const struct mvfs__convert *c, const uint8_t *from,
		    const uint8_t *to, const uint8_t *stop)
{
	return c->from == stop && stop - from >= SAME && c->to - to >= SAME &&
	       mvfs__kernels()->ascii(stop - SAME, SAME) == SAME &&
	       memcmp(c->to - SAME, stop - SAME, SAME) == 0;
}

/*
 * iconv() made ill-formed UTF-8 of what began at `from` and `to`: again, with
 * just the room for what was well-formed, so that it stops at the character.
 */
static struct mvfs__flaw ill_formed(struct mvfs__convert *c,
				    const uint8_t *from, uint8_t *to,
				    size_t valid)
{
	iconv_t cd = c->session->cd;
	const uint8_t *p, *end = to + valid;
	uint8_t scratch[MVFS__ICONV_ROOM_OF_ONE], *q;
	unsigned length = 0;

	iconv(cd, NULL, NULL, NULL, NULL);
	c->from = from;
	c->to = to;
	(void)mvfs__iconv_step(cd, &c->from, c->end, &c->to, end);
	/* all that it takes to come out again */
	do {
		p = c->from;
		q = scratch;
		length++;
	} while (c->from + length < c->end && length < MVFS__FLAW_MAX &&
		 mvfs__iconv_step(cd, &p, c->from + length, &q,
				  scratch + MVFS__ICONV_ROOM_OF_ONE) ==
		 MVFS__ICONV_INCOMPLETE);
	iconv(cd, NULL, NULL, NULL, NULL);
	return (struct mvfs__flaw){ MVFS__MALFORMED, length };
}

struct mvfs__flaw mvfs__iconv_decode(struct mvfs__convert *c)
{
	struct mvfs__session *s = c->session;
	const struct mvfs__iconv *charset = mvfs__iconv_of(s->cs);
	enum mvfs__iconv_end end;
	struct mvfs__flaw flaw;
	const uint8_t *from, *stop;
	size_t made, valid;
	uint8_t *to;

	for (;;) {
		if (charset->moves_ascii && s->in_step)
			move_ascii(c, c->end);
		stop = limit(c, c->end, charset->most);
		if (!stop)
			return no_room;
		if (c->from == c->end)
			return flush(c) ? no_flaw : no_room;
		from = c->from;
		to = c->to;
		if (charset->moves_ascii)
			stop = next_stop(from, stop);
		end = step(c, stop);
		made = (size_t)(c->to - to);
		valid = mvfs__kernels()->utf8(to, made);
		if (valid < made)
			return ill_formed(c, from, to, valid);
		s->in_step = in_step(c, from, to, stop);
		if (end == MVFS__ICONV_NO_ROOM)
			return no_room;
		if (end == MVFS__ICONV_INCOMPLETE && stop == c->end) {
			flaw = mvfs__iconv_flaw_at_end(c);
		} else if (end == MVFS__ICONV_REFUSED) {
			flaw = mvfs__iconv_flaw(c);
		} else {
			continue;
		}
		if (flaw.kind == MVFS__NO_FLAW)
			continue;
		/* behind a flaw a character begins */
		s->in_step = !charset->stateful;
		return flaw;
	}
}

static struct mvfs__flaw unmappable(const struct mvfs__convert *c)
{
	struct mvfs__flaw look = mvfs__utf8_look(c->from,
						 (size_t)(c->end - c->from));

	assert(look.kind == MVFS__NO_FLAW);
	look.kind = MVFS__UNMAPPABLE;
	return look;
}

/* One character, which must not be changed. */
static struct mvfs__flaw encode_one(struct mvfs__convert *c)
{
	struct mvfs__flaw flaw = unmappable(c);
	const uint8_t *from;
	uint8_t *to;

	if (!flush(c))
		return no_room;
	from = c->from;
	to = c->to;
	if (step(c, from + flaw.length) == MVFS__ICONV_ALL)
		return no_flaw;
	iconv(c->session->cd, NULL, NULL, NULL, NULL);
	c->from = from;
	c->to = to;
	return flaw;
}

static bool is_tag(const uint8_t *p)
{
	return p[0] == 0xf3 && p[1] == 0xa0 && (p[2] & 0xfe) == 0x80;
}

/* The next tag character (F3 A0 80 80 to F3 A0 81 BF), or the end. */
static const uint8_t *next_tag(const uint8_t *from, const uint8_t *end)
{
	const uint8_t *p = from;

	while (end - p >= 4 && (p = memchr(p, 0xf3, (size_t)(end - p) - 3))) {
		if (is_tag(p))
			return p;
		p++;
	}
	return end;
}

/* Well-formed UTF-8 up to `stop`, which is at a character. */
static struct mvfs__flaw encode_stretch(struct mvfs__convert *c,
					const uint8_t *stop)
{
	struct mvfs__session *s = c->session;
	const uint8_t *from = c->from;
	uint8_t *to = c->to;
	enum mvfs__iconv_end end = step(c, stop);

	s->in_step = in_step(c, from, to, stop);
	if (end == MVFS__ICONV_ALL)
		return no_flaw;
	if (end == MVFS__ICONV_NO_ROOM)
		return no_room;
	if (end == MVFS__ICONV_CHANGED) {
		/* not where: all of it again, one by one */
		iconv(s->cd, NULL, NULL, NULL, NULL);
		c->from = from;
		c->to = to;
		s->singly = stop;
		return no_flaw;
	}
	if (!flush(c))
		return no_room;
	return unmappable(c);
}

/* What iconv() is to be given next, of well-formed UTF-8. */
static struct mvfs__flaw encode_some(struct mvfs__convert *c)
{
	struct mvfs__session *s = c->session;
	const struct mvfs__iconv *charset = mvfs__iconv_of(s->cs);
	const uint8_t *stop;

	if (charset->moves_ascii) {
		if (s->in_step)
			move_ascii(c, s->valid);
		if (c->from == s->valid)
			return no_flaw;
	}
	stop = limit(c, s->valid, charset->most_back);
	if (!stop)
		return no_room;
	if (charset->moves_ascii)
		stop = next_stop(c->from, stop);
	if (c->from < s->singly)
		return encode_one(c);
	/* from one character to another */
	while (stop < s->valid && mvfs__utf8_is_trail(*stop))
		stop--;
	if (charset->has_tags)
		return encode_stretch(c, stop);
	stop = next_tag(c->from, stop);
	if (stop == c->from)
		return flush(c) ? unmappable(c) : no_room;
	return encode_stretch(c, stop);
}

struct mvfs__flaw mvfs__iconv_encode(struct mvfs__convert *c)
{
	struct mvfs__session *s = c->session;
	struct mvfs__flaw flaw;

	while (c->from < c->end) {
		if (!s->valid || s->valid < c->from) {
			s->valid = c->from + mvfs__kernels()->utf8(
				c->from, (size_t)(c->end - c->from));
			s->singly = c->from;
		}
		if (c->from == s->valid) {
			if (!limit(c, c->from, 1) || !flush(c))
				return no_room;
			s->in_step = true;
			return mvfs__utf8_look(c->from,
					       (size_t)(c->end - c->from));
		}
		flaw = encode_some(c);
		if (flaw.kind != MVFS__NO_FLAW) {
			s->in_step |= flaw.kind != MVFS__NO_ROOM;
			return flaw;
		}
	}
	return limit(c, c->end, 1) && flush(c) ? no_flaw : no_room;
}

int mvfs__iconv_begin(struct mvfs__session *s, const struct mvfs_charset *cs,
		      bool encode)
{
	iconv_t cd = mvfs__iconv_open(mvfs__iconv_of(cs)->spelling, encode);

	if (cd == (iconv_t)-1)
		return errno == EMFILE || errno == ENFILE ? -errno : -ENOMEM;
	*s = (struct mvfs__session){ .cs = cs, .cd = cd, .in_step = true };
	return 0;
}

void mvfs__iconv_end(struct mvfs__session *s)
{
	mvfs__iconv_close(s->cd);
}
