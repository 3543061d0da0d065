#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memvfs ctl: every command of it, what it prints, its exit status (0; 1 for
# what failed; 2 for what was asked wrongly), and whom it obeys.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

# ctl ARGUMENT...: must succeed; its output is in $out
ctl() {
	"$memvfs" ctl "$dir" "$@" >"$work/out" 2>"$work/err" ||
		fail "ctl $*: status $?: $(cat "$work/err")"
	[ ! -s "$work/err" ] || fail "ctl $*: $(cat "$work/err")"
	out=$(cat "$work/out")
}

# refused STATUS TEXT ARGUMENT...: must fail so, and say so
refused() {
	want=$1 text=$2
	shift 2
	"$memvfs" ctl "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status = "$want" ] || fail "ctl $*: status $status, not $want"
	[ ! -s "$work/out" ] || fail "ctl $*: prints $(cat "$work/out")"
	grep -qF -- "$text" "$work/err" ||
		fail "ctl $*: no \"$text\" in: $(cat "$work/err")"
}

is() { # WHAT FOUND EXPECTED
	[ "$2" = "$3" ] || fail "$1: \"$2\", not \"$3\""
}

mount_new -o cache=none

# Rules.
ctl fault add 'write path=/f nth=2 errno=EDQUOT' 'mkdir path=/** eintr'
is "numbers of rules" "$out" "1
2"
ctl fault list
is "fault list" "$out" "1 write path=/f nth=2 errno=EDQUOT
2 mkdir path=/** eintr"
echo one >"$dir/f" || fail "the first write"
(echo two >"$dir/f") 2>/dev/null && fail "the second write goes well"
ctl fault count
is "fault count" "$out" "1 2 1
2 0 0"
ctl fault count 1
is "fault count 1" "$out" "2 1"
ctl fault remove 1
(echo two >"$dir/f") || fail "a rule that was removed is not"
refused 1 "there is no rule 1" "$dir" fault remove 1
refused 1 "there is no rule 1" "$dir" fault count 1
refused 2 "not the number of a rule" "$dir" fault remove 2 x
refused 2 'column 20: "EWHAT"; expected the name of an error' \
	"$dir" fault add 'stat path=/x eintr' 'read path=/x errno=EWHAT'
refused 2 "a rule is one argument: quote it" \
	"$dir" fault add write path=/f errno=EIO
ctl fault list
is "rules after a bad one" "$out" "2 mkdir path=/** eintr"
ctl fault add 'all path=/** errno=EIO'
ls "$dir" >/dev/null 2>&1 && fail "a rule for all calls fails none"
ctl fault clear
ls "$dir" >/dev/null || fail "rules are there after they were cleared"
ctl fault list
is "fault list of none" "$out" ""
echo "ok: fault"

# The log.
ctl log start
mv "$dir/f" "$dir/g"
ctl log show
case $out in
*"rename /f /g uid=$(id -u) = 0"*) ;;
*) fail "log show: $out" ;;
esac
cp "$work/out" "$work/log"
ctl log expect "$work/log"
printf '%s\n' '# one rename' 'rename /f /g' '! unlink **' >"$work/expected"
ctl log expect "$work/expected"
"$memvfs" ctl "$dir" log expect - <"$work/expected" ||
	fail "log expect does not read standard input"
echo 'unlink /g' >"$work/expected"
refused 1 "$work/expected: line 1: no \"unlink /g\"" \
	"$dir" log expect "$work/expected"
echo 'unlnk /g' >"$work/expected"
refused 2 "line 1, column 1" "$dir" log expect "$work/expected"
refused 1 "nowhere: No such file" "$dir" log expect "$work/nowhere"
ctl log stop
rm "$dir/g"
ctl log show
is "a log that was stopped" "$out" "$(cat "$work/log")"
ctl log start 2
for i in 1 2 3 4; do
	test -e "$dir/none$i"
done
ctl log show
is "a log of two calls" "$(echo "$out" | sed -n '1p;$=')" "# 2 dropped
3"
refused 2 "not a number of calls" "$dir" log start many
refused 2 "at most 16777216" "$dir" log start 1G
ctl log start 2000
i=0
while [ $i -lt 800 ]; do
	test -e "$dir/a-name-that-is-not-so-short-$i"
	i=$((i + 1))
done
ctl log stop
ctl log show
is "lines of a long log" "$(grep -c short "$work/out")" 800
cp "$work/out" "$work/log"
ctl log expect "$work/log"
echo "ok: log"

# Snapshots.
mkdir "$dir/d"
echo old >"$dir/d/file"
ln -s file "$dir/d/link"
ctl snapshot clean
ctl snapshot 'another name'
ctl snapshots
is "snapshots" "$out" "clean
another name"
exec 3<"$dir/d/file"
for i in 1 2; do
	rm -r "$dir/d"
	echo new >"$dir/new"
	ctl restore clean
	is "names that were restored" "$(cd "$dir" && find . | sort)" ".
./d
./d/file
./d/link"
	is "content that was restored" "$(cat "$dir/d/link")" old
done
is "a file that was open" "$(cat <&3)" old
exec 3<&-
ctl snapshots drop clean
refused 1 'there is no snapshot "clean"' "$dir" restore clean
refused 1 'there is no snapshot "clean"' "$dir" snapshots drop clean
refused 1 'there is a snapshot "another name" already' \
	"$dir" snapshot "another name"
refused 2 "1 to 255 bytes" "$dir" snapshot ""
ctl restore 'another name'
echo "ok: snapshots"

ctl stats
is "members of stats" "$(echo "$out" | cut -d' ' -f1 | tr '\n' ' ')" \
	"allocations copies copied_bytes classified_bytes shares tree_copies "

# Asked wrongly.
refused 2 "no directory" 
refused 2 "no command" "$dir"
refused 2 "unknown command 'fly'" "$dir" fly
refused 2 "unknown command 'fault fly'" "$dir" fault fly
refused 2 "'fault' what?" "$dir" fault
refused 2 "'restore' wants NAME" "$dir" restore
refused 2 "'log stop' wants no argument" "$dir" log stop now
refused 2 "unknown option" --fly "$dir" stats
"$memvfs" ctl --help | grep -q "fault add RULE" || fail "ctl --help"

# Other directories.
refused 1 "$work: no memvfs is mounted there" "$work" stats
refused 1 "$dir/d: no memvfs is mounted there" "$dir/d" stats
refused 1 "Not a directory" "$dir/d/file" stats
refused 1 "No such file" "$work/nowhere" stats
echo "ok: refusals"

# Ended by a signal while it prints: the mount goes on, and its end is clean.
mkfifo "$work/fifo"
"$memvfs" ctl "$dir" log show >"$work/fifo" &
pid=$!
exec 4<"$work/fifo"
# (a shell lets what it starts with '&' ignore SIGINT)
kill -INT $pid
kill -TERM $pid
exec 4<&-
wait $pid 2>/dev/null
i=0
while [ $i -lt 20 ]; do
	timeout -s INT 0.00$((i % 10)) "$memvfs" ctl "$dir" \
		restore 'another name'
	i=$((i + 1))
done >/dev/null 2>&1
ctl restore 'another name'
is "content after signals" "$(cat "$dir/d/file")" old
unmount_dir
echo "ok: signals"

# A mount that caches has neither rules nor a log, but snapshots.
mount_new
echo old >"$dir/f"
refused 1 "mount with -o cache=none" "$dir" fault add 'read path=/f errno=EIO'
refused 1 "without -o cache=none" "$dir" log start
ctl snapshot s
echo new >"$dir/f"
exec 3<"$dir/f"
is "content before" "$(cat <&3)" new
ctl restore s
is "content after" "$(cat "$dir/f")" old
exec 3<&-
unmount_dir
echo "ok: a mount that caches"

# Power cuts, as memvfs-crash(7) has them.
mount_new
refused 1 '"crash start" begins it' "$dir" crash
refused 1 '"crash start" begins it' "$dir" crash point
refused 2 '"policy=mine"; expected policy=ordered|posix' \
	"$dir" crash start policy=mine
refused 2 '"point=1"; expected' "$dir" crash start point=1
refused 2 'a power of two' "$dir" crash start sector=17
ctl crash start policy=posix data=lost,kept
ctl crash point
is "the first point" "$out" 0
echo kept >"$dir/kept" && sync "$dir/kept" "$dir"
echo lost >"$dir/lost" && sync "$dir/lost"
ctl crash explain
case $out in
"power cut after point "*lost:*/lost*) ;;
*) fail "crash explain: $out" ;;
esac
ls "$dir/lost" >/dev/null || fail "crash explain changes something"
ctl crash point
refused 1 "no such point" "$dir" crash point=$((out + 1))
refused 2 '"when=now"; expected' "$dir" crash when=now
ctl crash point=0
is "names at the start" "$(ls "$dir")" ""
ctl crash start policy=posix
echo kept >"$dir/kept" && sync "$dir/kept" "$dir"
echo lost >"$dir/lost" && sync "$dir/lost"
exec 3<"$dir/lost" 4<"$dir/kept"
ctl crash
is "names after a power cut" "$(ls "$dir")" kept
is "content after a power cut" "$(cat "$dir/kept")" kept
is "an open file that is lost" "$(cat <&3)" lost
is "an open file that is found" "$(cat <&4)" kept
exec 3<&- 4<&-
ctl crash stop
refused 1 '"crash start" begins it' "$dir" crash
unmount_dir
echo "ok: crash"

