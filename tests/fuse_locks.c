/* SPDX-License-Identifier: MIT */
/*
 * Locks through the mount, waiting ones above all. Other parties are child
 * processes, which say how their call ended by their exit status; whether one
 * waits is seen in /proc, not guessed from time.
 */
#include <config.h>

#include "tests/fuse_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

static void begin(void)
{
	begin_mount();
	ok(mvfs_write_file(fs, "/file", "0123456789", 10));
	fd = ok(host(open(at("file"), O_RDWR)));
}

static void end(void)
{
	close(fd);
	end_mount();
}

static struct flock range(int type, int64_t start, int64_t len)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET,
			       .l_start = start, .l_len = len };
}

static int64_t record(int on, int command, int type, int64_t start,
		      int64_t len)
{
	struct flock lock = range(type, start, len);

	return host(fcntl(on, command, &lock));
}

/* Who is in the way of a write lock on the range; 0: nobody. */
static pid_t holder(int on, int command, int64_t start, int64_t len)
{
	struct flock lock = range(F_WRLCK, start, len);

	ok(host(fcntl(on, command, &lock)));
	return lock.l_type == F_UNLCK ? 0 : lock.l_pid;
}

static void no_restart(int number)
{
	(void)number;
}

/* A child that runs one locking call on a file it opens itself. */
struct party {
	int command;     /* of fcntl(2); -1: flock(2) */
	int type;        /* of the record lock, or flock's operation */
	int64_t start, len;
	int then_wait;   /* for its parent to say that it may end */
};

static pid_t start(const struct party *party, int *control)
{
	int pipes[2];
	pid_t child;
	int64_t r;
	int own;
	char byte;

	ok(host(pipe2(pipes, O_CLOEXEC)));
	child = ok(host(fork()));
	if (child) {
		close(pipes[0]);
		*control = pipes[1];
		return child;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(pipes[1]);
	close(fd);
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = no_restart },
		  NULL);
	own = open(at("file"), O_RDWR);
	r = party->command < 0
		    ? host(flock(own, party->type))
		    : record(own, party->command, party->type, party->start,
			     party->len);
	if (r == 0 && party->then_wait)
		while (read(pipes[0], &byte, 1) < 0)
			;
	_exit(-r);
}

/* The errno (0: none) with which its call ended. */
static int result_of(pid_t child)
{
	int status = 0;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status), "ended by signal %d",
		      WTERMSIG(status));
	return WEXITSTATUS(status);
}

/* Whether the child sleeps in the system call that locks. */
static int is_waiting(void *data)
{
	char path[64], text[64] = "";
	long number;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/syscall", *(pid_t *)data);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (!fgets(text, sizeof text, file))
		text[0] = '\0';
	fclose(file);
	if (sscanf(text, "%ld", &number) != 1)
		return 0;
	return number == SYS_flock || number == SYS_fcntl;
}

static int is_held(void *data)
{
	const struct party *party = data;

	if (party->command < 0)
		return flock(fd, LOCK_EX | LOCK_NB) < 0;
	return holder(fd, party->command == F_SETLK ||
				  party->command == F_SETLKW
				  ? F_GETLK : F_OFD_GETLK,
		      party->start, party->len ? party->len : 0) != 0;
}

static void till_waiting(pid_t child)
{
	ck_assert_msg(await(is_waiting, &child), "it does not wait");
}

/* The kernel tells of a last close when it has returned already. */
static int takes_flock(void *data)
{
	return flock(*(int *)data, LOCK_EX | LOCK_NB) == 0;
}

static int takes_record(void *data)
{
	return record(*(int *)data, F_OFD_SETLK, F_WRLCK, 3, 1) == 0;
}

START_TEST(test_flock_conflicts_between_opens_not_between_dups)
{
	int second, dup_fd;

	begin();
	second = ok(host(open(at("file"), O_RDWR)));
	dup_fd = ok(host(dup(fd)));
	ok(host(flock(fd, LOCK_EX)));
	fails(host(flock(second, LOCK_EX | LOCK_NB)), EAGAIN);
	fails(host(flock(second, LOCK_SH | LOCK_NB)), EAGAIN);
	ok(host(flock(dup_fd, LOCK_EX | LOCK_NB)));
	close(fd);
	fails(host(flock(second, LOCK_EX | LOCK_NB)), EAGAIN);
	close(dup_fd);
	ck_assert(await(takes_flock, &second));
	fd = second;
	end();
}
END_TEST

