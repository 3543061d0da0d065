/* SPDX-License-Identifier: MIT */
/*
 * The differential test: the same random operations on two file systems, and
 * every difference that is not in the table of legal.c is a bug in one.
 *
 *	gen  ->  struct op  ->  side 0: the kernel's tmpfs      \
 *	                        side 1: memvfs, or a mount of it / -> reports,
 *	                                                             compared
 *
 * An operation is a neutral record, so a sequence can be recorded, replayed,
 * shortened (shrink.c) and printed as C (print.c). A side runs an operation
 * through its driver and then *looks* at what the operation touched: looks
 * are operations too, done as root. Now and then both trees are read whole.
 *
 * Rejected: a model of POSIX in the test (it would be wrong where memvfs is
 * wrong); comparing through the mount only (the kernel hides what the
 * library gets wrong).
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <memvfs/instance.h>

#include "rng.h"

/*
 * Every operation: its code, how often it is drawn, and the call it stands
 * for. The letters after $ are arguments (print.c spells them, gen.c draws
 * them, look.c looks at what they name):
 *	v view   p q paths   a b directory descriptors of p and q
 *	f g descriptors of files   d descriptor that a dup2 replaces
 *	O open flags   A flags of an *at call   m mode   u i uid and gid
 *	o offset   w whence   l length   B bytes to write   R buffer to read to
 *	V W vectors   n attribute name   x X its value and flags   T times
 *	M fallocate mode   y rdev   t symlink target   k lock   K lock flags
 *	j flock operation   r access mode   c in and out offsets of a copy
 *	z listing flags   s which of fs and clone goes on
 */
