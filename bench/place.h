/* SPDX-License-Identifier: MIT */
/*
 * Where files are when they are measured: in memory, on a mount of our own,
 * on tmpfs, or in a directory of the caller's choice. A place is empty when
 * it is opened, and whatever was put there is gone when it is closed.
 */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include <memvfs/memvfs.h>

struct mvfs_mount;

enum bench_place_kind {
	BENCH_MEMORY,
	BENCH_MOUNT,
	BENCH_TMPFS,
	BENCH_DIRECTORY
};

struct bench_place {
	enum bench_place_kind kind;
	char where[64];	 /* as in the table */
	char about[160]; /* what it turned out to be; for the head */
	mvfs *fs;	 /* memory, mount: the instance */
	int dirfd;	 /* all but memory: the host's directory */
	/* How often the kernel, or a mount's server, moves a byte until it
	 * is in the reader's buffer. */
	unsigned moves;
	/* Which states of the kernel's page cache can be had; if not, why. */
	char no_warm[120], no_cold[120];
	struct mvfs_mount *mount;
	char base[4096]; /* the directory to remove; or "" */
};

/* What the files to come will need, and what to make an instance with. */
struct bench_needs {
	uint64_t bytes, files;
	uint64_t seed;
};

/*
 * `where`: memory, mount, tmpfs, or a directory of the host. Returns 0, or a
 * negative errno with the reason for which the place cannot be had.
 */
int bench_place_open(const char *where, const struct bench_needs *needs,
		     struct bench_place *place, char reason[256]);
void bench_place_close(struct bench_place *place);
/* Removes all that is in a directory of the host. */
void bench_place_empty(const struct bench_place *place);

/* Creates or replaces a file. On a disk it is written out, too. */
int bench_place_put(struct bench_place *place, const char *name,
		    const void *bytes, size_t len);
/* Drops the kernel's pages of a file; 0 if they really are gone. */
int bench_place_forget(struct bench_place *place, const char *name);

/* For place.c: finds a tmpfs with that much room, as place->dirfd. */
int bench_tmpfs_open(const struct bench_needs *needs, struct bench_place *place,
		     char reason[256]);
/* A new directory in one of the host's. */
int bench_directory_open(const char *parent, struct bench_place *place,
			 char reason[256]);
/* Fills no_warm and no_cold by trying. */
int bench_probe_cache(struct bench_place *place);
/* Mounts place->fs; where FUSE is not built in, says so. */
int bench_mount_open(struct bench_place *place, char reason[256]);
void bench_mount_close(struct bench_place *place);

const char *bench_fuse_version(void);
const char *bench_fuse_cache(void);

#endif
