// SPDX-License-Identifier: MIT
/*
 * Attributes. Extended ones are read by way of /proc/self/fd, for there is
 * no call that takes a directory and a name and does not follow a symlink.
 */
#include <config.h>

#include "tool/import_work.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

/* Where the attributes of one name come from and go to. */
struct place {
	char from[64 + 256]; /* /proc/self/fd/N/name */
	int to_dir;
	const char *to;
};

static int is_known(const char *name)
{
	return !strncmp(name, "user.", 5) || !strncmp(name, "trusted.", 8) ||
	       !strncmp(name, "security.", 9);
}

static void leave_out(struct import *import)
{
	struct import_left *left = import->left;

	if (!left->xattrs++)
		snprintf(left->xattrs_path, sizeof left->xattrs_path, "%s",
			 import->path);
}

static int copy_xattr(struct import *import, const struct place *place,
		      const char *name)
{
	ssize_t n;
	int r;

	if (!is_known(name)) {
		leave_out(import);
		return 0;
	}
	n = lgetxattr(place->from, name, import->buffer, IMPORT_BUFFER);
	if (n < 0 && errno == ENODATA)
		return 0;
	if (n < 0)
		return import_error(import, -errno, name);
	r = mvfs_setxattrat(import->fs, place->to_dir, place->to,
			    AT_SYMLINK_NOFOLLOW, name, import->buffer, n, 0);
	return r ? import_error(import, r, name) : 0;
}

static int copy_xattrs(struct import *import, const struct place *place)
{
	char names[XATTR_LIST_MAX], *name;
	ssize_t n;
	int r = 0;

	n = llistxattr(place->from, names, sizeof names);
	if (n < 0 && errno == EOPNOTSUPP)
		return 0;
	if (n < 0)
		return import_error(import, -errno,
				    "attributes cannot be listed");
	for (name = names; !r && name < names + n; name += strlen(name) + 1)
		r = copy_xattr(import, place, name);
	return r;
}

int import_attrs(struct import *import, int from_dir, const char *name,
		 int to_dir, const char *to, const struct stat *st)
{
	const struct mvfs_time times[2] = {
		{ .sec = st->st_atim.tv_sec, .nsec = st->st_atim.tv_nsec },
		{ .sec = st->st_mtim.tv_sec, .nsec = st->st_mtim.tv_nsec },
	};
	struct place place = { .to_dir = to_dir, .to = to };
	int r;

	snprintf(place.from, sizeof place.from, "/proc/self/fd/%d/%s",
		 from_dir, name);
	r = mvfs_chownat(import->fs, to_dir, to, st->st_uid, st->st_gid,
			 AT_SYMLINK_NOFOLLOW);
	/* After the owner, whose change takes setuid bits off. */
	if (!r && !S_ISLNK(st->st_mode))
		r = mvfs_chmodat(import->fs, to_dir, to, st->st_mode & 07777,
				 0);
	if (r)
		return import_error(import, r, "attributes cannot be stored");
	r = copy_xattrs(import, &place);
	if (r)
		return r;
	r = mvfs_utimensat(import->fs, to_dir, to, times,
			   AT_SYMLINK_NOFOLLOW);
	return r ? import_error(import, r, "times cannot be stored") : 0;
}
