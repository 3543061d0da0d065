/* SPDX-License-Identifier: MIT */
/*
 * Library and mount are two doors to one tree: what one did, the other sees
 * at its next call. And what only the adapter can get wrong: where bytes go,
 * listings, and who acts.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void library_has(const char *path, const char *text, size_t len)
{
	struct mvfs_string bytes;

	ok(mvfs_read_file(fs, path, &bytes));
	ck_assert_uint_eq(bytes.len, len);
	ck_assert_int_eq(memcmp(bytes.data, text, len), 0);
	mvfs_string_release(&bytes);
}

static void reads(int fd, int64_t offset, const char *text)
{
	char got[64];
	int64_t n = ok(host(pread(fd, got, sizeof got, offset)));

	ck_assert_int_eq(n, (int64_t)strlen(text));
	ck_assert_int_eq(memcmp(got, text, n), 0);
}

START_TEST(test_writes_of_the_library_are_read_at_the_next_open)
{
	int fd, i;
	char text[16];

	begin_mount();
	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof text, "%d", i * i * i);
		ok(mvfs_write_file(fs, "/file", text, strlen(text)));
		fd = ok(host(open(at("file"), O_RDONLY)));
		reads(fd, 0, text);
		close(fd);
	}
	end_mount();
}
END_TEST

/* Same size each time: only the pages could be old. */
START_TEST(test_writes_of_the_library_are_read_by_files_that_are_open)
{
	int inside, fd, i;
	char text[] = "aaaa";

	begin_mount();
	ok(mvfs_write_file(fs, "/file", "....", 4));
	inside = ok(mvfs_open(fs, "/file", O_RDWR, 0));
	fd = ok(host(open(at("file"), O_RDWR)));
	for (i = 0; i < 20; i++) {
		text[i % 4] = 'a' + i;
		ok(mvfs_pwrite(fs, inside, text, 4, 0));
		reads(fd, 0, text);
	}
	ok(mvfs_ftruncate(fs, inside, 2));
	text[2] = '\0';
	reads(fd, 0, text);
	ok(mvfs_close(fs, inside));
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_writes_of_the_mount_are_in_the_tree_when_they_return)
{
	int fd;

	begin_mount();
	fd = ok(host(open(at("file"), O_RDWR | O_CREAT, 0644)));
	ok(host(write(fd, "one ", 4)));
	library_has("/file", "one ", 4);
	ok(host(write(fd, "two", 3)));
	library_has("/file", "one two", 7);
	ok(host(pwrite(fd, "X", 1, 0)));
	library_has("/file", "Xne two", 7);
	ok(host(ftruncate(fd, 2)));
	library_has("/file", "Xn", 2);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_names_and_attributes_of_the_library_are_seen_at_once)
{
	struct stat st;
	int i;

	begin_mount();
	for (i = 0; i < 10; i++) {
		fails(host(stat(at("a"), &st)), ENOENT);
		ok(mvfs_write_file(fs, "/a", "x", 1));
		ok(host(stat(at("a"), &st)));
		ok(mvfs_chmod(fs, "/a", 0600 + i % 2));
		ok(host(stat(at("a"), &st)));
		ck_assert_uint_eq(st.st_mode & 07777, 0600u + i % 2);
		ok(mvfs_truncate(fs, "/a", 1000 + i));
		ok(host(stat(at("a"), &st)));
		ck_assert_int_eq(st.st_size, 1000 + i);
		ok(mvfs_rename(fs, "/a", "/b"));
		fails(host(stat(at("a"), &st)), ENOENT);
		ok(host(stat(at("b"), &st)));
		ok(mvfs_unlink(fs, "/b"));
		fails(host(stat(at("b"), &st)), ENOENT);
		/* the same name, of another type */
		ok(mvfs_mkdir(fs, "/a", 0700));
		ok(host(stat(at("a"), &st)));
		ck_assert(S_ISDIR(st.st_mode));
		ok(mvfs_rmdir(fs, "/a"));
	}
	end_mount();
}
END_TEST

