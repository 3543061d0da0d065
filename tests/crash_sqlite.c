/* SPDX-License-Identifier: MIT */
/*
 * SQLite, through the VFS of examples/sqlite, at every point of a power cut:
 * whatever is found, the database is in order, every transaction whose commit
 * was acknowledged is there, and of the one that was under way all or
 * nothing. It promises this with synchronous=EXTRA for a rollback journal and
 * FULL for a write-ahead log. With less than that, and with syncs left out on
 * purpose, a state must be found that breaks the promise: so the test would
 * see a crash model that is too kind, and a VFS that forgets something.
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include <memvfs/memvfs.h>

#include "examples/sqlite/memvfs_vfs.h"
#include "tests/crash.h"
#include "tests/expect.h"
#include "tests/random.h"

enum { TRANSACTIONS_MAX = 200 };

struct kind {
	const char *name, *pragmas;
	unsigned policy, mistakes;
	bool is_named_once; /* its journal, when the database is made */
};

#define ROLLBACK "PRAGMA journal_mode=DELETE;"
#define LOG "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=20;"
#define TRUNCATED "PRAGMA journal_mode=TRUNCATE;"
#define PERSISTENT "PRAGMA journal_mode=PERSIST;"
#define SPILLED "PRAGMA cache_size=4; PRAGMA cache_spill=4;"
#define EXTRA "PRAGMA synchronous=EXTRA;"
#define FULL "PRAGMA synchronous=FULL;"
#define NORMAL "PRAGMA synchronous=NORMAL;"
#define BOTH(name, pragmas, mistakes)                                     \
	{name ", ordered", pragmas, MVFS_CRASH_ORDERED, mistakes, false}, \
	{                                                                 \
		name ", posix", pragmas, MVFS_CRASH_POSIX, mistakes, false \
	}

static const struct kind good[] = {
	BOTH("rollback journal", ROLLBACK EXTRA, 0),
	BOTH("write-ahead log", LOG FULL, 0),
};

static const struct kind other[] = {
	BOTH("truncated journal", TRUNCATED EXTRA, 0),
	BOTH("journal that stays", PERSISTENT EXTRA, 0),
	BOTH("rollback journal, memory spilled", ROLLBACK EXTRA SPILLED, 0),
	BOTH("write-ahead log, memory spilled", LOG FULL SPILLED, 0),
};

static const struct kind bad[] = {
	BOTH("rollback journal that is not synced", ROLLBACK EXTRA,
	     MEMVFS_VFS_NO_JOURNAL_SYNC),
	BOTH("rollback journal whose names are not synced", ROLLBACK EXTRA,
	     MEMVFS_VFS_NO_DIRECTORY_SYNC),
	BOTH("write-ahead log that is not synced", LOG FULL,
	     MEMVFS_VFS_NO_JOURNAL_SYNC),
	/* With the other policy, a sync of the log is one of its name. */
	{"write-ahead log whose name is not synced, posix", LOG FULL,
	 MVFS_CRASH_POSIX, MEMVFS_VFS_NO_DIRECTORY_SYNC, true},
	BOTH("rollback journal that is claimed to be written in order",
	     ROLLBACK EXTRA, MEMVFS_VFS_FALSE_CLAIMS),
	BOTH("write-ahead log whose sectors are claimed to stay", LOG FULL,
	     MEMVFS_VFS_FALSE_CLAIMS),
	/* What SQLite's documentation says that these lose. */
	BOTH("rollback journal, FULL", ROLLBACK FULL, 0),
	BOTH("write-ahead log, NORMAL", LOG NORMAL, 0),
};

static const struct kind *kind;
static struct mvfs_crash_options options;
static mvfs *fs;
/* By transaction: from which point on it is acknowledged, and what is in the
 * database with it. The first one makes the tables. */
static int transactions;
static uint64_t acknowledged[1 + TRANSACTIONS_MAX];
static char content[1 + TRANSACTIONS_MAX][100];
/* Of the crashes. */
static uint64_t states, points, sampled_points, last_point;
static struct mvfs_crash_state violating;
static char violation[300];

