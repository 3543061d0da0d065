/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/sys/sys.h"

mvfs *fs;
uint64_t top;
const struct mvfs_actor root = { .umask = 022 };
const struct mvfs_actor user = { .uid = 1000, .gid = 1000, .umask = 022 };
const struct mvfs_actor other = { .uid = 2000, .gid = 2000, .umask = 022 };

static int64_t seconds = 1000000000;

static struct mvfs_time clock_now(void *ctx)
{
	struct mvfs_time now = { seconds, 0, 0 };

	(void)ctx;
	return now;
}

void tick(void)
{
	seconds++;
}

void begin_with_limits(uint64_t bytes, uint64_t inodes)
{
	struct mvfs_options options = { .size = sizeof(options) };

	options.max_bytes = bytes;
	options.max_inodes = inodes;
	options.clock = clock_now;
	ok(mvfs_create(&options, &fs));
	top = mvfs_sys_root(fs);
}

static void begin(void)
{
	begin_with_limits(0, 0);
}

static void end(void)
{
	ok(mvfs_destroy(fs));
	fs = NULL;
}

TCase *sys_tcase(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	return tcase;
}

uint64_t make(uint64_t parent, const char *name, const char *text)
{
	struct mvfs_file *file;
	struct mvfs_stat st;
	int created;

	ok(mvfs_sys_create(fs, &root, parent, name, 0644, O_RDWR | O_TRUNC,
			   0, &st, &created, &file));
	ck_assert_int_eq(ok(mvfs_sys_write(fs, &root, file, text,
					   strlen(text), 0, 0)),
			 (int64_t)strlen(text));
	ok(mvfs_sys_close(fs, file));
	return st.ino;
}

uint64_t make_dir(uint64_t parent, const char *name)
{
	struct mvfs_stat st;

	ok(mvfs_sys_mkdir(fs, &root, parent, name, 0755, 0, &st));
	return st.ino;
}

uint64_t make_dir_of(const struct mvfs_actor *owner, const char *name,
		     uint32_t mode)
{
	uint64_t ino = make_dir(top, name);
	struct mvfs_stat st = { .uid = owner->uid, .gid = owner->gid,
				.mode = mode };

	ok(mvfs_sys_setattr(fs, &root, ino, NULL, MVFS_SET_UID | MVFS_SET_GID,
			    &st, &st));
	ok(set_mode(&root, ino, mode));
	return ino;
}

struct mvfs_file *open_ino(uint64_t ino, int flags)
{
	struct mvfs_file *file = NULL;

	ok(mvfs_sys_open(fs, &root, ino, flags, &file));
	ck_assert_ptr_nonnull(file);
	return file;
}

struct mvfs_stat look(uint64_t ino)
{
	struct mvfs_stat st;

	ok(mvfs_sys_stat(fs, ino, &st));
	return st;
}

int look_up(uint64_t parent, const char *name)
{
	struct mvfs_stat st;

	return mvfs_sys_lookup(fs, &root, parent, name, 0, &st);
}

uint64_t find(uint64_t parent, const char *name)
{
	struct mvfs_stat st;

	ok(mvfs_sys_lookup(fs, &root, parent, name, 0, &st));
	return st.ino;
}

int set_mode(const struct mvfs_actor *actor, uint64_t ino, uint32_t mode)
{
	struct mvfs_stat st = { .mode = mode };

	return mvfs_sys_setattr(fs, actor, ino, NULL, MVFS_SET_MODE, &st, &st);
}

int set_size(const struct mvfs_actor *actor, uint64_t ino,
	     struct mvfs_file *file, uint64_t size)
{
	struct mvfs_stat st = { .size = size };

	return mvfs_sys_setattr(fs, actor, ino, file, MVFS_SET_SIZE, &st, &st);
}

void sys_file_holds(const char *where, struct mvfs_file *file,
		    const char *text)
{
	char got[256];
	int64_t len = expect_ok(where, mvfs_sys_read(fs, file, got,
						     sizeof(got), 0));

	if ((size_t)len != strlen(text) || memcmp(got, text, (size_t)len))
		ck_abort_msg("%s: \"%.*s\" instead of \"%s\"", where,
			     (int)len, got, text);
}

void sys_holds(const char *where, uint64_t ino, const char *text)
{
	struct mvfs_file *file = open_ino(ino, O_RDONLY);

	sys_file_holds(where, file, text);
	ok(mvfs_sys_close(fs, file));
}
