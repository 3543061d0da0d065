/* SPDX-License-Identifier: MIT */
/* memvfs/listing.h: listings that hold still, and walks. */
#include "config.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;

static void put(const char *path)
{
	ok(mvfs_write_file(fs, path, "", 0));
}

static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
	ok(mvfs_mkdir(fs, "/d", 0755));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

static struct mvfs_dir *open_dir(const char *path, unsigned flags)
{
	struct mvfs_dir *dir = NULL;

	ok(mvfs_opendir(fs, path, flags, &dir));
	ck_assert_ptr_nonnull(dir);
	return dir;
}

/* The names that are left, each followed by a blank. */
static const char *rest(struct mvfs_dir *dir)
{
	static char names[4096];
	struct mvfs_dirent entry;

	names[0] = 0;
	while (ok(mvfs_readdir(dir, &entry)) == 1) {
		ck_assert_uint_eq(entry.len, strlen(entry.name));
		strcat(names, entry.name);
		strcat(names, " ");
	}
	return names;
}

static struct mvfs_dirent next(struct mvfs_dir *dir)
{
	struct mvfs_dirent entry;

	ck_assert_int_eq(ok(mvfs_readdir(dir, &entry)), 1);
	return entry;
}

START_TEST(test_names_are_sorted_by_their_bytes)
{
	struct mvfs_dir *dir;

	put("/d/b");
	put("/d/a");
	put("/d/ab");
	put("/d/B");
	put("/d/\xc3\xa9");
	put("/d/.hidden");
	dir = open_dir("/d", 0);
	ck_assert_str_eq(rest(dir), ".hidden B a ab b \xc3\xa9 ");
	ok(mvfs_closedir(dir));
}
END_TEST

/* Of every count up to some, for the last parts that are merged differ. */
START_TEST(test_any_number_of_names_is_sorted)
{
	struct mvfs_dirent entry;
	char path[32], before[256];
	struct mvfs_dir *dir;
	unsigned i, n;

	for (i = 0; i < 140; i++) {
		snprintf(path, sizeof(path), "/d/%u", i * 2654435761u);
		put(path);
		dir = open_dir("/d", 0);
		before[0] = 0;
		for (n = 0; ok(mvfs_readdir(dir, &entry)); n++) {
			if (strcmp(before, entry.name) >= 0)
				ck_abort_msg("%s before %s", before,
					     entry.name);
			strcpy(before, entry.name);
		}
		ck_assert_uint_eq(n, i + 1);
		ok(mvfs_closedir(dir));
	}
}
END_TEST

START_TEST(test_dots_come_first_and_only_if_asked_for)
{
	struct mvfs_stat root, d;
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;

	put("/d/!");
	dir = open_dir("/d", MVFS_LIST_DOTS);
	ok(mvfs_stat(fs, "/", &root));
	ok(mvfs_stat(fs, "/d", &d));
	entry = next(dir);
	ck_assert_str_eq(entry.name, ".");
	ck_assert_uint_eq(entry.ino, d.ino);
	entry = next(dir);
	ck_assert_str_eq(entry.name, "..");
	ck_assert_uint_eq(entry.ino, root.ino);
	ck_assert_str_eq(rest(dir), "! ");
	ok(mvfs_closedir(dir));
	dir = open_dir("/", MVFS_LIST_DOTS);
	ck_assert_uint_eq(next(dir).ino, root.ino);
	ck_assert_uint_eq(next(dir).ino, root.ino);
	ok(mvfs_closedir(dir));
}
END_TEST

START_TEST(test_an_entry_tells_inode_and_type)
{
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	struct mvfs_stat st;

	ok(mvfs_mkdir(fs, "/d/a", 0755));
	put("/d/b");
	ok(mvfs_symlink(fs, "x", "/d/c"));
	ok(mvfs_mknod(fs, "/d/d", S_IFIFO | 0644, 0));
	dir = open_dir("/d", 0);
	entry = next(dir);
	ok(mvfs_stat(fs, "/d/a", &st));
	ck_assert_uint_eq(entry.ino, st.ino);
	ck_assert_int_eq(entry.type, DT_DIR);
	ck_assert_int_eq(next(dir).type, DT_REG);
	ck_assert_int_eq(next(dir).type, DT_LNK);
	ck_assert_int_eq(next(dir).type, DT_FIFO);
	ok(mvfs_closedir(dir));
}
END_TEST

