#!/bin/sh
# The service is restarted, as by systemd, for which a small program stands here: its socket stays, and requests wait.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_sigterm.sh
. tests/faults/rows/responder_sigterm.sh
# shellcheck source=tests/faults/rows/responder_unit.sh
. tests/faults/rows/responder_unit.sh

row_fault='responders: restart of the service, as by systemd'

# Usage: restart_unit COMMAND...: which says so to the service, as systemctl restart would.
restart_unit() {
	find_supervisor
	restarted=$(list_responders)
	"$@"
	# shellcheck disable=SC2086 # several words
	expect_ended $restarted
	expect_another
}

inflict() {
	forget_stops
	restart_unit kill -s HUP "$unit_pid"
	restart_unit while_busy kill -s HUP "$unit_pid"
	restart_unit kill -s HUP "$unit_pid"
	expect_stops 12
}

run_row
