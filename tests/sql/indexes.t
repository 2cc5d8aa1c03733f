#!/bin/sh
# The indexes that sql/migrate makes while links are made: interrupted, several at once, with pg_trgm and without.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/migrate.sh

# The extension in a schema that is not on the search path.
test_trigrams() {
	make_database trigrams
	sql 'CREATE SCHEMA "Of others"; GRANT USAGE ON SCHEMA "Of others" TO shorten; CREATE EXTENSION pg_trgm SCHEMA "Of others"'
	migrate sql "$conninfo"
	is "$status $err" '0 ' 'with pg_trgm'
	like "$out" '*Made the index shortenedurls_text.*' 'with pg_trgm: it makes the index for searches'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'id' || n, 'http://e.example/' || md5(n::text), now(), now() FROM generate_series(1, 5000) n"
	sql 'ANALYZE shortenedurls'
	like "$(sql "EXPLAIN SELECT FROM shortenedurls WHERE id || E'\\n' || srcurl || E'\\n' || COALESCE(title, '') COLLATE \"default\" ILIKE '%a1b2c3%'" \
		-c 'SET enable_seqscan = off')" '*shortenedurls_text*' 'with pg_trgm: a search uses it'
	make_database trigrams_later
	migrate sql "$conninfo"
	unlike "$out" '*shortenedurls_text*' 'without pg_trgm: there is no such index'
	sql 'CREATE EXTENSION pg_trgm'
	migrate sql "$conninfo"
	is "$status|$out|$err" "0|Made the index shortenedurls_text.
The schema is up to date: version $(last_version).|" 'pg_trgm afterwards: only the index is made'
	migrate sql "$conninfo"
	unlike "$out" '*Made*' 'with pg_trgm, again: nothing is made'
}

# A transaction that writes links, for which CREATE INDEX CONCURRENTLY has to wait; until `end_transaction`.
begin_transaction() {
	mkfifo "$stack_folder/statements"
	psql_as_superuser -d "$database" <"$stack_folder/statements" >"$stack_folder/transaction.out" 2>&1 &
	transaction_pid=$!
	exec 7>"$stack_folder/statements"
	echo "BEGIN; INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('held', 'x', now(), now());" >&7
	try 10 is_seen "state = 'idle in transaction' AND query LIKE 'INSERT INTO shortenedurls%'" || fail 'no transaction'
}

end_transaction() {
	exec 7>&-
	wait "$transaction_pid"
	rm "$stack_folder/statements"
}

# Usage: is_seen CONDITION: whether PostgreSQL shows such a session of this database.
is_seen() {
	[ "$(sql "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND $1")" = t ]
}

is_index_waiting() {
	is_seen "query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'"
}

# Its psql and that one's children, too. What they have begun PostgreSQL goes on with.
kill_migrate() {
	kill -s KILL -- "-$migrate_pid"
	wait "$migrate_pid" 2>/dev/null
}

# Links are made while an index is. Then the run is killed, but PostgreSQL goes on with the index: another run
# waits for that, and does not begin again.
test_killed() {
	make_database killed
	migrate sql "$conninfo"
	sql 'DROP INDEX shortenedurls_created'
	begin_transaction
	setsid sql/migrate "$conninfo" >"$stack_folder/out.1" 2>&1 7>&- &
	migrate_pid=$!
	ok 'an index is being made' try 10 is_index_waiting
	is "$(speak_first_version meanwhile | xargs)" 'meanwhile|http://e.example/new meanwhile 3' \
		'meanwhile links are made, found and visited'
	kill_migrate
	ok 'the run is killed, PostgreSQL goes on' is_index_waiting
	sql/migrate "$conninfo" >"$stack_folder/out.2" 2>&1 7>&- &
	second=$!
	ok 'the next run says that it waits' try 20 grep -q 'Somebody else is making an index' "$stack_folder/out.2"
	end_transaction
	ok 'the next run ends well' wait "$second"
	is "$(sed 1d "$stack_folder/out.2")" "The schema is up to date: version $(last_version)." 'it has made nothing anew'
	is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' 'the index is there'
}

test_unfinished() {
	make_database unfinished
	migrate sql "$conninfo"
	sql 'DROP INDEX shortenedurls_created'
	begin_transaction
	not_ok 'an index is interrupted' psql_as_superuser -d "$database" -c "SET statement_timeout = '100ms'" \
		-c 'CREATE INDEX CONCURRENTLY shortenedurls_created ON shortenedurls (created, id)' 2>/dev/null
	end_transaction
	is "$(list_indexes)" 'shortenedurls_created! shortenedurls_pkey shortenedurls_tags' 'it is unfinished'
	for number in 1 2 3; do
		sql/migrate "$conninfo" >"$stack_folder/out.$number" 2>&1 &
		eval "pid_$number=\$!"
	done
	for pid in "$pid_1" "$pid_2" "$pid_3"; do
		ok 'three at once repair an unfinished index: each ends well' wait "$pid"
	done
	is "$(cat "$stack_folder"/out.[123] | grep '^Made')" 'Made the index shortenedurls_created.' 'one of them makes it again'
	is "$(list_indexes)" 'shortenedurls_created shortenedurls_pkey shortenedurls_tags' 'it is there'
}

test_failing_index() {
	make_database failing_index
	sql 'CREATE TABLE other (a int); CREATE INDEX shortenedurls_tags ON other (a)'
	migrate sql "$conninfo"
	is "$status" 1 'an index that cannot be made: status 1'
	like "$err" '*already exists*sql/migrate: the index shortenedurls_tags could not be made*' 'it is named, with the reason'
	sql 'DROP TABLE other'
	migrate sql "$conninfo"
	is "$status $out" "0 Made the index shortenedurls_tags.
The schema is up to date: version $(last_version)." 'once it can be made, it is'
}

test_trigrams
test_killed
test_unfinished
test_failing_index
done_testing
