#!/bin/sh
# Lists of links, against a real PostgreSQL: runs the C program of tests/sql/lists.c without an index for
# searches, with one, and with one that is not complete.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"
# shellcheck source=tests/lib/program.sh
. "$(dirname "$0")/../lib/program.sh"

# What lies behind the window is what the program is about.
test_window() {
	is "$(sed -n 's/^#define WINDOW \([0-9]*\)$/"\1"/p' tests/sql/lists.c)" \
		"$(sed -n 's/^#define WINDOW //p' fcgi/store_statements.c)" 'the program knows how long the window is'
}

# Without it a search behind the window reads all links.
make_index() {
	sql 'TRUNCATE shortenedurls, link_activity'
	sql 'CREATE EXTENSION pg_trgm'
	sql/migrate "$SHORTEN_DATABASE" >"$stack_folder/migrate.out" 2>&1
}

spoil_index() {
	sql 'TRUNCATE shortenedurls, link_activity'
	sql "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shortenedurls_text'::regclass"
}

test_window
start_database
run_c_program lists 'no index'
ok 'the index is made' make_index
run_c_program lists 'index'
ok 'the index is as an interrupted run leaves it' spoil_index
run_c_program lists 'spoiled index'
done_testing
