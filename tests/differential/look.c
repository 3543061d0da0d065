/* SPDX-License-Identifier: MIT */
/*
 * Runs an operation and looks at what its call names: the paths (followed and
 * not), their parents, the descriptors, the bytes around a write, the
 * attributes. Looks are operations as well, as root, in the current directory
 * of whoever acted.
 */
#include "config.h"

#include "oracle.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const op_calls[OP_COUNT] = {
#define X(code, weight, call) [OP_##code] = call,
	ORACLE_OPS(X)
#undef X
};

bool op_has(const struct op *op, char letter)
{
	const char *at = op_calls[op->code];

	while ((at = strchr(at, '$')))
		if (*++at == letter)
			return true;
	return false;
}

struct looker {
	struct side *side;
	struct report *report;
	unsigned user;
};

static struct look *look(struct looker *l, enum look_kind kind, int fd,
			 const char *path, struct op *op)
{
	struct report *report = l->report;
	struct look *look;

	if (report->looks == LOOKS)
		report->looks--;
	look = &report->look[report->looks++];
	look->kind = kind;
	look->fd = fd;
	look->path = path;
	look->len = 0;
	op->user = (uint8_t)l->user;
	op->look = true;
	op->fd[0] = fd;
	op->path[0] = path;
	l->side->driver->run(l->side, op, &report->scratch);
	look->ret = report->scratch.ret;
	look->st = report->scratch.st;
	return look;
}

static void keep_bytes(struct looker *l, struct look *look)
{
	const struct result *r = &l->report->scratch;

	look->len = r->len;
	look->hash = data_hash(r->out, r->len, 0);
	memset(look->head, 0, sizeof(look->head));
	memcpy(look->head, r->out,
	       r->len < sizeof(look->head) ? r->len : sizeof(look->head));
}

static struct look *look_stat(struct looker *l, int at, const char *path,
			      int flags)
{
	return look(l, LOOK_STAT, at, path,
		    &(struct op){ .code = OP_STATAT, .flags = flags });
}

/* The directory that holds the last component, as text. */
static const char *parent_of(struct report *report, const char *path)
{
	size_t len = strlen(path);
	char *text = report->text + report->text_len;

	while (len && path[len - 1] == '/')
		len--;
	while (len && path[len - 1] != '/')
		len--;
	if (len == 0)
		return ".";
	if (report->text_len + len + 1 > sizeof(report->text))
		return ".";
	memcpy(text, path, len);
	text[len] = '\0';
	report->text_len += len + 1;
	return text;
}

static void look_path(struct looker *l, int at, const char *path, bool lightly)
{
	struct look *seen = look_stat(l, at, path, AT_SYMLINK_NOFOLLOW);

	if (lightly)
		return;
	if (seen->ret == 0 && S_ISLNK(seen->st.mode)) {
		look(l, LOOK_LINK, at, path,
		     &(struct op){ .code = OP_READLINKAT, .len = 4200 });
		keep_bytes(l, &l->report->look[l->report->looks - 1]);
		look_stat(l, at, path, 0);
	}
	look_stat(l, at, parent_of(l->report, path), 0);
}

static struct look *look_fd(struct looker *l, int fd)
{
	struct look *seen;

	if (fd < 0)
		return NULL;
	seen = look(l, LOOK_FD, fd, NULL, &(struct op){ .code = OP_FSTAT });
	seen->offset = seen->status = -1;
	if (seen->ret < 0)
		return seen;
	l->side->driver->run(l->side,
			     &(struct op){ .code = OP_GETFL, .fd = { fd },
					   .user = (uint8_t)l->user,
					   .look = true },
			     &l->report->scratch);
	seen->status = l->report->scratch.ret;
	if (!S_ISREG(seen->st.mode))
		return seen;
	l->side->driver->run(l->side,
			     &(struct op){ .code = OP_LSEEK, .fd = { fd },
					   .user = (uint8_t)l->user,
					   .look = true, .whence = SEEK_CUR },
			     &l->report->scratch);
	seen->offset = l->report->scratch.ret;
	return seen;
}

static void look_bytes(struct looker *l, int fd, int64_t from, int64_t len)
{
	enum { AROUND = 64, MOST = 16 << 10 };

	from = from > AROUND ? from - AROUND : 0;
	len = len > MOST ? MOST : len + 2 * AROUND;
	look(l, LOOK_BYTES, fd, NULL,
	     &(struct op){ .code = OP_PREAD, .off = from, .len = len });
	keep_bytes(l, &l->report->look[l->report->looks - 1]);
}

