/* SPDX-License-Identifier: MIT */
/* Readers and writers at once: see storm.h for what they meet on. */
#include "config.h"

#include "tests/child.h"
#include "tests/threads/storm.h"

#include <sys/syscall.h>

const char *const kind_dir[KINDS] = { "whole", "fixed", "slots", "logs" };

/* Each looks once at least, however slow the machine. */
static void read_or_change(struct worker *w)
{
	do {
		if (w->number % 2)
			storm_write(w);
		else
			storm_read(w);
	} while (going());
}

/* Strings are older than the instance was: they are what they were. */
static void check_kept(struct storm *storm)
{
	unsigned i;

	for (i = 0; i < storm->kept_count; i++) {
		struct mvfs_string *string = &storm->kept[i];

		ck_assert_uint_eq(hash_bytes(0, string->data, string->len),
				  storm->kept_hash[i]);
		mvfs_string_release(string);
	}
}

/* The child of a fork: alone with what the others were in the middle of. */
static void be_child(struct worker *w)
{
	unsigned i, before = flaws_found();
	mvfs *clone;

	child_begin();
	storm_check_still(w->fs);
	for (i = 0; i < 20; i++)
		storm_write(w);
	for (i = 0; i < 20; i++)
		storm_read_once(w);
	storm_check_still(w->fs);
	if (!done(mvfs_clone(w->fs, &clone))) {
		settled_sum(EXPECT_WHERE(child), clone);
		done(mvfs_destroy(clone));
	}
	done(mvfs_destroy(w->fs));
	/* _exit() of ThreadSanitizer misses threads that were the parent's */
	syscall(SYS_exit_group, flaws_found() == before ? 0 : 1);
}

static void fork_or_change(struct worker *w)
{
	int status;
	pid_t pid;

	do {
		if (w->number) {
			storm_write(w);
			continue;
		}
		rng(&w->rng); /* or all children would do the same */
		pid = fork();
		if (!pid)
			be_child(w);
		if (that(pid > 0))
			that(waitpid(pid, &status, 0) == pid &&
			     (!status || child_hung(status)));
	} while (going());
}

static void run_storm(unsigned count, unsigned percent, worker_fn *body)
{
	static struct storm storm;
	struct worker main = { .rng = count, .ctx = &storm };

	storm = (struct storm){ .mutex = PTHREAD_MUTEX_INITIALIZER };
	ok(mvfs_create(NULL, &storm.fs));
	main.fs = storm.fs;
	storm_fill(&main);
	begin_run(percent);
	run_workers(count, body, storm.fs, &storm);
	while (storm.passed_count)
		storm_receive(&main);
	storm_check_still(storm.fs);
	settled_sum(EXPECT_WHERE(the end), storm.fs);
	ok(mvfs_destroy(storm.fs));
	check_kept(&storm);
	end_run();
	printf("%u reads, %u listings, %u clones, %u changes\n", storm.reads,
	       storm.lists, storm.clones, storm.writes);
}

START_TEST(test_a_reader_sees_what_a_writer_wrote_and_nothing_else)
{
	run_storm(2, 100, read_or_change);
}
END_TEST

START_TEST(test_two_readers_see_what_two_writers_wrote_and_nothing_else)
{
	run_storm(4, 10, read_or_change);
}
END_TEST

START_TEST(test_a_child_has_a_copy_of_what_other_threads_change)
{
	run_storm(_i ? 4 : 2, 3, fork_or_change);
}
END_TEST

void add_storm_tests(Suite *suite)
{
	TCase *tests = threads_tcase(suite, "storm");

	tcase_add_test(tests,
		test_a_reader_sees_what_a_writer_wrote_and_nothing_else);
	tcase_add_test(tests,
		test_two_readers_see_what_two_writers_wrote_and_nothing_else);
	tests = threads_tcase(suite, "fork");
	tcase_add_loop_test(tests,
		test_a_child_has_a_copy_of_what_other_threads_change, 0, 2);
}