static void must_run(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s: %s", kind->name, sql,
			     sqlite3_errmsg(db));
}

/* The first column of the first row, or the error, as text. */
static int ask(sqlite3 *db, const char *sql, char text[100])
{
	sqlite3_stmt *statement;
	int r = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_step(statement);
	snprintf(text, 100, "%s",
		 r == SQLITE_ROW ? (const char *)sqlite3_column_text(statement,
								     0)
				 : sqlite3_errmsg(db));
	sqlite3_finalize(statement);
	return r == SQLITE_ROW ? SQLITE_OK : r;
}

/* Begins with the number of the last transaction. */
static const char summary[] =
	"SELECT n || ' ' || (SELECT count(*) || ' ' || total(id * v) || ' ' || "
	"total(length(b) * v) FROM t) FROM state";

/* Changes pages of the table and of its index, adds some, frees some. */
static void run_transaction(sqlite3 *db, int i)
{
	char sql[600];

	snprintf(sql, sizeof(sql),
		 "BEGIN; UPDATE state SET n = %d;"
		 "INSERT INTO t VALUES(%d, %d, printf('%%0600d', %d));"
		 "UPDATE t SET v = %d, b = printf('%%0*d', 300 + %d, id) "
		 "WHERE id IN (%d, %d, %d);"
		 "DELETE FROM t WHERE id = %d; COMMIT",
		 i, i, i, i, i, i % 5 * 100, i - 1, i / 2, i / 3, i - 20);
	must_run(db, sql);
}

static void note(sqlite3 *db, int i)
{
	acknowledged[i] = (uint64_t)ok(mvfs_crash_point(fs));
	ck_assert_int_eq(ask(db, summary, content[i]), SQLITE_OK);
}

/* `is_old`: crashes are tracked from when the database has been made. */
static void run_transactions(bool is_old)
{
	struct memvfs_vfs *vfs;
	sqlite3 *db;

	ck_assert_int_eq(memvfs_vfs_register(fs, "before", kind->mistakes,
					     &vfs),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_open_v2("/db", &db,
					 SQLITE_OPEN_READWRITE |
						 SQLITE_OPEN_CREATE,
					 "before"),
			 SQLITE_OK);
	if (!is_old)
		ok(mvfs_crash_start(fs, &options));
	must_run(db, "PRAGMA page_size=1024");
	must_run(db, kind->pragmas);
	must_run(db, "BEGIN; CREATE TABLE state(n); INSERT INTO state "
		     "VALUES(0); CREATE TABLE t(id INTEGER PRIMARY KEY, v, b);"
		     "CREATE INDEX by_value ON t(v); COMMIT");
	if (is_old)
		ok(mvfs_crash_start(fs, &options));
	note(db, 0);
	for (int i = 1; i <= transactions; i++) {
		run_transaction(db, i);
		note(db, i);
	}
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	memvfs_vfs_unregister(vfs);
}

/* How many of the transactions were acknowledged at a point. */
static int acknowledged_at(uint64_t point)
{
	int n = 0;

	while (n <= transactions && acknowledged[n] <= point)
		n++;
	return n;
}

/* Whether the database keeps the promise; says what is wrong if not. */
static int judge_database(sqlite3 *db, uint64_t point)
{
	int must = acknowledged_at(point), found = 0;
	char text[100];

	ask(db, "PRAGMA integrity_check", text);
	if (strcmp(text, "ok") != 0) {
		snprintf(violation, sizeof(violation), "integrity: %s", text);
		return 1;
	}
	if (ask(db, summary, text) == SQLITE_OK)
		found = atoi(text) + 1;
	else if (strncmp(text, "no such table", 13) != 0)
		found = -1;
	if (found < must || found > must + 1 ||
	    (found > 0 && strcmp(text, content[found - 1]) != 0)) {
		snprintf(violation, sizeof(violation),
			 "%d transactions were acknowledged, %d are there: %s",
			 must, found, text);
		return 1;
	}
	return 0;
}

