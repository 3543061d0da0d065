#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the README shows is so: its example is a program that make check
# builds and runs, its links lead to files, its figures have their place. And
# memvfs(3) names every function of the first tier and of the mounts.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
cd "${MVFS_SRCDIR:-.}" || fail "no source directory"
tmp=$(mktemp -d) || fail "no temporary directory"
trap 'rm -rf "$tmp"' EXIT

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md \
	>"$tmp/example.c"
diff -u examples/01_read_string.c "$tmp/example.c" ||
	fail "the example of README.md is not examples/01_read_string.c"
[ "$(wc -l <"$tmp/example.c")" -le 20 ] ||
	fail "the example of README.md is longer than 20 lines"

tr '\n' ' ' <README.md | grep -oE '\]\( *[^)]+\)' | tr -d ']() ' |
	while read -r target; do
		case $target in
		http:*|https:*|\#*) continue ;;
		esac
		[ -e "$target" ] || fail "README.md links to $target"
	done || exit 1

for mark in begin end; do
	grep -q "^<!-- figures of make demo: $mark -->$" README.md ||
		fail "README.md has no place for the figures ($mark)"
done
grep -qF './bootstrap && make demo' README.md &&
	grep -qF './bootstrap && make check' README.md ||
	fail "README.md does not say the two commands"

cat api/memvfs/*.h fuse/memvfs/fuse.h | grep -oE '\bmvfs_[a-z0-9][a-z0-9_]+ ?\(' |
	grep -vE '^mvfs_(sys_|[a-z]+_fn)' | tr -d ' (' | sort -u |
	while read -r function; do
		grep -qF ".BR $function ()" docs/memvfs.3 ||
			fail "docs/memvfs.3 does not name $function()"
	done || exit 1
echo "README.md: example, links, commands are right"
