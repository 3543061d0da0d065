/* SPDX-License-Identifier: MIT */
/*
 * Opening and closing. What open(2) refuses, and in which order, is what
 * Linux does (do_open, may_open); all that can fail for lack of memory comes
 * before a file is made or truncated.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "vfs/fs/op.h"

/* What O_PATH leaves of the flags. */
enum { PATH_FLAGS = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* Of an opening that is under way. */
struct open {
	struct mvfs__op *op;
	const struct mvfs__opening *how;
	struct mvfs_file *file;
	struct mvfs__node *node;
	bool created;
};

static bool is_tmpfile(int flags)
{
	return (flags & O_TMPFILE) == O_TMPFILE;
}

static unsigned walk_flags(int flags)
{
	if (flags & O_PATH)
		return flags & O_NOFOLLOW ? 0 : MVFS__FOLLOW;
	if (!(flags & O_CREAT) || is_tmpfile(flags))
		return flags & O_NOFOLLOW ? 0 : MVFS__FOLLOW;
	return MVFS__NAME_ITSELF |
	       (flags & (O_NOFOLLOW | O_EXCL) ? 0 : MVFS__FOLLOW);
}

static unsigned access_of(int flags)
{
	unsigned mask = flags & O_TRUNC ? MVFS__MAY_WRITE : 0;

	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return mask | MVFS__MAY_READ;
	case O_WRONLY:
		return mask | MVFS__MAY_WRITE;
	default:
		return MVFS__MAY_READ | MVFS__MAY_WRITE;
	}
}

/* Whether what is there may be opened so. */
static int may_open(const struct mvfs__who *who, const struct mvfs__node *node,
		    int flags)
{
	unsigned mask = access_of(flags);
	int rc;

	if ((flags & O_DIRECTORY) && !mvfs__node_is_dir(node))
		return -ENOTDIR;
	if (flags & O_PATH)
		return 0;
	if (mvfs__node_is_lnk(node))
		return -ELOOP;
	if (mvfs__node_is_dir(node) && (mask & MVFS__MAY_WRITE))
		return -EISDIR;
	rc = mvfs__may(who, node, mask);
	if (rc)
		return rc;
	if ((flags & O_NOATIME) && !mvfs__is_owner(who, node))
		return -EPERM;
	if (!mvfs__node_is_reg(node) && !mvfs__node_is_dir(node))
		return -ENXIO;
	return 0;
}

/* The same where O_CREAT was given and something is there. */
static int may_create_over(const struct mvfs__found *found, int flags)
{
	if (flags & O_EXCL)
		return -EEXIST;
	return mvfs__node_is_dir(found->node) ? -EISDIR : 0;
}

static int truncate_old(struct open *o)
{
	struct mvfs__op *op = o->op;
	struct mvfs__node *node = o->node;
	int rc;

	node = mvfs__table_own(&op->fs->table, mvfs__node_ino(node), &op->bin);
	if (!node)
		return -ENOMEM;
	rc = mvfs__op_truncate(op, node, 0);
	if (rc)
		return rc;
	mvfs__op_modified(op, node);
	o->node = node;
	return 0;
}

static int create_new(struct open *o, const struct mvfs__found *found)
{
	const struct mvfs__make make = {
		.mode = S_IFREG | (o->how->mode & 07777),
	};
	struct mvfs__act act = mvfs__op_act(o->op);

	o->created = true;
	return mvfs__tree_make(&act, found, &make, &o->node);
}

/* Holds the number that is opened or about to be made, then does it. */
static int open_held(struct open *o, const struct mvfs__found *found)
{
	struct mvfs__op *op = o->op;
	unsigned pin = o->how->pin;
	uint64_t ino;
	int rc = 0;

	ino = o->node ? mvfs__node_ino(o->node) : op->fs->table.next_ino;
	if (!mvfs__table_hold(&op->fs->table, ino))
		return -ENOMEM;
	if (pin)
		rc = mvfs__op_pin(op, ino, pin);
	if (rc) {
		mvfs__fs_unhold(op->fs, ino, 1, &op->bin);
		return rc;
	}
	if (!o->node)
		rc = create_new(o, found);
	else if ((o->how->flags & O_TRUNC) && mvfs__node_is_reg(o->node) &&
		 !(o->how->flags & O_PATH))
		rc = truncate_old(o);
	if (rc) {
		if (pin)
			mvfs__op_unpin(op, ino, pin);
		mvfs__fs_unhold(op->fs, ino, 1, &op->bin);
	}
	o->file->ino = ino;
	return rc;
}

