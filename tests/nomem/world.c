/* SPDX-License-Identifier: MIT */
/* A world: how it is made, and how it ends. */
#include "config.h"

#include "tests/nomem/nomem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/expect.h"
#include "vfs/mem/mem.h"

enum { MANY_FILES = 70 };

static char bytes[BIG];

static struct mvfs_time clock_of(void *ctx)
{
	return *(struct mvfs_time *)ctx;
}

static void write_file(struct world *w, const char *path, size_t len)
{
	ok(mvfs_write_file(w->fs, path, bytes, len));
}

static void make_dirs(struct world *w)
{
	char path[32];
	int i;

	ok(mvfs_mkdir(w->fs, "/d", 0755));
	ok(mvfs_mkdir(w->fs, "/d/sub", 0755));
	ok(mvfs_mkdir(w->fs, "/d/sub/deep", 0755));
	ok(mvfs_mkdir(w->fs, "/e", 0755));
	ok(mvfs_mkdir(w->fs, "/e/empty", 0755));
	ok(mvfs_mkdir(w->fs, "/e/single", 0755));
	ok(mvfs_mkdir(w->fs, "/u", 0755));
	ok(mvfs_chown(w->fs, "/u", 1000, 1001));
	ok(mvfs_chmod(w->fs, "/u", 02777));
	ok(mvfs_mkdir(w->fs, "/many", 0755));
	for (i = 0; i < MANY_FILES; i++) {
		snprintf(path, sizeof(path), "/many/file-%d", i);
		ok(mvfs_mknod(w->fs, path, S_IFREG | 0644, 0));
	}
}

static void make_files(struct world *w)
{
	write_file(w, "/d/text", 200);
	write_file(w, "/d/large", LARGE);
	write_file(w, "/d/empty", 0);
	write_file(w, "/d/pair", 100);
	write_file(w, "/d/reflink", 10);
	write_file(w, "/d/append", 500);
	write_file(w, "/d/orphan", 9000);
	write_file(w, "/e/file", 5000);
	write_file(w, "/e/one", 30);
	write_file(w, "/e/pinned", 6000);
	write_file(w, "/e/single/name", 5);
	write_file(w, "/u/mine", 5);
	write_file(w, "/u/setuid", 5000);
	ok(mvfs_write_file(w->fs, "/d/gbk", GBK_TEXT, sizeof(GBK_TEXT) - 1));
	ok(mvfs_write_file(w->fs, "/d/gbk2", GBK_TEXT, sizeof(GBK_TEXT) - 1));
	ok(mvfs_link(w->fs, "/d/pair", "/d/pair2"));
	ok(mvfs_link(w->fs, "/e/one", "/e/two"));
	ok(mvfs_link(w->fs, "/e/one", "/e/three"));
	ok(mvfs_symlink(w->fs, "text", "/d/link"));
	ok(mvfs_symlink(w->fs, "sub", "/d/dirlink"));
	ok(mvfs_mknod(w->fs, "/d/fifo", S_IFIFO | 0644, 0));
	ok(mvfs_mknod(w->fs, "/d/dev", S_IFCHR | 0644, 0x0501));
	ok(mvfs_mknod(w->fs, "/d/holes", S_IFREG | 0644, 0));
	ok(mvfs_mknod(w->fs, "/d/pieces", S_IFREG | 0644, 0));
	ok(mvfs_chown(w->fs, "/u/mine", 1000, 1000));
	ok(mvfs_chown(w->fs, "/u/setuid", 1000, 1000));
	ok(mvfs_chmod(w->fs, "/u/setuid", 06775));
	ok(mvfs_setxattr(w->fs, "/d", "user.c", "ccc", 3, 0));
	ok(mvfs_setxattr(w->fs, "/d/text", "user.a", "aaa", 3, 0));
	ok(mvfs_setxattr(w->fs, "/d/text", "trusted.b", bytes, 300, 0));
	ok(mvfs_setxattr(w->fs, "/d/orphan", "user.o", "ooo", 3, 0));
}

static void open_as(mvfs *view, int want, const char *path, int flags)
{
	ck_assert_int_eq(ok(mvfs_open(view, path, flags, 0600)), want);
}

