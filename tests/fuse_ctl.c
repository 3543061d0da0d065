/* SPDX-License-Identifier: MIT */
/*
 * memvfs/ctl.h as it is spoken: what the kernel and the two sides make of
 * requests, long texts, wrong ones, and of a mount that ends meanwhile. The
 * command is tested in fuse_ctl.sh.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memvfs/ctl.h>

static const struct mvfs_mount_options uncached = {
	.size = sizeof uncached, .options = "cache=none",
};

static struct mvfs_ctl reply;

static int control(void)
{
	return (int)ok(host(open(dir, MVFS_CTL_OPEN | O_CLOEXEC)));
}

/* 0 or a negative errno: of the ioctl, or the reply's code. */
static int ask(int fd, unsigned command, uint64_t number, const char *text)
{
	memset(&reply, 0, sizeof reply);
	reply.command = command;
	reply.number = number;
	reply.length = text ? strlen(text) : 0;
	if (text)
		memcpy(reply.text, text, reply.length);
	if (ioctl(fd, MVFS_CTL, &reply))
		return -errno;
	return reply.code;
}

static void answers(const char *text)
{
	ck_assert_uint_eq(reply.length, strlen(text));
	ck_assert_int_eq(memcmp(reply.text, text, reply.length), 0);
}

START_TEST(test_only_a_descriptor_opened_for_it_takes_requests)
{
	DIR *listing;
	int fd;

	begin_mount();
	ok(host(mkdir(at("d"), 0755)));
	fd = ok(host(open(dir, O_RDONLY | O_DIRECTORY)));
	fails(ask(fd, MVFS_CTL_STATS, 0, NULL), ENOTTY);
	close(fd);
	fd = ok(host(open(at("d"), MVFS_CTL_OPEN)));
	fails(ask(fd, MVFS_CTL_STATS, 0, NULL), ENOTTY);
	close(fd);
	fd = ok(host(open(at("f"), O_RDWR | O_CREAT, 0644)));
	fails(ask(fd, MVFS_CTL_STATS, 0, NULL), ENOTTY);
	close(fd);
	fd = control();
	ok(ask(fd, MVFS_CTL_STATS, 0, NULL));
	fails(host(ioctl(fd, _IOWR(0xb6, 2, struct mvfs_ctl), &reply)),
	      ENOTTY);
	/* And is good for nothing else. */
	fails(host(fsync(fd)), EINVAL);
	ck_assert_ptr_nonnull((listing = fdopendir(dup(fd))));
	errno = 0;
	ck_assert_ptr_null(readdir(listing));
	ck_assert_int_eq(errno, EINVAL);
	closedir(listing);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_what_is_wrong_is_refused_and_said)
{
	int fd;

	begin_mount_with(&uncached);
	fd = control();
	fails(ask(fd, 0, 0, NULL), EINVAL);
	fails(ask(fd, 99, 0, NULL), EINVAL);
	ck_assert_ptr_nonnull(strstr(reply.text, "no command 99"));
	reply = (struct mvfs_ctl){ .command = MVFS_CTL_STATS,
				   .length = MVFS_CTL_TEXT_MAX + 1 };
	fails(host(ioctl(fd, MVFS_CTL, &reply)), EINVAL);
	reply = (struct mvfs_ctl){ .command = MVFS_CTL_SNAPSHOT, .length = 3,
				   .text = "a\0b" };
	ok(host(ioctl(fd, MVFS_CTL, &reply)));
	ck_assert_int_eq(reply.code, -EINVAL);
	fails(ask(fd, MVFS_CTL_SNAPSHOT, 0, ""), EINVAL);
	fails(ask(fd, MVFS_CTL_SNAPSHOT, 0, "a\nb"), EINVAL);
	fails(ask(fd, MVFS_CTL_RESTORE, 0, "none"), ENOENT);
	fails(ask(fd, MVFS_CTL_SNAPSHOT_DROP, 0, "none"), ENOENT);
	fails(ask(fd, MVFS_CTL_FAULT_REMOVE, 5, NULL), ENOENT);
	fails(ask(fd, MVFS_CTL_LOG_START, 1 << 25, NULL), EINVAL);
	fails(ask(fd, MVFS_CTL_FAULT_ADD, 0, "read path=/f errno=EWHAT"),
	      EINVAL);
	ck_assert_uint_eq(reply.error_offset, 19);
	ck_assert_uint_eq(reply.error_length, 5);
	ok(ask(fd, MVFS_CTL_SNAPSHOT, 0, "one"));
	fails(ask(fd, MVFS_CTL_SNAPSHOT, 0, "one"), EEXIST);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_long_texts_go_in_pieces_both_ways)
{
	enum { CALLS = 3000 };
	char *text = NULL, line[80];
	uint64_t len, from;
	struct stat st;
	int fd, i;

	begin_mount_with(&uncached);
	fd = control();
	ok(ask(fd, MVFS_CTL_LOG_START, 2 * CALLS, NULL));
	for (i = 0; i < CALLS; i++) {
		snprintf(line, sizeof line, "name-%d", i);
		fails(host(stat(at(line), &st)), ENOENT);
	}
	ok(ask(fd, MVFS_CTL_LOG_STOP, 0, NULL));
	ok(ask(fd, MVFS_CTL_LOG_SHOW, 0, NULL));
	len = reply.total;
	ck_assert_uint_gt(len, 3 * sizeof reply.text);
	text = malloc(len);
	for (from = 0; from < len; from += reply.length) {
		ok(ask(fd, MVFS_CTL_MORE, from, NULL));
		ck_assert_uint_eq(reply.total, len);
		ck_assert_uint_ne(reply.length, 0);
		memcpy(text + from, reply.text, reply.length);
	}
	ok(ask(fd, MVFS_CTL_MORE, len + 5, NULL));
	ck_assert_uint_eq(reply.length, 0);
	for (from = 0; len - from > 1000; from += 1000) {
		reply = (struct mvfs_ctl){ .command = MVFS_CTL_PUT,
					   .length = 1000 };
		memcpy(reply.text, text + from, 1000);
		ok(host(ioctl(fd, MVFS_CTL, &reply)));
		ck_assert_int_eq(reply.code, 0);
	}
	reply = (struct mvfs_ctl){ .command = MVFS_CTL_LOG_EXPECT,
				   .length = len - from };
	memcpy(reply.text, text + from, len - from);
	ok(host(ioctl(fd, MVFS_CTL, &reply)));
	ck_assert_int_eq(reply.code, 0);
	free(text);
	/* What was put before is not there any more. */
	fails(ask(fd, MVFS_CTL_LOG_EXPECT, 0, "unlink /f"), EBADMSG);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_too_long_a_text_is_refused)
{
	int fd, i, r = 0;

	begin_mount();
	fd = control();
	for (i = 0; i < 1100 && !r; i++) {
		reply = (struct mvfs_ctl){ .command = MVFS_CTL_PUT,
					   .length = sizeof reply.text };
		ok(host(ioctl(fd, MVFS_CTL, &reply)));
		r = reply.code;
	}
	ck_assert_int_eq(r, -E2BIG);
	ck_assert_int_eq(i, 16 * 1024 * 1024 / MVFS_CTL_TEXT_MAX + 1);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_opening_it_is_no_call_on_the_tree)
{
	struct stat st;
	int fd;

	begin_mount_with(&uncached);
	ok(mvfs_log_start(fs, 0));
	fd = control();
	ok(ask(fd, MVFS_CTL_LOG_SHOW, 0, NULL));
	answers("");
	ok(ask(fd, MVFS_CTL_FAULT_ADD, 0, "all path=/** errno=EIO"));
	ck_assert_uint_eq(reply.number, 1);
	close(fd);
	fails(host(stat(dir, &st)), EIO);
	fd = control();
	ok(ask(fd, MVFS_CTL_FAULT_LIST, 0, NULL));
	answers("1 1 1 all path=/** errno=EIO\n");
	ok(ask(fd, MVFS_CTL_FAULT_CLEAR, 0, NULL));
	ok(host(stat(dir, &st)));
	close(fd);
	end_mount();
}
END_TEST