START_TEST(test_append_goes_to_the_end_that_the_library_moved)
{
	int fd, inside;

	begin_mount();
	fd = ok(host(open(at("log"), O_WRONLY | O_APPEND | O_CREAT, 0644)));
	inside = ok(mvfs_open(fs, "/log", O_WRONLY | O_APPEND, 0));
	ok(host(write(fd, "1", 1)));
	ok(mvfs_write(fs, inside, "22", 2));
	ok(host(write(fd, "333", 3)));
	ok(mvfs_write(fs, inside, "4", 1));
	ok(host(write(fd, "5", 1)));
	library_has("/log", "12233345", 8);
	/* As on Linux, pwrite(2) appends, too. */
	ok(host(pwrite(fd, "6", 1, 0)));
	library_has("/log", "122333456", 9);
	ok(mvfs_close(fs, inside));
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_append_follows_fcntl)
{
	int fd;

	begin_mount();
	fd = ok(host(open(at("f"), O_RDWR | O_APPEND | O_CREAT, 0644)));
	ok(host(write(fd, "abc", 3)));
	ok(host(fcntl(fd, F_SETFL, 0)));
	ok(host(pwrite(fd, "X", 1, 0)));
	library_has("/f", "Xbc", 3);
	ok(host(fcntl(fd, F_SETFL, O_APPEND)));
	ok(host(pwrite(fd, "d", 1, 0)));
	library_has("/f", "Xbcd", 4);
	close(fd);
	end_mount();
}
END_TEST

/*
 * In another process: unmapping waits for the mount with the memory map of
 * the process locked, which a thread that serves the mount may need.
 */
static int stores(void *path)
{
	int fd = open(path, O_RDWR | O_APPEND);
	char *map;

	map = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	memcpy(map + 3, "xyz", 3);
	if (msync(map, 10, MS_SYNC))
		return -errno;
	map[0] = 'A';
	return host(munmap(map, 10));
}

/* The file appends: its pages have their place all the same. */
START_TEST(test_stores_through_a_mapping_go_to_their_place)
{
	int status = 0, fd;
	pid_t child;

	begin_mount();
	ok(mvfs_write_file(fs, "/f", "0123456789", 10));
	child = ok(host(fork()));
	if (!child)
		_exit(-stores((void *)at("f")));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	library_has("/f", "A12xyz6789", 10);
	fd = ok(host(open(at("f"), O_RDONLY)));
	reads(fd, 0, "A12xyz6789");
	close(fd);
	end_mount();
}
END_TEST

/* As large requests as the kernel makes, where that can be asked for. */
static void read_far_ahead(void)
{
	char path[64];
	struct stat st;
	int fd;

	ok(host(stat(dir, &st)));
	snprintf(path, sizeof path, "/sys/class/bdi/%u:%u/read_ahead_kb",
		 major(st.st_dev), minor(st.st_dev));
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return;
	ok(host(write(fd, "1024", 4)));
	close(fd);
}

