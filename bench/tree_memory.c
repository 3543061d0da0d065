// SPDX-License-Identifier: MIT
/*
 * What a file takes: the growth of this process while a tree is filled, in
 * a process of its own so that no freed memory is used again. Two answers are
 * given, for neither is the whole truth: memory that is written to and that
 * malloc does not have free (its overhead included, and mappings that are not
 * malloc's), and the growth of the resident set. Beside them the kernel's
 * growth for the same tree on tmpfs (slab and shared memory, of the whole
 * machine).
 */
#include <config.h>

#include "bench/head.h"
#include "bench/tree.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct found {
	double resident, allocated; /* bytes per file */
	int result;
	char reason[256];
};

/* Resident memory, and private memory that may be written. */
static void process_bytes(double *resident, double *data)
{
	FILE *file = fopen("/proc/self/statm", "re");
	double page = (double)sysconf(_SC_PAGESIZE);
	unsigned long pages[2] = {0, 0};

	*resident = *data = NAN;
	if (file == NULL)
		return;
	if (fscanf(file, "%*u %lu %*u %*u %*u %lu", &pages[0], &pages[1]) ==
	    2) {
		*resident = (double)pages[0] * page;
		*data = (double)pages[1] * page;
	}
	fclose(file);
}

static double resident_bytes(void)
{
	double resident, data;

	process_bytes(&resident, &data);
	return resident;
}

static double allocated_bytes(void)
{
#if defined HAVE_MALLINFO2
	double resident, data;

	process_bytes(&resident, &data);
	return data - (double)mallinfo2().fordblks;
#else
	return NAN;
#endif
}

static double kernel_bytes(void)
{
	return (double)bench_meminfo("Slab") + (double)bench_meminfo("Shmem");
}

/* The work of the child. */
static void fill(const char *where, const struct bench_tree *options, int flat,
		 size_t length, const struct bench_plan *plan,
		 struct found *found)
{
	struct bench_needs needs = {options->memory_files *
					    (length > 0 ? 4096 : 0),
				    options->memory_files * 2, options->seed};
	struct bench_grove grove = {NULL, options->memory_files, flat, -1};
	double files = (double)options->memory_files, resident, allocated;
	struct bench_place place;

	found->result = bench_place_open(where, &needs, &place, found->reason);
	if (found->result < 0)
		return;
	grove.place = &place;
	resident =
		place.kind == BENCH_MEMORY ? resident_bytes() : kernel_bytes();
	allocated = allocated_bytes();
	found->result = bench_grove_fill(&grove, length, plan);
	if (found->result < 0)
		snprintf(found->reason, sizeof(found->reason), "%s",
			 strerror(-found->result));
	found->allocated = (allocated_bytes() - allocated) / files;
	if (place.kind == BENCH_MEMORY) {
		found->resident = (resident_bytes() - resident) / files;
	} else {
		found->resident = (kernel_bytes() - resident) / files;
		found->allocated = NAN;
	}
	/* Memory goes with the process; what is in a directory does not. */
	if (place.kind != BENCH_MEMORY)
		bench_place_close(&place);
}

/* Until the child has something to say. A signal that ends us ends it too. */
static void await(int end, pid_t child, const struct bench_plan *plan)
{
	struct pollfd poll_end = {.fd = end, .events = POLLIN};

	while (poll(&poll_end, 1, -1) < 0 && errno == EINTR)
		if (plan->stop != NULL && *plan->stop)
			kill(child, SIGTERM);
}

static int measure(const char *where, const struct bench_tree *options,
		   int flat, size_t length, const struct bench_plan *plan,
		   struct found *found)
{
	int ends[2], status = 0;
	ssize_t n;
	pid_t child;

	memset(found, 0, sizeof(*found));
	if (pipe(ends) < 0)
		return -errno;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		int result = -errno;

		close(ends[0]);
		close(ends[1]);
		return result;
	}
	if (child == 0) {
		fill(where, options, flat, length, plan, found);
		n = write(ends[1], found, sizeof(*found));
		_exit(n == (ssize_t)sizeof(*found) ? 0 : 1);
	}
	close(ends[1]);
	await(ends[0], child, plan);
	n = read(ends[0], found, sizeof(*found));
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (n != (ssize_t)sizeof(*found) || status != 0) {
		snprintf(found->reason, sizeof(found->reason),
			 "the process that measures it died (status %d)",
			 status);
		return -EIO;
	}
	return found->result;
}

static void claim(struct bench_report *report, const struct found *found,
		  const char *what, size_t length, int is_memory)
{
	double bound = length == 0 ? 250 : 1300;
	struct bench_claim *c;

	if (!isnan(found->allocated)) {
		c = bench_report_claim(report, found->allocated, NAN, "B/file",
				       BENCH_AT_MOST, bound);
		if (c != NULL)
			snprintf(c->what, sizeof(c->what), "%s, allocated",
				 what);
	}
	c = bench_report_claim(report, found->resident, NAN, "B/file",
			       is_memory ? BENCH_AT_MOST : BENCH_NO_BOUND,
			       bound);
	if (c != NULL)
		snprintf(c->what, sizeof(c->what), "%s, %s", what,
			 is_memory ? "resident" : "slab and shared");
}

int bench_tree_memory(const struct bench_tree *options,
		      const struct bench_plan *plan,
		      struct bench_report *report)
{
	static const struct {
		const char *where;
		int flat;
		size_t length;
	} kinds[] = {{"memory", 0, 0},
		     {"memory", 1, 0},
		     {"memory", 0, 1024},
		     {"tmpfs", 0, 0},
		     {"tmpfs", 0, 1024}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct found found;
		char what[120];
		int result;

		if (options->memory_files == 0)
			return 0;
		snprintf(what, sizeof(what), "%s: %llu files of %zu bytes, %s",
			 kinds[i].where,
			 (unsigned long long)options->memory_files,
			 kinds[i].length, kinds[i].flat ? "flat" : "dirs");
		bench_progress_text(what);
		result = measure(kinds[i].where, options, kinds[i].flat,
				 kinds[i].length, plan, &found);
		if (plan->stop != NULL && *plan->stop)
			return -EINTR;
		if (result < 0)
			bench_report_leave_out(report, what, "%s",
					       found.reason[0]
						       ? found.reason
						       : strerror(-result));
		else
			claim(report, &found, what, kinds[i].length,
			      kinds[i].where[0] == 'm');
	}
	return 0;
}
