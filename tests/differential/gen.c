/* SPDX-License-Identifier: MIT */
/*
 * Draws operations: which one by the weights of ORACLE_OPS, its arguments by
 * the letters of its call. What was learned of earlier ones (which
 * descriptors are open, which paths there are) makes more of them hit;
 * nothing depends on it being right.
 */
#include "config.h"

#include "gen.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <memvfs/file.h>
#include <memvfs/path.h>

enum { FULL = 14 };

static const unsigned weights[OP_COUNT] = {
#define X(code, weight, call) weight,
	ORACLE_OPS(X)
#undef X
};

const struct user several_users[USERS] = {
	{ 0, 0, { 0, 0 }, 0 },
	{ 1000, 1000, { 2000, 0 }, 1 },
	{ 1001, 1001, { 2000, 1000 }, 2 },
	{ 1000, 2000, { 0, 0 }, 0 }
};

static uint64_t below(struct gen *gen, uint64_t n)
{
	return rng_below(&gen->rng, n);
}

static bool one_in(struct gen *gen, uint64_t n)
{
	return rng_one_in(&gen->rng, n);
}

#define PICK(gen, array) (array)[below(gen, sizeof(array) / sizeof(*(array)))]

struct gen *gen_new(uint64_t seed, const struct facts *facts,
		    const struct user users[USERS])
{
	struct gen *gen = calloc(1, sizeof(*gen));
	unsigned user;

	if (!gen)
		abort();
	/* Mixed, or the next seed would be the same numbers, one on. */
	gen->rng.state = seed;
	gen->rng.state = rng_next(&gen->rng);
	gen->facts = *facts;
	gen->users = users;
	for (user = 0; user < USERS; user++)
		gen->at_root[user] = true;
	return gen;
}

void gen_free(struct gen *gen)
{
	if (gen)
		gen_forget_texts(gen);
	free(gen);
}

static bool is_kind(char open, char kind)
{
	return open && (!kind || open == kind || (kind == 'f' && open == 'w'));
}

/* An open descriptor of that kind (0: any), most of the time. */
static int pick_fd(struct gen *gen, char kind)
{
	static const int bad[] = { -1, -9, FD_MAX - 1, AT_FDCWD };
	int fds[FD_MAX], fd;
	unsigned count = 0;

	if (one_in(gen, 40))
		return PICK(gen, bad);
	if (one_in(gen, 12))
		kind = 0;
	for (fd = 0; fd < FD_MAX; fd++)
		if (is_kind(gen->open[fd], kind))
			fds[count++] = fd;
	return count ? fds[below(gen, count)] : (int)below(gen, 4);
}

static int pick_dirfd(struct gen *gen)
{
	return one_in(gen, 2) ? AT_FDCWD : pick_fd(gen, 'd');
}

static uint32_t mode(struct gen *gen)
{
	static const uint32_t modes[] = { 0644, 0666, 0600, 0755, 0777, 0777,
					  0700, 0444, 0, 04755, 02755, 06777,
					  01777, 02777, 0311, 0111, 0770 };
	uint32_t mode = one_in(gen, 8)	 ? (uint32_t)below(gen, 010000)
			: one_in(gen, 3) ? 0777
					 : PICK(gen, modes);

	if (gen->facts.limited)
		mode &= 01777; /* LEGAL_FAILED_WRITE */
	if (gen->facts.sticky_guarded && mode & 022)
		mode &= 06777; /* LEGAL_PROTECTED */
	return mode;
}

static uint32_t node_mode(struct gen *gen)
{
	static const uint32_t types[] = { 0, S_IFREG, S_IFIFO, S_IFIFO,
					  S_IFSOCK, S_IFCHR, S_IFBLK };
	static const uint32_t wrong[] = { S_IFDIR, S_IFLNK, 0130000, 0170000 };
	uint32_t type = one_in(gen, 12) ? PICK(gen, wrong) : PICK(gen, types);

	if ((type == S_IFCHR || type == S_IFBLK) && !gen->facts.devices &&
	    gen->facts.several_users)
		type = S_IFIFO;
	return type | mode(gen);
}

static int64_t offset(struct gen *gen)
{
	static const int64_t edges[] = { 0, 1, 4095, 4096, 4097, 8192, 65536,
					 131072 };
	static const int64_t far[] = { INT64_C(1) << 31,
				       (INT64_C(1) << 32) + 1,
				       INT64_C(1) << 40,
				       INT64_MAX - 4096, INT64_MAX - 5,
				       INT64_MAX, -1, -4096, INT64_MIN };

	switch (below(gen, 24)) {
	case 0:
	case 1:
		return PICK(gen, far);
	case 2:
		return (int64_t)below(gen, 300000);
	case 3:
	case 4:
	case 5:
	case 6:
		return PICK(gen, edges);
	case 7:
	case 8:
		return (int64_t)below(gen, 16) * 4096;
	default:
		return (int64_t)below(gen, 20000);
	}
}