/* More pieces than one answer has: less would be taken for the file's end. */
START_TEST(test_crumbled_files_are_read_whole)
{
	enum { BLOCK = 4096, COUNT = 400 };
	char *expected = calloc(COUNT, BLOCK), *got = malloc(COUNT * BLOCK);
	int inside, fd, i;

	begin_mount();
	read_far_ahead();
	inside = ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0644));
	memset(expected, 'x', COUNT * BLOCK);
	ok(mvfs_pwrite(fs, inside, expected, COUNT * BLOCK, 0));
	for (i = 0; i < COUNT; i += 2) {
		ok(mvfs_fallocate(fs, inside,
				  MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE,
				  (int64_t)i * BLOCK, BLOCK));
		memset(expected + i * BLOCK, 0, BLOCK);
	}
	for (i = 1; i < COUNT; i += 6) {
		ok(mvfs_pwrite(fs, inside, "y", 1, (int64_t)i * BLOCK + 77));
		expected[i * BLOCK + 77] = 'y';
	}
	fd = ok(host(open(at("f"), O_RDONLY)));
	ck_assert_int_eq(ok(host(read(fd, got, COUNT * BLOCK))),
			 COUNT * BLOCK);
	ck_assert_int_eq(memcmp(got, expected, COUNT * BLOCK), 0);
	close(fd);
	/* Past the cache, in one request as large as there is. */
	fd = ok(host(open(at("f"), O_RDONLY | O_DIRECT)));
	memset(got, 1, COUNT * BLOCK);
	ck_assert_int_eq(ok(host(pread(fd, got, COUNT * BLOCK, 0))),
			 COUNT * BLOCK);
	ck_assert_int_eq(memcmp(got, expected, COUNT * BLOCK), 0);
	/* Holes, larger than what is kept for zeros. */
	ok(mvfs_ftruncate(fs, inside, 0));
	ok(mvfs_ftruncate(fs, inside, COUNT * BLOCK - 5));
	memset(expected, 0, COUNT * BLOCK);
	ck_assert_int_eq(ok(host(pread(fd, got, COUNT * BLOCK, 0))),
			 COUNT * BLOCK - 5);
	ck_assert_int_eq(memcmp(got, expected, COUNT * BLOCK - 5), 0);
	ck_assert_int_eq(ok(host(pread(fd, got, BLOCK, COUNT * BLOCK))), 0);
	close(fd);
	ok(mvfs_close(fs, inside));
	free(expected);
	free(got);
	end_mount();
}
END_TEST

START_TEST(test_ranges_are_passed_on)
{
	off_t from = 0, to = 5;
	struct stat st;
	int a, b;

	begin_mount();
	a = ok(host(open(at("a"), O_RDWR | O_CREAT, 0644)));
	b = ok(host(open(at("b"), O_RDWR | O_CREAT, 0644)));
	ok(host(ftruncate(a, 1 << 20)));
	ok(host(pwrite(a, "x", 1, 8192)));
	ck_assert_int_eq(lseek(a, 0, SEEK_DATA), 8192);
	ck_assert_int_eq(lseek(a, 8192, SEEK_HOLE), 12288);
	fails(host(lseek(a, 12288, SEEK_DATA)), ENXIO);
	ok(host(fallocate(a, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192,
			  4096)));
	ok(host(fstat(a, &st)));
	ck_assert_int_eq(st.st_blocks, 0);
	ok(host(fallocate(b, 0, 0, 65536)));
	ok(host(fstat(b, &st)));
	ck_assert_int_eq(st.st_blocks, 128);
	ck_assert_int_eq(st.st_size, 65536);
	fails(host(fallocate(b, FALLOC_FL_COLLAPSE_RANGE, 0, 4096)),
	      EOPNOTSUPP);
	ok(host(ftruncate(b, 0)));
	ok(host(ftruncate(a, 0)));
	ok(host(pwrite(a, "0123456789", 10, 0)));
	ck_assert_int_eq(ok(host(copy_file_range(a, &from, b, &to, 8, 0))), 8);
	library_has("/b", "\0\0\0\0\000" "01234567", 13);
	ck_assert_int_eq(from, 8);
	ck_assert_int_eq(to, 13);
	close(a);
	close(b);
	end_mount();
}
END_TEST

/* Each name that stays comes exactly once, in whatever pieces. */
START_TEST(test_large_directories_list_each_name_once)
{
	enum { COUNT = 5000 };
	char *seen = calloc(COUNT, 1), path[64];
	struct dirent *entry;
	int i, number, n = 0, dots = 0;
	struct stat st;
	DIR *open_dir;

	begin_mount();
	ok(mvfs_mkdir(fs, "/d", 0755));
	for (i = 0; i < COUNT; i++) {
		snprintf(path, sizeof path, "/d/name-%d", i);
		ok(mvfs_write_file(fs, path, "", 0));
	}
	open_dir = opendir(at("d"));
	while ((entry = readdir(open_dir))) {
		if (entry->d_name[0] == '.') {
			dots++;
			continue;
		}
		ck_assert_int_eq(sscanf(entry->d_name, "name-%d", &number), 1);
		ck_assert_int_eq(seen[number], 0);
		ck_assert_int_eq(entry->d_type, DT_REG);
		ok(host(fstatat(dirfd(open_dir), entry->d_name, &st, 0)));
		ck_assert_uint_eq(st.st_ino, entry->d_ino);
		seen[number] = 1;
		n++;
		/* They go while they are listed, by either door. */
		snprintf(path, sizeof path, "/d/name-%d", number);
		if (n % 2)
			ok(mvfs_unlink(fs, path));
		else
			ok(host(unlinkat(dirfd(open_dir), entry->d_name, 0)));
	}
	ck_assert_int_eq(n, COUNT);
	ck_assert_int_eq(dots, 2);
	closedir(open_dir);
	ok(host(rmdir(at("d"))));
	free(seen);
	end_mount();
}
END_TEST

