/* SPDX-License-Identifier: MIT */
/*
 * The SQLite VFS of examples/sqlite: what SQLite asks of one. Locks between
 * connections, the log's shared index, files without names, names by
 * symlinks; and two threads that write. What is there after a power cut is
 * the matter of crash_sqlite.c.
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <sqlite3.h>

#include <memvfs/memvfs.h>

#include "examples/sqlite/memvfs_vfs.h"
#include "tests/expect.h"

static mvfs *fs;
static struct memvfs_vfs *vfs;

static void setup(void)
{
	ok(mvfs_create(NULL, &fs));
	ck_assert_int_eq(memvfs_vfs_register(fs, "memvfs", 0, &vfs), SQLITE_OK);
}

static void teardown(void)
{
	memvfs_vfs_unregister(vfs);
	ok(mvfs_destroy(fs));
}

static sqlite3 *open_as(const char *path, int flags)
{
	sqlite3 *db;
	int r = sqlite3_open_v2(path, &db, flags, "memvfs");

	if (r != SQLITE_OK)
		ck_abort_msg("%s: %s", path, sqlite3_errmsg(db));
	return db;
}

static sqlite3 *open_db(const char *path)
{
	return open_as(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

static void close_db(sqlite3 *db)
{
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static int run(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void must_run(sqlite3 *db, const char *sql)
{
	if (run(db, sql) != SQLITE_OK)
		ck_abort_msg("%s: %s", sql, sqlite3_errmsg(db));
}

/* The first column of the first row as text, good until the next call. */
static const char *ask(sqlite3 *db, const char *sql)
{
	static char text[200];
	sqlite3_stmt *statement;
	int r;

	r = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
	if (r == SQLITE_OK)
		r = sqlite3_step(statement);
	if (r == SQLITE_ROW)
		snprintf(text, sizeof(text), "%s",
			 (const char *)sqlite3_column_text(statement, 0));
	else
		ck_abort_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_finalize(statement);
	return text;
}