#define ORACLE_OPS(X)                                                        \
	X(OPEN, 60, "mvfs_open($v, $p, $O, $m)")                             \
	X(OPENAT, 40, "mvfs_openat($v, $a, $p, $O, $m)")                     \
	X(CLOSE, 30, "mvfs_close($v, $f)")                                   \
	X(DUP, 8, "mvfs_dup($v, $f)")                                        \
	X(DUP2, 6, "mvfs_dup2($v, $f, $d)")                                  \
	X(GETFL, 4, "mvfs_getfl($v, $f)")                                    \
	X(SETFL, 4, "mvfs_setfl($v, $f, $O)")                                \
	X(READ, 20, "mvfs_read($v, $f, $R, $l)")                             \
	X(PREAD, 20, "mvfs_pread($v, $f, $R, $l, $o)")                       \
	X(READV, 6, "mvfs_readv($v, $f, $W)")                                \
	X(PREADV, 6, "mvfs_preadv($v, $f, $W, $o)")                          \
	X(WRITE, 40, "mvfs_write($v, $f, $B, $l)")                           \
	X(PWRITE, 40, "mvfs_pwrite($v, $f, $B, $l, $o)")                     \
	X(WRITEV, 8, "mvfs_writev($v, $f, $V)")                              \
	X(PWRITEV, 8, "mvfs_pwritev($v, $f, $V, $o)")                        \
	X(LSEEK, 30, "mvfs_lseek($v, $f, $o, $w)")                           \
	X(FTRUNCATE, 20, "mvfs_ftruncate($v, $f, $o)")                       \
	X(TRUNCATE, 20, "mvfs_truncate($v, $p, $o)")                         \
	X(FALLOCATE, 24, "mvfs_fallocate($v, $f, $M, $o, $l)")               \
	X(COPY_RANGE, 16, "mvfs_copy_file_range($v, $f, $g, $c, $l, $X)")    \
	X(CLONE_FILE, 12, "mvfs_clone_file($v, $f, $g)")                     \
	X(FSYNC, 2, "mvfs_fsync($v, $f)")                                    \
	X(FDATASYNC, 2, "mvfs_fdatasync($v, $f)")                            \
	X(SYNC, 1, "mvfs_sync($v)")                                          \
	X(STAT, 8, "mvfs_stat($v, $p)")                                      \
	X(LSTAT, 8, "mvfs_lstat($v, $p)")                                    \
	X(FSTAT, 4, "mvfs_fstat($v, $f)")                                    \
	X(STATAT, 10, "mvfs_statat($v, $a, $p, $A)")                         \
	X(ACCESS, 8, "mvfs_access($v, $p, $r)")                              \
	X(ACCESSAT, 10, "mvfs_accessat($v, $a, $p, $r, $A)")                 \
	X(CHMOD, 20, "mvfs_chmod($v, $p, $m)")                               \
	X(FCHMOD, 8, "mvfs_fchmod($v, $f, $m)")                              \
	X(CHMODAT, 10, "mvfs_chmodat($v, $a, $p, $m, $A)")                   \
	X(CHOWN, 12, "mvfs_chown($v, $p, $u, $i)")                           \
	X(LCHOWN, 8, "mvfs_lchown($v, $p, $u, $i)")                          \
	X(FCHOWN, 8, "mvfs_fchown($v, $f, $u, $i)")                          \
	X(CHOWNAT, 10, "mvfs_chownat($v, $a, $p, $u, $i, $A)")               \
	X(UTIMENS, 8, "mvfs_utimens($v, $p, $T)")                            \
	X(FUTIMENS, 8, "mvfs_futimens($v, $f, $T)")                          \
	X(UTIMENSAT, 12, "mvfs_utimensat($v, $a, $p, $T, $A)")               \
	X(MKDIR, 40, "mvfs_mkdir($v, $p, $m)")                               \
	X(MKDIRAT, 24, "mvfs_mkdirat($v, $a, $p, $m)")                       \
	X(MKNOD, 10, "mvfs_mknod($v, $p, $m, $y)")                           \
	X(MKNODAT, 10, "mvfs_mknodat($v, $a, $p, $m, $y)")                   \
	X(UNLINK, 30, "mvfs_unlink($v, $p)")                                 \
	X(RMDIR, 24, "mvfs_rmdir($v, $p)")                                   \
	X(UNLINKAT, 24, "mvfs_unlinkat($v, $a, $p, $A)")                     \
	X(RENAME, 50, "mvfs_rename($v, $p, $q)")                             \
	X(RENAMEAT, 50, "mvfs_renameat($v, $a, $p, $b, $q, $A)")             \
	X(LINK, 24, "mvfs_link($v, $p, $q)")                                 \
	X(LINKAT, 30, "mvfs_linkat($v, $a, $p, $b, $q, $A)")                 \
	X(SYMLINK, 24, "mvfs_symlink($v, $t, $p)")                           \
	X(SYMLINKAT, 20, "mvfs_symlinkat($v, $t, $a, $p)")                   \
	X(READLINK, 8, "mvfs_readlink($v, $p, $R, $l)")                      \
	X(READLINKAT, 8, "mvfs_readlinkat($v, $a, $p, $R, $l)")              \
	X(REALPATH, 10, "mvfs_realpath($v, $p, $R, $l)")                     \
	X(SETXATTR, 16, "mvfs_setxattr($v, $p, $n, $x, $X)")                 \
	X(FSETXATTR, 10, "mvfs_fsetxattr($v, $f, $n, $x, $X)")               \
	X(SETXATTRAT, 10, "mvfs_setxattrat($v, $a, $p, $A, $n, $x, $X)")     \
	X(GETXATTR, 8, "mvfs_getxattr($v, $p, $n, $R, $l)")                  \
	X(FGETXATTR, 4, "mvfs_fgetxattr($v, $f, $n, $R, $l)")                \
	X(GETXATTRAT, 4, "mvfs_getxattrat($v, $a, $p, $A, $n, $R, $l)")      \
	X(LISTXATTR, 6, "mvfs_listxattr($v, $p, $R, $l)")                    \
	X(FLISTXATTR, 4, "mvfs_flistxattr($v, $f, $R, $l)")                  \
	X(LISTXATTRAT, 4, "mvfs_listxattrat($v, $a, $p, $A, $R, $l)")        \
	X(REMOVEXATTR, 8, "mvfs_removexattr($v, $p, $n)")                    \
	X(FREMOVEXATTR, 4, "mvfs_fremovexattr($v, $f, $n)")                  \
	X(REMOVEXATTRAT, 6, "mvfs_removexattrat($v, $a, $p, $A, $n)")        \
	X(FLOCK, 12, "mvfs_flock($v, $f, $j)")                               \
	X(SETLK, 20, "mvfs_setlk($v, $f, $k, $K)")                           \
	X(GETLK, 12, "mvfs_getlk($v, $f, $k, $K)")                           \
	X(LIST, 10, "mvfs_opendir($v, $p, $z)")                              \
	X(LISTAT, 10, "mvfs_opendirat($v, $a, $p, $z)")                      \
	X(READ_FILE, 10, "mvfs_read_file($v, $p)")                           \
	X(WRITE_FILE, 16, "mvfs_write_file($v, $p, $B, $l)")                 \
	X(READ_STRING, 10, "mvfs_read_string($v, $p, NULL, 0)")              \
	X(FREAD_STRING, 8, "mvfs_fread_string($v, $f, NULL, 0)")             \
	X(COPY_STRING, 12, "copy_string($v, $p, $q)")                        \
	X(CHDIR, 14, "mvfs_chdir($v, $p)")                                   \
	X(FCHDIR, 6, "mvfs_fchdir($v, $f)")                                  \
	X(UMASK, 4, "mvfs_umask($v, $m)")                                    \
	X(CLONE, 2, "mvfs_clone($v, $s)")