static int open_tmpfile(struct open *o, struct mvfs__node *dir)
{
	struct mvfs__act act = mvfs__op_act(o->op);
	uint64_t ino = o->op->fs->table.next_ino;
	int rc;

	if (!mvfs__node_is_dir(dir))
		return -ENOTDIR;
	rc = mvfs__tree_tmpfile(&act, dir, o->how->mode,
				!(o->how->flags & O_EXCL), &o->node);
	if (rc)
		return rc;
	if (o->how->pin && mvfs__op_pin(o->op, ino, o->how->pin)) {
		mvfs__fs_unhold(o->op->fs, ino, 1, &o->op->bin);
		o->op->fs->table.next_ino = ino; /* nobody has seen it */
		return -ENOMEM;
	}
	o->created = true;
	o->file->ino = ino;
	return 0;
}

static int open_found(struct open *o, const struct mvfs__found *found)
{
	int flags = o->how->flags;
	bool create = (flags & O_CREAT) && !(flags & O_PATH);
	int rc;

	if (create && found->last == MVFS__LAST_NAME && found->slash)
		return -EISDIR;
	if (!found->node)
		return create ? open_held(o, found) : -ENOENT;
	if (!create && found->last == MVFS__LAST_NAME && found->slash &&
	    !mvfs__node_is_dir(found->node))
		return -ENOTDIR;
	rc = create ? may_create_over(found, flags) : 0;
	if (!rc)
		rc = may_open(&o->op->who, found->node, flags);
	if (rc)
		return rc;
	o->node = found->node;
	return open_held(o, found);
}

static int open_locked(struct open *o, const struct mvfs__at *at)
{
	unsigned flags = walk_flags(o->how->flags);
	struct mvfs__found found;
	int rc;

	/* an adapter opens by number */
	if (at->ino && !*at->path)
		flags |= MVFS__EMPTY_OK;
	rc = mvfs__op_walk(o->op, at, flags, &found);
	if (rc)
		return rc;
	if (!is_tmpfile(o->how->flags) || (o->how->flags & O_PATH))
		return open_found(o, &found);
	if (!found.node)
		return -ENOENT;
	return open_tmpfile(o, found.node);
}

/* Room for the place that opens a descriptor, if that is known. */
static int reserve_place(struct mvfs__op *op)
{
	return mvfs__likely(!op->self->here) ? 0 :
	       mvfs__fds_keep_places(&op->fs->fds);
}

static int reserve_fd(struct mvfs__op *op, int least)
{
	int rc = mvfs__fds_reserve(&op->fs->fds, least);

	return rc ? rc : reserve_place(op);
}

/* Gives the file its descriptor, or its place in the view's list. */
static void enlist(struct open *o, struct mvfs__opened *out)
{
	struct mvfs *view = o->op->view;
	struct mvfs_file *file = o->file;

	out->created = o->created;
	out->file = file;
	mvfs__op_stat(o->op, o->node, &out->st);
	if (!o->how->by_file) {
		out->fd = mvfs__fds_take(&o->op->fs->fds, file);
		mvfs__fds_opened(&o->op->fs->fds, out->fd, o->op->self->here);
		return;
	}
	file->next = view->files;
	file->back = &view->files;
	if (file->next)
		file->next->back = &file->next;
	view->files = file;
}

int mvfs__fs_open(const struct mvfs__from *from, const struct mvfs__at *at,
		  const struct mvfs__opening *how, struct mvfs__opened *out)
{
	struct mvfs__op op;
	struct open o = { .op = &op, .how = how };
	int rc = mvfs__op_begin_at(&op, from, MVFS__OP_OPEN, at,
				   walk_flags(how->flags));

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	o.file = mvfs__file_new(0, how->flags & O_PATH ?
				   how->flags & PATH_FLAGS : how->flags);
	if (!o.file)
		return (int)mvfs__op_end(&op, -ENOMEM);
	if (how->flags & (O_CREAT | O_TRUNC | O_TMPFILE))
		mvfs__op_read_clock(&op);
	mvfs__op_exclusive(&op);
	if (!how->by_file)
		rc = reserve_fd(&op, 0);
	if (!rc)
		rc = open_locked(&o, at);
	if (!rc)
		enlist(&o, out);
	mvfs__op_unlock(&op);
	if (rc)
		mvfs__file_free(o.file);
	return (int)mvfs__op_end(&op, rc);
}

/* The descriptor goes, and with it POSIX locks, as fcntl(2) has it. */
static void drop_fd(struct mvfs__op *op, int fd)
{
	struct mvfs_file *file = mvfs__fds_get(&op->fs->fds, fd);

	/* closing what never was more than a reference ends none */
	if (!(file->flags & O_PATH))
		mvfs__fs_drop_locks(op->fs,
				    mvfs__table_hold_get(&op->fs->table,
							 file->ino),
				    MVFS__OF_VIEW, op->view->serial);
	mvfs__fds_closed(&op->fs->fds, fd, op->self->here);
	mvfs__fds_drop(&op->fs->fds, fd);
	mvfs__fs_release_file(op->fs, file, &op->bin);
}

