/* SPDX-License-Identifier: MIT */
/*
 * Trees as text: mtree(5), as libarchive writes and reads it, one entry a
 * line, with two keywords of our own.
 *
 *     # a comment
 *     /set type=file uid=0
 *     . type=dir mode=0755
 *     ./etc/hosts mode=0644 size=9 data="127.0.0.1"
 *     ./big size=1000000 fill=7
 *
 * A name with a slash is a path from the root; one without is in the directory
 * whose line came last, which ".." leaves. A backslash at the end of a line
 * counts as a blank.
 */
#ifndef MVFS__MTREE_H
#define MVFS__MTREE_H

#include <memvfs/types.h>

#include "vfs/mem/grow.h"

/* What a line says; the rest is 0. */
enum mvfs__mtree_key {
	MVFS__KEY_TYPE = 1 << 0,
	MVFS__KEY_MODE = 1 << 1,
	MVFS__KEY_UID = 1 << 2,
	MVFS__KEY_GID = 1 << 3,
	MVFS__KEY_SIZE = 1 << 4,
	MVFS__KEY_LINK = 1 << 5,
	MVFS__KEY_TIME = 1 << 6,
	MVFS__KEY_NLINK = 1 << 7,
	MVFS__KEY_INODE = 1 << 8,
	MVFS__KEY_DEVICE = 1 << 9,
	MVFS__KEY_DATA = 1 << 10,
	MVFS__KEY_FILL = 1 << 11,
	MVFS__KEY_OPTIONAL = 1 << 12, /* need not be there */
	MVFS__KEY_IGNORE = 1 << 13,   /* what is in it does not matter */
	MVFS__KEY_NOCHANGE = 1 << 14, /* what it is does not matter */
	MVFS__KEY_OTHER = 1 << 15     /* of mtree(5), without meaning here */
};

struct mvfs__spec {
	unsigned has;     /* MVFS__KEY_* */
	uint32_t type;    /* S_IF* */
	uint32_t mode;
	uint32_t uid, gid;
	uint64_t size, nlink;
	uint64_t inode;   /* lines of one number are names of one file */
	uint64_t rdev;
	uint64_t fill;    /* the seed */
	struct mvfs_time time;
	size_t path;      /* where it is in `bytes`: "/a/b", or "/" */
	size_t link;
	size_t data, data_len;
	size_t offset;    /* of the name in the text, */
	size_t length;    /* how long it is there, */
	unsigned line;    /* and its line, from 1 on */
};

struct mvfs__mtree {
	struct mvfs__grow bytes;   /* paths and values, each terminated */
	struct mvfs__grow entries; /* struct mvfs__spec each */
};

/*
 * Reads the text: 0, -ENOMEM, or -EINVAL, and the error says where and what
 * was expected there. What was read is to be freed in any case.
 */
int mvfs__mtree_parse(struct mvfs__mtree *tree, const char *text, size_t len,
		      struct mvfs_error *error);
void mvfs__mtree_free(struct mvfs__mtree *tree);

static inline size_t mvfs__mtree_count(const struct mvfs__mtree *tree)
{
	return tree->entries.len / sizeof(struct mvfs__spec);
}

static inline struct mvfs__spec *mvfs__mtree_spec(const struct mvfs__mtree *t,
						  size_t i)
{
	assert(i < mvfs__mtree_count(t));
	return (struct mvfs__spec *)(void *)t->entries.bytes + i;
}

static inline const char *mvfs__mtree_text(const struct mvfs__mtree *tree,
					   size_t place)
{
	return tree->bytes.bytes + place;
}

/* "file", "dir", ... of a mode; and the mode of such a name, or 0. */
const char *mvfs__mtree_type(uint32_t mode);
uint32_t mvfs__mtree_mode_of(const char *name, size_t len);

/* The bytes that fill=SEED stands for. */
void mvfs__mtree_fill(uint64_t seed, uint8_t *to, size_t len);

#endif
