#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A small program that knows nothing of memvfs (tests/redirect/keeper.c), built
# with --coverage and -include memvfs/redirect.h, and tested in a tree: with
# Check, in forks and without, cmocka and GoogleTest, where they are, and each
# under AddressSanitizer as well. What gcov counts of it is right, for gcov's
# own files go to the host; what fails tells what and where. And each call that
# redirect.h does not cover is an error that names it.
#
# All of it as an ordinary user and without /dev/fuse: root becomes one, in a
# mount namespace where that is covered, as far as that can be had.

. "${MVFS_SRCDIR:?run by make check}/tests/lib.sh"
src=$MVFS_SRCDIR
lib=${MVFS_BUILDDIR:?}/.libs
cc=${CC:-cc}
# of the same maker, whose coverage the other's linker does not know
case $cc in
*clang*) cxx=${CXX:-clang++} all_errors=-ferror-limit=0 ;;
*) cxx=${CXX:-g++} all_errors=-fmax-errors=0 ;;
esac
flags="-I$src -I$src/api -Wall -Wextra -Werror"

# Root becomes an ordinary user, and /dev/fuse is what he may not open.
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" = 0 ] && [ -z "$MVFS_TEST_USER" ]; then
	export MVFS_TEST_USER=yes
	if ! $user test -r "$lib/libmemvfs.so" -a -r "$src/configure.ac" \
		2>/dev/null; then
		echo "redirect: an ordinary user cannot read it all: as root"
	elif unshare -m true 2>/dev/null; then
		exec unshare -m --propagation private sh -c '
			cover=$(mktemp) && chmod 0 "$cover" &&
			[ ! -e /dev/fuse ] ||
				mount --bind "$cover" /dev/fuse
			rm -f "$cover"
			exec '"$user"' sh "$0"' "$0"
	else
		exec $user sh "$0"
	fi
fi
[ ! -r /dev/fuse ] || echo "redirect: there is a /dev/fuse to be opened"
echo "redirect: as uid $(id -u)"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp" || exit 1

[ -e "$lib/libmemvfs.so" ] || skip "no shared library"
nm -D "$lib/libmemvfs.so" | grep -q -e ' U __asan_' -e ' U __tsan_' &&
	skip "the library has a sanitizer of its own"
echo 'int main(void) { return 0; }' >probe.c
$cc --coverage -c probe.c -o probe.o 2>/dev/null &&
	$cc --coverage probe.o -o probe 2>/dev/null && ./probe ||
	skip "$cc has no --coverage"
# that which reads what this compiler counts
gcov=
for tool in "${GCOV:-gcov}" gcov "llvm-cov gcov"; do
	$tool probe.o >/dev/null 2>&1 && [ -s probe.c.gcov ] || continue
	gcov=$tool
	break
done
[ "$gcov" ] || skip "no gcov for what $cc counts (clang: llvm-cov)"
rm -f probe*

# What failing tests tell, in each framework.
failures() { # NAME
	while read -r line; do
		grep -qF -- "$line" "$1/failures" ||
			{ cat "$1/failures"; fail "$1: not told: $line"; }
	done <<-'END'
		descriptor 0 of /leak is still open, opened at
		tests/redirect/leaky.c:15
		descriptor 0 of /a is not open, opened at
		closed again at
		/a: not what is expected from byte 5 on (line 2)
		expected 8 bytes, from 0 on: 6f 6e 65 0a 74>6f 6f 0a
		found    8 bytes, from 0 on: 6f 6e 65 0a 74>77 6f 0a
		write path=/a.new nth=1 short=5 (fired at 1 of 2)
	END
}

# Builds and runs a test of the program; gcov must have counted it.
try() { # NAME COMPILER-AND-TEST-FLAGS LIBS EXTRA...
	name=$1 test=$2 libs=$3
	case $name in
	*-fork) run="env CK_FORK=yes" ;;
	*) run="env CK_FORK=no" ;;
	esac
	shift 3
	mkdir "$name" || exit 1
	(
		cd "$name" || exit 1
		$cc $flags "$@" --coverage -O0 -include memvfs/redirect.h \
			-c "$src/tests/redirect/keeper.c" -o keeper.o &&
		$cc $flags "$@" -O0 -include memvfs/redirect.h \
			-include memvfs/places.h \
			-c "$src/tests/redirect/leaky.c" -o leaky.o &&
		$test $flags "$@" -c -o test.o &&
		${test%% *} "$@" --coverage test.o keeper.o leaky.o -o run \
			"$lib/libmemvfs.so" -Wl,-rpath,"$lib" $libs &&
		$run ./run >out 2>&1
	) || { cat "$name/out"; fail "$name failed"; }
	[ -s "$name/keeper.gcda" ] || fail "$name: no keeper.gcda"
	(cd "$name" && $gcov keeper.o >gcov.out 2>&1) ||
		fail "$name: gcov failed"
	# the write that fails is counted as often as it failed: once
	grep -q '^ *1\*\{0,1\}:.*unlink(name);' "$name/keeper.c.gcov" ||
		fail "$name: gcov counted wrongly"
	for counted in "$name"/redirect*.h.gcov; do
		[ ! -e "$counted" ] || fail "$name: gcov counts $counted"
	done
	# what is left open on purpose is no memory to look for
	(cd "$name" && ASAN_OPTIONS=detect_leaks=0 $run ./run fail) \
		>"$name/failures" 2>&1 && fail "$name: what fails passes"
	failures "$name"
	echo "redirect: $name, and its coverage"
}

have() { pkg-config --exists "$1" 2>/dev/null; }
config() { pkg-config --cflags "$1"; }

asan=
$cc -fsanitize=address -x c - -o probe 2>/dev/null <<-END && ./probe && asan=1
	int main(void) { return 0; }
END
# With a framework, plain and under AddressSanitizer.
both() { # PACKAGE COMPILER SOURCE
	with="$2 $(config "$1") $src/tests/redirect/$3"
	try "$1" "$with" "$(pkg-config --libs "$1")"
	[ -z "$asan" ] || try "$1-asan" "$with" "$(pkg-config --libs "$1")" \
		-fsanitize=address
}

if have check; then
	both check "$cc" check.c
	try check-fork "$with" "$(pkg-config --libs check)"
else
	echo "redirect: no Check here (Debian: check), left out"
fi
if have cmocka; then
	both cmocka "$cc" cmocka.c
else
	echo "redirect: no cmocka here (Debian: libcmocka-dev), left out"
fi
if have gtest && command -v "${cxx%% *}" >/dev/null; then
	both gtest "$cxx" gtest.cc
else
	echo "redirect: no GoogleTest here (Debian: libgtest-dev g++)," \
		"left out"
fi

# Each name that is not covered, as a call and as an address.
sed -n 's/^MVFS__UNCOVERED[_AS]*(\([a-z0-9_]*\)[,)].*/\1/p' \
	"$src/api/memvfs/redirect_names.h" >names
[ "$(wc -l <names)" -gt 40 ] || fail "only $(wc -l <names) names"
while read -r name; do
	echo "void *at(void); void *at(void) { return (void *)&$name; }"
done <names >uses.c
$cc $flags -include memvfs/redirect.h -fsyntax-only $all_errors \
	uses.c 2>errors
echo 'int f; int main(void) { return 0; }' >none.c
$cc $flags -include memvfs/redirect.h -fsyntax-only none.c ||
	fail "a program that calls nothing is refused"
while read -r name; do
	grep -q "redirect.h covers* [a-z ]*$name\|not cover $name" errors ||
		fail "the use of $name is no error"
done <names
echo "redirect: $(wc -l <names) calls that are not covered are errors"
