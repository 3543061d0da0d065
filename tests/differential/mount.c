/* SPDX-License-Identifier: MIT */
/* memvfs behind a mount of this process. */
#include "config.h"

#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#ifdef HAVE_FUSE
#include <memvfs/fuse.h>
#include <memvfs/path.h>

static char message[400];

/* Every call sees a later time, so that every move shows. */
static struct mvfs_time later(void *ctx)
{
	uint64_t now = __atomic_add_fetch((uint64_t *)ctx, 1, __ATOMIC_RELAXED);

	return (struct mvfs_time){ 2000000000 + (int64_t)(now / 1000000000),
				   (int32_t)(now % 1000000000), 0 };
}

static int mount_at(struct mounted *mounted, uint64_t max_bytes,
		    struct mvfs_error *error)
{
	struct mvfs_options options = { .size = sizeof(options),
					.root_mode = 0777,
					.max_bytes = max_bytes,
					.clock = later,
					.clock_ctx = &mounted->clock };
	struct mvfs_mount_options mount = {
		.size = sizeof(mount),
		.flags = geteuid() == 0 ? MVFS_MOUNT_ALLOW_OTHER : 0
	};
	mvfs *fs = NULL;
	int ret = mvfs_create(&options, &fs);

	if (ret < 0)
		return ret;
	if (geteuid() != 0)
		mvfs_chown(fs, "/", geteuid(), getegid());
	ret = mvfs_mount(fs, mounted->path, &mount, &mounted->mount, error);
	mounted->fs = fs;
	return ret;
}

/* Where nobody else sees the mount, and it goes however this process ends. */
static void hide(void)
{
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0)
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int mount_open(struct mounted *mounted, uint64_t max_bytes, const char **why)
{
	const char *tmp = getenv("TMPDIR");
	struct mvfs_error error = { 0 };

	hide();
	memset(mounted, 0, sizeof(*mounted));
	snprintf(mounted->path, sizeof(mounted->path), "%s/oracle.XXXXXX",
		 tmp && strlen(tmp) < 200 ? tmp : "/tmp");
	if (!mkdtemp(mounted->path)) {
		*why = "no directory can be made to mount on";
		return -1;
	}
	if (mount_at(mounted, max_bytes, &error) < 0) {
		snprintf(message, sizeof(message), "%s", error.message);
		*why = message;
		rmdir(mounted->path);
		mvfs_destroy(mounted->fs);
		return -1;
	}
	mounted->fd = open(mounted->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return mounted->fd;
}

void mount_close(struct mounted *mounted)
{
	int ret = mvfs_unmount(mounted->mount);

	if (ret < 0)
		fprintf(stderr, "unmounting %s: %s\n", mounted->path,
			strerror(-ret));
	rmdir(mounted->path);
	mvfs_destroy(mounted->fs);
}

#else

int mount_open(struct mounted *mounted, uint64_t max_bytes, const char **why)
{
	(void)mounted;
	(void)max_bytes;
	*why = "built without libfuse3";
	return -1;
}

void mount_close(struct mounted *mounted)
{
	(void)mounted;
}

#endif
