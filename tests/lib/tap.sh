# shellcheck shell=sh
# TAP for tests in POSIX sh. Sourced; a test ends with `done_testing`.
#
#   ok NAME COMMAND [ARGUMENT]...   passes when the command succeeds
#   not_ok NAME COMMAND [ARG]...    passes when the command fails
#   is GOT EXPECTED NAME            passes when the two texts are equal
#   isnt GOT UNEXPECTED NAME        passes when they differ
#   like GOT PATTERN NAME           passes when the text matches the shell pattern, as in `case`
#   unlike GOT PATTERN NAME         passes when it does not
#   pass NAME, fail NAME            report what the test itself has found
#   diag TEXT                       a note, each of its lines behind a #
#   skip NAME REASON                counts as passed and says why it was not tried
#   skip_all REASON                 ends the test file before its first result
#   bail_out REASON                 ends the whole run: nothing that follows could work
#   try LIMIT_S COMMAND [ARG]...    repeats the command until it succeeds; fails after the limit
#   done_testing                    prints the plan, ends the test; a test without it counts as failed

tap_count=0
tap_failures=0

# A # or a line's end inside a name would be read as TAP, and long names hide it.
tap_name() {
	case $1 in
	*[!\ -~]* | *'#'*) tap_name=$(printf '%s' "$1" | LC_ALL=C tr -c ' -"$-~' '?') ;;
	*) tap_name=$1 ;;
	esac
	[ "${#tap_name}" -le 160 ] || tap_name=$(printf '%.150s...' "$tap_name")
}

pass() {
	tap_count=$((tap_count + 1))
	tap_name "$1"
	printf 'ok %d - %s\n' "$tap_count" "$tap_name"
}

fail() {
	tap_count=$((tap_count + 1))
	tap_failures=$((tap_failures + 1))
	tap_name "$1"
	printf 'not ok %d - %s\n' "$tap_count" "$tap_name"
	diag "failed: $tap_name"
	return 0
}

# On standard error, so that it is seen without prove -v. Bytes that a terminal would act on are masked.
diag() {
	printf '%.3000s\n' "$1" | LC_ALL=C tr -c '\n\t -~' '?' | sed 's/^/# /' >&2
}

ok() {
	tap_test=$1
	shift
	if "$@"; then
		pass "$tap_test"
	else
		fail "$tap_test"
	fi
}

not_ok() {
	tap_test=$1
	shift
	if "$@"; then
		fail "$tap_test"
	else
		pass "$tap_test"
	fi
}

is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
		return
	fi
	fail "$3"
	diag "     got: $1"
	diag "expected: $2"
}

isnt() {
	if [ "$1" != "$2" ]; then
		pass "$3"
		return
	fi
	fail "$3"
	diag "got both times: $1"
}

like() {
	# shellcheck disable=SC2254 # the pattern is meant as one
	case $1 in
	$2) pass "$3" ;;
	*)
		fail "$3"
		diag "     got: $1"
		diag "no match: $2"
		;;
	esac
}

unlike() {
	# shellcheck disable=SC2254 # the pattern is meant as one
	case $1 in
	$2)
		fail "$3"
		diag "     got: $1"
		diag " matches: $2"
		;;
	*) pass "$3" ;;
	esac
}

skip() {
	tap_count=$((tap_count + 1))
	tap_name "$1"
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$tap_name" "$2"
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

bail_out() {
	printf 'Bail out! %s\n' "$1"
	exit 1
}

try() {
	tap_tries_left=$(($1 * 20))
	shift
	until "$@"; do
		tap_tries_left=$((tap_tries_left - 1))
		[ "$tap_tries_left" -gt 0 ] || return 1
		sleep 0.05
	done
}

done_testing() {
	printf '1..%d\n' "$tap_count"
	[ "$tap_failures" -eq 0 ]
	exit
}
