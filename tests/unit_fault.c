/* SPDX-License-Identifier: MIT */
/* The grammar of fault rules, and globs. */
#include "config.h"

#include "vfs/fault/fault.h"

#include "tests/core.h"

static struct mvfs__word word(const char *text)
{
	return (struct mvfs__word){ text, strlen(text) };
}

static struct mvfs__rule *parse(const char *text, struct mvfs_error *error)
{
	int code;
	struct mvfs__rule *rule = mvfs__rule_parse(text, 1, 0, &code, error);

	ck_assert_int_eq(code, rule ? 0 : -EINVAL);
	return rule;
}

START_TEST(test_a_bad_rule_is_told_by_its_column)
{
	static const struct {
		const char *text;
		unsigned column;
		size_t length;
		const char *expected;
	} bad[] = {
		{ "", 1, 0, "names of calls" },
		{ "  ", 3, 0, "names of calls" },
		{ "opn path=/ eintr", 1, 3, "names of calls" },
		{ "open,, path=/ eintr", 1, 6, "names of calls" },
		{ "open,raed path=/ eintr", 6, 4, "names of calls" },
		{ "open", 5, 0, "path=GLOB" },
		{ "open eintr", 11, 0, "path=GLOB" },
		{ "open path=", 11, 0, "a glob" },
		{ "open path=/", 12, 0, "an effect" },
		{ "open path=/ path=/a eintr", 13, 7, "once" },
		{ "open path=/ eintr errno=EIO", 19, 9, "one effect" },
		{ "open path=/ errno=EOI", 19, 3, "name of an error" },
		{ "open path=/ errno=", 19, 0, "name of an error" },
		{ "open path=/ errno=5", 19, 1, "name of an error" },
		{ "open path=/ eintr=1", 13, 7, "path=, uid=" },
		{ "open path=/ uid=root eintr", 17, 4, "user's number" },
		{ "open path=/ uid=4294967296 eintr", 17, 10, "user's" },
		{ "open path=/ nth=0 eintr", 17, 1, "which call" },
		{ "open path=/ nth=-1 eintr", 17, 2, "which call" },
		{ "open path=/ every=0 eintr", 19, 1, "number of calls" },
		{ "open path=/ after=1X eintr", 19, 2, "number of bytes" },
		{ "open path=/ after=99999999999999999999 eintr", 19, 20,
		  "number of bytes" },
		{ "open path=/ after=K eintr", 19, 1, "number of bytes" },
		{ "open path=/ p=1.1 eintr", 15, 3, "probability" },
		{ "open path=/ p=. eintr", 15, 1, "probability" },
		{ "open path=/ p=1% eintr", 15, 2, "probability" },
		{ "open path=/ seed=x eintr", 18, 1, "a number" },
		{ "open path=/ seed=1 eintr", 25, 0, "p= or flip=" },
		{ "open path=/ delay=10", 19, 2, "a time" },
		{ "open path=/ delay=ms", 19, 2, "a time" },
		{ "open path=/ delay=10m", 19, 3, "a time" },
		{ "open path=/ delay=99999999999s", 19, 12, "a time" },
		{ "read path=/ short=0", 19, 1, "number of bytes" },
		{ "open path=/ short=1", 13, 7, "for read, write" },
		{ "read path=/ flip=0", 18, 1, "number of bits" },
		{ "write path=/ flip=1", 14, 6, "for read" },
		{ "read path=/ torn=512", 13, 8, "for write" },
		{ "write path=/ torn=0", 19, 1, "sector" },
		{ "read path=/ space=1", 13, 7, "for write" },
		{ "write path=/ space=x", 20, 1, "number of bytes" },
		{ "read path=/ inodes=1", 13, 8, "for open" },
		{ "open path=/ inodes=", 20, 0, "number of files" },
		{ "open path=/ eintr extra", 19, 5, "path=, uid=" },
	};
	struct mvfs_error e;
	char column[32];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&e, 0, sizeof(e));
		ck_assert_ptr_null(parse(bad[i].text, &e));
		snprintf(column, sizeof(column), "column %u:", bad[i].column);
		ck_assert_msg(e.code == -EINVAL &&
			      e.offset == bad[i].column - 1 &&
			      e.length == bad[i].length &&
			      !strncmp(e.message, column, strlen(column)) &&
			      strstr(e.message, bad[i].expected),
			      "\"%s\": %s (%llu, %llu)", bad[i].text,
			      e.message, (unsigned long long)e.offset,
			      (unsigned long long)e.length);
	}
}
END_TEST

START_TEST(test_a_rule_has_what_its_text_says)
{
	struct mvfs__rule *rule = parse("read,write\tshort=2K path=/a uid=9 "
					"nth=2 every=3 after=1M p=0.5 "
					"seed=77\n", NULL);

	ck_assert_ptr_nonnull(rule);
	ck_assert_uint_eq(rule->amount, 2048);
	ck_assert_uint_eq(rule->uid, 9);
	ck_assert_uint_eq(rule->nth, 2);
	ck_assert_uint_eq(rule->every, 3);
	ck_assert_uint_eq(rule->after, 1 << 20);
	ck_assert_uint_eq(rule->chance, UINT64_C(1) << 63);
	ck_assert_uint_eq(rule->seed, 77);
	mvfs__free(rule);
	rule = parse("all path=/a delay=5us", NULL);
	ck_assert_ptr_nonnull(rule);
	ck_assert_uint_eq(rule->amount, 5000);
	mvfs__free(rule);
}
END_TEST

