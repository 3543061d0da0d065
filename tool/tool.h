/* SPDX-License-Identifier: MIT */
/*
 * The memvfs command. Exit status: 0, 1 for what failed while it ran, 2 for
 * what was asked wrongly. Each subcommand has a cmd_*.c with a cmd_* of the
 * shape of main(), argv[0] being its own name.
 */
#ifndef TOOL_H
#define TOOL_H

#include <stdint.h>

enum tool_status { TOOL_OK, TOOL_FAILED, TOOL_USAGE };

int cmd_bench(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_mount(int argc, char **argv);

#if defined __GNUC__
#define TOOL_PRINTF(format, first) \
	__attribute__((__format__(__printf__, format, first)))
#else
#define TOOL_PRINTF(format, first)
#endif

/* "memvfs COMMAND: message" to standard error, and the way to the help;
 * returns TOOL_USAGE. */
TOOL_PRINTF(2, 3)
int tool_usage(const char *command, const char *format, ...);
/* The same without the way to the help; returns TOOL_FAILED. */
TOOL_PRINTF(2, 3)
int tool_failed(const char *command, const char *format, ...);

/* After getopt_long() said '?' or ':' with opterr 0: names the option. */
int tool_bad_option(const char *command, int result, char **argv);

/* Flushes standard output: TOOL_FAILED if not all of it could be written. */
int tool_finish(const char *command);

/* "8192", "1M": a number of bytes, with K, M or G for powers of 1024. 0, or
 * -1 if it is none or too large. */
int tool_parse_size(const char *text, uint64_t *size);

/* Takes the next word of a list that commas separate, in place; NULL at the
 * end. An empty word is a word. */
char *tool_next_word(char **list);

#endif
