#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What memvfs mount refuses, with which words and exit status; and that its
# options do what they say.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"
need_root

# refused STATUS PATTERN ARG...: on standard error, and nothing is mounted
refused() {
	expected=$1 pattern=$2
	shift 2
	"$memvfs" mount "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status = "$expected" ] ||
		fail "mount $*: status $status, not $expected: $(cat "$work/err")"
	grep -q -e "$pattern" "$work/err" ||
		fail "mount $*: no \"$pattern\" in: $(cat "$work/err")"
	[ ! -s "$work/out" ] || fail "mount $*: writes to standard output"
	[ -z "$(mounts)" ] || fail "mount $*: mounted: $(mounts)"
	await no_servers || fail "mount $*: a process is left"
	echo "ok: refused: $pattern"
}

new_dir
mkdir "$work/full" "$work/source" && : >"$work/full/name" &&
	: >"$work/file" || fail "cannot prepare"

refused 2 "no directory"
refused 2 "one SOURCE and one DIR" a b c
refused 2 "unknown option '-x'" -x "$dir"
refused 2 "unknown option '--unknown'" --unknown "$dir"
refused 2 "needs a value" "$dir" -o
refused 2 "nosuch" -o ro,nosuch "$dir"
refused 2 "max_bytes=1x" -o max_bytes=1x "$dir"
refused 2 "max_bytes=0" -o max_bytes=0 "$dir"
refused 2 "max_inodes=-1" -o max_inodes=-1 "$dir"
refused 2 "fsname=" -o fsname= "$dir"
for mode in "" -f; do
	refused 1 "$work/missing: No such file" $mode "$work/missing"
	refused 1 "$work/file: Not a directory" $mode "$work/file"
	refused 1 "$work/full: the directory is not empty" $mode "$work/full"
	refused 1 "$work/nosource: No such file" $mode "$work/nosource" "$dir"
	refused 1 "$work/file: Not a directory" $mode "$work/file" "$dir"
done
# Longer than any path: still a sentence.
long=$(printf '%05000d' 0)
refused 1 "File name too long" "/$long"

# The copy does not fit: nothing is mounted, and the path is named.
head -c 100000 /dev/zero | tr '\0' x >"$work/source/large"
for mode in "" -f; do
	refused 1 "$work/source/large:.*No space left" $mode \
		-o max_bytes=64K "$work/source" "$dir"
	refused 1 "$work/source/large:.*No space left" $mode \
		-o max_inodes=1 "$work/source" "$dir"
done
rm "$work/source/large"

# Twice on one directory.
mount_new
first=$dir
"$memvfs" mount "$dir" 2>"$work/err" && fail "mounted twice"
grep -q "mounted there already" "$work/err" ||
	fail "mounted twice: $(cat "$work/err")"
[ "$(mounts)" = "$first" ] || fail "a refused mount changed: $(mounts)"
[ "$(servers)" = "$server" ] || fail "a refused mount left a process"
unmount_dir
echo "ok: twice"

# No /dev/fuse: in a mount namespace of its own, where /dev has only null.
if unshare -m true 2>/dev/null; then
	unshare -m sh -c '
		mount --make-rprivate / && mount -t tmpfs none /dev &&
		mknod -m 666 /dev/null c 1 3 || exit 99
		exec "$0" mount "$1"' "$memvfs" "$dir" 2>"$work/err"
	status=$?
	[ $status = 1 ] || fail "no /dev/fuse: status $status"
	grep -q "no /dev/fuse.*modprobe fuse.*--device /dev/fuse" \
		"$work/err" || fail "no /dev/fuse: $(cat "$work/err")"
	nothing_left || fail "no /dev/fuse: left $(mounts) $(servers)"
	echo "ok: no /dev/fuse"
fi

# Options.
mount_new -o max_bytes=64K,max_inodes=6,fsname=some,ro -o noexec -o rw
awk -v dir="$dir" '$2 == dir { print $1, $3, $4 }' /proc/mounts >"$work/out"
grep -q '^some fuse\.memvfs rw,.*noexec' "$work/out" ||
	fail "options: $(cat "$work/out")"
head -c 80000 /dev/zero >"$dir/zeros" 2>/dev/null
[ "$(stat -c %s "$dir/zeros")" = 65536 ] || fail "max_bytes does not limit"
for i in 1 2 3 4; do
	: >"$dir/$i" || fail "max_inodes limits too early"
done
(: >"$dir/5") 2>/dev/null && fail "max_inodes does not limit"
df --output=itotal,size -B1 "$dir" | tail -n 1 | grep -q '^ *6 *65536$' ||
	fail "statfs: $(df --output=itotal,size -B1 "$dir")"
unmount_dir
echo "ok: options"

mount_new -o ro
(: >"$dir/file") 2>"$work/err" && fail "ro: writes"
grep -q "Read-only" "$work/err" || fail "ro: $(cat "$work/err")"
unmount_dir
echo "ok: ro"
