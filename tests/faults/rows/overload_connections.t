#!/bin/sh
# Ten thousand connections to the web server at once, most of which say nothing.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317,SC3045 # what the libraries set, call and use; dash has ulimit -n
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh

row_fault='web server: 10,000 connections, most of them silent'
# All others are served.
row_statuses=302

# Those of the load come on top. lighttpd takes half as many as it may have descriptors.
connections=9900
limit=$(ulimit -H -n)
[ "$limit" = unlimited ] || [ "$limit" -ge 20000 ] || skip_all "more than $limit descriptors are needed"
ulimit -S -n "$limit"

are_open_or_gone() {
	[ -s "$stack_folder/crowd" ] || is_gone "$crowd_pid"
}

inflict() {
	rm -f "$stack_folder/end-crowd" "$stack_folder/crowd"
	front_port
	perl "$stack_checkout/tests/faults/rows/overload_connections.pl" "$call_port" "$stack_folder/end-crowd" \
		"$connections" 200 >"$stack_folder/crowd" &
	crowd_pid=$!
	try 60 are_open_or_gone
	is "$(cat "$stack_folder/crowd")" "open $connections" "$FRONT: all get in"
	crowded_s=$(now_s)
	hold 3
	ok "$FRONT: others are served meanwhile" try 5 is_served_since "$crowded_s"
	: >"$stack_folder/end-crowd"
	wait "$crowd_pid"
	like "$(tail -n 1 "$stack_folder/crowd")" 'right [1-9]* wrong 0 failed 0 closed 0' \
		"$FRONT: and those of them that ask"
}

run_row
