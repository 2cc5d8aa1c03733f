#!/bin/sh
# The postmaster is killed, and started again.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh

row_fault='PostgreSQL: kill -9 of the postmaster'

# Its children end when they notice; a new postmaster waits for that. Visits are not waited for at their commit.
inflict() {
	killed_s=$(now_s)
	kill -s KILL "$(head -n 1 "$postgres_folder/data/postmaster.pid")"
	try 20 is_gone "$(head -n 1 "$postgres_folder/data/postmaster.pid")"
	hold 1
	start_postgres
	visits_may_miss "$(seconds_before 2 "$killed_s")" "$(now_s)"
}

run_row
