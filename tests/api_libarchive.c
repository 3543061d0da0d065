/* SPDX-License-Identifier: MIT */
/*
 * mtree(5) as libarchive has it: bsdtar reads what mvfs_dump() writes, and
 * mvfs_build() what bsdtar writes. Without bsdtar, which is in Debian's
 * libarchive-tools, all of it is left out.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <check.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static char dir[] = "/tmp/mvfs-libarchive-XXXXXX";
static mvfs *fs;

/* Runs the command in an empty directory: libarchive looks for the names of
 * an mtree there. */
static void run(const char *command)
{
	char line[512];

	snprintf(line, sizeof(line), "cd %s/empty && %s", dir, command);
	ck_assert_msg(system(line) == 0, "%s", line);
}

static void begin(void)
{
	char line[128];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(line, sizeof(line), "mkdir %s/empty", dir);
	ck_assert_int_eq(system(line), 0);
	ok(mvfs_create(NULL, &fs));
}

static void end(void)
{
	char line[128];

	snprintf(line, sizeof(line), "rm -r %s", dir);
	ck_assert_int_eq(system(line), 0);
	ok(mvfs_destroy(fs));
}

static FILE *file(const char *name, const char *mode)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, mode);
	ck_assert_ptr_nonnull(f);
	return f;
}

/* A file of the directory, in memory that the next call uses again. */
static const char *content(const char *name)
{
	static char text[65536];
	FILE *f = file(name, "r");

	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

static void build(mvfs *to, const char *text)
{
	struct mvfs_error error = { .code = 0 };
	int rc = mvfs_build(to, text, &error);

	ck_assert_msg(!rc, "%s", error.message);
}

static const char tree[] =
	". type=dir mode=0755 time=12.000000345\n"
	"./a type=dir mode=0500 uid=7 gid=8 time=1\n"
	"./a/one type=file mode=0644 time=2 inode=1 size=3\n"
	"./a/s\\040p\\043\\075\\134\\042\\303\\244\\001 type=file mode=4755 "
	"uid=5 gid=6 time=3.9 size=5000\n"
	"./b type=link time=4 link=a/s\\040\\134p\n"
	"./c type=char mode=0600 time=5 device=native,5,1\n"
	"./c2 type=block mode=0600 time=5 device=native,259,70000\n"
	"./d type=fifo mode=0644 time=6\n"
	"./f type=file mode=0644 time=2 inode=1 size=3\n";

/* By way of libarchive, in its own words, it is the same tree. */
START_TEST(test_libarchive_reads_what_is_dumped)
{
	const struct mvfs_diff_options all = {
		.size = sizeof(all), .what = MVFS_DIFF_ALL & ~MVFS_DIFF_ATIME,
	};
	struct mvfs_string text;
	mvfs *again;
	FILE *f;

	build(fs, tree);
	ok(mvfs_dump(fs, MVFS_DUMP_TIMES, &text));
	f = file("in", "w");
	fwrite(text.data, 1, text.len, f);
	fclose(f);
	mvfs_string_release(&text);
	run("bsdtar -tf ../in >../names");
	ck_assert_str_eq(content("names"),
			 ".\n./a\n./a/one\n"
			 "./a/s p#=\\\\\"\xc3\xa4\\001\n"
			 "./b\n./c\n./c2\n./d\n./f\n");
	run("bsdtar -cf ../out --format=mtree --options=mtree:all @../in");
	ok(mvfs_create(NULL, &again));
	build(again, content("out"));
	ok(mvfs_diff_text(fs, again, &all, &text));
	ck_assert_str_eq(mvfs_string_cstr(&text), "");
	mvfs_string_release(&text);
	ok(mvfs_destroy(again));
}
END_TEST

static const char *const options[] = {
	"", "--options=mtree:all", "--options=mtree:use-set",
	"--options=mtree:all,mtree:indent",
	"--options=mtree:all,mtree:use-set,mtree:indent",
};

START_TEST(test_what_libarchive_writes_is_read)
{
	char command[128];
	struct mvfs_error error;
	struct mvfs_stat st;

	run("mkdir ../t ../t/x && echo hi >'../t/x/sp #=\"' &&"
	    " ln '../t/x/sp #=\"' ../t/hard && ln -s 'a b' ../t/link &&"
	    " mkfifo ../t/fifo && chmod 751 ../t/x");
	snprintf(command, sizeof(command), "bsdtar -cf ../out --format=mtree "
		 "%s -C ../t .", options[_i]);
	run(command);
	build(fs, content("out"));
	ok(mvfs_stat(fs, "/x/sp #=\"", &st));
	ck_assert_uint_eq(st.size, 3);
	ck_assert_uint_eq(st.nlink, strstr(options[_i], "all") ? 2 : 1);
	ok(mvfs_stat(fs, "/x", &st));
	ck_assert_uint_eq(st.mode, S_IFDIR | 0751);
	ok(mvfs_lstat(fs, "/link", &st));
	ck_assert_uint_eq(st.size, 3);
	if (strstr(options[_i], "all"))
		ck_assert_msg(!mvfs_expect(fs, content("out"), &error), "%s",
			      error.message);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("libarchive");
	TCase *tests = tcase_create("libarchive");

	if (system("command -v bsdtar >/dev/null")) {
		printf("SKIP: no bsdtar (Debian: apt install "
		       "libarchive-tools)\n");
		return 77;
	}
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_libarchive_reads_what_is_dumped);
	tcase_add_loop_test(tests, test_what_libarchive_writes_is_read, 0,
			    sizeof(options) / sizeof(options[0]));
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
