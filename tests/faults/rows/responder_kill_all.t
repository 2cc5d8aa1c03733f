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

start_row_pool() {
	start_watched
}

inflict() {
	kill_all_at_once 0
}

run_row
