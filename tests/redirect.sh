#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A small program that knows nothing of memvfs (tests/redirect/keeper.c), built
# with --coverage and -include memvfs/redirect.h, and tested in a tree: with
# Check, cmocka and GoogleTest, where they are, and under AddressSanitizer.
# What gcov counts of it is right, for gcov's own files go to the host. And
# each call that redirect.h does not cover is an error that names it.

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

# Builds and runs a test of the program; gcov must have counted it.
try() { # NAME COMPILER-AND-TEST-FLAGS LIBS EXTRA...
	name=$1 test=$2 libs=$3
	shift 3
	mkdir "$name" || exit 1
	(
		cd "$name" || exit 1
		$cc $flags "$@" --coverage -O0 -include memvfs/redirect.h \
			-c "$src/tests/redirect/keeper.c" -o keeper.o &&
		$test $flags "$@" -c -o test.o &&
		${test%% *} "$@" --coverage test.o keeper.o -o run \
			"$lib/libmemvfs.so" -Wl,-rpath,"$lib" $libs &&
		CK_FORK=no ./run >out 2>&1
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
	echo "redirect: $name, and its coverage"
}

have() { pkg-config --exists "$1" 2>/dev/null; }
config() { pkg-config --cflags "$1"; }

asan=
$cc -fsanitize=address -x c - -o probe 2>/dev/null <<-END && ./probe && asan=1
	int main(void) { return 0; }
END
if have check; then
	check="$cc $(config check) $src/tests/redirect/check.c"
	try check "$check" "$(pkg-config --libs check)"
	if [ $asan ]; then
		try asan "$check" "$(pkg-config --libs check)" \
			-fsanitize=address
	fi
else
	echo "redirect: no Check here, left out"
fi
if have cmocka; then
	try cmocka "$cc $(config cmocka) $src/tests/redirect/cmocka.c" \
		"$(pkg-config --libs cmocka)"
else
	echo "redirect: no cmocka here, left out"
fi
if have gtest && command -v "${cxx%% *}" >/dev/null; then
	try gtest "$cxx $(config gtest) $src/tests/redirect/gtest.cc" \
		"$(pkg-config --libs gtest)"
else
	echo "redirect: no GoogleTest here, left out"
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
