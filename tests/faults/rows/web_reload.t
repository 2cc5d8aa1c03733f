#!/bin/sh
# The web server reads its configuration again, over and over.
# shellcheck disable=SC2034,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/web.sh
. tests/faults/rows/web.sh

row_fault='web server: reload'
# Connections on which nothing is asked are closed, though the next request may be on its way.
row_statuses=000

inflict() {
	for round in 1 2 3 4 5 6; do
		"reload_$FRONT"
		ok "$FRONT: it serves after reload $round" try 20 is_served_since "$(now_s)"
	done
	expect_same_responders
}

run_row
