/* SPDX-License-Identifier: MIT */
/*
 * Without memory: every call of the API, each of its allocations failing in
 * turn, gives -ENOMEM and has changed nothing, or does what it does
 * otherwise. Whether anything leaks is for LeakSanitizer and valgrind to say.
 *
 * The calls are the rows of tests/nomem/calls_*.h.
 */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <sys/stat.h>

#include "tests/core.h"

START_TEST(test_a_call_without_memory_changes_nothing)
{
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		trial(&rows[_i], (enum kind)kind);
}
END_TEST

/* Everything that is pinned, whether it can still be found or not. */
static void check_pins(const mvfs *view, uint64_t first, uint64_t count)
{
	const struct mvfs__table *table = &view->fs->table;
	const struct mvfs__pin *pin;
	uint64_t ino;

	for (ino = first; ino < first + count; ino++) {
		HASH_FIND(hh, view->pins, &ino, sizeof(ino), pin);
		if (!pin || pin->count != 1 ||
		    !mvfs__table_hold_get(table, ino))
			ck_abort_msg("%llu is not pinned any more",
				     (unsigned long long)ino);
	}
	/* with the root, which is held by the view */
	ck_assert_uint_eq(HASH_COUNT(view->pins), count);
	ck_assert_uint_eq(HASH_COUNT(table->holds), count + 1);
}

/* Far beyond the buckets that a table begins with. */
START_TEST(test_a_table_that_cannot_grow_keeps_what_it_has)
{
	enum { FILES_MANY = 1500 };
	uint64_t failed = mvfs__mem_thread.fail_failed;
	struct mvfs_stat st;
	unsigned i, n, worst = 0;
	char name[16];
	int rc;

	core_start();
	for (i = 0; i < FILES_MANY; i++) {
		snprintf(name, sizeof(name), "%u", i);
		ok(mvfs_mknod(fs, name, S_IFREG | 0644, 0));
	}
	for (i = 0; i < FILES_MANY; i++) {
		snprintf(name, sizeof(name), "%u", i);
		for (n = 1;; n++) {
			mvfs__mem_fail_at(n);
			rc = mvfs_sys_lookup(fs, NULL, 1, name, 1, &st);
			mvfs__mem_fail_at(0);
			if (!rc)
				break;
			ck_assert_int_eq(rc, -ENOMEM);
			if (n > 2)
				check_pins(fs, 2, i);
		}
		worst = n > worst ? n : worst;
	}
	check_pins(fs, 2, FILES_MANY);
	/* a pin, a hold, and both tables with more buckets */
	ck_assert_uint_eq(worst, 5);
	ck_assert_uint_gt(mvfs__mem_thread.fail_failed - failed,
			  2 * FILES_MANY);
	core_end();
}
END_TEST

static bool has_row(const char *function)
{
	size_t i;

	for (i = 0; i < row_count; i++)
		if (!strcmp(rows[i].function, function))
			return true;
	return false;
}

static bool is_exempt(const char *function)
{
	size_t i;

	for (i = 0; i < exempt_count; i++)
		if (!strcmp(exempt[i].function, function))
			return true;
	return false;
}

/* The next function of the symbol map, or false at its end. */
static bool next_function(FILE *map, char *name)
{
	char line[256];

	while (fgets(line, sizeof(line), map))
		if (sscanf(line, " %199[a-z0-9_];", name) == 1 &&
		    strchr(line, ';') && !strncmp(name, "mvfs_", 5))
			return true;
	return false;
}

START_TEST(test_every_function_of_the_map_is_called_or_exempt)
{
	const char *source = getenv("MVFS_SRCDIR");
	char path[4096], name[200];
	size_t count = 0;
	FILE *map;

	snprintf(path, sizeof(path), "%s/api/libmemvfs.map",
		 source ? source : ".");
	map = fopen(path, "r");
	if (!map)
		ck_abort_msg("no %s: set MVFS_SRCDIR", path);
	for (; next_function(map, name); count++)
		if (has_row(name) == is_exempt(name))
			ck_abort_msg("%s %s", name, has_row(name) ?
				     "is called, so it is not exempt" :
				     "is in no row of tests/nomem/calls_*.h");
	fclose(map);
	ck_assert_uint_gt(count, 100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nomem");
	TCase *calls = tcase_create("calls"), *others = tcase_create("others");

	rows_prepare();
	world_prepare();
	tcase_set_timeout(calls, 120);
	tcase_add_loop_test(calls, test_a_call_without_memory_changes_nothing,
			    0, (int)row_count);
	tcase_add_test(others, test_a_table_that_cannot_grow_keeps_what_it_has);
	tcase_add_test(others,
		       test_every_function_of_the_map_is_called_or_exempt);
	suite_add_tcase(suite, calls);
	suite_add_tcase(suite, others);
	return run_suite(suite);
}
