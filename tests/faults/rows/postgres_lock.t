#!/bin/sh
# The table of links is locked, as by ALTER TABLE, for longer than a request waits.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: table locked (ACCESS EXCLUSIVE) for 5 s'

inflict() {
	lock_table 'ACCESS EXCLUSIVE'
	locked_s=$(now_s)
	hold 5
	expect_silence "$locked_s" "$(now_s)"
	unlock_table
}

run_row