/* Where a call that changes data changed it. */
static void look_data(struct looker *l, const struct op *op)
{
	int64_t ret = l->report->result.ret, from;
	int fd = op->fd[op_has(op, 'g')];
	struct look *seen;

	switch (op->code) {
	case OP_WRITE:
	case OP_WRITEV:
	case OP_COPY_RANGE:
		if (ret <= 0)
			return;
		seen = &l->report->look[l->report->looks - 1];
		from = op->code != OP_COPY_RANGE || op->no_off2
			       ? seen->offset - ret
			       : op->off2;
		look_bytes(l, fd, from, ret);
		return;
	case OP_PWRITE:
	case OP_PWRITEV:
		if (ret > 0)
			look_bytes(l, fd, op->off, ret);
		return;
	case OP_FTRUNCATE:
		if (ret == 0)
			look_bytes(l, fd, op->off - 4096, 8192);
		return;
	case OP_FALLOCATE:
		if (ret != 0)
			return;
		look_bytes(l, fd, op->off, 4096);
		look_bytes(l, fd, op->off + op->len - 4096, 8192);
		return;
	case OP_CLONE_FILE:
		if (ret == 0)
			look_bytes(l, fd, 0, 16 << 10);
		return;
	}
}

static void look_xattrs(struct looker *l, int fd, const char *path, int flags)
{
	struct op op = { .code = path ? OP_LISTXATTRAT : OP_FLISTXATTR,
			 .flags = flags & AT_SYMLINK_NOFOLLOW,
			 .len = 65536 };

	look(l, LOOK_XATTRS, fd, path, &op);
	keep_bytes(l, &l->report->look[l->report->looks - 1]);
}

static bool reads_names(const struct op *op)
{
	switch (op->code) {
	case OP_STAT:
	case OP_LSTAT:
	case OP_STATAT:
	case OP_ACCESS:
	case OP_ACCESSAT:
	case OP_READLINK:
	case OP_READLINKAT:
	case OP_REALPATH:
	case OP_GETXATTR:
	case OP_GETXATTRAT:
	case OP_LISTXATTR:
	case OP_LISTXATTRAT:
	case OP_LIST:
	case OP_LISTAT:
	case OP_READ_FILE:
	case OP_READ_STRING:
		return true;
	default:
		return false;
	}
}

/*
 * Of three in four that failed one look is enough: had they changed what they
 * should not, the next reading of the tree would see it.
 */
static bool lightly(const struct op *op, int64_t ret)
{
	return reads_names(op) || (ret < 0 && op->fill % 4);
}

static void look_all(struct looker *l, const struct op *op)
{
	int64_t ret = l->report->result.ret;
	bool changes_xattrs = op_has(op, 'n') && op_has(op, 'X');
	int at = op_has(op, 'a') ? op->fd[0] : AT_FDCWD;

	if (op_has(op, 'p'))
		look_path(l, at, op->path[0], lightly(op, ret));
	if (op_has(op, 'q'))
		look_path(l, op_has(op, 'b') ? op->fd[1] : AT_FDCWD,
			  op->path[1], lightly(op, ret));
	if (op_has(op, 'f'))
		look_fd(l, op->fd[0]);
	if (op_has(op, 'g') || op_has(op, 'd'))
		look_fd(l, op->fd[1]);
	if (ret >= 0 && (op->code == OP_OPEN || op->code == OP_OPENAT ||
			 op->code == OP_DUP))
		look_fd(l, (int)ret);
	look_data(l, op);
	if (changes_xattrs || op->code == OP_REMOVEXATTR ||
	    op->code == OP_REMOVEXATTRAT || op->code == OP_FREMOVEXATTR)
		look_xattrs(l, op_has(op, 'f') ? op->fd[0] : at, op->path[0],
			    op->flags);
}

/*
 * A planted bug shows that a difference is found and shortened: a rename to
 * a name with a b in it takes away the target's permissions.
 */
static void plant(struct side *side, const struct op *op,
		  struct report *report)
{
	if (op->code == OP_RENAME && report->result.ret == 0 &&
	    strchr(op->path[1], 'b'))
		side->driver->run(side,
				  &(struct op){ .code = OP_CHMOD,
						.look = true,
						.user = op->user,
						.path = { op->path[1] } },
				  &report->scratch);
}

void look_step(struct side *side, const struct op *op, struct report *report)
{
	struct looker l = { side, report, op->user };

	report->looks = 0;
	report->text_len = 0;
	side->driver->run(side, op, &report->result);
	if (side->plant)
		plant(side, op, report);
	if (report->result.ret != NOT_DONE && op->code != OP_CLONE)
		look_all(&l, op);
}