START_TEST(test_seekdir_goes_on_where_it_was)
{
	char name[64], first[64] = "";
	struct dirent *entry;
	DIR *open_dir;
	long place = 0;
	int i;

	begin_mount();
	for (i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "/n%d", i);
		ok(mvfs_write_file(fs, name, "", 0));
	}
	open_dir = opendir(dir);
	for (i = 0; i < 100; i++)
		ck_assert_ptr_nonnull(readdir(open_dir));
	place = telldir(open_dir);
	entry = readdir(open_dir);
	snprintf(first, sizeof first, "%.60s", entry->d_name);
	for (i = 0; i < 150; i++)
		ck_assert_ptr_nonnull(readdir(open_dir));
	seekdir(open_dir, place);
	ck_assert_str_eq(readdir(open_dir)->d_name, first);
	rewinddir(open_dir);
	ck_assert_str_eq(readdir(open_dir)->d_name, ".");
	closedir(open_dir);
	end_mount();
}
END_TEST

START_TEST(test_statfs_tells_limits_and_use)
{
	struct statvfs st;
	uint64_t used;

	begin_mount();
	/* Without a limit there is room, or installers would not start. */
	ok(host(statvfs(dir, &st)));
	ck_assert_uint_gt(st.f_bavail, 0);
	ck_assert_uint_gt(st.f_favail, 0);
	ck_assert_uint_eq(st.f_namemax, 255);
	ok(mvfs_set_limits(fs, 1 << 20, 100));
	ok(host(statvfs(dir, &st)));
	ck_assert_uint_eq(st.f_blocks * st.f_frsize, 1 << 20);
	ck_assert_uint_eq(st.f_files, 100);
	ck_assert_uint_eq(st.f_ffree, 99);
	used = st.f_blocks - st.f_bfree;
	ok(mvfs_write_file(fs, "/f", "x", 1));
	ok(host(statvfs(dir, &st)));
	ck_assert_uint_eq(st.f_blocks - st.f_bfree, used + 1);
	ck_assert_uint_eq(st.f_ffree, 98);
	/* A limit below what is used: full, not more than full. */
	ok(mvfs_write_file(fs, "/g", "xy", 2));
	ok(mvfs_set_limits(fs, 4096, 1));
	ok(host(statvfs(dir, &st)));
	ck_assert_uint_eq(st.f_bfree, 0);
	ck_assert_uint_eq(st.f_ffree, 0);
	end_mount();
}
END_TEST

START_TEST(test_xattrs_pass_both_ways)
{
	char value[300] = "", got[300];
	ssize_t n;

	begin_mount();
	memset(value, 'v', 299);
	ok(mvfs_write_file(fs, "/f", "", 0));
	ok(mvfs_setxattr(fs, "/f", "user.a", value, 299, 0));
	n = ok(host(getxattr(at("f"), "user.a", NULL, 0)));
	ck_assert_int_eq(n, 299);
	fails(host(getxattr(at("f"), "user.a", got, 10)), ERANGE);
	n = ok(host(getxattr(at("f"), "user.a", got, sizeof got)));
	ck_assert_int_eq(memcmp(got, value, 299), 0);
	fails(host(getxattr(at("f"), "user.b", got, sizeof got)), ENODATA);
	fails(host(setxattr(at("f"), "user.a", "", 0, XATTR_CREATE)), EEXIST);
	fails(host(setxattr(at("f"), "user.b", "", 0, XATTR_REPLACE)),
	      ENODATA);
	ok(host(setxattr(at("f"), "user.b", "", 0, 0)));
	ck_assert_int_eq(ok(mvfs_getxattr(fs, "/f", "user.b", NULL, 0)), 0);
	n = ok(host(listxattr(at("f"), NULL, 0)));
	ck_assert_int_eq(n, 14);
	ck_assert_int_eq(ok(host(listxattr(at("f"), got, sizeof got))), 14);
	ok(host(removexattr(at("f"), "user.a")));
	fails(mvfs_getxattr(fs, "/f", "user.a", NULL, 0), ENODATA);
	end_mount();
}
END_TEST

