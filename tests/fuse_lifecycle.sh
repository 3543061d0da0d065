#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each way in which a mount ends leaves nothing mounted and no process.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"
need_root

# Who is started with SIGHUP ignored, as by nohup(1), leaves it so.
signals="INT TERM HUP"
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) in
[13579bdf]) signals="INT TERM" ;;
esac

left_nothing() { # HOW
	await nothing_left || fail "$1 left: $(mounts) $(servers)"
	[ -z "$(ls -A "$dir")" ] || fail "$1: $dir is not as it was before"
	rmdir "$dir" || fail "$1: $dir is still in use"
	echo "ok: $1"
}

# In the background.
mount_new
echo text >"$dir/file" || fail "cannot write"
[ "$(cat "$dir/file")" = text ] || fail "cannot read"
umount "$dir" || fail "umount"
left_nothing "umount"

mount_new
fusermount3 -u "$dir" || fail "fusermount3 -u"
left_nothing "fusermount3 -u"

for signal in $signals; do
	mount_new
	kill -$signal "$server" || fail "kill"
	left_nothing "SIG$signal in the background"
done

# In the foreground, where the exit status tells.
foreground() {
	new_dir
	"$memvfs" mount -f "$@" "$dir" &
	job=$!
	await is_mounted "$dir" || fail "$dir does not come up"
	# It catches signals when it answers, not when it is mounted.
	ls "$dir" >/dev/null || fail "ls"
}

ended() { # HOW
	wait $job
	status=$?
	[ $status = 0 ] || fail "$1: exit status $status"
	left_nothing "$1"
}

foreground
umount "$dir" || fail "umount"
ended "umount in the foreground"

foreground
fusermount3 -u "$dir" || fail "fusermount3 -u"
ended "fusermount3 -u in the foreground"

for signal in $signals; do
	foreground
	kill -$signal $job || fail "kill"
	ended "SIG$signal in the foreground"
done

# The daemon keeps nothing of the caller's: no directory, no terminal, no
# pipe whose reader would wait for it.
new_dir
out=$(cd "$work" && "$memvfs" mount "../${work##*/}/${dir##*/}" 2>&1) ||
	fail "mount with a relative path"
[ -z "$out" ] || fail "it said: $out"
server=$(servers)
[ "$(readlink "/proc/$server/cwd")" = / ] || fail "keeps a directory in use"
for fd in 0 1 2; do
	[ "$(readlink "/proc/$server/fd/$fd")" = /dev/null ] ||
		fail "keeps the caller's file $fd"
done
unmount_dir
left_nothing "a relative path"

# In use: off its directory at once, ENOTCONN for those who hold files.
mount_new
echo text >"$dir/held" || fail "write"
exec 9<"$dir/held"
umount "$dir" 2>/dev/null && fail "umount of a mount in use succeeds"
kill -TERM "$server" || fail "kill"
await nothing_left || fail "in use at SIGTERM left: $(mounts) $(servers)"
if out=$(cat <&9 2>&1); then
	fail "a file of a mount that ended is read: $out"
fi
exec 9<&-
left_nothing "SIGTERM while in use"

# umount -l: it goes on for those who hold files, and ends with the last.
mount_new
echo text >"$dir/held" || fail "write"
exec 9<"$dir/held"
umount -l "$dir" || fail "umount -l"
not_mounted "$dir" || fail "umount -l does not unmount"
[ "$(cat <&9)" = text ] || fail "after umount -l files are gone"
[ -n "$(servers)" ] || fail "after umount -l nobody serves"
exec 9<&-
left_nothing "umount -l"

# Bound to a second place: both go.
mount_new
mkdir "$dir/sub" "$work/second" || fail "mkdir"
mount --bind "$dir/sub" "$work/second" || fail "mount --bind"
kill -TERM "$server" || fail "kill"
left_nothing "SIGTERM with a second place"

# The path of its directory changed meanwhile.
mkdir "$work/above" && mkdir "$work/above/m" || fail "mkdir"
"$memvfs" mount "$work/above/m" || fail "mount"
server=$(servers)
mv "$work/above" "$work/renamed" || fail "mv"
kill -TERM "$server" || fail "kill"
dir=$work/renamed/m
left_nothing "SIGTERM after a rename above it"

# Something else was mounted over it: that is not ours to take off.
mount_new
mount -t tmpfs none "$dir" || fail "mount -t tmpfs"
kill -TERM "$server" || fail "kill"
await no_servers || fail "covered: still served"
[ "$(stat -f -c %T "$dir")" = tmpfs ] || fail "took another's mount off"
umount "$dir" || fail "umount of the tmpfs"
umount "$dir" || fail "umount of what is below"
left_nothing "SIGTERM while covered"

# Killed: a dead mount remains, is told as such, and can be removed.
mount_new
kill -KILL "$server" || fail "kill"
await no_servers || fail "survives SIGKILL"
out=$("$memvfs" mount "$dir" 2>&1) && fail "mounts over a dead mount"
case $out in
*"$dir: a dead FUSE mount"*) ;;
*) fail "a dead mount: $out" ;;
esac
fusermount3 -u "$dir" || fail "fusermount3 -u of a dead mount"
left_nothing "SIGKILL"

# Its connection was aborted: nothing answers, and SIGTERM clears away.
if [ -d /sys/fs/fuse/connections ] ||
	mount -t fusectl none /sys/fs/fuse/connections 2>/dev/null; then
	mount_new
	minor=$(awk -v dir="$dir" '$5 == dir { sub(/.*:/, "", $3); print $3 }' \
		/proc/self/mountinfo)
	abort=/sys/fs/fuse/connections/$minor/abort
	if [ -w "$abort" ]; then
		echo 1 >"$abort"
		left_nothing "an aborted connection"
	else
		unmount_dir
	fi
fi
