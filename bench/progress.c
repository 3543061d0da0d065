// SPDX-License-Identifier: MIT
/* The progress line: on a terminal only, on standard error, gone at the end. */
#include <config.h>

#include "bench/head.h"

#include <time.h>
#include <unistd.h>

static const char *title; /* NULL: nothing is drawn */
static time_t begun;

void bench_progress_begin(const char *benchmark)
{
	title = isatty(STDERR_FILENO) ? benchmark : NULL;
	begun = time(NULL);
}

void bench_progress_text(const char *text)
{
	if (title == NULL)
		return;
	fprintf(stderr, "\r\033[K%s: %.60s (%ld s)", title, text,
		(long)(time(NULL) - begun));
	fflush(stderr);
}

void bench_progress(const struct bench_row *row, size_t round)
{
	char text[256];

	if (title == NULL)
		return;
	if (round == 0)
		snprintf(text, sizeof(text), "warming up %s %s %s", row->name,
			 row->params[0], row->params[1]);
	else
		snprintf(text, sizeof(text), "round %zu, %s %s %s", round,
			 row->name, row->params[0], row->params[1]);
	bench_progress_text(text);
}

void bench_progress_end(void)
{
	if (title != NULL)
		fputs("\r\033[K", stderr);
	title = NULL;
}
