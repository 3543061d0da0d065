/* SPDX-License-Identifier: MIT */
/*
 * The index of a write-ahead log, which connections share, and its eight
 * locks. All connections are in this process, so it is plain memory, found by
 * the database's inode; no power cut leaves any of it, as it must be: the
 * first to come finds zeros, and makes it anew from the log.
 */
#include <stdlib.h>
#include <string.h>

#include "memvfs_vfs_work.h"

struct memvfs_shm {
	struct memvfs_shm *next;
	uint64_t ino;
	int users;
	int count; /* of regions */
	void **regions;
	/* How many share each lock; -1: one has it alone. */
	int lock[SQLITE_SHM_NLOCK];
};

struct memvfs_shm_user {
	struct memvfs_shm *shm;
	unsigned shared, exclusive; /* a bit for each lock that it has */
};

/* The mutex is held. */
static struct memvfs_shm *find(struct memvfs_vfs *vfs, uint64_t ino)
{
	struct memvfs_shm *shm = vfs->shms;

	while (shm != NULL && shm->ino != ino)
		shm = shm->next;
	if (shm != NULL)
		return shm;
	shm = calloc(1, sizeof(*shm));
	if (shm != NULL) {
		shm->ino = ino;
		shm->next = vfs->shms;
		vfs->shms = shm;
	}
	return shm;
}

/* The mutex is held. */
static void drop(struct memvfs_vfs *vfs, struct memvfs_shm *shm)
{
	struct memvfs_shm **at = &vfs->shms;

	if (shm->users > 0)
		return;
	while (*at != shm)
		at = &(*at)->next;
	*at = shm->next;
	while (shm->count > 0)
		free(shm->regions[--shm->count]);
	free(shm->regions);
	free(shm);
}

static int join(struct memvfs_file *file)
{
	struct memvfs_shm_user *user = calloc(1, sizeof(*user));
	struct mvfs_stat st;
	int r = mvfs_fstat(file->vfs->fs, file->fd, &st);

	if (user == NULL || r < 0) {
		file->error = -r;
		free(user);
		return user == NULL ? SQLITE_NOMEM : SQLITE_IOERR_FSTAT;
	}
	pthread_mutex_lock(&file->vfs->mutex);
	user->shm = find(file->vfs, st.ino);
	if (user->shm != NULL)
		user->shm->users++;
	pthread_mutex_unlock(&file->vfs->mutex);
	if (user->shm == NULL) {
		free(user);
		return SQLITE_NOMEM;
	}
	file->shm = user;
	return SQLITE_OK;
}

/* The mutex is held. Regions never move: others have pointers to them. */
static int grow(struct memvfs_shm *shm, int count, size_t size)
{
	void **more = realloc(shm->regions, (size_t)count * sizeof(*more));

	if (more == NULL)
		return SQLITE_NOMEM;
	shm->regions = more;
	while (shm->count < count) {
		more[shm->count] = calloc(1, size);
		if (more[shm->count] == NULL)
			return SQLITE_NOMEM;
		shm->count++;
	}
	return SQLITE_OK;
}

int memvfs_shm_map(sqlite3_file *base, int region, int size, int extend,
		   void volatile **memory)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r = file->shm != NULL ? SQLITE_OK : join(file);
	struct memvfs_shm *shm;

	*memory = NULL;
	if (r != SQLITE_OK)
		return r;
	shm = file->shm->shm;
	pthread_mutex_lock(&file->vfs->mutex);
	if (region >= shm->count && extend)
		r = grow(shm, region + 1, (size_t)size);
	if (region < shm->count)
		*memory = shm->regions[region];
	pthread_mutex_unlock(&file->vfs->mutex);
	return r;
}

static void unlock(struct memvfs_shm_user *user, int first, int count)
{
	for (int i = first; i < first + count; i++) {
		if (user->exclusive & 1u << i)
			user->shm->lock[i] = 0;
		else if (user->shared & 1u << i)
			user->shm->lock[i]--;
		user->exclusive &= ~(1u << i);
		user->shared &= ~(1u << i);
	}
}

static int lock_shared(struct memvfs_shm_user *user, int i)
{
	if (user->shared & 1u << i)
		return SQLITE_OK;
	if (user->shm->lock[i] < 0)
		return SQLITE_BUSY;
	user->shm->lock[i]++;
	user->shared |= 1u << i;
	return SQLITE_OK;
}

static int lock_exclusive(struct memvfs_shm_user *user, int first, int count)
{
	for (int i = first; i < first + count; i++)
		if (user->shm->lock[i] != 0 && !(user->exclusive & 1u << i))
			return SQLITE_BUSY;
	for (int i = first; i < first + count; i++) {
		user->shm->lock[i] = -1;
		user->exclusive |= 1u << i;
	}
	return SQLITE_OK;
}

int memvfs_shm_lock(sqlite3_file *base, int first, int count, int flags)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	int r = SQLITE_OK;

	pthread_mutex_lock(&file->vfs->mutex);
	if (flags & SQLITE_SHM_UNLOCK)
		unlock(file->shm, first, count);
	else if (flags & SQLITE_SHM_SHARED)
		r = lock_shared(file->shm, first); /* one at a time */
	else
		r = lock_exclusive(file->shm, first, count);
	pthread_mutex_unlock(&file->vfs->mutex);
	return r;
}

void memvfs_shm_barrier(sqlite3_file *base)
{
	struct memvfs_file *file = (struct memvfs_file *)base;

	__sync_synchronize();
	pthread_mutex_lock(&file->vfs->mutex);
	pthread_mutex_unlock(&file->vfs->mutex);
}

/* Without users it is gone, whether it is to be removed or not. */
int memvfs_shm_unmap(sqlite3_file *base, int remove)
{
	struct memvfs_file *file = (struct memvfs_file *)base;
	struct memvfs_shm_user *user = file->shm;

	(void)remove;
	if (user == NULL)
		return SQLITE_OK;
	pthread_mutex_lock(&file->vfs->mutex);
	unlock(user, 0, SQLITE_SHM_NLOCK);
	user->shm->users--;
	drop(file->vfs, user->shm);
	pthread_mutex_unlock(&file->vfs->mutex);
	free(user);
	file->shm = NULL;
	return SQLITE_OK;
}
