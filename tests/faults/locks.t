#!/bin/sh
# Others lock what is to be written, for longer than anybody waits: what is only read is served all the same.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# shellcheck disable=SC2034 # for call.sh
FRONT=nginx

responders=2

# Longer than a silent database is put up with, by default.
locked_for_ms=6000

# What a request may wait for locks before it gives up: a sixth of the queue's time-out, for each of three batches
# and once for visits, and some time to work.
first_batches_ms=2500

# ---- the program's connections

count_backends() {
	sql "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'shorten.fcgi'"
}

# Lets the time pass, and sets $most_backends: one that waits for a lock stays when its client has gone, so
# that reconnecting piles them up.
watch_backends() {
	most_backends=0
	watched_until_ms=$(($(now_ms) + locked_for_ms))
	while [ "$(now_ms)" -lt "$watched_until_ms" ]; do
		backends=$(count_backends)
		[ "$backends" -le "$most_backends" ] || most_backends=$backends
		hold 0.1
	done
}

# ---- the answers

# Usage: requests_between METHOD FROM_MS UNTIL_MS NAME: the lines of those that were sent in this time.
requests_between() {
	awk -F '\t' -v method="$1" -v from="$2" -v until="$3" \
		'$2 == method && $1 * 1000 >= from && $1 * 1000 < until' "$stack_folder/$4.ledger"
}

# Usage: longest_silence FROM_MS UNTIL_MS NAME: the milliseconds in which no redirect came, at most.
longest_silence() {
	awk -F '\t' '$4 == 302 { printf "%.0f\n", $1 * 1000 + $6 }' "$stack_folder/$3.ledger" | sort -n |
		awk -v last="$1" -v until="$2" '
			$1 > until { $1 = until }
			$1 > last { if ($1 - last > longest) longest = $1 - last; last = $1 }
			END { if (until - last > longest) longest = until - last; printf "%.0f\n", longest }'
}

expect_redirects() {
	requests_between GET "$locked_ms" "$unlocked_ms" "$1" >"$stack_folder/gets"
	redirects=$(grep -c '	302	' "$stack_folder/gets")
	gets=$(grep -c . "$stack_folder/gets")
	ok "$1: most redirect ($redirects of $gets)" test "$((redirects * 5))" -gt "$((gets * 4))"
	silence_ms=$(longest_silence "$((locked_ms + first_batches_ms))" "$unlocked_ms" "$1")
	ok "$1: and never none for long (it was $silence_ms ms)" test "$silence_ms" -le 2500
	is "$(awk -F '\t' '$4 == 302 && $6 > 3000' "$stack_folder/gets")" '' "$1: and none is late"
}

# ---- the locks

# So many connections that those which wait do not keep others from being asked.
start_reading_load() {
	forget_links
	load "$1_ids" requests=50
	start_load "$1" connections=400 rate=500 gets=90 known="$stack_folder/$1_ids.ledger"
	wait_for_answers 50 "$1"
}

# Usage: lock_meanwhile NAME COMMAND [ARGUMENT]...
lock_meanwhile() {
	locked_name=$1
	shift
	start_reading_load "$locked_name"
	"$@"
	locked_ms=$(now_ms)
	watch_backends
	unlocked_ms=$(now_ms)
	unlock_table
	wait_for_answers 5 "$locked_name" 200
	wait_for_answers 30 "$locked_name" 302
	stop_load
	ok "$locked_name: connections do not pile up (at most $most_backends)" test "$most_backends" -le "$((responders + 1))"
	expect_redirects "$locked_name"
	agree "$locked_name: links and visits" "$locked_name" "${locked_name}_ids"
}

# What CREATE INDEX takes, for as long as it runs.
test_table() {
	lock_meanwhile table lock_table SHARE
	is "$(statuses table)" '200 302 503' 'table: no other answers'
	is "$(requests_between POST "$locked_ms" "$((unlocked_ms - 3000))" table | cut -f 4 | sort -u)" 503 \
		'table: links are refused meanwhile'
}

# The visits of one link keep waiting, and those of others come behind them. New links need no such lock.
test_row() {
	lock_meanwhile row lock_known_row
	is "$(statuses row | tr ' ' '\n' | grep -vx -e 200 -e 302 -e 503)" '' 'row: no other answers'
	ok 'row: links are made meanwhile' \
		test "$(requests_between POST "$locked_ms" "$unlocked_ms" row | grep -c '	200	')" -gt 0
}

lock_known_row() {
	lock_row "$(cut -f 5 "$stack_folder/row_ids.ledger" | head -n 1)"
}

start_database
start_pool "$responders"
start_nginx
test_table
test_row
stop_pool
done_testing
