#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Ordinary users: who comes into a mount, and who may make one. Run by root,
# in a mount namespace of its own, where /dev/fuse is open to everybody as
# udev(7) makes it (containers often keep it for root).

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_root
need_command setpriv util-linux
need_command unshare util-linux
if [ -z "$MVFS_TEST_NAMESPACE" ]; then
	unshare -m true 2>/dev/null || skip "no mount namespace can be made"
	MVFS_TEST_NAMESPACE=yes exec unshare -m --propagation private \
		sh "$0"
fi
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
user "$memvfs" --version >/dev/null 2>&1 ||
	skip "ordinary users cannot run $memvfs: it is in a private directory"
chmod 755 "$work"
mkdir "$work/dev" && mount -t tmpfs none "$work/dev" &&
	mknod -m 666 "$work/dev/fuse" c 10 229 &&
	mount --bind "$work/dev/fuse" /dev/fuse && umount -l "$work/dev" ||
	skip "no /dev/fuse for everybody can be made"

# Others are kept out, unless allow_other is given.
mount_new
user ls "$dir" >/dev/null 2>&1 && fail "lets others in"
unmount_dir
mount_new -o allow_other
chmod 1777 "$dir"
user touch "$dir/his" || fail "allow_other keeps others out"
[ "$(stat -c %u:%g "$dir/his")" = 65534:65534 ] || fail "allow_other: owner"
unmount_dir
echo "ok: allow_other"

# He mounts by fusermount3, owns the root, and is told what goes wrong.
new_dir
user "$memvfs" mount "$dir" 2>"$work/err" && fail "mounts on another's"
grep -q "fusermount3: user has no write access to mountpoint" "$work/err" ||
	fail "another's directory: $(cat "$work/err")"
chown 65534:65534 "$dir"
mkdir "$work/bin"
for command in dirname basename sed sh env ls cat uname; do
	ln -s "$(command -v $command)" "$work/bin/$command"
done
user env PATH="$work/bin" "$memvfs" mount "$dir" 2>"$work/err" &&
	fail "mounts without fusermount3"
grep -q "fusermount3, which is not there" "$work/err" ||
	fail "no fusermount3: $(cat "$work/err")"
echo "ok: no fusermount3"

[ -u "$(command -v fusermount3)" ] || skip "fusermount3 is not setuid"
if ! grep -q '^user_allow_other' /etc/fuse.conf 2>/dev/null; then
	user "$memvfs" mount -o allow_other "$dir" 2>"$work/err" &&
		fail "allow_other for anybody"
	grep -q "user_allow_other" "$work/err" ||
		fail "allow_other: $(cat "$work/err")"
fi
nothing_left || fail "refused, left: $(mounts) $(servers)"

user "$memvfs" mount -o 'fsname=a\b,nodev,ro,rw,noexec' "$dir" ||
	fail "an ordinary user cannot mount"
awk -v dir="$dir" '$2 == dir { print $1, $3, $4 }' /proc/mounts >"$work/out"
grep -q '^a.*b fuse\.memvfs rw,nosuid,nodev,noexec' "$work/out" ||
	fail "options: $(cat "$work/out")"
user sh -c 'echo text >"$1/file" && cat "$1/file"' sh "$dir" >/dev/null ||
	fail "an ordinary user cannot use his mount"
ls "$dir" >/dev/null 2>&1 && fail "root comes in without allow_other"
user fusermount3 -u "$dir" || fail "fusermount3 -u by a user"
await nothing_left || fail "left: $(mounts) $(servers)"
echo "ok: mount and fusermount3 -u"

user "$memvfs" mount "$dir" || fail "an ordinary user cannot mount again"
user kill -TERM "$(servers)" || fail "kill"
await nothing_left || fail "SIGTERM left: $(mounts) $(servers)"
echo "ok: SIGTERM"

user "$memvfs" mount "$dir" || fail "an ordinary user cannot mount again"
user sh -c 'echo text >"$1/file"; exec 9<"$1/file"; kill -TERM "$2"
	while [ -d "/proc/$2" ]; do sleep 0.05; done
	! cat <&9 2>/dev/null' sh "$dir" "$(servers)" ||
	fail "in use at SIGTERM: the file is still read"
await nothing_left || fail "in use, left: $(mounts) $(servers)"
echo "ok: SIGTERM while in use"

# A tree that belongs to others is copied as it is.
mkdir "$work/source" && echo text >"$work/source/file" &&
	chown -R 1234:5678 "$work/source" || fail "cannot prepare"
user "$memvfs" mount "$work/source" "$dir" || fail "mount of a copy"
[ "$(user stat -c %u:%g "$dir/file")" = 1234:5678 ] || fail "owners"
user sh -c ': >"$1/file"' sh "$dir" 2>/dev/null && fail "writes another's"
user fusermount3 -u "$dir" || fail "fusermount3 -u"
await nothing_left || fail "left: $(mounts) $(servers)"
echo "ok: another's tree"