/* Calls on the instance as a whole, that no rule is for. */
static bool is_aside(int kind)
{
	return kind == MVFS__OP_BUILD || kind == MVFS__OP_CLONE ||
	       kind == MVFS__OP_RESTORE || kind == MVFS__OP_SNAPSHOT;
}

START_TEST(test_every_name_of_a_call_is_read_as_it_is_written)
{
	int kind;

	for (kind = 0; kind < MVFS__OPS; kind++)
		if (!is_aside(kind))
			ck_assert(mvfs__op_set(word(mvfs__op_name(kind))) &
				  MVFS__OP_BIT(kind));
	ck_assert_uint_eq(mvfs__op_set(word("all")),
			  MVFS__OP_BIT(MVFS__OPS) - 1);
}
END_TEST

START_TEST(test_globs)
{
	static const struct {
		const char *glob, *path;
		bool fits;
	} cases[] = {
		{ "/", "/", true }, { "/", "/a", false },
		{ "/a", "/a", true }, { "/a", "/ab", false },
		{ "/a", "/", false }, { "/ab", "/a", false },
		{ "/*", "/a", true }, { "/*", "/a/b", false },
		{ "/*/b", "/a/b", true }, { "/a*", "/a", true },
		{ "/*a*b", "/xaxbab", true }, { "/*a*b", "/xaxba", false },
		{ "/**", "/a/b/c", true }, { "/**", "/", true },
		{ "**", "/", true }, { "**", "/a/b", true },
		{ "/d/**", "/d/x", true }, { "/d/**", "/d/x/y", true },
		{ "/d/**", "/d", false }, { "/d/**", "/dx/y", false },
		{ "/**/b", "/b", true }, { "/**/b", "/a/b", true },
		{ "/**/b", "/a/c/b", true }, { "/**/b", "/ab", false },
		{ "/a/**/b/*.c", "/a/b/x/b/y.c", true },
		{ "/a/**/b/*.c", "/a/b/x/b/y/z.c", false },
		{ "/a**b", "/a/x/b", true }, { "/a**/b", "/ab", false },
		{ "*.c", "/x.c", true }, { "*.c", "/d/e/x.c", true },
		{ "*.c", "/x.c/y", false }, { "d/*.c", "/a/d/x.c", true },
		{ "d/*.c", "/ad/x.c", false },
		{ "/?", "/a", true }, { "/?", "/", false },
		{ "/a?b", "/a/b", false },
		{ "/[a-c]", "/b", true }, { "/[a-c]", "/d", false },
		{ "/[!a-c]", "/d", true }, { "/[!a-c]", "/a", false },
		{ "/a[!b]c", "/a/c", false }, { "/[]]", "/]", true },
		{ "/[a", "/[a", true }, { "/[a", "/a", false },
		{ "/\\*", "/*", true }, { "/\\*", "/a", false },
		{ "/a\\040b", "/a b", true }, { "/a\\ b", "/a b", true },
		{ "/[\\]x]", "/x", true }, { "\\", "/\\", true },
		{ "/a", "", false }, { "**", "", false },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(mvfs__glob_fits(word(cases[i].glob),
					      cases[i].path) == cases[i].fits,
			      "%s %s", cases[i].glob, cases[i].path);
}
END_TEST

START_TEST(test_many_stars_do_not_take_for_ever)
{
	static char path[4001], glob[81];
	int i;

	memset(path, 'a', sizeof(path) - 1);
	for (i = 0; i < 4000; i += 7)
		path[i] = '/';
	for (i = 0; i < 80; i += 4)
		memcpy(glob + i, "**a*", 4);
	ck_assert(mvfs__glob_fits(word(glob), path));
	glob[79] = 'b';
	ck_assert(!mvfs__glob_fits(word(glob), path));
}
END_TEST

START_TEST(test_a_torn_write_ends_at_a_sector)
{
	ck_assert_uint_eq(mvfs__fault_torn(0, 1024, 512), 512);
	ck_assert_uint_eq(mvfs__fault_torn(0, 512, 512), 0);
	ck_assert_uint_eq(mvfs__fault_torn(100, 1000, 512), 412);
	ck_assert_uint_eq(mvfs__fault_torn(600, 100, 512), 0);
	ck_assert_uint_eq(mvfs__fault_torn(0, 9, UINT64_MAX), 0);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("fault");

	tcase_add_test(t, test_a_bad_rule_is_told_by_its_column);
	tcase_add_test(t, test_a_rule_has_what_its_text_says);
	tcase_add_test(t,
		test_every_name_of_a_call_is_read_as_it_is_written);
	tcase_add_test(t, test_globs);
	tcase_add_test(t, test_many_stars_do_not_take_for_ever);
	tcase_add_test(t, test_a_torn_write_ends_at_a_sector);
	return core_run("fault", t);
}