/* A page that is dirty, and one worker, which the restore needs to have it
 * written. */
START_TEST(test_one_worker_is_enough_for_a_restore)
{
	const struct mvfs_mount_options one = { .size = sizeof one,
						.max_threads = 1 };
	char *map;
	int fd, file;

	begin_mount_with(&one);
	file = ok(host(open(at("f"), O_RDWR | O_CREAT, 0644)));
	ok(host(pwrite(file, "one", 3, 0)));
	fd = control();
	ok(ask(fd, MVFS_CTL_SNAPSHOT, 0, "s"));
	map = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ck_assert(map != MAP_FAILED);
	memcpy(map, "ONE", 3);
	ok(ask(fd, MVFS_CTL_RESTORE, 0, "s"));
	ck_assert_mem_eq(map, "one", 3);
	munmap(map, 3);
	close(file);
	close(fd);
	end_mount();
}
END_TEST

static void *restore_often(void *data)
{
	int fd = control(), i;
	struct mvfs_ctl request;

	(void)data;
	for (i = 0; i < 100; i++) {
		request = (struct mvfs_ctl){ .command = MVFS_CTL_RESTORE,
					     .length = 1, .text = "s" };
		ok(host(ioctl(fd, MVFS_CTL, &request)));
		ck_assert_int_eq(request.code, 0);
	}
	close(fd);
	return NULL;
}

