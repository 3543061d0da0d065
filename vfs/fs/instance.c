/* SPDX-License-Identifier: MIT */
/* Making, cloning and ending instances and views. */
#include "config.h"

#include "vfs/fs/instance.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "vfs/fs/op.h"
#include "vfs/fs/still.h"
#include "vfs/mem/mem.h"

enum { DEFAULT_MODE = 0755, DEFAULT_UMASK = 022 };

static uint64_t blocks_of(uint64_t max_bytes)
{
	return max_bytes ? max_bytes / MVFS__BLOCK : UINT64_MAX;
}

static void random_seed(struct mvfs__seed *seed)
{
	static const struct mvfs__seed key = { 0x6d656d766673, 1 };
	uint64_t salt[3];

	if (getrandom(seed, sizeof(*seed), GRND_NONBLOCK) ==
	    (ssize_t)sizeof(*seed))
		return;
	/* before the kernel has entropy: distinct at least */
	salt[0] = mvfs__unique();
	salt[1] = (uintptr_t)seed;
	salt[2] = mvfs__thread()->number;
	seed->k0 = mvfs__siphash13(&key, salt, sizeof(salt));
	seed->k1 = mvfs__siphash13(&key, seed, sizeof(seed->k0));
}

/* An instance with nothing in its table. */
static struct mvfs__fs *new_fs(bool confined)
{
	struct mvfs__fs *fs = mvfs__calloc(1, sizeof(*fs));

	if (!fs)
		return NULL;
	fs->confined = confined;
	fs->thread = mvfs__thread()->number;
	fs->dev = mvfs__unique();
	mvfs__latch_init(&fs->latch);
	pthread_mutex_init(&fs->wake_mutex, NULL);
	pthread_mutex_init(&fs->tell_mutex, NULL);
	pthread_cond_init(&fs->wake, NULL);
	fs->views = 1;
	mvfs__log_init(&fs->log);
	mvfs__fork_add(fs);
	return fs;
}

static void free_stripes(struct mvfs__fs *fs)
{
	size_t i;

	if (!fs->stripes)
		return;
	for (i = 0; i <= fs->stripe_mask; i++)
		mvfs__stripe_destroy(&fs->stripes[i]);
	mvfs__free(fs->stripe_memory);
}

/* What listings that were never closed still hold. */
static void drop_holds(struct mvfs__fs *fs, struct mvfs__bin *bin)
{
	while (fs->table.holds)
		mvfs__fs_unhold(fs, fs->table.holds->ino,
				fs->table.holds->count, bin);
}

/* No view is left, so nobody else can be inside. */
static void free_fs(struct mvfs__fs *fs)
{
	struct mvfs__bin bin = MVFS__BIN_INIT;
	struct mvfs__clock *clock;
	size_t fd;

	mvfs__fork_remove(fs);
	for (fd = 0; fd < fs->fds.capacity; fd++)
		if (fs->fds.file[fd])
			mvfs__fs_release_file(fs, fs->fds.file[fd], &bin);
	mvfs__fds_clear(&fs->fds);
	drop_holds(fs, &bin);
	mvfs__table_clear(&fs->table, &bin);
	if (fs->rules)
		mvfs__obj_drop(&fs->rules->obj, &bin);
	if (fs->points)
		mvfs__obj_drop(&fs->points->obj, &bin);
	mvfs__bin_empty(&bin);
	mvfs__log_destroy(&fs->log);
	while ((clock = atomic_load(&fs->clock))) {
		atomic_store(&fs->clock, clock->before);
		mvfs__free(clock);
	}
	free_stripes(fs);
	mvfs__latch_destroy(&fs->latch);
	pthread_mutex_destroy(&fs->wake_mutex);
	pthread_mutex_destroy(&fs->tell_mutex);
	pthread_cond_destroy(&fs->wake);
	mvfs__free(fs);
}

