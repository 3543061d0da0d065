/* SPDX-License-Identifier: MIT */
/*
 * The charsets by name, and what is said where one does not fit.
 *
 * Names are compared as Unicode's UTS #22 has it: letters and digits only,
 * case ignored, so that "utf8", "UTF-8" and "utf_8" are one name. Other
 * bytes than ASCII punctuation are not ignored: a name with them is unknown.
 */
#include "config.h"

#include "vfs/text/charset.h"

#include <errno.h>
#include <string.h>

#include "vfs/base/error.h"

static const struct mvfs_charset *const charsets[] = {
	&mvfs__charset_utf8,
	&mvfs__charset_ascii,
	&mvfs__charset_latin1,
	&mvfs__charset_gbk,
	&mvfs__charset_utf16le,
	&mvfs__charset_utf16be,
	&mvfs__charset_utf16,
};

/* The next byte that counts, in lower case; 0 at the end. */
static unsigned char next_folded(const char **name)
{
	unsigned char c;

	while ((c = (unsigned char)*(*name)) != 0) {
		++*name;
		if (c >= 'A' && c <= 'Z')
			return c | 0x20;
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		    c >= 0x80)
			return c;
	}
	return 0;
}

static bool same_name(const char *a, const char *b)
{
	unsigned char c, d;

	do {
		c = next_folded(&a);
		d = next_folded(&b);
	} while (c && c == d);
	return c == d;
}

static bool is_called(const struct mvfs_charset *cs, const char *name)
{
	const char *const *alias;

	if (same_name(cs->name, name))
		return true;
	for (alias = cs->aliases; *alias; alias++)
		if (same_name(*alias, name))
			return true;
	return false;
}

const struct mvfs_charset *mvfs__charset_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(charsets) / sizeof(*charsets); i++)
		if (is_called(charsets[i], name))
			return charsets[i];
	return NULL;
}

/* How long the BOM is, if the text begins with one. */
static size_t bom_of(const struct mvfs_charset *cs, const uint8_t *bytes,
		     size_t length)
{
	const struct mvfs__bom *bom = &cs->bom;

	return length >= bom->length &&
	       memcmp(bytes, bom->bytes, bom->length) == 0 ? bom->length : 0;
}

const struct mvfs_charset *mvfs__charset_begin(const struct mvfs_charset *cs,
					       const uint8_t *bytes,
					       size_t length, bool skipped,
					       size_t *bom)
{
	const struct mvfs_charset *const *order;

	*bom = 0;
	if (cs->orders) {
		for (order = cs->orders; *order; order++) {
			*bom = bom_of(*order, bytes, length);
			if (*bom)
				return *order;
		}
		return cs->orders[0];
	}
	if (skipped)
		*bom = bom_of(cs, bytes, length);
	return cs;
}

/* The offending bytes as "E4 BD". */
static void put_hex(char hex[3 * MVFS__FLAW_MAX], const uint8_t *bytes,
		    unsigned length)
{
	static const char digits[] = "0123456789ABCDEF";
	unsigned i;

	for (i = 0; i < length; i++) {
		*hex++ = digits[bytes[i] >> 4];
		*hex++ = digits[bytes[i] & 0xf];
		*hex++ = ' ';
	}
	hex[-1] = 0;
}

/* What is wrong with text in the charset of that name. */
static int say_text(struct mvfs_error *error, const char *name,
		    const uint8_t *bytes, size_t offset,
		    struct mvfs__flaw flaw, const char *hint)
{
	char hex[3 * MVFS__FLAW_MAX];

	put_hex(hex, bytes + offset, flaw.length);
	if (flaw.kind == MVFS__CUT_OFF)
		return mvfs__fail(error, -EILSEQ, offset, flaw.length,
				  "malformed %s at byte %zu: cut off at the "
				  "end, within a character: %s%s",
				  name, offset, hex, hint);
	if (flaw.kind == MVFS__MALFORMED)
		return mvfs__fail(error, -EILSEQ, offset, flaw.length,
				  "malformed %s at byte %zu: %s%s",
				  name, offset, hex, hint);
	return mvfs__fail(error, -EILSEQ, offset, flaw.length,
			  "unmappable at byte %zu: %s gives no character to "
			  "%s%s", offset, name, hex, hint);
}

int mvfs__flaw_fail(struct mvfs_error *error, const struct mvfs_charset *cs,
		    bool encode, const uint8_t *bytes, size_t offset,
		    struct mvfs__flaw flaw)
{
	static const int reasons[] = {
		[MVFS__MALFORMED] = MVFS_REASON_MALFORMED,
		[MVFS__CUT_OFF] = MVFS_REASON_TRUNCATED,
		[MVFS__UNMAPPABLE] = MVFS_REASON_UNMAPPABLE,
	};
	int ret;

	assert(flaw.kind != MVFS__NO_FLAW);
	assert(flaw.length >= 1 && flaw.length <= MVFS__FLAW_MAX);
	if (!error)
		return -EILSEQ;
	if (!encode)
		ret = say_text(error, cs->name, bytes, offset, flaw,
			       "; MVFS_REPLACE puts U+FFFD there");
	else if (flaw.kind != MVFS__UNMAPPABLE)
		/* what is malformed then is the UTF-8 */
		ret = say_text(error, mvfs__charset_utf8.name, bytes, offset,
			       flaw, "");
	else
		ret = mvfs__fail(error, -EILSEQ, offset, flaw.length,
				 "unmappable at byte %zu: %s has no U+%04X",
				 offset, cs->name, (unsigned)mvfs__utf8_decode(
					bytes + offset, flaw.length));
	error->reason = reasons[flaw.kind];
	return ret;
}
