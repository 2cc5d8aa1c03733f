#!/bin/sh
# All of the service is killed, multiwatch too; the socket stays, and a second later there is another, as systemd would
# have it, for which a small program stands here.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_kill.sh
. tests/faults/rows/responder_kill.sh
# shellcheck source=tests/faults/rows/responder_unit.sh
. tests/faults/rows/responder_unit.sh

row_fault='responders: kill -9 of the whole service, as by systemd'

inflict() {
	forget_kills
	for round in 1 2; do
		# shellcheck disable=SC2046 # pids
		kill_responders $(list_responders) "$supervisor_pid"
		expect_another
	done
	kill_busy 4 "$supervisor_pid"
	expect_another
}

run_row
