/* SPDX-License-Identifier: MIT */
/* UTF-8 to UTF-8: what is left to do where a text has flaws. */
#include "config.h"

#include "vfs/text/charset.h"

#include <string.h>

#include "vfs/text/kernels.h"

static size_t room(const uint8_t *from, size_t length)
{
	(void)from;
	return length;
}

static struct mvfs__flaw convert(struct mvfs__convert *c)
{
	size_t left = (size_t)(c->end - c->from);
	size_t valid = mvfs__kernels()->utf8(c->from, left);

	memcpy(c->to, c->from, valid);
	c->to += valid;
	c->from += valid;
	if (valid == left)
		return (struct mvfs__flaw){ MVFS__NO_FLAW, 0 };
	return mvfs__utf8_look(c->from, left - valid);
}

/* IANA: MIB 106 */
static const char *const aliases[] = { "csUTF8", NULL };

const struct mvfs_charset mvfs__charset_utf8 = {
	.name = "UTF-8",
	.aliases = aliases,
	.ascii_compatible = true,
	.room_decode = room,
	.decode = convert,
	.room_encode = room,
	.encode = convert,
	.replacement = MVFS__FFFD,
	.bom = { { 0xef, 0xbb, 0xbf }, 3 },
};
