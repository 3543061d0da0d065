// SPDX-License-Identifier: MIT
#include <config.h>

#include "tool/tool.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tool_usage(const char *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", command);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nTry '%s --help'.\n", command);
	return TOOL_USAGE;
}

int tool_failed(const char *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", command);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return TOOL_FAILED;
}

int tool_bad_option(const char *command, int result, char **argv)
{
	/* A short option that is not known is in optopt; a long one is not. */
	if (result == ':')
		return tool_usage(command, "option '%s' needs a value",
				  argv[optind - 1]);
	if (optopt != 0 && optopt < 256 && argv[optind - 1][1] != '-')
		return tool_usage(command, "unknown option '-%c'", optopt);
	return tool_usage(command, "unknown option '%s'", argv[optind - 1]);
}

int tool_finish(const char *command)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return TOOL_OK;
	return tool_failed(command, "standard output: %s", strerror(errno));
}

int tool_parse_size(const char *text, uint64_t *size)
{
	static const char suffixes[] = "KMG";
	unsigned long long value;
	const char *suffix;
	unsigned shift = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno != 0)
		return -1;
	if (*end != '\0') {
		suffix = strchr(suffixes, *end & ~0x20);
		if (suffix == NULL || end[1] != '\0')
			return -1;
		shift = 10 * (unsigned)(suffix - suffixes + 1);
	}
	if (value > (uint64_t)INT64_MAX >> shift)
		return -1;
	*size = (uint64_t)value << shift;
	return 0;
}

char *tool_next_word(char **list)
{
	char *word = *list, *comma;

	if (word == NULL)
		return NULL;
	comma = strchr(word, ',');
	if (comma != NULL)
		*comma++ = '\0';
	*list = comma;
	return word;
}