START_TEST(test_a_listing_holds_the_directory_as_it_was)
{
	struct mvfs_dir *dir;

	put("/d/a");
	put("/d/b");
	put("/d/c");
	dir = open_dir("/d", 0);
	ck_assert_str_eq(next(dir).name, "a");
	ok(mvfs_unlink(fs, "/d/b"));
	ok(mvfs_rename(fs, "/d/c", "/d/z"));
	put("/d/bb");
	ck_assert_str_eq(rest(dir), "b c ");
	ok(mvfs_rewinddir(dir));
	ck_assert_str_eq(rest(dir), "a bb z ");
	ok(mvfs_closedir(dir));
}
END_TEST

START_TEST(test_a_listing_goes_on_after_its_directory_is_removed)
{
	struct mvfs_dir *dir;

	put("/d/a");
	dir = open_dir("/d", 0);
	ok(mvfs_unlink(fs, "/d/a"));
	ok(mvfs_rmdir(fs, "/d"));
	ck_assert_str_eq(rest(dir), "a ");
	ok(mvfs_rewinddir(dir));
	ck_assert_str_eq(rest(dir), "");
	ok(mvfs_closedir(dir));
}
END_TEST

static void seek_in(unsigned flags)
{
	struct mvfs_dir *dir, *again;
	struct mvfs_dirent entry;
	char after[4096];
	char path[16];
	int i;

	for (i = 0; i < 50; i++) {
		snprintf(path, sizeof(path), "/d/n%d", i);
		put(path);
	}
	dir = open_dir("/d", flags);
	for (i = 0; i < 20; i++)
		entry = next(dir);
	strcpy(after, rest(dir));
	ok(mvfs_seekdir(dir, entry.cookie));
	ck_assert_str_eq(rest(dir), after);
	again = open_dir("/d", flags);
	ok(mvfs_seekdir(again, entry.cookie));
	ck_assert_str_eq(rest(again), after);
	ok(mvfs_seekdir(again, 0));
	for (i = 0; i < 19; i++)
		next(again);
	ck_assert_str_eq(next(again).name, entry.name);
	ok(mvfs_closedir(dir));
	ok(mvfs_closedir(again));
}

START_TEST(test_a_cookie_is_where_a_sorted_listing_goes_on)
{
	seek_in(0);
}
END_TEST

START_TEST(test_a_cookie_is_where_an_unsorted_listing_goes_on)
{
	seek_in(MVFS_LIST_UNSORTED);
}
END_TEST

START_TEST(test_cookies_of_dots_go_on_behind_them)
{
	struct mvfs_dir *dir;
	uint64_t dot, dotdot;

	put("/d/a");
	dir = open_dir("/d", MVFS_LIST_DOTS);
	dot = next(dir).cookie;
	dotdot = next(dir).cookie;
	ok(mvfs_seekdir(dir, dot));
	ck_assert_str_eq(rest(dir), ".. a ");
	ok(mvfs_seekdir(dir, dotdot));
	ck_assert_str_eq(rest(dir), "a ");
	ok(mvfs_closedir(dir));
}
END_TEST

START_TEST(test_an_unknown_cookie_is_einval_and_changes_nothing)
{
	struct mvfs_dir *dir;
	uint64_t gone;

	put("/d/a");
	put("/d/b");
	dir = open_dir("/d", 0);
	gone = next(dir).cookie;
	ok(mvfs_unlink(fs, "/d/a"));
	ok(mvfs_seekdir(dir, gone));
	ok(mvfs_rewinddir(dir));
	fails(mvfs_seekdir(dir, gone), EINVAL);
	ck_assert_str_eq(rest(dir), "b ");
	ok(mvfs_closedir(dir));
}
END_TEST

START_TEST(test_opendirat_lists_a_descriptor_or_below_it)
{
	struct mvfs_dir *dir;
	int fd;

	ok(mvfs_mkdir(fs, "/d/s", 0755));
	put("/d/s/f");
	fd = (int)ok(mvfs_open(fs, "/d", O_RDONLY | O_DIRECTORY, 0));
	ok(mvfs_opendirat(fs, fd, "", 0, &dir));
	ck_assert_str_eq(rest(dir), "s ");
	ok(mvfs_closedir(dir));
	ok(mvfs_opendirat(fs, fd, "s", 0, &dir));
	ck_assert_str_eq(rest(dir), "f ");
	ok(mvfs_closedir(dir));
	fails(mvfs_opendirat(fs, MVFS_AT_FDCWD, "", 0, &dir), ENOENT);
	ok(mvfs_close(fs, fd));
	fails(mvfs_opendirat(fs, fd, "s", 0, &dir), EBADF);
}
END_TEST

