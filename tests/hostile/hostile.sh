# shellcheck shell=sh
# What the hostile tests have in common: all the libraries, and what becomes of the results of their Perl programs.
#
#   report FILE        a test for each line "pass NAME" or "fail NAME TAB REASON"; adds what the line "stored COUNT"
#                      says to $stored
#   expect_well NAME   the responder is the same process, reaches its database and has logged no error

# shellcheck disable=SC2154 # what the libraries set
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/stack.sh
. tests/lib/stack.sh
# shellcheck source=tests/lib/call.sh
. tests/lib/call.sh

stored=0

report() {
	hostile_count=none
	while IFS= read -r hostile_line; do
		hostile_name=${hostile_line#* }
		case $hostile_line in
		pass*) pass "${hostile_name%%	*}" ;;
		stored*) hostile_count=$hostile_name ;;
		*)
			fail "${hostile_name%%	*}"
			diag "${hostile_name#*	}"
			;;
		esac
	done <"$1"
	if [ "$hostile_count" = none ]; then
		fail 'the results have an end'
		return
	fi
	stored=$((stored + hostile_count))
}

expect_well() {
	ok "$1: the responder is the same process" is_running "$responder_pid"
	call GET /healthz
	is "$status" 200 "$1: it is well"
	call GET /readyz
	is "$status" 200 "$1: it reaches its database"
	is "$(grep -c 'error:' "$responder_log")" 0 "$1: it has logged no error"
}