START_TEST(test_modes_pass_with_the_umask_of_the_one_who_makes)
{
	struct stat st;
	mode_t before;

	begin_mount();
	before = umask(027);
	ok(host(close(open(at("file"), O_CREAT | O_RDWR, 0666))));
	ok(host(mkdir(at("dir"), 0777)));
	ok(host(mkfifo(at("fifo"), 0666)));
	umask(before);
	ok(host(stat(at("file"), &st)));
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0640);
	ok(host(stat(at("dir"), &st)));
	ck_assert_uint_eq(st.st_mode, S_IFDIR | 0750);
	ok(host(stat(at("fifo"), &st)));
	ck_assert_uint_eq(st.st_mode, S_IFIFO | 0640);
	end_mount();
}
END_TEST

/* What a user gets (the errno) of a call; he has the groups 50 and 51. */
static int as_user(int (*call)(void *), void *data)
{
	static const gid_t groups[] = { 50, 51 };
	int status = 0;
	pid_t child = ok(host(fork()));

	if (!child) {
		if (setgroups(2, groups) || setgid(1000) || setuid(1000))
			_exit(99);
		_exit(-call(data));
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int lists(void *path)
{
	DIR *open_dir = opendir(path);

	if (!open_dir)
		return -errno;
	closedir(open_dir);
	return 0;
}

static int stats(void *path)
{
	struct stat st;

	return host(stat(path, &st));
}

static int makes(void *path)
{
	return host(mkdir(path, 0777));
}

static int writes(void *path)
{
	int fd = open(path, O_WRONLY);

	return fd < 0 ? -errno : 0;
}

static int executes(void *path)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		execl(path, path, (char *)NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	return -WEXITSTATUS(status);
}

static void begin_for_users(void)
{
	struct mvfs_mount_options options = {
		.size = sizeof options, .flags = MVFS_MOUNT_ALLOW_OTHER,
	};

	begin_mount_with(&options);
	ok(host(chmod(dir, 0755)));
	ok(host(chmod(in(dir, ".."), 0755)));
}

START_TEST(test_supplementary_groups_decide_where_they_can)
{
	begin_for_users();
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_mkdir(fs, "/d/below", 0755));
	ok(mvfs_chown(fs, "/d", 0, 51));
	/* for the group and not for others */
	ok(mvfs_chmod(fs, "/d", 0750));
	ck_assert_int_eq(as_user(lists, (void *)at("d")), 0);
	ck_assert_int_eq(as_user(stats, (void *)at("d/below")), 0);
	ck_assert_int_eq(as_user(makes, (void *)at("d/made")), EACCES);
	ok(mvfs_chmod(fs, "/d", 0770));
	ck_assert_int_eq(as_user(makes, (void *)at("d/made")), 0);
	/* for others and not for the group */
	ok(mvfs_chmod(fs, "/d", 0705));
	ck_assert_int_eq(as_user(lists, (void *)at("d")), EACCES);
	ck_assert_int_eq(as_user(stats, (void *)at("d/below")), EACCES);
	/* not his group at all */
	ok(mvfs_chown(fs, "/d", 0, 52));
	ck_assert_int_eq(as_user(lists, (void *)at("d")), 0);
	ok(mvfs_chmod(fs, "/d", 0770));
	ck_assert_int_eq(as_user(lists, (void *)at("d")), EACCES);
	end_mount();
}
END_TEST

START_TEST(test_directories_that_can_be_read_only_list_without_attributes)
{
	begin_for_users();
	ok(mvfs_mkdir(fs, "/d", 0744));
	ok(mvfs_write_file(fs, "/d/f", "", 0));
	ck_assert_int_eq(as_user(lists, (void *)at("d")), 0);
	ck_assert_int_eq(as_user(stats, (void *)at("d/f")), EACCES);
	end_mount();
}
END_TEST

START_TEST(test_executing_needs_x_and_not_r)
{
	static const char script[] = "#!/bin/true\n";

	begin_for_users();
	ok(mvfs_write_file(fs, "/f", script, sizeof script - 1));
	ok(mvfs_chmod(fs, "/f", 0755));
	ck_assert_int_eq(as_user(executes, (void *)at("f")), 0);
	/* somebody may, but not he */
	ok(mvfs_chmod(fs, "/f", 0744));
	ck_assert_int_eq(as_user(executes, (void *)at("f")), EACCES);
	ok(mvfs_chmod(fs, "/f", 0644));
	ck_assert_int_eq(as_user(executes, (void *)at("f")), EACCES);
	ck_assert_int_eq(executes((void *)at("f")), -EACCES);
	end_mount();
}
END_TEST

static int writes_a_byte(void *path)
{
	int fd = open(path, O_WRONLY);

	return fd < 0 ? -errno : host(pwrite(fd, "x", 1, 0)) < 0;
}

START_TEST(test_a_write_by_somebody_else_clears_setuid)
{
	struct stat st;

	begin_for_users();
	ok(mvfs_write_file(fs, "/f", "text", 4));
	ok(mvfs_chmod(fs, "/f", 06777));
	ck_assert_int_eq(as_user(writes, (void *)at("f")), 0);
	ok(host(stat(at("f"), &st)));
	ck_assert_uint_eq(st.st_mode & 07777, 06777);
	ck_assert_int_eq(as_user(writes_a_byte, (void *)at("f")), 0);
	ok(host(stat(at("f"), &st)));
	ck_assert_uint_eq(st.st_mode & 07777, 0777);
	end_mount();
}
END_TEST

static TCase *users(void)
{
	TCase *tests = tcase_create("users");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests,
		       test_supplementary_groups_decide_where_they_can);
	tcase_add_test(tests,
	    test_directories_that_can_be_read_only_list_without_attributes);
	tcase_add_test(tests, test_executing_needs_x_and_not_r);
	tcase_add_test(tests, test_a_write_by_somebody_else_clears_setuid);
	return tests;
}

