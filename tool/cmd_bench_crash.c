// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/crash.h"
#include "bench/head.h"
#include "tool/bench.h"

#include <getopt.h>

#define NAME "memvfs bench crash"

static void print_help(void)
{
	printf("Usage: %s [OPTION]...\n"
	       "Measures how many states after a power cut can be tried: each "
	       "one that may be\n"
	       "found of a small store with a journal is built, opened, "
	       "recovered, checked.\n\n"
	       "  --transactions N   of the store [500]\n" BENCH_OPTIONS_HELP,
	       NAME);
}

static int parse_transactions(void *ctx, int option, const char *value)
{
	(void)option;
	return bench_parse_count(NAME, "transactions", value, 1,
				 BENCH_CRASH_MAX, ctx);
}

int cmd_bench_crash(int argc, char **argv)
{
	static const struct option options[] = {
		{"transactions", required_argument, NULL, 't'}, BENCH_OPTIONS};
	struct bench_crash crash = {500, bench_seed()};
	struct bench_command command;
	int status;

	bench_command_init(&command, NAME, bench_crash_columns, 3);
	status = bench_command_parse(&command, argc, argv, options,
				     parse_transactions, &crash.transactions);
	if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	} else if (status == TOOL_OK) {
		bench_command_begin(&command, crash.seed);
		status = bench_command_end(
			&command,
			bench_crash(&crash, &command.plan, &command.report));
	}
	bench_command_free(&command);
	return status;
}
