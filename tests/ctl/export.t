#!/bin/sh
# shortenctl export: what it writes, and that importing it into an empty database gives the same links again.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

header='id,srcUrl,created,lastAccessed,visits,title,tags,validFrom,expires,maxVisits,redirectStatus,forwardQuery,enabled,deleted,owner'

test_format() {
	ctl export
	is "$status $out $err" "0 $header " 'no links: the header line'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('plain', 'https://example.com/', '2024-01-02T03:04:05.000006+01:00', '2024-01-02T03:04:05Z');
		INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, validfrom, expires, maxvisits, redirectstatus, forwardquery, enabled, deleted, owner)
		VALUES ('full', 'https://example.com/a,b', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', 9223372036854775807, 'A \"title\"', '{a,\"b c\"}',
		'2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1000000000, 308, true, false, '2026-06-07T08:09:10.5Z', 'key_1-')"
	ctl export
	is "$out" "$header
full,\"https://example.com/a,b\",1970-01-01T00:00:00.000000Z,9999-12-31T23:59:59.999999Z,9223372036854775807,\"A \"\"title\"\"\",\"a,b c\",2025-01-01T00:00:00.000000Z,2026-01-01T00:00:00.000000Z,1000000000,308,true,false,2026-06-07T08:09:10.500000Z,key_1-
plain,https://example.com/,2024-01-02T02:04:05.000006Z,2024-01-02T03:04:05.000000Z,0,,,,,,,false,true,," \
		'times in UTC, NULL and empty values are nothing, deleted links are there'
}

# Titles and URLs that CSV, COPY or SQL could mistake for something else. What no rule allows is not among them.
fill() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, title)
		SELECT 'title' || n, 'https://example.com/', now(), now(), t FROM unnest(ARRAY['\\.', '\\N', 'NULL', 'null', '\"', '\"\"', ',', ',,', '''', ';',
		'a,b', 'a\"b', '\"a\"', '\\', '\\\\', 'a\\', '\\n', '\\t', '%', '%s%n', '{}', '{a}', '-', '=1+1', '@x', 'a  b', 'é', 'e' || U&'\\0301', '日本', U&'\\+01F600',
		U&'\\200B', U&'\\FEFF', U&'\\FFFF', U&'\\00A0', repeat('x', 500), repeat(U&'\\+01F600', 500), '\$1', '\${x}', '--', '/*', 'true', '0', U&'\\2028']) WITH ORDINALITY AS u (t, n)"
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, tags)
		SELECT 'tags' || n, 'https://example.com/?tags', '2001-01-01', now(), string_to_array(t, ',') FROM unnest(ARRAY['a', 'a,b', '\"', '\"\",b', '{', '}', '{},{x}', 'NULL',
		'null,NULL', '\\', '\\,\\\\', 'a b,c d', ';', '|', 'é', '日本', (SELECT string_agg(repeat('ü', 60) || i, ',') FROM generate_series(1, 20) i)]) WITH ORDINALITY AS u (t, n)"
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'url' || n, t, now(), now() FROM unnest(ARRAY['https://example.com/\"', 'https://example.com/a,b;c', 'https://example.com/\\', 'https://example.com/a b',
		'HTTP://USER:pass@EXAMPLE.com:80/%0A%zz?q=\"\"#é', 'https://例え.example/日本', 'https://[::1]:8080/', 'https://example.com/' || repeat('x', 2028),
		'https://example.com/' || repeat(U&'\\+01F600', 2028), 'https://example.com/%', 'https://example.com', 'https://example.com/?a=''b''']) WITH ORDINALITY AS u (t, n)"
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, validfrom, expires, maxvisits, redirectstatus, forwardquery, enabled, deleted, owner) VALUES
		('-', 'https://example.com/', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000001Z', 0, NULL, NULL, 1, 301, true, true, NULL, ''),
		('_', 'https://example.com/', '9999-12-31T23:59:59.999999Z', now(), 9223372036854775807, '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', 1000000000, 302, false, false, NULL, 'a-_Z'),
		('Aa', 'https://example.com/1', now(), now(), 1, now(), NULL, NULL, 307, true, false, '2024-01-01T00:00:00.123456Z', 'key'),
		('aa', 'https://example.com/2', now(), now(), 2, NULL, now(), NULL, 308, true, false, NULL, ''),
		('emptied', '-', now(), now(), 3, NULL, NULL, NULL, NULL, false, true, '2020-01-01', ''),
		(repeat('x', 64), 'https://example.com/', now(), now(), 4, NULL, NULL, NULL, NULL, false, true, NULL, '')"
	sql 'INSERT INTO link_activity SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 AND deleted IS NULL'
}

