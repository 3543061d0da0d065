#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Data streams beside the JDK's: tests/jdk_data writes a file that
# tests/jdk/Data.java reads through a mount, and reads one that it wrote there,
# value by value. With one JDK; from level ci on with all that are there.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

program=${MVFS_BUILDDIR:-.}/tests/jdk_data
source=${MVFS_SRCDIR:-.}/tests/jdk/Data.java
[ -x "$program" ] || skip "built without libmemvfs-fuse"

# Homes of JDKs that run a source file: from 11 on, and with a compiler.
jdks() {
	for home in $JAVA_HOME /usr/lib/jvm/*; do
		home=$(readlink -f "$home") && [ -x "$home/bin/javac" ] &&
			[ -r "$home/release" ] || continue
		version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' \
			"$home/release")
		[ "${version:-0}" -ge 11 ] && echo "$version $home"
	done | sort -u -k 1,1rn -k 2 | cut -d ' ' -f 2-
}

found=$(jdks)
[ -n "$found" ] ||
	skip "needs a JDK of 11 or later (Debian: apt install openjdk-17-jdk)"
case ${MVFS_CHECK_LEVEL:-check} in
check) found=$(echo "$found" | head -n 1) ;;
esac

echo "$found" >"$work/jdks"
while read -r home; do
	new_dir
	"$program" "$home/bin/java" "$source" "$dir" ||
		fail "$home and memvfs do not understand each other"
	not_mounted "$dir" || fail "$dir is still mounted"
done <"$work/jdks"
