#!/bin/sh
# The postmaster is killed, and started again.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: kill -9 of the postmaster'

# Its children end when they notice; a new postmaster does not start before. Visits are not waited for at their commit.
kill_postmaster() {
	pids=$(postgres_pids)
	killed_s=$(now_s)
	kill -s KILL "${pids%%[!0-9]*}"
	# shellcheck disable=SC2086 # several words
	try 20 are_reaped $pids || fail "$FRONT: all processes end"
	visits_may_miss "$(seconds_before 2 "$killed_s")" "$(now_s)"
	start_postgres
}

inflict() {
	expect_losses kill_postmaster
	expect_sessions
}

run_row
