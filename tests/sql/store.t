#!/bin/sh
# The store against a real PostgreSQL: runs the C program of tests/sql/store.c and looks at what it leaves.
# shellcheck disable=SC2154,SC2034 # what the libraries set and use
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"

# Its results are passed on and its numbers continued; the plan is printed at the end, for all of them.
run_program() {
	results=$stack_folder/results
	exit_status=0
	SHORTEN_DATABASE=$SHORTEN_DATABASE "$stack_checkout/build/sql/store" >"$results" 2>"$stack_folder/log" ||
		exit_status=$?
	grep -v '^1\.\.' "$results"
	tap_count=$(grep -c -E '^(not )?ok ' "$results")
	tap_failures=$(grep -c '^not ok ' "$results")
	is "$(grep '^1\.\.' "$results")" "1..$tap_count" 'the program runs all of its tests'
	is "$exit_status" 0 'and all of them pass'
	[ "$exit_status" -eq 0 ] || show_file "$stack_folder/log"
}

test_rows() {
	is "$(sql 'SELECT id, visits FROM shortenedurls WHERE visits > 0 ORDER BY id' | xargs)" 'NULL|5 batch-0003|8' \
		'visits are counted once however often their batch is repeated'
}

start_database
run_program
test_rows
done_testing
