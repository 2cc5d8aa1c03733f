#!/bin/sh
# sql/migrate: from nothing, with data, twice, several at once, interrupted, and what a failing file leaves: nothing.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/migrate.sh

copy_sql() {
	rm -rf "$stack_folder/sql"
	cp -R sql "$stack_folder/sql"
}

test_from_nothing() {
	make_database nothing
	migrate sql "$conninfo"
	is "$status $err" '0 ' 'an empty database'
	is "$out" "$(list_applied)
$(list_made)
The schema is up to date: version $(last_version)." 'it says what it has done'
	is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' 'the indexes are there'
	is "$(sql 'SELECT name FROM schema_version ORDER BY version')" "$(list_files)" 'each file is recorded'
	migrate sql "$conninfo"
	is "$status|$out|$err" "0|The schema is up to date: version $(last_version).|" 'a second time there is nothing to do'
	is "$(sql 'SELECT count(*) FROM schema_version')" "$(list_files | wc -l)" 'and nothing is recorded twice'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('a', 'http://e.example/', now(), now())"
	migrate sql "$conninfo"
	is "$(sql 'SELECT count(*) FROM shortenedurls')" 1 'links are kept'
}

test_where_from() {
	make_database variable
	SHORTEN_DATABASE=$conninfo
	export SHORTEN_DATABASE
	migrate sql
	is "$status $err" '0 ' 'SHORTEN_DATABASE'
	unset SHORTEN_DATABASE
	make_database libpq
	PGHOST=$postgres_folder/socket PGUSER=shorten PGDATABASE=$database migrate sql
	is "$status $err" '0 ' "libpq's own variables"
	migrate sql "postgresql://shorten@/$database?host=$postgres_folder/socket"
	is "$status $err" '0 ' 'a URI'
	migrate sql "host=$stack_folder/nowhere"
	is "$status $out" '1 ' 'a database that is not there: status 1'
	like "$err" '*sql/migrate: ?*' 'a database that is not there: a sentence'
	migrate sql --help
	like "$status $out" '0 Usage: sql/migrate*' '--help'
	migrate sql a b
	like "$status $err" '2 Usage: sql/migrate*' 'two arguments'
}

# Tables in another encoding would be in use before anybody finds a URL that does not fit.
test_encoding() {
	make_database latin1 -E LATIN1 --locale=C -T template0
	migrate sql "$conninfo"
	is "$status $out" '1 ' 'LATIN1: status 1'
	like "$err" 'sql/migrate: *LATIN1*UTF8*' 'LATIN1: the sentence'
	is "$(sql "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")" 0 'LATIN1: no table is made'
	make_database sql_ascii -E SQL_ASCII --locale=C -T template0
	migrate sql "$conninfo"
	is "$status $err" '0 ' 'SQL_ASCII, which keeps any bytes, is accepted'
}

# Several at once: each ends well, each file is applied once. Who waits for long may say so.
test_at_once() {
	usual='^Applied\|^Made the index\|^The schema is up to date\|^Somebody else is making'
	for round in 1 2 3 4 5 6; do
		make_database "at_once_$round"
		pids=
		for number in 1 2 3 4 5 6 7 8; do
			sql/migrate "$conninfo" >"$stack_folder/out.$number" 2>&1 &
			pids="$pids $!"
		done
		failures=0
		for pid in $pids; do
			wait "$pid" || failures=$((failures + 1))
		done
		is "$failures" 0 "round $round: eight at once all end well"
		[ "$failures" -eq 0 ] || diag "$(grep -v "$usual" "$stack_folder"/out.?)"
		is "$(cat "$stack_folder"/out.? | grep '^Applied' | sort)" "$(list_applied)" \
			"round $round: each file is applied by one of them"
		is "$(cat "$stack_folder"/out.? | grep '^Made' | sort)" "$(list_made)" "round $round: each index is made by one of them"
		is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' "round $round: all are valid"
		is "$(cat "$stack_folder"/out.? | grep -vc "$usual")" 0 "round $round: no noise"
	done
}

