/* SPDX-License-Identifier: MIT */
/*
 * What calls ask of malloc once they have run before: counted in malloc
 * itself and by the library. Reading asks for nothing but the value that it
 * returns; what has a life of its own (an open file, a listing) is counted
 * with the call that makes it.
 */
#include "config.h"

#include "tests/core.h"
#include "tests/heap.h"
#include "tests/random.h"
#include "vfs/mem/kept.h"
#include "vfs/mem/slab.h"

#define DEEP "/a/b/c/d/e/f/g/h"
#define AROUND "/link/../b/up/b/c/d/e/f/g/h"

enum { NAMES = 300, ROUNDS = 20 };

static struct mvfs_string string;
static char bytes[4096];
static struct mvfs_iovec pieces[40];

static void begin(void)
{
	char path[64];
	int i;

	core_start();
	ok(mvfs_mkdir(fs, "/a", 0755));
	ok(mvfs_mkdir(fs, "/a/b", 0755));
	ok(mvfs_symlink(fs, "/a/b", "/link"));
	ok(mvfs_symlink(fs, "..", "/a/b/up"));
	for (i = 5; i <= 15; i += 2) {
		snprintf(path, sizeof(path), "%.*s", i + 1, DEEP);
		ok(mvfs_mkdir(fs, path, 0755));
	}
	ok(mvfs_write_file(fs, DEEP "/ascii", "some text", 9));
	ok(mvfs_write_file(fs, DEEP "/gbk", "\xd6\xd0\xce\xc4", 4));
	ok(mvfs_symlink(fs, "ascii", DEEP "/other"));
	ok(mvfs_setxattr(fs, DEEP "/ascii", "user.x", "value", 5, 0));
	ok(mvfs_mkdir(fs, "/many", 0755));
	for (i = 0; i < NAMES; i++) {
		snprintf(path, sizeof(path), "/many/%d", i);
		ok(mvfs_mknod(fs, path, S_IFREG | 0644, 0));
	}
	for (i = 0; i < 40; i++)
		pieces[i] = (struct mvfs_iovec){ bytes + i, 10 };
}

static void read_shared(void)
{
	must(!mvfs_read_string(fs, DEEP "/ascii", NULL, 0, &string, NULL));
	mvfs_string_release(&string);
}

static void read_around(void)
{
	must(!mvfs_read_string(fs, AROUND "/other", NULL, 0, &string, NULL));
	mvfs_string_release(&string);
}

static void read_bytes(void)
{
	must(!mvfs_read_file(fs, AROUND "/gbk", &string));
	mvfs_string_release(&string);
}

static void read_decoded(void)
{
	must(!mvfs_read_string(fs, AROUND "/gbk", mvfs_charset("GBK"), 0,
			       &string, NULL));
	mvfs_string_release(&string);
}

static void look(void)
{
	struct mvfs_stat st;

	must(!mvfs_stat(fs, AROUND "/other", &st));
	must(!mvfs_lstat(fs, AROUND "/other", &st));
	must(!mvfs_access(fs, AROUND "/other", R_OK));
	must(mvfs_stat(fs, AROUND "/missing", &st) == -ENOENT);
	must(mvfs_readlink(fs, AROUND "/other", bytes, 100) == 5);
	must(mvfs_realpath(fs, AROUND "/other", bytes, 4096) > 0);
	must(mvfs_getxattr(fs, AROUND "/other", "user.x", bytes, 100) == 5);
	must(mvfs_listxattr(fs, AROUND "/other", bytes, 100) == 7);
}

/* The hold on the directory. */
static void change_dir(void)
{
	must(!mvfs_chdir(fs, AROUND));
	must(!mvfs_chdir(fs, "/"));
}

/* The open file, and the hold on its inode. */
static void open_and_read(void)
{
	int fd = mvfs_open(fs, AROUND "/other", O_RDONLY, 0);

	must(fd >= 0 && mvfs_read(fs, fd, bytes, 100) == 9);
	must(!mvfs_close(fs, fd));
}

