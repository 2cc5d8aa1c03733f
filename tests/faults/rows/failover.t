#!/bin/sh
# The primary is gone, and its synchronous standby is promoted: the pool finds it by its list of hosts.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh
# shellcheck source=tests/faults/rows/failover.sh
. tests/faults/rows/failover.sh

row_fault='PostgreSQL: kill -9 of the primary, a standby is promoted'

start_row_postgres() {
	start_pair
}

# In the end the standby gets nothing for a moment: of what the primary has on its disk alone nobody was told.
# Visits are not waited for at their commit, and not for the standby either.
fail_over() {
	freeze_sender
	frozen_s=$(now_s)
	hold 0.3
	kill_primary
	promote
	visits_may_miss "$(seconds_before 2 "$frozen_s")" "$(now_s)"
}

inflict() {
	expect_losses fail_over
	expect_same_responders
}

run_row
