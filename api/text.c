/* SPDX-License-Identifier: MIT */
/* memvfs/text.h */
#include "config.h"

#include <memvfs/text.h>

#include <errno.h>

#include "api/args.h"
#include "vfs/content/string.h"

void mvfs_string_release(struct mvfs_string *string)
{
	if (string)
		mvfs__string_release(string);
}

struct mvfs_string mvfs_string_share(const struct mvfs_string *string)
{
	return string ? mvfs__string_share(string) : mvfs__string_empty;
}

struct mvfs_string mvfs_string_slice(const struct mvfs_string *string,
				     size_t start, size_t len)
{
	return string ? mvfs__string_slice(string, start, len) :
			mvfs__string_empty;
}

const char *mvfs_string_cstr(struct mvfs_string *string)
{
	return string ? mvfs__string_cstr(string) : NULL;
}

char *mvfs_string_steal(struct mvfs_string *string)
{
	return string ? mvfs__string_steal(string) : NULL;
}

int mvfs_string_copy(const void *bytes, size_t len, struct mvfs_string *string)
{
	if (!string || (!bytes && len))
		return -EFAULT;
	return mvfs__string_copy(bytes, len, string);
}

int mvfs_decode(const void *bytes, size_t len,
		const struct mvfs_charset *charset, unsigned flags,
		struct mvfs_string *string, struct mvfs_error *error)
{
	int ret = mvfs__check_text(bytes, len, flags, MVFS__DECODE_FLAGS,
				   string, error);

	if (ret)
		return ret;
	return mvfs__string_decode(bytes, len, charset, flags, string, error);
}

int mvfs_encode(const void *utf8, size_t len,
		const struct mvfs_charset *charset, unsigned flags,
		struct mvfs_string *bytes, struct mvfs_error *error)
{
	int ret = mvfs__check_text(utf8, len, flags, MVFS_REPLACE, bytes,
				   error);

	if (ret)
		return ret;
	return mvfs__string_encode_bytes(utf8, len, charset, flags, bytes,
					 error);
}
