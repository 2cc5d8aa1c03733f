#!/bin/sh
# Statements take longer than the role may take: new links by a slow trigger, then all by a lock.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/postgres.sh
. tests/faults/rows/postgres.sh

row_fault='PostgreSQL: statement_timeout, slow trigger, lock'

timeout_ms=300

# Sessions have what their role had when they began.
set_timeout() {
	sql "ALTER ROLE shorten $1"
	end_sessions
}

make_slow() {
	sql "CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END';
		CREATE TRIGGER slow BEFORE INSERT ON shortenedurls EXECUTE FUNCTION wait_long()"
}

make_quick() {
	sql 'DROP FUNCTION wait_long CASCADE' 2>"$stack_folder/dropped"
}

inflict() {
	set_timeout "SET statement_timeout = $timeout_ms"
	make_slow
	slow_s=$(now_s)
	hold 3
	slow_until_s=$(now_s)
	is "$(answers_between "$slow_s" "$slow_until_s" POST)" 503 "$FRONT: new links are refused"
	is "$(answers_between "$slow_s" "$slow_until_s" GET)" 302 "$FRONT: but links redirect, all of them"
	make_quick
	lock_table 'ACCESS EXCLUSIVE'
	locked_s=$(now_s)
	hold 3
	expect_silence "$locked_s" "$(now_s)"
	unlock_table
	set_timeout 'RESET statement_timeout'
	expect_sessions
}

run_row
