#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The two commands of the README in a fresh clone on a bare Debian 12 and 13,
# with nothing but git, and once more where there is no /dev/fuse: then what
# needs it is left out with the reason and the way to get it.
#
# MVFS_DEBIAN_MIRROR and MVFS_DEBIAN_RELEASES choose others.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_level long
need_root
need_command debootstrap
need_command unshare util-linux

mirror=${MVFS_DEBIAN_MIRROR:-http://deb.debian.org/debian}
releases=${MVFS_DEBIAN_RELEASES:-bookworm trixie}
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Fill SRC of a new root with a clone, or with the unpacked tarball.
bring_source() { # ROOT
	rm -rf "$1/src"
	if [ -e "$MVFS_SRCDIR/.git" ]; then
		git -c safe.directory='*' clone -q "$MVFS_SRCDIR" "$1/src"
	else
		mkdir "$1/src" && cp -a "$MVFS_SRCDIR/." "$1/src"
	fi
}

# Run a command in the root, in mount and process namespaces of its own: what
# it mounts or starts is gone when it ends.
inside() { # ROOT fuse|nofuse COMMAND
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		MAKEFLAGS=-j2 ROOT="$1" DEVICES="$2" COMMAND="$3" \
		unshare --mount --pid --fork --kill-child bash -e -c '
		mount --make-rprivate /
		mount -t proc proc "$ROOT/proc"
		mount -t tmpfs tmpfs "$ROOT/tmp"
		mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
		for name in null zero full random urandom tty fuse; do
			[ $name$DEVICES != fusenofuse ] || continue
			[ -e /dev/$name ] || continue
			touch "$ROOT/dev/$name"
			mount --bind /dev/$name "$ROOT/dev/$name"
		done
		mkdir "$ROOT/dev/shm"
		mount -t tmpfs tmpfs "$ROOT/dev/shm"
		chroot "$ROOT" sh -c "cd /src && $COMMAND"' 2>&1
}

# Of the tests that failed, what they said.
failed_logs() { # DIRECTORY
	find "$1" -name '*.trs' | while read -r trs; do
		grep -qE '^:test-result: (FAIL|ERROR)' "$trs" || continue
		echo "--- ${trs%.trs}.log"
		tail -n 50 "${trs%.trs}.log"
	done
}

# The rows that a machine without /dev/fuse has as well.
has_table() { # LOG
	grep -q '^Benchmark.*(where).*(length).*Score' "$1" &&
		grep -q 'readString.asciiAsGbk.*memory' "$1" &&
		grep -q 'readString.gbk.*memory' "$1"
}

for release in $releases; do
	root=$work/$release
	log=$work/$release.log
	debootstrap --variant=minbase --include=git "$release" "$root" \
		"$mirror" >"$log" 2>&1 ||
		{ tail -n 5 "$log"; skip "no $release from $mirror"; }

	for devices in fuse nofuse; do
		[ $devices = nofuse ] || [ -c /dev/fuse ] || continue
		for target in demo check; do
			echo "== $release, $devices: ./bootstrap, make $target"
			bring_source "$root" || fail "no source"
			inside "$root" $devices \
				"./bootstrap && make $target" >"$log" ||
				{ cat "$log"; failed_logs "$root/src"
				fail "$release: make $target"; }
			case $target in
			demo) has_table "$log" || { cat "$log"; false; } ;;
			check) grep -E '^# (TOTAL|PASS|SKIP)' "$log" ;;
			esac || fail "$release: make $target printed no table"
			[ $target$devices != demonofuse ] ||
				grep -q '/dev/fuse' "$log" ||
				fail "$release: the missing rows have no reason"
		done
	done
	rm -rf --one-file-system "$root"
done
