// SPDX-License-Identifier: MIT
/* Extended attributes. */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdlib.h>

void mvfs__op_setxattr(fuse_req_t req, fuse_ino_t node, const char *name,
		       const char *value, size_t size, int flags)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	struct mvfs__acting acting;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_setxattr(mount->fs, &acting.actor, ino, name,
				      value, size, flags);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}

void mvfs__op_removexattr(fuse_req_t req, fuse_ino_t node, const char *name)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	struct mvfs__acting acting;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_removexattr(mount->fs, &acting.actor, ino, name);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}

/* name NULL: the list of names. */
static void get(fuse_req_t req, fuse_ino_t node, const char *name, size_t size)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	struct mvfs__acting acting;
	char *to = NULL;
	int64_t r;

	if (size) {
		to = malloc(size);
		if (!to) {
			fuse_reply_err(req, ENOMEM);
			return;
		}
	}
	mvfs__acting(&acting, req, ino, 0);
	do {
		r = name ? mvfs_sys_getxattr(mount->fs, &acting.actor, ino,
					     name, to, size)
			 : mvfs_sys_listxattr(mount->fs, &acting.actor, ino,
					      to, size);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	if (r < 0)
		fuse_reply_err(req, -r);
	else if (size)
		fuse_reply_buf(req, to, r);
	else
		fuse_reply_xattr(req, r);
	free(to);
}

void mvfs__op_getxattr(fuse_req_t req, fuse_ino_t node, const char *name,
		       size_t size)
{
	get(req, node, name, size);
}

void mvfs__op_listxattr(fuse_req_t req, fuse_ino_t node, size_t size)
{
	get(req, node, NULL, size);
}
