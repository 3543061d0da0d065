/* SPDX-License-Identifier: MIT */
/* vfs/mtree: escapes, and the parser with what it says of mistakes. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "tests/expect.h"
#include "vfs/mtree/escape.h"
#include "vfs/mtree/mtree.h"

static struct mvfs__mtree tree;
static struct mvfs_error error;

static int parse(const char *text)
{
	int rc;

	mvfs__mtree_free(&tree);
	rc = mvfs__mtree_parse(&tree, text, strlen(text), &error);
	return rc;
}

static void end(void)
{
	mvfs__mtree_free(&tree);
}

static const struct mvfs__spec *line(size_t i, const char *path)
{
	const struct mvfs__spec *spec = mvfs__mtree_spec(&tree, i);

	ck_assert_str_eq(mvfs__mtree_text(&tree, spec->path), path);
	return spec;
}

START_TEST(test_every_byte_comes_back_from_its_escape)
{
	struct mvfs__grow text = { NULL, 0, 0, false };
	char bytes[256];
	const char *at, *stop;
	size_t used;
	int i, byte, quoted;

	for (i = 0; i < 256; i++)
		bytes[i] = (char)i;
	for (quoted = 0; quoted < 2; quoted++) {
		mvfs__grow_clear(&text);
		if (quoted)
			mvfs__escape_quoted(&text, bytes, sizeof(bytes));
		else
			mvfs__escape_word(&text, bytes, sizeof(bytes));
		at = text.bytes + quoted;
		stop = text.bytes + text.len - quoted;
		for (i = 0; i < 256; i++) {
			byte = (unsigned char)*at++;
			if (byte == '\\') {
				byte = mvfs__unescape(at, stop, &used);
				at += used;
			}
			ck_assert_int_eq(byte, i);
		}
		ck_assert_ptr_eq(at, stop);
	}
	mvfs__grow_free(&text);
}
END_TEST

START_TEST(test_escapes_are_those_of_c_and_of_libarchive)
{
	static const struct {
		const char *text;
		int byte;
		size_t used;
	} cases[] = {
		{ "040x", ' ', 3 }, { "0", 0, 1 }, { "18", 1, 1 },
		{ "377", 255, 3 }, { "400", -1, 3 }, { "x41", 'A', 3 },
		{ "xg", -1, 1 }, { "n", '\n', 1 }, { "s", ' ', 1 },
		{ "#", '#', 1 }, { "\\", '\\', 1 }, { "\"", '"', 1 },
		{ "z", -1, 1 }, { "", -1, 0 }, { "8", -1, 1 },
	};
	size_t i, used;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_eq(mvfs__unescape(cases[i].text,
						cases[i].text +
						strlen(cases[i].text), &used),
				 cases[i].byte);
		ck_assert_uint_eq(used, cases[i].used);
	}
}
END_TEST

START_TEST(test_names_are_paths_or_follow_the_directory_before)
{
	ok(parse("#mtree\n. type=dir\n\ta type=dir\n  b type=file\n..\n"
		 "c type=file\n./x/y type=dir\nd\n/abs//z/ \n\\056/s\\040p"));
	ck_assert_uint_eq(mvfs__mtree_count(&tree), 8);
	line(0, "/");
	line(1, "/a");
	line(2, "/a/b");
	line(3, "/c");
	line(4, "/x/y");
	line(5, "/d");
	line(6, "/abs/z");
	line(7, "/s p");
}
END_TEST

START_TEST(test_keywords_are_read)
{
	const struct mvfs__spec *s;

	ok(parse("./f type=file mode=4755 uid=1 gid=4294967294 size=5 \\\n"
		 "   nlink=2 inode=9 time=-7.000000012 data=\"a\\0\\n\\\" \" "
		 "md5=0 optional ignore nochange\n"
		 "./d type=block device=native,8,1\n./e device=7\n"
		 "./l link=a\\040b\n./g fill=18446744073709551615 size=1"));
	s = line(0, "/f");
	ck_assert_uint_eq(s->has & MVFS__KEY_OPTIONAL, MVFS__KEY_OPTIONAL);
	ck_assert_uint_eq(s->mode, 04755);
	ck_assert_uint_eq(s->uid, 1);
	ck_assert_uint_eq(s->gid, 4294967294u);
	ck_assert_uint_eq(s->size, 5);
	ck_assert_uint_eq(s->nlink, 2);
	ck_assert_uint_eq(s->inode, 9);
	ck_assert_int_eq(s->time.sec, -7);
	ck_assert_int_eq(s->time.nsec, 12);
	ck_assert_uint_eq(s->data_len, 5);
	ck_assert_mem_eq(mvfs__mtree_text(&tree, s->data), "a\0\n\" ", 5);
	ck_assert_uint_eq(line(1, "/d")->rdev, 0x801);
	ck_assert_uint_eq(line(2, "/e")->rdev, 7);
	s = line(3, "/l");
	ck_assert_uint_eq(s->type, S_IFLNK);
	ck_assert_str_eq(mvfs__mtree_text(&tree, s->link), "a b");
	ck_assert_uint_eq(line(4, "/g")->type, S_IFREG);
	ck_assert_uint_eq(line(4, "/g")->fill, UINT64_MAX);
	ck_assert_uint_eq(line(4, "/g")->line, 5 + 1);
}
END_TEST

START_TEST(test_set_holds_until_unset)
{
	ok(parse("/set type=file uid=5 mode=0600\n./a\n./b uid=6\n"
		 "/unset mode\n./c\n/unset all\n./d\n"));
	ck_assert_uint_eq(line(0, "/a")->uid, 5);
	ck_assert_uint_eq(line(0, "/a")->mode, 0600);
	ck_assert_uint_eq(line(1, "/b")->uid, 6);
	ck_assert_uint_eq(line(2, "/c")->has,
			  MVFS__KEY_TYPE | MVFS__KEY_UID);
	ck_assert_uint_eq(line(3, "/d")->has, 0);
}
END_TEST

/* Where, how long, and what was expected there. */
static const struct {
	const char *text;
	unsigned offset, length;
	const char *message;
} mistakes[] = {
	{ "./a\n./b mode=rwx", 13, 3, "line 2, column 10: expected an octal "
	  "mode up to 07777, found \"rwx\"" },
	{ "./a mode=17777", 9, 5, "line 1, column 10: expected an octal mode "
	  "up to 07777, found \"17777\"" },
	{ "./a mode=", 9, 0, "line 1, column 10: expected an octal mode up "
	  "to 07777, found the end of the line" },
	{ "./a mode", 8, 0, "line 1, column 9: expected =, found the end of "
	  "the line" },
	{ "./a type=pipe\n", 9, 4, "line 1, column 10: expected file, dir, "
	  "link, char, block, fifo or socket, found \"pipe\"" },
	{ "./a \\\n  sise=3", 8, 4, "line 2, column 3: expected a keyword of "
	  "mtree(5), data or fill, found \"sise\"" },
	{ "./a size=9223372036854775808", 9, 19, "line 1, column 10: expected "
	  "a decimal size, found \"9223372036854775808\"" },
	{ "./a uid=-1", 8, 2, "line 1, column 9: expected a decimal id, found "
	  "\"-1\"" },
	{ "./a time=1.x", 9, 3, "line 1, column 10: expected a time: seconds, "
	  "or seconds.nanoseconds, found \"1.x\"" },
	{ "./a device=native,1", 11, 8, "line 1, column 12: expected a "
	  "device: a number, or native,MAJOR,MINOR, found \"native,1\"" },
	{ "./a data=x", 9, 1, "line 1, column 10: expected text in quotes, "
	  "found \"x\"" },
	{ "./a data=\"x\n\"", 11, 0, "line 1, column 12: expected a quote "
	  "that ends the text, found the end of the line" },
	{ "./a data=\"x\"y", 12, 1, "line 1, column 13: expected a blank "
	  "behind the quote, found \"y\"" },
	{ "./a data=\"\\q\"", 10, 2, "line 1, column 11: expected an escape: "
	  "\\ and three octal digits, or one of abfnrstv\\\"#, found \"\\q\"" },
	{ "./a link=", 9, 0, "line 1, column 10: expected what a symlink "
	  "leads to, found the end of the line" },
	{ "./a/../b", 0, 8, "line 1, column 1: expected a path of names that "
	  "are no \"..\" and have 1 to 255 bytes, found \"./a/../b\"" },
	{ "..", 0, 2, "line 1, column 1: expected a name: this is the root, "
	  "found \"..\"" },
	{ "a type=dir\n.. x", 14, 1, "line 2, column 4: expected no keywords "
	  "of \"..\", found \"x\"" },
	{ "/unset all mod", 11, 3, "line 1, column 12: expected a keyword, or "
	  "all, found \"mod\"" },
	{ "./a type=file link=x", 0, 3, "line 1, column 1: expected type=link,"
	  " as there is link=, found \"./a\"" },
	{ "./a fill=1", 0, 3, "line 1, column 1: expected size=, as there is "
	  "fill=, found \"./a\"" },
	{ "./a data=\"abc\" size=2", 0, 3, "line 1, column 1: expected no "
	  "more data than size= says, found \"./a\"" },
};

