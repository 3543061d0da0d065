# SPDX-License-Identifier: MIT
# What the test scripts of the mount share. Source it after lib.sh. It gives a
# directory $work, and at exit, however that comes, whatever is mounted below
# it is unmounted and whatever memvfs serves it is ended.

memvfs=${MEMVFS:?the command to test}
need_fuse
work=$(mktemp -d "${TMPDIR:-/tmp}/memvfs-test-XXXXXX") || exit 1
work=$(cd "$work" && pwd -P)

# Mount points below $work, the last mounted first.
mounts() {
	awk -v work="$work/" 'index($5, work) == 1 { print $5 }' \
		/proc/self/mountinfo | sort -r
}

# The memvfs processes that were given a path below $work, relative or not.
servers() {
	for proc in /proc/[0-9]*; do
		case $(cat "$proc/comm" 2>/dev/null) in
		memvfs|lt-memvfs) ;;
		*) continue ;;
		esac
		tr '\0' '\n' <"$proc/cmdline" 2>/dev/null |
			grep -qF "${work##*/}/" && echo "${proc#/proc/}"
	done
	:
}

# A command that waits for a mount that does not answer cannot be killed: the
# connection has to be closed first. No test waits for longer than this.
watch() {
	# In small pieces: a sleep(1) outlives the one who started it.
	seconds=0
	while [ $seconds -lt "${fuse_test_limit:-900}" ]; do
		sleep 1
		seconds=$((seconds + 1))
	done
	echo "FAIL: not done after ${fuse_test_limit:-900} s" >&2
	for mount in $(mounts); do
		umount -f "$mount" 2>/dev/null
	done
	for pid in $(servers); do
		kill -KILL "$pid" 2>/dev/null
	done
	kill -TERM $$
}

clear_away() {
	status=$?
	trap - EXIT
	kill "$watcher" 2>/dev/null
	cd /
	for mount in $(mounts); do
		umount -l "$mount" 2>/dev/null ||
			fusermount3 -uz "$mount" 2>/dev/null
	done
	for pid in $(servers); do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
	exit $status
}
trap clear_away EXIT
trap 'exit 1' HUP INT TERM
watch >/dev/null &
watcher=$!

# until COMMAND...: waits until it succeeds, 30 s at most
await() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.05
	done
}

is_mounted() { # DIR
	awk -v dir="$1" '$5 == dir { found = 1 } END { exit !found }' \
		/proc/self/mountinfo
}

not_mounted() {
	! is_mounted "$1"
}

no_servers() {
	[ -z "$(servers)" ]
}

nothing_left() {
	[ -z "$(mounts)" ] && no_servers
}

# A fresh directory to mount on, in $dir.
new_dir() {
	dir=$work/mnt.$((count = ${count:-0} + 1))
	mkdir "$dir" || fail "mkdir"
}

# Mounts in the background on a fresh $dir; the process is $server.
mount_new() { # [OPTION...]
	new_dir
	"$memvfs" mount "$@" "$dir" || fail "memvfs mount $* $dir: status $?"
	is_mounted "$dir" || fail "$dir is not mounted when the call returns"
	server=$(servers | tail -n 1)
	[ -n "$server" ] || fail "nobody serves $dir"
}

# Unmounts $dir and waits for its process.
unmount_dir() {
	umount "$dir" || fail "umount $dir: $?"
	await nothing_left ||
		fail "left: $(mounts) $(servers)"
}
