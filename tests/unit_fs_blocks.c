/* SPDX-License-Identifier: MIT */
/*
 * What counts against the limit, and what a failing call leaves: random calls
 * on files that are open, unlinked, cloned and shared, with too little room
 * and too little memory. After each, the counter of blocks is the sum over
 * all files; after one that failed, every file is what it was.
 */
#include "config.h"

#include "vfs/content/content.h"

#include "tests/core.h"
#include "tests/trie_model.h"

enum { INSTANCES = 3, NAMES = 6, FDS = 8, ROUNDS = 20000, LARGEST = 200000 };

static mvfs *view[INSTANCES];
static uint64_t state;
static char bytes[LARGEST];

static uint64_t mix(uint64_t digest, uint64_t value)
{
	return (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15) +
	       (digest >> 29);
}

/* What can be seen of a node, its content by a few bytes of each block. */
static uint64_t digest_of(const struct mvfs__node *node, uint64_t digest)
{
	uint64_t at, some;
	struct mvfs_stat st;

	mvfs__node_check(node);
	mvfs__node_stat(node, &st);
	digest = mix(mix(mix(digest, st.ino), st.mode), st.nlink);
	digest = mix(mix(digest, st.size), st.blocks);
	digest = mix(digest, (uint64_t)st.ctime.sec);
	if (!mvfs__node_is_reg(node))
		return digest;
	for (at = 0; at < st.size && at < LARGEST * 2; at += MVFS__BLOCK) {
		some = 0;
		(void)mvfs__content_copy_out(&node->u.content, at, &some,
					     sizeof(some));
		digest = mix(digest, some);
	}
	return digest;
}

static uint64_t blocks_of(const struct mvfs__node *node)
{
	return mvfs__node_is_reg(node) ?
	       mvfs__content_blocks(&node->u.content) : 0;
}

/* Counts the blocks of all files, with a name and without. */
static uint64_t check(const mvfs *v)
{
	const struct mvfs__table *table = &v->fs->table;
	const struct mvfs__hold *hold;
	const struct mvfs__node *node;
	uint64_t digest = 0, blocks = 0, orphans = 0, ino = 0;

	while ((node = (struct mvfs__node *)
		mvfs__trie_next(&table->nodes, ino))) {
		ino = mvfs__node_ino(node) + 1;
		digest = digest_of(node, digest);
		blocks += blocks_of(node);
	}
	for (hold = table->holds; hold; hold = hold->hh.next) {
		if (!hold->orphan)
			continue;
		orphans++;
		must(!mvfs__trie_get(&table->nodes, hold->ino));
		/* the order of holds tells nothing */
		digest += digest_of(hold->orphan, 0);
		blocks += blocks_of(hold->orphan);
	}
	must(orphans == table->orphans);
	ck_assert_uint_eq(blocks, v->fs->blocks);
	return digest;
}

static const char *name(void)
{
	static char names[2][8];
	static unsigned which;
	char *one = names[which++ % 2];

	snprintf(one, sizeof(names[0]), "/f%u",
		 (unsigned)below(&state, NAMES));
	return one;
}

static int fd(void)
{
	return (int)below(&state, FDS);
}

/* Offsets and lengths, often of whole blocks. */
static int64_t some(uint64_t end)
{
	uint64_t n = below(&state, end);

	return (int64_t)(below(&state, 2) ? n : n - n % MVFS__BLOCK);
}

static int64_t open_some(mvfs *v)
{
	static const int flags[] = {
		O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_TRUNC, O_RDWR,
		O_RDWR | O_APPEND, O_WRONLY | O_TRUNC, O_PATH,
	};
	int n = (int)below(&state, 8);

	if (n < 6)
		return mvfs_open(v, name(), flags[n], 06755);
	return mvfs_open(v, "/", O_RDWR | O_TMPFILE | (n == 7 ? O_EXCL : 0),
			 0600);
}

static int64_t replace_some(mvfs *v)
{
	struct mvfs_string string;
	const char *from = name(), *to = name();
	int rc = mvfs_read_string(v, from, NULL, 0, &string, NULL);

	if (rc)
		return rc;
	rc = mvfs_write_string(v, to, &string, NULL, NULL);
	mvfs_string_release(&string);
	return rc;
}