START_TEST(test_flock_is_seen_by_the_library_and_the_other_way_round)
{
	int inside;

	begin();
	inside = ok(mvfs_open(fs, "/file", O_RDWR, 0));
	ok(host(flock(fd, LOCK_EX)));
	fails(mvfs_flock(fs, inside, LOCK_EX | LOCK_NB), EAGAIN);
	ok(host(flock(fd, LOCK_UN)));
	ok(mvfs_flock(fs, inside, LOCK_EX | LOCK_NB));
	fails(host(flock(fd, LOCK_SH | LOCK_NB)), EAGAIN);
	ok(mvfs_close(fs, inside));
	ok(host(flock(fd, LOCK_SH | LOCK_NB)));
	end();
}
END_TEST

START_TEST(test_record_locks_are_seen_by_the_library_and_the_other_way)
{
	struct mvfs_lock lock = { .type = F_WRLCK, .start = 2, .len = 3 };
	int inside;

	begin();
	inside = ok(mvfs_open(fs, "/file", O_RDWR, 0));
	ok(record(fd, F_SETLK, F_WRLCK, 0, 5));
	fails(mvfs_setlk(fs, inside, &lock, 0), EAGAIN);
	ok(record(fd, F_SETLK, F_UNLCK, 0, 0));
	ok(mvfs_setlk(fs, inside, &lock, 0));
	fails(record(fd, F_SETLK, F_WRLCK, 4, 1), EAGAIN);
	ok(record(fd, F_SETLK, F_WRLCK, 5, 1));
	ck_assert_int_eq(holder(fd, F_GETLK, 0, 0), getpid());
	ok(mvfs_close(fs, inside));
	ck_assert_int_eq(holder(fd, F_GETLK, 0, 0), 0);
	end();
}
END_TEST

START_TEST(test_getlk_tells_range_type_and_process)
{
	struct party party = { .command = F_SETLK, .type = F_RDLCK,
			       .start = 3, .len = 4, .then_wait = 1 };
	struct flock lock = range(F_WRLCK, 0, 0);
	int control;
	pid_t child;

	begin();
	child = start(&party, &control);
	ck_assert(await(is_held, &party));
	ok(host(fcntl(fd, F_GETLK, &lock)));
	ck_assert_int_eq(lock.l_type, F_RDLCK);
	ck_assert_int_eq(lock.l_whence, SEEK_SET);
	ck_assert_int_eq(lock.l_start, 3);
	ck_assert_int_eq(lock.l_len, 4);
	ck_assert_int_eq(lock.l_pid, child);
	/* read locks share */
	lock = range(F_RDLCK, 0, 0);
	ok(host(fcntl(fd, F_GETLK, &lock)));
	ck_assert_int_eq(lock.l_type, F_UNLCK);
	close(control);
	ck_assert_int_eq(result_of(child), 0);
	ck_assert_int_eq(holder(fd, F_GETLK, 0, 0), 0);
	end();
}
END_TEST

START_TEST(test_posix_locks_end_with_any_close_by_their_process)
{
	struct party party = { .command = F_SETLK, .type = F_WRLCK };
	int second, control;

	begin();
	ok(record(fd, F_SETLK, F_WRLCK, 0, 0));
	ck_assert_int_eq(result_of(start(&party, &control)), EAGAIN);
	close(control);
	second = ok(host(open(at("file"), O_RDWR)));
	close(second);
	ck_assert_int_eq(result_of(start(&party, &control)), 0);
	close(control);
	end();
}
END_TEST

