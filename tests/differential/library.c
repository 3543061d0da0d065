/* SPDX-License-Identifier: MIT */
/*
 * memvfs's side: an instance with a view for each user, which is what a
 * process of his would be. Clones are made in between: one of the two goes
 * on, the other is read at once and must read the same ever after.
 */
#include "config.h"

#include "library.h"
#include "kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void library_fault(struct library *library, const char *what)
{
	if (!library->fault[0])
		snprintf(library->fault, sizeof(library->fault), "%s", what);
}

static void must(int64_t ret, const char *what)
{
	if (ret < 0) {
		fprintf(stderr, "%s: %s\n", what, strerror((int)-ret));
		abort();
	}
}

/* Every call sees a later time, so that every move shows. */
static struct mvfs_time later(void *ctx)
{
	struct library *library = ctx;
	uint64_t now = ++library->clock;

	return (struct mvfs_time){ 2000000000 + (int64_t)(now / 1000000000),
				   (int32_t)(now % 1000000000), 0 };
}

static mvfs *make_view(const struct side *side, mvfs *fs,
		       const struct user *user)
{
	struct mvfs_view_options options = {
		.size = sizeof(options),
		.set = MVFS_VIEW_CRED | MVFS_VIEW_UMASK,
		.uid = user->uid,
		.gid = user->gid,
		.umask = 022,
		.groups = user->groups,
		.group_count = user->group_count,
		.root = side->inner_root ? "/inner" : NULL
	};
	mvfs *view = NULL;

	must(mvfs_view(fs, &options, &view), "mvfs_view");
	return view;
}

static void make_views(const struct side *side, struct instance *instance)
{
	static const struct user root = { 0, 0, { 0, 0 }, 0 };
	unsigned i;

	for (i = 0; i < USERS; i++) {
		const struct user *user = &side->users[i];

		instance->view[i] = make_view(side, instance->fs, user);
		instance->look[i] = make_view(side, instance->fs,
					      side->facts.several_users
						      ? &root
						      : user);
	}
}

static void drop_views(struct instance *instance)
{
	unsigned i;

	for (i = 0; i < USERS; i++) {
		must(mvfs_destroy(instance->view[i]), "mvfs_destroy");
		must(mvfs_destroy(instance->look[i]), "mvfs_destroy");
	}
}

static void drop(struct instance *instance)
{
	drop_views(instance);
	must(mvfs_destroy(instance->fs), "mvfs_destroy");
	memset(instance, 0, sizeof(*instance));
}

static void check_held(struct library *library, struct held *held)
{
	if (held->string.data &&
	    data_hash(held->string.data, held->string.len, 0) != held->hash)
		library_fault(library, "a string changed after it was read");
	mvfs_string_release(&held->string);
}

void library_hold(struct library *library, struct mvfs_string string)
{
	struct held *held = &library->held[library->held_next++ % HELD];

	check_held(library, held);
	held->string = string;
	held->hash = data_hash(string.data, string.len, 0);
}

/* Reads the tree of another instance than the one that goes on. */
static void dump_instance(struct side *side, struct instance *instance,
			  struct dump *dump)
{
	struct library other = { .now = *instance };
	struct side copy = *side;

	copy.own = &other;
	dump_read(&copy, dump, false);
}

static void check_frozen(struct side *side, unsigned i)
{
	struct library *library = side->own;
	struct dump dump = { 0 };
	char why[512], what[512];

	dump_instance(side, &library->frozen[i].instance, &dump);
	if (!dump_same(&library->frozen[i].dump, &dump, why)) {
		snprintf(what, sizeof(what), "of a clone and its original, "
			 "one changed the other: %.400s", why);
		library_fault(library, what);
	}
	dump_free(&dump);
}

static void forget_frozen(struct library *library)
{
	drop(&library->frozen[0].instance);
	dump_free(&library->frozen[0].dump);
	library->frozen_count--;
	memmove(&library->frozen[0], &library->frozen[1],
		library->frozen_count * sizeof(library->frozen[0]));
	memset(&library->frozen[library->frozen_count], 0,
	       sizeof(library->frozen[0]));
}

/* As if the process ended and another began: nothing open, at the root. */
static void start_over(const struct side *side, struct instance *instance)
{
	int fd;

	for (fd = 0; fd < FD_MAX; fd++)
		mvfs_close(instance->view[0], fd);
	drop_views(instance);
	make_views(side, instance);
}

int64_t library_clone(struct side *side, bool keep)
{
	struct library *library = side->own;
	struct instance clone = { 0 }, *frozen;
	uint32_t masks[USERS];
	unsigned i;
	int ret;

	ret = mvfs_clone(library->now.fs, &clone.fs);
	if (ret < 0)
		return ret;
	make_views(side, &clone);
	if (library->frozen_count == FROZEN) {
		check_frozen(side, 0);
		forget_frozen(library);
	}
	for (i = 0; i < USERS; i++) {
		masks[i] = mvfs_umask(library->now.view[i], 022);
		mvfs_umask(library->now.view[i], masks[i]);
	}
	frozen = &library->frozen[library->frozen_count++].instance;
	*frozen = keep ? clone : library->now;
	if (!keep)
		library->now = clone;
	else
		start_over(side, &library->now);
	for (i = 0; i < USERS; i++)
		mvfs_umask(library->now.view[i], masks[i]);
	dump_instance(side, frozen,
		      &library->frozen[library->frozen_count - 1].dump);
	return 0;
}