static void open_and_write(void)
{
	int fd = mvfs_open(fs, DEEP "/gbk", O_RDWR, 0);

	must(mvfs_pwrite(fs, fd, "\xce", 1, 2) == 1);
	must(mvfs_pwritev(fs, fd, pieces, 40, 4) == 400);
	must(!mvfs_ftruncate(fs, fd, 4));
	must(!mvfs_close(fs, fd));
}

static void change_names(void)
{
	must(!mvfs_rename(fs, AROUND "/gbk", "/many/gbk"));
	must(!mvfs_rename(fs, "/many/gbk", AROUND "/gbk"));
	must(!mvfs_chmod(fs, AROUND "/gbk", 0600));
}

/* The listing, its order, and the hold on its directory. */
static void list(void)
{
	struct mvfs_dirent entry;
	struct mvfs_dir *dir;
	int n = 0;

	must(!mvfs_opendir(fs, "/many", 0, &dir));
	while (mvfs_readdir(dir, &entry) == 1)
		n++;
	must(n == NAMES);
	must(!mvfs_closedir(dir));
}

static int count_entry(void *ctx, const struct mvfs_walk_entry *entry)
{
	(void)entry;
	++*(int *)ctx;
	return 0;
}

static void walk(void)
{
	int n = 0;

	must(!mvfs_walk(fs, "/", MVFS_WALK_BOTH, count_entry, &n));
	must(n > NAMES);
}

static const struct {
	const char *name;
	void (*call)(void);
	unsigned heap; /* calls of malloc */
} rows[] = {
	{ "read a shared string", read_shared, 0 },
	{ "read it through symlinks", read_around, 0 },
	{ "read bytes", read_bytes, 0 },
	{ "read a decoded string", read_decoded, 1 },
	{ "look", look, 0 },
	{ "change the directory", change_dir, 1 },
	{ "open, read, close", open_and_read, 2 },
	{ "open, write, close", open_and_write, 2 },
	{ "rename", change_names, 0 },
	{ "list", list, 3 },
	{ "walk", walk, 0 },
};

/* Entries come from the slab, which may be malloc. */
static bool slab_is_malloc(void)
{
	uint64_t calls = heap_calls();
	void *piece = mvfs__slab_alloc(64);

	must(piece);
	mvfs__slab_free(piece, 64);
	return heap_calls() > calls;
}

START_TEST(test_calls_that_ran_before_ask_for_no_more)
{
	uint64_t calls, asked;
	bool counted;
	int i;

	begin();
	/* where memory is watched each piece of scratch is malloc's */
	counted = heap_is_counted() && mvfs__keeps();
	if (rows[_i].call == change_names && slab_is_malloc())
		counted = false;
	for (i = 0; i < ROUNDS; i++)
		rows[_i].call();
	calls = heap_calls();
	asked = mvfs__mem_thread.allocations;
	for (i = 0; i < ROUNDS; i++)
		rows[_i].call();
	calls = heap_calls() - calls;
	asked = mvfs__mem_thread.allocations - asked;
	if (counted && calls > ROUNDS * rows[_i].heap)
		ck_abort_msg("%s: %u calls of malloc in %d rounds",
			     rows[_i].name, (unsigned)calls, ROUNDS);
	/* what the slab gives is counted as well */
	if (counted && rows[_i].call != change_names &&
	    asked > ROUNDS * rows[_i].heap)
		ck_abort_msg("%s: %u allocations in %d rounds", rows[_i].name,
			     (unsigned)asked, ROUNDS);
	/* every frame was closed */
	ck_assert_uint_eq(mvfs__kept.scratch.used, 0);
	core_end();
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("steady");

	tcase_add_loop_test(tests, test_calls_that_ran_before_ask_for_no_more,
			    0, sizeof(rows) / sizeof(rows[0]));
	return core_run("mem steady", tests);
}