test_failing() {
	make_database failing
	copy_sql
	cat >"$stack_folder/sql/998_good.sql" <<'END'
CREATE TABLE from_good (a int);
END
	cat >"$stack_folder/sql/999_bad.sql" <<'END'
CREATE TABLE left_over (a int);
INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('left', 'http://e.example/', now(), now());
SELECT 1/0;
CREATE TABLE never (a int);
END
	migrate "$stack_folder/sql" "$conninfo"
	is "$status" 1 'a failing file: status 1'
	like "$err" '*999_bad.sql*division by zero*999_bad.sql failed*' 'a failing file: it is named, with the reason'
	is "$(sql "SELECT to_regclass('left_over'), to_regclass('never'), (SELECT count(*) FROM shortenedurls)")" '||0' \
		'a failing file leaves nothing'
	is "$(sql "SELECT to_regclass('from_good'), max(version) FROM schema_version")" 'from_good|998' \
		'what came before it stays'
	migrate "$stack_folder/sql" "$conninfo"
	is "$status" 1 'again: it fails again'
	echo 'CREATE TABLE repaired (a int);' >"$stack_folder/sql/999_bad.sql"
	migrate "$stack_folder/sql" "$conninfo"
	is "$status|$err" '0|' 'repaired, it goes in'
	is "$(sql "SELECT to_regclass('repaired'), max(version) FROM schema_version")" 'repaired|999' 'and is recorded'
	mv "$stack_folder/sql/999_bad.sql" "$stack_folder/sql/999_other.sql"
	migrate "$stack_folder/sql" "$conninfo"
	is "$status" 1 'the same number under another name: status 1'
	like "$err" '*999_other.sql*999_bad.sql*' 'the same number under another name: both are named'
}

# While one is at work on a file that fails, the other waits, and then tries by itself.
test_failing_at_once() {
	make_database failing_at_once
	copy_sql
	echo 'CREATE TABLE left_over (a int); SELECT pg_sleep(0.3); SELECT 1/0;' >"$stack_folder/sql/999_bad.sql"
	"$stack_folder/sql/migrate" "$conninfo" >/dev/null 2>&1 &
	first=$!
	"$stack_folder/sql/migrate" "$conninfo" >/dev/null 2>&1 &
	second=$!
	for pid in $first $second; do
		status=0
		wait "$pid" || status=$?
		is "$status" 1 'two at once with a failing file: both say so'
	done
	is "$(sql "SELECT to_regclass('left_over'), max(version) FROM schema_version")" "|$(last_version)" \
		'two at once with a failing file: nothing is left'
}

test_upgrade() {
	make_first_version upgrade 1000
	is "$(speak_first_version before | xargs)" 'before|http://e.example/new before 3' 'the first version before the upgrade'
	before=$(sql 'SELECT id, srcurl, created, lastaccessed, visits FROM shortenedurls ORDER BY id')
	migrate sql "$conninfo"
	is "$status $err" '0 ' 'an upgrade'
	is "$out" "$(list_applied | sed 1d)
$(list_made)
The schema is up to date: version $(last_version)." 'an upgrade: it says what it has done'
	is "$(sql 'SELECT id, srcurl, created, lastaccessed, visits FROM shortenedurls ORDER BY id')" "$before" \
		'an upgrade: nothing of the links is changed'
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE title IS NULL AND tags = '{}' AND validfrom IS NULL AND expires IS NULL
		AND maxvisits IS NULL AND redirectstatus IS NULL AND NOT forwardquery AND enabled AND deleted IS NULL AND owner = ''")" \
		1001 'an upgrade: they have no options'
	is "$(sql 'SELECT id, visits, lastaccessed FROM link_activity ORDER BY id')" \
		"$(sql 'SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 ORDER BY id')" \
		'an upgrade: visited links are in link_activity'
	is "$(sql 'SELECT count(*) FROM link_activity')" 201 'an upgrade: all of them'
	is "$(speak_first_version after | xargs)" 'after|http://e.example/new after 3' 'the first version can live with what is new'
}

