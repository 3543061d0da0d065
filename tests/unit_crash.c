/* SPDX-License-Identifier: MIT */
/*
 * Crashes of a tree that many random calls were made on: whatever is found is
 * a tree in which everything agrees with everything else, and nothing that
 * was made durable before is missing.
 */
#include "config.h"

#include "tests/core.h"
#include "tests/random.h"

#include <memvfs/memvfs.h>

static uint64_t seed;

/* One of a few names, in one of a few directories, of any depth. */
static const char *some_path(void)
{
	static const char *const names[] = { "a", "b", "c" };
	static char path[4][40];
	static unsigned turn;
	char *to = path[turn++ % 4], *end = to;
	uint64_t depth = 1 + below(&seed, 3);

	while (depth--)
		end += sprintf(end, "/%s", names[below(&seed, 3)]);
	return to;
}

static void open_and(const char *path, int flags, bool writes, bool syncs)
{
	static char bytes[3000];
	int fd = mvfs_open(fs, path, flags, 0644);

	if (fd < 0)
		return;
	memset(bytes, (int)below(&seed, 26) + 'a', sizeof(bytes));
	if (writes)
		(void)mvfs_pwrite(fs, fd, bytes, below(&seed, sizeof(bytes)),
				  (int64_t)below(&seed, 6000));
	if (syncs)
		(void)(below(&seed, 2) ? mvfs_fsync(fs, fd) :
					 mvfs_fdatasync(fs, fd));
	(void)mvfs_close(fs, fd);
}

/* Most fail, and that is fine. */
static void some_call(void)
{
	const char *a = some_path(), *b = some_path();

	switch (below(&seed, 16)) {
	case 0:
	case 1:
	case 2:
		open_and(a, O_CREAT | O_WRONLY, true, false);
		break;
	case 3:
		open_and(a, O_WRONLY | O_TRUNC, true, true);
		break;
	case 4:
	case 5:
		open_and(a, O_RDONLY, false, true);
		break;
	case 6:
	case 7:
	case 8:
		(void)mvfs_mkdir(fs, a, 0755);
		break;
	case 9:
		(void)mvfs_rmdir(fs, a);
		break;
	case 10:
		(void)mvfs_unlink(fs, a);
		break;
	case 11:
	case 12:
		(void)mvfs_rename(fs, a, b);
		break;
	case 13:
		(void)mvfs_renameat(fs, MVFS_AT_FDCWD, a, MVFS_AT_FDCWD, b,
				    MVFS_RENAME_EXCHANGE);
		break;
	case 14:
		(void)mvfs_link(fs, a, b);
		break;
	case 15:
		if (below(&seed, 8) == 0)
			(void)mvfs_sync(fs);
		else
			(void)mvfs_chmod(fs, a, 0600);
		break;
	}
}

static int on_state(void *ctx, mvfs *after,
		    const struct mvfs_crash_state *state)
{
	(void)state;
	core_check(after);
	++*(unsigned *)ctx;
	return 0;
}

START_TEST(test_what_is_found_is_a_tree_that_agrees_with_itself)
{
	struct mvfs_crash_options options = {
		.size = sizeof(options), .max_states = 12, .data = 15,
	};
	unsigned states = 0, rounds = 60 * long_factor(), i;

	seed = seed_of_run();
	while (rounds--) {
		core_start();
		options.policy = rounds % 2;
		options.seed = seed;
		for (i = 0; i < 10; i++)
			some_call();
		ok(mvfs_crash_start(fs, &options));
		for (i = 0; i < 150; i++)
			some_call();
		ok(mvfs_crash_each(fs, &options, on_state, &states));
		core_end();
	}
	ck_assert_uint_gt(states, 500);
}
END_TEST

/* What is there and never touched again, and what was synced last. */
START_TEST(test_what_is_durable_is_found_in_each_state)
{
	struct mvfs_crash_options options = {
		.size = sizeof(options), .max_states = 4,
	};
	unsigned rounds = 40 * long_factor(), i;
	struct mvfs_string text;
	uint64_t choice;
	mvfs *after;
	int fd, rc;

	seed = seed_of_run();
	while (rounds--) {
		core_start();
		options.policy = rounds % 2;
		ok(mvfs_write_file(fs, "/kept", "kept", 4));
		ok(mvfs_crash_start(fs, NULL));
		for (i = 0; i < 100; i++)
			some_call();
		fd = (int)ok(mvfs_open(fs, "/log", O_CREAT | O_RDWR, 0600));
		ok(mvfs_write(fs, fd, "synced", 6));
		ok(mvfs_fsync(fs, fd));
		ok(mvfs_close(fs, fd));
		fd = (int)ok(mvfs_open(fs, "/", O_RDONLY, 0));
		ok(mvfs_fsync(fs, fd));
		ok(mvfs_close(fs, fd));
		for (i = 0; i < 20; i++)
			some_call();
		for (choice = 0; choice < 4; choice++) {
			const struct mvfs_crash_state state = {
				(uint64_t)ok(mvfs_crash_point(fs)),
				choice ? choice | UINT64_C(1) << 63 : 0, 0, 0,
				0
			};

			rc = mvfs_crash(fs, &options, &state, &after);
			if (rc == -ERANGE && choice)
				continue; /* there are not so many */
			ok(rc);
			ok(mvfs_read_file(after, "/kept", &text));
			ck_assert_uint_eq(text.len, 4);
			mvfs_string_release(&text);
			ok(mvfs_read_file(after, "/log", &text));
			ck_assert_uint_eq(text.len, 6);
			mvfs_string_release(&text);
			ok(mvfs_destroy(after));
		}
		core_end();
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("crash");

	tcase_add_test(tests,
		       test_what_is_found_is_a_tree_that_agrees_with_itself);
	tcase_add_test(tests, test_what_is_durable_is_found_in_each_state);
	return core_run("crash", tests);
}
