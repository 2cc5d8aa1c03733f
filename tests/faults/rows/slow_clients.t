#!/bin/sh
# Hundreds of clients send a byte a second, or never read what they have asked for.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/lib/manage.sh
. tests/lib/manage.sh

row_fault='clients: a byte a second, or never reading'
# Nobody else is to notice.
row_statuses=302
row_rate=300

start_service() {
	start_postgres
	start_pool 4
	start_api_responder
	"start_$FRONT"
}

stop_service() {
	"stop_$FRONT"
	stop_api_responder
	stop_pool
}

# Links that make a list of 4 MB, and one that redirects; nobody else asks for them.
insert_links() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'slow' || i, 'https://slow.example/' || repeat('z', 8000), now() + interval '1 hour', now()
		FROM generate_series(1, 500) AS i"
	insert_key
}

delete_links() {
	sql "DELETE FROM shortenedurls WHERE srcurl LIKE 'https://slow.example/%'; DELETE FROM api_keys"
}

# Usage: p99_between FROM UNTIL: of the milliseconds of what was asked then.
p99_between() {
	awk -F '\t' -v from="$1" -v until="$2" '$1 >= from && $1 < until { print $6 }' "$stack_folder/$row_ledger.ledger" |
		sort -n | awk '{ ms[NR] = $1 } END { print NR ? ms[int((NR - 1) * 0.99) + 1] : 999999 }'
}

has_begun() {
	[ -s "$stack_folder/slow" ]
}

inflict() {
	insert_links
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
	alone_ms=$(p99_between "$alone_s" "$crowded_s")
	crowded_ms=$(p99_between "$begun_s" "$over_s")
	ok "$FRONT: the others wait no longer (99 of 100: $alone_ms ms alone, then $crowded_ms ms)" \
		test "$crowded_ms" -le "$((10 * alone_ms + 100))"
	delete_links
}

run_row
