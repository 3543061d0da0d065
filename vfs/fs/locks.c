/* SPDX-License-Identifier: MIT */
/*
 * Advisory locks of a call: whose, which range, and waiting.
 *
 * Who waits sleeps until some lock of the instance has been released, then
 * tries again. Before it sleeps, the chain of who waits for whom is followed
 * to see whether it leads back: for POSIX owners that is -EDEADLK. Open files
 * are in no such chain, as on Linux: theirs may go round.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "vfs/fs/op.h"

/* What a call wants. */
struct wanted {
	const struct mvfs__on *on;
	struct mvfs__range_lock lock;
	const struct mvfs_lock *record; /* NULL: flock */
	bool wait;
};

static int record_type(int type, enum mvfs__lock_type *out)
{
	switch (type) {
	case F_RDLCK:
		*out = MVFS__READ_LOCK;
		return 0;
	case F_WRLCK:
		*out = MVFS__WRITE_LOCK;
		return 0;
	case F_UNLCK:
		*out = MVFS__UNLOCK;
		return 0;
	default:
		return -EINVAL;
	}
}

/* The range and type that fcntl(2) means. */
static int record_of(const struct mvfs_lock *record,
		    const struct mvfs_file *file,
		    const struct mvfs__node *node, struct mvfs__range_lock *l)
{
	struct mvfs_stat st;
	int64_t start, end;

	switch (record->whence) {
	case SEEK_SET:
		start = 0;
		break;
	case SEEK_CUR:
		start = (int64_t)file->offset;
		break;
	case SEEK_END:
		mvfs__node_stat(node, &st);
		start = (int64_t)st.size;
		break;
	default:
		return -EINVAL;
	}
	if (__builtin_add_overflow(start, record->start, &start))
		return -EOVERFLOW;
	if (start < 0)
		return -EINVAL;
	l->start = (uint64_t)start;
	l->end = UINT64_MAX;
	if (record->len > 0) {
		if (__builtin_add_overflow(start, record->len - 1, &end))
			return -EOVERFLOW;
		l->end = (uint64_t)end;
	} else if (record->len < 0) {
		if (start + record->len < 0)
			return -EINVAL;
		l->end = (uint64_t)start - 1;
		l->start = (uint64_t)(start + record->len);
	}
	if (l->end == (uint64_t)INT64_MAX)
		l->end = UINT64_MAX;
	return record_type(record->type, &l->type);
}

static bool allows(const struct mvfs_file *file,
		   const struct mvfs__range_lock *lock)
{
	if (lock->type == MVFS__UNLOCK)
		return true;
	if (lock->space == MVFS__FLOCK)
		return mvfs__file_readable(file) || mvfs__file_writable(file);
	return lock->type == MVFS__READ_LOCK ? mvfs__file_readable(file) :
					       mvfs__file_writable(file);
}

/* Locked: fills in what depends on the file. */
static int resolve(struct mvfs__op *op, struct wanted *w, bool to_set,
		   struct mvfs__hold **hold)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	int rc = mvfs__op_file(op, w->on, &file, &node);

	if (rc)
		return rc;
	if (file->flags & O_PATH)
		return -EBADF;
	/* closed while we waited, and the number is another file's now */
	if (w->lock.via && w->lock.via != file->serial)
		return -EBADF;
	w->lock.via = file->serial;
	w->lock.place = op->self->here;
	if (w->lock.kind == MVFS__OF_FILE)
		w->lock.owner = file->serial;
	else if (w->lock.kind == MVFS__OF_VIEW)
		w->lock.owner = op->view->serial;
	*hold = mvfs__table_hold_get(&op->fs->table, file->ino);
	assert(*hold);
	w->lock.start = 0;
	w->lock.end = UINT64_MAX;
	/* F_GETLK refuses other types before it looks at the range */
	if (!to_set && w->record->type != F_RDLCK &&
	    w->record->type != F_WRLCK)
		return -EINVAL;
	rc = w->record ? record_of(w->record, file, node, &w->lock) : 0;
	if (!rc && to_set && !allows(file, &w->lock))
		rc = -EBADF;
	return rc;
}

