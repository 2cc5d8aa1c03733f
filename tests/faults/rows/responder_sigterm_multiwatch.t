#!/bin/sh
# One responder after the other is told to end under conf/multiwatch, which starts another.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_sigterm.sh
. tests/faults/rows/responder_sigterm.sh

row_fault='responders: SIGTERM to one after another, multiwatch'

start_row_pool() {
	start_watched
}

# The same one may be the busiest each time; at its fourth end within ten seconds each multiwatch would give it up.
inflict() {
	forget_stops
	for end in end_responder end_busy end_responder; do
		"$end"
		expect_recovery
	done
	expect_stops 3
}

run_row
