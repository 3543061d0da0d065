/* SPDX-License-Identifier: MIT */
/* What all charsets share: byte order marks, and what errors say. */
#include "config.h"

#include "vfs/text/charset.h"

#include <errno.h>
#include <string.h>

#include "vfs/base/error.h"

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

	assert(flaw.kind != MVFS__NO_FLAW && flaw.kind != MVFS__NO_ROOM);
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