START_TEST(test_a_mistake_is_told_with_its_place)
{
	memset(&error, 0, sizeof(error));
	fails(parse(mistakes[_i].text), EINVAL);
	ck_assert_str_eq(error.message, mistakes[_i].message);
	ck_assert_int_eq(error.code, -EINVAL);
	ck_assert_uint_eq(error.offset, mistakes[_i].offset);
	ck_assert_uint_eq(error.length, mistakes[_i].length);
}
END_TEST

START_TEST(test_a_fill_follows_from_its_seed)
{
	/* the first two of splitmix64 from 0 */
	static const uint8_t first[] = {
		0xaf, 0xcd, 0x1d, 0x7b, 0x39, 0xa8, 0x20, 0xe2,
		0xf4, 0x65, 0xb9, 0xa1,
	};
	uint8_t bytes[sizeof(first)];

	mvfs__mtree_fill(0, bytes, sizeof(bytes));
	ck_assert_mem_eq(bytes, first, sizeof(first));
	mvfs__mtree_fill(1, bytes, sizeof(bytes));
	ck_assert_mem_ne(bytes, first, 8);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mtree");
	TCase *tests = tcase_create("mtree");

	tcase_add_checked_fixture(tests, NULL, end);
	tcase_add_test(tests, test_every_byte_comes_back_from_its_escape);
	tcase_add_test(tests, test_escapes_are_those_of_c_and_of_libarchive);
	tcase_add_test(tests,
		       test_names_are_paths_or_follow_the_directory_before);
	tcase_add_test(tests, test_keywords_are_read);
	tcase_add_test(tests, test_set_holds_until_unset);
	tcase_add_loop_test(tests, test_a_mistake_is_told_with_its_place, 0,
			    sizeof(mistakes) / sizeof(mistakes[0]));
	tcase_add_test(tests, test_a_fill_follows_from_its_seed);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