START_TEST(test_listings_refuse_what_they_do_not_know)
{
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;

	fails(mvfs_opendir(fs, "/d", 0x80, &dir), EINVAL);
	fails(mvfs_opendir(NULL, "/d", 0, &dir), EINVAL);
	fails(mvfs_opendir(fs, "/d", 0, NULL), EFAULT);
	fails(mvfs_readdir(NULL, &entry), EFAULT);
	ok(mvfs_closedir(NULL));
}
END_TEST

/* What a walk came to: a line for each call. */
struct trail {
	char text[4096];
	const char *act_at;  /* where the callback does something */
	int result;          /* then it returns this */
	const char *remove;  /* and unlinks that before */
};

static int note(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct trail *trail = ctx;
	char line[300];

	ck_assert_uint_eq(entry->path_len, strlen(entry->path));
	snprintf(line, sizeof(line), "%u%c%s[%s] ", entry->depth,
		 entry->order == MVFS_WALK_POST ? '^' : ' ', entry->path,
		 entry->name);
	strcat(trail->text, line);
	if (!trail->act_at || strcmp(entry->path, trail->act_at))
		return 0;
	if (trail->remove)
		ok(mvfs_unlink(fs, trail->remove));
	return trail->result;
}

static void make_tree(void)
{
	ok(mvfs_mkdir(fs, "/d/s", 0755));
	put("/d/s/f");
	put("/d/a");
	ok(mvfs_symlink(fs, "s", "/d/z"));
}

START_TEST(test_a_walk_goes_depth_first_by_sorted_names)
{
	struct trail trail = { .text = "" };

	make_tree();
	ok(mvfs_walk(fs, "/d", 0, note, &trail));
	ck_assert_str_eq(trail.text, "0 /d[d] 1 /d/a[a] 1 /d/s[s] "
			 "2 /d/s/f[f] 1 /d/z[z] ");
}
END_TEST

START_TEST(test_a_walk_tells_directories_twice_if_asked_to)
{
	struct trail trail = { .text = "" };

	make_tree();
	ok(mvfs_walk(fs, "/d", MVFS_WALK_BOTH, note, &trail));
	ck_assert_str_eq(trail.text, "0 /d[d] 1 /d/a[a] 1 /d/s[s] "
			 "2 /d/s/f[f] 1^/d/s[s] 1 /d/z[z] 0^/d[d] ");
}
END_TEST

START_TEST(test_a_walk_follows_the_path_given_and_no_other_symlink)
{
	struct trail trail = { .text = "" };

	make_tree();
	ok(mvfs_walk(fs, "/d/z", 0, note, &trail));
	ck_assert_str_eq(trail.text, "0 /d/z[z] 1 /d/z/f[f] ");
	trail.text[0] = 0;
	ok(mvfs_walk(fs, "/d/a", 0, note, &trail));
	ck_assert_str_eq(trail.text, "0 /d/a[a] ");
}
END_TEST

START_TEST(test_a_walk_skips_and_ends_as_it_is_told)
{
	struct trail trail = { "", "/d/s", MVFS_WALK_SKIP, NULL };

	make_tree();
	ok(mvfs_walk(fs, "/d", 0, note, &trail));
	ck_assert_str_eq(trail.text,
			 "0 /d[d] 1 /d/a[a] 1 /d/s[s] 1 /d/z[z] ");
	trail.text[0] = 0;
	trail.result = -42;
	ck_assert_int_eq(mvfs_walk(fs, "/d", 0, note, &trail), -42);
	ck_assert_str_eq(trail.text, "0 /d[d] 1 /d/a[a] 1 /d/s[s] ");
}
END_TEST

START_TEST(test_a_walk_leaves_out_what_goes_meanwhile)
{
	struct trail trail = { "", "/d/a", 0, "/d/s/f" };

	make_tree();
	ok(mvfs_walk(fs, "/d", 0, note, &trail));
	ck_assert_str_eq(trail.text,
			 "0 /d[d] 1 /d/a[a] 1 /d/s[s] 1 /d/z[z] ");
}
END_TEST