static int judge(mvfs *after, uint64_t point)
{
	struct memvfs_vfs *vfs;
	sqlite3 *db;
	int result;

	ck_assert_int_eq(memvfs_vfs_register(after, "after", 0, &vfs),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_open_v2("/db", &db,
					 SQLITE_OPEN_READWRITE |
						 SQLITE_OPEN_CREATE,
					 "after"),
			 SQLITE_OK);
	result = judge_database(db, point);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
	memvfs_vfs_unregister(vfs);
	return result;
}

static int crash(void *ctx, mvfs *after, const struct mvfs_crash_state *state)
{
	(void)ctx;
	states++;
	if (points == 0 || state->point != last_point) {
		points++;
		sampled_points += state->sampled;
	}
	last_point = state->point;
	if (!judge(after, state->point))
		return 0;
	violating = *state;
	return 1;
}

/* Runs the transactions and tries every crash: 1 if one breaks the promise. */
static int try_crashes(const struct kind *which, int count, bool is_old)
{
	struct mvfs_options seeded = {.size = sizeof(seeded),
				      .flags = MVFS_SEEDED};
	struct mvfs_time start = {0, 0, 0};
	unsigned more = long_factor();
	int result;

	kind = which;
	transactions = count;
	states = points = sampled_points = 0;
	options = (struct mvfs_crash_options){
		.size = sizeof(options),
		.policy = kind->policy,
		.data = CRASH_ALL_DATA,
		.max_states = more >= 40 ? 256 : 16,
	};
	/* Salts and checksums are the same in each run, so that a state is. */
	sqlite3_initialize();
	sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, 1, NULL);
	ok(mvfs_create(&seeded, &fs));
	ok(mvfs_clock_manual(fs, &start, 1000));
	run_transactions(is_old);
	result = (int)ok(mvfs_crash_each(fs, &options, crash, NULL));
	printf("%s: %d transactions, %llu states at %llu of %llu points, "
	       "%llu of them sampled\n",
	       kind->name, count, (unsigned long long)states,
	       (unsigned long long)points,
	       (unsigned long long)ok(mvfs_crash_point(fs)) + 1,
	       (unsigned long long)sampled_points);
	return result;
}

static void must_survive(const struct kind *which, int count)
{
	int violated = try_crashes(which, count, false);

	if (violated)
		print_crash(fs, &options, &violating, kind->name, violation);
	ck_assert_msg(!violated, "%s: %s", kind->name, violation);
	ck_assert_uint_eq(points, ok(mvfs_crash_point(fs)) + 1);
	ck_assert_uint_ge(states, 2 * points);
	ok(mvfs_destroy(fs));
}

START_TEST(test_every_acknowledged_commit_survives_every_crash)
{
	must_survive(&good[_i], long_factor() == 1 ? 10 : TRANSACTIONS_MAX);
}
END_TEST

START_TEST(test_every_way_to_keep_a_journal_survives_every_crash)
{
	must_survive(&other[_i], 10);
}
END_TEST

static void must_be_caught(const struct kind *which, bool is_old)
{
	mvfs *after;

	ck_assert_msg(try_crashes(which, 10, is_old), "%s: nothing is lost",
		      kind->name);
	print_crash(fs, &options, &violating, kind->name, violation);
	/* The state is the same again, with the same flaw. */
	ok(mvfs_crash(fs, &options, &violating, &after));
	ck_assert_int_eq(judge(after, violating.point), 1);
	ok(mvfs_destroy(after));
	ok(mvfs_destroy(fs));
}

START_TEST(test_a_journal_that_is_broken_is_caught)
{
	must_be_caught(&bad[_i], false);
	if (!bad[_i].is_named_once)
		must_be_caught(&bad[_i], true);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("crash sqlite");
	TCase *tcase = tcase_create("crashes");

	tcase_add_loop_test(tcase,
			    test_every_acknowledged_commit_survives_every_crash,
			    0, sizeof(good) / sizeof(*good));
	tcase_add_loop_test(
		tcase, test_every_way_to_keep_a_journal_survives_every_crash, 0,
		sizeof(other) / sizeof(*other));
	tcase_add_loop_test(tcase, test_a_journal_that_is_broken_is_caught, 0,
			    sizeof(bad) / sizeof(*bad));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
