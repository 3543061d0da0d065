// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/head.h"
#include "bench/peers/peers.h"
#include "tool/bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define NAME "memvfs bench peers"

static int parse_groups(void *ctx, int option, const char *value)
{
	int *wanted = ctx;
	char *words = strdup(value), *list = words, *word;
	int status = TOOL_OK;

	(void)option;
	if (words == NULL)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	memset(wanted, 0, PEERS_GROUPS * sizeof(*wanted));
	while (status == TOOL_OK && (word = tool_next_word(&list)) != NULL) {
		size_t i = 0;

		while (i < PEERS_GROUPS &&
		       strcmp(word, bench_peers_groups[i]) != 0)
			i++;
		if (i < PEERS_GROUPS)
			wanted[i] = 1;
		else
			status = tool_usage(NAME,
					    "--only '%s': must be strings, "
					    "texts, files, threads, memory or "
					    "streams",
					    word);
	}
	free(words);
	return status;
}

static void print_help(void)
{
	printf("Usage: %s [OPTION]...\n"
	       "Measures strings, charsets, memory for a moment and data "
	       "streams beside what\n"
	       "is used for them today: the C library, GLib, ICU, mimalloc "
	       "and the JDK, of\n"
	       "which what is missing is left out.\n\n"
	       "  --only LIST        of strings, texts, files, threads, "
	       "memory, streams [all]\n" BENCH_OPTIONS_HELP,
	       NAME);
}

int cmd_bench_peers(int argc, char **argv)
{
	static const struct option options[] = {
		{"only", required_argument, NULL, 'o'}, BENCH_OPTIONS};
	int wanted[PEERS_GROUPS];
	struct bench_command command;
	int status;
	uint64_t seed = bench_seed();

	for (size_t i = 0; i < PEERS_GROUPS; i++)
		wanted[i] = 1;
	bench_command_init(&command, NAME, bench_peers_columns, 1);
	status = bench_command_parse(&command, argc, argv, options,
				     parse_groups, wanted);
	if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	} else if (status == TOOL_OK) {
		bench_command_begin(&command, seed);
		status = bench_command_end(
			&command, bench_peers(wanted, seed, &command.plan,
					      &command.report));
	}
	bench_command_free(&command);
	return status;
}
