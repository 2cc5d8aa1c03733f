#!/bin/sh
# One responder after the other is killed under conf/multiwatch, which starts it again.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_kill.sh
. tests/faults/rows/responder_kill.sh

row_fault='responders: kill -9 of one, multiwatch'

start_service() {
	forget_kills
	start_watched
}

stop_service() {
	expect_only_in_hand
	"stop_$FRONT"
	stop_multiwatch
}

inflict() {
	kill_responders "$(list_responders | head -n 1)"
	expect_recovery
	kill_responders "$(list_responders | shuf -n 1)"
	expect_recovery
	kill_busy 1
	expect_recovery
}

run_row
