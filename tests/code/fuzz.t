#!/bin/sh
# The fuzzers, in a short form: each tries its corpus, and goes on from there for a second. And that findings are found.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# fuzz ARGUMENT...: sets $status, $out. Among other tests a second would not be enough for one that gives way.
fuzz() {
	status=0
	out=$(FOUND=$folder/found NICE=0 tests/fuzz/run "$@" 2>&1) || status=$?
}

# write_fuzzer NAME STATEMENT: a fuzzer that does this where an input begins with an x; what is in its corpus does not.
write_fuzzer() {
	mkdir -p "$folder/fuzzers/corpus/$1"
	printf '%s\n' '/* modules: utf8; max_len: 2 */' '#include "fuzz.h"' '#include <limits.h>' \
		'int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)' '{' \
		'	if (size == 0 || data[0] != 0x78)' '		return 0;' "	$2" '	return 0;' '}' >"$folder/fuzzers/$1.c"
	printf 'a' >"$folder/fuzzers/corpus/$1/a"
}

# What is wrong on purpose: each has to be found, which ends the run, and its input kept.
test_findings() {
	write_fuzzer wrong 'must(size > 2);'
	write_fuzzer behind 'volatile uint8_t byte = data[size]; (void)byte;'
	write_fuzzer undefined 'volatile int sum = INT_MAX; sum += (int)size; (void)sum;'
	write_fuzzer leak 'void *volatile memory = fuzz_allocate(size); memory = NULL; (void)memory;'
	write_fuzzer right 'must(size <= 2);'
	while IFS='|' read -r name expected; do
		T=60 HARNESSES=$folder/fuzzers BUILD=$folder/build fuzz "$name"
		like "$status $out" "1 *$expected*$name breaks on $folder/found/$name.*" "what is $name is found"
		input=$(printf '%s\n' "$out" | sed -n 's/.* breaks on \([^;]*\);.*/\1/p')
		like "$(cat "$input")" 'x*' 'and its input kept'
	done <<'END_OF_ROWS'
wrong|not so: size > 2
behind|heap-buffer-overflow
undefined|signed integer overflow
leak|LeakSanitizer
END_OF_ROWS
	T=1 HARNESSES=$folder/fuzzers BUILD=$folder/build fuzz right
	like "$status $out" '0 *right: *inputs tried, nothing found*' 'what is right passes'
}

test_usage() {
	T=1 fuzz no_such_fuzzer
	like "$status $out" '1 *there is no tests/fuzz/no_such_fuzzer.c.' 'a name that is none'
	T=1s fuzz utf8
	like "$status $out" '1 *T must be a whole number of seconds.' 'a time that is none'
}

# All at once, for building them one by one would take longer than running them.
test_all() {
	T=1 fuzz
	is "$status" 0 'all are built and run'
	[ "$status" -eq 0 ] || diag "$out"
	for file in tests/fuzz/*.c; do
		name=$(basename -s .c "$file")
		ok "$name has a corpus" test -n "$(ls "tests/fuzz/corpus/$name")"
		like "$out" "*$name: *inputs tried, nothing found*" "$name finds nothing"
	done
}

test_usage
test_findings
test_all
done_testing
