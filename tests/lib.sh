# SPDX-License-Identifier: MIT
# What the test scripts share. Source it: . "${MVFS_SRCDIR:-.}/tests/lib.sh"

skip() { # REASON
	echo "SKIP: $*"
	exit 77
}

fail() { # MESSAGE
	echo "FAIL: $*" >&2
	exit 1
}

# need_level ci|long: skip unless the suite runs at that level or a higher one
need_level() {
	case "$1:${MVFS_CHECK_LEVEL:-check}" in
	check:*|ci:ci|ci:long|long:long) ;;
	*) skip "level $1 (this run: ${MVFS_CHECK_LEVEL:-check})" ;;
	esac
}

need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
}

need_command() { # COMMAND [PACKAGE]
	command -v "$1" >/dev/null ||
		skip "needs $1 (Debian: apt install ${2:-$1})"
}

need_fuse() {
	[ -c /dev/fuse ] && [ -r /dev/fuse ] && [ -w /dev/fuse ] ||
		skip "no usable /dev/fuse (modprobe fuse; in a container," \
			"--device /dev/fuse --cap-add SYS_ADMIN)"
	need_command fusermount3 fuse3
}