# Every column of every row but the mark, which is for repeated writes.
table() {
	sql "SELECT to_jsonb(l) - 'mark' FROM shortenedurls l ORDER BY id"
	sql 'SELECT a FROM link_activity a ORDER BY id'
}

test_identity() {
	sql 'DELETE FROM shortenedurls'
	fill
	links=$(sql 'SELECT count(*) FROM shortenedurls')
	ok 'identity: there is much to lose' [ "$links" -ge 75 ]
	ctl export
	is "$status $err" '0 ' 'identity: export'
	cp "$stack_folder/ctl.out" "$stack_folder/first.csv"
	table >"$stack_folder/first.table"
	empty_database
	ctl import "$stack_folder/first.csv"
	is "$status $err $out" "0  $links links imported, 0 were there already, 0 rows skipped" 'identity: import'
	table >"$stack_folder/second.table"
	ok 'identity: the tables are equal' cmp "$stack_folder/first.table" "$stack_folder/second.table"
	ctl export
	ok 'identity: the exports are equal, byte by byte' cmp "$stack_folder/first.csv" "$stack_folder/ctl.out"
	ctl import "$stack_folder/first.csv"
	is "$status $err $out" "0  0 links imported, $links were there already, 0 rows skipped" 'identity: importing it again'
	table >"$stack_folder/third.table"
	ok 'identity: changes nothing' cmp "$stack_folder/first.table" "$stack_folder/third.table"
}

# A deleted link may have been emptied on one side since.
test_emptied() {
	sql "UPDATE shortenedurls SET srcurl = '-' WHERE id = 'Aa'"
	ctl import "$stack_folder/first.csv"
	is "$status $out" "0 0 links imported, $links were there already, 0 rows skipped" 'emptied here: it is the same link'
	ctl export
	cp "$stack_folder/ctl.out" "$stack_folder/emptied.csv"
	empty_database
	ctl import "$stack_folder/first.csv"
	ctl import "$stack_folder/emptied.csv"
	is "$status $out" "0 0 links imported, $links were there already, 0 rows skipped" 'emptied there: it is the same link'
}

# Time zones and styles of the database do not show.
test_settings_of_database() {
	sql "ALTER DATABASE $database SET TimeZone = 'Asia/Kolkata'"
	sql "ALTER DATABASE $database SET DateStyle = 'German, DMY'"
	ctl export
	ok 'another time zone and style: the same export' cmp "$stack_folder/first.csv" "$stack_folder/ctl.out"
	empty_database
	sql "ALTER DATABASE $database SET TimeZone = 'America/New_York'"
	ctl import "$stack_folder/first.csv"
	is "$status" 0 'another time zone: import'
	ctl export
	ok 'another time zone: the same export again' cmp "$stack_folder/first.csv" "$stack_folder/ctl.out"
}

# CRLF, as spreadsheets write it.
test_crlf() {
	empty_database
	sed 's/$/\r/' "$stack_folder/first.csv" | env SHORTEN_DATABASE="$SHORTEN_DATABASE" "$ctl_program" import - >"$stack_folder/out" 2>&1
	is "$(sed 1d "$stack_folder/out")" "$links links imported, 0 were there already, 0 rows skipped" 'CRLF: import'
	ctl export
	ok 'CRLF: the same export' cmp "$stack_folder/first.csv" "$stack_folder/ctl.out"
}

# What was good when it was made comes back, also where the base URL or the rules are others now.
test_other_rules() {
	empty_database
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('loop', 'https://other.example/x', now(), now()),
		('long', 'https://example.com/' || repeat('x', 8172), now(), now())"
	ctl export
	cp "$stack_folder/ctl.out" "$stack_folder/rules.csv"
	table >"$stack_folder/first.table"
	empty_database
	saved=$SHORTEN_BASE_URL
	SHORTEN_BASE_URL=https://other.example/
	ctl import "$stack_folder/rules.csv"
	is "$status $err $out" '0  2 links imported, 0 were there already, 0 rows skipped' 'a URL of the new base, and a long one: import'
	table >"$stack_folder/second.table"
	ok 'a URL of the new base, and a long one: the tables are equal' cmp "$stack_folder/first.table" "$stack_folder/second.table"
	printf 'keyword,url\nother,https://other.example/x\n' >"$stack_folder/other.csv"
	ctl import "$stack_folder/other.csv"
	like "$status $err" '1 *other.csv:2: *which would lead in a circle' 'not so from others'
	SHORTEN_BASE_URL=$saved
}

test_format
test_other_rules
sql 'DELETE FROM shortenedurls'
test_identity
test_emptied
test_settings_of_database
test_crlf
done_testing
