/* SPDX-License-Identifier: MIT */
/* What the subcommands of memvfs bench share: options, running, printing. */
#ifndef TOOL_BENCH_H
#define TOOL_BENCH_H

#include <getopt.h>

#include "bench/report.h"

struct bench_command {
	const char *name; /* "memvfs bench readstring" */
	struct bench_plan plan;
	struct bench_report report;
	struct bench_old *old; /* of --compare, or NULL */
	int json;
};

/* For getopt_long() of each of them. Values are above those of characters. */
enum { OPTION_TIME = 256, OPTION_MODE, OPTION_FORMAT, OPTION_COMPARE };
#define BENCH_OPTIONS                                                 \
	{"time", required_argument, NULL, OPTION_TIME},               \
		{"mode", required_argument, NULL, OPTION_MODE},       \
		{"format", required_argument, NULL, OPTION_FORMAT},   \
		{"compare", required_argument, NULL, OPTION_COMPARE}, \
		{"help", no_argument, NULL, 'h'},                     \
	{                                                             \
		NULL, 0, NULL, 0                                      \
	}
#define BENCH_OPTIONS_HELP                                                  \
	"  --time SECONDS     go on measuring for so long; every row gets " \
	"11 samples\n"                                                      \
	"                     in any case\n"                                \
	"  --mode avgt|thrpt  scores in ns per operation, or operations "   \
	"per second\n"                                                      \
	"  --format text|json\n"                                            \
	"  --compare OLD      set beside an earlier JSON output\n"          \
	"  --help             this text\n"

void bench_command_init(struct bench_command *command, const char *name,
			const char *const columns[], double seconds);
void bench_command_free(struct bench_command *command);
/*
 * Takes the command line: `options` end with BENCH_OPTIONS, and those before
 * go to `own`. TOOL_OK, the status to exit with, or -1: help was asked for.
 */
int bench_command_parse(struct bench_command *command, int argc, char **argv,
			const struct option *options,
			int (*own)(void *ctx, int option, const char *value),
			void *ctx);
/* An option that is a number, into *number: TOOL_OK or TOOL_USAGE. */
int bench_parse_count(const char *name, const char *option, const char *value,
		      uint64_t least, uint64_t most, uint64_t *number);
/* Before the report is filled: clocks, the head, signals. */
void bench_command_begin(struct bench_command *command, uint64_t seed);
/* After: prints it. `result` is the benchmark's. The status to exit with. */
int bench_command_end(struct bench_command *command, int result);

int cmd_bench_clone(int argc, char **argv);
int cmd_bench_crash(int argc, char **argv);
int cmd_bench_readstring(int argc, char **argv);
int cmd_bench_tree(int argc, char **argv);
int cmd_bench_peers(int argc, char **argv);

#endif
