// SPDX-License-Identifier: MIT
/*
 * Directories that were removed and are there again, by a restore. For the
 * kernel a directory that was removed is dead as long as it knows it: nothing
 * is found in it any more. It takes one of the same number for another only if
 * its generation is another; so these are counted, for such directories alone,
 * for whoever has another open gets errors from then on.
 *
 * Where there is no memory to remember which one it is, all get a new
 * generation.
 */
#include <config.h>

#include "fuse/adapter.h"

#include <stdlib.h>
/* The default one falls through the cases of a switch, to clang's dislike. */
#define HASH_FUNCTION HASH_FNV
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->unlisted = 1)
#include <uthash.h>

struct mvfs__revived {
	uint64_t ino;
	uint64_t times;
	int unlisted; /* no memory to add it to the table */
	UT_hash_handle hh;
};

/* With mount->lock. */
static struct mvfs__revived *find(struct mvfs_mount *mount, uint64_t ino)
{
	struct mvfs__revived *revived;

	HASH_FIND(hh, mount->revived, &ino, sizeof ino, revived);
	return revived;
}

static struct mvfs__revived *add(struct mvfs_mount *mount, uint64_t ino)
{
	struct mvfs__revived *revived = calloc(1, sizeof *revived);

	if (!revived)
		return NULL;
	revived->ino = ino;
	HASH_ADD(hh, mount->revived, ino, sizeof revived->ino, revived);
	if (revived->unlisted) {
		free(revived);
		return NULL;
	}
	return revived;
}

void mvfs__revive(struct mvfs_mount *mount, uint64_t ino)
{
	struct mvfs__revived *revived;

	pthread_mutex_lock(&mount->lock);
	revived = find(mount, ino);
	if (!revived)
		revived = add(mount, ino);
	if (revived)
		revived->times++;
	else
		mount->all_revived++;
	pthread_mutex_unlock(&mount->lock);
	atomic_store(&mount->any_revived, 1);
}

uint64_t mvfs__generation(struct mvfs_mount *mount, const struct mvfs_stat *st)
{
	const struct mvfs__revived *revived;
	uint64_t generation;

	if (!S_ISDIR(st->mode) || !atomic_load(&mount->any_revived))
		return 0;
	pthread_mutex_lock(&mount->lock);
	revived = find(mount, st->ino);
	generation = mount->all_revived + (revived ? revived->times : 0);
	pthread_mutex_unlock(&mount->lock);
	return generation;
}

void mvfs__revived_free(struct mvfs_mount *mount)
{
	struct mvfs__revived *revived, *next;

	HASH_ITER(hh, mount->revived, revived, next) {
		HASH_DEL(mount->revived, revived);
		free(revived);
	}
}
