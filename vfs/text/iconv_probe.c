/* SPDX-License-Identifier: MIT */
/*
 * What a charset of iconv(3) is like: nobody tells, so it is tried. This takes
 * some 20 us, once for each charset.
 */
#include "config.h"

#include "vfs/text/iconv.h"

#include "vfs/mem/mem.h"

#define SCRATCH 1024

/* Bytes that shift, escape or begin something in charsets with a state. */
static const uint8_t shifts[] = { 0x0e, 0x0f, 0x1b, '+', '~' };

/* What comes of some bytes, and of the end of the text. */
struct result {
	enum mvfs__iconv_end end;
	size_t at_once; /* bytes */
	size_t length;  /* with those that had been held back */
	uint8_t bytes[SCRATCH];
};

static void convert(iconv_t cd, const void *bytes, size_t length,
		    struct result *r)
{
	const uint8_t *from = bytes, *end = r->bytes + SCRATCH;
	uint8_t *to = r->bytes;

	r->end = mvfs__iconv_step(cd, &from, from + length, &to, end);
	r->at_once = (size_t)(to - r->bytes);
	if (r->end != MVFS__ICONV_ALL || !mvfs__iconv_flush(cd, &to, end))
		iconv(cd, NULL, NULL, NULL, NULL);
	r->length = (size_t)(to - r->bytes);
}

static bool became(const struct result *r, const void *bytes, size_t length)
{
	return r->end == MVFS__ICONV_ALL && r->length == length &&
	       memcmp(r->bytes, bytes, length) == 0;
}

/* Whether a byte that is no character alone can be followed by any other. */
static bool has_second(iconv_t decoder, uint8_t lead)
{
	uint8_t pair[2] = { lead, 0 };
	struct result r;
	unsigned i;

	/* downwards: most trail bytes are high */
	for (i = 256; i-- > 0;) {
		pair[1] = (uint8_t)i;
		convert(decoder, pair, 2, &r);
		if (r.end != MVFS__ICONV_REFUSED)
			return true;
	}
	return false;
}

/* Each byte alone. */
static void probe_bytes(struct mvfs__iconv *charset, iconv_t decoder)
{
	struct result r;
	unsigned i, leads = 0;
	uint8_t byte;

	/* two code points of three bytes come of a pair in some */
	charset->most = 3;
	for (i = 0; i < 256; i++) {
		byte = (uint8_t)i;
		convert(decoder, &byte, 1, &r);
		charset->lead[i] = r.end == MVFS__ICONV_INCOMPLETE;
		leads += charset->lead[i];
		if (r.length > charset->most)
			charset->most = (unsigned)r.length;
	}
	charset->wide = leads == 256;
	charset->single = leads == 0;
	for (i = 0; i < 256 && !charset->wide; i++)
		if (charset->lead[i])
			charset->lead[i] = has_second(decoder, (uint8_t)i);
	for (i = 0; i < sizeof(shifts) && !charset->wide; i++) {
		convert(decoder, &shifts[i], 1, &r);
		if (r.end != MVFS__ICONV_ALL || !r.length)
			charset->stateful = true;
	}
}

/* Each alone and all in a row, both ways; *at_once: nothing is held back. */
static bool is_ascii_compatible(iconv_t decoder, iconv_t encoder,
				bool *at_once)
{
	uint8_t ascii[128];
	struct result r;
	unsigned i;

	*at_once = true;
	for (i = 0; i < 128; i++) {
		ascii[i] = (uint8_t)i;
		convert(decoder, &ascii[i], 1, &r);
		*at_once = *at_once && r.at_once == 1;
		if (!became(&r, &ascii[i], 1))
			return false;
		convert(encoder, &ascii[i], 1, &r);
		*at_once = *at_once && r.at_once == 1;
		if (!became(&r, &ascii[i], 1))
			return false;
	}
	convert(decoder, ascii, 128, &r);
	if (!became(&r, ascii, 128))
		return false;
	convert(encoder, ascii, 128, &r);
	return became(&r, ascii, 128);
}

/* Whether a character of Unicode comes back. */
static bool has(const char *utf8, iconv_t decoder, iconv_t encoder)
{
	struct result r, back;

	convert(encoder, utf8, strlen(utf8), &r);
	if (r.end != MVFS__ICONV_ALL || !r.length)
		return false;
	convert(decoder, r.bytes, r.length, &back);
	return became(&back, utf8, strlen(utf8));
}

/* U+FEFF, unless encoding begins with one of its own. */
static void probe_bom(struct mvfs_charset *cs, iconv_t decoder,
		      iconv_t encoder)
{
	static const char bom[] = "\xef\xbb\xbf";
	struct result r;

	if (!has(bom, decoder, encoder))
		return;
	convert(encoder, bom, 3, &r);
	if (r.length > sizeof(cs->bom.bytes))
		return;
	memcpy(cs->bom.bytes, r.bytes, r.length);
	cs->bom.length = (uint8_t)r.length;
}

/* Whether two digits are less than two times one. */
static bool is_marked(iconv_t encoder)
{
	struct result one, two;

	convert(encoder, "1", 1, &one);
	convert(encoder, "11", 2, &two);
	return two.length < 2 * one.length;
}

