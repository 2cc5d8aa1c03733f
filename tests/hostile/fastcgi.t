#!/bin/sh
# Straight to the responder's socket: what no good web server sends. Whatever it is, the same process serves the next
# good request at once, keeps no descriptor, and has stored nothing that was not whole.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/hostile/hostile.sh

FRONT=cgi

count_rows() {
	sql "SELECT count(*) FROM shortenedurls WHERE srcurl LIKE 'http://$1.example/%'"
}

# Usage: try_hostile ACTION RESULTS_MIN
try_hostile() {
	perl tests/hostile/fastcgi.pl "$1" "$responder_socket" "$responder_pid" >"$stack_folder/results" || :
	report "$stack_folder/results"
	ok "$1: at least $2 results" [ "$(wc -l <"$stack_folder/results")" -gt "$2" ]
	is "$(count_rows broken)" 0 "$1: nothing that was not whole is stored"
	expect_well "$1"
}

start_database
start_responder
try_hostile cases 500
try_hostile cuts 2
try_hostile splits 2
try_hostile crowd 3
try_hostile slow 9
is "$(count_rows whole)" "$stored" 'all that was whole is stored'
ok 'and that was a lot' [ "$stored" -gt 190 ]
stop_responder
done_testing
