// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/clone.h"
#include "bench/head.h"
#include "tool/bench.h"

#include <getopt.h>
#include <stdlib.h>

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

static int parse_number(const char *option, const char *value, uint64_t least,
			uint64_t most, uint64_t *number)
{
	char *end;

	*number = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end != '\0' || *number < least ||
	    *number > most)
		return tool_usage(NAME, "--%s '%s': must be %llu to %llu",
				  option, value, (unsigned long long)least,
				  (unsigned long long)most);
	return TOOL_OK;
}

static int parse_own(void *ctx, int option, const char *value)
{
	struct bench_clone *clone = ctx;

	if (option == 'f')
		return parse_number("files", value, BENCH_CHANGES_FILES,
				    FILES_MAX, &clone->files);
	if (option == 's')
		return parse_number("suite-files", value, BENCH_CHANGES_FILES,
				    FILES_MAX, &clone->suite_files);
	return parse_number("tests", value, 1, TESTS_MAX, &clone->tests);
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
