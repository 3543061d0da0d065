/* SPDX-License-Identifier: MIT */
/*
 * Without memory: every call of the API, each of its allocations failing in
 * turn, gives -ENOMEM and has changed nothing, or does what it does
 * otherwise. Whether anything leaks is for LeakSanitizer and valgrind to say.
 *
 * The calls are the rows of tests/nomem/calls_*.h.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/expect.h"
#include "tests/nomem/nomem.h"

START_TEST(test_a_call_without_memory_changes_nothing)
{
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		trial(&rows[_i], (enum kind)kind);
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
	TCase *calls = tcase_create("calls"), *map = tcase_create("map");

	rows_prepare();
	world_prepare();
	tcase_set_timeout(calls, 120);
	tcase_add_loop_test(calls, test_a_call_without_memory_changes_nothing,
			    0, (int)row_count);
	tcase_add_test(map,
		       test_every_function_of_the_map_is_called_or_exempt);
	suite_add_tcase(suite, calls);
	suite_add_tcase(suite, map);
	return run_suite(suite);
}
