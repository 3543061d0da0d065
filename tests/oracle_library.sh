#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The differential test of the library: short at level check, one million
# operations over 20 seeds at level long. MVFS_SEED: the first seed.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"

case ${MVFS_CHECK_LEVEL:-check} in
check) seeds=2 limited=1 ops=20000 ;;
ci) seeds=10 limited=5 ops=20000 ;;
*) seeds=20 limited=5 ops=50000 ;;
esac
oracle=${MVFS_BUILDDIR:-.}/tests/oracle
"$oracle" --seeds $seeds --ops $ops || exit
# The same where both have room for 64 blocks; who cannot mount a tmpfs of
# that size does without.
"$oracle" --limit 262144 --seeds $limited --ops $ops
status=$?
[ $status -eq 77 ] || exit $status
