# shellcheck shell=sh disable=SC2154 # what stack.sh sets
# Runs the C programs of tests/sql, whose results become those of the test. Sourced behind tap.sh and stack.sh.
#
#   run_c_program NAME [LABEL]  runs the program of tests/sql/NAME.c on $SHORTEN_DATABASE; LABEL stands before the
#                               names of its results
#
# With a RESPONDER that has sanitizers, the C program has them too.

# Usage: renumber_results LABEL: results that start with 1, to go on from $tap_count.
renumber_results() {
	awk -v count="$tap_count" -v label="$1" '
		/^1\.\./ { next }
		/^(not )?ok / { sub(/ok [0-9]+ - /, "ok " ++count " - " label) }
		{ print }'
}

run_c_program() {
	case ${RESPONDER-} in
	*/asan/*) program=${RESPONDER%/*}/sql/$1 ;;
	*) program=build/sql/$1 ;;
	esac
	results=$stack_folder/results
	exit_status=0
	SHORTEN_DATABASE=$SHORTEN_DATABASE "$stack_checkout/$program" >"$results" 2>"$stack_folder/log" || exit_status=$?
	renumber_results "${2:+$2: }" <"$results"
	results_count=$(grep -c -E '^(not )?ok ' "$results")
	tap_count=$((tap_count + results_count))
	tap_failures=$((tap_failures + $(grep -c '^not ok ' "$results")))
	is "$(grep '^1\.\.' "$results")" "1..$results_count" 'the program runs all of its tests'
	is "$exit_status" 0 'and all of them pass'
	[ "$exit_status" -ne 0 ] || return 0
	diag "$(grep -A 3 '^not ok ' "$results")"
	show_file "$stack_folder/log"
}