int main(void)
{
	Suite *suite = suite_create("fuse_coherence");
	TCase *tests = tcase_create("coherence");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests,
		       test_writes_of_the_library_are_read_at_the_next_open);
	tcase_add_test(tests,
	    test_writes_of_the_library_are_read_by_files_that_are_open);
	tcase_add_test(tests,
	    test_writes_of_the_mount_are_in_the_tree_when_they_return);
	tcase_add_test(tests,
	    test_names_and_attributes_of_the_library_are_seen_at_once);
	tcase_add_test(tests,
		       test_append_goes_to_the_end_that_the_library_moved);
	tcase_add_test(tests, test_append_follows_fcntl);
	tcase_add_test(tests,
		       test_stores_through_a_mapping_go_to_their_place);
	tcase_add_test(tests, test_crumbled_files_are_read_whole);
	tcase_add_test(tests, test_ranges_are_passed_on);
	tcase_add_test(tests, test_large_directories_list_each_name_once);
	tcase_add_test(tests, test_seekdir_goes_on_where_it_was);
	tcase_add_test(tests, test_statfs_tells_limits_and_use);
	tcase_add_test(tests, test_xattrs_pass_both_ways);
	tcase_add_test(tests,
		       test_modes_pass_with_the_umask_of_the_one_who_makes);
	suite_add_tcase(suite, tests);
	if (geteuid() == 0)
		suite_add_tcase(suite, users());
	else
		puts("left out without root: other users");
	return run_fuse_tests(suite);
}