enum code {
#define X(code, weight, call) OP_##code,
	ORACLE_OPS(X)
#undef X
	OP_COUNT
};

extern const char *const op_calls[OP_COUNT];

enum {
	USERS = 4,             /* 0 is root where there are several */
	FD_MAX = 32,           /* descriptors stay below this */
	IOV_SPARE = 1100,      /* more than the kernel's limit of pieces */
	BUFFER = 320 << 10,    /* what one operation can carry */
	WHOLE_MAX = 256 << 10  /* files that READ_FILE and the like read */
};

struct op {
	uint8_t code;
	uint8_t user;
	bool look;           /* as root, in the current directory of `user` */
	bool failed;         /* when it was drawn */
	bool null_times;
	int fd[2];           /* numbers as memvfs counts them, or AT_FDCWD */
	const char *path[2];
	const char *target;  /* of a symlink */
	const char *name;    /* of an extended attribute */
	int flags;
	int xflags;          /* of setxattr, a copy, a listing */
	int whence;          /* of lseek and locks; type in `mode` */
	int count;           /* of vectors */
	uint32_t mode;
	uint32_t uid, gid;
	uint64_t rdev;
	int64_t off, off2;
	int64_t len;
	bool no_off, no_off2; /* NULL offsets of a copy */
	uint32_t fill;        /* which bytes; see data_fill() */
	struct mvfs_time times[2];
};

/* ret of an operation that a side must not do; the other then must not. */
#define NOT_DONE INT64_MIN

struct result {
	int64_t ret;
	bool has_stat;
	bool holes;           /* in what was copied, or reserved before */
	struct mvfs_stat st;
	size_t len;           /* of what is in out */
	unsigned char *out;   /* BUFFER bytes */
};

/* What a look saw. */
enum look_kind { LOOK_STAT, LOOK_FD, LOOK_BYTES, LOOK_LINK, LOOK_XATTRS };
struct look {
	enum look_kind kind;
	int fd;
	const char *path;     /* in the report's text; NULL: fd alone */
	int64_t ret;
	struct mvfs_stat st;  /* LOOK_STAT, LOOK_FD */
	int64_t offset;       /* LOOK_FD */
	int64_t status;       /* LOOK_FD: its flags */
	size_t len;           /* LOOK_BYTES, _LINK, _XATTRS */
	uint64_t hash;
	unsigned char head[48];
};

enum { LOOKS = 24, REPORT_TEXT = 8 * 4200 };
struct report {
	struct result result;
	struct result scratch; /* of looks */
	unsigned looks;
	struct look look[LOOKS];
	size_t text_len;
	char text[REPORT_TEXT];
};

/* One inode's name in a whole-tree reading. */
struct entry {
	char *path;           /* "" is the root */
	struct mvfs_stat st;
	uint64_t target, xattrs;  /* hashes */
	uint64_t content;     /* of pages that are not all zero */
	uint64_t layout;      /* of where data is */
	int error;            /* something about it could not be read */
};

