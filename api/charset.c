/* SPDX-License-Identifier: MIT */
/* memvfs/charset.h */
#include "config.h"

#include <memvfs/charset.h>

#include "vfs/text/charset.h"

const struct mvfs_charset *mvfs_charset(const char *name)
{
	return name ? mvfs__charset_find(name) : NULL;
}

const char *mvfs_charset_name(const struct mvfs_charset *charset)
{
	return charset ? charset->name : mvfs__charset_utf8.name;
}

int mvfs_charset_is_ascii_compatible(const struct mvfs_charset *cs)
{
	return cs ? cs->ascii_compatible : mvfs__charset_utf8.ascii_compatible;
}

const char *mvfs_text_kernels(void)
{
	return mvfs__kernels()->name;
}
