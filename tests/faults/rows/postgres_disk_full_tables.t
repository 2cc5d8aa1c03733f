#!/bin/sh
# The disk with the tables is full: hardly a link is made, but links redirect, and their visits are written afterwards.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh
# shellcheck source=tests/faults/rows/postgres_disk.sh
. tests/faults/rows/postgres_disk.sh

row_fault='PostgreSQL: no room for its tables for 4 s'

start_row_postgres() {
	start_with_disk base
}

# There is room left in pages that exist, and in what visits leave behind some is free again now and then.
is_full() {
	is_answered_since "$full_s" 503
}

inflict() {
	fill_disk
	full_s=$(now_s)
	ok "$FRONT: it gets full" try 20 is_full
	hold 1
	full_s=$(now_s)
	hold 3
	full_until_s=$(now_s)
	like "$(answers_between "$full_s" "$full_until_s" POST)" '*503' "$FRONT: new links are refused"
	is "$(answers_between "$full_s" "$full_until_s" GET)" 302 "$FRONT: but links redirect, all of them"
	empty_disk
}

make_disk
run_row
