#!/bin/sh
# The store against a real PostgreSQL: runs the C program of tests/sql/store.c and looks at what it leaves.
# shellcheck disable=SC2154,SC2034 # what the libraries set and use
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"

# Its results are passed on and its numbers continued; the plan is printed at the end, for all of them.
run_program() {
	results=$stack_folder/results
	exit_status=0
	SHORTEN_DATABASE=$SHORTEN_DATABASE "$stack_checkout/$program" >"$results" 2>"$stack_folder/log" ||
		exit_status=$?
	grep -v '^1\.\.' "$results"
	tap_count=$(grep -c -E '^(not )?ok ' "$results")
	tap_failures=$(grep -c '^not ok ' "$results")
	is "$(grep '^1\.\.' "$results")" "1..$tap_count" 'the program runs all of its tests'
	is "$exit_status" 0 'and all of them pass'
	[ "$exit_status" -eq 0 ] || show_file "$stack_folder/log"
}

# With a program that has sanitizers, the C program has them too.
choose_program() {
	case ${RESPONDER-} in
	*/asan/*) program=${RESPONDER%/*}/sql/store ;;
	*) program=build/sql/store ;;
	esac
}

test_rows() {
	is "$(sql "SELECT id, visits FROM shortenedurls WHERE id IN ('NULL', 'batch-0003') ORDER BY id" | xargs)" \
		'NULL|5 batch-0003|8' 'visits are counted once however often their batch is repeated'
}

# ---- refused at the commit

make_late_refusal() {
	sql "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''at-commit''; END'"
	sql "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shortenedurls DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (NEW.srcurl = 'http://a/at-commit') EXECUTE FUNCTION refuse()"
}

# ---- the session

# What only the session itself can see is written down by a trigger, when the program inserts a link look-….
# Before the row is there, so that the first of them sees an empty table.
make_witness() {
	sql 'CREATE TABLE seen (number serial, at text, what text, line text)'
	sql 'GRANT ALL ON seen, seen_number_seq TO shorten'
	sql "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS \$\$
		DECLARE
			statement record;
			text text;
		BEGIN
			INSERT INTO seen (at, what, line) SELECT NEW.id, name, setting FROM pg_settings;
			IF current_setting('server_version_num')::int >= 140000 THEN
				INSERT INTO seen (at, what, line)
					SELECT NEW.id, 'plans of ' || name, (generic_plans > 0) || ' ' || custom_plans FROM pg_prepared_statements;
			END IF;
			FOR statement IN SELECT name, cardinality(parameter_types) AS parameters FROM pg_prepared_statements LOOP
				FOR text IN EXECUTE 'EXPLAIN (COSTS off) EXECUTE ' || statement.name ||
					COALESCE('(' || nullif(repeat('NULL,', statement.parameters - 1), '') || 'NULL)',
						CASE statement.parameters WHEN 1 THEN '(NULL)' END, '') LOOP
					INSERT INTO seen (at, what, line) VALUES (NEW.id, statement.name, text);
				END LOOP;
			END LOOP;
			RETURN NEW;
		END \$\$"
	sql "CREATE TRIGGER look BEFORE INSERT ON shortenedurls FOR EACH ROW WHEN (NEW.id LIKE 'look-%') EXECUTE FUNCTION look()"
}

seen() {
	sql "SELECT line FROM seen WHERE at = '$1' AND what = '$2' ORDER BY number"
}

test_settings() {
	is "$(seen look-empty plan_cache_mode)" force_generic_plan 'the session makes one plan for a statement'
	is "$(seen look-empty enable_seqscan)" off 'does not read tables from end to end'
	is "$(seen look-empty jit)" off 'compiles nothing'
	is "$(seen look-empty lock_timeout) $(seen look-empty statement_timeout)" '10001 54000' 'and has the timeouts of the settings'
}

# Looking itself makes a plan, so only what was there before it counts.
test_plans() {
	if [ "$(sql 'SHOW server_version_num')" -lt 140000 ]; then
		skip 'plans are made once' 'the server does not count them'
		return
	fi
	for statement in find_link insert_link find_same_link add_visits; do
		is "$(seen look-many "plans of $statement")" 'true 0' "$statement: one plan serves all executions"
	done
	# shellcheck disable=SC2016 # the parameter's name
	like "$(seen look-many find_link)" '*$1*' 'whatever the number of ids'
}

# What is not found by a key or an index, in a plan: each row of a join tried with each, or a table from end to end.
list_slow_lines() {
	awk '
		/Join Filter|Seq Scan/ { print }
		scan != "" && !/Index Cond|Order By/ { print scan }
		{ scan = "" }
		/Index (Only )?Scan/ { scan = $0 }
		END { if (scan != "") print scan }'
}

# Usage: expect_index WHEN NAME
expect_index() {
	# Writers and uses are a few rows, which each process looks at once an hour.
	for statement in $(sql "SELECT DISTINCT what FROM seen WHERE line LIKE '%->%' AND what NOT LIKE 'forget_%' ORDER BY what"); do
		is "$(seen "$1" "$statement" | list_slow_lines)" '' "$2: $statement finds its rows by keys"
	done
	like "$(seen "$1" add_visits)" '*Nested Loop*Sort Key: * COLLATE "C"*Index Scan using shortenedurls_pkey*' \
		"$2: add_visits goes by the order of the ids"
}

start_database
sql 'CREATE EXTENSION pg_trgm'
sql/migrate "$SHORTEN_DATABASE" >"$stack_folder/migrate.out" 2>&1 || fail 'sql/migrate makes the index for searches'
choose_program
make_late_refusal
make_witness
run_program
test_rows
test_settings
test_plans
expect_index look-empty 'an empty table'
expect_index look-few 'a small table, analysed'
expect_index look-many 'a table that has grown since'
done_testing
