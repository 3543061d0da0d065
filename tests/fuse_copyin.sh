#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A mount of a copy of a directory compares equal to it: content, types,
# owners, modes, times, links, xattrs, holes.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"
need_root
need_command getfattr attr
need_command setfattr attr

source=$work/source
mkdir "$source" && cd "$source" || fail "cannot prepare"

mkdir -p d/e/f empty "with blank" 'with\backslash'
printf 'some text\n' >d/file
: >d/e/nothing
head -c 3000000 /dev/urandom >large
printf 'x' >"with blank/a
newline"
printf 'x' >'with\backslash/\101'
# As long as a name can be; and bytes that are no UTF-8.
: >"$(printf '%0255d' 0)"
: >"$(printf 'latin\351')"
# Deeper than a path can be long.
deep=$(printf '%0200d' 0)
(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
	mkdir "$deep" && cd -P "$deep" 2>/dev/null || exit 0
done
echo bottom >bottom)

ln d/file d/e/second
ln d/file third
ln -s d/file symlink
ln -s /nowhere/at/all dangling
ln -s "$(printf '%03900d' 0)" long-symlink
ln symlink symlink-linked
mkfifo fifo
mknod char c 1 3
mknod block b 7 200
mknod large-numbers c 511 1048575
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "socket",
	Listen => 1) or die' 2>/dev/null || rm -f socket

# Holes: in front, in the middle, at the end, and nothing else.
truncate -s 64M hole-only
printf 'x' | dd of=hole-front bs=1 seek=10M conv=notrunc status=none
printf 'x' >hole-end && truncate -s 5000001 hole-end
for at in 0 100 200 1000; do
	printf 'block' | dd of=hole-many bs=4096 seek=$at conv=notrunc \
		status=none
done

for mode in 0000 0400 0644 0755 1777 2755 4755 6711 7777; do
	: >mode-$mode && mkdir dir-$mode && chmod $mode mode-$mode dir-$mode
done
chown 1234:5678 d/e large
chown -h 4294967294:42 symlink
: >suid-of-other && chown 77:88 suid-of-other && chmod 6755 suid-of-other

setfattr -n user.one -v value d/file 2>/dev/null && {
	setfattr -n user.two -v "$(printf '%01000d' 0)" d/file
	setfattr -n user.empty d/file
	setfattr -n user.of.directory -v 0sAAECAw== d
	setfattr -n user.of.root -v yes .
}
setfattr -n trusted.one -v value d/file 2>/dev/null
setfattr -h -n trusted.two -v value symlink 2>/dev/null
setfattr -n trusted.three -v value fifo 2>/dev/null

touch -h -d '1999-12-31 23:59:59.123456789 UTC' symlink d/file fifo
touch -d '2038-01-20 00:00:00.000000001 UTC' large
touch -d '1969-12-31 23:59:58.5 UTC' d/e/nothing
touch -a -d '2001-02-03 04:05:06.7 UTC' large
touch -d '2000-01-01 00:00:00.999999999 UTC' d/e/f d/e d "with blank" .
chmod 1750 .

# Size and link count of a directory are each file system's own.
list() { # DIR
	(cd "$1" && find . -type d \
		-printf '%P|%y|%m|%U|%G|%T@|%A@\n' -o \
		-printf '%P|%y|%m|%U|%G|%T@|%A@|%n|%s|%l\n' | LC_ALL=C sort)
}
devices() {
	(cd "$1" && stat -c '%n %t %T' char block large-numbers)
}
# Names that are one inode, each group on a line.
groups() {
	(cd "$1" && find . ! -type d -links +1 -printf '%i %P\n' |
		LC_ALL=C sort -k 2 |
		awk '{ group[$1] = group[$1] " " $2 }
			END { for (i in group) print group[i] }' |
		LC_ALL=C sort)
}
xattrs() {
	(cd "$1" && for name in . d d/file d/e/second symlink fifo; do
		echo "$name"
		getfattr -hd -m '^(user|trusted|security)\.' -e hex \
			-- "$name" 2>/dev/null | grep = | LC_ALL=C sort
	done)
}

# Listing moves atimes that are older than the change, once.
list "$source" >/dev/null
list "$source" >"$work/list.source"
cd /
new_dir
"$memvfs" mount "$source" "$dir" 2>"$work/err" ||
	fail "mount: $(cat "$work/err")"
[ ! -s "$work/err" ] || fail "it said: $(cat "$work/err")"
list "$source" | cmp -s - "$work/list.source" ||
	fail "copying changed the source"
list "$dir" >"$work/list.mount"
diff "$work/list.source" "$work/list.mount" || fail "stat differs"
[ "$(wc -l <"$work/list.mount")" -gt 70 ] || fail "hardly anything is there"
for what in devices groups xattrs; do
	$what "$source" >"$work/$what.source"
	$what "$dir" >"$work/$what.mount"
	diff "$work/$what.source" "$work/$what.mount" || fail "$what differ"
done
[ -s "$work/groups.mount" ] || fail "no hard links were compared"
# diff(1) opens fifos and devices, and does not get to the bottom.
diff -r --no-dereference -x "$deep" -x fifo -x char -x block \
	-x large-numbers -x socket "$source" "$dir" || fail "content differs"

# Holes: nothing is stored for what is not there.
[ "$(stat -c %b "$dir/hole-only")" = 0 ] || fail "a hole takes room"
[ "$(stat -c %b "$dir/hole-front")" = 8 ] || fail "a hole in front takes room"
[ "$(stat -c %b "$dir/hole-many")" -le 64 ] || fail "holes take room"
unmount_dir
echo "ok: equal"

# A file system mounted inside stays outside, and that is said.
mkdir "$source/other" && mount -t tmpfs none "$source/other" || exit 0
: >"$source/other/name"
new_dir
"$memvfs" mount "$source" "$dir" 2>"$work/err" || fail "mount"
umount "$source/other"
[ -d "$dir/other" ] || fail "a mount point is not copied"
[ ! -e "$dir/other/name" ] || fail "what is mounted is copied"
grep -q "$source/other: another file system" "$work/err" ||
	fail "nothing is said of it: $(cat "$work/err")"
unmount_dir
echo "ok: one file system"

# A symlink that the caller names is followed; DIR inside SOURCE is fine.
ln -s source "$work/link" && mkdir "$source/inside" || fail "cannot prepare"
dir=$source/inside
"$memvfs" mount "$work/link" "$dir" || fail "mount inside the source"
[ "$(cat "$dir/d/file")" = "some text" ] || fail "inside: content"
[ -z "$(ls -A "$dir/inside")" ] || fail "the mount contains itself"
unmount_dir
echo "ok: inside itself"