struct dump {
	size_t count, capacity;
	struct entry *entries;
	char fault[512];      /* a side contradicted itself; "" if not */
};

/* What the sides at hand can do; the generator leaves the rest out. */
struct facts {
	bool several_users;
	bool chrooted;         /* absolute paths, and ".." at the root */
	bool user_xattr, trusted_xattr, security_xattr;
	bool xattrat;          /* setxattrat(2) and the like (Linux 6.13) */
	bool chmodat_flags;    /* fchmodat2(2) (Linux 6.6) */
	bool devices;
	bool tmpfile;
	bool creat_directory;  /* O_CREAT|O_DIRECTORY is -EINVAL (Linux 6.4) */
	bool realpath;         /* /proc is there */
	bool fine_times;       /* a change seen is always a later time */
	bool hardlinks_guarded, sticky_guarded; /* fs.protected_* */
	bool holds_still;      /* reads do not move atime (noatime) */
	bool clones;
	bool fuse;             /* it is a mount of FUSE */
	bool limited;          /* both end at the same number of bytes */
	uint32_t uid, gid;     /* of the one user */
};

struct user {
	uint32_t uid, gid;
	uint32_t groups[2];
	unsigned group_count;
};

extern const struct user several_users[USERS];

struct side;
struct driver {
	const char *name;
	/* 0, or prints why it cannot be had and returns a negative errno. */
	int (*start)(struct side *);
	void (*stop)(struct side *);
	/* An empty tree, nothing open, root's umask 022, cwd at the root. */
	void (*reset)(struct side *);
	void (*run)(struct side *, const struct op *, struct result *);
	/* Contradictions of the side with itself, when nothing is open. */
	void (*audit)(struct side *, const struct dump *, char fault[512]);
};

struct side {
	const struct driver *driver;
	int dir;               /* of a kernel side: an open directory */
	struct facts facts;
	struct user users[USERS];
	bool inner_root;       /* a library side: views below a directory */
	int plant;             /* the bug to plant; 0: none */
	uint64_t seed, max_bytes;
	void *own;
	struct worker *worker; /* NULL: on the caller's thread */
	struct report *spare;  /* for dumps */
};

extern const struct driver kernel_driver, library_driver;

struct tmpfs {
	int fd;
	char *path;            /* to remove; NULL: it goes by itself */
};

struct mounted {
	int fd;
	char path[256];
	mvfs *fs;
	struct mvfs_mount *mount;
	uint64_t clock;
};

/* worker.c: side_*() do it on the side's thread if it has one. */
int side_start(struct side *side, bool own_thread);
void side_stop(struct side *side);
void side_reset(struct side *side);
/* Runs the operation and looks at what it touched. */
void side_step(struct side *side, const struct op *op, struct report *report);
void side_dump(struct side *side, struct dump *dump, bool audit);

struct report *report_new(void);
void report_free(struct report *report);

/* look.c, dump.c: what the above do. */
void look_step(struct side *side, const struct op *op, struct report *report);
void dump_read(struct side *side, struct dump *dump, bool audit);
void dump_free(struct dump *dump);
/* Whether op's call has that argument. */
bool op_has(const struct op *op, char letter);

/* data.c */
void data_fill(unsigned char *to, size_t len, uint32_t fill);
uint64_t data_hash(const void *bytes, size_t len, uint64_t seed);
bool data_is_utf8(const unsigned char *bytes, size_t len);

