/* SPDX-License-Identifier: MIT */
/*
 * The table by call of memvfs-crash(7): a few calls a row, and the trees that
 * may be found after a power cut behind the last of them, by either policy.
 * The calls are the library's, or the host's on a mount.
 */
#ifndef TESTS_CRASH_TABLE_H
#define TESTS_CRASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <memvfs/memvfs.h>
#include <memvfs/io.h>

#define CRASH_OLD "0123456789abcdef0123456789abcdef"
#define CRASH_NEW "ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP"

enum { CRASH_STATES = 400, CRASH_TEXT = 400, CRASH_SECTOR = 16 };

/* Texts of trees, each once, in order. */
struct crash_states {
	char text[CRASH_STATES][CRASH_TEXT];
	size_t count;
};

extern struct crash_states crash_states;
void crash_add(const char *text);

struct crash_row {
	const char *before, *calls, *ordered, *posix;
	bool modes;   /* are told, too */
	bool library; /* FUSE has no message for it */
};

extern const struct crash_row crash_rows[];
extern const int crash_row_count;

/* Whose calls: paths begin with `root`, which ends with a slash. */
struct crash_by {
	struct mvfs_io io;
	const char *root;
	int (*exchange)(void *ctx, const char *a, const char *b);
	int (*sync)(void *ctx);
	int (*tmpfile)(void *ctx, const char *dir, const char *name);
};

/* Calls, with ';' between: "create f; write f new; fsync /". */
void crash_run(const struct crash_by *by, const char *calls);

/* The tree as "d/ f=text l->target", sorted; '_' is what reads as zero. */
void crash_tell(mvfs *tree, bool modes, char *to);

/* All states of the last point of `fs`, " | " between. */
const char *crash_found(mvfs *fs, const struct mvfs_crash_options *options,
			bool modes);

/* The i-th row by that policy, on `fs`, which the calls come to. */
void crash_check_row(mvfs *fs, const struct crash_by *by, int i,
		     unsigned policy);

#endif
