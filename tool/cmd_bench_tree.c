// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/head.h"
#include "bench/tree.h"
#include "tool/bench.h"

#include <getopt.h>
#include <string.h>

#define NAME	  "memvfs bench tree"
#define FILES_MAX 9999999 /* what the names have digits for */

static void print_help(void)
{
	printf("Usage: %s [OPTION]...\n"
	       "Measures calls on names, in memory beside tmpfs, in a tree of "
	       "a thousand\n"
	       "files and one of N; memory per file; cloning.\n\n"
	       "  --files N          of the large tree, and of those whose "
	       "memory is counted\n"
	       "                     [1000000]\n" BENCH_OPTIONS_HELP,
	       NAME);
}

static int parse_files(void *ctx, int option, const char *value)
{
	(void)option;
	return bench_parse_count(NAME, "files", value, 1, FILES_MAX, ctx);
}

int cmd_bench_tree(int argc, char **argv)
{
	static const struct option options[] = {
		{"files", required_argument, NULL, 'f'}, BENCH_OPTIONS};
	uint64_t files = 1000000, sizes[2];
	struct bench_command command;
	struct bench_tree tree;
	int status;

	bench_command_init(&command, NAME, bench_tree_columns, 3);
	status = bench_command_parse(&command, argc, argv, options, parse_files,
				     &files);
	if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	} else if (status == TOOL_OK) {
		sizes[0] = files < 1000 ? files : 1000;
		sizes[1] = files;
		memset(&tree, 0, sizeof(tree));
		tree.sizes = sizes;
		tree.size_count = files > 1000 ? 2 : 1;
		tree.memory_files = files;
		tree.seed = bench_seed();
		bench_command_begin(&command, tree.seed);
		status = bench_command_end(
			&command,
			bench_tree(&tree, &command.plan, &command.report));
	}
	bench_command_free(&command);
	return status;
}
