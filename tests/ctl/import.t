#!/bin/sh
# shortenctl import: the exports of others, bad rows by their lines, and what a second import does: nothing.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

# Rows as they are imported, in the order of their ids.
rows() {
	sql "SELECT id, srcurl, title, tags, created AT TIME ZONE 'UTC', visits, expires AT TIME ZONE 'UTC', enabled FROM shortenedurls ORDER BY id"
}

# text [OPTION]...: imports what lies in $text.
text=$stack_folder/text.csv
text() {
	ctl import - "$@" <"$text"
}

# imports FILE SUMMARY NAME: twice; the second time changes nothing.
imports() {
	ctl import "tests/ctl/$1"
	is "$status $err" '0 ' "$1: status 0"
	is "$out" "$2" "$1: the summary"
	before=$(sql 'SELECT l FROM shortenedurls l ORDER BY id; SELECT a FROM link_activity a ORDER BY id')
	ctl import "tests/ctl/$1"
	is "$status $out" "0 0 links imported, ${2%% *} were there already, 0 rows skipped" "$1: again"
	is "$(sql 'SELECT l FROM shortenedurls l ORDER BY id; SELECT a FROM link_activity a ORDER BY id')" "$before" "$1: nothing is changed by that"
}

test_shlink() {
	empty_database
	imports shlink.csv '3 links imported, 0 were there already, 0 rows skipped'
	is "$(rows)" "-shl-3|https://example.org/|日本語のタイトル|{news}|2022-12-24 18:00:00|1000000||t
ShL_2|https://example.com/ünïcode/päth||{}|2023-02-01 04:30:00|0||t
shl1|https://example.com/shlink?a=1&b=2|Spring, \"special\"|{news,\"spring 2024\"}|2024-05-01 10:00:00|42||t" 'shlink: the links'
	is "$(sql 'SELECT id, visits, lastaccessed FROM link_activity ORDER BY id')" \
		"$(sql 'SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 ORDER BY id')" 'shlink: lists show the visits'
	is "$(sql 'SELECT count(*) FROM shortenedurls WHERE lastaccessed <> created')" 0 'shlink: the last visit is not known'
}

test_yourls() {
	empty_database
	imports yourls.csv '3 links imported, 0 were there already, 0 rows skipped'
	is "$(rows)" "ab|http://example.org/a?q=1#part||{}|2019-06-30 23:59:59|0||t
long|https://example.com/long|A title over two lines|{}|2021-03-04 05:06:07|7||t
promo|https://example.com/spring|Spring Sale, 50% off|{}|2020-01-01 00:00:00|42||t" 'yourls: the links'
	empty_database
	imports yourls_plugin.csv '2 links imported, 0 were there already, 0 rows skipped'
	is "$(sql 'SELECT id, srcurl, visits FROM shortenedurls ORDER BY id')" "one|https://example.com/one|3
two|https://example.com/two?a=1,2|0" 'yourls plugin: the links'
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE created > now() - interval '1 minute'")" 2 'a date that is not known is now'
}

test_kutt() {
	empty_database
	imports kutt.csv '3 links imported, 0 were there already, 0 rows skipped'
	is "$(rows)" "kutt1|https://example.com/kutt|The first one|{}|2024-02-29 10:20:30.123456|12||t
kutt2|https://bad.example/||{}|2024-02-29 10:20:30.5|5||f
kutt3|https://example.com/until||{}|2024-02-29 10:20:30|0|2030-01-01 00:00:00|t" 'kutt: the links; a banned one is disabled'
}

# A password cannot be kept, and without it the link would be open to all.
test_password() {
	empty_database
	printf 'address,target,password,isProtected\nk1,https://example.com/1,hash,\nk2,https://example.com/2,,true\nk3,https://example.com/3,,false\nk4,https://example.com/4,false,\nk5,https://example.com/5,true,\n' >"$text"
	text
	is "$status $out" '1 2 links imported, 0 were there already, 3 rows skipped' 'kutt: links with a password are skipped'
	is "$err" 'standard input:2: The link has a password, which cannot be kept
standard input:3: The link has a password, which cannot be kept
standard input:6: The link has a password, which cannot be kept' 'kutt: and reported'
	is "$(sql 'SELECT id FROM shortenedurls ORDER BY id' | xargs)" 'k3 k4' 'kutt: those without are in'
}

