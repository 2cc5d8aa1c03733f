#!/bin/sh
# The old primary, first in the pool's list, comes back as a standby, and is promoted later when the other one stops.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh
# shellcheck source=tests/faults/rows/failover.sh
. tests/faults/rows/failover.sh

row_fault='PostgreSQL: the old primary is back as a standby, then promoted'
# Clients only wait.
row_statuses=302

start_row_postgres() {
	start_pair
	kill_primary
	promote
}

start_row_pool() {
	start_multiwatch 4
}

count_refusals() {
	grep -c 'session is read-only' "$responder_log"
}

are_refused() {
	[ "$(count_refusals)" -ge $((refusals_before + 4)) ]
}

# Usage: count_sessions ASK, a function
count_sessions() {
	"$1" "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shorten'"
}

are_on_primary() {
	[ "$(count_sessions sql) $(count_sessions ask_standby)" = '4 0' ]
}

# A responder that lives asks first where it was last; new ones begin with the first host.
renew_responders() {
	refusals_before=$(count_refusals)
	for pid in $(children_of "$multiwatch_pid"); do
		kill -s TERM "$pid"
		try 15 is_gone "$pid" || fail "$FRONT: a responder ends"
	done
	ok "$FRONT: the first host refuses all" try 10 are_refused
	ok "$FRONT: all are on the primary" try 10 are_on_primary
}

# A stop that is asked for: the standby has all, visits too, before the primary ends.
switch_over() {
	stop_one "$postgres_folder"
	promote
}

inflict() {
	rewind
	renew_responders
	wait_for_answers 400 "$row_ledger"
	switch_over
	ok "$FRONT: all are on the first again" try 20 has_all_sessions
}
run_row