START_TEST(test_one_writes_while_others_read_until_it_commits)
{
	sqlite3 *a = open_db("/db"), *b = open_db("/db");

	must_run(a, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
	must_run(a, "BEGIN IMMEDIATE; INSERT INTO t VALUES(2)");
	ck_assert_int_eq(run(b, "BEGIN IMMEDIATE"), SQLITE_BUSY);
	ck_assert_str_eq(ask(b, "SELECT count(*) FROM t"), "1");

	/* A reader in the way: it waits as PENDING, and no other comes in. */
	must_run(b, "BEGIN");
	ck_assert_str_eq(ask(b, "SELECT count(*) FROM t"), "1");
	ck_assert_int_eq(run(a, "COMMIT"), SQLITE_BUSY);
	sqlite3 *c = open_db("/db");
	ck_assert_int_eq(run(c, "SELECT * FROM t"), SQLITE_BUSY);
	must_run(b, "COMMIT");
	must_run(a, "COMMIT");
	ck_assert_str_eq(ask(c, "SELECT count(*) FROM t"), "2");
	close_db(a);
	/* Closing a file takes no lock from who has it open, too. */
	must_run(b, "BEGIN EXCLUSIVE");
	ck_assert_int_eq(run(c, "SELECT * FROM t"), SQLITE_BUSY);
	must_run(b, "COMMIT");
	close_db(b);
	close_db(c);
}
END_TEST

START_TEST(test_log_readers_keep_what_they_began_with)
{
	sqlite3 *a = open_db("/db"), *b = open_db("/db");
	struct mvfs_stat st;

	ck_assert_str_eq(ask(a, "PRAGMA journal_mode=WAL"), "wal");
	must_run(a, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
	must_run(b, "BEGIN");
	ck_assert_str_eq(ask(b, "SELECT count(*) FROM t"), "1");
	must_run(a, "INSERT INTO t VALUES(2)");
	ck_assert_str_eq(ask(b, "SELECT count(*) FROM t"), "1");
	/* It cannot be written back whole while one reads what was. */
	ck_assert_str_eq(ask(a, "PRAGMA wal_checkpoint(RESTART)"), "1");
	must_run(b, "COMMIT");
	ck_assert_str_eq(ask(b, "SELECT count(*) FROM t"), "2");
	ck_assert_str_eq(ask(a, "PRAGMA wal_checkpoint(RESTART)"), "0");
	close_db(a);
	ok(mvfs_stat(fs, "/db-wal", &st));
	close_db(b); /* the last one removes it */
	fails(mvfs_stat(fs, "/db-wal", &st), ENOENT);
	fails(mvfs_stat(fs, "/db-shm", &st), ENOENT);
}
END_TEST

START_TEST(test_temporary_files_have_no_name_and_leave_nothing)
{
	sqlite3 *db = open_db("/db");
	struct mvfs_statfs st;
	struct mvfs_stat root;

	must_run(db, "PRAGMA temp_store=FILE; PRAGMA temp.cache_size=10;"
		     "CREATE TEMP TABLE t(x)");
	must_run(db, "WITH RECURSIVE n(i) AS "
		     "(SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
		     "INSERT INTO t SELECT hex(randomblob(100)) FROM n");
	must_run(db, "CREATE INDEX temp.i ON t(x)");
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_gt(st.blocks_used, 100);
	ok(mvfs_stat(fs, "/", &root));
	ck_assert_uint_eq(root.size, 40 + 20); /* one name */
	close_db(db);
	ok(mvfs_statfs(fs, &st));
	ck_assert_uint_eq(st.blocks_used, 0);
}
END_TEST

START_TEST(test_all_names_of_a_database_have_one_journal)
{
	sqlite3 *db;
	struct mvfs_stat st;

	ok(mvfs_mkdir(fs, "/dir", 0700));
	ok(mvfs_chdir(fs, "/dir"));
	ok(mvfs_symlink(fs, "dir/../dir/db", "/link"));
	/* It leads nowhere yet: where would the journal be? */
	ck_assert_int_eq(sqlite3_open_v2("/link", &db,
					 SQLITE_OPEN_READWRITE |
						 SQLITE_OPEN_CREATE,
					 "memvfs"),
			 SQLITE_CANTOPEN);
	sqlite3_close(db);
	db = open_db("../dir/./db");
	ck_assert_str_eq(sqlite3_db_filename(db, "main"), "/dir/db");
	must_run(db, "CREATE TABLE t(x)");
	ok(mvfs_chmod(fs, "/dir/db", 0600));
	close_db(db);
	db = open_db("/link");
	must_run(db, "BEGIN; INSERT INTO t VALUES(1)");
	ok(mvfs_stat(fs, "/dir/db-journal", &st));
	ck_assert_uint_eq(st.mode & 0777, 0600);
	must_run(db, "COMMIT");
	close_db(db);
	ck_assert_int_eq(sqlite3_open_v2("/link", &db,
					 SQLITE_OPEN_READWRITE |
						 SQLITE_OPEN_NOFOLLOW,
					 "memvfs"),
			 SQLITE_CANTOPEN);
	ck_assert_int_eq(sqlite3_extended_errcode(db), SQLITE_CANTOPEN_SYMLINK);
	sqlite3_close(db);
}
END_TEST

START_TEST(test_what_may_not_be_written_is_read)
{
	struct mvfs_view_options other = {.size = sizeof(other),
					  .set = MVFS_VIEW_CRED,
					  .uid = 1000, .gid = 1000};
	struct memvfs_vfs *theirs;
	sqlite3 *db = open_db("/db"), *reader;
	mvfs *view;

	must_run(db, "CREATE TABLE t(x); INSERT INTO t VALUES(1)");
	ok(mvfs_view(fs, &other, &view));
	ck_assert_int_eq(memvfs_vfs_register(view, "theirs", 0, &theirs),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_open_v2("/db", &reader, SQLITE_OPEN_READWRITE,
					 "theirs"),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_db_readonly(reader, "main"), 1);
	ck_assert_str_eq(ask(reader, "SELECT x FROM t"), "1");
	ck_assert_int_eq(run(reader, "DELETE FROM t"), SQLITE_READONLY);
	close_db(reader);
	close_db(db);
	memvfs_vfs_unregister(theirs);
	ok(mvfs_destroy(view));
}
END_TEST

/* Short transfers and interruptions are no errors; other failures are, and
 * the transaction is as if it had not been. */
START_TEST(test_failures_of_the_tree_are_told)
{
	static const struct {
		const char *rule;
		int result;
	} cases[] = {
		{"write path=/db* short=100", SQLITE_OK},
		{"write path=/db* every=2 eintr", SQLITE_OK},
		{"write path=/db* errno=ENOSPC", SQLITE_FULL},
		{"write path=/db* errno=EIO", SQLITE_IOERR_WRITE},
		{"fsync,fdatasync path=/db errno=EIO", SQLITE_IOERR_FSYNC},
		{"fsync path=/ errno=EIO", SQLITE_IOERR_DIR_FSYNC},
		{"unlink path=/db-journal errno=EIO", SQLITE_IOERR_DELETE},
		{"open path=/db-journal errno=EMFILE", SQLITE_CANTOPEN},
	};
	struct mvfs_error error = {0};
	sqlite3 *db = open_db("/db");

	sqlite3_extended_result_codes(db, 1);
	must_run(db, "PRAGMA synchronous=EXTRA; CREATE TABLE t(x)");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int r;

		must_run(db, "DELETE FROM t");
		if (mvfs_fault_add(fs, cases[i].rule, NULL, &error) < 0)
			ck_abort_msg("%s: %s", cases[i].rule, error.message);
		r = run(db, "INSERT INTO t VALUES(zeroblob(10000))");
		ok(mvfs_fault_clear(fs));
		if (r != cases[i].result)
			ck_abort_msg("%s: %s", cases[i].rule,
				     sqlite3_errstr(r));
		ck_assert_str_eq(ask(db, "SELECT count(*) FROM t"),
				 r == SQLITE_OK ? "1" : "0");
		ck_assert_str_eq(ask(db, "PRAGMA integrity_check"), "ok");
	}
	close_db(db);
}
END_TEST

enum { ROUNDS = 30 };

static void *write_rounds(void *unused)
{
	sqlite3 *db = open_db("/db");

	sqlite3_busy_timeout(db, 600000);
	for (int i = 0; i < ROUNDS; i++)
		must_run(db, "BEGIN IMMEDIATE; INSERT INTO t VALUES(1);"
			     "UPDATE total SET n = n + 1; COMMIT");
	close_db(db);
	return unused;
}

START_TEST(test_two_threads_write_whole_transactions)
{
	static const char *const modes[] = {"PRAGMA journal_mode=DELETE",
					    "PRAGMA journal_mode=WAL"};
	sqlite3 *db = open_db("/db");
	pthread_t thread[2];

	sqlite3_busy_timeout(db, 600000);
	ask(db, modes[_i]);
	must_run(db, "CREATE TABLE t(x); CREATE TABLE total(n);"
		     "INSERT INTO total VALUES(0)");
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, write_rounds,
						NULL),
				 0);
	for (int i = 0; i < ROUNDS; i++)
		ck_assert_str_eq(ask(db, "SELECT (SELECT count(*) FROM t) - n "
					 "FROM total"),
				 "0");
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
	ck_assert_int_eq(atoi(ask(db, "SELECT n FROM total")), 2 * ROUNDS);
	ck_assert_str_eq(ask(db, "PRAGMA integrity_check"), "ok");
	close_db(db);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sqlite vfs");
	TCase *tcase = tcase_create("vfs");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase,
		       test_one_writes_while_others_read_until_it_commits);
	tcase_add_test(tcase, test_log_readers_keep_what_they_began_with);
	tcase_add_test(tcase,
		       test_temporary_files_have_no_name_and_leave_nothing);
	tcase_add_test(tcase, test_all_names_of_a_database_have_one_journal);
	tcase_add_test(tcase, test_what_may_not_be_written_is_read);
	tcase_add_test(tcase, test_failures_of_the_tree_are_told);
	tcase_add_loop_test(tcase, test_two_threads_write_whole_transactions,
			    0, 2);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