# What is read, and what of it is not used.
test_reading() {
	ctl import tests/ctl/kutt.csv
	is "$reading" 'Reading tests/ctl/kutt.csv as Kutt; not used: id, banned_by_id, domain_id, user_id, uuid, updated_at' 'unused columns are named'
	printf 'keyword,url\n' >"$text"
	text --dry-run
	is "$reading" 'Reading standard input as YOURLS' 'all columns are used'
	printf 'keyword,url,a\033[31mB\nx' >"$text"
	text
	is "$reading" 'Reading standard input as YOURLS; not used: a?[31mB' 'control characters of a name are masked'
}

# Every name that the link has at Bitly goes on; its visits are counted once.
test_bitly() {
	empty_database
	imports bitly.csv '3 links imported, 0 were there already, 0 rows skipped'
	is "$(rows)" "3abcXyz|https://example.com/products?campaign=summer|Launch, \"Summer\"|{promo,summer}|2026-06-01 08:30:00|0||t
4defUvw|https://example.com/old|Old|{}|2025-12-24 18:00:00|0||t
Launch|https://example.com/products?campaign=summer|Launch, \"Summer\"|{promo,summer}|2026-06-01 08:30:00|1234||t" 'bitly: the links'
	empty_database
	imports bitly_api.csv '3 links imported, 0 were there already, 0 rows skipped'
	is "$(sql 'SELECT id, srcurl, tags FROM shortenedurls ORDER BY id')" "3xyzAbc|https://example.com/api|{a,b}
one|https://example.com/api|{a,b}
two|https://example.com/api|{a,b}" 'bitly, as its API names the columns: the links'
}

test_headers() {
	empty_database
	printf '\357\273\277Long URL;Short Code\r\nhttps://example.com/a,b;x1\r\n' >"$text"
	text
	is "$status $out" '0 1 link imported, 0 were there already, 0 rows skipped' 'a byte order mark, semicolons, CRLF, names with blanks'
	is "$(sql "SELECT srcurl FROM shortenedurls WHERE id = 'x1'")" 'https://example.com/a,b' 'the comma belongs to the URL'
	printf 'URL\tKEYWORD\nhttps://example.com/t\tx2' >"$text"
	text
	is "$status $(sql "SELECT srcurl FROM shortenedurls WHERE id = 'x2'")" '0 https://example.com/t' 'tabs, any case, any order, no line end'
	printf 'shortUrl,longUrl\nhttps://s.example/x3?utm=1,https://example.com/3\ns.example/x4/,https://example.com/4\n' >"$text"
	text
	is "$status $(sql "SELECT count(*) FROM shortenedurls WHERE id IN ('x3', 'x4')")" '0 2' 'slugs out of short URLs'
	printf 'shortUrl,longUrl\nhttps://s.example/,https://example.com/3\nhttps://s.example/a/b,https://example.com/4\n' >"$text"
	text
	is "$status $err" "1 standard input:2: 'slug' must be 1 to 64 characters of A-Za-z0-9_-
standard input:3: 'slug' must be 1 to 64 characters of A-Za-z0-9_-" 'short URLs that have no slug'
	printf 'a,b,c\n1,2,3\n' >"$text"
	text
	is "$status $err" '1 shortenctl: standard input:1: The header line is that of no export of shortenctl, Shlink, YOURLS, Kutt or Bitly; see: shortenctl import --help' \
		'a header line that nobody writes'
	printf 'keyword,url\na,http://e.example/\n' >"$text"
	text --format kutt
	like "$status $err" '1 *standard input:1: The header line of an export of Kutt names address and target*' 'a header line of another format'
	printf 'keyword,url\nx5,http://e.example/\n' >"$text"
	text --format yourls
	is "$status" 0 '--format yourls'
	: >"$text"
	text
	like "$status $err" '1 *standard input:1: The file is empty*' 'nothing at all'
	printf 'keyword,url\n' >"$text"
	text
	is "$status $out" '0 0 links imported, 0 were there already, 0 rows skipped' 'a header line alone'
	ctl import /nowhere.csv
	is "$status $err" '1 shortenctl: /nowhere.csv cannot be read: No such file or directory' 'a file that is not there'
	ctl import /
	is "$status $err" '1 shortenctl: / cannot be read: Is a directory' 'a folder'
}

