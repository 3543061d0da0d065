/* SPDX-License-Identifier: MIT */
/* memvfs/mtree.h: trees built, expected and dumped as text. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include <memvfs/memvfs.h>

#include "tests/expect.h"

static mvfs *fs;
static struct mvfs_error error;

static void begin(void)
{
	ok(mvfs_create(NULL, &fs));
	memset(&error, 0, sizeof(error));
}

static void end(void)
{
	ok(mvfs_destroy(fs));
}

static void build(const char *text)
{
	int rc = mvfs_build(fs, text, &error);

	ck_assert_msg(!rc, "%d: %s", rc, error.message);
}

static void build_fails(const char *text, int code, const char *message)
{
	fails(mvfs_build(fs, text, &error), code);
	ck_assert_str_eq(error.message, message);
}

static void is_so(const char *text)
{
	int rc = mvfs_expect(fs, text, &error);

	ck_assert_msg(!rc, "%d: %s", rc, error.message);
}

static void is_not(const char *text, const char *message)
{
	fails(mvfs_expect(fs, text, &error), EBADMSG);
	ck_assert_str_eq(error.message, message);
}

static void dumps(unsigned flags, const char *text)
{
	struct mvfs_string is;

	ok(mvfs_dump(fs, flags, &is));
	ck_assert_str_eq(mvfs_string_cstr(&is), text);
	mvfs_string_release(&is);
}

static struct mvfs_stat look(const char *path)
{
	struct mvfs_stat st;

	ok(mvfs_lstat(fs, path, &st));
	return st;
}

/* One of everything. */
static const char everything[] =
	"#mtree\n"
	". type=dir mode=0755 uid=0 gid=0 time=12.000000345\n"
	"./a type=dir mode=0500 uid=7 gid=8 time=1.000000000\n"
	"./a/one type=file mode=0644 uid=0 gid=0 time=2.000000000 nlink=2 "
	"inode=1 size=3 data=\"one\"\n"
	"./a/s\\040p type=file mode=4755 uid=5 gid=6 time=-3.000000009 "
	"size=5000 data=\"\\000\\001\\t\\\" x\"\n"
	"./b type=link mode=0777 uid=0 gid=0 time=4.000000000 "
	"link=a/s\\040p\n"
	"./c type=char mode=0600 uid=0 gid=0 time=5.000000000 "
	"device=native,5,1\n"
	"./d type=fifo mode=0644 uid=0 gid=0 time=6.000000000\n"
	"./e type=socket mode=0644 uid=0 gid=0 time=7.000000000\n"
	"./f type=file mode=0644 uid=0 gid=0 time=2.000000000 nlink=2 "
	"inode=1 size=3 data=\"one\"\n"
	"./g type=file mode=0644 uid=0 gid=0 time=9.000000000 size=0 "
	"data=\"\"\n";

START_TEST(test_what_is_built_is_dumped_and_expected)
{
	build(everything);
	dumps(MVFS_DUMP_DATA | MVFS_DUMP_TIMES, everything);
	is_so(everything);
	ck_assert_uint_eq(look("/a/one").ino, look("/f").ino);
	ck_assert_uint_eq(look("/a/s p").blocks, 8);
	build(everything);
	dumps(MVFS_DUMP_DATA | MVFS_DUMP_TIMES, everything);
}
END_TEST

START_TEST(test_what_has_no_mode_gets_what_the_umask_leaves)
{
	mvfs_umask(fs, 027);
	build("./x/y/z type=file\n./d type=dir");
	ck_assert_uint_eq(look("/x/y/z").mode, S_IFREG | 0640);
	ck_assert_uint_eq(look("/x/y").mode, S_IFDIR | 0750);
	ck_assert_uint_eq(look("/d").mode, S_IFDIR | 0750);
}
END_TEST

START_TEST(test_a_fill_is_the_same_everywhere)
{
	struct mvfs_string bytes;

	build("./x size=10001 fill=42\n./y size=10001 fill=42\n"
	      "./z size=10001 fill=43\n./zeros type=file size=70000");
	is_so("./y fill=42 size=10001");
	ck_assert_uint_eq(look("/zeros").blocks, 0);
	ok(mvfs_read_file(fs, "/x", &bytes));
	ck_assert_uint_eq(bytes.len, 10001);
	mvfs_string_release(&bytes);
	fails(mvfs_expect(fs, "./z fill=42 size=10001", &error), EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.message, "/z: fill: expected \""));
	ck_assert_ptr_nonnull(strstr(error.message, " at byte 0"));
}
END_TEST

