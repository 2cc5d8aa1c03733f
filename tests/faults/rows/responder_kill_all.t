#!/bin/sh
# All responders are killed at once, over and over, under conf/multiwatch, which starts them again.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_kill.sh
. tests/faults/rows/responder_kill.sh

row_fault='responders: kill -9 of all, multiwatch'

start_service() {
	forget_kills
	start_watched
}

stop_service() {
	expect_only_in_hand
	"stop_$FRONT"
	stop_multiwatch
}

# shellcheck disable=SC2046 # pids
inflict() {
	kill_responders $(list_responders)
	expect_recovery
	kill_responders $(list_responders)
	expect_recovery
	kill_busy 4
	expect_recovery
}

run_row
