#!/bin/sh
# All processes of PostgreSQL stand still, and go on as if nothing had been.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: SIGSTOP for 5 s'

# What is under way when it begins waits for longer than 5 s; so many are not.
row_connections=100
stopped_pids=

# The postmaster first, so that no more children come.
stop_processes() {
	stopped_pids=$(head -n 1 "$postgres_folder/data/postmaster.pid")
	kill -s STOP "$stopped_pids"
	stopped_pids=$(postgres_pids | xargs)
	# shellcheck disable=SC2086 # several words
	kill -s STOP $stopped_pids
}

continue_processes() {
	# shellcheck disable=SC2086 # several words
	[ -z "$stopped_pids" ] || kill -s CONT $stopped_pids
	stopped_pids=
}

stop_others() {
	continue_processes
}

inflict() {
	stop_processes
	stopped_s=$(now_s)
	hold 5
	expect_silence "$stopped_s" "$(now_s)"
	continue_processes
	expect_sessions
}

run_row
