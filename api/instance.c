/* SPDX-License-Identifier: MIT */
/* memvfs/instance.h */
#include "config.h"

#include <memvfs/instance.h>

#include "api/args.h"

enum {
	OPTIONS_MIN = MVFS__UP_TO(struct mvfs_options, clock_ctx),
	VIEW_OPTIONS_MIN = MVFS__UP_TO(struct mvfs_view_options, cwd)
};

int mvfs_create(const struct mvfs_options *options, mvfs **fs)
{
	const struct mvfs_options defaults = { .size = sizeof(defaults) };

	if (!options)
		options = &defaults;
	if (!fs)
		return -EFAULT;
	if (options->size < OPTIONS_MIN || options->root_mode & ~07777u ||
	    options->flags & ~(MVFS_CONFINED | MVFS_SEEDED))
		return -EINVAL;
	return mvfs__fs_create(options, fs);
}

int mvfs_clone(mvfs *fs, mvfs **clone)
{
	int rc = mvfs__check(fs, clone);

	return rc ? rc : mvfs__fs_clone(fs, clone);
}

int mvfs_view(mvfs *fs, const struct mvfs_view_options *options, mvfs **view)
{
	const struct mvfs_view_options defaults = { .size = sizeof(defaults) };
	int rc = mvfs__check(fs, view);

	if (rc)
		return rc;
	if (!options)
		options = &defaults;
	if (options->size < VIEW_OPTIONS_MIN ||
	    options->set & ~(MVFS_VIEW_CRED | MVFS_VIEW_UMASK))
		return -EINVAL;
	if (options->group_count > 65536)
		return -EINVAL;
	if (options->group_count && !options->groups)
		return -EFAULT;
	return mvfs__fs_view(fs, options, view);
}

int mvfs_destroy(mvfs *fs)
{
	return fs ? mvfs__fs_destroy(fs) : 0;
}

int mvfs_chdir(mvfs *fs, const char *path)
{
	const struct mvfs__at at = mvfs__at(MVFS_AT_FDCWD, path);
	int rc = mvfs__check(fs, path);

	return rc ? rc : mvfs__fs_chdir(fs, &at, MVFS__AT_FOLLOW);
}

int mvfs_fchdir(mvfs *fs, int fd)
{
	const struct mvfs__at at = mvfs__at(fd, "");
	int rc = mvfs__check(fs, at.path);

	if (!rc && fd < 0)
		rc = -EBADF;
	return rc ? rc : mvfs__fs_chdir(fs, &at, MVFS__AT_EMPTY);
}

uint32_t mvfs_umask(mvfs *fs, uint32_t mask)
{
	return fs ? mvfs__fs_umask(fs, mask) : 0;
}

int mvfs_set_limits(mvfs *fs, uint64_t max_bytes, uint64_t max_inodes)
{
	int rc = mvfs__check(fs, "");

	return rc ? rc : mvfs__fs_set_limits(fs, max_bytes, max_inodes);
}

int mvfs_set_clock(mvfs *fs, mvfs_clock_fn *clock, void *ctx)
{
	int rc = mvfs__check(fs, "");

	return rc ? rc : mvfs__fs_set_clock(fs, clock, ctx);
}

/* In nanoseconds: -EINVAL, -EFAULT. */
static int check_time(const struct mvfs_time *time, int64_t *nanoseconds)
{
	if (!time)
		return -EFAULT;
	if (time->nsec < 0 || time->nsec > 999999999 ||
	    __builtin_mul_overflow(time->sec, INT64_C(1000000000),
				   nanoseconds) ||
	    __builtin_add_overflow(*nanoseconds, time->nsec, nanoseconds))
		return -EINVAL;
	return 0;
}

int mvfs_clock_manual(mvfs *fs, const struct mvfs_time *start, int64_t tick)
{
	int64_t time;
	int rc = mvfs__check(fs, start);

	if (!rc)
		rc = tick < 0 ? -EINVAL : check_time(start, &time);
	return rc ? rc : mvfs__fs_clock_manual(fs, time, tick);
}

int mvfs_clock_set(mvfs *fs, const struct mvfs_time *to)
{
	int64_t time;
	int rc = mvfs__check(fs, to);

	if (!rc)
		rc = check_time(to, &time);
	return rc ? rc : mvfs__fs_clock_set(fs, time);
}

int mvfs_clock_advance(mvfs *fs, int64_t nanoseconds)
{
	return fs ? mvfs__fs_clock_advance(fs, nanoseconds) : -EINVAL;
}

const char *mvfs_version(void)
{
	return PACKAGE_VERSION;
}
