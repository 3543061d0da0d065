// SPDX-License-Identifier: MIT
/*
 * What a JDK takes: a Java program of ours (Peers.java, which is in this one
 * as text) is started and measures by itself, so its rows are of the same
 * minute, but not taken in turns with the others.
 */
#include <config.h>

#include "bench/peers/peers.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/head.h"
#include "bench/place.h"

static const char program[] =
#include "bench/peers/Peers.java.h"
	;

extern char **environ;

/* A row that is one best sample. */
static void add_row(struct peers *p, const char *name, const char *text,
		    size_t length, double ns)
{
	struct bench_row *row = peers_row(p, name, "JDK", length, text, NULL,
					  NULL);

	row->count = 1;
	row->wall[0] = ns;
	row->cpu[0] = NAN;
	snprintf(row->note, sizeof(row->note), "its own best sample");
}

static void take_line(struct peers *p, struct peers_jdk *jdk, const char *line)
{
	char text[32];
	size_t length;
	double ns;

	if (strncmp(line, "version ", 8) == 0) {
		bench_report_head(p->report, "JDK", "%.*s",
				  (int)strcspn(line + 8, "\n"), line + 8);
	} else if (sscanf(line, "ints %lf", &ns) == 1) {
		jdk->ints_each = ns;
		add_row(p, "ints.oneByOne", "-", 4096, ns);
	} else if (sscanf(line, "read %31s %zu %lf", text, &length, &ns) ==
		   3) {
		add_row(p, "readString.tmpfs", text, length, ns);
	}
}

/* Runs it with its output into a pipe. 0, or -errno where it cannot be. */
static int start(char *const argv[], pid_t *child, FILE **output)
{
	posix_spawn_file_actions_t actions;
	int pipe_ends[2], result;

	if (pipe(pipe_ends) < 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
	posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
	posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
	result = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipe_ends[1]);
	if (result != 0) {
		close(pipe_ends[0]);
		return -result;
	}
	*output = fdopen(pipe_ends[0], "r");
	return *output != NULL ? 0 : -errno;
}

static int put_text(struct bench_place *place, const char *name, size_t length,
		    const char *pattern)
{
	char *bytes = malloc(length + 4);
	size_t step = strlen(pattern);
	int result;

	if (bytes == NULL)
		return -ENOMEM;
	for (size_t i = 0; i + step <= length; i += step)
		memcpy(bytes + i, pattern, step);
	result = bench_place_put(place, name, bytes, length / step * step);
	free(bytes);
	return result;
}

static void run(struct peers *p, struct peers_jdk *jdk,
		const struct bench_place *place)
{
	char java[4200], small[4200], large[4200], line[256];
	char *argv[] = {(char[]){"java"},  java,
			small,		   (char[]){"UTF-8"},
			(char[]){"ascii"}, (char[]){"1024"},
			large,		   (char[]){"UTF-8"},
			(char[]){"ascii"}, (char[]){"1048576"},
			NULL};
	FILE *output;
	pid_t child;
	int result, status;

	snprintf(java, sizeof(java), "/proc/%d/fd/%d/Peers.java",
		 (int)getpid(), place->dirfd);
	snprintf(small, sizeof(small), "/proc/%d/fd/%d/small", (int)getpid(),
		 place->dirfd);
	snprintf(large, sizeof(large), "/proc/%d/fd/%d/large", (int)getpid(),
		 place->dirfd);
	bench_progress_text("running the JDK");
	result = start(argv, &child, &output);
	if (result < 0) {
		bench_report_leave_out(p->report, "JDK",
				       "java cannot be run: %s (Debian: apt "
				       "install default-jdk-headless)",
				       strerror(-result));
		return;
	}
	while (fgets(line, sizeof(line), output) != NULL)
		take_line(p, jdk, line);
	fclose(output);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (jdk->ints_each == 0)
		bench_report_leave_out(p->report, "JDK",
				       "java ended with status %d; a JDK, of "
				       "version 11 or later, is needed",
				       status);
}

int peers_run_jdk(struct peers *p, struct peers_jdk *jdk)
{
	struct bench_needs needs = {4 << 20, 16, p->seed};
	struct bench_place place;
	char reason[256];
	int result;

	if (bench_place_open("tmpfs", &needs, &place, reason) < 0) {
		bench_report_leave_out(p->report, "JDK", "%s", reason);
		return 0;
	}
	result = bench_place_put(&place, "Peers.java", program,
				 sizeof(program) - 1);
	if (result == 0)
		result = put_text(&place, "small", 1024, "a");
	if (result == 0)
		result = put_text(&place, "large", 1 << 20, "a");
	if (result == 0)
		run(p, jdk, &place);
	bench_place_close(&place);
	p->count = 0; /* they have been measured */
	return result;
}
