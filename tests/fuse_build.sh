#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make -j2 of memvfs itself, with source and build tree on the mount; and a
# test that was built there passes.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
need_level ci
. "${MVFS_SRCDIR:-.}/tests/fuse-lib.sh"

src=$(cd "${MVFS_SRCDIR:-.}" && pwd)
[ -x "$src/configure" ] || skip "no configure in $src"
need_command make

mount_new
mkdir "$dir/src" "$dir/build" || fail "mkdir"
# Not what was built in place, nor a repository's history.
tar -C "$src" --exclude=./.git --exclude='*.o' --exclude='*.lo' \
	--exclude='.libs' --exclude='./config.status' --exclude='./Makefile' \
	--exclude='./config.h' -cf - . | tar -C "$dir/src" -xf - ||
	fail "cannot copy the source"
cd "$dir/build" || fail "cd"
# As little as says something: the core, the tool and the mount.
CFLAGS=-O0 ../src/configure --disable-static >configure.log 2>&1 ||
	fail "configure: $(tail -n 5 configure.log)"
make -j2 >make.log 2>&1 || fail "make: $(tail -n 20 make.log)"
[ "$(./memvfs --version)" = "$("$memvfs" --version)" ] ||
	fail "what was built does not run"
echo "ok: make -j2"

make >make.log 2>&1 || fail "make again"
# Times that do not stay would make it build everything again.
grep -q '^  CC ' make.log && fail "built twice: $(grep -c '^  CC ' make.log)"
echo "ok: nothing is built twice"

make -j2 install DESTDIR="$dir/root" >install.log 2>&1 ||
	fail "make install: $(tail -n 5 install.log)"
[ -x "$dir/root/usr/local/bin/memvfs" ] || fail "nothing was installed"
make distclean >clean.log 2>&1 || fail "make distclean"
echo "ok: make install, make distclean"
cd /
unmount_dir
