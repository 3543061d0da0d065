/* SPDX-License-Identifier: MIT */
/*
 * Restoring a tree that is mounted: through the mount it is what it was, also
 * for who has files open or mapped, whatever the kernel has kept of them.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const struct mvfs_mount_options plain = { .size = sizeof plain };
static const struct mvfs_mount_options uncached = {
	.size = sizeof uncached, .options = "cache=none",
};
static const struct mvfs_mount_options *const both[] = { &plain, &uncached };

static const struct timespec long_ago[2] = { { .tv_sec = 1000 },
					     { .tv_sec = 1000 } };

static void make(const char *name, const char *text)
{
	int fd = ok(host(open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0644)));

	ok(host(write(fd, text, strlen(text))));
	ok(host(futimens(fd, long_ago)));
	ok(host(close(fd)));
}

/* Bytes of the same number and time: nothing but the bytes tells. */
static void overwrite(int fd, const char *text)
{
	ok(host(pwrite(fd, text, strlen(text), 0)));
	ok(host(futimens(fd, long_ago)));
}

static void reads(int fd, const char *text)
{
	char got[64];
	int64_t n = ok(host(pread(fd, got, sizeof got, 0)));

	ck_assert_int_eq(n, (int64_t)strlen(text));
	ck_assert_int_eq(memcmp(got, text, n), 0);
}

static FILE *seen;

static void see_bytes(const char *path)
{
	int fd = ok(host(open(path, O_RDONLY)));
	char bytes[64];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		fwrite(bytes, 1, n, seen);
	close(fd);
}

static int see(const char *path, const struct stat *st, int type,
	       struct FTW *where)
{
	char target[64] = "", value[64] = "";

	(void)where;
	fprintf(seen, "%s %o %u %u %lld\n", path + strlen(dir), st->st_mode,
		(unsigned)st->st_uid, (unsigned)st->st_nlink,
		(long long)st->st_size);
	if (type == FTW_F)
		see_bytes(path);
	if (type == FTW_SL)
		ok(host(readlink(path, target, sizeof target - 1)));
	else if (getxattr(path, "user.a", value, sizeof value - 1) < 0)
		value[0] = '\0';
	fprintf(seen, "\n%s %s\n", target, value);
	return 0;
}

/* All that can be seen through the mount, as text; malloc'd. */
static char *whole_tree(void)
{
	char *text;
	size_t len;

	seen = open_memstream(&text, &len);
	ck_assert_ptr_nonnull(seen);
	ck_assert_int_eq(nftw(dir, see, 10, FTW_PHYS), 0);
	fclose(seen);
	return text;
}

static void make_tree(void)
{
	ok(host(mkdir(at("d"), 0755)));
	ok(host(mkdir(at("d/sub"), 0700)));
	make("d/file", "one");
	make("d/other", "two");
	make("gone", "three");
	make("d/sub/deep", "four");
	ok(host(symlink("d/file", at("link"))));
	ok(host(link(at("d/file"), at("second"))));
	ok(host(setxattr(at("d"), "user.a", "1", 1, 0)));
}

static void change_tree(void)
{
	make("new", "new");
	make("d/file", "ONE and more");
	ok(host(unlink(at("gone"))));
	ok(host(mkdir(at("gone"), 0755)));
	ok(host(rename(at("d/sub"), at("moved"))));
	ok(host(unlink(at("second"))));
	ok(host(unlink(at("link"))));
	ok(host(symlink("new", at("link"))));
	ok(host(chmod(at("d/other"), 0600)));
	ok(host(setxattr(at("d"), "user.a", "2", 1, 0)));
}

START_TEST(test_the_mount_shows_exactly_the_old_tree)
{
	struct mvfs_snapshot *snapshot;
	char *before, *between, *after;
	int i;

	begin_mount_with(both[_i]);
	make_tree();
	before = whole_tree();
	ok(mvfs_snapshot(fs, &snapshot));
	for (i = 0; i < 3; i++) {
		change_tree();
		between = whole_tree();
		ck_assert_str_ne(before, between);
		ok(mvfs_restore(fs, snapshot));
		after = whole_tree();
		ck_assert_str_eq(before, after);
		free(between);
		free(after);
	}
	free(before);
	mvfs_snapshot_release(snapshot);
	end_mount();
}
END_TEST

START_TEST(test_files_that_are_open_are_what_they_were)
{
	struct mvfs_snapshot *snapshot;
	int kept, removed, new;

	begin_mount_with(both[_i]);
	make("kept", "one");
	make("removed", "two");
	kept = ok(host(open(at("kept"), O_RDWR)));
	removed = ok(host(open(at("removed"), O_RDWR)));
	ok(mvfs_snapshot(fs, &snapshot));
	overwrite(kept, "ONE");
	overwrite(removed, "TWO");
	ok(host(unlink(at("removed"))));
	make("new", "three");
	new = ok(host(open(at("new"), O_RDWR)));
	reads(kept, "ONE");
	reads(removed, "TWO");
	ok(mvfs_restore(fs, snapshot));
	reads(kept, "one");
	reads(removed, "two");
	/* Like a file whose last name was removed. */
	reads(new, "three");
	fails(host(access(at("new"), F_OK)), ENOENT);
	overwrite(kept, "oNe");
	overwrite(new, "threE");
	reads(kept, "oNe");
	reads(new, "threE");
	mvfs_snapshot_release(snapshot);
	close(kept);
	close(removed);
	close(new);
	end_mount();
}
END_TEST