static void open_fds(struct world *w, bool big)
{
	int fd;

	open_as(w->fs, FD_TEXT, "/d/text", O_RDWR);
	open_as(w->fs, FD_LARGE, "/d/large", O_RDWR);
	open_as(w->fs, FD_HOLES, "/d/holes", O_RDWR);
	open_as(w->fs, FD_PIECES, "/d/pieces", O_RDWR);
	open_as(w->fs, FD_REFLINK, "/d/reflink", O_RDWR);
	open_as(w->fs, FD_EMPTY, "/d/empty", O_RDWR);
	open_as(w->fs, FD_APPEND, "/d/append", O_WRONLY | O_APPEND);
	open_as(w->fs, FD_ORPHAN, "/d/orphan", O_RDWR);
	open_as(w->fs, FD_TMPFILE, "/d", O_TMPFILE | O_RDWR);
	open_as(w->user, FD_SETUID, "/u/setuid", O_RDWR);
	open_as(w->fs, FD_DIR, "/d", O_RDONLY);
	open_as(w->fs, FD_LINK, "/d/link", O_PATH | O_NOFOLLOW);
	open_as(w->fs, FD_GBK, "/d/gbk", O_RDONLY);
	if (big)
		open_as(w->fs, FD_BIG, "/d/big", O_RDWR);
	do
		fd = (int)ok(mvfs_dup(w->fs, FD_TEXT));
	while (fd < FD_NEXT - 1);
	ok(mvfs_unlink(w->fs, "/d/orphan"));
}

/* Contents of every shape. */
static void fill_files(struct world *w)
{
	int i;

	for (i = 4; i >= 0; i -= 2)
		ok(mvfs_pwrite(w->fs, FD_HOLES, bytes + i, 4096,
			       4096 * i));
	ok(mvfs_fallocate(w->fs, FD_HOLES, 0, 24576, 8192));
	ok(mvfs_pwrite(w->fs, FD_PIECES, bytes, PIECE, PIECE));
	ok(mvfs_pwrite(w->fs, FD_PIECES, bytes + 1, PIECE, 0));
	ok(mvfs_clone_file(w->fs, FD_PIECES, FD_REFLINK));
	ok(mvfs_pwrite(w->fs, FD_TMPFILE, bytes, 5000, 0));
	ok(mvfs_lseek(w->fs, FD_TEXT, 10, SEEK_SET));
	ok(mvfs_lseek(w->fs, FD_PIECES, 70000, SEEK_SET));
	ok(mvfs_lseek(w->fs, FD_LARGE, 2 * 4096, SEEK_SET));
}

static uint64_t ino_of(struct world *w, const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(w->fs, path, &st));
	return st.ino;
}

static struct mvfs_file *adapter_file(struct world *w, uint64_t ino, int flags)
{
	struct mvfs_file *file;

	ok(mvfs_sys_open(w->adapter, NULL, ino, flags, &file));
	return file;
}

static void start_adapter(struct world *w)
{
	struct mvfs_stat st;

	ok(mvfs_sys_attach(w->fs, 0, &w->adapter));
	w->file[FILE_TEXT] = adapter_file(w, w->text, O_RDWR);
	w->file[FILE_PIECES] = adapter_file(w, w->pieces, O_RDWR);
	w->file[FILE_HOLES] = adapter_file(w, ino_of(w, "/d/holes"), O_RDWR);
	w->file[FILE_DIR] = adapter_file(w, w->d, O_DIRECTORY);
	w->file[FILE_SETUID] = adapter_file(w, ino_of(w, "/u/setuid"),
					    O_RDWR);
	ok(mvfs_sys_tmpfile(w->adapter, NULL, w->d, 0600, O_RDWR, 0, &st,
			    &w->file[FILE_TMPFILE]));
	w->tmpfile = st.ino;
	ok(mvfs_sys_lookup(w->adapter, NULL, 1, "d", 1, &st));
	ok(mvfs_sys_lookup(w->adapter, NULL, w->d, "text", 2, &st));
	ok(mvfs_sys_lookup(w->adapter, NULL, w->e, "pinned", 1, &st));
	ok(mvfs_unlink(w->fs, "/e/pinned"));
}

static void set_locks(struct world *w)
{
	struct mvfs_lock lock = { .type = F_WRLCK, .len = 100 };

	ok(mvfs_setlk(w->fs, FD_TEXT, &lock, 0));
	lock.type = F_RDLCK;
	lock.start = 200;
	ok(mvfs_setlk(w->fs, FD_LARGE, &lock, MVFS_LOCK_OFD));
	lock.start = 10;
	lock.len = 10;
	ok(mvfs_setlk(w->user, FD_PIECES, &lock, 0));
	lock.start = 300;
	lock.len = 100;
	lock.type = F_WRLCK;
	ok(mvfs_sys_setlk(w->adapter, w->file[FILE_TEXT], OWNER, &lock));
	ok(mvfs_flock(w->fs, FD_TEXT, LOCK_SH));
	ok(mvfs_sys_flock(w->adapter, w->file[FILE_PIECES], LOCK_EX));
	ok(mvfs_sys_flock(w->adapter, w->file[FILE_HOLES], LOCK_SH));
}