START_TEST(test_ofd_locks_end_with_their_open_file_only)
{
	int second, dup_fd, other;

	begin();
	second = ok(host(open(at("file"), O_RDWR)));
	ok(record(fd, F_OFD_SETLK, F_WRLCK, 0, 4));
	fails(record(second, F_OFD_SETLK, F_WRLCK, 3, 1), EAGAIN);
	ok(record(second, F_OFD_SETLK, F_WRLCK, 4, 1));
	other = ok(host(open(at("file"), O_RDWR)));
	close(other);
	fails(record(second, F_OFD_SETLK, F_WRLCK, 3, 1), EAGAIN);
	dup_fd = ok(host(dup(fd)));
	close(fd);
	fails(record(second, F_OFD_SETLK, F_WRLCK, 3, 1), EAGAIN);
	close(dup_fd);
	ck_assert(await(takes_record, &second));
	fd = second;
	end();
}
END_TEST

/* How a lock is waited for: each of the three kinds. */
static const struct {
	struct party wanted;
	struct party held;
} kinds[] = {
	{ { .command = F_SETLKW, .type = F_WRLCK, .start = 2, .len = 2 },
	  { .command = F_SETLK, .type = F_WRLCK, .start = 3, .len = 5 } },
	{ { .command = F_OFD_SETLKW, .type = F_RDLCK },
	  { .command = F_OFD_SETLK, .type = F_WRLCK, .start = 9, .len = 1 } },
	{ { .command = -1, .type = LOCK_SH },
	  { .command = -1, .type = LOCK_EX } },
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void take(const struct party *held, int release)
{
	if (held->command < 0)
		ok(host(flock(fd, release ? LOCK_UN : held->type)));
	else
		ok(record(fd, held->command, release ? F_UNLCK : held->type,
			  held->start, held->len));
}

START_TEST(test_waiting_lock_is_given_when_it_is_released)
{
	int control;
	pid_t child;

	begin();
	take(&kinds[_i].held, 0);
	child = start(&kinds[_i].wanted, &control);
	till_waiting(child);
	take(&kinds[_i].held, 1);
	ck_assert_int_eq(result_of(child), 0);
	close(control);
	end();
}
END_TEST

START_TEST(test_waiting_lock_is_given_when_its_holder_closes)
{
	int control;
	pid_t child;

	begin();
	take(&kinds[_i].held, 0);
	child = start(&kinds[_i].wanted, &control);
	till_waiting(child);
	close(fd);
	ck_assert_int_eq(result_of(child), 0);
	close(control);
	fd = ok(host(open(at("file"), O_RDWR)));
	end();
}
END_TEST

START_TEST(test_waiting_lock_ends_with_eintr_at_a_signal)
{
	int control;
	pid_t child;

	begin();
	take(&kinds[_i].held, 0);
	child = start(&kinds[_i].wanted, &control);
	till_waiting(child);
	ok(host(kill(child, SIGUSR1)));
	ck_assert_int_eq(result_of(child), EINTR);
	close(control);
	/* Nothing waits any more that could get it. */
	take(&kinds[_i].held, 1);
	take(&kinds[_i].held, 0);
	end();
}
END_TEST

START_TEST(test_waiting_process_can_be_killed)
{
	int control, status;
	pid_t child;

	begin();
	take(&kinds[_i].held, 0);
	child = start(&kinds[_i].wanted, &control);
	till_waiting(child);
	ok(host(kill(child, SIGKILL)));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	close(control);
	take(&kinds[_i].held, 1);
	take(&kinds[_i].held, 0);
	end();
}
END_TEST

START_TEST(test_waiting_lock_ends_with_the_mount)
{
	int control, r;
	pid_t child;

	begin();
	take(&kinds[_i].held, 0);
	child = start(&kinds[_i].wanted, &control);
	till_waiting(child);
	ok(mvfs_unmount(mnt));
	mnt = NULL;
	r = result_of(child);
	ck_assert_msg(r == ENOTCONN || r == ECONNABORTED, "%s", strerror(r));
	close(control);
	end();
}
END_TEST

START_TEST(test_waiting_locks_block_no_worker)
{
	struct mvfs_mount_options one = { .size = sizeof one,
					  .max_threads = 1 };
	struct stat st;
	int controls[5], i;
	pid_t children[5];

	begin_mount_with(&one);
	ok(mvfs_write_file(fs, "/file", "0123456789", 10));
	fd = ok(host(open(at("file"), O_RDWR)));
	take(&kinds[_i].held, 0);
	for (i = 0; i < 5; i++) {
		children[i] = start(&kinds[_i].wanted, &controls[i]);
		till_waiting(children[i]);
	}
	ok(host(stat(at("file"), &st)));
	ok(host(mkdir(at("made"), 0700)));
	take(&kinds[_i].held, 1);
	for (i = 0; i < 5; i++) {
		ck_assert_int_eq(result_of(children[i]), 0);
		close(controls[i]);
	}
	end();
}
END_TEST

START_TEST(test_library_release_gives_a_waiting_lock_of_the_mount)
{
	struct mvfs_lock lock = { .type = F_WRLCK, .start = 0, .len = 0 };
	struct party wanted = { .command = F_SETLKW, .type = F_WRLCK };
	int inside, control;
	pid_t child;

	begin();
	inside = ok(mvfs_open(fs, "/file", O_RDWR, 0));
	ok(mvfs_setlk(fs, inside, &lock, 0));
	child = start(&wanted, &control);
	till_waiting(child);
	ok(mvfs_close(fs, inside));
	ck_assert_int_eq(result_of(child), 0);
	close(control);
	end();
}
END_TEST

/* It is the later of the two who is told. */
START_TEST(test_circle_of_waiting_posix_locks_is_edeadlk)
{
	int ready[2], status;
	char byte = 0;
	int64_t mine;
	pid_t child;

	begin();
	ok(host(pipe(ready)));
	ok(record(fd, F_SETLK, F_WRLCK, 0, 1));
	child = ok(host(fork()));
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (record(fd, F_SETLK, F_WRLCK, 1, 1) ||
		    write(ready[1], &byte, 1) != 1)
			_exit(99);
		_exit(-record(fd, F_SETLKW, F_WRLCK, 0, 1));
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	mine = record(fd, F_SETLKW, F_WRLCK, 1, 1);
	ok(record(fd, F_SETLK, F_UNLCK, 0, 1));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(mine, WEXITSTATUS(status) ? 0 : -EDEADLK);
	ck_assert_int_eq(WEXITSTATUS(status), mine ? 0 : EDEADLK);
	close(ready[0]);
	close(ready[1]);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fuse_locks");
	TCase *plain = tcase_create("locks"), *waiting = tcase_create("wait");

	tcase_set_timeout(plain, 120);
	tcase_set_timeout(waiting, 120);
	tcase_add_test(plain,
		       test_flock_conflicts_between_opens_not_between_dups);
	tcase_add_test(plain,
	    test_flock_is_seen_by_the_library_and_the_other_way_round);
	tcase_add_test(plain,
	    test_record_locks_are_seen_by_the_library_and_the_other_way);
	tcase_add_test(plain, test_getlk_tells_range_type_and_process);
	tcase_add_test(plain,
		       test_posix_locks_end_with_any_close_by_their_process);
	tcase_add_test(plain, test_ofd_locks_end_with_their_open_file_only);
	tcase_add_loop_test(waiting,
			    test_waiting_lock_is_given_when_it_is_released, 0,
			    KINDS);
	tcase_add_loop_test(waiting,
			    test_waiting_lock_is_given_when_its_holder_closes,
			    0, KINDS);
	tcase_add_loop_test(waiting,
			    test_waiting_lock_ends_with_eintr_at_a_signal, 0,
			    KINDS);
	tcase_add_loop_test(waiting, test_waiting_process_can_be_killed, 0,
			    KINDS);
	tcase_add_loop_test(waiting, test_waiting_lock_ends_with_the_mount, 0,
			    KINDS);
	tcase_add_loop_test(waiting, test_waiting_locks_block_no_worker, 0,
			    KINDS);
	tcase_add_test(waiting,
		test_library_release_gives_a_waiting_lock_of_the_mount);
	tcase_add_test(waiting,
		       test_circle_of_waiting_posix_locks_is_edeadlk);
	suite_add_tcase(suite, plain);
	suite_add_tcase(suite, waiting);
	return run_fuse_tests(suite);
}
