#!/bin/sh
# Hundreds of clients send a byte a second, or never read what they have asked for.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/long_links.sh
. tests/faults/rows/long_links.sh

row_fault='clients: a byte a second, or never reading'
# Nobody else is to notice.
row_statuses=302
row_rate=300

start_row_pool() {
	start_pool 4
	start_api_responder
}

has_begun() {
	[ -s "$stack_folder/slow" ]
}

inflict() {
	# A list of 4 MB, and one of them redirects.
	insert_long_links slow 8000
	rm -f "$stack_folder/end-slow" "$stack_folder/slow"
	front_port
	alone_s=$(now_s)
	hold 3
	crowded_s=$(now_s)
	perl "$stack_checkout/tests/faults/rows/slow_clients.pl" "$call_port" "$stack_folder/end-slow" 100 "$key" /slow1 \
		>"$stack_folder/slow" &
	slow_pid=$!
	ok "$FRONT: the slow ones are there" try 20 has_begun
	begun_s=$(now_s)
	hold 6
	over_s=$(now_s)
	: >"$stack_folder/end-slow"
	wait "$slow_pid" || fail "$FRONT: the slow ones end"
	is "$(tail -n 1 "$stack_folder/slow")" 'body 0 head 0 list 0 redirect 0' \
		"$FRONT: none of them is cut off, or not answered"
	alone_ms=$(answer_ms 99 "$alone_s" "$crowded_s")
	crowded_ms=$(answer_ms 99 "$begun_s" "$over_s")
	ok "$FRONT: the others wait no longer (99 of 100: $alone_ms ms alone, then $crowded_ms ms)" \
		test "$crowded_ms" -le "$((10 * alone_ms + 100))"
	delete_long_links slow
}

run_row
