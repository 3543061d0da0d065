/* SPDX-License-Identifier: MIT */
/*
 * A clock that is set by hand. It is one of the instance's clocks, so that
 * whoever replaces it, or clones the instance, needs to know of none but
 * those. Its time is one number, which many threads may move on.
 */
#include "config.h"

#include <errno.h>

#include "vfs/fs/op.h"

enum { SECOND = 1000000000 };

struct mvfs_time mvfs__clock_tick(struct mvfs__clock *clock)
{
	int64_t now = atomic_load(&clock->time), next;
	struct mvfs_time time = { 0 };

	do /* at the end of time it stands still */
		if (__builtin_add_overflow(now, clock->tick, &next))
			next = INT64_MAX;
	while (!atomic_compare_exchange_weak(&clock->time, &now, next));
	time.sec = now / SECOND;
	time.nsec = (int32_t)(now % SECOND);
	if (time.nsec < 0) {
		time.sec--;
		time.nsec += SECOND;
	}
	return time;
}

int mvfs__fs_clock_manual(mvfs *view, int64_t start, int64_t tick)
{
	const struct mvfs__clock like = {
		.manual = true, .tick = tick, .time = start
	};
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STATFS);

	if (!rc)
		rc = mvfs__clock_put(op.fs, &like);
	return (int)mvfs__op_end(&op, rc);
}

/* The manual clock: -EINVAL, there is none. */
static int manual(struct mvfs__op *op, struct mvfs__clock **clock)
{
	*clock = atomic_load_explicit(&op->fs->clock, memory_order_acquire);
	return *clock && (*clock)->manual ? 0 : -EINVAL;
}

int mvfs__fs_clock_set(mvfs *view, int64_t time)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__clock *clock;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STATFS);

	if (!rc)
		rc = manual(&op, &clock);
	if (!rc)
		atomic_store(&clock->time, time);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_clock_advance(mvfs *view, int64_t by)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__clock *clock;
	struct mvfs__op op;
	int64_t now, next;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STATFS);

	if (!rc)
		rc = manual(&op, &clock);
	if (rc)
		return (int)mvfs__op_end(&op, rc);
	now = atomic_load(&clock->time);
	do
		if (__builtin_add_overflow(now, by, &next))
			return (int)mvfs__op_end(&op, -EINVAL);
	while (!atomic_compare_exchange_weak(&clock->time, &now, next));
	return (int)mvfs__op_end(&op, 0);
}
