/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/core.h"

mvfs *fs;

static const struct mvfs__who root = { .uid = 0 };

void core_start(void)
{
	const struct mvfs_options options = {
		.size = sizeof(options),
		.flags = MVFS_SEEDED,
		.seed = { 1, 2 },
	};

	ok(mvfs_create(&options, &fs));
}

void core_end(void)
{
	ok(mvfs_destroy(fs));
}

int core_walk(const struct mvfs__who *who, const char *path, unsigned flags,
	      struct mvfs__found *found)
{
	const struct mvfs__origin origin = {
		.table = &fs->fs->table,
		.seed = &fs->fs->seed,
		.who = who ? who : &root,
		.root = MVFS__ROOT_INO,
		.start = MVFS__ROOT_INO,
	};

	return mvfs__walk(&origin, path, flags, found);
}

struct mvfs__node *core_node(const char *path)
{
	struct mvfs__found found;

	ok(core_walk(NULL, path, MVFS__FOLLOW, &found));
	ck_assert_ptr_nonnull(found.node);
	return found.node;
}

int core_run(const char *name, TCase *tests)
{
	Suite *suite = suite_create(name);

	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