static void empty(struct side *side)
{
	struct library *library = side->own;
	unsigned i;

	for (i = 0; i < HELD; i++)
		check_held(library, &library->held[i]);
	while (library->frozen_count)
		forget_frozen(library);
	if (library->now.fs)
		drop(&library->now);
}

static void reset(struct side *side)
{
	struct library *library = side->own;
	struct mvfs_options options = { .size = sizeof(options),
					.flags = MVFS_SEEDED,
					.root_mode = 0777,
					.max_bytes = side->max_bytes,
					.seed = { side->seed, 1 },
					.clock = later,
					.clock_ctx = library };
	const char *root = side->inner_root ? "/inner" : "/";
	mvfs *fs = NULL;

	empty(side);
	library->fault[0] = '\0';
	library->last = false;
	must(mvfs_create(&options, &fs), "mvfs_create");
	if (side->inner_root)
		must(mvfs_mkdir(fs, root, 0777), "mvfs_mkdir");
	must(mvfs_chmod(fs, root, 0777), "mvfs_chmod");
	must(mvfs_chown(fs, root, side->users[0].uid, side->users[0].gid),
	     "mvfs_chown");
	library->now.fs = fs;
	make_views(side, &library->now);
}

static int start(struct side *side)
{
	bool several = side->facts.several_users;

	side->own = calloc(1, sizeof(struct library));
	if (!side->own)
		return -ENOMEM;
	side->facts = (struct facts){ .several_users = several,
				      .chrooted = true,
				      .user_xattr = true,
				      .trusted_xattr = true,
				      .security_xattr = true,
				      .xattrat = true,
				      .chmodat_flags = true,
				      .devices = true,
				      .tmpfile = true,
				      .creat_directory = true,
				      .realpath = true,
				      .fine_times = true,
				      .holds_still = true,
				      .clones = true };
	return 0;
}

static void stop(struct side *side)
{
	struct library *library = side->own;

	empty(side);
	if (library->fault[0])
		fprintf(stderr, "at the end: %s\n", library->fault);
	free(library);
	side->own = NULL;
}

static int compare_inos(const void *a, const void *b)
{
	const struct mvfs_stat *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* LEGAL_STATFS: held against the tree instead, when nothing is open. */
static void check_statfs(struct side *side, const struct dump *dump)
{
	struct library *library = side->own;
	struct mvfs_stat *inodes = calloc(dump->count, sizeof(*inodes));
	uint64_t blocks = 0, count = 0;
	struct mvfs_statfs statfs;
	char text[200];
	size_t i;

	if (!inodes)
		abort();
	for (i = 0; i < dump->count; i++)
		inodes[i] = dump->entries[i].st;
	qsort(inodes, dump->count, sizeof(*inodes), compare_inos);
	for (i = 0; i < dump->count; i++)
		if (i == 0 || inodes[i].ino != inodes[i - 1].ino) {
			count++;
			blocks += inodes[i].blocks / 8;
		}
	free(inodes);
	must(mvfs_statfs(library->now.fs, &statfs), "mvfs_statfs");
	count += side->inner_root;
	if (statfs.blocks_used == blocks && statfs.inodes_used == count)
		return;
	snprintf(text, sizeof(text), "statfs counts %llu blocks and %llu "
		 "inodes, the tree %llu and %llu",
		 (unsigned long long)statfs.blocks_used,
		 (unsigned long long)statfs.inodes_used,
		 (unsigned long long)blocks, (unsigned long long)count);
	library_fault(library, text);
}

static int count_name(void *ctx, const struct mvfs_walk_entry *entry)
{
	size_t *count = ctx;

	(void)entry;
	++*count;
	return 0;
}

static void audit(struct side *side, const struct dump *dump, char fault[512])
{
	struct library *library = side->own;
	size_t count = 0;
	unsigned i;

	library->audits++;
	for (i = 0; i < library->frozen_count; i++)
		if (library->last || library->audits % FROZEN == i)
			check_frozen(side, i);
	/* An ordinary user may not see all of the tree. */
	if (side->facts.several_users) {
		check_statfs(side, dump);
		must(mvfs_walk(library->now.look[0], "/", 0, count_name,
			       &count), "mvfs_walk");
		if (count != dump->count)
			library_fault(library, "mvfs_walk sees another tree");
	}
	snprintf(fault, 512, "%s", library->fault);
}

const struct driver library_driver = {
	.name = "memvfs",
	.start = start,
	.stop = stop,
	.reset = reset,
	.run = library_run,
	.audit = audit
};