/* A view without holds; NULL without memory. */
static struct mvfs *new_view(struct mvfs__fs *fs, const uint32_t *groups,
			     size_t group_count)
{
	struct mvfs *view = mvfs__calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	if (group_count) {
		view->groups = mvfs__memdup(groups,
					    group_count * sizeof(*groups));
		if (!view->groups) {
			mvfs__free(view);
			return NULL;
		}
		view->group_count = group_count;
	}
	view->fs = fs;
	view->serial = mvfs__unique();
	view->root = view->cwd = MVFS__ROOT_INO;
	atomic_init(&view->umask, DEFAULT_UMASK);
	return view;
}

static void free_view(struct mvfs *view)
{
	assert(!view->pins);
	mvfs__free(view->groups);
	mvfs__free(view);
}

/* The view is the instance's from now on; exclusively. */
static void enlist(struct mvfs__fs *fs, struct mvfs *view)
{
	view->place = mvfs__thread()->here;
	view->next = fs->all_views;
	view->back = &fs->all_views;
	if (view->next)
		view->next->back = &view->next;
	fs->all_views = view;
}

static void delist(struct mvfs *view)
{
	*view->back = view->next;
	if (view->next)
		view->next->back = view->back;
}

/* And holds its root and current directory. */
static int hold_places(struct mvfs__fs *fs, struct mvfs *view,
		       struct mvfs__bin *bin)
{
	if (!mvfs__table_hold(&fs->table, view->root))
		return -ENOMEM;
	if (!mvfs__table_hold(&fs->table, view->cwd)) {
		mvfs__fs_unhold(fs, view->root, 1, bin);
		return -ENOMEM;
	}
	enlist(fs, view);
	return 0;
}

static int make_root(struct mvfs__fs *fs, struct mvfs *view, uint32_t mode)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	struct mvfs__node *root;
	struct mvfs__link up = { MVFS__ROOT_INO, 0 };
	int rc;

	(void)mvfs__op_begin_aside(&op, &from, MVFS__OP_MKDIR);
	mvfs__op_read_clock(&op);
	root = mvfs__node_new(fs->table.next_ino++, S_IFDIR | mode, &op.now);
	if (!root)
		return -ENOMEM;
	root->links.one = up; /* no name, but a ".." */
	rc = mvfs__table_add(&fs->table, root, &op.bin);
	if (rc)
		mvfs__obj_drop(&root->obj, &op.bin);
	else
		rc = hold_places(fs, view, &op.bin);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__clock_put(struct mvfs__fs *fs, const struct mvfs__clock *like)
{
	struct mvfs__clock *clock = mvfs__malloc(sizeof(*clock));

	if (!clock)
		return -ENOMEM;
	clock->fn = like->fn;
	clock->ctx = like->ctx;
	clock->manual = like->manual;
	clock->tick = like->tick;
	atomic_init(&clock->time, like->time);
	clock->before = atomic_load(&fs->clock);
	while (!atomic_compare_exchange_weak(&fs->clock, &clock->before,
					     clock))
		continue;
	return 0;
}

static int set_clock(struct mvfs__fs *fs, mvfs_clock_fn *fn, void *ctx)
{
	const struct mvfs__clock like = { .fn = fn, .ctx = ctx };

	return mvfs__clock_put(fs, &like);
}

int mvfs__fs_create(const struct mvfs_options *options, mvfs **out)
{
	struct mvfs__fs *fs = new_fs(options->flags & MVFS_CONFINED);
	struct mvfs *view = fs ? new_view(fs, NULL, 0) : NULL;
	uint32_t mode = options->root_mode;
	int rc = 0;

	if (!view) {
		if (fs)
			free_fs(fs);
		return -ENOMEM;
	}
	mvfs__table_init(&fs->table);
	if (options->flags & MVFS_SEEDED)
		fs->seed = (struct mvfs__seed){ options->seed[0],
						options->seed[1] };
	else
		random_seed(&fs->seed);
	fs->max_bytes = options->max_bytes;
	fs->max_blocks = blocks_of(options->max_bytes);
	fs->max_inodes = options->max_inodes ? options->max_inodes :
					       UINT64_MAX;
	if (options->clock)
		rc = set_clock(fs, options->clock, options->clock_ctx);
	if (!rc)
		rc = make_root(fs, view, mode ? mode : DEFAULT_MODE);
	if (rc) {
		free_view(view);
		free_fs(fs);
		return rc;
	}
	*out = view;
	return 0;
}

