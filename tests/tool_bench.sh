#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memvfs bench: short runs of each benchmark, as text and as JSON, and what
# it says to bad usage. What the figures are is no matter here.

. "${MVFS_SRCDIR:-.}/tests/lib.sh"
memvfs=${MEMVFS:-./memvfs}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
TMPDIR=$tmp
export TMPDIR
mkdir "$tmp/source" "$tmp/disk" "$tmp/empty"
echo "the quick brown fox jumps over the lazy dog" >"$tmp/source/en.txt"
printf '\344\270\255\346\226\207\345\255\227\347\254\246, abc\n' \
	>"$tmp/source/zh.txt"

# Runs memvfs; output and messages are in $tmp/out and $tmp/err.
run() { # STATUS ARGUMENT...
	want=$1
	shift
	"$memvfs" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status = "$want" ] || {
		cat "$tmp/out" "$tmp/err"
		fail "memvfs $*: exit status $status, not $want"
	}
}

has() { # FILE PATTERN
	grep -Eq -e "$2" "$tmp/$1" || {
		cat "$tmp/$1"
		fail "no line like '$2'"
	}
}

# What is used wrongly is told from what fails, and prints no table.
refuses() { # MESSAGE ARGUMENT...
	message=$1
	shift
	run 2 "$@"
	has err "$message"
	[ ! -s "$tmp/out" ] || fail "memvfs $*: printed something"
}

refuses "no command"
refuses "unknown command 'nonsense'" nonsense
refuses "unknown option '--nonsense'" --nonsense
refuses "no benchmark" bench
refuses "unknown benchmark 'nonsense'" bench nonsense
refuses "unknown option '-x'" bench tree -x
rs="bench readstring"
refuses "unknown option '--nonsense'" $rs --nonsense
refuses "'--length' needs a value" $rs --length
refuses "--length '1X'" $rs --length 1024,1X
refuses "--length ''" $rs --length 1024,,1
refuses "--length '-1'" $rs --length=-1
refuses "--length '99999999999G'" $rs --length 99999999999G
refuses "--charset 'ebcdic'" $rs --charset ascii,ebcdic
refuses "--where 'nowhere'" $rs --where nowhere
refuses "--where '$tmp/none'.*No such file" $rs --where "$tmp/none"
refuses "--where '$tmp/source/en.txt'.*Not a directory" \
	$rs --where "$tmp/source/en.txt"
refuses "--source '$tmp/none'.*No such file" $rs --source "$tmp/none"
refuses "--source '$tmp/source/en.txt'.*Not a directory" \
	$rs --source "$tmp/source/en.txt"
refuses "--time 'soon'" $rs --time soon
refuses "--time '-1'" $rs --time=-1
refuses "--mode 'fast'" $rs --mode fast
refuses "--format 'xml'" $rs --format xml
refuses "'more'" $rs more
refuses "--files '0'" bench tree --files 0
refuses "--files '1e6'" bench tree --files 1e6
refuses "--files '39'.*must be 40 to" bench clone --files 39
refuses "--suite-files 'all'" bench clone --suite-files all
refuses "--tests '0'" bench clone --tests 0
refuses "--transactions '0'" bench crash --transactions 0
refuses "--only 'nothing'" bench peers --only strings,nothing
refuses "'more'" bench peers more

for command in "" bench "$rs" "bench tree" "bench clone" "bench crash" \
	"bench peers"
do
	run 0 $command --help
	has out '^Usage: memvfs'
done
run 0 --version
has out '^memvfs [0-9]'

# Every place and charset has a row, or is left out with a reason.
places=memory,mount,tmpfs,$tmp/disk
run 0 $rs --where "$places" --length 0,300 --source "$tmp/source" --time 0
cp "$tmp/out" "$tmp/table"
for key in version compiler machine kernel 'huge pages' load \
	'vector kernels' 'cpu caches' libfuse 'mount cache' 'system call' \
	seed 'text source' 'text ascii: .* ASCII, SHA-256 [0-9a-f]+' \
	'text gbk' 'repeats utf8'
do
	has table "^# $key"
done
has table '^Benchmark +\(where\) +\(length\) +\(text\) +\(cache\) +Mode +Cnt'
for row in ascii utf8 gbk asciiAsGbk; do
	for place in memory mount tmpfs "$tmp/disk"; do
		if grep -q "^# readString[.][*] $place: ." "$tmp/table"; then
			echo "$row: $place is left out"
			continue
		fi
		for length in 0 300; do
			has table "^readString[.]$row +$place +$length +first"
		done
	done
	has table "^readString[.]$row +memory +300 +again"
done
has table '^readString.ascii +memory +300 +first +- +avgt +11 .* moved no bytes'
has table '^mallocMemcpy.ascii +memory +300 +- +- +avgt +11 .* ns/op'
has table '^# readString.* tmpfs( cold)?: .'
grep -E '^# readString[^:]*: *$' "$tmp/table" && fail "left out without reason"
find "$tmp" -name 'memvfs-bench-*' | grep . && fail "something was left"

