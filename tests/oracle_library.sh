#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The differential test of the library: short at level check, one million
# operations over 20 seeds at level long. MVFS_SEED: the first seed.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"

case ${MVFS_CHECK_LEVEL:-check} in
check) seeds=2 ops=20000 ;;
ci) seeds=10 ops=20000 ;;
*) seeds=20 ops=50000 ;;
esac
exec "${MVFS_BUILDDIR:-.}/tests/oracle" --seeds $seeds --ops $ops
