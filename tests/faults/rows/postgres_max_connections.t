#!/bin/sh
# Others take all connections that PostgreSQL has, while the responders lose theirs.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: no connection is free for 4 s'

# But those reserved for the superuser, which the test needs itself.
connections=7

start_row_postgres() {
	start_postgres max_connections=$((connections + 3)) superuser_reserved_connections=3
}

of_others="datname = 'postgres' AND usename = 'shorten'"

have_all() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE $of_others")" -ge "$connections" ]
}

# Each gets in or is refused; they end with their session, or PostgreSQL.
take_connection() {
	end_sessions
	psql -Xq -h "$postgres_folder/socket" -U shorten -d postgres -c 'SELECT pg_sleep(300)' >"$stack_folder/others" 2>&1 &
	hold 0.1
	have_all
}

give_back_connections() {
	sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE $of_others" >"$stack_folder/ended"
}

inflict() {
	ok "$FRONT: others get all connections" try 20 take_connection
	taken_s=$(now_s)
	hold 4
	expect_silence "$taken_s" "$(now_s)"
	give_back_connections
	expect_sessions
}

run_row
