#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SQLite on the mount, with a rollback journal and with a write-ahead log
# (which needs shared mappings and locks): two writers and a reader at a time,
# a writer killed in a transaction, and PRAGMA integrity_check.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_level ci
need_command sqlite3
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

sql() { # DATABASE TEXT
	sqlite3 -bail -cmd '.timeout 60000' "$1" "$2"
}

insert() { # DATABASE WRITER: 100 transactions of 10 rows
	i=0
	while [ $i -lt 100 ]; do
		i=$((i + 1))
		sql "$1" "BEGIN IMMEDIATE;
			WITH RECURSIVE n(x) AS
				(SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 10)
			INSERT INTO t(writer, round, text)
				SELECT $2, $i, hex(randomblob(200)) FROM n;
			UPDATE total SET n = n + 10;
			COMMIT;" || exit 1
	done
}

for mode in delete truncate persist wal; do
	mount_new
	db=$dir/$mode.db
	[ "$(sql "$db" "PRAGMA journal_mode = $mode;")" = $mode ] ||
		fail "$mode: the mode is refused"
	sql "$db" "CREATE TABLE t(id INTEGER PRIMARY KEY, writer, round, text);
		CREATE INDEX by_text ON t(text);
		CREATE TABLE total(n); INSERT INTO total VALUES(0);" ||
		fail "$mode: create"
	insert "$db" 1 &
	one=$!
	insert "$db" 2 &
	two=$!
	# What a reader sees is whole transactions.
	while kill -0 $one 2>/dev/null || kill -0 $two 2>/dev/null; do
		sql "$db" "SELECT count(*) - n FROM t, total;" >"$work/out" ||
			fail "$mode: reading"
		grep -qx -e 0 -e '' "$work/out" ||
			fail "$mode: part of a transaction: $(cat "$work/out")"
	done
	wait $one || fail "$mode: the first writer"
	wait $two || fail "$mode: the second writer"
	[ "$(sql "$db" "SELECT count(*) FROM t;")" = 2000 ] ||
		fail "$mode: rows are missing"

	# Killed before it commits: rolled back by the next who opens it.
	mkfifo "$work/fifo"
	sqlite3 "$db" <"$work/fifo" >"$work/began" &
	victim=$!
	exec 8>"$work/fifo"
	echo "PRAGMA cache_size = 1; BEGIN; UPDATE t SET text = 'lost';
		SELECT 'began';" >&8
	await grep -q began "$work/began" || fail "$mode: no transaction"
	kill -KILL $victim
	wait $victim 2>/dev/null
	exec 8>&-
	rm "$work/fifo"
	[ "$(sql "$db" "SELECT count(*) FROM t WHERE text = 'lost';")" = 0 ] ||
		fail "$mode: a transaction was not rolled back"

	sql "$db" "DELETE FROM t WHERE id % 3 = 0; VACUUM;" ||
		fail "$mode: vacuum"
	[ "$(sql "$db" "PRAGMA integrity_check;")" = ok ] ||
		fail "$mode: integrity_check: \
$(sql "$db" "PRAGMA integrity_check;")"
	sql "$db" ".dump" >"$work/mount.sql" || fail "$mode: dump"
	sqlite3 "$work/host.db" <"$work/mount.sql" || fail "$mode: dump is bad"
	sqlite3 "$work/host.db" .dump | cmp - "$work/mount.sql" ||
		fail "$mode: dumps differ"
	rm "$work/host.db"
	unmount_dir
	echo "ok: $mode"
done
