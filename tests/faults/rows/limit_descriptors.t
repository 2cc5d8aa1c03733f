#!/bin/sh
# Responders with 40 descriptors each have more connections than that, and then fewer descriptors than they count on.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317,SC3045 # what the libraries set, call and use; dash has ulimit -n
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh
# shellcheck source=tests/faults/rows/limit_pool.sh
. tests/faults/rows/limit_pool.sh

row_fault='responders: 40 descriptors each, and more connections'
row_connections=150
# Clients only wait.
row_statuses=302

# In a shell of its own, which alone keeps the limit.
start_row_pool() {
	(ulimit -n 40 && start_pool 4) || bail_out 'the pool does not start'
	pool_pids=$(xargs <"$stack_pool_pids")
}

# Usage: count_sessions [PID,...]: of the responders, but for these.
count_sessions() {
	sql "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shorten' AND pid <> ALL ('{${1-}}')"
}

are_connected() {
	[ "$(count_sessions "$@")" -ge 4 ]
}

# Idle connections take what there is, while a lock makes the web server want more than the few that it has.
crowd() {
	hold_connections 200
	lock_table EXCLUSIVE
	hold 1
	unlock_table
	hold 1
}

inflict() {
	crowd
	lost=$(sql "SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE usename = 'shorten'")
	end_sessions
	ok "$FRONT: there is always a descriptor for another session" try 10 are_connected "$lost"
	release_connections
	ok "$FRONT: then it goes on" try 20 is_served_since "$(now_s)"
	# They count on 40, and do not learn of this.
	limit_responders --nofile=24:24
	crowd
	ok "$FRONT: descriptors are short" has_log 'cannot accept a connection: Too many open files'
	release_connections
}

run_row