static void start_views(struct world *w)
{
	const struct mvfs_view_options user = {
		.size = sizeof(user),
		.set = MVFS_VIEW_CRED | MVFS_VIEW_UMASK,
		.uid = 1000, .gid = 1000, .umask = 027,
		.groups = (uint32_t[]){ 1001, 1002 }, .group_count = 2,
		.cwd = "/u",
	};
	const struct mvfs_view_options stray = {
		.size = sizeof(stray), .cwd = "/gone",
	};

	ok(mvfs_view(w->fs, NULL, &w->observer));
	ok(mvfs_view(w->fs, &user, &w->user));
	ok(mvfs_mkdir(w->fs, "/gone", 0755));
	ok(mvfs_view(w->fs, &stray, &w->stray));
	ok(mvfs_rmdir(w->fs, "/gone"));
	ok(mvfs_chdir(w->fs, "/d"));
}

static void open_listing(struct world *w)
{
	struct mvfs_dirent entry;
	int i;

	ok(mvfs_opendir(w->fs, "/d", MVFS_LIST_DOTS, &w->dir));
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(mvfs_readdir(w->dir, &entry), 1);
	w->cookie = entry.cookie;
}

/* Strings that nothing but themselves refers to. */
static void make_strings(struct world *w)
{
	struct mvfs_string whole;

	ok(mvfs_write_file(w->fs, "/e/file", UTF8_TEXT,
			   sizeof(UTF8_TEXT) - 1));
	ok(mvfs_read_string(w->fs, "/e/file", NULL, 0, &w->string, NULL));
	write_file(w, "/e/file", 5000);
	w->slice = mvfs_string_slice(&w->string, 0, 13);
	ok(mvfs_string_copy(bytes, 500, &whole));
	w->part = mvfs_string_slice(&whole, 100, 50);
	mvfs_string_release(&whole);
	ok(mvfs_string_lines(&w->string, 0, UINT64_MAX, &w->lines));
}

/* References to the bytes of what rows change. */
static void read_all(struct world *w)
{
	int64_t got;
	int i;

	ok(mvfs_read_string(w->fs, "/d/text", NULL, 0, &w->strings[0], NULL));
	ok(mvfs_read_file(w->fs, "/d/large", &w->strings[1]));
	ok(mvfs_read_file(w->fs, "/d/gbk", &w->strings[2]));
	ok(mvfs_fread_string(w->fs, FD_ORPHAN, NULL, 0, &w->strings[3],
			     NULL));
	/* a string would put the pieces together */
	for (i = FILE_PIECES; i <= FILE_HOLES; i++) {
		got = ok(mvfs_sys_extents(w->adapter, w->file[i], 0,
					  SIZE_MAX / 2,
					  w->extents + w->extent_count, 8));
		w->extent_count += (size_t)got;
	}
}

static void make_host_file(struct world *w)
{
	w->host = memfd_create("nomem", MFD_CLOEXEC);
	ck_assert_int_ge(w->host, 0);
	ck_assert_int_eq(write(w->host, bytes, 6000), 6000);
	snprintf(w->host_path, sizeof(w->host_path), "/proc/self/fd/%d",
		 w->host);
}

void world_prepare(void)
{
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)('a' + i * 7 % 26);
}

static void make_other(struct world *w)
{
	ok(mvfs_clone(w->fs, &w->other));
	ok(mvfs_write_file(w->other, "/d/text", "other", 5));
	ok(mvfs_rename(w->other, "/e", "/moved"));
	ok(mvfs_unlink(w->other, "/d/pair2"));
	ok(mvfs_unlink(w->other, "/d/link"));
	ok(mvfs_mkdir(w->other, "/d/link", 0755));
	ok(mvfs_chmod(w->other, "/d/fifo", 0600));
	ok(mvfs_setxattr(w->other, "/d", "user.d", "ddd", 3, 0));
}

static void make_stranger(struct world *w)
{
	const struct mvfs_options options = {
		.size = sizeof(options),
		.clock = clock_of, .clock_ctx = &w->now,
	};

	ok(mvfs_create(&options, &w->stranger));
	ok(mvfs_mkdir(w->stranger, "/d", 0755));
	ok(mvfs_write_file(w->stranger, "/d/text", "stranger", 8));
	ok(mvfs_link(w->stranger, "/d/text", "/d/large"));
	ok(mvfs_symlink(w->stranger, "large", "/d/link"));
	ok(mvfs_mknod(w->stranger, "/d/dev", S_IFCHR | 0644, 0x0502));
}