START_TEST(test_a_restore_is_whole_while_others_read_and_write)
{
	pthread_t threads[2];
	int fd, file, i;
	char got[4];

	begin_mount();
	file = ok(host(open(at("f"), O_RDWR | O_CREAT, 0644)));
	ok(host(pwrite(file, "aaaa", 4, 0)));
	fd = control();
	ok(ask(fd, MVFS_CTL_SNAPSHOT, 0, "s"));
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, restore_often, NULL);
	for (i = 0; i < 300; i++) {
		ok(host(pwrite(file, i % 2 ? "bbbb" : "cccc", 4, 0)));
		ck_assert_int_eq(host(pread(file, got, 4, 0)), 4);
		ck_assert_int_eq(got[0], got[3]);
		ck_assert_int_eq(memcmp(got, got + 1, 3), 0);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ok(ask(fd, MVFS_CTL_RESTORE, 0, "s"));
	ck_assert_int_eq(host(pread(file, got, 4, 0)), 4);
	ck_assert_mem_eq(got, "aaaa", 4);
	close(file);
	close(fd);
	end_mount();
}
END_TEST

START_TEST(test_snapshots_and_descriptors_end_with_the_mount)
{
	struct mvfs_mount *second;
	const char *other = fresh_dir();
	int fd, fd2;

	begin_mount();
	ok(mvfs_mount(fs, other, NULL, &second, NULL));
	fd = control();
	fd2 = ok(host(open(other, MVFS_CTL_OPEN)));
	ok(ask(fd, MVFS_CTL_SNAPSHOT, 0, "one"));
	ok(ask(fd, MVFS_CTL_SNAPSHOT, 0, "two"));
	ok(ask(fd, MVFS_CTL_SNAPSHOT_LIST, 0, NULL));
	answers("one\ntwo\n");
	ok(ask(fd, MVFS_CTL_SNAPSHOT_DROP, 0, "one"));
	ok(ask(fd, MVFS_CTL_SNAPSHOT_LIST, 0, NULL));
	answers("two\n");
	/* Each mount has names of its own. */
	ok(ask(fd2, MVFS_CTL_SNAPSHOT_LIST, 0, NULL));
	answers("");
	ok(mvfs_unmount(second));
	fails(ask(fd2, MVFS_CTL_SNAPSHOT_LIST, 0, NULL), ENOTCONN);
	close(fd2);
	close(fd);
	ok(host(rmdir(other)));
	end_mount();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse ctl");
	TCase *t = tcase_create("ctl");

	tcase_add_test(t, test_only_a_descriptor_opened_for_it_takes_requests);
	tcase_add_test(t, test_what_is_wrong_is_refused_and_said);
	tcase_add_test(t, test_long_texts_go_in_pieces_both_ways);
	tcase_add_test(t, test_too_long_a_text_is_refused);
	tcase_add_test(t, test_opening_it_is_no_call_on_the_tree);
	tcase_add_test(t, test_one_worker_is_enough_for_a_restore);
	tcase_add_test(t, test_a_restore_is_whole_while_others_read_and_write);
	tcase_add_test(t, test_snapshots_and_descriptors_end_with_the_mount);
	suite_add_tcase(suite, t);
	return run_fuse_tests(suite);
}
