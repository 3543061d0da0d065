/* SPDX-License-Identifier: MIT */
/*
 * Open files and the descriptors that name them.
 *
 * A file refers to its node by number: what the number means may be copied,
 * restored or orphaned meanwhile, and a look-up in the dense trie costs less
 * than keeping a pointer true would. Whoever opens a file holds the number
 * (vfs/node/table.h), once for each file.
 *
 * Locks: descriptors and reference counts change under the instance lock
 * held exclusively. The offset changes under it shared, with `position`.
 */
#ifndef MVFS__FILE_H
#define MVFS__FILE_H

#include <fcntl.h>
#include <pthread.h>

#include "vfs/base/base.h"

struct mvfs_file {
	uint64_t ino;
	uint64_t serial;  /* unique in the process: an owner of locks */
	uint64_t offset;
	int flags;        /* of open(2), the access mode among them */
	uint32_t refs;    /* descriptors, or one for an adapter */
	pthread_mutex_t position;
	struct mvfs_file *next, **back; /* among those without a descriptor */
};

/* What reports tell of a descriptor. A place is a text of the caller's. */
struct mvfs__fd_place {
	const char *opened; /* NULL: not known */
	const char *closed; /* the same, of one that is free again */
	uint64_t ino;       /* what it leads or led to; 0: nothing yet */
};

struct mvfs__fds {
	struct mvfs_file **file; /* NULL: free */
	struct mvfs__fd_place *places; /* one for each; NULL: not kept */
	uint64_t *used;           /* a bit for each */
	size_t capacity;          /* a multiple of 64 */
	size_t lowest;            /* no free one is below */
};

/* NULL without memory. */
struct mvfs_file *mvfs__file_new(uint64_t ino, int flags);
void mvfs__file_free(struct mvfs_file *file);

static inline bool mvfs__file_readable(const struct mvfs_file *file)
{
	int access = file->flags & O_ACCMODE;

	return !(file->flags & O_PATH) &&
	       (access == O_RDONLY || access == O_RDWR);
}

bool mvfs__file_writable(const struct mvfs_file *file);

/* The file of the descriptor, borrowed, or NULL. */
static inline struct mvfs_file *mvfs__fds_get(const struct mvfs__fds *fds,
					       int fd)
{
	if (fd < 0 || (size_t)fd >= fds->capacity)
		return NULL;
	return fds->file[fd];
}

/* Room for the descriptor `least` or the lowest free one above: 0, -ENOMEM,
 * -EMFILE. What is reserved can be taken without failing. */
int mvfs__fds_reserve(struct mvfs__fds *fds, int least);
/* From now on places are kept, of what is open as well: 0 or -ENOMEM. */
int mvfs__fds_keep_places(struct mvfs__fds *fds);
/* The descriptor was opened, or is about to be dropped, in that place. */
static inline void mvfs__fds_opened(struct mvfs__fds *fds, int fd,
				    const char *place)
{
	assert(mvfs__fds_get(fds, fd));
	if (mvfs__unlikely(fds->places != NULL))
		fds->places[fd] = (struct mvfs__fd_place){
			place, NULL, fds->file[fd]->ino };
}
static inline void mvfs__fds_closed(struct mvfs__fds *fds, int fd,
				    const char *place)
{
	if (mvfs__unlikely(fds->places != NULL))
		fds->places[fd].closed = place;
}
/* The lowest free descriptor, now the file's (whose count is not changed). */
int mvfs__fds_take(struct mvfs__fds *fds, struct mvfs_file *file);
/* This very one, which is free. */
void mvfs__fds_put(struct mvfs__fds *fds, int fd, struct mvfs_file *file);
void mvfs__fds_drop(struct mvfs__fds *fds, int fd);
/* Frees the table; the files must be gone. */
void mvfs__fds_clear(struct mvfs__fds *fds);

#endif
