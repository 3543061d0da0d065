/* SPDX-License-Identifier: MIT */
/*
 * Failing each allocation of a call in turn: see tests/unit_nomem.c.
 *
 * A world is a file system in which every kind of thing is there once: what
 * a call may meet, hold, share or lose. A row is one call on it. Worlds of
 * one kind are alike to the last number, so what a call does to one can be
 * told from a text, its dump.
 */
#ifndef TESTS_NOMEM_H
#define TESTS_NOMEM_H

#include <stdbool.h>

#include <memvfs/memvfs.h>
#include <memvfs/sys.h>

/* What shares the tree and its bytes, and who calls. */
enum kind {
	ALONE,
	CLONED,        /* a clone shares every node */
	READ,          /* strings and extents share the bytes */
	CLONED_READ,
	SECOND_THREAD, /* that, and the first call of another thread */
	KINDS
};

/* Descriptors, in the order in which a world opens them; so many more of
 * FD_TEXT follow that the next needs a larger table. */
enum {
	FD_TEXT,
	FD_LARGE,
	FD_HOLES,
	FD_PIECES,
	FD_REFLINK,
	FD_EMPTY,
	FD_APPEND,
	FD_ORPHAN,
	FD_TMPFILE,
	FD_SETUID,   /* to be written by the user */
	FD_DIR,
	FD_LINK,     /* O_PATH, of a symlink */
	FD_GBK,
	FD_BIG,
	FD_NEXT = 64
};

/* Files of the adapter. */
enum {
	FILE_TEXT, FILE_PIECES, FILE_HOLES, FILE_DIR, FILE_TMPFILE,
	FILE_SETUID, FILES
};

/* Lengths of files: beyond a small buffer; each of two runs that are not
 * merged; a mapping. */
enum { LARGE = 140000, PIECE = 18 * 4096, BIG = 4 << 20 };

/* U+4E2D U+6587, twice. */
#define GBK_TEXT "\xd6\xd0\xce\xc4 in GBK \xd6\xd0\xce\xc4"
#define UTF8_TEXT \
	"\xe4\xb8\xad\xe6\x96\x87 in UTF-8 \xe4\xb8\xad\xe6\x96\x87"

/* Of a record lock of the adapter. */
#define OWNER UINT64_C(7)

/* Where a call stores what it gives; as it was, if the call fails. */
struct out {
	struct mvfs_stat st;
	struct mvfs_statfs statfs;
	struct mvfs_string string;
	struct mvfs_lines lines;
	struct mvfs_error error;
	struct mvfs_lock lock;
	struct mvfs_extent extents[8];
	struct mvfs_dirent entries[8];
	int64_t in_offset, out_offset; /* of copies, that move them */
	int64_t in_block, out_block;   /* the same, at blocks */
	mvfs *view;
	struct mvfs_dir *dir;
	struct mvfs_snapshot *snapshot;
	struct mvfs_file *file;
	char *memory;
	int created;
	char bytes[8192];
};

struct world {
	enum kind kind;
	struct mvfs_time now;
	mvfs *fs;       /* of uid 0, in /d */
	mvfs *user;     /* of uid 1000, in /u */
	mvfs *stray;    /* in a directory that was removed */
	mvfs *adapter;
	mvfs *observer; /* for the dump alone */
	mvfs *clone;
	mvfs *other;    /* a clone that has changed, where nodes are shared */
	mvfs *stranger;
	struct mvfs_snapshot *early; /* when /d and /e had no files yet, and */
	struct mvfs_snapshot *late;  /* as all is; where nodes are shared */
	struct mvfs_file *file[FILES];
	struct mvfs_dir *dir; /* of /d, three names read */
	uint64_t cookie;      /* of the last of them */
	struct mvfs_string string; /* of a file that was overwritten */
	struct mvfs_string slice;  /* of it: not terminated */
	struct mvfs_string part;   /* a small one, of what is nobody else's */
	struct mvfs_lines lines;
	struct mvfs_string strings[4];
	struct mvfs_extent extents[16];
	size_t extent_count;
	int host;       /* a file of the host */
	char host_path[32];
	uint64_t d, e, u, text, link, pieces, pinned, tmpfile; /* inodes */
	unsigned freed;  /* how often adopted memory was */
	uint64_t walked; /* what a walk told, as a hash */
	struct out out, fresh; /* as it is, and as it was before the call */
};

struct row {
	const char *function; /* of the public headers */
	const char *label;
	int64_t (*call)(struct world *w);
	/* A count that is short for want of memory is a success; the call
	 * then goes on where it stopped. */
	bool resumes;
	/* Without memory the listing is at its end. */
	bool ends_listing;
	bool looks; /* changes nothing when it succeeds */
	bool big; /* needs /d/big, of 4 MiB */
};

extern const struct row rows[];
extern const size_t row_count;

/* A public function that is in no row, and why. */
struct exempt {
	const char *function;
	const char *why;
};
extern const struct exempt exempt[];
extern const size_t exempt_count;

/* Once: the bytes that rows write, and those that files have. */
void rows_prepare(void);
void world_prepare(void);

/* world.c */
void world_start(struct world *w, enum kind kind, bool big);
void world_end(struct world *w);
/* Makes `out` as it is before a call. */
void world_ready(struct world *w);
/* Lets go of what a call stored in `out`. */
void world_drop_out(struct world *w);

/* Text that grows. */
struct text {
	char *bytes;
	size_t len, capacity;
};
MVFS_PRINTF(2, 3)
void text_add(struct text *text, const char *format, ...);
void text_free(struct text *text);

/* dump.c: the world, all that can be seen of it and more */
void dump_world(struct text *text, struct world *w);
void dump_instance(struct text *text, struct world *w, mvfs *view);
void dump_stat(struct text *text, const struct mvfs_stat *st);
void dump_view(struct text *text, const char *name, mvfs *view);
void dump_bytes(struct text *text, const char *what, const void *bytes,
		size_t len);
void dump_lines(struct text *text, const struct mvfs_lines *lines);
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
/* out.c: what the call stored */
void dump_out(struct text *text, struct world *w);

/* trial.c: the row in a world of that kind, for every n */
void trial(const struct row *row, enum kind kind);

#endif
