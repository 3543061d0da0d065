// SPDX-License-Identifier: MIT
/* --compare where configure found no jansson: says so. */
#include <config.h>

#include "bench/report.h"

#include <errno.h>

int bench_old_load(const char *path, struct bench_old **old, char *message)
{
	(void)path;
	(void)old;
	snprintf(message, 256,
		 "--compare needs jansson, which this memvfs "
		 "was built without (Debian: apt install "
		 "libjansson-dev, then configure again)");
	return -ENOTSUP;
}

void bench_old_free(struct bench_old *old)
{
	(void)old;
}

void bench_old_compare(const struct bench_old *old, struct bench_report *report)
{
	(void)old;
	(void)report;
}
