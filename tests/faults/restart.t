#!/bin/sh
# PostgreSQL goes away under load and comes back: short, long, by a crash, and connection by connection.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# shellcheck disable=SC2034 # for call.sh
FRONT=nginx

# What an operation may wait in the queue, by default.
queue_ms=2000

# A connection fails while the socket is elsewhere; we alone know where that is.
hide_postgres() {
	mkdir -p "$postgres_folder/hidden"
	mv "$postgres_folder/socket/.s.PGSQL.5432" "$postgres_folder/hidden/"
	hidden_since_ms=$(now_ms)
	end_connections "$postgres_folder/hidden"
}

show_postgres() {
	mv "$postgres_folder/hidden/.s.PGSQL.5432" "$postgres_folder/socket/"
	hidden_ms=$(($(now_ms) - hidden_since_ms))
}

end_connections() {
	psql -XqAt -h "$1" -U postgres -d "$database" \
		-c "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'shorten'"
}

# Measured from outside, so that it is never shorter than what the responders see.
restart_postgres() {
	began_ms=$(now_ms)
	stop_postgres "$1"
	start_postgres
	restart_ms=$(($(now_ms) - began_ms))
}

# The tests begin with known ids, so that there is something to visit from the beginning.
start_mixed_load() {
	mixed_name=$1
	shift
	load "${mixed_name}_ids" requests=50
	start_load "$mixed_name" known="$stack_folder/${mixed_name}_ids.ledger" gets=60 connections=30 "$@"
	wait_for_answers 300 "$mixed_name"
}

# ---- short

# On a machine that is busy with other things a restart may take too long to show anything.
test_restart() {
	for attempt in 1 2 3; do
		forget_links
		start_mixed_load "restart$attempt"
		restart_postgres fast
		wait_for_answers 300 "restart$attempt"
		stop_load
		agree "a restart of $restart_ms ms: links and visits" "restart$attempt" "restart${attempt}_ids"
		[ "$restart_ms" -ge $((queue_ms - 100)) ] || break
	done
	if [ "$restart_ms" -lt $((queue_ms - 100)) ]; then
		is "$(statuses "restart$attempt")" '200 302' 'a restart within the time-out: clients see nothing'
	else
		skip 'a restart within the time-out: clients see nothing' "it took $restart_ms ms"
	fi
}

# Nearly as long as an operation may wait.
test_hidden() {
	forget_links
	start_mixed_load hidden
	hide_postgres >"$stack_folder/hide.out"
	hold 1.5
	show_postgres
	wait_for_answers 300 hidden
	stop_load
	is "$(statuses hidden)" '200 302' "unreachable for $hidden_ms ms, less than the time-out: clients see nothing"
	agree 'unreachable: links and visits' hidden hidden_ids
}

# Only when all are back, so that those with requests have had some under way.
are_connected() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shorten' AND state IN ('idle', 'active')")" -ge 4 ]
}

test_terminate() {
	forget_links
	start_mixed_load terminate
	for round in 1 2 3 4 5 6; do
		try 10 are_connected || fail "all are back before round $round"
		end_connections "$postgres_folder/socket" >"$stack_folder/end.out"
	done
	wait_for_answers 300 terminate
	stop_load
	is "$(statuses terminate)" '200 302' 'connections ended over and over: clients see nothing'
	agree 'connections ended: links and visits' terminate terminate_ids
}

# ---- long

# answers_between FROM_MS UNTIL_MS NAME: the lines of requests that were sent in this time.
answers_between() {
	awk -F '\t' -v from="$1" -v until="$2" '$1 * 1000 >= from && $1 * 1000 < until' "$stack_folder/$3.ledger"
}

# Whether there is an answer from the database to a request sent after the time.
is_served_since() {
	answers_between "$1" 9999999999999 long | grep -q "	$2	"
}

test_refusals() {
	answers_between "$((stopped_ms + queue_ms + 1000))" "$((started_ms - 200))" long >"$stack_folder/refusals"
	is "$(cut -f 4 "$stack_folder/refusals" | sort -u | xargs)" 503 'down for longer than the time-out: 503'
	is "$(awk -F '\t' '$6 >= 700' "$stack_folder/refusals")" '' 'and at once'
}

test_long_stop() {
	pids_before=$pool_pids
	forget_links
	start_mixed_load long rate=400
	stopped_ms=$(now_ms)
	stop_postgres
	hold 3.6
	started_ms=$(now_ms)
	start_postgres
	up_ms=$(now_ms)
	ok 'links are made again soon after PostgreSQL is back' try 8 is_served_since "$up_ms" 200
	ok 'and redirect' try 8 is_served_since "$up_ms" 302
	try 8 are_connected || fail 'all responders are back'
	stop_load
	test_refusals
	is "$(statuses long)" '200 302 503' 'no other answers'
	is "$(for pid in $pids_before; do is_running "$pid" || echo "$pid"; done)" '' 'the responders are the same'
	agree 'stopped for long: links and visits' long long_ids
}

# ---- crash

# Visits are not waited for at their commit (synchronous_commit is off for them): a few may be gone.
test_crash() {
	forget_links
	start_mixed_load crash
	restart_postgres immediate
	try 8 are_connected || fail 'all responders are back'
	wait_for_answers 300 crash
	stop_load
	like "$(statuses crash)" '200 302*' 'a crash: links are made and redirect'
	is "$(statuses crash | tr ' ' '\n' | grep -vx -e 200 -e 302 -e 503)" '' 'no link is lost, no request cut off'
	agree "a crash ($restart_ms ms): links, and no visit too many" may-miss crash crash_ids
}

start_postgres
start_pool 4
start_nginx
test_restart
test_hidden
test_terminate
test_long_stop
test_crash
done_testing
