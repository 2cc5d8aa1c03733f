#!/bin/sh
# shortenctl prune, migrate and status: the care of a database.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

fill() {
	sql "TRUNCATE shortenedurls, visits_by_day, visit_writers, reusable_links, api_keys"
	sql "INSERT INTO visits_by_day VALUES ('a', (now() AT TIME ZONE 'UTC')::date, 5, 2), ('b', (now() AT TIME ZONE 'UTC')::date, 1, 0),
		('a', (now() AT TIME ZONE 'UTC')::date - 10, 1, 0), ('a', (now() AT TIME ZONE 'UTC')::date - 11, 1, 0),
		('a', (now() AT TIME ZONE 'UTC')::date - 730, 1, 0), ('a', (now() AT TIME ZONE 'UTC')::date - 731, 1, 0);
		INSERT INTO visit_writers VALUES ('old', 1, now() - interval '7 days 1 minute'), ('new', 1, now() - interval '6 days 23 hours');
		INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, validfrom, expires, maxvisits, enabled, deleted) VALUES
		('live', 'http://e.example/', now(), now(), 1, 'T', '{t}', NULL, now() + interval '1 day', 2, true, NULL),
		('early', 'http://e.example/', now(), now(), 0, NULL, '{}', now() + interval '1 day', NULL, NULL, true, NULL),
		('expired', 'http://e.example/', now(), now(), 0, NULL, '{}', NULL, now() - interval '1 second', NULL, true, NULL),
		('used', 'http://e.example/', now(), now(), 2, NULL, '{}', NULL, NULL, 2, true, NULL),
		('off', 'http://e.example/', now(), now(), 0, NULL, '{}', NULL, NULL, NULL, false, NULL),
		('gone', 'http://e.example/', now(), now(), 0, 'T', '{t}', NULL, NULL, NULL, true, now() - interval '9 days'),
		('longgone', 'http://e.example/', now(), now(), 7, 'T', '{t}', NULL, NULL, NULL, true, now() - interval '11 days');
		INSERT INTO reusable_links SELECT sha256(i::bytea), i FROM unnest(ARRAY['live', 'early', 'expired', 'used', 'off', 'gone', 'nobody']) i;
		INSERT INTO api_keys (id, hash, label, created, revoked) VALUES ('1', sha256('1'), 'a', now(), NULL), ('2', sha256('2'), 'b', now(), now())"
}

test_prune() {
	fill
	ctl prune --days 10
	is "$status $err" '0 ' 'prune: status 0'
	is "$out" "3 counts of a day's visits are deleted.
1 deleted link is emptied.
5 links that have ended are not reused any more.
1 process that writes no visits any more is forgotten." 'prune: how many of each'
	is "$(sql "SELECT (now() AT TIME ZONE 'UTC')::date - day FROM visits_by_day ORDER BY day, id")" '10
0
0' 'prune: counts that are old enough'
	is "$(sql 'SELECT writer FROM visit_writers')" new 'prune: writers that are silent'
	is "$(sql 'SELECT id FROM reusable_links ORDER BY id')" 'early
live' 'prune: links that are not reused'
	is "$(sql "SELECT id, srcurl, title, tags, visits FROM shortenedurls WHERE deleted IS NOT NULL ORDER BY id")" \
		'gone|http://e.example/|T|{t}|0
longgone|-||{}|7' 'prune: deleted links are emptied; their ids stay taken'
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE srcurl = 'http://e.example/'")" 6 'prune: the others are as they were'
	ctl prune --days 10
	is "$out" "0 counts of a day's visits are deleted.
0 deleted links are emptied.
0 links that have ended are not reused any more.
0 processes that write no visits any more are forgotten." 'prune: again'
	fill
	ctl prune
	is "$(printf '%s\n' "$out" | head -n 2)" "1 count of a day's visits is deleted.
0 deleted links are emptied." 'prune: 730 days'
	ctl prune --days 1
	is "$(printf '%s\n' "$out" | head -n 2)" "3 counts of a day's visits are deleted.
2 deleted links are emptied." 'prune: 1 day'
}

test_status() {
	fill
	ctl status
	is "$status $err" '0 ' 'status: 0'
	like "$out" "version         $(sed -n 's/^VERSION = //p' Makefile)
base URL        http://test.short/
database        $database on $postgres_folder/socket as shorten, PostgreSQL *
schema          version * (*.sql)
links           2 live, 3 ended, 2 deleted
visits today    6, and 2 of robots
keys            1 valid, 1 revoked
size of tables  *B
search index    none; searching reads the whole table" 'status: what it says'
	last=$(sql 'SELECT name FROM schema_version ORDER BY version DESC LIMIT 1')
	like "$out" "*($last)*" 'status: the last file of the schema'
	sql 'CREATE EXTENSION pg_trgm; CREATE INDEX ON shortenedurls USING gin (srcurl gin_trgm_ops)'
	ctl status
	like "$out" '*search index    there' 'status: an index for searching'
	sql 'DROP TABLE visits_by_day'
	ctl status
	is "$status" 1 'status: a table is missing: 1'
	SHORTEN_DATABASE="host=$stack_folder" ctl status
	saved=$SHORTEN_DATABASE
	SHORTEN_DATABASE="host=$stack_folder"
	ctl status
	like "$status $out" '1 version *' 'status: no database: 1, with what is known'
	like "$err" 'shortenctl: The database cannot be reached: *' 'status: no database: why'
	SHORTEN_DATABASE=$saved
}

# migrates PROGRAM NAME: makes the tables of an empty database.
migrates() {
	dropdb --if-exists --force -h "$postgres_folder/socket" -U postgres "$database"
	createdb -h "$postgres_folder/socket" -U postgres -O shorten "$database"
	ctl_program=$1
	ctl migrate
	is "$status $err" '0 ' "$2: migrate: status 0"
	like "$out" '*Applied *The schema is up to date: version *' "$2: migrate: what it says"
	ctl link add https://example.com/
	is "$status" 0 "$2: links can be made"
	ctl migrate
	like "$status $out" '0 The schema is up to date: version *' "$2: again"
}

# The script lies where `make install` puts it, or in the checkout, whatever the current folder.
test_migrate() {
	mkdir -p "$stack_folder/prefix/bin" "$stack_folder/prefix/share/shorten" "$stack_folder/checkout/build" "$stack_folder/alone/bin"
	cp -R sql "$stack_folder/prefix/share/shorten/"
	cp -R sql "$stack_folder/checkout/"
	for place in prefix/bin checkout/build alone/bin; do
		install -m 0755 "$ctl_program" "$stack_folder/$place/shortenctl"
	done
	migrates "$stack_folder/prefix/bin/shortenctl" installed
	cd "$stack_folder" || exit 1
	migrates checkout/build/shortenctl 'in the checkout'
	cd "$stack_checkout" || exit 1
	ctl_program=$stack_folder/alone/bin/shortenctl
	ctl migrate
	like "$status $err" '1 shortenctl: There is no sql/migrate beside this program*' 'alone: status 1'
	ctl_program=$stack_folder/prefix/bin/shortenctl
	SHORTEN_DATABASE='host=/nowhere'
	ctl migrate
	is "$status" 1 'migrate: no database: status 1'
}

test_prune
test_status
test_migrate
done_testing