/* What a clone inherits of an instance that is locked exclusively. */
static void inherit(struct mvfs__fs *fs, struct mvfs__fs *from)
{
	mvfs__table_share(&from->table, &fs->table);
	fs->seed = from->seed;
	fs->max_bytes = from->max_bytes;
	fs->max_blocks = from->max_blocks;
	fs->max_inodes = from->max_inodes;
}

uint64_t mvfs__fs_orphan_blocks(const struct mvfs__fs *fs)
{
	const struct mvfs__hold *hold;
	uint64_t blocks = 0;

	if (!fs->table.orphans)
		return 0;
	for (hold = fs->table.holds; hold; hold = hold->hh.next)
		if (hold->orphan && mvfs__node_is_reg(hold->orphan))
			blocks += mvfs__content_blocks(
				&hold->orphan->u.content);
	return blocks;
}

uint64_t mvfs__fs_named_blocks(const struct mvfs__fs *fs)
{
	return atomic_load(&fs->blocks) - mvfs__fs_orphan_blocks(fs);
}

static uint64_t place_or_root(const struct mvfs__fs *fs, uint64_t ino)
{
	return mvfs__trie_get(&fs->table.nodes, ino) ? ino : MVFS__ROOT_INO;
}

static void like(struct mvfs *view, const struct mvfs *other)
{
	view->uid = other->uid;
	view->gid = other->gid;
	atomic_init(&view->umask,
		    atomic_load((atomic_uint *)(uintptr_t)&other->umask));
	view->root = other->root;
	view->cwd = other->cwd;
}

int mvfs__fs_clone(mvfs *view, mvfs **out)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__clock *clock = atomic_load(&view->fs->clock);
	struct mvfs *clone = NULL;
	struct mvfs__fs *fs;
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_CLONE);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	fs = new_fs(view->fs->confined);
	if (fs)
		clone = new_view(fs, view->groups, view->group_count);
	if (!clone || (clock && mvfs__clock_put(fs, clock))) {
		if (clone)
			free_view(clone);
		if (fs)
			free_fs(fs);
		return (int)mvfs__op_end(&op, -ENOMEM);
	}
	mvfs__op_exclusive(&op);
	inherit(fs, op.fs);
	atomic_store(&fs->blocks, mvfs__fs_named_blocks(op.fs));
	like(clone, view);
	mvfs__op_unlock(&op);
	clone->root = place_or_root(fs, clone->root);
	clone->cwd = place_or_root(fs, clone->cwd);
	rc = hold_places(fs, clone, &op.bin);
	if (rc) {
		free_view(clone);
		free_fs(fs);
	} else {
		*out = clone;
	}
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__still_clone(const struct mvfs__still *still, mvfs **out)
{
	struct mvfs__fs *fs = new_fs(still->confined);
	struct mvfs *clone = fs ? new_view(fs, NULL, 0) : NULL;
	struct mvfs__bin bin = MVFS__BIN_INIT;

	if (!clone) {
		if (fs)
			free_fs(fs);
		return -ENOMEM;
	}
	mvfs__table_init(&fs->table);
	mvfs__trie_share(&still->nodes, &fs->table.nodes);
	fs->table.next_ino = still->next_ino;
	fs->seed = still->seed;
	fs->max_bytes = still->max_bytes;
	fs->max_blocks = blocks_of(still->max_bytes);
	fs->max_inodes = still->max_inodes;
	atomic_store(&fs->blocks, still->blocks);
	if (hold_places(fs, clone, &bin)) {
		free_view(clone);
		free_fs(fs);
		return -ENOMEM;
	}
	*out = clone;
	return 0;
}

