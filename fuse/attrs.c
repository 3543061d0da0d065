// SPDX-License-Identifier: MIT
/* Attributes, permissions and the state of the whole. */
#include <config.h>

#include "fuse/adapter.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>

#include <memvfs/path.h>

static struct timespec timespec_of(struct mvfs_time time)
{
	return (struct timespec){ .tv_sec = time.sec, .tv_nsec = time.nsec };
}

static struct mvfs_time time_of(struct timespec time)
{
	return (struct mvfs_time){ .sec = time.tv_sec, .nsec = time.tv_nsec };
}

void mvfs__fuse_stat(const struct mvfs_stat *from, struct stat *to)
{
	memset(to, 0, sizeof *to);
	to->st_ino = from->ino;
	to->st_mode = from->mode;
	to->st_nlink = from->nlink;
	to->st_uid = from->uid;
	to->st_gid = from->gid;
	to->st_rdev = from->rdev;
	to->st_size = from->size;
	to->st_blksize = from->blksize;
	to->st_blocks = from->blocks;
	to->st_atim = timespec_of(from->atime);
	to->st_mtim = timespec_of(from->mtime);
	to->st_ctim = timespec_of(from->ctime);
}

void mvfs__fuse_entry(struct mvfs_mount *mount, const struct mvfs_stat *st,
		      struct fuse_entry_param *e)
{
	memset(e, 0, sizeof *e);
	e->ino = mvfs__node(mount, st->ino);
	e->generation = mvfs__generation(mount, st);
	mvfs__fuse_stat(st, &e->attr);
}

void mvfs__op_getattr(fuse_req_t req, fuse_ino_t node,
		      struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct mvfs_stat st;
	struct stat attr;
	int r;

	(void)fi;
	r = mvfs_sys_stat(mount->fs, mvfs__node(mount, node), &st);
	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	mvfs__fuse_stat(&st, &attr);
	fuse_reply_attr(req, &attr, 0);
}

static unsigned wanted(const struct stat *attr, int to_set,
		       struct mvfs_stat *values)
{
	unsigned set = 0;

	memset(values, 0, sizeof *values);
	if (to_set & FUSE_SET_ATTR_MODE)
		set |= MVFS_SET_MODE;
	if (to_set & FUSE_SET_ATTR_UID)
		set |= MVFS_SET_UID;
	if (to_set & FUSE_SET_ATTR_GID)
		set |= MVFS_SET_GID;
	if (to_set & FUSE_SET_ATTR_SIZE)
		set |= MVFS_SET_SIZE;
	if (to_set & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_ATIME_NOW))
		set |= MVFS_SET_ATIME;
	if (to_set & (FUSE_SET_ATTR_MTIME | FUSE_SET_ATTR_MTIME_NOW))
		set |= MVFS_SET_MTIME;
	values->mode = attr->st_mode & 07777;
	values->uid = attr->st_uid;
	values->gid = attr->st_gid;
	values->size = attr->st_size;
	values->atime = time_of(attr->st_atim);
	values->mtime = time_of(attr->st_mtim);
	if (to_set & FUSE_SET_ATTR_ATIME_NOW)
		values->atime.nsec = MVFS_TIME_NOW;
	if (to_set & FUSE_SET_ATTR_MTIME_NOW)
		values->mtime.nsec = MVFS_TIME_NOW;
	return set;
}

void mvfs__op_setattr(fuse_req_t req, fuse_ino_t node, struct stat *attr,
		      int to_set, struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	struct mvfs_stat values, st;
	struct mvfs__acting acting;
	unsigned set;
	int r;

	set = wanted(attr, to_set, &values);
	if (set & (MVFS_SET_MODE | MVFS_SET_GID))
		mvfs__acting_groups(&acting, req);
	else
		mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_setattr(mount->fs, &acting.actor, ino,
				     fi ? mvfs__file(fi) : NULL, set, &values,
				     &st);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	mvfs__fuse_stat(&st, attr);
	fuse_reply_attr(req, attr, 0);
}

void mvfs__op_access(fuse_req_t req, fuse_ino_t node, int mask)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	uint64_t ino = mvfs__node(mount, node);
	struct mvfs__acting acting;
	int r;

	mvfs__acting(&acting, req, ino, 0);
	do {
		r = mvfs_sys_access(mount->fs, &acting.actor, ino, mask);
	} while (mvfs__acting_again(&acting, r));
	mvfs__acting_end(&acting);
	fuse_reply_err(req, -r);
}

/*
 * Where no limit was set, the machine's memory is one: programs that ask for
 * room before they write would take the 0 that tmpfs shows for "full".
 */
void mvfs__op_statfs(fuse_req_t req, fuse_ino_t node)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct statvfs reply = { 0 };
	struct mvfs_statfs st;
	struct sysinfo info;
	uint64_t free_blocks = 0;
	int r;

	(void)node;
	r = mvfs_statfs(mount->fs, &st);
	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	if (!sysinfo(&info))
		free_blocks = ((uint64_t)info.freeram + info.bufferram) *
			      info.mem_unit / st.block_size;
	if (!st.blocks)
		st.blocks = st.blocks_used + free_blocks;
	if (!st.inodes)
		st.inodes = st.inodes_used + free_blocks * 16;
	reply.f_bsize = reply.f_frsize = st.block_size;
	reply.f_blocks = st.blocks;
	if (st.blocks > st.blocks_used)
		reply.f_bfree = st.blocks - st.blocks_used;
	reply.f_bavail = reply.f_bfree;
	reply.f_files = st.inodes;
	if (st.inodes > st.inodes_used)
		reply.f_ffree = st.inodes - st.inodes_used;
	reply.f_favail = reply.f_ffree;
	reply.f_namemax = st.name_max;
	fuse_reply_statfs(req, &reply);
}

#ifdef HAVE_STRUCT_FUSE_LOWLEVEL_OPS_STATX
static struct statx_timestamp timestamp_of(struct mvfs_time time)
{
	return (struct statx_timestamp){ .tv_sec = time.sec,
					 .tv_nsec = time.nsec };
}

void mvfs__op_statx(fuse_req_t req, fuse_ino_t node, int flags, int mask,
		    struct fuse_file_info *fi)
{
	struct mvfs_mount *mount = mvfs__mount(req);
	struct statx reply = { 0 };
	struct mvfs_stat st;
	int r;

	(void)flags, (void)mask, (void)fi;
	r = mvfs_sys_stat(mount->fs, mvfs__node(mount, node), &st);
	if (r) {
		fuse_reply_err(req, -r);
		return;
	}
	reply.stx_mask = STATX_BASIC_STATS | STATX_BTIME;
	reply.stx_blksize = st.blksize;
	reply.stx_nlink = st.nlink;
	reply.stx_uid = st.uid;
	reply.stx_gid = st.gid;
	reply.stx_mode = st.mode;
	reply.stx_ino = st.ino;
	reply.stx_size = st.size;
	reply.stx_blocks = st.blocks;
	reply.stx_atime = timestamp_of(st.atime);
	reply.stx_btime = timestamp_of(st.btime);
	reply.stx_ctime = timestamp_of(st.ctime);
	reply.stx_mtime = timestamp_of(st.mtime);
	reply.stx_rdev_major = major(st.rdev);
	reply.stx_rdev_minor = minor(st.rdev);
	fuse_reply_statx(req, 0, &reply, 0);
}
#endif