# Rules from the start.
new_dir
printf '# rules\n\nwrite path=/f nth=2 errno=EIO\nmkdir nth=1\n' >"$work/rules"
"$memvfs" mount -o "fault=$work/rules" "$dir" 2>"$work/err"
is "status of a bad rule" $? 2
grep -qF "$work/rules:4:12: the rule ends; expected path=GLOB" "$work/err" ||
	fail "a bad rule: $(cat "$work/err")"
not_mounted "$dir" || fail "mounted in spite of a bad rule"
sed -i 4d "$work/rules"
mount_new -o "fault=$work/rules"
(echo one >"$dir/f" && echo two >"$dir/f") 2>/dev/null &&
	fail "fault=FILE fails nothing"
ctl fault list
is "rules of a file" "$out" "1 write path=/f nth=2 errno=EIO"
unmount_dir
echo "ok: fault=FILE"

[ "$(id -u)" = 0 ] || skip "whom it obeys needs root to be tested"
need_command setpriv util-linux
user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
user "$memvfs" --version >/dev/null 2>&1 ||
	skip "ordinary users cannot run $memvfs: it is in a private directory"
chmod 755 "$work"
mount_new -o cache=none,allow_other
chmod 777 "$dir"
user "$memvfs" ctl "$dir" stats >"$work/out" 2>"$work/err"
is "status of another user" $? 1
grep -q "only the user who mounted it, and root" "$work/err" ||
	fail "another user: $(cat "$work/err")"
[ ! -s "$work/out" ] || fail "another user is told: $(cat "$work/out")"
user ls "$dir" >/dev/null || fail "another user cannot use the mount"
unmount_dir
echo "ok: owner"
