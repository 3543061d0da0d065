// SPDX-License-Identifier: MIT
/* A mount of our own, served by threads of this process. */
#include <config.h>

#include "bench/place.h"

#include <memvfs/fuse.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int bench_mount_open(struct bench_place *place, char reason[256])
{
	struct mvfs_error error = {0};
	const char *parent = getenv("TMPDIR");
	int result;

	snprintf(place->base, sizeof(place->base),
		 "%.2000s/memvfs-bench-XXXXXX",
		 parent != NULL && *parent != '\0' ? parent : "/tmp");
	if (mkdtemp(place->base) == NULL) {
		snprintf(reason, 256, "no directory to mount on: %s",
			 strerror(errno));
		place->base[0] = '\0';
		return -EACCES;
	}
	result =
		mvfs_mount(place->fs, place->base, NULL, &place->mount, &error);
	if (result < 0) {
		place->mount = NULL;
		snprintf(reason, 256, "%s",
			 error.message[0] ? error.message : strerror(-result));
		return result;
	}
	place->dirfd = open(place->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place->dirfd < 0) {
		snprintf(reason, 256, "the mount does not open: %s",
			 strerror(errno));
		return -EIO;
	}
	/* From the tree to the kernel's pages, from there to the reader. */
	place->moves = 2;
	snprintf(place->about, sizeof(place->about), "%.100s, in this process",
		 place->base);
	return 0;
}

void bench_mount_close(struct bench_place *place)
{
	if (place->mount != NULL)
		mvfs_unmount(place->mount);
	place->mount = NULL;
}

const char *bench_fuse_version(void)
{
	return FUSE_VERSION_FOUND;
}

const char *bench_fuse_cache(void)
{
	return "names and attributes kept for 0 s, pages dropped at each open";
}