# What cannot be had has a reason, the rest is measured.
rm "$tmp/source/zh.txt"
run 0 $rs --where memory --length 10 --source "$tmp/source" --time 0 \
	--charset ascii,gbk --mode thrpt
has out '^readString.ascii .* thrpt .* ops/s'
has out '^# readString.gbk: no file of .* holds GBK text'
run 0 $rs --where memory --length 10 --charset ascii --time 0
has out '^# text source: GENERATED'

run 0 bench tree --files 2000 --time 0
for op in create rename unlink openClose stat lookup; do
	has out "^$op +memory +1000 +dirs"
	has out "^$op +memory +2000 +flat"
	grep -q '^# .* in tmpfs: .' "$tmp/out" || {
		has out "^$op +tmpfs +2000 +dirs"
		has out "^tmpfs / memory, $op .*at least"
	}
done
has out '^clone +memory +2000'
has out '^firstChange.create +memory +2000 +flat +hot'
has out '^memory: 2000 files of 0 bytes, dirs, allocated .*B/file'
has out '^memory: 2000 files of 1024 bytes, dirs, resident .*B/file'
run 0 bench tree --files 1 --time 0 --format json
cp "$tmp/out" "$tmp/tree.json"
has tree.json '"files": "1"'

# The smallest trees: every change is told, or the row would be left out.
run 0 bench clone --files 40 --suite-files 1040 --tests 3 --time 0
for row in 'suite +memory +1040 +20 in each of 3' 'clone +memory +1040' \
	'snapshot.restore +memory +40 +10 in a directory' \
	'snapshot.restore +memory +40 +10 anywhere' \
	'diff +memory +40 +10 in a directory' 'diff +memory +40 +10 anywhere'
do
	has out "^$row .* avgt +11 "
done
has out '^suite of 3 tests, each on 1040 files .*at most 3e\+06: '
has out '^diff, 10 anywhere, 40 files .*at most 1e\+06: '
grep -q '^# cp -a on tmpfs: .' "$tmp/out" || {
	has out '^cp -a +tmpfs +1040 .* a process each'
	has out '^cp -a / clone, 1040 files of 1024 bytes '
}

# Were a state wrong, the row would be left out.
run 0 bench crash --transactions 2 --time 0
has out '^program.tracked +memory +- +2 +avgt +11 '
for policy in ordered posix; do
	has out "^crashes +memory +$policy +2 +avgt +11 .* [0-9]+ states"
	has out "^10000 states built.*; $policy .*at most 1e\+10: "
done

# Beside what else there is: in full where there is time.
only="--only strings"
[ "${MVFS_CHECK_LEVEL:-check}" = check ] || only=
run 0 bench peers $only --time 0
has out '^reference +memvfs +- +- +avgt +11 '
has out '^readString.again +memvfs path +1024 +ascii .* moved no bytes'
has out '^again by a handle / reference, 1024 .*at most 3: '
if [ -z "$only" ]; then
	for row in 'readString.first +memvfs +1048576 +gbk' \
		'decode +glibc iconv +1048576 +gbk' 'zeroed +obstack +100' \
		'zeroed +memvfs arena +5' 'scratch +memvfs +64' \
		'twoThreads.oneInstance +memvfs path' \
		'ints.array +memvfs +4096' 'ints.oneByOne +putc_unlocked x4'
	do
		has out "^$row"
	done
	for peer in GLib ICU mimalloc JDK; do
		has out "^# $peer: "
	done
fi

# JSON: well-formed, the same facts, and read back by --compare.
json() {
	run 0 $rs --where memory --length 0,300 --charset ascii --time 0 \
		--format json "$@"
}
json
cp "$tmp/out" "$tmp/old.json"
has old.json '"memvfs_bench": 1,'
has old.json '"median_ns": [0-9]'
has old.json '"where": "memory"'
if command -v python3 >/dev/null; then
	for name in old tree; do
		python3 -m json.tool "$tmp/$name.json" >/dev/null ||
			fail "$name.json is no JSON"
	done
fi

"$memvfs" $rs --compare "$tmp/none" >/dev/null 2>"$tmp/err"
if [ $? = 2 ]; then
	has err 'built without'
	echo "--compare is not tried: $(cat "$tmp/err")"
	exit 0
fi
has err "none: No such file"
run 1 $rs --compare "$tmp/source/en.txt"
has err "en.txt: "
echo '{"rows": []}' >"$tmp/other.json"
run 1 $rs --compare "$tmp/other.json"
has err "not the JSON output of a memvfs benchmark"
json --compare "$tmp/old.json"
has out '"row": "readString.ascii memory 300 again"'
has out '"ratio": [0-9]'
run 0 $rs --where memory --length 300 --charset ascii --time 0 \
	--compare "$tmp/old.json"
has out '^readString.ascii memory 300 again +[0-9.]+ -> [0-9.]+ ns/op, ratio'
sed 's/"machine": "/&another /' "$tmp/old.json" >"$tmp/far.json"
run 0 $rs --where memory --length 300 --charset ascii --time 0 \
	--compare "$tmp/far.json"
has out '^# compared with nothing: .* another machine'
grep -q ' -> ' "$tmp/out" && fail "rows of another machine were compared"
exit 0