/* The view that keeps this one waiting, or 0. */
static uint64_t blocker_of(const struct mvfs__fs *fs, uint64_t owner)
{
	const struct mvfs__waiter *waiter = fs->waiters;

	while (waiter && waiter->owner != owner)
		waiter = waiter->next;
	return waiter ? waiter->blocked_by : 0;
}

/*
 * Whether waiting would be waiting for oneself. A chain that is longer than
 * there are waiters goes round among others: threads of a view may wait for
 * several.
 */
static bool deadlocks(const struct mvfs__fs *fs,
		      const struct mvfs__waiter *self)
{
	const struct mvfs__waiter *waiter;
	uint64_t owner = self->blocked_by;

	if (!self->owner)
		return false;
	for (waiter = fs->waiters; waiter; waiter = waiter->next)
		if (owner && owner != self->owner)
			owner = blocker_of(fs, owner);
	return owner == self->owner;
}

/* The view that a lock belongs to; 0: it is no POSIX lock. */
static uint64_t posix_owner(const struct mvfs__range_lock *lock)
{
	return lock->kind == MVFS__OF_VIEW ? lock->owner : 0;
}

static void wake_all(struct mvfs__fs *fs)
{
	pthread_mutex_lock(&fs->wake_mutex);
	fs->released++;
	pthread_cond_broadcast(&fs->wake);
	pthread_mutex_unlock(&fs->wake_mutex);
}

void mvfs__fs_wake(struct mvfs__fs *fs)
{
	/* whom they waited for, they find out anew */
	fs->waiters = NULL;
	wake_all(fs);
}

/* -EAGAIN with *blocker: whose lock is in the way. */
static int try_lock(struct mvfs__op *op, struct wanted *w,
		    const struct mvfs__range_lock **blocker)
{
	struct mvfs__hold *hold;
	bool changed;
	int rc = resolve(op, w, true, &hold);

	if (rc)
		return rc;
	*blocker = mvfs__lock_conflict(hold->locks, &w->lock);
	if (*blocker) {
		/* as flock(2) warns, what cannot be converted is let go */
		if (w->lock.space == MVFS__FLOCK &&
		    mvfs__lock_drop_owner(&hold->locks, MVFS__FLOCK,
					  MVFS__OF_FILE, w->lock.owner))
			mvfs__fs_wake(op->fs);
		return -EAGAIN;
	}
	rc = mvfs__lock_set(&hold->locks, &w->lock, &changed);
	if (changed)
		mvfs__fs_wake(op->fs);
	return rc;
}

static uint64_t released(struct mvfs__fs *fs)
{
	uint64_t count;

	pthread_mutex_lock(&fs->wake_mutex);
	count = fs->released;
	pthread_mutex_unlock(&fs->wake_mutex);
	return count;
}

static void forget_waiter(struct mvfs__op *op, struct mvfs__waiter *waiter)
{
	struct mvfs__waiter **at = &op->fs->waiters;

	while (*at && *at != waiter)
		at = &(*at)->next;
	if (*at)
		*at = waiter->next;
}

/* One try under the lock, with the deadlock check if it is to wait. */
static int attempt(struct mvfs__op *op, struct wanted *w,
		   struct mvfs__waiter *waiter)
{
	const struct mvfs__range_lock *blocker = NULL;
	int rc;

	mvfs__op_exclusive(op);
	forget_waiter(op, waiter);
	rc = try_lock(op, w, &blocker);
	if (rc == -EAGAIN && w->wait) {
		waiter->owner = posix_owner(&w->lock);
		waiter->blocked_by = posix_owner(blocker);
		if (op->fs->confined || deadlocks(op->fs, waiter)) {
			rc = -EDEADLK;
		} else {
			waiter->next = op->fs->waiters;
			op->fs->waiters = waiter;
		}
	}
	mvfs__op_unlock(op);
	return rc;
}

