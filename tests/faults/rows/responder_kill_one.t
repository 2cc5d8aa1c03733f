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

start_row_pool() {
	start_watched
}

inflict() {
	kill_one_by_one 0
}

run_row