START_TEST(test_a_walk_fails_where_it_may_not_read)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	struct trail trail = { .text = "" };
	mvfs *user;

	make_tree();
	ok(mvfs_chmod(fs, "/d/s", 0700));
	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	ok(mvfs_view(fs, &options, &user));
	fails(mvfs_walk(user, "/d", 0, note, &trail), EACCES);
	fails(mvfs_walk(user, "/none", 0, note, &trail), ENOENT);
	fails(mvfs_walk(user, "/d", 0x80, note, &trail), EINVAL);
	fails(mvfs_walk(user, "/d", 0, NULL, NULL), EFAULT);
	ok(mvfs_destroy(user));
}
END_TEST

/* What a walk has come to, the way in or out. */
struct depth {
	size_t longest;
	unsigned in, out;
};

static int measure(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct depth *depth = ctx;
	struct mvfs_string text;
	size_t i;

	if (entry->order == MVFS_WALK_POST)
		depth->out++;
	else
		ck_assert_uint_eq(entry->depth, depth->in++);
	ck_assert_uint_eq(entry->path_len, strlen(entry->path));
	for (i = 2; i < entry->path_len; i++)
		if (entry->path[i] != (i % 101 == 2 ? '/' : 'n'))
			ck_abort_msg("byte %zu of a path", i);
	if (entry->path_len > depth->longest)
		depth->longest = entry->path_len;
	/* a callback makes calls of its own, as deep */
	ck_assert_int_eq(mvfs_read_string(fs, entry->path, NULL, 0, &text,
					  NULL),
			 entry->path_len < 4096 ? -EISDIR : -ENAMETOOLONG);
	return 0;
}

/* Deeper than a path can name, or scratch memory holds. */
START_TEST(test_a_walk_goes_as_deep_as_there_is)
{
	enum { LEVELS = 600 };
	struct depth depth = { 0 };
	char name[101];
	int i;

	memset(name, 'n', 100);
	name[100] = 0;
	ok(mvfs_chdir(fs, "/d"));
	for (i = 0; i < LEVELS; i++) {
		ok(mvfs_mkdir(fs, name, 0755));
		ok(mvfs_chdir(fs, name));
	}
	ok(mvfs_chdir(fs, "/"));
	ok(mvfs_walk(fs, "/d", MVFS_WALK_BOTH, measure, &depth));
	ck_assert_uint_eq(depth.in, LEVELS + 1);
	ck_assert_uint_eq(depth.out, LEVELS + 1);
	ck_assert_uint_eq(depth.longest, 2 + 101 * LEVELS);
}
END_TEST

static void add_walks(Suite *suite)
{
	TCase *t = tcase_create("walks");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_walk_goes_depth_first_by_sorted_names);
	tcase_add_test(t, test_a_walk_tells_directories_twice_if_asked_to);
	tcase_add_test(t,
	    test_a_walk_follows_the_path_given_and_no_other_symlink);
	tcase_add_test(t, test_a_walk_skips_and_ends_as_it_is_told);
	tcase_add_test(t, test_a_walk_leaves_out_what_goes_meanwhile);
	tcase_add_test(t, test_a_walk_fails_where_it_may_not_read);
	tcase_add_test(t, test_a_walk_goes_as_deep_as_there_is);
	suite_add_tcase(suite, t);
}

int main(void)
{
	Suite *suite = suite_create("listing");
	TCase *t = tcase_create("listings");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_names_are_sorted_by_their_bytes);
	tcase_add_test(t, test_any_number_of_names_is_sorted);
	tcase_add_test(t, test_dots_come_first_and_only_if_asked_for);
	tcase_add_test(t, test_an_entry_tells_inode_and_type);
	tcase_add_test(t, test_a_listing_holds_the_directory_as_it_was);
	tcase_add_test(t,
	    test_a_listing_goes_on_after_its_directory_is_removed);
	tcase_add_test(t, test_a_cookie_is_where_a_sorted_listing_goes_on);
	tcase_add_test(t, test_a_cookie_is_where_an_unsorted_listing_goes_on);
	tcase_add_test(t, test_cookies_of_dots_go_on_behind_them);
	tcase_add_test(t,
	    test_an_unknown_cookie_is_einval_and_changes_nothing);
	tcase_add_test(t, test_opendirat_lists_a_descriptor_or_below_it);
	tcase_add_test(t, test_listings_refuse_what_they_do_not_know);
	suite_add_tcase(suite, t);
	add_walks(suite);
	return run_suite(suite);
}
