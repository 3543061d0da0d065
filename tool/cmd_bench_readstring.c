// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include "bench/head.h"
#include "bench/readstring.h"
#include "tool/bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME	  "memvfs bench readstring"
#define WORDS_MAX 16
/* Longer ones would not be read back as one string anywhere. */
#define LENGTH_MAX ((uint64_t)1 << 32)

struct asked {
	const char *where[WORDS_MAX];
	uint64_t lengths[WORDS_MAX];
	char *where_text, *length_text; /* copies that were cut into words */
	const char *source;
	struct bench_readstring options;
};

static void print_help(void)
{
	printf("Usage: %s [OPTION]...\n"
	       "Reads whole files as strings, checks each once, and measures.\n"
	       "\n"
	       "  --where LIST       of memory, mount, tmpfs, and directories "
	       "of the host\n"
	       "                     [memory,mount,tmpfs]\n"
	       "  --length LIST      of the files in bytes, with K, M, G\n"
	       "                     [0,1024,8192,1M,32M]\n"
	       "  --charset LIST     of ascii, utf8, gbk, ascii-as-gbk [all]\n"
	       "  --source DIR       cut the contents from the files there "
	       "[generated text]\n" BENCH_OPTIONS_HELP,
	       NAME);
}

static int parse_where(struct asked *asked, const char *value)
{
	struct stat st;
	char *list, *word;

	free(asked->where_text);
	asked->where_text = list = strdup(value);
	if (list == NULL)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	asked->options.where_count = 0;
	while ((word = tool_next_word(&list)) != NULL) {
		if (strcmp(word, "memory") != 0 && strcmp(word, "mount") != 0 &&
		    strcmp(word, "tmpfs") != 0) {
			if (strchr(word, '/') == NULL && stat(word, &st) < 0)
				return tool_usage(
					NAME,
					"--where '%s': must be memory, "
					"mount, tmpfs or a directory",
					word);
			if (stat(word, &st) < 0)
				return tool_usage(NAME, "--where '%s': %s",
						  word, strerror(errno));
			if (!S_ISDIR(st.st_mode))
				return tool_usage(NAME, "--where '%s': %s",
						  word, strerror(ENOTDIR));
		}
		if (asked->options.where_count == WORDS_MAX)
			return tool_usage(NAME, "--where: more than %d places",
					  WORDS_MAX);
		asked->where[asked->options.where_count++] = word;
	}
	return TOOL_OK;
}

static int parse_lengths(struct asked *asked, const char *value)
{
	char *list, *word;

	free(asked->length_text);
	asked->length_text = list = strdup(value);
	if (list == NULL)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	asked->options.length_count = 0;
	while ((word = tool_next_word(&list)) != NULL) {
		uint64_t length;

		if (tool_parse_size(word, &length) < 0 || length > LENGTH_MAX)
			return tool_usage(NAME,
					  "--length '%s': not a number "
					  "of bytes up to 4G",
					  word);
		if (asked->options.length_count == WORDS_MAX)
			return tool_usage(NAME, "--length: more than %d",
					  WORDS_MAX);
		asked->lengths[asked->options.length_count++] = length;
	}
	return TOOL_OK;
}

static int parse_charsets(struct asked *asked, const char *value)
{
	static const char *const names[BENCH_READ_COUNT] = {
		"ascii", "utf8", "gbk", "ascii-as-gbk"};
	char *text = strdup(value), *list = text, *word;
	int status = TOOL_OK;

	if (text == NULL)
		return tool_failed(NAME, "%s", strerror(ENOMEM));
	memset(asked->options.charsets, 0, sizeof(asked->options.charsets));
	while (status == TOOL_OK && (word = tool_next_word(&list)) != NULL) {
		int i = 0;

		while (i < BENCH_READ_COUNT && strcmp(word, names[i]) != 0)
			i++;
		if (i < BENCH_READ_COUNT)
			asked->options.charsets[i] = 1;
		else
			status = tool_usage(NAME,
					    "--charset '%s': must be ascii, "
					    "utf8, gbk or ascii-as-gbk",
					    word);
	}
	free(text);
	return status;
}

static int parse_source(struct asked *asked, const char *value)
{
	struct stat st;

	if (stat(value, &st) < 0)
		return tool_usage(NAME, "--source '%s': %s", value,
				  strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return tool_usage(NAME, "--source '%s': %s", value,
				  strerror(ENOTDIR));
	asked->source = value;
	return TOOL_OK;
}

static int parse_own(void *ctx, int option, const char *value)
{
	switch (option) {
	case 'w':
		return parse_where(ctx, value);
	case 'l':
		return parse_lengths(ctx, value);
	case 'c':
		return parse_charsets(ctx, value);
	default:
		return parse_source(ctx, value);
	}
}

static int run(struct bench_command *command, struct asked *asked)
{
	struct bench_prose prose;
	int result;

	result = bench_prose_load(asked->source, asked->options.seed, &prose);
	if (result < 0)
		return tool_failed(NAME, "--source '%s': %s",
				   asked->source ? asked->source : "",
				   strerror(-result));
	bench_command_begin(command, asked->options.seed);
	bench_prose_head(&prose, &command->report);
	result = bench_readstring(&asked->options, &prose, &command->plan,
				  &command->report);
	bench_prose_free(&prose);
	return bench_command_end(command, result);
}

int cmd_bench_readstring(int argc, char **argv)
{
	static const struct option options[] = {
		{"where", required_argument, NULL, 'w'},
		{"length", required_argument, NULL, 'l'},
		{"charset", required_argument, NULL, 'c'},
		{"source", required_argument, NULL, 's'},
		BENCH_OPTIONS};
	struct bench_command command;
	struct asked asked;
	int status;

	memset(&asked, 0, sizeof(asked));
	bench_command_init(&command, NAME, bench_readstring_columns, 10);
	asked.options.where = asked.where;
	asked.options.lengths = asked.lengths;
	asked.options.seed = bench_seed();
	status = parse_where(&asked, "memory,mount,tmpfs");
	if (status == TOOL_OK)
		status = parse_lengths(&asked, "0,1024,8192,1M,32M");
	if (status == TOOL_OK)
		status = parse_charsets(&asked, "ascii,utf8,gbk,ascii-as-gbk");
	if (status == TOOL_OK)
		status = bench_command_parse(&command, argc, argv, options,
					     parse_own, &asked);
	if (status == TOOL_OK) {
		status = run(&command, &asked);
	} else if (status == -1) {
		print_help();
		status = tool_finish(NAME);
	}
	bench_command_free(&command);
	free(asked.where_text);
	free(asked.length_text);
	return status;
}
