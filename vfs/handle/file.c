/* SPDX-License-Identifier: MIT */
/* Open files and descriptors: see file.h. */
#include "config.h"

#include "vfs/handle/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "vfs/mem/mem.h"
#include "vfs/node/table.h"

enum { FDS_MAX = 1 << 20 };

struct mvfs_file *mvfs__file_new(uint64_t ino, int flags)
{
	struct mvfs_file *file = mvfs__malloc(sizeof(*file));

	if (!file)
		return NULL;
	file->ino = ino;
	file->serial = mvfs__unique();
	file->offset = 0;
	file->flags = flags;
	file->refs = 1;
	file->next = NULL;
	file->back = NULL;
	pthread_mutex_init(&file->position, NULL);
	return file;
}

void mvfs__file_free(struct mvfs_file *file)
{
	pthread_mutex_destroy(&file->position);
	mvfs__free(file);
}

bool mvfs__file_writable(const struct mvfs_file *file)
{
	int access = file->flags & O_ACCMODE;

	return !(file->flags & O_PATH) &&
	       (access == O_WRONLY || access == O_RDWR);
}

static int grow_places(struct mvfs__fds *fds, size_t capacity)
{
	struct mvfs__fd_place *places;
	size_t known = fds->places ? fds->capacity : 0;

	places = mvfs__realloc(fds->places, capacity * sizeof(*places));
	if (!places)
		return -ENOMEM;
	memset(places + known, 0, (capacity - known) * sizeof(*places));
	fds->places = places;
	return 0;
}

static int grow(struct mvfs__fds *fds, size_t capacity)
{
	struct mvfs_file **file;
	uint64_t *used;

	file = mvfs__realloc(fds->file, capacity * sizeof(*file));
	if (!file)
		return -ENOMEM;
	fds->file = file;
	used = mvfs__realloc(fds->used, capacity / 64 * sizeof(*used));
	if (!used)
		return -ENOMEM;
	fds->used = used;
	if (fds->places && grow_places(fds, capacity))
		return -ENOMEM;
	memset(file + fds->capacity, 0,
	       (capacity - fds->capacity) * sizeof(*file));
	memset(used + fds->capacity / 64, 0,
	       (capacity - fds->capacity) / 64 * sizeof(*used));
	fds->capacity = capacity;
	return 0;
}

/* Moves `lowest` up to the lowest free one, or to the capacity. */
static void find_lowest(struct mvfs__fds *fds)
{
	size_t word = fds->lowest / 64;

	while (word < fds->capacity / 64 && fds->used[word] == UINT64_MAX)
		word++;
	if (word == fds->capacity / 64) {
		fds->lowest = fds->capacity;
		return;
	}
	fds->lowest = word * 64 +
		      (size_t)__builtin_ctzll(~fds->used[word]);
}

int mvfs__fds_reserve(struct mvfs__fds *fds, int least)
{
	size_t want;

	find_lowest(fds);
	want = fds->lowest > (size_t)least ? fds->lowest : (size_t)least;
	if (want >= FDS_MAX)
		return -EMFILE;
	if (want < fds->capacity)
		return 0;
	want = want < fds->capacity * 2 ? fds->capacity * 2 :
					  (want / 64 + 1) * 64;
	return grow(fds, want);
}

int mvfs__fds_keep_places(struct mvfs__fds *fds)
{
	int rc = fds->capacity ? 0 : grow(fds, 64);
	size_t fd;

	if (rc || fds->places)
		return rc;
	rc = grow_places(fds, fds->capacity);
	for (fd = 0; !rc && fd < fds->capacity; fd++)
		if (fds->file[fd])
			fds->places[fd].ino = fds->file[fd]->ino;
	return rc;
}

void mvfs__fds_put(struct mvfs__fds *fds, int fd, struct mvfs_file *file)
{
	assert(fd >= 0 && (size_t)fd < fds->capacity);
	assert(!fds->file[fd]);
	fds->file[fd] = file;
	fds->used[fd / 64] |= UINT64_C(1) << (fd % 64);
}

int mvfs__fds_take(struct mvfs__fds *fds, struct mvfs_file *file)
{
	int fd;

	find_lowest(fds);
	fd = (int)fds->lowest;
	mvfs__fds_put(fds, fd, file);
	fds->lowest++;
	return fd;
}

void mvfs__fds_drop(struct mvfs__fds *fds, int fd)
{
	assert(mvfs__fds_get(fds, fd));
	fds->file[fd] = NULL;
	fds->used[fd / 64] &= ~(UINT64_C(1) << (fd % 64));
	if ((size_t)fd < fds->lowest)
		fds->lowest = (size_t)fd;
}

void mvfs__fds_clear(struct mvfs__fds *fds)
{
	mvfs__free(fds->file);
	mvfs__free(fds->used);
	mvfs__free(fds->places);
	*fds = (struct mvfs__fds){ NULL };
}