/* legal.c */
enum legal {
	LEGAL_INODE_NUMBERS,
	LEGAL_DEVICE_NUMBERS,
	LEGAL_LISTING_ORDER,
	LEGAL_TIME_VALUES,
	LEGAL_COARSE_CLOCK,
	LEGAL_ATIME,
	LEGAL_STATFS,
	LEGAL_OPEN_SPECIAL,
	LEGAL_FLAGS_WITHOUT_EFFECT,
	LEGAL_ZERO_RANGE,
	LEGAL_CLONE_FILE,
	LEGAL_COPY_HOLES,
	LEGAL_LAST_PAGE,
	LEGAL_RESERVED_TWICE,
	LEGAL_LONG_SYMLINKS,
	LEGAL_LINK_EMPTY_PATH,
	LEGAL_XATTRS_OF_CWD,
	LEGAL_PROTECTED,
	LEGAL_ACL,
	LEGAL_OWN_OFD_LOCKS,
	LEGAL_AT_THE_LIMIT,
	LEGAL_FAILED_WRITE,
	LEGAL_MOUNT_LACKS,
	LEGAL_MOUNT_ORDER,
	LEGAL_MOUNT_DOTS,
	LEGAL_MOUNT_CHOWN,
	LEGAL_COUNT
};
void legal_print(void);
/* The kernel refused what memvfs need not refuse: not done there. */
bool legal_refusal(const struct facts *facts, const struct op *op,
		   int64_t ret);
/* Two errors for one thing. */
bool legal_error(const struct facts *facts, const struct op *op,
		 int64_t kernel, int64_t memvfs);

/* Where the kernel's own arithmetic overflows: LEGAL_LAST_PAGE. */
#define LAST_PAGE ((uint64_t)INT64_MAX - 8192)

/* compare.c */
struct shadow;
struct differ {
	struct facts facts[2];
	bool lenient;          /* another error is printed, not found */
	bool found;
	size_t len;
	char text[4096];       /* what differs, one line each */
	const char *names[2];
	struct shadow *by_ino[2]; /* what was last seen of each inode */
	bool no_room;          /* the operation was -ENOSPC on both sides */
	int resync;            /* offsets of this one legally differ, or -1 */
};
/* Forgets all; sets nothing but what was seen. */
void differ_reset(struct differ *differ);
void differ_say(struct differ *differ, const char *format, ...)
	MVFS_PRINTF(2, 3);
void compare_reports(struct differ *differ, const struct op *op,
		     struct report *const reports[2]);
void compare_dumps(struct differ *differ, const struct dump dumps[2]);
/* A frozen tree: everything has to be as it was, times and numbers too. */
bool dump_same(const struct dump *a, const struct dump *b, char why[512]);

/* gen.c */
struct gen;
struct gen *gen_new(uint64_t seed, const struct facts *facts,
		    const struct user users[USERS]);
void gen_free(struct gen *gen);
void gen_op(struct gen *gen, struct op *op);
/* Tells what became of it, so that later ones hit more often. */
void gen_learn(struct gen *gen, const struct op *op,
	       const struct report *report);
void gen_see(struct gen *gen, const struct dump *dump);

/* tmpfs.c: an open directory of a tmpfs, or -1 and why there is none. */
int tmpfs_open(struct tmpfs *tmpfs, bool alone, uint64_t max_bytes,
	       const char **why);
void tmpfs_close(struct tmpfs *tmpfs);

/* mount.c: memvfs mounted in this process; an open directory, or -1. */
int mount_open(struct mounted *mounted, uint64_t max_bytes, const char **why);
void mount_close(struct mounted *mounted);

/* engine.c */
struct engine {
	struct side *sides;    /* 2 of them */
	struct facts facts;    /* what both can do */
	struct differ differ;
	struct report *reports[2];
	struct dump last;      /* of side 0, at the last whole reading */
	unsigned every;        /* operations between whole readings */
	bool nothing_open;
	uint64_t done;         /* since the start */
};
/* False: a difference, described in engine->differ. */
bool engine_step(struct engine *engine, const struct op *op);
bool engine_whole(struct engine *engine);
void engine_reset(struct engine *engine);
/* Replays; the index of the operation that shows a difference, or count. */
size_t engine_replay(struct engine *engine, const struct op *ops,
		     size_t count);

/* shrink.c: the shortest sequence found; in place, returns its length. */
size_t shrink(struct engine *engine, struct op *ops, size_t count);

/* print.c */
struct text {
	char *data;
	size_t len, capacity;
};
void op_print(const struct op *op, struct text *text);
void print_test(struct engine *engine, const struct op *ops, size_t count,
		uint64_t seed);

#endif