START_TEST(test_a_directory_that_was_removed_is_alive_again)
{
	struct mvfs_snapshot *snapshot;
	int file, sub, i;
	char *before, *after;

	begin_mount_with(both[_i]);
	make_tree();
	/* Whoever has these open keeps the kernel from forgetting. */
	file = ok(host(open(at("d/sub/deep"), O_RDWR)));
	sub = ok(host(open(at("d/sub"), O_RDONLY | O_DIRECTORY)));
	before = whole_tree();
	ok(mvfs_snapshot(fs, &snapshot));
	for (i = 0; i < 3; i++) {
		ok(host(unlink(at("d/sub/deep"))));
		if (i % 2) {
			ok(host(mkdir(at("over"), 0755)));
			ok(host(rename(at("over"), at("d/sub"))));
		} else {
			ok(host(rmdir(at("d/sub"))));
		}
		ok(mvfs_restore(fs, snapshot));
		after = whole_tree();
		ck_assert_str_eq(before, after);
		free(after);
		make("d/sub/new", "new");
		ok(mvfs_restore(fs, snapshot));
		reads(file, "four");
	}
	free(before);
	mvfs_snapshot_release(snapshot);
	close(file);
	close(sub);
	end_mount();
}
END_TEST

START_TEST(test_mapped_pages_are_what_they_were)
{
	struct mvfs_snapshot *snapshot;
	char *shared, *own;
	int fd;

	begin_mount();
	make("file", "one");
	fd = ok(host(open(at("file"), O_RDWR)));
	shared = mmap(NULL, 3, PROT_READ, MAP_SHARED, fd, 0);
	own = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert(shared != MAP_FAILED && own != MAP_FAILED);
	ok(mvfs_snapshot(fs, &snapshot));
	overwrite(fd, "ONE");
	ck_assert_mem_eq(shared, "ONE", 3);
	ck_assert_mem_eq(own, "ONE", 3);
	ok(mvfs_restore(fs, snapshot));
	ck_assert_mem_eq(shared, "one", 3);
	ck_assert_mem_eq(own, "one", 3);
	mvfs_snapshot_release(snapshot);
	munmap(shared, 3);
	munmap(own, 3);
	close(fd);
	end_mount();
}
END_TEST

static void library_has(const char *path, const char *text)
{
	struct mvfs_string bytes;

	ok(mvfs_read_file(fs, path, &bytes));
	ck_assert_uint_eq(bytes.len, strlen(text));
	ck_assert_int_eq(memcmp(bytes.data, text, bytes.len), 0);
	mvfs_string_release(&bytes);
}

START_TEST(test_stores_before_a_restore_do_not_come_after_it)
{
	struct mvfs_snapshot *snapshot;
	char *map;
	int fd;

	begin_mount();
	make("file", "one");
	fd = ok(host(open(at("file"), O_RDWR)));
	map = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert(map != MAP_FAILED);
	ok(mvfs_snapshot(fs, &snapshot));
	memcpy(map, "ONE", 3);
	ok(mvfs_restore(fs, snapshot));
	ck_assert_mem_eq(map, "one", 3);
	ok(host(msync(map, 3, MS_SYNC)));
	library_has("/file", "one");
	memcpy(map, "oNe", 3);
	ok(host(msync(map, 3, MS_SYNC)));
	library_has("/file", "oNe");
	munmap(map, 3);
	mvfs_snapshot_release(snapshot);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_all_mounts_of_an_instance_are_told)
{
	struct mvfs_snapshot *snapshot;
	struct mvfs_mount *second;
	const char *other = fresh_dir();
	int one, two;

	begin_mount();
	make("file", "one");
	ok(mvfs_mount(fs, other, NULL, &second, NULL));
	one = ok(host(open(at("file"), O_RDWR)));
	two = ok(host(open(in(other, "file"), O_RDONLY)));
	ok(mvfs_snapshot(fs, &snapshot));
	overwrite(one, "ONE");
	reads(one, "ONE");
	reads(two, "ONE");
	ok(mvfs_restore(fs, snapshot));
	reads(one, "one");
	reads(two, "one");
	close(one);
	close(two);
	ok(mvfs_unmount(second));
	overwrite((one = (int)ok(host(open(at("file"), O_RDWR)))), "ONE");
	ok(mvfs_restore(fs, snapshot));
	reads(one, "one");
	close(one);
	mvfs_snapshot_release(snapshot);
	ok(host(rmdir(other)));
	end_mount();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse restore");
	TCase *t = tcase_create("restore");

	tcase_add_loop_test(t, test_the_mount_shows_exactly_the_old_tree, 0,
			    2);
	tcase_add_loop_test(t, test_files_that_are_open_are_what_they_were, 0,
			    2);
	tcase_add_loop_test(t,
			    test_a_directory_that_was_removed_is_alive_again,
			    0, 2);
	tcase_add_test(t, test_mapped_pages_are_what_they_were);
	tcase_add_test(t, test_stores_before_a_restore_do_not_come_after_it);
	tcase_add_test(t, test_all_mounts_of_an_instance_are_told);
	suite_add_tcase(suite, t);
	return run_fuse_tests(suite);
}
