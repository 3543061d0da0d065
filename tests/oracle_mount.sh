#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The differential test through a mount: short at level check, 200 000
# operations at level long. MVFS_SEED: the first seed.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_fuse

case ${MVFS_CHECK_LEVEL:-check} in
check) seeds=1 ops=5000 ;;
ci) seeds=4 ops=10000 ;;
*) seeds=10 ops=20000 ;;
esac
exec "${MVFS_BUILDDIR:-.}/tests/oracle" --mount --seeds $seeds --ops $ops