static int64_t length(struct gen *gen)
{
	switch (below(gen, 40)) {
	case 0:
		return 270000;
	case 1:
		return 140000;
	case 2:
	case 3:
		return (int64_t)below(gen, 70000);
	case 4:
	case 5:
		return 0;
	case 6:
	case 7:
		return 1;
	case 8:
	case 9:
	case 10:
		return 4096 * (1 + (int64_t)below(gen, 4));
	case 11:
	case 12:
	case 13:
	case 14:
		return (int64_t)below(gen, 9000);
	default:
		return (int64_t)below(gen, 200);
	}
}

/* Buffers that are too short, or ask for the size with 0. */
static int64_t room(struct gen *gen)
{
	static const int64_t rooms[] = { 0, 1, 3, 7, 20, 300, 4096, 65536 };

	return PICK(gen, rooms);
}

static int open_flags(struct gen *gen, enum code code)
{
	static const int access[] = { O_RDONLY, O_RDONLY, O_RDONLY, O_WRONLY,
				      O_RDWR, O_RDWR, O_RDWR, O_RDWR };
	static const int idle[] = { O_CLOEXEC, O_NONBLOCK, O_SYNC, O_DSYNC,
				    O_NOCTTY };
	int flags = one_in(gen, 80) ? O_ACCMODE : PICK(gen, access);

	if (code == OP_SETFL)
		return one_in(gen, 2) ? O_APPEND : 0;
	if (one_in(gen, 2))
		flags |= O_CREAT;
	if (one_in(gen, 8))
		flags |= O_EXCL;
	if (one_in(gen, 8))
		flags |= O_TRUNC;
	if (one_in(gen, 7))
		flags |= O_APPEND;
	if (one_in(gen, 12))
		flags |= O_NOFOLLOW;
	if (one_in(gen, 12))
		flags = O_DIRECTORY | (one_in(gen, 8) ? flags : 0);
	if (one_in(gen, 14))
		flags |= O_PATH;
	if (one_in(gen, 20))
		flags |= PICK(gen, idle);
	if (gen->facts.tmpfile && one_in(gen, 16))
		flags = (flags & ~O_CREAT) | O_TMPFILE;
	if (!gen->facts.creat_directory && flags & O_DIRECTORY)
		flags &= ~O_CREAT;
	return flags;
}

static int at_flags(struct gen *gen, enum code code)
{
	static const int wrong[] = { 0x8, 0x10000, AT_REMOVEDIR,
				     AT_SYMLINK_FOLLOW, INT_MIN };
	int flags = 0;

	if (code == OP_RENAMEAT) {
		static const int rename[] = { 0, 0, 0, MVFS_RENAME_NOREPLACE,
					      MVFS_RENAME_EXCHANGE,
					      MVFS_RENAME_EXCHANGE };

		/* Not RENAME_WHITEOUT, which memvfs has not. */
		return one_in(gen, 16) ? (int)below(gen, 16) & ~4
				       : PICK(gen, rename);
	}
	if (code == OP_CHMODAT && !gen->facts.chmodat_flags)
		return 0;
	if (one_in(gen, 60))
		return PICK(gen, wrong);
	if (code == OP_UNLINKAT)
		return one_in(gen, 3) ? AT_REMOVEDIR : 0;
	if (one_in(gen, 3))
		flags = code == OP_LINKAT ? AT_SYMLINK_FOLLOW
					  : AT_SYMLINK_NOFOLLOW;
	if (one_in(gen, 6) &&
	    (gen->facts.xattrat ||
	     (code != OP_SETXATTRAT && code != OP_GETXATTRAT &&
	      code != OP_LISTXATTRAT && code != OP_REMOVEXATTRAT)))
		flags |= AT_EMPTY_PATH;
	if (code == OP_ACCESSAT && one_in(gen, 3))
		flags |= AT_EACCESS;
	return flags;
}

