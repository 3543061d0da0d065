/* SPDX-License-Identifier: MIT */
/* What must hold, said shortly, and the list of all groups of cases. */
#include "config.h"

#include "tests/posix/cases.h"

const struct posix_fs *fs;

void posix_handle_holds(const char *where, int fd, const char *text)
{
	static char got[4096];
	int64_t len = fs->pread(fd, got, sizeof(got), 0);

	if (len < 0)
		ck_abort_msg("%s: read: %s", where, strerror((int)-len));
	if ((size_t)len != strlen(text) || memcmp(got, text, (size_t)len))
		ck_abort_msg("%s: \"%.*s\" (%d) instead of \"%s\"", where,
			     (int)len, got, (int)len, text);
}

void posix_holds(const char *where, const char *path, const char *text)
{
	int fd = fs->open(path, O_RDONLY, 0);

	if (fd < 0)
		ck_abort_msg("%s: open: %s", where, strerror(-fd));
	posix_handle_holds(where, fd, text);
	ok(fs->close(fd));
}

void posix_missing(const char *where, const char *path)
{
	struct mvfs_stat st;

	expect_failure(where, fs->lstat(path, &st), ENOENT);
}

void make(const char *path, const char *text)
{
	int fd = (int)ok(fs->open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644));

	ck_assert_int_eq(ok(fs->write(fd, text, strlen(text))),
			 (int64_t)strlen(text));
	ok(fs->close(fd));
}

struct mvfs_stat look(const char *path)
{
	struct mvfs_stat st;

	expect_ok(path, fs->lstat(path, &st));
	return st;
}

struct mvfs_stat look_at(int fd)
{
	struct mvfs_stat st;

	ok(fs->fstat(fd, &st));
	return st;
}

uint32_t mode_of(const char *path)
{
	return look(path).mode & 07777;
}

int count_names(const char *path)
{
	char name[256];
	void *dir;
	int count = 0;

	ok(fs->opendir(path, &dir));
	while (ok(fs->readdir(dir, name)) == 1)
		count++;
	ok(fs->closedir(dir));
	return count;
}

static void begin(void)
{
	fs->begin(NULL);
	fs->umask(022);
}

static void end(void)
{
	fs->end();
}

TCase *posix_tcase(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	return tcase;
}

bool posix_can(const char *group, const char *reason)
{
	if (reason)
		printf("%s: left out: %s: %s\n", fs->name, group, reason);
	return !reason;
}

int posix_run(const struct posix_fs *driver)
{
	Suite *suite;

	fs = driver;
	suite = suite_create(fs->name);
	add_rename_cases(suite);
	add_unlinked_cases(suite);
	add_path_cases(suite);
	add_link_cases(suite);
	add_data_cases(suite);
	add_mode_cases(suite);
	add_user_cases(suite);
	add_dirhandle_cases(suite);
	add_time_cases(suite);
	add_xattr_cases(suite);
	add_lock_cases(suite);
	add_listing_cases(suite);
	add_limit_cases(suite);
	fflush(stdout);
	return run_suite(suite);
}
