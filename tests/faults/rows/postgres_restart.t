#!/bin/sh
# PostgreSQL is restarted as its administrator does it, which clients see only as a delay.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: restart (fast)'

# On a slow machine it may take about as long as a request waits for the database, which is 2 s.
restart() {
	stopped_ms=$(now_ms)
	stop_postgres
	start_postgres
	restart_ms=$(($(now_ms) - stopped_ms))
}

inflict() {
	row_statuses=302
	expect_losses restart
	expect_sessions
	[ "$restart_ms" -lt 1500 ] || row_statuses=503
}

run_row
