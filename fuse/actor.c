// SPDX-License-Identifier: MIT
/*
 * Who acts: uid, gid and umask come with each request. Supplementary groups
 * do not; libfuse reads them from /proc, which costs more than the rest of a
 * request, so they are fetched only where they can decide something: somebody
 * who is neither root nor the owner, a group that is not his own, and
 * permissions that differ between the group and the others. Keeping them
 * for the next request was rejected: setgroups(2) would come too late.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <stdlib.h>

static struct mvfs_actor actor_of(fuse_req_t req)
{
	const struct fuse_ctx *ctx = fuse_req_ctx(req);

	return (struct mvfs_actor){
		.uid = ctx->uid,
		.gid = ctx->gid,
		.umask = ctx->umask & 0777,
	};
}

static int decides(const struct mvfs_actor *actor, const struct mvfs_stat *st)
{
	if (st->gid == actor->gid)
		return 0;
	/* Whether a new file keeps setgid depends on membership. */
	if (st->mode & S_ISGID)
		return 1;
	return st->uid != actor->uid &&
	       (st->mode >> 3 & 7) != (st->mode & 7);
}

static int groups_decide(const struct mvfs__acting *acting, uint64_t ino)
{
	struct mvfs_stat st;

	return ino &&
	       !mvfs_sys_stat(mvfs__mount(acting->req)->fs, ino, &st) &&
	       decides(&acting->actor, &st);
}

static void fetch_groups(struct mvfs__acting *acting)
{
	size_t room = sizeof acting->few / sizeof *acting->few;
	uint32_t *groups = acting->few, *larger;
	int n;

	_Static_assert(sizeof(gid_t) == sizeof(uint32_t), "groups are copied");
	acting->have_groups = 1;
	/* Fails for those who already ended or whose /proc is not seen from
	 * here; they have no groups then. */
	while ((n = fuse_req_getgroups(acting->req, room, groups)) > 0 &&
	       (size_t)n > room) {
		larger = realloc(acting->heap, n * sizeof *larger);
		if (!larger)
			return;
		acting->heap = groups = larger;
		room = n;
	}
	if (n <= 0)
		return;
	acting->actor.groups = groups;
	acting->actor.group_count = n;
}

static void begin(struct mvfs__acting *acting, fuse_req_t req)
{
	acting->req = req;
	acting->actor = actor_of(req);
	acting->have_groups = 0;
	acting->heap = NULL;
}

void mvfs__acting(struct mvfs__acting *acting, fuse_req_t req, uint64_t ino,
		  uint64_t other)
{
	begin(acting, req);
	if (acting->actor.uid == 0)
		return;
	if (groups_decide(acting, ino) || groups_decide(acting, other))
		fetch_groups(acting);
}

void mvfs__acting_moves(struct mvfs__acting *acting, uint64_t parent,
			const char *name)
{
	static const struct mvfs_actor root;
	struct mvfs_stat st;

	if (acting->actor.uid == 0 || acting->have_groups ||
	    mvfs_sys_lookup(mvfs__mount(acting->req)->fs, &root, parent, name,
			    0, &st))
		return;
	if (S_ISDIR(st.mode) && decides(&acting->actor, &st))
		fetch_groups(acting);
}

void mvfs__acting_writes(struct mvfs__acting *acting, fuse_req_t req,
			 uint64_t ino)
{
	const struct mvfs_actor *actor = &acting->actor;
	struct mvfs_stat st;

	begin(acting, req);
	if (actor->uid == 0 || mvfs_sys_stat(mvfs__mount(req)->fs, ino, &st))
		return;
	/* With S_IXGRP it falls, whoever writes. */
	if ((st.mode & (S_ISGID | S_IXGRP)) == S_ISGID &&
	    st.gid != actor->gid)
		fetch_groups(acting);
}

void mvfs__acting_groups(struct mvfs__acting *acting, fuse_req_t req)
{
	begin(acting, req);
	if (acting->actor.uid != 0)
		fetch_groups(acting);
}

int mvfs__acting_again(struct mvfs__acting *acting, int64_t result)
{
	if (result != -EACCES && result != -EPERM)
		return 0;
	if (acting->actor.uid == 0 || acting->have_groups)
		return 0;
	/* Modes changed since groups_decide() looked, or it looked at another
	 * inode than the one that decided. */
	fetch_groups(acting);
	return acting->actor.group_count > 0;
}

void mvfs__acting_end(struct mvfs__acting *acting)
{
	free(acting->heap);
}