static int64_t reserve_some(mvfs *v)
{
	static const int modes[] = {
		0, MVFS_KEEP_SIZE, MVFS_PUNCH_HOLE | MVFS_KEEP_SIZE,
		MVFS_ZERO_RANGE, MVFS_ZERO_RANGE | MVFS_KEEP_SIZE,
	};

	return mvfs_fallocate(v, fd(), modes[below(&state, 5)],
			      some(LARGEST), some(LARGEST));
}

static int64_t copy_some(mvfs *v)
{
	int64_t in = some(LARGEST), out = some(LARGEST);

	return mvfs_copy_file_range(v, fd(), &in, fd(), &out,
				    (size_t)some(LARGEST), 0);
}

static int64_t change_names(mvfs *v)
{
	const char *from = name(), *to = name();

	switch (below(&state, 4)) {
	case 0:
		return mvfs_unlink(v, from);
	case 1:
		return mvfs_rename(v, from, to);
	case 2:
		return mvfs_link(v, from, to);
	default:
		return mvfs_linkat(v, fd(), "", MVFS_AT_FDCWD, to,
				   AT_EMPTY_PATH);
	}
}

static int64_t write_some(mvfs *v)
{
	switch (below(&state, 3)) {
	case 0:
		return mvfs_write(v, fd(), bytes, (size_t)some(LARGEST));
	case 1:
		return mvfs_pwrite(v, fd(), bytes, (size_t)some(LARGEST),
				   some(LARGEST));
	default:
		return mvfs_write_file(v, name(), bytes,
				       (size_t)some(LARGEST));
	}
}

static int64_t size_some(mvfs *v)
{
	if (below(&state, 2))
		return mvfs_truncate(v, name(), some(LARGEST));
	return mvfs_ftruncate(v, fd(), some(LARGEST));
}

static int64_t call(mvfs *v)
{
	switch (below(&state, 14)) {
	case 0:
	case 1:
		return open_some(v);
	case 2:
		return mvfs_close(v, fd());
	case 3:
		return mvfs_clone_file(v, fd(), fd());
	case 4:
		return copy_some(v);
	case 5:
		return replace_some(v);
	case 6:
	case 7:
		return reserve_some(v);
	case 8:
	case 9:
		return change_names(v);
	case 10:
		return size_some(v);
	default:
		return write_some(v);
	}
}

/* Another instance becomes a clone of this one. */
static void clone_over(unsigned from)
{
	unsigned to = (unsigned)below(&state, INSTANCES);

	if (to == from)
		return;
	ok(mvfs_destroy(view[to]));
	ok(mvfs_clone(view[from], &view[to]));
}

static void set_room(mvfs *v)
{
	ok(mvfs_set_limits(v, below(&state, 4) ? below(&state, 1 << 20) : 0,
			   below(&state, 4) ? 2 + below(&state, 8) : 0));
}

static void one_call(unsigned n, bool starved)
{
	uint64_t before[INSTANCES], failed;
	int64_t rc;
	unsigned i;

	for (i = 0; i < INSTANCES; i++)
		before[i] = check(view[i]);
	failed = mvfs__mem_thread.fail_failed;
	mvfs__mem_fail_at(starved ? 1 + below(&state, 8) : 0);
	rc = call(view[n]);
	mvfs__mem_fail_at(0);
	for (i = 0; i < INSTANCES; i++)
		must(check(view[i]) == before[i] || (i == n && rc >= 0));
	must(rc != -ENOMEM || mvfs__mem_thread.fail_failed != failed);
}

START_TEST(test_blocks_are_counted_and_failures_change_nothing)
{
	unsigned i, n, rounds = ROUNDS * long_factor();

	state = seed_of_run();
	memset(bytes, 'x', sizeof(bytes));
	for (i = 0; i < INSTANCES; i++)
		ok(mvfs_create(NULL, &view[i]));
	for (i = 0; i < rounds; i++) {
		n = (unsigned)below(&state, INSTANCES);
		if (!below(&state, 30))
			clone_over(n);
		if (!below(&state, 30))
			set_room(view[n]);
		one_call(n, !below(&state, 3));
	}
	for (i = 0; i < INSTANCES; i++)
		ok(mvfs_destroy(view[i]));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("blocks");

	tcase_set_timeout(tests, 600);
	tcase_add_test(tests,
		       test_blocks_are_counted_and_failures_change_nothing);
	return core_run("blocks", tests);
}
