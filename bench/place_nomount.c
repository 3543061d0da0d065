// SPDX-License-Identifier: MIT
/* Mounts where configure found no libfuse3: the reason, and the way to it. */
#include <config.h>

#include "bench/place.h"

#include <errno.h>
#include <stdio.h>

int bench_mount_open(struct bench_place *place, char reason[256])
{
	(void)place;
	snprintf(reason, 256,
		 "this memvfs was built without libfuse3 (Debian: "
		 "apt install libfuse3-dev fuse3, then "
		 "configure again)");
	return -ENOTSUP;
}

void bench_mount_close(struct bench_place *place)
{
	(void)place;
}

const char *bench_fuse_version(void)
{
	return "not built in";
}

const char *bench_fuse_cache(void)
{
	return "none";
}
