/* SPDX-License-Identifier: MIT */
/* The ring of a log, its lines, and what is expected of them. */
#include "config.h"

#include "vfs/log/log.h"

#include "tests/core.h"

static struct mvfs__log the_log;

static void start(void)
{
	mvfs__log_init(&the_log);
	ok(mvfs__log_start(&the_log, 8));
}

static void stop(void)
{
	mvfs__log_destroy(&the_log);
}

static void add(enum mvfs__op_kind op, const char *path, const char *path2,
		int64_t result)
{
	const struct mvfs__call call = {
		.op = op, .path = path, .path2 = path2, .uid = 3,
		.offset = UINT64_MAX, .result = result,
		.length = op == MVFS__OP_WRITE ? 7 : 0,
		.ino = 12,
	};

	mvfs__log_add(&the_log, &call);
}

static int expect(const char *text, struct mvfs_error *error)
{
	struct mvfs__log_copy *copy = mvfs__log_copy(&the_log);
	int rc;

	ck_assert_ptr_nonnull(copy);
	rc = mvfs__log_expect(copy, text, error);
	mvfs__free(copy);
	return rc;
}

/* write /t, write /t, stat /x, fsync /t, rename /t /f */
static void add_save(void)
{
	add(MVFS__OP_WRITE, "/t", NULL, 7);
	add(MVFS__OP_WRITE, "/t", NULL, -ENOSPC);
	add(MVFS__OP_STAT, "/x", NULL, 0);
	add(MVFS__OP_FSYNC, "/t", NULL, 0);
	add(MVFS__OP_RENAME, "/t", "/f", 0);
}

START_TEST(test_the_oldest_goes_and_is_counted)
{
	struct mvfs__log_copy *copy;
	char path[16];
	int i;

	for (i = 1; i <= 20; i++) {
		snprintf(path, sizeof(path), "/%d", i);
		add(MVFS__OP_STAT, path, NULL, i);
	}
	copy = mvfs__log_copy(&the_log);
	ck_assert_uint_eq(copy->count, 8);
	ck_assert_uint_eq(copy->dropped, 12);
	for (i = 0; i < 8; i++) {
		ck_assert_uint_eq(copy->entry[i].number, (unsigned)i + 13);
		ck_assert_int_eq(copy->entry[i].result, i + 13);
	}
	ck_assert_str_eq(copy->entry[7].path, "/20");
	mvfs__free(copy);
}
END_TEST

START_TEST(test_a_line_tells_a_call_and_fits_it)
{
	struct mvfs__log_text text = { 0 };
	struct mvfs__log_copy *copy;

	add(MVFS__OP_RENAME, "/a b*", "/c\\d\n", -EXDEV);
	add(MVFS__OP_WRITE, "", NULL, 7);
	copy = mvfs__log_copy(&the_log);
	mvfs__log_line(&text, &copy->entry[0]);
	mvfs__log_text_add(&text, "\n");
	mvfs__log_line(&text, &copy->entry[1]);
	ck_assert_str_eq(text.bytes, "rename /a\\040b\\* /c\\\\d\\012 uid=3 "
			 "= EXDEV\nwrite #12 bytes=7 uid=3 = 7");
	ok(expect(text.bytes, NULL));
	mvfs__log_text_free(&text);
	mvfs__free(copy);
}
END_TEST

START_TEST(test_what_a_log_has_in_order_is_met)
{
	static const char *const texts[] = {
		"+ write /t\nfsync /t\nrename /t /f\n",
		"write /t\nwrite /t\n\n# a comment\nfsync\nrename /t",
		"+write\n+fsync\n+rename",
		"write /t = 7\nwrite /t = ENOSPC",
		"write /t = ok",
		"write = -ENOSPC",
		"! unlink",
		"+ write\n! unlink /f\nrename",
		"+ write /t\n+ write /**\nfsync", /* either may have one */
		"stat,fsync /t",
		"exact\n+ write\nstat\nfsync\nrename",
		"exact\n+ all",
		"rename * /f uid=3",
		"+ write bytes=7",
		"",
	};
	struct mvfs_error e = { 0 };
	size_t i;

	add_save();
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(expect(texts[i], &e) == 0, "%s: %s", texts[i],
			      e.message);
}
END_TEST

