#!/bin/sh
# SPDX-License-Identifier: MIT
#
# That the differential test can be trusted: two tmpfs do not differ, and a
# planted bug is found and shrunk to a few calls.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"

oracle=${MVFS_BUILDDIR:-.}/tests/oracle
ops=5000
[ "${MVFS_CHECK_LEVEL:-check}" = check ] || ops=100000

"$oracle" --kernel --ops $ops
case $? in
0) ;;
77) exit 77 ;;
*) fail "the kernel's tmpfs differs from itself" ;;
esac

found=$("$oracle" --plant 1 --ops 50000)
case $? in
1) ;;
77) echo "$found"; exit 77 ;;
*) echo "$found"; fail "the planted bug was not found" ;;
esac
echo "$found"
echo "$found" | grep -q 'mode is .* on tmpfs, .* on memvfs' ||
	fail "what was found is not what was planted"
calls=$(echo "$found" | grep -c 'ck_assert')
[ "$calls" -le 12 ] || fail "it was shrunk to $calls calls only"