/* Where the options put the new view; locked. */
static int find_places(struct mvfs__op *op, struct mvfs *view,
		       const struct mvfs_view_options *options)
{
	struct mvfs__at at = { 0, MVFS_AT_FDCWD, options->root };
	struct mvfs__node *node;
	int rc;

	if (options->root) {
		rc = mvfs__op_node(op, &at, MVFS__FOLLOW, &node);
		if (rc)
			return rc;
		if (!mvfs__node_is_dir(node))
			return -ENOTDIR;
		view->root = view->cwd = mvfs__node_ino(node);
	}
	if (!options->cwd)
		return 0;
	at.path = options->cwd;
	op->view = view; /* as seen from the new root */
	rc = mvfs__op_node(op, &at, MVFS__FOLLOW, &node);
	if (rc)
		return rc;
	if (!mvfs__node_is_dir(node))
		return -ENOTDIR;
	view->cwd = mvfs__node_ino(node);
	return 0;
}

/* Rules or a log that all calls have to come to. */
static bool is_heard(const struct mvfs__fs *fs)
{
	return atomic_load(&fs->listening) & (MVFS__EAR_FAULT | MVFS__EAR_LOG);
}

static int add_view(const struct mvfs__from *from, struct mvfs *view,
		    const struct mvfs_view_options *options)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, from, MVFS__OP_LOOKUP);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	view->root = from->view->root;
	view->cwd = from->view->cwd;
	rc = view->caching && is_heard(op.fs) ? -EBUSY :
		find_places(&op, view, options);
	if (!rc)
		rc = hold_places(op.fs, view, &op.bin);
	if (!rc && view->attached)
		op.fs->attached++;
	else if (!rc)
		op.fs->views++;
	if (!rc && view->caching)
		op.fs->caching++;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

static int derive(mvfs *view, const struct mvfs_view_options *options,
		  bool attached, bool caching, mvfs **out)
{
	const struct mvfs__from from = { view, NULL };
	bool cred = options->set & MVFS_VIEW_CRED;
	struct mvfs *derived;
	int rc;

	if (cred)
		derived = new_view(view->fs, options->groups,
				   options->group_count);
	else
		derived = new_view(view->fs, view->groups, view->group_count);
	if (!derived)
		return -ENOMEM;
	derived->attached = attached;
	derived->caching = caching;
	derived->uid = cred ? options->uid : view->uid;
	derived->gid = cred ? options->gid : view->gid;
	atomic_store(&derived->umask, options->set & MVFS_VIEW_UMASK ?
		     options->umask & 0777 : atomic_load(&view->umask));
	rc = add_view(&from, derived, options);
	if (rc)
		free_view(derived);
	else
		*out = derived;
	return rc;
}

int mvfs__fs_view(mvfs *view, const struct mvfs_view_options *options,
		  mvfs **out)
{
	return derive(view, options, false, false, out);
}

int mvfs__fs_attach(mvfs *view, unsigned flags, mvfs **out)
{
	const struct mvfs_view_options options = {
		.size = sizeof(options),
	};

	if (view->fs->confined)
		return -EINVAL;
	return derive(view, &options, true, flags & MVFS_SYS_CACHES, out);
}

/* As when a process ends: its POSIX locks do. */
static void drop_view_locks(struct mvfs__op *op)
{
	struct mvfs__hold *hold;

	for (hold = op->fs->table.holds; hold; hold = hold->hh.next)
		mvfs__fs_drop_locks(op->fs, hold, MVFS__OF_VIEW,
				    op->view->serial);
}

static void drop_pins(struct mvfs__op *op)
{
	struct mvfs__pin *pin, *next;

	HASH_ITER(hh, op->view->pins, pin, next) {
		HASH_DEL(op->view->pins, pin);
		mvfs__fs_unhold(op->fs, pin->ino, 1, &op->bin);
		mvfs__free(pin);
	}
}

