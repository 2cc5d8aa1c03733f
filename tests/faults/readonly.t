#!/bin/sh
# The database may only be read for a while: who fails, and that the responder does not connect over and over.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

FRONT=nginx

read_only_s=4

# With delays that double, from 0.1 s on, there is no time for more.
connections_max=8

# Said in another database, where it is allowed. It applies to sessions that begin from now on, so those of
# the responder end.
set_read_only() {
	psql_as_superuser -d postgres -c "ALTER DATABASE $database $1 default_transaction_read_only $2"
	psql_as_superuser -d postgres -c "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = '$database'" >"$stack_folder/terminated"
}

count_connections() {
	grep -c 'connected to the database' "$responder_log"
}

expect_refusal() {
	call POST /shorten '{"srcUrl":"https://example.com/"}'
	is "$status $body" '503 {"errMsg":"Failed to shorten"}' 'read-only: no link is made'
	like "$(header Retry-After)" '[1-9]*' 'read-only: it says when to come again'
}

# Some are still those of before, answered over a connection that is gone by now.
expect_few_others() {
	statuses read_only >"$stack_folder/statuses"
	is "$(tr ' ' '\n' <"$stack_folder/statuses" | grep -vx -e 302 -e 503 -e 200)" '' 'read-only: no other answers'
	isnt "$(count_answers read_only 503)" 0 'read-only: there are refusals'
	redirects=$(count_answers read_only 302)
	ok "read-only: links redirect ($redirects did)" test "$redirects" -gt 100
}

can_write() {
	shorten "https://example.com/$(now_ms)"
	[ "$status" = 200 ]
}

test_read_only() {
	load read_only_ids requests=50
	set_read_only SET '= on'
	connections_before=$(count_connections)
	start_load read_only connections=300 rate=100 gets=90 known="$stack_folder/read_only_ids.ledger" seconds="$read_only_s"
	expect_refusal
	wait_for_load
	connections=$(($(count_connections) - connections_before))
	ok "read-only: it connects seldom ($connections times in $read_only_s s)" test "$connections" -le "$connections_max"
	expect_few_others
	set_read_only RESET ''
	ok 'read-only no more: links are made again' try 6 can_write
}

test_visits() {
	sql "DELETE FROM shortenedurls WHERE srcurl LIKE 'https://example.com/%'"
	agree 'read-only no more: links and visits' read_only read_only_ids
}

start_database
start_responder
start_nginx
test_read_only
test_visits
stop_responder
done_testing
