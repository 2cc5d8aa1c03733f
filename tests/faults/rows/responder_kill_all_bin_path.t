#!/bin/sh
# All responders are killed at once, over and over, under lighttpd, which starts responders itself.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/responder.sh
. tests/faults/rows/responder.sh
# shellcheck source=tests/faults/rows/responder_kill.sh
. tests/faults/rows/responder_kill.sh

use_lighttpd_alone
row_fault='responders: kill -9 of all, lighttpd bin-path'

start_service() {
	start_bin_path
}

# lighttpd starts none twice within a second, but says 503 in its own words.
inflict() {
	kill_all_at_once 2
}

run_row
