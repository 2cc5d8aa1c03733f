#!/bin/sh
# The web server is stopped and started again, at once and when it has answered what it has.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/web.sh
. tests/faults/rows/web.sh

row_fault='web server: restart'
# Connections are refused while there is none.
row_statuses=000

inflict() {
	graceful=QUIT
	[ "$FRONT" = nginx ] || graceful=INT
	for signal in TERM "$graceful" TERM "$graceful"; do
		restart_front "$signal"
		ok "$FRONT: it serves after SIG$signal" try 20 is_served_since "$(now_s)"
	done
	expect_same_responders
}

run_row