static void times(struct gen *gen, struct op *op)
{
	static const struct mvfs_time some[] = {
		{ 0, 0, 0 }, { 1, 999999999, 0 }, { 1000000000, 5, 0 },
		{ -1, 1, 0 }, { 0, MVFS_TIME_NOW, 0 },
		{ 0, MVFS_TIME_NOW, 0 }, { 0, MVFS_TIME_OMIT, 0 },
		{ 7, MVFS_TIME_OMIT, 0 }, { 1234567, 890, 0 },
		{ INT64_C(1) << 33, 3, 0 }, { 5, 1000000000, 0 },
		{ 6, -7, 0 }
	};

	op->null_times = one_in(gen, 5);
	op->times[0] = PICK(gen, some);
	op->times[1] = PICK(gen, some);
}

static void lock(struct gen *gen, struct op *op)
{
	static const int64_t starts[] = { 0, 0, 10, 20, 50, 100, -5,
					  INT64_MAX };
	static const int64_t lens[] = { 0, 0, 5, 10, 50, 100, -5, 1,
					INT64_MAX };
	static const uint32_t types[] = { F_RDLCK, F_RDLCK, F_WRLCK, F_WRLCK,
					  F_UNLCK };
	static const int whences[] = { SEEK_SET, SEEK_SET, SEEK_SET,
				       SEEK_SET, SEEK_CUR, SEEK_END };

	op->mode = one_in(gen, 50) ? 7 : PICK(gen, types);
	op->off = PICK(gen, starts);
	op->len = PICK(gen, lens);
	op->whence = one_in(gen, 60) ? 9 : PICK(gen, whences);
}

static uint32_t owner(struct gen *gen, bool group)
{
	static const uint32_t uids[] = { 0, 1000, 1000, 1001, 65534,
					 (uint32_t)-1 };
	static const uint32_t gids[] = { 0, 1000, 1001, 2000, 2000,
					 (uint32_t)-1 };

	if (gen->facts.several_users)
		return group ? PICK(gen, gids) : PICK(gen, uids);
	if (one_in(gen, 2))
		return (uint32_t)-1;
	return group ? gen->facts.gid : gen->facts.uid;
}

static int fallocate_mode(struct gen *gen)
{
	static const int modes[] = {
		0, 0, MVFS_KEEP_SIZE, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE,
		MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE, MVFS_ZERO_RANGE,
		MVFS_ZERO_RANGE | MVFS_KEEP_SIZE
	};
	static const int wrong[] = { MVFS_PUNCH_HOLE, 0x08, 0x20, 0x40,
				     MVFS_PUNCH_HOLE | MVFS_ZERO_RANGE |
					     MVFS_KEEP_SIZE };

	return one_in(gen, 30) ? PICK(gen, wrong) : PICK(gen, modes);
}

/* `code` has a length that is a buffer for text. */
static bool reads_text(enum code code)
{
	return code == OP_READLINK || code == OP_READLINKAT ||
	       code == OP_GETXATTR || code == OP_GETXATTRAT ||
	       code == OP_FGETXATTR || code == OP_LISTXATTR ||
	       code == OP_FLISTXATTR || code == OP_LISTXATTRAT ||
	       code == OP_REALPATH;
}

static bool makes_names(enum code code)
{
	return code == OP_MKDIR || code == OP_MKDIRAT || code == OP_MKNOD ||
	       code == OP_MKNODAT || code == OP_SYMLINK ||
	       code == OP_SYMLINKAT;
}

static const char *path_or_empty(struct gen *gen, const struct op *op)
{
	if (op->flags & AT_EMPTY_PATH && op_has(op, 'A') &&
	    !one_in(gen, 3))
		return "";
	return makes_names(op->code) ? gen_new_path(gen) : gen_path(gen);
}

static void draw_numbers(struct gen *gen, struct op *op, char letter)
{
	static const int whences[] = { SEEK_SET, SEEK_SET, SEEK_CUR, SEEK_END,
				       SEEK_DATA, SEEK_HOLE };
	static const int64_t sizes[] = { 0, 1, 10, 200, 5000, 65536, 65537 };
	static const int flocks[] = { LOCK_SH, LOCK_EX, LOCK_UN };

	switch (letter) {
	case 'o':
		op->off = offset(gen);
		if (op->code == OP_LSEEK && one_in(gen, 4))
			op->off = -op->off;
		break;
	case 'w':
		op->whence = one_in(gen, 50) ? 17 : PICK(gen, whences);
		break;
	case 'l':
		op->len = reads_text(op->code) ? room(gen) : length(gen);
		break;
	case 'V':
	case 'W':
		op->len = length(gen);
		op->count = one_in(gen, 30) ? 1025
			    : one_in(gen, 30) ? -1
					      : (int)below(gen, 6);
		break;
	case 'x':
		op->len = one_in(gen, 4) ? PICK(gen, sizes)
					 : (int64_t)below(gen, 40);
		break;
	case 'X':
		op->xflags = op->code == OP_COPY_RANGE
				     ? one_in(gen, 50)
				     : one_in(gen, 3) ? (int)below(gen, 5)
						      : 0;
		break;
	case 'c':
		op->off = offset(gen);
		op->off2 = offset(gen);
		op->no_off = one_in(gen, 3);
		op->no_off2 = one_in(gen, 3);
		break;
	case 'j':
		op->flags = one_in(gen, 40) ? 0 : PICK(gen, flocks) | LOCK_NB;
		break;
	case 'r':
		op->mode = one_in(gen, 40) ? 8 : (uint32_t)below(gen, 8);
		break;
	case 'z':
		op->xflags = (int)below(gen, 4);
		break;
	}
}