START_TEST(test_what_is_there_is_given_what_the_line_says)
{
	build("./d type=dir\n./d/f data=\"old\" mode=0600 uid=4\n"
	      "./l link=x");
	build("./d type=dir mode=0700\n./d/f mode=0640\n./l link=y");
	is_so("./d mode=0700\n./d/f data=\"old\" mode=0640 uid=4\n"
	      "./l link=y");
	build("./d/f data=\"newer\"");
	is_so("./d type=dir\n./d/f data=\"newer\" uid=4 size=5");
}
END_TEST

START_TEST(test_a_build_that_fails_has_changed_nothing)
{
	struct mvfs_string before;
	struct mvfs_statfs old, now;
	int fd;

	build(everything);
	fd = (int)ok(mvfs_open(fs, "/f", O_RDONLY, 0));
	ok(mvfs_dump(fs, MVFS_DUMP_DATA | MVFS_DUMP_TIMES, &before));
	ok(mvfs_statfs(fs, &old));
	build_fails("./f data=\"changed\"\n./new/deep size=9000 fill=1\n"
		    "./h inode=9 type=file\n./a/one mode=0600\n"
		    "./b type=dir", EEXIST,
		    "/b: line 5: is something else: EEXIST");
	ck_assert_uint_eq(error.offset, 87);
	ck_assert_uint_eq(error.length, 3);
	dumps(MVFS_DUMP_DATA | MVFS_DUMP_TIMES, mvfs_string_cstr(&before));
	ok(mvfs_statfs(fs, &now));
	ck_assert_mem_eq(&old, &now, sizeof(old));
	mvfs_string_release(&before);
	ok(mvfs_close(fs, fd));
	/* what was thought of as cached is not believed */
	ok(mvfs_write_file(fs, "/new", "x", 1));
	ck_assert_uint_eq(look("/new").ino, 10);
}
END_TEST

START_TEST(test_a_line_that_cannot_be_made_says_why)
{
	build("./f type=file\n./g type=file");
	build_fails("./x", EINVAL, "/x: line 1: nothing is there, and there "
		    "is no type=: EINVAL");
	build_fails("./x type=link", EINVAL,
		    "/x: line 1: there is no link=: EINVAL");
	build_fails("\n./f/x type=file", ENOTDIR,
		    "/f/x: line 2: cannot be reached: ENOTDIR");
	build_fails("./f inode=1\n./g inode=1", EEXIST,
		    "/g: line 2: is something else: EEXIST");
	build_fails("./d type=dir inode=1\n./e type=dir inode=1", EPERM,
		    "/e: line 2: cannot be linked: EPERM");
	build_fails("./x mode=9", EINVAL, "line 1, column 10: expected an "
		    "octal mode up to 07777, found \"9\"");
	ok(mvfs_set_limits(fs, 8192, 0));
	build_fails("./x size=1000000000000 fill=1", ENOSPC,
		    "/x: line 1: cannot be written: ENOSPC");
	build_fails("./x size=9000 data=\"x\"\n./y size=5000 fill=1\n", ENOSPC,
		    "/y: line 2: cannot be written: ENOSPC");
	fails(mvfs_build(NULL, "", &error), EINVAL);
	fails(mvfs_build(fs, NULL, NULL), EFAULT);
}
END_TEST

START_TEST(test_a_build_is_by_the_user_of_the_view)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *root = fs;

	build("./home type=dir uid=1000 gid=1000 mode=0700\n"
	      "./etc type=dir\n./etc/conf data=\"x\" mode=0644");
	options.set = MVFS_VIEW_CRED;
	options.uid = options.gid = 1000;
	ok(mvfs_view(root, &options, &fs));
	build("./home/x/y data=\"mine\"\n./home/x type=dir mode=0");
	ck_assert_uint_eq(look("/home/x").uid, 1000);
	build_fails("./etc/new type=file", EACCES,
		    "/etc/new: line 1: cannot be made: EACCES");
	build_fails("./etc/conf data=\"y\"", EACCES,
		    "/etc/conf: line 1: cannot be written: EACCES");
	build_fails("./home/z type=file uid=0", EPERM, "/home/z: line 1: "
		    "cannot be given these attributes: EPERM");
	ok(mvfs_destroy(fs));
	fs = root;
}
END_TEST