test_upgrade_at_once() {
	make_first_version upgrade_at_once 30000
	for number in 1 2 3; do
		sql/migrate "$conninfo" >"$stack_folder/out.$number" 2>&1 &
		eval "pid_$number=\$!"
	done
	for pid in "$pid_1" "$pid_2" "$pid_3"; do
		ok 'three upgrades at once: each ends well' wait "$pid"
	done
	is "$(cat "$stack_folder"/out.[123] | grep '^Made' | sort)" "$(list_made)" 'three upgrades at once: each index is made by one'
	is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' 'three upgrades at once: all are valid'
}

# Version 2 had another index for searches, under a name of its own.
test_old_index() {
	make_database old_index
	copy_sql
	rm "$stack_folder/sql/003_search_index.sql"
	migrate "$stack_folder/sql" "$conninfo"
	sql 'CREATE INDEX shortenedurls_search ON shortenedurls (title, srcurl)'
	migrate sql "$conninfo"
	is "$status|$out|$err" "0|Applied 003_search_index.sql.
The schema is up to date: version $(last_version).|" 'an index that is no longer used'
	is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' 'an index that is no longer used is gone'
}

test_comments() {
	is "$(sql "SELECT relname || '.' || attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
		AND col_description(attrelid, attnum) IS NULL ORDER BY 1")" '' 'every column has a comment'
	is "$(sql "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
		AND obj_description(oid, 'pg_class') IS NULL ORDER BY 1")" '' 'every table has one'
}

# shellcheck disable=SC2016 # a parameter
# character(10), as the original had it, would be compared without the index.
test_index() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'id' || n, 'http://e.example/' || n, now(), now() FROM generate_series(1, 5000) n"
	sql 'ANALYZE shortenedurls'
	plan=$(printf '%s\n' 'SET plan_cache_mode = force_generic_plan;' \
		'PREPARE find (text) AS SELECT srcurl FROM shortenedurls WHERE id = $1;' \
		"EXPLAIN EXECUTE find ('id7');" | psql_as_superuser -d "$database")
	like "$plan" '*Index*shortenedurls_pkey*' 'a look-up with a text parameter uses the index'
	unlike "$plan" '*Seq Scan*' 'and does not read the whole table'
}

refused() {
	! sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits) VALUES ($1)" >"$stack_folder/refused" 2>&1 &&
		grep -q 'violates check constraint\|duplicate key\|invalid byte' "$stack_folder/refused"
}

test_constraints() {
	sql 'TRUNCATE shortenedurls'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		VALUES ('aA', 'x', now(), now()), ('Aa', 'x', now(), now()), ('-', 'x', now(), now()), ('_', repeat('x', 8192), now(), now()),
		(repeat('z', 64), 'x', now(), now())"
	is "$(sql 'SELECT count(*) FROM shortenedurls')" 5 'ids that differ in case are two, and 64 characters are allowed'
	ok 'the same id twice is refused' refused "'aA', 'x', now(), now(), 0"
	ok 'an empty id is refused' refused "'', 'x', now(), now(), 0"
	ok 'an id of 65 characters is refused' refused "repeat('z', 65), 'x', now(), now(), 0"
	ok 'an id of other characters is refused' refused "'a b', 'x', now(), now(), 0"
	ok "an id with a line's end is refused" refused "E'ab\n', 'x', now(), now(), 0"
	ok 'an id of other letters is refused' refused "'ä', 'x', now(), now(), 0"
	ok 'an empty URL is refused' refused "'b', '', now(), now(), 0"
	ok 'a URL of 8193 bytes is refused' refused "'b', repeat('x', 8193), now(), now(), 0"
	ok 'negative visits are refused' refused "'b', 'x', now(), now(), -1"
}

test_from_nothing
test_where_from
test_encoding
test_at_once
test_failing
test_failing_at_once
test_upgrade
test_upgrade_at_once
test_old_index
make_database schema
migrate sql "$conninfo"
test_comments
test_index
test_constraints
done_testing
