#!/bin/sh
# Of a pool that nobody watches, one responder after the other is told to end; the last one does all the work.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_sigterm.sh
. tests/faults/rows/responder_sigterm.sh

row_fault='responders: SIGTERM to one after another, spawn-fcgi'

list_responders() {
	for pid in $pool_pids; do
		! is_running "$pid" || echo "$(count_connections "$pid") $pid"
	done | sort -rn | cut -d ' ' -f 2
}

inflict() {
	forget_stops
	end_responder
	end_busy
	end_responder
	expect_stops 3
}

run_row