# Lines are counted with those inside quotes; what is good comes in.
test_bad_rows() {
	empty_database
	ctl link add https://example.com/elsewhere --slug taken
	ctl import tests/ctl/bad.csv
	is "$status" 1 'bad rows: status 1'
	is "$err" "tests/ctl/bad.csv:2: 'title' must not contain control characters
tests/ctl/bad.csv:5: 'slug' must be 1 to 64 characters of A-Za-z0-9_-
tests/ctl/bad.csv:6: 'slug' must not be 'api', which is a path of this service
tests/ctl/bad.csv:7: The row has no slug
tests/ctl/bad.csv:8: 'srcUrl' is missing
tests/ctl/bad.csv:9: 'srcUrl' must start with http:// or https://
tests/ctl/bad.csv:10: 'srcUrl' must name a host, as in https://example.com/
tests/ctl/bad.csv:11: 'created' must be a time, such as 2026-12-31T23:59:59+01:00
tests/ctl/bad.csv:12: 'created' must be a time, such as 2026-12-31T23:59:59+01:00
tests/ctl/bad.csv:13: 'visits' must be a whole number
tests/ctl/bad.csv:14: 'validFrom' must be before 'expires'
tests/ctl/bad.csv:15: 'maxVisits' must be a whole number from 1 to 1000000000
tests/ctl/bad.csv:16: 'redirectStatus' must be 301, 302, 307 or 308
tests/ctl/bad.csv:17: 'forwardQuery' must be true or false
tests/ctl/bad.csv:18: 'enabled' must be true or false
tests/ctl/bad.csv:19: 'owner' must be the id of a key
tests/ctl/bad.csv:20: The row has 2 fields, but the header line 14
tests/ctl/bad.csv:21: Something stands behind the closing quote of a field; a quote inside is written twice
tests/ctl/bad.csv:24: The slug 'good3' is taken by another link
tests/ctl/bad.csv:26: The slug 'taken' is taken by another link" 'bad rows: each is named by its line'
	is "$out" '2 links imported, 1 was there already, 20 rows skipped' 'bad rows: the summary'
	is "$(sql "SELECT id, srcurl FROM shortenedurls ORDER BY id")" 'good2|https://example.com/2
good3|https://example.com/3
taken|https://example.com/elsewhere' 'bad rows: the good ones are in, nothing is overwritten'
	ctl import tests/ctl/bad.csv
	is "$status $out" '1 0 links imported, 3 were there already, 20 rows skipped' 'bad rows: again'
}

test_bad_bytes() {
	empty_database
	printf 'keyword,url,title\nb1,https://example.com/,a\377b\nb2,https://example.com/\303,x\nb3,https://example.com/,a\000b\nb4,https://example.com/,"a\nb5,x' >"$text"
	text
	is "$status $out" '1 0 links imported, 0 were there already, 4 rows skipped' 'bad bytes: status 1'
	is "$err" 'standard input:2: The row is not valid UTF-8
standard input:3: The row is not valid UTF-8
standard input:4: A field must not contain NUL
standard input:5: The file ends inside quotes (lines 5 to 6 are skipped)' 'bad bytes: the sentences'
	{
		printf 'keyword,url,title\n'
		printf 'b6,https://example.com/,"%070000d"\n' 0
		printf 'b7,https://example.com/%02028d,x\n' 0
		printf 'b8,https://example.com/%02029d,x\n' 0
		printf 'b9,https://example.com/,%s\n' "$(printf '%0600d' 0 | sed 's/0/ä/g')"
	} >"$text"
	text
	is "$err" "standard input:2: A field is longer than 65,536 bytes, or its quotes are never closed
standard input:4: 'srcUrl' must not be more than 2048 characters" 'sizes: the limit for old URLs is higher'
	is "$(sql 'SELECT id, length(srcurl), length(title) FROM shortenedurls ORDER BY id')" 'b7|2048|1
b9|20|500' 'sizes: titles of others are cut'
}

