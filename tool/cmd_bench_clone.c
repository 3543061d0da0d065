// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/clone.h"
#include "bench/head.h"
#include "tool/bench.h"

#include <getopt.h>

#define NAME	  "memvfs bench clone"
#define FILES_MAX 9999999 /* what the names have digits for */
#define TESTS_MAX 1000000

static void print_help(void)
{
	printf("Usage: %s [OPTION]...\n"
	       "Measures snapshots, restores and comparisons of a large tree "
	       "around a few\n"
	       "changes, and a suite of tests that each have a tree of their "
	       "own, beside\n"
	       "cp -a on tmpfs.\n\n"
	       "  --files N          of the large tree [1000000]\n"
	       "  --suite-files N    of the tree of each test [10000]\n"
	       "  --tests N          of the suite [1000]\n" BENCH_OPTIONS_HELP,
	       NAME);
}

static int parse_own(void *ctx, int option, const char *value)
{
	struct bench_clone *clone = ctx;

	if (option == 'f')
		return bench_parse_count(NAME, "files", value,
					 BENCH_CHANGES_FILES, FILES_MAX,
					 &clone->files);
	if (option == 's')
		return bench_parse_count(NAME, "suite-files", value,
					 BENCH_CHANGES_FILES, FILES_MAX,
					 &clone->suite_files);
	return bench_parse_count(NAME, "tests", value, 1, TESTS_MAX,
				 &clone->tests);
}

int cmd_bench_clone(int argc, char **argv)
{
	static const struct option options[] = {
		{"files", required_argument, NULL, 'f'},
		{"suite-files", required_argument, NULL, 's'},
		{"tests", required_argument, NULL, 't'},
		BENCH_OPTIONS};
	struct bench_clone clone = {1000000, 10000, 1000, bench_seed()};
	struct bench_command command;
	int status;

	bench_command_init(&command, NAME, bench_clone_columns, 3);
	status = bench_command_parse(&command, argc, argv, options, parse_own,
				     &clone);
	if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	} else if (status == TOOL_OK) {
		bench_command_begin(&command, clone.seed);
		status = bench_command_end(
			&command,
			bench_clone(&clone, &command.plan, &command.report));
	}
	bench_command_free(&command);
	return status;
}
