/* SPDX-License-Identifier: MIT */
/* The ring: see log.h. */
#include "config.h"

#include "vfs/log/log.h"

#include <errno.h>

#include "vfs/mem/mem.h"

/* Of calls that have a range; with others `length` says something else. */
#define DATA_CALLS (MVFS__OPS_COUNTED | \
		    MVFS__OP_BIT(MVFS__OP_READ_STRING) | \
		    MVFS__OP_BIT(MVFS__OP_WRITE_FILE) | \
		    MVFS__OP_BIT(MVFS__OP_FALLOCATE) | \
		    MVFS__OP_BIT(MVFS__OP_TRUNCATE))

void mvfs__log_init(struct mvfs__log *log)
{
	memset(log, 0, sizeof(*log));
	pthread_mutex_init(&log->mutex, NULL);
}

static void free_ring(struct mvfs__log_entry **ring, size_t capacity)
{
	size_t i;

	if (!ring)
		return;
	for (i = 0; i < capacity; i++)
		mvfs__free(ring[i]);
	mvfs__free(ring);
}

void mvfs__log_destroy(struct mvfs__log *log)
{
	free_ring(log->ring, log->capacity);
	pthread_mutex_destroy(&log->mutex);
}

int mvfs__log_start(struct mvfs__log *log, size_t capacity)
{
	struct mvfs__log_entry **ring = mvfs__calloc(capacity, sizeof(*ring));
	struct mvfs__log_entry **old;
	size_t old_capacity;

	if (!ring)
		return -ENOMEM;
	pthread_mutex_lock(&log->mutex);
	old = log->ring;
	old_capacity = log->capacity;
	log->ring = ring;
	log->capacity = capacity;
	log->first = log->count = 0;
	log->number = log->dropped = 0;
	pthread_mutex_unlock(&log->mutex);
	free_ring(old, old_capacity);
	return 0;
}

static size_t size_of(const char *path)
{
	return path ? strlen(path) + 1 : 0;
}

/* Copies a path to *to, which moves behind it; NULL stays. */
static const char *put_path(char **to, const char *path)
{
	const char *at = *to;

	if (!path)
		return NULL;
	*to = stpcpy(*to, path) + 1;
	return at;
}

static struct mvfs__log_entry *new_entry(const struct mvfs__call *call)
{
	size_t size = size_of(call->path) + size_of(call->path2);
	struct mvfs__log_entry *entry = mvfs__malloc(sizeof(*entry) + size);
	bool ranged = DATA_CALLS & MVFS__OP_BIT(call->op);
	char *at = (char *)(entry + 1);

	if (!entry)
		return NULL;
	*entry = (struct mvfs__log_entry){
		.op = call->op,
		.uid = call->uid,
		.ino = *call->path ? 0 : call->ino,
		.offset = ranged ? call->offset : UINT64_MAX,
		.bytes = ranged ? call->length : 0,
		.rule = call->rule,
		.result = call->result,
		.path = put_path(&at, call->path),
		.path2 = put_path(&at, call->path2),
	};
	return entry;
}

void mvfs__log_add(struct mvfs__log *log, const struct mvfs__call *call)
{
	struct mvfs__log_entry *entry = new_entry(call), *oldest = NULL;
	size_t at;

	pthread_mutex_lock(&log->mutex);
	if (!entry) {
		log->number++;
		log->dropped++;
	} else if (log->capacity) {
		at = (log->first + log->count) % log->capacity;
		if (log->count == log->capacity) {
			oldest = log->ring[at];
			log->first = (log->first + 1) % log->capacity;
			log->count--;
			log->dropped++;
		}
		entry->number = ++log->number;
		log->ring[at] = entry;
		log->count++;
	}
	pthread_mutex_unlock(&log->mutex);
	mvfs__free(oldest);
}

static const struct mvfs__log_entry *nth(const struct mvfs__log *log, size_t i)
{
	return log->ring[(log->first + i) % log->capacity];
}

/* Into memory that is large enough. */
static void copy_all(const struct mvfs__log *log, struct mvfs__log_copy *copy)
{
	char *at = (char *)&copy->entry[log->count];
	size_t i;

	copy->count = log->count;
	copy->dropped = log->dropped;
	for (i = 0; i < log->count; i++) {
		copy->entry[i] = *nth(log, i);
		copy->entry[i].path = put_path(&at, nth(log, i)->path);
		copy->entry[i].path2 = put_path(&at, nth(log, i)->path2);
	}
}

struct mvfs__log_copy *mvfs__log_copy(struct mvfs__log *log)
{
	struct mvfs__log_copy *copy;
	size_t size = sizeof(*copy), i;

	pthread_mutex_lock(&log->mutex);
	for (i = 0; i < log->count; i++)
		size += sizeof(struct mvfs__log_entry) +
			size_of(nth(log, i)->path) +
			size_of(nth(log, i)->path2);
	copy = mvfs__malloc(size);
	if (copy)
		copy_all(log, copy);
	pthread_mutex_unlock(&log->mutex);
	return copy;
}
