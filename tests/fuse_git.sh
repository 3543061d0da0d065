#!/bin/sh
# SPDX-License-Identifier: MIT
#
# git on the mount: 200 commits, branches, merges, fsck, gc, clone, and the
# files checked out are those that were committed.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_level ci
need_command git
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

HOME=$work
GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME=Somebody GIT_AUTHOR_EMAIL=somebody@example.org
GIT_COMMITTER_NAME=Somebody GIT_COMMITTER_EMAIL=somebody@example.org
export HOME GIT_CONFIG_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL \
	GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

mount_new
mkdir "$dir/repo" && cd "$dir/repo" || fail "mkdir"
git init -q -b main . || fail "git init"
i=0
while [ $i -lt 200 ]; do
	i=$((i + 1))
	mkdir -p "dir-$((i % 7))/sub-$((i % 3))"
	seq $i $((i * 3)) >"dir-$((i % 7))/sub-$((i % 3))/file-$((i % 50))"
	echo "line $i" >>log
	git add -A && git commit -q -m "Commit $i" || fail "commit $i"
done
[ "$(git rev-list --count HEAD)" = 200 ] || fail "not 200 commits"
[ -z "$(git status --porcelain)" ] || fail "dirty: $(git status --porcelain)"
git fsck --strict --no-dangling || fail "git fsck"
echo "ok: 200 commits, fsck"

git checkout -q -b side HEAD~20 && echo side >side && git add side &&
	git commit -q -m side && git checkout -q main &&
	git merge -q -m merge side || fail "merge"
git mv dir-1 renamed && git commit -q -m rename || fail "git mv"
git stash list && echo more >>log && git stash -q && git stash pop -q &&
	git checkout -q log || fail "stash"
git gc -q --aggressive --prune=now || fail "git gc"
git fsck --strict || fail "git fsck after gc"
[ -z "$(git status --porcelain)" ] || fail "dirty after gc"
echo "ok: merge, gc, fsck"

git clone -q --no-hardlinks . "$dir/clone" || fail "git clone on the mount"
git clone -q "$dir/repo" "$work/clone" || fail "git clone to the host"
diff -r --exclude .git "$dir/repo" "$dir/clone" || fail "clones differ"
diff -r --exclude .git "$dir/repo" "$work/clone" || fail "clones differ"
cd "$dir/clone" && git checkout -q HEAD~100 && git checkout -q main &&
	git fsck || fail "the clone"
echo "ok: clone"
cd /
unmount_dir
