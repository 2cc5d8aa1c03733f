#!/bin/sh
# PostgreSQL stops without a checkpoint, and starts a moment later with a recovery.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: stop (immediate), start 1 s later'

# Visits are not waited for at their commit.
stop_for_a_moment() {
	stopped_s=$(now_s)
	stop_postgres immediate
	visits_may_miss "$(seconds_before 2 "$stopped_s")" "$(now_s)"
	hold 1
	start_postgres
}

inflict() {
	expect_losses stop_for_a_moment
	expect_sessions
}

run_row