START_TEST(test_what_is_not_as_expected_is_told)
{
	build("./d type=dir mode=0755\n./d/f data=\"hello world\" uid=3 "
	      "inode=1 time=5\n./d/g inode=1\n./l link=x\\040y\n"
	      "./c type=char device=native,1,3\n./h data=\"h\"");
	is_not("./none type=file", "/none: name: expected file, found "
	       "nothing");
	is_not("./d type=file", "/d: type: expected file, found dir");
	is_not("./d mode=0700", "/d: mode: expected 0700, found 0755");
	is_not("./d/f uid=4", "/d/f: uid: expected 4, found 3");
	is_not("./d/f gid=4", "/d/f: gid: expected 4, found 0");
	is_not("./d/f nlink=1", "/d/f: nlink: expected 1, found 2");
	is_not("./d/f size=12", "/d/f: size: expected 12, found 11");
	is_not("./d/f time=5.1", "/d/f: time: expected 5.000000001, found "
	       "5.000000000");
	is_not("./d/f data=\"hello World\"", "/d/f: data: expected \"World\","
	       " found \"world\" at byte 6");
	is_not("./d/f data=\"hello\"", "/d/f: data: expected the end, found "
	       "\" world\" at byte 5");
	is_not("./d/f data=\"hello world\" size=12", "/d/f: data: expected "
	       "\"\\000\", found the end at byte 11");
	is_not("./l link=z", "/l: link: expected z, found x\\040y");
	is_not("./c device=native,1,5", "/c: device: expected 1,5, found 1,3");
	is_not("./d/f inode=1\n./h inode=1", "/h: inode: expected the file "
	       "/d/f, found another");
	is_not("./d/f inode=1\n./d/g inode=2", "/d/g: inode: expected another,"
	       " found the file /d/f");
	fails(mvfs_expect(fs, "./d mode=x", &error), EINVAL);
	fails(mvfs_expect(NULL, "", &error), EINVAL);
	fails(mvfs_expect(fs, NULL, NULL), EFAULT);
}
END_TEST

START_TEST(test_a_directory_with_a_line_holds_no_more_than_the_text)
{
	build("./d type=dir\n./d/x type=file\n./d/y type=file\n./z type=file");
	is_so("./d/x type=file");
	is_so("./d type=dir\n./d/x\n./d/y");
	is_not("./d type=dir\n./d/x", "/d/y: name: expected nothing, found "
	       "file");
	ck_assert_uint_eq(error.offset, 0);
	is_so("./d type=dir ignore\n./d/x");
	is_so("./d nochange mode=0");
	is_so("./d type=dir\n./d/x\n./d/y\n./d/none type=file optional");
	is_not(". type=dir\n./d nochange", "/z: name: expected nothing, found "
	       "file");
}
END_TEST

START_TEST(test_keywords_that_are_left_out_are_not_compared)
{
	build("./f data=\"x\" mode=0600 uid=5 time=9");
	is_so("./f\n");
	is_so("./f mode=0600");
	is_so("# nothing\n");
	is_so("./f sha256=0 flags=none uname=root contents=/etc/passwd");
}
END_TEST

START_TEST(test_a_dump_is_seen_from_the_root_of_the_view)
{
	struct mvfs_view_options options = { .size = sizeof(options) };
	mvfs *all = fs;

	build("./d/f data=\"x\"\n./other type=file");
	options.root = "/d";
	ok(mvfs_view(all, &options, &fs));
	dumps(0, "#mtree\n. type=dir mode=0755 uid=0 gid=0\n"
		 "./f type=file mode=0644 uid=0 gid=0 size=1\n");
	is_so(". type=dir\n./f data=\"x\"");
	fails(mvfs_dump(fs, 4, &(struct mvfs_string){ .len = 0 }), EINVAL);
	fails(mvfs_dump(fs, 0, NULL), EFAULT);
	ok(mvfs_destroy(fs));
	fs = all;
}
END_TEST

START_TEST(test_names_are_listed_in_the_order_of_paths)
{
	build("./a type=dir\n./a/x type=file\n./a-b type=file\n"
	      "./\\001 type=file");
	dumps(0, "#mtree\n. type=dir mode=0755 uid=0 gid=0\n"
		 "./\\001 type=file mode=0644 uid=0 gid=0 size=0\n"
		 "./a type=dir mode=0755 uid=0 gid=0\n"
		 "./a/x type=file mode=0644 uid=0 gid=0 size=0\n"
		 "./a-b type=file mode=0644 uid=0 gid=0 size=0\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mtree");
	TCase *tests = tcase_create("mtree");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_what_is_built_is_dumped_and_expected);
	tcase_add_test(tests,
		       test_what_has_no_mode_gets_what_the_umask_leaves);
	tcase_add_test(tests, test_a_fill_is_the_same_everywhere);
	tcase_add_test(tests, test_what_is_there_is_given_what_the_line_says);
	tcase_add_test(tests, test_a_build_that_fails_has_changed_nothing);
	tcase_add_test(tests, test_a_line_that_cannot_be_made_says_why);
	tcase_add_test(tests, test_a_build_is_by_the_user_of_the_view);
	tcase_add_test(tests, test_what_is_not_as_expected_is_told);
	tcase_add_test(tests,
		test_a_directory_with_a_line_holds_no_more_than_the_text);
	tcase_add_test(tests,
		       test_keywords_that_are_left_out_are_not_compared);
	tcase_add_test(tests, test_a_dump_is_seen_from_the_root_of_the_view);
	tcase_add_test(tests, test_names_are_listed_in_the_order_of_paths);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
