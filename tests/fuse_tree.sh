#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A real tree of 5000 files or more: cp -a onto the mount, diff -r, tar from it
# and back into it (in the format that has parts of seconds).

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_level ci
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

# The first of these that is large enough; readable for everybody.
tree=
for candidate in "${MVFS_TEST_TREE:-}" /usr/include /usr/share/perl \
	/usr/share/zoneinfo /usr/lib/python3 /usr/share; do
	[ -d "$candidate" ] || continue
	[ "$(find "$candidate/" -type f 2>/dev/null | head -n 5000 |
		wc -l)" -ge 5000 ] || continue
	tree=$candidate
	break
done
[ -n "$tree" ] || skip "no tree of 5000 files here (say which:" \
	"MVFS_TEST_TREE=DIR)"
echo "tree: $tree, $(find "$tree/" | wc -l) names"

# What two trees must have in common, as far as a user can set it.
list() { # DIR
	ids='%U:%G'
	[ "$(id -u)" = 0 ] || ids=-
	(cd "$1" && find . \( -type d -printf "%P|%y|%m|$ids|%T@\n" \) -o \
		-printf "%P|%y|%m|$ids|%T@|%s|%l\n" | LC_ALL=C sort)
}

same() { # DIR DIR
	diff -r --no-dereference "$1" "$2" || fail "$1 and $2 differ"
	list "$1" >"$work/one"
	list "$2" >"$work/two"
	diff "$work/one" "$work/two" | head -n 20
	cmp -s "$work/one" "$work/two" || fail "attributes differ"
}

mount_new
cp -a "$tree/." "$dir/copy" || fail "cp -a"
same "$tree/." "$dir/copy"
echo "ok: cp -a, diff -r"

tar --format=posix -C "$dir/copy" -cf "$work/out.tar" . ||
	fail "tar from the mount"
mkdir "$dir/back" && tar -C "$dir/back" -xpf "$work/out.tar" ||
	fail "tar into the mount"
same "$dir/copy" "$dir/back"
echo "ok: tar in and out"

tar --format=posix -C "$dir/back" -cf "$dir/inside.tar" . ||
	fail "tar onto the mount"
mkdir "$work/host" && tar -C "$work/host" -xpf "$dir/inside.tar" ||
	fail "tar from the mount to the host"
same "$dir/copy" "$work/host"
rm "$dir/inside.tar"
echo "ok: tar from the mount to the host"

# cp on the mount itself goes by copy_file_range(2).
cp -a "$dir/copy" "$dir/third" || fail "cp -a on the mount"
same "$dir/back" "$dir/third"
rm -r "$dir/copy" "$dir/back" "$dir/third" || fail "rm -r"
[ -z "$(ls -A "$dir")" ] || fail "rm -r left: $(ls -A "$dir")"
[ "$(df --output=iused "$dir" | tail -n 1)" -eq 1 ] ||
	fail "inodes are left: $(df -i "$dir")"
echo "ok: cp on the mount, rm -r"
unmount_dir

# The same by a copy at mount time.
mount_new "$tree"
same "$tree/." "$dir"
unmount_dir
echo "ok: memvfs mount $tree"
