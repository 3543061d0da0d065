/* SPDX-License-Identifier: MIT */
/*
 * What is held of inodes: every allocation of every call that holds one fails
 * once, and then nothing is held that was not before; a call that succeeds
 * holds what it should, and all of it can be given back.
 */
#include "config.h"

#include <memvfs/listing.h>

#include "tests/core.h"

static uint64_t dir, file, unnamed;
static struct mvfs_file *opened;
static mvfs *view;
static struct mvfs_dir *listing;
static int fd;

static uint64_t mix(uint64_t a, uint64_t b)
{
	return (a ^ (a >> 31)) * UINT64_C(0x9e3779b97f4a7c15) + b;
}

/* All that is held, and how much there is. */
static uint64_t held(void)
{
	const struct mvfs__table *table = &fs->fs->table;
	const struct mvfs__hold *hold;
	uint64_t digest = mix(table->nodes.count, table->orphans);

	for (hold = table->holds; hold; hold = hold->hh.next)
		digest += mix(mix(hold->ino, hold->count), !hold->orphan);
	return mix(mix(digest, fs->fs->blocks), HASH_COUNT(fs->pins));
}

static void begin(void)
{
	struct mvfs_stat st;

	ok(mvfs_sys_mkdir(fs, NULL, 1, "d", 0755, 0, &st));
	dir = st.ino;
	ok(mvfs_sys_mknod(fs, NULL, dir, "f", S_IFREG | 0644, 0, 0, &st));
	file = st.ino;
	ok(mvfs_write_file(fs, "/d/f", "x", 1));
	ok(mvfs_sys_tmpfile(fs, NULL, dir, 0600, O_RDWR, 1, &st, &opened));
	unnamed = st.ino;
}

static int lookup(void)
{
	struct mvfs_stat st;

	return mvfs_sys_lookup(fs, NULL, dir, "f", 3, &st);
}

static int make_node(void)
{
	return mvfs_sys_mknod(fs, NULL, dir, "new", S_IFREG, 0, 1, NULL);
}

static int make_link(void)
{
	return mvfs_sys_symlink(fs, NULL, "to", dir, "new", 1, NULL);
}

static int link_file(void)
{
	return mvfs_sys_link(fs, NULL, file, dir, "new", 1, NULL);
}

static int link_unnamed(void)
{
	return mvfs_sys_link(fs, NULL, unnamed, dir, "new", 1, NULL);
}

static int create(void)
{
	return mvfs_sys_create(fs, NULL, dir, "new", 0644, O_RDWR, 2, NULL,
			       NULL, &opened);
}

static int create_over(void)
{
	return mvfs_sys_create(fs, NULL, dir, "f", 0644, O_RDWR | O_TRUNC, 2,
			       NULL, NULL, &opened);
}

static int tmpfile_pinned(void)
{
	return mvfs_sys_tmpfile(fs, NULL, dir, 0600, O_RDWR, 2, NULL, &opened);
}

static int open_fd(void)
{
	fd = mvfs_open(fs, "/d/new", O_CREAT | O_RDWR, 0644);
	return fd < 0 ? fd : 0;
}

static int give_view(void)
{
	const struct mvfs_view_options options = {
		.size = sizeof(options), .root = "/d", .cwd = "/",
	};

	return mvfs_view(fs, &options, &view);
}

static int attach(void)
{
	return mvfs_sys_attach(fs, 0, &view);
}

static int clone_it(void)
{
	return mvfs_clone(fs, &view);
}

static int change_dir(void)
{
	return mvfs_chdir(fs, "/d");
}

static int list(void)
{
	return mvfs_opendir(fs, "/d", 0, &listing);
}

static int (*const calls[])(void) = {
	lookup, make_node, make_link, link_file, link_unnamed, create,
	create_over, tmpfile_pinned, open_fd, give_view, attach, clone_it,
	change_dir, list,
};

/* The first number of allocations that are enough; all before fail whole. */
static void starve(int (*call)(void), bool shared)
{
	mvfs *copy = NULL;
	uint64_t before, n;
	int rc = -ENOMEM;

	for (n = 1; rc == -ENOMEM; n++) {
		if (shared) /* so that every change has to copy first */
			ok(mvfs_clone(fs, &copy));
		before = held();
		mvfs__mem_fail_at(n);
		rc = call();
		mvfs__mem_fail_at(0);
		ck_assert(!rc || held() == before);
		ok(mvfs_destroy(copy));
	}
	ok(rc);
}

START_TEST(test_a_call_without_memory_holds_nothing)
{
	view = NULL;
	listing = NULL;
	begin();
	starve(calls[_i / 2], _i % 2);
	ok(mvfs_closedir(listing));
	ok(mvfs_destroy(view));
	ok(mvfs_chdir(fs, "/"));
	for (fd = 0; !mvfs_close(fs, fd); fd++)
		continue;
	while (fs->pins)
		mvfs_sys_unpin(fs, fs->pins->ino, fs->pins->count);
	while (fs->files)
		ok(mvfs_sys_close(fs, fs->files));
	/* the root and the current directory of the view, no more */
	ck_assert_uint_eq(HASH_COUNT(fs->fs->table.holds), 1);
	ck_assert_uint_eq(fs->fs->table.holds->count, 2);
	ck_assert_uint_eq(fs->fs->table.orphans, 0);
}
END_TEST

START_TEST(test_a_file_that_could_not_be_pinned_takes_no_number)
{
	uint64_t next = fs->fs->table.next_ino;
	struct mvfs_file *made;
	struct mvfs_stat st;
	unsigned n;
	int rc = -ENOMEM;

	/* the thread's cache is there then, which a call can do without */
	ok(mvfs_stat(fs, "/", &st));
	for (n = 1; rc; n++) {
		ck_assert_uint_eq(fs->fs->table.next_ino, next);
		mvfs__mem_fail_at(n);
		rc = mvfs_sys_tmpfile(fs, NULL, 1, 0600, O_RDWR, 1, &st,
				      &made);
		mvfs__mem_fail_at(0);
		ck_assert(!rc || rc == -ENOMEM);
	}
	ck_assert_uint_gt(n, 3);
	ck_assert_uint_eq(st.ino, next);
	ok(mvfs_sys_close(fs, made));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("pins");

	tcase_add_checked_fixture(tests, core_start, core_end);
	tcase_add_loop_test(tests, test_a_call_without_memory_holds_nothing,
			    0, 2 * (int)(sizeof(calls) / sizeof(calls[0])));
	tcase_add_test(tests,
		test_a_file_that_could_not_be_pinned_takes_no_number);
	return core_run("pins", tests);
}
