/* SPDX-License-Identifier: MIT */
/* memvfs/diff.h */
#include "config.h"

#include <memvfs/diff.h>

#include "api/args.h"

enum { OPTIONS_MIN = MVFS__UP_TO(struct mvfs_diff_options, what) };

static int check(const mvfs *a, const mvfs *b,
		 const struct mvfs_diff_options *options, bool has_out)
{
	if (!a || !b)
		return -EINVAL;
	if (options && (options->size < OPTIONS_MIN ||
			options->what & ~MVFS_DIFF_ALL))
		return -EINVAL;
	return has_out ? 0 : -EFAULT;
}

static unsigned what_of(const struct mvfs_diff_options *options)
{
	return options && options->what ? options->what : MVFS_DIFF_DEFAULT;
}

int mvfs_diff(mvfs *a, mvfs *b, const struct mvfs_diff_options *options,
	      mvfs_diff_fn *fn, void *ctx)
{
	int rc = check(a, b, options, fn != NULL);

	return rc ? rc : mvfs__fs_diff(a, b, what_of(options), fn, ctx);
}

int mvfs_diff_text(mvfs *a, mvfs *b, const struct mvfs_diff_options *options,
		   struct mvfs_string *text)
{
	int rc = check(a, b, options, text != NULL);

	return rc ? rc : mvfs__fs_diff_text(a, b, what_of(options), text);
}
