/* SPDX-License-Identifier: MIT */
/* memvfs/instance.h: instances, views, clones, limits, clocks. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;

static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

static struct mvfs_stat look(mvfs *view, const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_stat(view, path, &st));
	return st;
}

static void holds(mvfs *view, const char *path, const char *text)
{
	struct mvfs_string bytes;

	ok(mvfs_read_file(view, path, &bytes));
	ck_assert_uint_eq(bytes.len, strlen(text));
	ck_assert_mem_eq(bytes.data, text, bytes.len);
	mvfs_string_release(&bytes);
}

static void put(mvfs *view, const char *path, const char *text)
{
	ok(mvfs_write_file(view, path, text, strlen(text)));
}

static mvfs *view_as(uint32_t uid, uint32_t gid)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *view;

	options.set = MVFS_VIEW_CRED;
	options.uid = uid;
	options.gid = gid;
	ok(mvfs_view(fs, &options, &view));
	return view;
}

static mvfs *view_at(const char *root, const char *cwd)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *view;

	options.root = root;
	options.cwd = cwd;
	ok(mvfs_view(fs, &options, &view));
	return view;
}

START_TEST(test_a_new_file_system_is_an_empty_root)
{
	struct mvfs_statfs st;

	ck_assert_uint_eq(look(fs, "/").mode, S_IFDIR | 0755);
	ck_assert_uint_eq(look(fs, "/").nlink, 2);
	ck_assert_uint_eq(look(fs, "/").uid, 0);
	ck_assert_uint_eq(look(fs, "/").ino, look(fs, ".").ino);
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.inodes_used, 1);
	ck_assert_uint_eq(st.blocks_used, 0);
	ck_assert_uint_eq(mvfs_umask(fs, 0), 022);
}
END_TEST

START_TEST(test_options_that_are_not_known_are_einval)
{
	struct mvfs_options options = { .size = sizeof(options) };
	mvfs *none = NULL;

	options.flags = 0x80;
	fails(mvfs_create(&options, &none), EINVAL);
	options.flags = 0;
	options.root_mode = 0170000;
	fails(mvfs_create(&options, &none), EINVAL);
	options.root_mode = 0;
	options.size = 4;
	fails(mvfs_create(&options, &none), EINVAL);
	fails(mvfs_create(NULL, NULL), EFAULT);
	ck_assert_ptr_null(none);
}
END_TEST

START_TEST(test_the_root_has_the_mode_that_was_asked_for)
{
	struct mvfs_options options = { .size = sizeof(options) };
	mvfs *open;

	options.root_mode = 01777;
	ok(mvfs_create(&options, &open));
	ck_assert_uint_eq(look(open, "/").mode, S_IFDIR | 01777);
	ok(mvfs_destroy(open));
}
END_TEST

START_TEST(test_no_two_instances_have_one_device_number)
{
	mvfs *two, *clone;

	ok(mvfs_create(NULL, &two));
	ok(mvfs_clone(fs, &clone));
	ck_assert_uint_ne(look(fs, "/").dev, look(two, "/").dev);
	ck_assert_uint_ne(look(fs, "/").dev, look(clone, "/").dev);
	ok(mvfs_destroy(two));
	ok(mvfs_destroy(clone));
}
END_TEST

START_TEST(test_views_act_each_as_its_user)
{
	mvfs *user = view_as(1000, 100);

	put(fs, "/secret", "S");
	ok(mvfs_chmod(fs, "/secret", 0600));
	ok(mvfs_mkdir(fs, "/tmp", 0755));
	ok(mvfs_chmod(fs, "/tmp", 01777));
	fails(mvfs_open(user, "/secret", O_RDONLY, 0), EACCES);
	put(user, "/tmp/mine", "M");
	ck_assert_uint_eq(look(fs, "/tmp/mine").uid, 1000);
	ck_assert_uint_eq(look(fs, "/tmp/mine").gid, 100);
	holds(fs, "/secret", "S");
	ok(mvfs_destroy(user));
}
END_TEST

START_TEST(test_a_view_has_its_own_umask_and_place)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *view;

	ok(mvfs_mkdir(fs, "/d", 0755));
	options.set = MVFS_VIEW_UMASK;
	options.umask = 077;
	options.cwd = "/d";
	ok(mvfs_view(fs, &options, &view));
	ok(mvfs_mkdir(view, "s", 0777));
	ck_assert_uint_eq(look(fs, "/d/s").mode & 0777, 0700);
	ck_assert_uint_eq(mvfs_umask(fs, 022), 022);
	ok(mvfs_chdir(view, "s"));
	ck_assert_uint_eq(look(view, ".").ino, look(fs, "d/s").ino);
	ck_assert_uint_eq(look(fs, ".").ino, look(fs, "/").ino);
	ok(mvfs_destroy(view));
}
END_TEST

START_TEST(test_a_view_does_not_leave_its_root)
{
	mvfs *jail;

	ok(mvfs_mkdir(fs, "/jail", 0755));
	ok(mvfs_mkdir(fs, "/jail/d", 0755));
	put(fs, "/outside", "O");
	ok(mvfs_symlink(fs, "/outside", "/jail/l"));
	jail = view_at("/jail", NULL);
	ck_assert_uint_eq(look(jail, "/").ino, look(fs, "/jail").ino);
	ck_assert_uint_eq(look(jail, "/..").ino, look(fs, "/jail").ino);
	ck_assert_uint_eq(look(jail, "d/../../..").ino,
			  look(fs, "/jail").ino);
	fails(mvfs_open(jail, "/outside", O_RDONLY, 0), ENOENT);
	fails(mvfs_open(jail, "/l", O_RDONLY, 0), ENOENT);
	ok(mvfs_destroy(jail));
	jail = view_at("/jail", "/d");
	ck_assert_uint_eq(look(jail, ".").ino, look(fs, "/jail/d").ino);
	ok(mvfs_destroy(jail));
}
END_TEST

START_TEST(test_a_view_needs_directories_and_known_options)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *view;

	put(fs, "/f", "F");
	options.root = "/f";
	fails(mvfs_view(fs, &options, &view), ENOTDIR);
	options.root = "/none";
	fails(mvfs_view(fs, &options, &view), ENOENT);
	options.root = NULL;
	options.cwd = "/f";
	fails(mvfs_view(fs, &options, &view), ENOTDIR);
	options.cwd = NULL;
	options.set = 0x80;
	fails(mvfs_view(fs, &options, &view), EINVAL);
	options.set = MVFS_VIEW_CRED;
	options.group_count = 1;
	fails(mvfs_view(fs, &options, &view), EFAULT);
	fails(mvfs_view(NULL, NULL, &view), EINVAL);
	fails(mvfs_view(fs, NULL, NULL), EFAULT);
}
END_TEST

START_TEST(test_groups_are_copied_and_passed_on)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	uint32_t groups[] = { 7, 8 };
	mvfs *member, *like;

	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	options.groups = groups;
	options.group_count = 2;
	ok(mvfs_view(fs, &options, &member));
	groups[0] = groups[1] = 9;
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_chown(fs, "/d", 0, 8));
	ok(mvfs_chmod(fs, "/d", 0070));
	put(member, "/d/f", "F");
	ok(mvfs_view(member, NULL, &like));
	holds(like, "/d/f", "F");
	ok(mvfs_destroy(member));
	ok(mvfs_destroy(like));
}
END_TEST

START_TEST(test_descriptors_are_good_in_every_view)
{
	mvfs *user = view_as(1000, 1000);
	int fd = (int)ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0600));

	ck_assert_int_eq(ok(mvfs_write(user, fd, "abc", 3)), 3);
	ck_assert_int_eq(ok(mvfs_lseek(fs, fd, 0, SEEK_CUR)), 3);
	ok(mvfs_close(user, fd));
	fails(mvfs_close(fs, fd), EBADF);
	ok(mvfs_destroy(user));
}
END_TEST

START_TEST(test_an_instance_lives_until_its_last_view)
{
	mvfs *first, *second;

	ok(mvfs_create(NULL, &first));
	put(first, "/f", "F");
	ok(mvfs_view(first, NULL, &second));
	ok(mvfs_destroy(first));
	holds(second, "/f", "F");
	ok(mvfs_open(second, "/f", O_RDONLY, 0));
	ok(mvfs_destroy(second));
	ok(mvfs_destroy(NULL));
}
END_TEST

START_TEST(test_a_view_that_ends_loses_its_posix_locks)
{
	struct mvfs_lock lock = { .type = F_WRLCK };
	mvfs *holder;
	int fd;

	put(fs, "/f", "F");
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR, 0));
	ok(mvfs_view(fs, NULL, &holder));
	ok(mvfs_setlk(holder, fd, &lock, 0));
	fails(mvfs_setlk(fs, fd, &lock, 0), EAGAIN);
	ok(mvfs_destroy(holder));
	ok(mvfs_setlk(fs, fd, &lock, 0));
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_the_current_directory_may_go)
{
	struct mvfs_stat st;
	mvfs *clone;
	int fd;

	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_chdir(fs, "/d"));
	ok(mvfs_rmdir(fs, "/d"));
	fails(mvfs_open(fs, "f", O_CREAT | O_WRONLY, 0644), ENOENT);
	ck_assert_uint_eq(look(fs, ".").nlink, 0);
	ok(mvfs_clone(fs, &clone));
	ck_assert_uint_eq(look(clone, ".").ino, look(clone, "/").ino);
	ok(mvfs_destroy(clone));
	ok(mvfs_mkdir(fs, "/e", 0755));
	fd = (int)ok(mvfs_open(fs, "/e", O_PATH, 0));
	ok(mvfs_fchdir(fs, fd));
	ck_assert_uint_eq(look(fs, ".").ino, look(fs, "/e").ino);
	ok(mvfs_close(fs, fd));
	fails(mvfs_fchdir(fs, fd), EBADF);
	put(fs, "/f", "F");
	fails(mvfs_chdir(fs, "/f"), ENOTDIR);
	fails(mvfs_stat(fs, "/d", &st), ENOENT);
}
END_TEST

START_TEST(test_a_clone_and_its_origin_go_their_own_ways)
{
	mvfs *clone;

	ok(mvfs_mkdir(fs, "/d", 0755));
	put(fs, "/d/f", "before");
	ok(mvfs_clone(fs, &clone));
	ck_assert_uint_eq(look(clone, "/d/f").ino, look(fs, "/d/f").ino);
	put(fs, "/d/f", "origin");
	put(clone, "/d/g", "clone");
	holds(clone, "/d/f", "before");
	ok(mvfs_unlink(clone, "/d/f"));
	holds(fs, "/d/f", "origin");
	fails(mvfs_unlink(fs, "/d/g"), ENOENT);
	ck_assert_uint_eq(look(fs, "/d").nlink, 2);
	ok(mvfs_destroy(clone));
	holds(fs, "/d/f", "origin");
}
END_TEST

START_TEST(test_a_clone_outlives_its_origin)
{
	mvfs *origin, *clone;

	ok(mvfs_create(NULL, &origin));
	put(origin, "/f", "F");
	ok(mvfs_clone(origin, &clone));
	ok(mvfs_destroy(origin));
	holds(clone, "/f", "F");
	put(clone, "/f", "new");
	holds(clone, "/f", "new");
	ok(mvfs_destroy(clone));
}
END_TEST

START_TEST(test_a_clone_has_the_view_but_nothing_that_is_open)
{
	struct mvfs_statfs st;
	mvfs *user, *clone;
	int fd;

	ok(mvfs_chmod(fs, "/", 0777));
	user = view_as(1000, 1000);
	mvfs_umask(user, 027);
	fd = (int)ok(mvfs_open(user, "/f", O_RDWR | O_CREAT, 0666));
	ok(mvfs_write(user, fd, "gone", 4));
	ok(mvfs_flock(user, fd, LOCK_EX));
	ok(mvfs_unlink(user, "/f"));
	ok(mvfs_clone(user, &clone));
	fails(mvfs_read(clone, fd, &st, 1), EBADF);
	ok(mvfs_statfs(clone, &st));
	ck_assert_uint_eq(st.inodes_used, 1);
	ck_assert_uint_eq(st.blocks_used, 0);
	put(clone, "/g", "G");
	ck_assert_uint_eq(look(clone, "/g").uid, 1000);
	ck_assert_uint_eq(look(clone, "/g").mode & 0777, 0640);
	ok(mvfs_destroy(clone));
	ok(mvfs_destroy(user));
	ok(mvfs_close(fs, fd));
}
END_TEST

static struct mvfs_time fixed(void *ctx)
{
	struct mvfs_time now = { *(int64_t *)ctx, 5, 0 };

	return now;
}

START_TEST(test_a_clone_inherits_limits_counts_and_clock)
{
	static const char bytes[8192];
	int64_t seconds = 77;
	struct mvfs_statfs st;
	mvfs *clone;

	ok(mvfs_set_limits(fs, 12288, 4));
	ok(mvfs_set_clock(fs, fixed, &seconds));
	ok(mvfs_write_file(fs, "/f", bytes, sizeof(bytes)));
	ok(mvfs_clone(fs, &clone));
	ok(mvfs_statfs(clone, &st));
	ck_assert_uint_eq(st.blocks, 3);
	ck_assert_uint_eq(st.blocks_used, 2);
	ck_assert_uint_eq(st.inodes, 4);
	ck_assert_uint_eq(st.inodes_used, 2);
	fails(mvfs_write_file(clone, "/g", bytes, sizeof(bytes)), ENOSPC);
	ok(mvfs_write_file(clone, "/g", bytes, 1));
	ck_assert_int_eq(look(clone, "/g").mtime.sec, 77);
	ck_assert_int_eq(look(clone, "/g").btime.nsec, 5);
	ok(mvfs_destroy(clone));
	ok(mvfs_set_clock(fs, NULL, NULL));
}
END_TEST

START_TEST(test_a_limit_below_what_is_used_stops_growth_only)
{
	static const char bytes[8192];
	int fd;

	ok(mvfs_write_file(fs, "/f", bytes, sizeof(bytes)));
	ok(mvfs_set_limits(fs, 4096, 1));
	fails(mvfs_mkdir(fs, "/d", 0755), ENOSPC);
	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR, 0));
	ck_assert_int_eq(ok(mvfs_pwrite(fs, fd, "x", 1, 5000)), 1);
	fails(mvfs_pwrite(fs, fd, "x", 1, 8192), ENOSPC);
	ok(mvfs_ftruncate(fs, fd, 0));
	ck_assert_int_eq(ok(mvfs_pwrite(fs, fd, bytes, 8192, 0)), 4096);
	ok(mvfs_set_limits(fs, 0, 0));
	ck_assert_int_eq(ok(mvfs_pwrite(fs, fd, bytes, 8192, 0)), 8192);
	ok(mvfs_mkdir(fs, "/d", 0755));
	ok(mvfs_close(fs, fd));
}
END_TEST

static struct mvfs_time asking(void *ctx)
{
	struct mvfs_time now = { 9, 2000000000, 0 };
	struct mvfs_stat st;

	ok(mvfs_stat(*(mvfs **)ctx, "/", &st));
	return now;
}

START_TEST(test_a_clock_may_call_and_is_held_to_its_range)
{
	ok(mvfs_set_clock(fs, asking, &fs));
	ok(mvfs_mkdir(fs, "/d", 0755));
	ck_assert_int_eq(look(fs, "/d").ctime.sec, 9);
	ck_assert_int_eq(look(fs, "/d").ctime.nsec, 0);
	ok(mvfs_set_clock(fs, NULL, NULL));
	ok(mvfs_mkdir(fs, "/e", 0755));
	ck_assert_int_gt(look(fs, "/e").ctime.sec, 1700000000);
}
END_TEST

static void names_by_cookie(uint64_t seed, uint64_t cookies[20])
{
	struct mvfs_options options = { .size = sizeof(options) };
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	char path[16];
	mvfs *seeded;
	int i;

	options.flags = MVFS_SEEDED;
	options.seed[0] = seed;
	ok(mvfs_create(&options, &seeded));
	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/n%d", i);
		put(seeded, path, "");
	}
	ok(mvfs_opendir(seeded, "/", MVFS_LIST_UNSORTED, &dir));
	for (i = 0; i < 20; i++) {
		ck_assert_int_eq(ok(mvfs_readdir(dir, &entry)), 1);
		cookies[i] = entry.cookie;
	}
	ok(mvfs_closedir(dir));
	ok(mvfs_destroy(seeded));
}

START_TEST(test_a_seed_gives_the_same_order_and_cookies)
{
	uint64_t one[20], same[20], other[20];

	names_by_cookie(1, one);
	names_by_cookie(1, same);
	names_by_cookie(2, other);
	ck_assert_mem_eq(one, same, sizeof(one));
	ck_assert_mem_ne(one, other, sizeof(one));
}
END_TEST

START_TEST(test_a_confined_instance_works_and_never_waits)
{
	struct mvfs_options options = { .size = sizeof(options) };
	mvfs *confined, *clone;
	int one, two;

	options.flags = MVFS_CONFINED;
	ok(mvfs_create(&options, &confined));
	put(confined, "/f", "F");
	one = (int)ok(mvfs_open(confined, "/f", O_RDWR, 0));
	two = (int)ok(mvfs_open(confined, "/f", O_RDWR, 0));
	ok(mvfs_flock(confined, one, LOCK_EX));
	fails(mvfs_flock(confined, two, LOCK_EX | LOCK_NB), EAGAIN);
	fails(mvfs_flock(confined, two, LOCK_EX), EDEADLK);
	ok(mvfs_clone(confined, &clone));
	holds(clone, "/f", "F");
	ok(mvfs_destroy(clone));
	ok(mvfs_destroy(confined));
}
END_TEST

START_TEST(test_a_forked_child_has_a_copy_of_its_own)
{
	char text[4] = "";
	int status, fd;
	pid_t pid;

	fd = (int)ok(mvfs_open(fs, "/f", O_RDWR | O_CREAT, 0644));
	ok(mvfs_write(fs, fd, "abc", 3));
	pid = fork();
	if (pid == 0) {
		if (mvfs_pread(fs, fd, text, 3, 0) != 3 ||
		    strcmp(text, "abc") || mvfs_write(fs, fd, "d", 1) != 1 ||
		    mvfs_unlink(fs, "/f") || mvfs_destroy(fs))
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	holds(fs, "/f", "abc");
	ck_assert_int_eq(ok(mvfs_lseek(fs, fd, 0, SEEK_CUR)), 3);
	ok(mvfs_close(fs, fd));
}
END_TEST

START_TEST(test_errors_and_the_version_have_names)
{
	ck_assert_str_eq(mvfs_errno_name(ENOENT), "ENOENT");
	ck_assert_str_eq(mvfs_errno_name(-ENOENT), "ENOENT");
	ck_assert_str_eq(mvfs_errno_name(-EOPNOTSUPP), "EOPNOTSUPP");
	ck_assert_ptr_null(mvfs_errno_name(0));
	ck_assert_ptr_null(mvfs_errno_name(-99999));
	ck_assert_str_eq(mvfs_version(), PACKAGE_VERSION);
}
END_TEST

static void add_views(Suite *suite)
{
	TCase *t = tcase_create("views");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_views_act_each_as_its_user);
	tcase_add_test(t, test_a_view_has_its_own_umask_and_place);
	tcase_add_test(t, test_a_view_does_not_leave_its_root);
	tcase_add_test(t, test_a_view_needs_directories_and_known_options);
	tcase_add_test(t, test_groups_are_copied_and_passed_on);
	tcase_add_test(t, test_descriptors_are_good_in_every_view);
	tcase_add_test(t, test_an_instance_lives_until_its_last_view);
	tcase_add_test(t, test_a_view_that_ends_loses_its_posix_locks);
	tcase_add_test(t, test_the_current_directory_may_go);
	suite_add_tcase(suite, t);
}

static void add_clones(Suite *suite)
{
	TCase *t = tcase_create("clones");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_clone_and_its_origin_go_their_own_ways);
	tcase_add_test(t, test_a_clone_outlives_its_origin);
	tcase_add_test(t, test_a_clone_has_the_view_but_nothing_that_is_open);
	tcase_add_test(t, test_a_clone_inherits_limits_counts_and_clock);
	suite_add_tcase(suite, t);
}

int main(void)
{
	Suite *suite = suite_create("instance");
	TCase *t = tcase_create("instances");

	tcase_add_checked_fixture(t, begin, end);
	tcase_add_test(t, test_a_new_file_system_is_an_empty_root);
	tcase_add_test(t, test_options_that_are_not_known_are_einval);
	tcase_add_test(t, test_the_root_has_the_mode_that_was_asked_for);
	tcase_add_test(t, test_no_two_instances_have_one_device_number);
	tcase_add_test(t, test_a_limit_below_what_is_used_stops_growth_only);
	tcase_add_test(t, test_a_clock_may_call_and_is_held_to_its_range);
	tcase_add_test(t, test_a_seed_gives_the_same_order_and_cookies);
	tcase_add_test(t, test_a_confined_instance_works_and_never_waits);
	tcase_add_test(t, test_a_forked_child_has_a_copy_of_its_own);
	tcase_add_test(t, test_errors_and_the_version_have_names);
	suite_add_tcase(suite, t);
	add_views(suite);
	add_clones(suite);
	return run_suite(suite);
}