static void draw_argument(struct gen *gen, struct op *op, char letter)
{
	switch (letter) {
	case 'p':
		op->path[0] = path_or_empty(gen, op);
		break;
	case 'q':
		op->path[1] = gen_new_path(gen);
		break;
	case 't':
		op->target = gen_target(gen);
		break;
	case 'n':
		op->name = gen_xattr_name(gen);
		break;
	case 'a':
		op->fd[0] = pick_dirfd(gen);
		break;
	case 'b':
		op->fd[1] = pick_dirfd(gen);
		break;
	case 'f':
		op->fd[0] = pick_fd(gen, op->code == OP_FCHDIR	  ? 'd'
					 : op->code == OP_CLOSE	  ? 0
					 : one_in(gen, 10)	  ? 'd'
					 : one_in(gen, 4)	  ? 'f'
								  : 'w');
		break;
	case 'g':
		op->fd[1] = pick_fd(gen, one_in(gen, 4) ? 'f' : 'w');
		break;
	case 'd':
		op->fd[1] = one_in(gen, 30) ? -1 : (int)below(gen, FULL);
		break;
	case 'O':
		op->flags = open_flags(gen, op->code);
		break;
	case 'M':
		op->flags = fallocate_mode(gen);
		break;
	case 'm':
		op->mode = op->code == OP_MKNOD || op->code == OP_MKNODAT
				   ? node_mode(gen)
				   : mode(gen);
		if (op->code == OP_UMASK)
			op->mode = one_in(gen, 4) ? op->mode & 0777
				   : one_in(gen, 2) ? 022 : 0;
		break;
	case 'u':
		op->uid = owner(gen, false);
		break;
	case 'i':
		op->gid = owner(gen, true);
		break;
	case 'y':
		op->rdev = below(gen, 3) ? makedev(below(gen, 300),
						   below(gen, 3000))
					 : 0;
		break;
	case 'T':
		times(gen, op);
		break;
	case 'k':
		lock(gen, op);
		break;
	case 'K':
		op->xflags = (int)below(gen, 2);
		/* LEGAL_OWN_OFD_LOCKS */
		if (op->code == OP_GETLK && op->mode != F_RDLCK &&
		    op->mode != F_WRLCK)
			op->xflags = 0;
		break;
	case 's':
		op->flags = (int)below(gen, 2);
		break;
	default:
		draw_numbers(gen, op, letter);
	}
}

static bool left_out(const struct gen *gen, enum code code)
{
	const struct facts *facts = &gen->facts;

	switch (code) {
	case OP_CLONE:
		return !facts->clones;
	case OP_COPY_RANGE:
	case OP_WRITE_FILE:
	case OP_COPY_STRING:
		return facts->limited; /* LEGAL_AT_THE_LIMIT */
	case OP_CLONE_FILE:
		return facts->limited || facts->fuse; /* LEGAL_MOUNT_LACKS */
	case OP_REALPATH:
		return !facts->realpath;
	case OP_CHDIR:
	case OP_FCHDIR:
		return !facts->chrooted;
	case OP_OPEN:
	case OP_OPENAT:
	case OP_DUP:
		return gen->open_count >= FULL;
	default:
		return false;
	}
}

static enum code draw_code(struct gen *gen)
{
	unsigned total = 0, code;
	uint64_t at;

	for (code = 0; code < OP_COUNT; code++)
		total += weights[code];
	do {
		at = below(gen, total);
		for (code = 0; at >= weights[code]; code++)
			at -= weights[code];
	} while (left_out(gen, code));
	return code;
}

