#!/bin/sh
# PostgreSQL takes fewer links than are wanted: each costs it 20 ms, for a while.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh

row_fault='PostgreSQL: slower than what is wanted'
# More than four responders have under way and in their queues, so that some are refused.
row_connections=400
row_rate=1200

start_row_pool() {
	start_pool 4 SHORTEN_QUEUE_MAX=20
}

# On the second web server it is there already.
start_row_postgres() {
	start_postgres
	sql 'DROP FUNCTION IF EXISTS slow CASCADE' 2>"$stack_folder/dropped"
	sql 'CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
		CREATE TRIGGER slow BEFORE INSERT ON shortenedurls FOR EACH ROW EXECUTE FUNCTION slow()'
}

# Usage: be_slow SECONDS: without a lock on the table.
be_slow() {
	sql "CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
		AS \$\$ BEGIN PERFORM pg_sleep($1); RETURN NEW; END \$\$"
}

last_refused_s() {
	awk -F '\t' '$4 == 503 && $1 + $6 / 1000 > last { last = $1 + $6 / 1000 } END { printf "%.3f\n", last }' \
		"$stack_folder/$row_ledger.ledger"
}

inflict() {
	slow_s=$(now_s)
	be_slow 0.02
	hold 5
	be_slow 0
	fast_s=$(now_s)
	ok "$FRONT: it serves again at once" try 3 is_served_since "$fast_s"
	hold 1
	slowest_ms=$(answer_ms 100 "$slow_s" "$(now_s)")
	ok "$FRONT: no answer takes longer than the queue's time-out (the slowest: $slowest_ms ms)" \
		test "$slowest_ms" -lt 3000
	refusals=$(count_answers "$row_ledger" 503)
	ok "$FRONT: what is too much is refused ($refusals times)" test "$refusals" -gt 50
	refused_ms=$(answer_ms 90 "$slow_s" "$(now_s)" 503)
	ok "$FRONT: at once (nine of ten: $refused_ms ms)" test "$refused_ms" -lt 500
	recovery_s=$(awk -v from="$fast_s" -v until="$(last_refused_s)" 'BEGIN { printf "%.2f\n", until - from }')
	ok "$FRONT: and nothing soon after (the last after $recovery_s s)" test "${recovery_s%.*}" -lt 2
}

run_row