# Tries what would be done; nothing of it is.
test_dry_run() {
	empty_database
	ctl link add https://example.com/elsewhere --slug taken
	ctl link add https://example.com/2 --slug good2
	ctl import tests/ctl/bad.csv --dry-run
	is "$status $out" '1 1 link would be imported, 2 are there already, 20 rows skipped (a dry run: nothing is changed)' '--dry-run: the summary'
	like "$err" "*bad.csv:24: The slug 'good3' is taken by another link*bad.csv:26: The slug 'taken' is taken by another link" '--dry-run: bad rows'
	is "$(sql 'SELECT count(*) FROM shortenedurls')" 2 '--dry-run: nothing is changed'
	ctl import tests/ctl/bad.csv
	is "$out" '1 link imported, 2 were there already, 20 rows skipped' 'then in earnest: the same numbers'
}

# A deleted link is not made again, with or without what it held.
test_deleted() {
	empty_database
	ctl import tests/ctl/shlink.csv
	ctl link delete shl1
	ctl link delete ShL_2
	sql "UPDATE shortenedurls SET srcurl = '-' WHERE id = 'ShL_2'"
	ctl import tests/ctl/shlink.csv
	is "$status $out $err" "1 0 links imported, 2 were there already, 1 row skipped tests/ctl/shlink.csv:3: The slug 'ShL_2' is taken by a deleted link" \
		'deleted links stay deleted'
	is "$(sql 'SELECT count(*) FROM shortenedurls WHERE deleted IS NOT NULL')" 2 'both'
}

# No link is made yet when the signal comes.
test_interrupted() {
	empty_database
	mkfifo "$stack_folder/fifo"
	export SHORTEN_DATABASE
	for signal in INT TERM; do
		"$ctl_program" import "$stack_folder/fifo" >"$stack_folder/out" 2>"$stack_folder/err" &
		pid=$!
		{
			printf 'keyword,url\n'
			awk 'BEGIN { for (i = 0; i < 50000; i++) printf "i%d,https://example.com/%d\n", i, i }'
			try 10 is_copying || diag 'it does not copy'
			kill -s "$signal" "$pid"
			try 10 is_gone "$pid" || diag 'it does not end'
		} >"$stack_folder/fifo"
		status=0
		wait "$pid" || status=$?
		is "$status $(cat "$stack_folder/out" "$stack_folder/err")" '1 Reading '"$stack_folder/fifo as YOURLS"'
shortenctl: Interrupted; nothing was imported' "SIG$signal: the sentence"
		is "$(sql 'SELECT count(*) FROM shortenedurls')" 0 "SIG$signal: nothing was imported"
	done
}

is_copying() {
	[ "$(sql "SELECT count(*) FROM pg_stat_progress_copy WHERE datname = '$database' AND tuples_processed > 0")" = 1 ]
}

