/* SPDX-License-Identifier: MIT */
/* memvfs/text.h */
#include "config.h"

#include <memvfs/text.h>

#include <errno.h>

#include "api/args.h"
#include "vfs/content/lines.h"
#include "vfs/content/string.h"

static const struct mvfs_string *or_empty(const struct mvfs_string *string)
{
	return string ? string : &mvfs__string_empty;
}

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

int mvfs_string_compact(struct mvfs_string *string)
{
	return string ? mvfs__string_compact(string) : -EFAULT;
}

int mvfs_string_compare(const struct mvfs_string *a,
			const struct mvfs_string *b)
{
	return mvfs__string_compare(or_empty(a), or_empty(b));
}

int mvfs_string_equal(const struct mvfs_string *a, const struct mvfs_string *b)
{
	return mvfs__string_equal(or_empty(a), or_empty(b));
}

uint64_t mvfs_string_hash(const struct mvfs_string *string, uint64_t seed)
{
	return mvfs__string_hash(or_empty(string), seed);
}

int mvfs_string_next_line(struct mvfs_string *rest, struct mvfs_string *line)
{
	if (!rest || !line)
		return -EFAULT;
	return mvfs__string_next_line(rest, line);
}

int mvfs_string_next_part(struct mvfs_string *rest, const void *separator,
			  size_t len, struct mvfs_string *part)
{
	if (!rest || !separator || !part)
		return -EFAULT;
	if (!len)
		return -EINVAL;
	return mvfs__string_next_part(rest, separator, len, part);
}

int mvfs_string_lines(const struct mvfs_string *string, uint64_t first,
		      uint64_t count, struct mvfs_lines *lines)
{
	struct mvfs_string text;

	if (!string || !lines)
		return -EFAULT;
	text = mvfs__string_share(string);
	return mvfs__lines_of(&text, first, count, lines);
}

void mvfs_lines_release(struct mvfs_lines *lines)
{
	if (lines)
		mvfs__lines_release(lines);
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