/* Snapshots share nodes, too: elsewhere these are the instance's alone. */
static bool is_shared(enum kind kind)
{
	return kind == CLONED || kind >= CLONED_READ;
}

void world_start(struct world *w, enum kind kind, bool big)
{
	const struct mvfs_options options = {
		.size = sizeof(options),
		.flags = MVFS_SEEDED,
		.seed = { 1, 2 },
		.max_bytes = 64 << 20,
		.max_inodes = 1000,
		.clock = clock_of,
		.clock_ctx = &w->now,
	};

	memset(w, 0, sizeof(*w));
	w->kind = kind;
	w->now = (struct mvfs_time){ 1000, 1, 0 };
	ok(mvfs_create(&options, &w->fs));
	make_dirs(w);
	if (is_shared(kind))
		ok(mvfs_snapshot(w->fs, &w->early));
	make_files(w);
	if (big)
		write_file(w, "/d/big", BIG);
	start_views(w);
	open_fds(w, big);
	fill_files(w);
	w->d = ino_of(w, "/d");
	w->e = ino_of(w, "/e");
	w->u = ino_of(w, "/u");
	w->text = ino_of(w, "/d/text");
	w->link = ino_of(w, "/d/link");
	w->pieces = ino_of(w, "/d/pieces");
	w->pinned = ino_of(w, "/e/pinned");
	start_adapter(w);
	set_locks(w);
	open_listing(w);
	make_strings(w);
	make_host_file(w);
	if (kind >= READ)
		read_all(w);
	if (is_shared(kind)) {
		ok(mvfs_clone(w->fs, &w->clone));
		ok(mvfs_snapshot(w->fs, &w->late));
		make_other(w);
	}
	make_stranger(w);
	w->now.sec = 2000;
}

void world_ready(struct world *w)
{
	struct out *out = &w->out;

	memset(out, 0xa5, sizeof(*out));
	out->in_offset = 100;
	out->out_offset = 5000;
	out->in_block = 4096;
	out->out_block = 8192;
	out->lock = (struct mvfs_lock){ .type = F_WRLCK };
	w->walked = 0;
	memcpy(&w->fresh, out, sizeof(*out));
}

#define STORED(w, member) \
	(memcmp(&(w)->out.member, &(w)->fresh.member, \
		sizeof((w)->out.member)) != 0)

void world_drop_out(struct world *w)
{
	size_t i;

	if (STORED(w, string))
		mvfs_string_release(&w->out.string);
	if (STORED(w, lines))
		mvfs_lines_release(&w->out.lines);
	if (STORED(w, memory))
		free(w->out.memory);
	for (i = 0; i < 8; i++)
		if (STORED(w, extents[i]))
			mvfs_sys_extents_release(&w->out.extents[i], 1);
	if (STORED(w, dir))
		ok(mvfs_closedir(w->out.dir));
	if (STORED(w, file))
		ok(mvfs_sys_close(w->adapter, w->out.file));
	if (STORED(w, snapshot))
		mvfs_snapshot_release(w->out.snapshot);
	if (STORED(w, view))
		ok(mvfs_destroy(w->out.view));
}

static void drop_strings(struct world *w)
{
	size_t i;

	mvfs_string_release(&w->string);
	mvfs_string_release(&w->slice);
	mvfs_string_release(&w->part);
	mvfs_lines_release(&w->lines);
	for (i = 0; i < sizeof(w->strings) / sizeof(w->strings[0]); i++)
		mvfs_string_release(&w->strings[i]);
	mvfs_sys_extents_release(w->extents, w->extent_count);
}

/* Letting go needs no memory, so it may be refused all; telling of it does. */
void world_end(struct world *w)
{
	uint64_t before;

	ok(mvfs_set_report(w->fs, 0, NULL, NULL));
	before = mvfs__mem_thread.allocations;
	world_drop_out(w);
	if (w->dir)
		ok(mvfs_closedir(w->dir));
	ok(mvfs_destroy(w->adapter));
	ok(mvfs_destroy(w->user));
	ok(mvfs_destroy(w->stray));
	ok(mvfs_destroy(w->fs));
	ok(mvfs_destroy(w->observer));
	ok(mvfs_destroy(w->clone));
	ok(mvfs_destroy(w->other));
	ok(mvfs_destroy(w->stranger));
	mvfs_snapshot_release(w->early);
	mvfs_snapshot_release(w->late);
	drop_strings(w);
	close(w->host);
	ck_assert_uint_eq(mvfs__mem_thread.allocations, before);
}
