#!/bin/sh
# The disk with PostgreSQL's log is full: PostgreSQL stops in panic, and does not start again before there is room.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh
# shellcheck source=tests/faults/rows/postgres_disk.sh
. tests/faults/rows/postgres_disk.sh

row_fault='PostgreSQL: no room for its log (PANIC), started 5 s later'

start_row_postgres() {
	start_with_disk pg_wal
}

count_panics() {
	grep -c 'PANIC: .*No space left on device' "$postgres_folder/postgres.log"
}

# The last segment of the log has its room already, and whoever comes to its end stops all. After that PostgreSQL may
# come back once or twice, in the room that is left.
test_end() {
	sql "SELECT count(pg_logical_emit_message(false, 'test', repeat('a', 1000000))) FROM generate_series(1, 48)" \
		>"$stack_folder/emitted" 2>&1 || :
	[ ! -e "$postgres_folder/data/postmaster.pid" ]
}

inflict() {
	panics_before=$(count_panics)
	full_s=$(now_s)
	fill_disk
	ok "$FRONT: PostgreSQL ends" try 20 test_end
	ok "$FRONT: in panic" test "$(count_panics)" -gt "$panics_before"
	ended_s=$(now_s)
	visits_may_miss "$(seconds_before 2 "$full_s")" "$ended_s"
	hold 5
	expect_silence "$ended_s" "$(now_s)"
	empty_disk
	start_on_disk
	expect_sessions
}

make_disk
run_row
