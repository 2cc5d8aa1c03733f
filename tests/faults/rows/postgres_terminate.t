#!/bin/sh
# The sessions of the responders are ended, over and over.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: sessions ended over and over for 5 s'

row_statuses=302

end_over_and_over() {
	end_until_ms=$(($(now_ms) + 5000))
	while [ "$(now_ms)" -lt "$end_until_ms" ]; do
		end_sessions
		hold 0.3
	done
}

inflict() {
	expect_losses end_over_and_over
	expect_sessions
}

run_row
