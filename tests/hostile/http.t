#!/bin/sh
# Hostile requests through both web servers: the table of http.table, and texts that mean something to SQL, HTML or HTTP
# in every field. No answer is an error of the server's, none has a field or markup of the request's; what is stored is
# what was meant to be, byte for byte.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/hostile/hostile.sh
. tests/lib/manage.sh

# Usage: try_hostile RESULTS_MIN ACTION ARGUMENT
try_hostile() {
	front_port
	perl tests/hostile/http.pl "$2" "$call_port" "$FRONT" "$3" >"$stack_folder/results" || :
	report "$stack_folder/results"
	ok "$FRONT: $2: at least $1 results" [ "$(wc -l <"$stack_folder/results")" -gt "$1" ]
	is "$(sql 'SELECT count(*) FROM shortenedurls')" "$stored" "$FRONT: $2: as many links are stored as were answered"
	expect_well "$FRONT: $2"
}

start_stack
insert_key
for FRONT in ${FRONTS:-lighttpd nginx}; do
	try_hostile 200 table tests/hostile/http.table
	try_hostile 900 fields "$key"
done
is "$(sql "SELECT DISTINCT left(srcurl, 17) FROM shortenedurls")" http://e.example/ 'no other URL is stored'
is "$(sql 'SELECT count(*) FROM api_keys')" 1 'and there is one key'
done_testing
