/* SPDX-License-Identifier: MIT */
/* A tree in one number: names, attributes, contents, and what they occupy. */
#include "config.h"

#include "tests/threads/threads.h"

enum { INODES = 4096 };

struct summing {
	mvfs *fs;
	struct sum *sum;
	uint64_t seen[INODES];
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const char *at = bytes;
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= length; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	if (i < length)
		memcpy(&word, at + i, length - i);
	return mix(mix(hash, word), length);
}

static bool seen_before(struct summing *s, uint64_t ino)
{
	uint64_t i;

	for (i = 0; i < s->sum->inodes; i++)
		if (s->seen[i] == ino)
			return true;
	if (that(i < INODES))
		s->seen[s->sum->inodes++] = ino;
	return false;
}

static uint64_t hash_stat(uint64_t hash, const struct mvfs_stat *st)
{
	const uint64_t words[] = {
		st->ino, st->mode, st->nlink, st->uid, st->gid, st->size,
		st->blocks, (uint64_t)st->mtime.sec, (uint64_t)st->mtime.nsec,
		(uint64_t)st->ctime.sec, (uint64_t)st->ctime.nsec,
	};

	return hash_bytes(hash, words, sizeof(words));
}

static int add(void *ctx, const struct mvfs_walk_entry *entry)
{
	struct summing *s = ctx;
	struct sum *sum = s->sum;
	struct mvfs_string bytes;

	sum->hash = hash_bytes(sum->hash, entry->path, entry->path_len);
	sum->hash = hash_stat(sum->hash, &entry->st);
	if (seen_before(s, entry->st.ino))
		return 0;
	sum->blocks += entry->st.blocks / 8;
	if (!S_ISREG(entry->st.mode) ||
	    done(mvfs_read_file(s->fs, entry->path, &bytes)))
		return 0;
	sum->hash = hash_bytes(sum->hash, bytes.data, bytes.len);
	mvfs_string_release(&bytes);
	return 0;
}

struct sum sum_tree(mvfs *fs)
{
	struct sum sum = { 0 };
	struct summing s = { .fs = fs, .sum = &sum };

	done(mvfs_walk(fs, "/", 0, add, &s));
	return sum;
}

struct sum settled_sum(const char *where, mvfs *fs)
{
	struct sum sum = sum_tree(fs);
	struct mvfs_statfs st;

	done(mvfs_statfs(fs, &st));
	if (sum.blocks != st.blocks_used || sum.inodes != st.inodes_used) {
		flaw(where, 0);
		fprintf(stderr, "%llu blocks, statfs %llu; "
			"%llu inodes, statfs %llu\n",
			(unsigned long long)sum.blocks,
			(unsigned long long)st.blocks_used,
			(unsigned long long)sum.inodes,
			(unsigned long long)st.inodes_used);
	}
	return sum;
}