void gen_op(struct gen *gen, struct op *op)
{
	const char *call;

	memset(op, 0, sizeof(*op));
	if (gen->facts.several_users && one_in(gen, 6))
		gen->user = one_in(gen, 2) ? 0 : (unsigned)below(gen, USERS);
	op->user = (uint8_t)gen->user;
	op->code = (uint8_t)draw_code(gen);
	op->fill = (uint32_t)below(gen, 100000);
	op->fd[0] = op->fd[1] = AT_FDCWD;
	call = op_calls[op->code];
	if (op_has(op, 'A')) /* other arguments depend on it */
		op->flags = at_flags(gen, op->code);
	while ((call = strchr(call, '$')))
		if (*++call != 'A')
			draw_argument(gen, op, *call);
	/* Of a mode that tmpfs has not, Linux sees a range's end first. */
	if (op->code == OP_FALLOCATE && op->flags & 0x68 && op->off > 1 << 30)
		op->off = 0;
	/* LEGAL_MOUNT_CHOWN */
	if (op_has(op, 'u') && gen->facts.fuse && op->uid == (uint32_t)-1 &&
	    op->gid == (uint32_t)-1)
		op->gid = 1000;
	if (op->code == OP_FALLOCATE && gen->facts.limited)
		op->flags &= ~MVFS_ZERO_RANGE; /* LEGAL_AT_THE_LIMIT */
	if (op->code == OP_LISTAT && !*op->path[0])
		op->path[0] = "."; /* in memvfs "" stands for fdopendir(3) */
	if ((op->code == OP_LISTXATTRAT || op->code == OP_REMOVEXATTRAT) &&
	    op->fd[0] == AT_FDCWD && !*op->path[0])
		op->fd[0] = -1; /* LEGAL_XATTRS_OF_CWD */
	/* The offsets of directories are each file system's own. */
	if (op->code == OP_LSEEK && op->fd[0] >= 0 && op->fd[0] < FD_MAX &&
	    gen->open[op->fd[0]] == 'd')
		op->fd[0] = -1;
}

static void learn_fd(struct gen *gen, int64_t fd, char kind)
{
	if (fd < 0 || fd >= FD_MAX)
		return;
	gen->open_count += (kind != 0) - (gen->open[fd] != 0);
	gen->open[fd] = kind;
}

static char kind_of(const struct report *report)
{
	const struct look *look = &report->look[report->looks - 1];

	if (!report->looks || look->kind != LOOK_FD || look->ret < 0)
		return 'o';
	if (look->status & O_PATH && !S_ISDIR(look->st.mode))
		return 'o';
	if (S_ISREG(look->st.mode))
		return (look->status & O_ACCMODE) == O_RDWR ? 'w' : 'f';
	return S_ISDIR(look->st.mode) ? 'd' : 'o';
}

void gen_learn(struct gen *gen, const struct op *op,
	       const struct report *report)
{
	int64_t ret = report->result.ret;
	const char *path;
	unsigned user;

	if (ret < 0)
		return;
	switch (op->code) {
	case OP_OPEN:
	case OP_OPENAT:
	case OP_DUP:
		learn_fd(gen, ret, kind_of(report));
		break;
	case OP_DUP2:
		learn_fd(gen, ret, kind_of(report));
		return;
	case OP_CLOSE:
		learn_fd(gen, op->fd[0], 0);
		return;
	case OP_CHDIR:
		gen->at_root[op->user] = !strcmp(op->path[0], "/");
		return;
	case OP_FCHDIR:
		gen->at_root[op->user] = false;
		return;
	case OP_CLONE:
		for (user = 0; user < USERS; user++)
			gen->at_root[user] = true;
		memset(gen->open, 0, sizeof(gen->open));
		gen->open_count = 0;
		return;
	}
	if (!op->path[0] || (op_has(op, 'a') && op->fd[0] != AT_FDCWD))
		return;
	path = op->path[op->path[1] != NULL];
	if (!*path)
		return;
	if (gen->recent_count < GEN_RECENT)
		gen->recent[gen->recent_count++] = path;
	else
		gen->recent[below(gen, GEN_RECENT)] = path;
}

void gen_see(struct gen *gen, const struct dump *dump)
{
	size_t i, at;

	gen->live_count = 0;
	for (i = 0; i < GEN_LIVE && dump->count > 1; i++) {
		at = dump->count <= GEN_LIVE ? i + 1
					     : 1 + below(gen, dump->count - 1);
		if (at >= dump->count)
			break;
		if (strlen(dump->entries[at].path) < 300)
			gen->live[gen->live_count++] =
				gen_keep(gen, dump->entries[at].path,
					 strlen(dump->entries[at].path));
	}
}
