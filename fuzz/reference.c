/* SPDX-License-Identifier: MIT */
/*
 * iconv(3) as the reference: see reference.h.
 *
 * Agreed differences:
 *  - "UTF-16" without a BOM is in the machine's own byte order for glibc, and
 *    so is what it encodes; we follow RFC 2781, big-endian. Not compared.
 *  - For glibc a text whose last bytes are too few is truncated (EINVAL). We
 *    say so only if they could become a character: D8 3D 41 at the end of
 *    UTF-16BE is malformed. So what is truncated here is so there, but not
 *    the other way round.
 *  - From UTF-8 to UTF-8 glibc lets forms of five and six bytes pass, and what
 *    is above U+10FFFF. So there UTF-16 is what it is to make, and only where
 *    it stops is compared.
 *  - Tag characters, U+E0000 to U+E007F, are left out by glibc where a charset
 *    has none. Here nothing is ever left out. A text with them is not
 *    compared, where it is encoded.
 *  - Where glibc says only that it put something else for what a charset of
 *    its own does not have, a text is not compared.
 */
#include "config.h"

#include "fuzz/reference.h"

#include <errno.h>
#include <iconv.h>
#include <memvfs/charset.h>

const struct reference references[REFERENCES] = {
	{ "UTF-8", "UTF-8", .is_utf = true },
	{ "US-ASCII", "US-ASCII" },
	{ "ISO-8859-1", "ISO-8859-1" },
	{ "GBK", "GBK" },
	{ "UTF-16LE", "UTF-16LE", .is_utf = true },
	{ "UTF-16BE", "UTF-16BE", .is_utf = true },
	{ "UTF-16", NULL, .is_utf = true },
	{ "Shift_JIS", "SJIS", .foreign = true },
	{ "EUC-JP", "EUC-JP", .foreign = true },
	{ "EUC-KR", "EUC-KR", .foreign = true },
	{ "Big5", "BIG5", .foreign = true },
	{ "GB18030", "GB18030", .is_utf = true, .foreign = true },
	{ "KOI8-R", "KOI8-R", .foreign = true },
	{ "windows-1252", "CP1252", .foreign = true },
	{ "UTF-32LE", "UTF-32LE", .is_utf = true, .foreign = true },
	{ "ISO-2022-JP", "ISO-2022-JP", .foreign = true, .stateful = true },
	{ "TSCII", "TSCII", .foreign = true, .stateful = true },
};

static bool is_utf8(const struct reference *r)
{
	return strcmp(r->name, "UTF-8") == 0;
}

static iconv_t descriptor(const struct reference *r, bool encode)
{
	static iconv_t cds[REFERENCES][2];
	static bool opened[REFERENCES][2];
	size_t i = (size_t)(r - references);

	if (!opened[i][encode]) {
		if (is_utf8(r))
			cds[i][encode] = iconv_open("UTF-16LE", "UTF-8");
		else if (encode)
			cds[i][encode] = iconv_open(r->iconv, "UTF-8");
		else
			cds[i][encode] = iconv_open("UTF-8", r->iconv);
		opened[i][encode] = true;
	}
	return cds[i][encode];
}

static bool has_tags(const uint8_t *text, size_t length)
{
	size_t i;

	for (i = 0; i + 3 <= length; i++)
		if (!memcmp(text + i, "\xf3\xa0\x80", 3) ||
		    !memcmp(text + i, "\xf3\xa0\x81", 3))
			return true;
	return false;
}

bool reference_run(const struct reference *r, bool encode,
		   const uint8_t *text, size_t length, struct outcome *o)
{
	static uint8_t room[12 * FUZZ_MAX + 16];
	char *in = (char *)(uintptr_t)text, *out = (char *)room;
	size_t left = length, space = sizeof(room), n;
	iconv_t cd;

	if (!r->iconv || (encode && !r->is_utf && has_tags(text, length)))
		return false;
	cd = descriptor(r, encode);
	if (cd == (iconv_t)-1)
		return false;
	iconv(cd, NULL, NULL, NULL, NULL);
	n = iconv(cd, &in, &left, &out, &space);
	if (n == 0) /* the way back to the first state, too */
		n = iconv(cd, NULL, NULL, &out, &space);
	if (r->foreign && n != 0 && n != (size_t)-1)
		return false;
	hold(n == 0 || errno != E2BIG, "no room for what %s makes", r->name);
	/* nothing is left out or put by something like it */
	hold(n == 0 || n == (size_t)-1, "%zu", n);
	*o = (struct outcome){
		.well = n == 0,
		.truncated = n != 0 && errno == EINVAL,
		.offset = length - left,
		.made = sizeof(room) - space,
		.bytes = room,
	};
	if (is_utf8(r)) {
		memcpy(room, text, o->offset);
		o->made = o->offset;
	}
	return true;
}

void reference_check_error(const struct mvfs_error *e, size_t length)
{
	hold(e->code == -EILSEQ, "%d", e->code);
	hold(e->length >= 1 && e->length <= 4, "%ju", (uintmax_t)e->length);
	hold(e->offset + e->length <= length, "%ju of %zu",
	     (uintmax_t)e->offset, length);
	hold(e->reason != MVFS_REASON_NONE, "no reason");
	hold(e->reason != MVFS_REASON_TRUNCATED ||
	     e->offset + e->length == length, "truncated before the end");
	hold(memchr(e->message, 0, sizeof(e->message)) != NULL &&
	     e->message[0], "no message");
}

bool reference_input(const uint8_t *data, size_t size,
		     struct reference_input *in)
{
	struct fuzz_input bytes = { data, size < FUZZ_MAX ? size : FUZZ_MAX };

	in->r = &references[fuzz_byte(&bytes) % REFERENCES];
	in->cs = mvfs_charset(in->r->name);
	hold(in->cs || in->r->foreign, "%s", in->r->name);
	if (!in->cs)
		return false;
	/* of its own, so that a sanitizer sees who reads beyond it */
	in->length = bytes.left;
	in->text = malloc(bytes.left ? bytes.left : 1);
	hold(in->text != NULL, "%s", in->r->name);
	if (bytes.left)
		memcpy(in->text, bytes.at, bytes.left);
	return true;
}