START_TEST(test_what_a_log_has_not_is_told_by_its_line)
{
	static const struct {
		const char *text;
		unsigned line; /* 0: one call too many */
	} cases[] = {
		{ "write /t\nfsync /t", 2 },        /* two writes */
		{ "+write\nrename\nfsync", 2 },
		{ "+write\nfsync\nfsync", 3 },
		{ "unlink /f", 1 },
		{ "+write\n! stat", 0 },
		{ "+ write = ok\nfsync = EIO", 2 },
		{ "rename /t /g", 1 },
		{ "exact\n+write\nfsync\nrename", 3 },
		{ "exact", 0 },
		{ "write uid=4", 1 },
	};
	struct mvfs_error e;
	char line[16];
	size_t i;

	add_save();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memset(&e, 0, sizeof(e));
		ck_assert_int_eq(expect(cases[i].text, &e), -EBADMSG);
		snprintf(line, sizeof(line), "line %u:", cases[i].line);
		ck_assert_msg(cases[i].line ?
			      !strncmp(e.message, line, strlen(line)) :
			      !strncmp(e.message, "one call too many", 17),
			      "%s: %s", cases[i].text, e.message);
		ck_assert_ptr_nonnull(strstr(e.message, "here>"));
	}
	ck_assert_int_eq(expect("+write\nrename", &e), 0);
	ck_assert_int_eq(expect("write /t\nfsync /t", &e), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(e.message, "here> write /t"));
	ck_assert_uint_eq(e.offset, 9);
	ck_assert_uint_eq(e.length, 8);
}
END_TEST

START_TEST(test_a_sync_before_the_last_write_is_not_enough)
{
	struct mvfs_error e;

	add(MVFS__OP_WRITE, "/t", NULL, 7);
	add(MVFS__OP_FSYNC, "/t", NULL, 0);
	add(MVFS__OP_WRITE, "/t", NULL, 7);
	add(MVFS__OP_RENAME, "/t", "/f", 0);
	ck_assert_int_eq(expect("+ write /t\nfsync /t\nrename /t /f", &e),
			 -EBADMSG);
}
END_TEST

START_TEST(test_a_bad_text_is_told_by_line_and_column)
{
	static const struct {
		const char *text, *place;
	} bad[] = {
		{ "wrte /t", "line 1, column 1:" },
		{ "write\n +", "line 2, column 3:" },
		{ "write\nread,wrte", "line 2, column 6:" },
		{ "write /a /b /c", "line 1, column 13:" },
		{ "write uid=x", "line 1, column 11:" },
		{ "write bytes=", "line 1, column 13:" },
		{ "write = EOI", "line 1, column 9:" },
		{ "write =", "line 1, column 8:" },
		{ "write = 5 /f", "line 1, column 9:" },
		{ "write\nexact", "line 2, column 1:" },
	};
	struct mvfs_error e;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&e, 0, sizeof(e));
		ck_assert_int_eq(expect(bad[i].text, &e), -EINVAL);
		ck_assert_msg(!strncmp(e.message, bad[i].place,
				       strlen(bad[i].place)), "%s: %s",
			      bad[i].text, e.message);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("log");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, test_the_oldest_goes_and_is_counted);
	tcase_add_test(t, test_a_line_tells_a_call_and_fits_it);
	tcase_add_test(t, test_what_a_log_has_in_order_is_met);
	tcase_add_test(t, test_what_a_log_has_not_is_told_by_its_line);
	tcase_add_test(t, test_a_sync_before_the_last_write_is_not_enough);
	tcase_add_test(t, test_a_bad_text_is_told_by_line_and_column);
	return core_run("log", t);
}