/* What stands for what the charset does not have, itself something it has. */
static const char *probe_replacement(iconv_t encoder)
{
	static const char *const texts[] = { MVFS__FFFD, "?", ".", " ", "0" };
	struct result r;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		convert(encoder, texts[i], strlen(texts[i]), &r);
		if (r.end == MVFS__ICONV_ALL && r.length)
			return texts[i];
	}
	return NULL;
}

/*
 * Rooms: what is usual. Where that is not enough the conversion says so, and
 * is given more.
 */
static size_t times(size_t length, size_t factor)
{
	size_t room;

	return mvfs__mul_overflow(length, factor, &room) ? SIZE_MAX : room;
}

static size_t high_once(const uint8_t *from, size_t length)
{
	size_t room, high = mvfs__kernels()->count_high(from, length);

	return mvfs__add_overflow(length, high, &room) ? SIZE_MAX : room;
}

static size_t high_twice(const uint8_t *from, size_t length)
{
	size_t room, high = mvfs__kernels()->count_high(from, length);

	return mvfs__add_overflow(length, times(high, 2), &room) ? SIZE_MAX :
								   room;
}

static size_t same(const uint8_t *from, size_t length)
{
	(void)from;
	return length;
}

static size_t twice(const uint8_t *from, size_t length)
{
	(void)from;
	return times(length, 2);
}

static size_t four_times(const uint8_t *from, size_t length)
{
	(void)from;
	return times(length, 4);
}

static void choose_rooms(struct mvfs__iconv *charset)
{
	struct mvfs_charset *cs = &charset->cs;

	charset->most_back = charset->stateful ? 8 : 4;
	if (cs->ascii_compatible) {
		cs->room_decode = charset->single ? high_twice : high_once;
		cs->room_encode = charset->single ? same : high_once;
	} else {
		cs->room_decode = twice;
		cs->room_encode = charset->wide ? four_times : twice;
	}
}

/*
 * False: it is like no charset that there is; or nothing of it could stand for
 * what it does not have.
 */
static bool probe(struct mvfs__iconv *charset, iconv_t decoder,
		  iconv_t encoder)
{
	struct mvfs_charset *cs = &charset->cs;
	bool at_once;

	probe_bytes(charset, decoder);
	cs->ascii_compatible = is_ascii_compatible(decoder, encoder, &at_once);
	charset->moves_ascii = cs->ascii_compatible && at_once &&
			       !charset->stateful;
	charset->has_tags = has("\xf3\xa0\x81\x81", decoder, encoder);
	probe_bom(cs, decoder, encoder);
	cs->marked = is_marked(encoder);
	cs->replacement = probe_replacement(encoder);
	choose_rooms(charset);
	return cs->replacement && charset->most <= MVFS__ICONV_MOST;
}

/* A name in capitals, as they are in lists of charsets. */
static void put_capitals(char *to, const char *name)
{
	do {
		*to++ = *name >= 'a' && *name <= 'z' ? (char)(*name - 0x20) :
						       *name;
	} while (*name++);
}

static struct mvfs__iconv *new_charset(const char *name, const char *spelling)
{
	static const char *const no_aliases[] = { NULL };
	size_t room = strlen(spelling) + 1;
	struct mvfs__iconv *charset = mvfs__malloc(
		sizeof(*charset) + room + strlen(name ? name : spelling) + 1);

	if (!charset)
		return NULL;
	memset(charset, 0, sizeof(*charset));
	memcpy(charset->spelling, spelling, room);
	if (name)
		memcpy(charset->spelling + room, name, strlen(name) + 1);
	else
		put_capitals(charset->spelling + room, spelling);
	charset->cs.name = charset->spelling + room;
	charset->cs.aliases = no_aliases;
	charset->cs.decode = mvfs__iconv_decode;
	charset->cs.encode = mvfs__iconv_encode;
	charset->cs.begin = mvfs__iconv_begin;
	charset->cs.end = mvfs__iconv_end;
	return charset;
}

struct mvfs__iconv *mvfs__iconv_make(const char *name,
				     const char *const *spellings)
{
	iconv_t decoder = (iconv_t)-1, encoder = (iconv_t)-1;
	struct mvfs__iconv *charset = NULL;

	for (; *spellings; spellings++) {
		decoder = iconv_open("UTF-8", *spellings);
		if (decoder == (iconv_t)-1)
			continue;
		encoder = iconv_open(*spellings, "UTF-8");
		if (encoder != (iconv_t)-1)
			break;
		iconv_close(decoder);
	}
	if (!*spellings)
		return NULL;
	charset = new_charset(name, *spellings);
	if (!charset)
		goto out;
	if (!probe(charset, decoder, encoder)) {
		mvfs__free(charset);
		charset = NULL;
		goto out;
	}
	charset->anchor = decoder;
	decoder = (iconv_t)-1;
out:
	if (decoder != (iconv_t)-1)
		iconv_close(decoder);
	iconv_close(encoder);
	return charset;
}