static void drop_file(struct mvfs__op *op, struct mvfs_file *file)
{
	*file->back = file->next;
	if (file->next)
		file->next->back = file->back;
	mvfs__fs_release_file(op->fs, file, &op->bin);
}

int mvfs__fs_close(const struct mvfs__from *from, const struct mvfs__on *on)
{
	struct mvfs__op op;
	bool again = false;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_CLOSE, on);

	/* Linux says what went wrong, but closes: so a fault does not keep
	 * open what nobody can close any more */
	if (rc && (op.listening & (MVFS__EAR_STALE | MVFS__EAR_HOOKS)))
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	if (on->file)
		drop_file(&op, on->file);
	else if (mvfs__fds_get(&op.fs->fds, on->fd))
		drop_fd(&op, on->fd);
	else
		again = true;
	mvfs__op_unlock(&op);
	if (mvfs__likely(!again))
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_end(&op, -EBADF);
	mvfs__fs_report_again(from, on->fd);
	return -EBADF;
}

/* dup2: `to` becomes another descriptor of the file. */
static int dup_to(struct mvfs__op *op, int fd, int to)
{
	struct mvfs_file *file = mvfs__fds_get(&op->fs->fds, fd);
	bool replaces = mvfs__fds_get(&op->fs->fds, to);
	int rc = replaces ? reserve_place(op) : reserve_fd(op, to);

	if (rc)
		return rc == -EMFILE ? -EBADF : rc;
	if (to == fd)
		return to;
	file->refs++; /* before `to` is closed: it may be of this very file */
	if (replaces)
		drop_fd(op, to);
	mvfs__fds_put(&op->fs->fds, to, file);
	mvfs__fds_opened(&op->fs->fds, to, op->self->here);
	return to;
}

int mvfs__fs_dup(const struct mvfs__from *from, int fd, int to)
{
	const struct mvfs__on on = { NULL, fd };
	struct mvfs_file *file;
	struct mvfs__op op;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_OPEN, &on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	file = mvfs__fds_get(&op.fs->fds, fd);
	if (!file)
		rc = -EBADF;
	else if (to >= 0)
		rc = dup_to(&op, fd, to);
	else
		rc = reserve_fd(&op, 0);
	if (!rc && file && to < 0) {
		rc = mvfs__fds_take(&op.fs->fds, file);
		mvfs__fds_opened(&op.fs->fds, rc, op.self->here);
		file->refs++;
	}
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_getfl(const struct mvfs__from *from, int fd)
{
	const struct mvfs__on on = { NULL, fd };
	struct mvfs_file *file;
	struct mvfs__op op;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_STAT, &on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_shared(&op);
	file = mvfs__fds_get(&op.fs->fds, fd);
	rc = file ? file->flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY |
				    O_CLOEXEC) : -EBADF;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_refuse(const struct mvfs__from *from, int fd, unsigned access,
		    int rc)
{
	const struct mvfs__on on = { NULL, fd };
	struct mvfs__op op;
	struct mvfs_file *file;
	int refused = mvfs__op_begin_on(&op, from, access & R_OK ?
					MVFS__OP_READ : access & W_OK ?
					MVFS__OP_WRITE : MVFS__OP_STAT, &on);

	if (refused)
		return (int)mvfs__op_end(&op, refused);
	mvfs__op_shared(&op);
	file = mvfs__fds_get(&op.fs->fds, fd);
	if (!file || (file->flags & O_PATH) ||
	    ((access & R_OK) && !mvfs__file_readable(file)) ||
	    ((access & W_OK) && !mvfs__file_writable(file)))
		rc = -EBADF;
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}

int mvfs__fs_setfl(const struct mvfs__from *from, int fd, int flags)
{
	enum { CAN_CHANGE = O_APPEND | O_NONBLOCK };
	const struct mvfs__on on = { NULL, fd };
	struct mvfs_file *file;
	struct mvfs__op op;
	int rc = mvfs__op_begin_on(&op, from, MVFS__OP_SETATTR, &on);

	if (rc)
		return (int)mvfs__op_end(&op, rc);
	mvfs__op_exclusive(&op);
	file = mvfs__fds_get(&op.fs->fds, fd);
	if (!file || (file->flags & O_PATH))
		rc = -EBADF;
	else
		file->flags = (file->flags & ~CAN_CHANGE) |
			      (flags & CAN_CHANGE);
	mvfs__op_unlock(&op);
	return (int)mvfs__op_end(&op, rc);
}