int mvfs__fs_destroy(mvfs *view)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__fs *fs = view->fs;
	struct mvfs__reports leaks = { .fn = NULL };
	struct mvfs__held *held = NULL;
	struct mvfs__op op;
	bool last;

	if (view->listener.after)
		mvfs__fs_listen(view, NULL);
	(void)mvfs__op_begin_aside(&op, &from, MVFS__OP_CLOSE);
	mvfs__op_exclusive(&op);
	if (!view->attached && fs->views == 1 && fs->report)
		mvfs__reports_gather(&leaks, view);
	if (!view->attached && fs->views == 1 && fs->attached) {
		mvfs__op_unlock(&op);
		mvfs__op_end(&op, -EBUSY);
		mvfs__reports_tell_or_say(&leaks);
		return -EBUSY;
	}
	delist(view);
	drop_view_locks(&op);
	mvfs__fs_release_files(fs, view, &op.bin);
	drop_pins(&op);
	mvfs__fs_unhold(fs, view->root, 1, &op.bin);
	mvfs__fs_unhold(fs, view->cwd, 1, &op.bin);
	if (view->attached)
		fs->attached--;
	else
		fs->views--;
	if (view->caching)
		fs->caching--;
	last = !fs->views && !fs->attached;
	mvfs__op_unlock(&op);
	mvfs__op_end(&op, 0);
	free_view(view);
	if (last) {
		held = fs->held;
		free_fs(fs);
	}
	if (held) {
		mvfs__reports_recheck(&leaks, held);
		mvfs__held_end(held);
	}
	mvfs__reports_tell_or_say(&leaks);
	return 0;
}

int mvfs__fs_chdir(mvfs *view, const struct mvfs__at *at, unsigned flags)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__node *node;
	struct mvfs__op op;
	int rc = mvfs__op_begin_at(&op, &from, MVFS__OP_LOOKUP, at,
				   flags);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	rc = mvfs__op_node(&op, at, flags, &node);
	if (!rc && !mvfs__node_is_dir(node))
		rc = -ENOTDIR;
	if (!rc)
		rc = mvfs__may(&op.who, node, MVFS__MAY_EXEC);
	if (!rc && !mvfs__table_hold(&op.fs->table, mvfs__node_ino(node)))
		rc = -ENOMEM;
	if (!rc) {
		mvfs__fs_unhold(op.fs, view->cwd, 1, &op.bin);
		view->cwd = mvfs__node_ino(node);
	}
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

uint32_t mvfs__fs_umask(mvfs *view, uint32_t mask)
{
	return atomic_exchange(&view->umask, mask & 0777);
}

int mvfs__fs_set_limits(mvfs *view, uint64_t max_bytes, uint64_t max_inodes)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STATFS);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	op.fs->max_bytes = max_bytes;
	op.fs->max_blocks = blocks_of(max_bytes);
	op.fs->max_inodes = max_inodes ? max_inodes : UINT64_MAX;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}

int mvfs__fs_set_clock(mvfs *view, mvfs_clock_fn *fn, void *ctx)
{
	const struct mvfs__from from = { view, NULL };
	struct mvfs__op op;
	int rc = mvfs__op_begin_aside(&op, &from, MVFS__OP_STATFS);

	if (!rc)
		rc = set_clock(op.fs, fn, ctx);
	return (int)mvfs__op_end(&op, rc);
}

uint64_t mvfs__fs_root(mvfs *view)
{
	return view->root;
}

int mvfs__fs_statfs(const struct mvfs__from *from, struct mvfs_statfs *st)
{
	struct mvfs__op op;
	int rc = mvfs__op_begin(&op, from, MVFS__OP_STATFS);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	memset(st, 0, sizeof(*st));
	st->block_size = MVFS__BLOCK;
	st->blocks = op.fs->max_bytes / MVFS__BLOCK;
	st->blocks_used = atomic_load(&op.fs->blocks);
	st->inodes = op.fs->max_inodes == UINT64_MAX ? 0 : op.fs->max_inodes;
	st->inodes_used = op.fs->table.nodes.count + op.fs->table.orphans;
	st->name_max = MVFS__NAME_MAX;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, 0);
}