# The same while the links are made: another transaction holds an id of the third portion, so that the INSERT waits.
# Nobody waits for the portions before.
test_interrupted_late() {
	empty_database
	export SHORTEN_DATABASE
	{
		printf 'keyword,url,clicks\n'
		awk 'BEGIN { for (i = 0; i < 10000; i++) printf "i%d,https://example.com/%d,%d\n", i, i, i % 3 }'
		printf 'i3999,https://example.com/other,1\ni4500,https://example.com/other,1\n'
	} >"$stack_folder/portions.csv"
	mkfifo "$stack_folder/hold"
	psql -XqAt -d "$SHORTEN_DATABASE" <"$stack_folder/hold" >"$stack_folder/held" &
	holder=$!
	exec 9>"$stack_folder/hold"
	printf "BEGIN; INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('i4500', 'http://e.example/', now(), now()) RETURNING id;\n" >&9
	try 10 grep -q i4500 "$stack_folder/held" || diag 'nobody holds the id'
	"$ctl_program" import "$stack_folder/portions.csv" >"$stack_folder/out" 2>"$stack_folder/err" 9>&- &
	pid=$!
	try 10 is_waiting || diag 'it does not wait'
	is "$(sql "SET lock_timeout = '1s'; INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('i1', 'http://e.example/', now(), now()) ON CONFLICT (id) DO NOTHING RETURNING id; SELECT count(*) FROM shortenedurls")" \
		4000 'portions before are committed'
	kill -s INT "$pid"
	try 10 is_gone "$pid" || diag 'it goes on waiting'
	exec 9>&-
	wait "$holder"
	status=0
	wait "$pid" || status=$?
	is "$status $(sed 1d "$stack_folder/err") $(cat "$stack_folder/out")" '1 shortenctl: Interrupted; 4000 links are in, the same command goes on ' 'SIGINT while links are made: the sentence'
	is "$(sql "SELECT count(*), max(substr(id, 2)::integer) FROM shortenedurls")" '4000|3999' 'SIGINT while links are made: what was made stays'
	ctl import "$stack_folder/portions.csv"
	is "$status $out" '1 6000 links imported, 4000 were there already, 2 rows skipped' 'the same command goes on'
	is "$err" "$stack_folder/portions.csv:10002: The slug 'i3999' is taken by another link
$stack_folder/portions.csv:10003: The slug 'i4500' is taken by another link" 'rows of other portions with the same slugs are refused'
	is "$(sql "SELECT count(*), sum(visits) FROM link_activity")" "$(sql "SELECT count(*), sum(visits) FROM shortenedurls WHERE visits > 0")" 'lists show the visits'
}

is_waiting() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = '$database' AND application_name = 'shortenctl' AND wait_event_type = 'Lock'")" = 1 ]
}

# Two imports of one file at once: each link is made once, both end well.
test_at_once() {
	empty_database
	export SHORTEN_DATABASE
	{
		printf 'keyword,url,clicks\n'
		awk 'BEGIN { for (i = 0; i < 20000; i++) printf "i%d,https://example.com/%d,%d\n", i, i, i % 3 }'
	} >"$stack_folder/many.csv"
	"$ctl_program" import "$stack_folder/many.csv" >"$stack_folder/out.1" 2>&1 &
	first=$!
	"$ctl_program" import "$stack_folder/many.csv" >"$stack_folder/out.2" 2>&1 &
	second=$!
	ok 'two at once: the first ends well' wait "$first"
	ok 'two at once: the second ends well' wait "$second"
	is "$(cat "$stack_folder/out.1" "$stack_folder/out.2" | grep -v ^Reading | awk '{ made += $1; old += $4; bad += $8 } END { print made, old, bad }')" '20000 20000 0' \
		'two at once: each link is made by one of them'
	is "$(sql 'SELECT count(*) FROM shortenedurls')" 20000 'two at once: all are there'
}

# On a terminal, and only there, the number of rows is shown.
test_progress() {
	empty_database
	if ! command -v script >/dev/null; then
		skip 'progress on a terminal' 'there is no script(1)'
		return
	fi
	export SHORTEN_DATABASE
	script -qec "$ctl_program import $stack_folder/many.csv" /dev/null </dev/null >"$stack_folder/terminal"
	like "$(tr '\r\033' '>~' <"$stack_folder/terminal")" 'Reading *>~\[K*20000 rows read, 0 links made>~\[K20000 rows read, 2000 links made*20000 rows read, 20000 links made>~\[K20000 links imported*' 'a terminal sees how far it is'
	ctl import "$stack_folder/many.csv"
	is "$err" '' 'a pipe does not'
}

test_shlink
test_yourls
test_kutt
test_password
test_reading
test_bitly
test_headers
test_bad_rows
test_bad_bytes
test_dry_run
test_deleted
test_interrupted
test_interrupted_late
test_at_once
test_progress
done_testing