static int lock(const struct mvfs__from *from, struct wanted *w)
{
	struct mvfs__waiter waiter = { 0 };
	struct mvfs__op op;
	uint64_t seen;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_LOCK, w->on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	for (;;) {
		seen = released(op.fs);
		rc = attempt(&op, w, &waiter);
		if (rc != -EAGAIN || !w->wait)
			break;
		mvfs__fs_locks_wait(from->view, seen, -1);
	}
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_flock(const struct mvfs__from *from, const struct mvfs__on *on,
		   int operation, bool may_wait)
{
	struct wanted w = {
		.on = on,
		.lock = { .space = MVFS__FLOCK, .kind = MVFS__OF_FILE },
		.wait = may_wait && !(operation & LOCK_NB),
	};

	switch (operation & ~LOCK_NB) {
	case LOCK_SH:
		w.lock.type = MVFS__READ_LOCK;
		break;
	case LOCK_EX:
		w.lock.type = MVFS__WRITE_LOCK;
		break;
	case LOCK_UN:
		w.lock.type = MVFS__UNLOCK;
		break;
	default:
		return -EINVAL;
	}
	return lock(from, &w);
}

static enum mvfs__lock_kind kind_of(uint64_t owner, unsigned flags)
{
	if (owner)
		return MVFS__OF_ADAPTER;
	return flags & MVFS_LOCK_OFD ? MVFS__OF_FILE : MVFS__OF_VIEW;
}

static struct wanted record_wanted(const struct mvfs__on *on, uint64_t owner,
				   const struct mvfs_lock *record,
				   unsigned flags)
{
	return (struct wanted){
		.on = on,
		.lock = {
			.space = MVFS__RECORD,
			.kind = kind_of(owner, flags),
			.owner = owner,
		},
		.record = record,
		.wait = flags & MVFS_LOCK_WAIT,
	};
}

int mvfs__fs_setlk(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner, const struct mvfs_lock *record,
		   unsigned flags)
{
	struct wanted w = record_wanted(on, owner, record, flags);

	return lock(from, &w);
}

static void describe(struct mvfs_lock *to, const struct mvfs__range_lock *l)
{
	if (!l) {
		to->type = F_UNLCK;
		return;
	}
	to->type = l->type == MVFS__READ_LOCK ? F_RDLCK : F_WRLCK;
	to->whence = SEEK_SET;
	to->start = (int64_t)l->start;
	to->len = l->end == UINT64_MAX ? 0 :
					 (int64_t)(l->end - l->start + 1);
	to->owner = l->owner;
}

int mvfs__fs_getlk(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner, struct mvfs_lock *record, unsigned flags)
{
	struct wanted w = record_wanted(on, owner, record, flags);
	struct mvfs__hold *hold;
	struct mvfs__op op;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_LOCK, on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	rc = resolve(&op, &w, false, &hold);
	if (!rc)
		describe(record, mvfs__lock_conflict(hold->locks, &w.lock));
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_flush(const struct mvfs__from *from, const struct mvfs__on *on,
		   uint64_t owner)
{
	struct mvfs_file *file;
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, from, MVFS__OP_LOCK);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	rc = mvfs__op_file(&op, on, &file, &node);
	if (!rc)
		mvfs__fs_drop_locks(op.fs, mvfs__table_hold_get(
			&op.fs->table, file->ino), MVFS__OF_ADAPTER, owner);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

static struct timespec deadline_in(int timeout_ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += timeout_ms / 1000;
	ts.tv_nsec += timeout_ms % 1000 * 1000000L;
	if (ts.tv_nsec >= 1000000000L) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000L;
	}
	return ts;
}

uint64_t mvfs__fs_locks_wait(mvfs *view, uint64_t seen, int timeout_ms)
{
	struct mvfs__fs *fs = view->fs;
	struct timespec deadline = { 0, 0 };
	uint64_t count;
	int rc = 0;

	if (timeout_ms >= 0)
		deadline = deadline_in(timeout_ms);
	pthread_mutex_lock(&fs->wake_mutex);
	while (fs->released == seen && !rc)
		rc = timeout_ms < 0 ?
		     pthread_cond_wait(&fs->wake, &fs->wake_mutex) :
		     pthread_cond_timedwait(&fs->wake, &fs->wake_mutex,
					    &deadline);
	count = fs->released;
	pthread_mutex_unlock(&fs->wake_mutex);
	return count;
}

void mvfs__fs_locks_wake(mvfs *view)
{
	wake_all(view->fs);
}
