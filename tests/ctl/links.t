#!/bin/sh
# shortenctl link: makes, shows, changes, deletes and lists links by the rules of the service.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

# row ID: what the table has of a link, without the times of today.
row() {
	sql "SELECT srcurl, title, tags, validfrom AT TIME ZONE 'UTC', expires AT TIME ZONE 'UTC', maxvisits, redirectstatus,
		forwardquery, enabled, visits, owner, deleted IS NOT NULL, created = lastaccessed, mark FROM shortenedurls WHERE id = '$1'"
}

test_add() {
	ctl link add ' https://example.com/a?b=1%0A#c '
	like "$status $out $err" '0 http://test.short/?????????? ' 'link add: the short URL, alone'
	is "$(row "${out##*/}")" 'https://example.com/a?b=1%0A#c||{}|||||f|t|0||f|t|' 'the link'
	ctl link add https://example.com/b --slug Sale-1_x --title '  The "Sale", 50% \ off  ' --tag one --tag ' tw o ' --tag one \
		--valid-from 2027-01-01T03:00:00+03:00 --expires=2028-12-31T23:59:59.25Z --max-visits 7 --redirect-status 301 --forward-query
	is "$status $out $err" '0 http://test.short/Sale-1_x ' 'link add: all options'
	is "$(row Sale-1_x)" \
		'https://example.com/b|The "Sale", 50% \ off|{one,"tw o"}|2027-01-01 00:00:00|2028-12-31 23:59:59.25|7|301|t|t|0||f|t|' \
		'the link with all options'
	ctl link add https://example.com/ --slug sale-1_x
	is "$status" 0 'a slug that differs by case is another'
	ctl link add https://example.com/ --slug "$(printf '%064d' 0)"
	is "$status" 0 'a slug of 64 characters'
	ctl link add https://example.com/ --slug -x --title '' --tag '' --expires '' --valid-from '' --max-visits '' --redirect-status ''
	is "$status $(row -x)" '0 https://example.com/||{}|||||f|t|0||f|t|' 'a slug that begins with -, and empty options'
	ctl link add "https://example.com/$(printf '%0230d' 0)"
	is "$status" 0 'a URL of 250 characters'
	sql "UPDATE shortenedurls SET expires = '2020-01-01' WHERE id = 'Sale-1_x'"
	for slug in Sale-1_x -x; do
		ctl link add https://example.com/b --slug "$slug"
		is "$status $out $err" "1  shortenctl: The slug '$slug' is taken; choose another" "a slug that is taken: $slug"
	done
}

# refused PATTERN OPTION...: status 2, no link.
refused() {
	pattern=$1
	shift
	before=$(sql 'SELECT count(*) FROM shortenedurls')
	ctl link add "$@"
	is "$status $out" '2 ' "refused: $*: status 2"
	like "$err" "shortenctl: $pattern; see: *" "refused: $*: the sentence"
	is "$(sql 'SELECT count(*) FROM shortenedurls')" "$before" "refused: $*: no link"
}

test_refused() {
	url=https://example.com/
	refused "'srcUrl' must start with http:// or https://" ftp://example.com/
	refused "'srcUrl' is missing" ' '
	refused "'srcUrl' must not be more than 250 characters" "https://example.com/$(printf '%0231d' 0)"
	refused "'srcUrl' must not be a URL of this service*" https://TEST.short:80/x
	refused "'srcUrl' must not contain control characters*" "$(printf 'https://example.com/\001')"
	refused '--url must be valid UTF-8' "$(printf 'https://example.com/\377')"
	refused "'slug' must be 1 to 64 characters of A-Za-z0-9_-" $url --slug ''
	refused "'slug' must be 1 to 64 characters of A-Za-z0-9_-" $url --slug a/b
	refused "'slug' must be 1 to 64 characters of A-Za-z0-9_-" $url --slug "$(printf '%065d' 0)"
	refused "'slug' must not be 'api'*" $url --slug api
	refused "'title' must not be more than 500 characters" $url --title "$(printf '%0501d' 0)"
	refused "'title' must not contain control characters" $url --title "$(printf 'a\nb')"
	refused "'tags' must hold tags of 1 to 64 characters" $url --tag "$(printf '%065d' 0)"
	refused "'tags' must hold tags without commas*" $url --tag a,b
	refused "'expires' must be a time with an offset*" $url --expires 2026-12-31T23:59:59
	refused "'expires' must be a time with an offset*" $url --expires tomorrow
	refused "'validFrom' must be a time with an offset*" $url --valid-from 2026-02-30T00:00:00Z
	refused "'validFrom' must be before 'expires'" $url --valid-from 2027-01-01T01:00:00+01:00 --expires 2027-01-01T00:00:00Z
	for number in 0 -1 1000000001 1.0 1e3 99999999999999999999; do
		refused "'maxVisits' must be a whole number from 1 to 1000000000" $url --max-visits "$number"
	done
	for number in 303 200 0 x 99999999999999999999; do
		refused "'redirectStatus' must be 301, 302, 307 or 308" $url --redirect-status "$number"
	done
	set -- $url
	for tag in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		set -- "$@" --tag "t$tag"
	done
	ctl link add "$@" --slug tags20
	is "$status" 0 '20 tags'
	refused "'tags' must hold at most 20 tags" "$@" --tag t21
}

test_bounds() {
	ctl link add https://example.com/ --slug bounds --max-visits 1000000000 --title "$(printf '%0500d' 0 | sed 's/0/€/g')" \
		--tag "$(printf '%064d' 0 | sed 's/0/ü/g')" --redirect-status 308
	is "$status" 0 'the longest title and tag, the highest number'
	is "$(sql "SELECT length(title), length(tags[1]), maxvisits FROM shortenedurls WHERE id = 'bounds'")" '500|64|1000000000' 'are kept'
}

# Of many who want one slug at once one gets it.
test_race() {
	export SHORTEN_DATABASE
	pids=
	for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$ctl_program" link add "https://example.com/$number" --slug race >"$stack_folder/out.$number" 2>"$stack_folder/err.$number" &
		pids="$pids $!"
	done
	successes=0
	for pid in $pids; do
		wait "$pid" && successes=$((successes + 1))
	done
	is "$successes" 1 'a slug that 20 want at once: one gets it'
	is "$(cat "$stack_folder"/out.*)" 'http://test.short/race' 'and is told so'
	is "$(cat "$stack_folder"/err.* | sort | uniq -c | sed 's/^ *//')" "19 shortenctl: The slug 'race' is taken; choose another" \
		'the others are told so'
}

test_show() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, validfrom, expires, maxvisits,
		redirectstatus, forwardquery, enabled, deleted, owner) VALUES ('shown', 'https://example.com/?q=\"\\', '2024-01-02T03:04:05.6Z',
		'2024-02-03T04:05:06Z', 9, E'a \"title\"\\u0085', '{x,\"y z\"}', '2023-01-01T00:00:00Z', '2030-01-01T00:00:00Z', 9, 307, true,
		false, '2024-03-04T05:06:07Z', 'somekey')"
	ctl link show shown
	is "$status $out" '0 id              shown
shortenedUrl    http://test.short/shown
srcUrl          https://example.com/?q="\
title           a "title"?
tags            x, y z
created         2024-01-02T03:04:05.600000Z
lastAccessed    2024-02-03T04:05:06.000000Z
visits          9
validFrom       2023-01-01T00:00:00.000000Z
expires         2030-01-01T00:00:00.000000Z
maxVisits       9
redirectStatus  307
forwardQuery    true
enabled         false
deleted         2024-03-04T05:06:07.000000Z
owner           somekey
state           deleted' 'link show'
	ctl link show --json shown
	is "$out" "$(printf '%s%s%s%s%s' \
		'{"id":"shown","shortenedUrl":"http://test.short/shown","srcUrl":"https://example.com/?q=\"\\","title":"a \"title\"' "$(printf '\302\205')" '",' \
		'"tags":["x","y z"],"created":"2024-01-02T03:04:05.600000Z","lastAccessed":"2024-02-03T04:05:06.000000Z","visits":9,"validFrom":"2023-01-01T00:00:00.000000Z",' \
		'"expires":"2030-01-01T00:00:00.000000Z","maxVisits":9,"redirectStatus":307,"forwardQuery":true,"enabled":false,"deleted":"2024-03-04T05:06:07.000000Z","owner":"somekey"}')" \
		'link show --json'
	ctl link show none
	is "$status $out $err" "1  shortenctl: There is no link 'none'" 'link show: unknown'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('--json', 'http://e.example/', now(), now())"
	ctl link show -- --json
	like "$status $out" '0 id *--json*' 'an id behind --'
}

test_edit() {
	ctl link add https://example.com/old --slug edit --title Old --tag a --expires 2030-01-01T00:00:00Z --max-visits 5
	ctl link edit edit --url ' https://example.com/new ' --title New --tag b --tag c --valid-from 2029-01-01T00:00:00Z --max-visits 6 \
		--redirect-status 308 --forward-query --disable
	is "$status $out $err" "0 The link 'edit' is changed. " 'link edit: everything'
	all='https://example.com/new|New|{b,c}|2029-01-01 00:00:00|2030-01-01 00:00:00|6|308|t|f|0||f|t|'
	is "$(row edit)" "$all" 'all is changed'
	ctl link edit edit --enable
	is "$(row edit)" "$(printf '%s' "$all" | sed 's/|t|f|0/|t|t|0/')" 'link edit: one thing; the rest stays'
	ctl link edit edit --expires 2028-01-01T00:00:00Z
	is "$status $err" "1 shortenctl: 'validFrom' must be before 'expires'" 'a time against the one that is there'
	ctl link edit edit --valid-from 2030-01-01T00:00:00Z
	is "$status $err" "1 shortenctl: 'validFrom' must be before 'expires'" 'the other one, too'
	ctl link edit edit --expires 2028-01-01T00:00:00Z --no-valid-from
	is "$status $(row edit)" '0 https://example.com/new|New|{b,c}||2028-01-01 00:00:00|6|308|t|t|0||f|t|' 'both together'
	ctl link edit edit --no-title --no-tags --no-expires --no-max-visits --no-redirect-status --no-forward-query
	is "$status $(row edit)" '0 https://example.com/new||{}|||||f|t|0||f|t|' 'link edit: --no-...'
	ctl link edit edit --title T --tag t --valid-from 2029-01-01T00:00:00Z --expires 2030-01-01T00:00:00Z --max-visits 1 --redirect-status 301
	ctl link edit edit --title '' --tag '' --valid-from '' --expires '' --max-visits '' --redirect-status ''
	is "$status $(row edit)" '0 https://example.com/new||{}|||||f|t|0||f|t|' 'empty values remove, too'
	ctl link edit edit --url http://test.short/edit
	like "$status $err" "2 shortenctl: 'srcUrl' must not be a URL of this service*" 'no circles'
	ctl link edit nobody --enable
	is "$status $err" "1 shortenctl: There is no link 'nobody'" 'link edit: unknown'
}

test_delete() {
	ctl link add https://example.com/ --slug gone
	sql "INSERT INTO link_activity VALUES ('gone', 3, now()), ('edit', 1, now())"
	ctl link delete gone
	is "$status $out $err" "0 The link 'gone' is deleted. " 'link delete'
	is "$(sql "SELECT deleted = (SELECT max(deleted) FROM shortenedurls), srcurl FROM shortenedurls WHERE id = 'gone'")" \
		't|https://example.com/' 'its row stays'
	is "$(sql 'SELECT id FROM link_activity')" edit 'but not that in link_activity'
	before=$(sql "SELECT deleted FROM shortenedurls WHERE id = 'gone'")
	ctl link delete gone
	is "$status $out" "0 The link 'gone' was deleted already." 'again'
	is "$(sql "SELECT deleted FROM shortenedurls WHERE id = 'gone'")" "$before" 'the time stays'
	ctl link edit gone --enable
	is "$status $err" "1 shortenctl: The link 'gone' is deleted" 'no edits any more'
	ctl link add https://example.com/ --slug gone
	is "$status $err" "1 shortenctl: The slug 'gone' is taken; choose another" 'the slug is not free again'
	ctl link delete nobody
	is "$status $err" "1 shortenctl: There is no link 'nobody'" 'link delete: unknown'
}

# ids ARGUMENT...: those that `link list` prints, in a line.
ids() {
	ctl link list "$@"
	printf '%s\n' "$out" | sed 1d | cut -d ' ' -f 1 | xargs
}

test_list() {
	empty_database
	ctl link list
	is "$status $out" '0 ID  CREATED  VISITS  LAST ACCESSED  STATE  TITLE  URL' 'link list: none'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, validfrom, expires, maxvisits, enabled, deleted)
		VALUES ('a', 'https://a.example/100%', '2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z', 5, 'Apple Pie', '{fruit,red}', NULL, NULL, NULL, true, NULL),
		('b', 'https://b.example/x_y', '2024-01-02T00:00:00Z', '2024-05-01T00:00:00Z', 50, NULL, '{fruit}', NULL, '2024-02-01T00:00:00Z', NULL, true, NULL),
		('c', 'https://c.example/xzy', '2024-01-03T00:00:00Z', '2024-04-01T00:00:00Z', 7, 'back\\slash', '{}', NULL, NULL, 7, true, NULL),
		('d', 'https://d.example/', '2024-01-04T00:00:00Z', '2024-03-01T00:00:00Z', 0, NULL, '{}', '2999-01-01', NULL, NULL, true, NULL),
		('e', 'https://e.example/', '2024-01-05T00:00:00Z', '2024-02-01T00:00:00Z', 0, NULL, '{}', NULL, NULL, NULL, false, NULL),
		('f', 'https://f.example/', '2024-01-06T00:00:00Z', '2024-02-01T00:00:00Z', 0, NULL, '{}', NULL, NULL, NULL, true, now())"
	ctl link list
	is "$out" 'ID  CREATED           VISITS  LAST ACCESSED     STATE     TITLE       URL
e   2024-01-05 00:00  0       2024-02-01 00:00  disabled  -           https://e.example/
d   2024-01-04 00:00  0       2024-03-01 00:00  early     -           https://d.example/
c   2024-01-03 00:00  7       2024-04-01 00:00  used up   back\slash  https://c.example/xzy
b   2024-01-02 00:00  50      2024-05-01 00:00  expired   -           https://b.example/x_y
a   2024-01-01 00:00  5       2024-06-01 00:00  live      Apple Pie   https://a.example/100%' \
		'link list: a table, the newest first, no deleted ones'
	is "$(ids --sort visits)" 'b c a e d' '--sort visits'
	is "$(ids --sort lastAccessed --limit 2)" 'a b' '--sort lastAccessed --limit 2'
	is "$(ids --sort created)" 'e d c b a' '--sort created'
	is "$(ids --tag fruit)" 'b a' '--tag'
	is "$(ids --tag frui)" '' '--tag: whole tags'
	is "$(ids --search X_Y)" b '--search: any case, _ is a plain character'
	is "$(ids --search 0%)" a '--search: % is a plain character'
	is "$(ids --search '\S')" c '--search: \ is a plain character'
	is "$(ids --search 'e p')" a '--search: titles'
	is "$(ids --search C)" 'c' '--search: ids and URLs'
	is "$(ids --search "' OR true --")" '' '--search: quotes mean nothing'
	is "$(ids --search a.example --tag red)" a '--search and --tag'
	ctl link list --limit 4
	is "$status $err" '0 shortenctl: There are more; use --limit, or export for all' '--limit: there are more'
	ctl link list --limit 4 --json
	is "$status $err $(printf '%s\n' "$out" | wc -l)" '0 shortenctl: There are more; use --limit, or export for all 4' '--limit --json: there are more'
	ctl link list --limit 5
	is "$status $err" '0 ' '--limit: there are no more'
	ctl link list --limit 2 --tag fruit
	is "$status $err" '0 ' '--limit --tag: there are no more'
	ctl link list --limit 1 --tag fruit
	is "$status $err" '0 shortenctl: There are more; use --limit, or export for all' '--limit --tag: there are more'
	ctl link list --tag red --json
	is "$out" '{"id":"a","shortenedUrl":"http://test.short/a","srcUrl":"https://a.example/100%","title":"Apple Pie","tags":["fruit","red"],"created":"2024-01-01T00:00:00.000000Z","lastAccessed":"2024-06-01T00:00:00.000000Z","visits":5,"validFrom":null,"expires":null,"maxVisits":null,"redirectStatus":null,"forwardQuery":false,"enabled":true,"deleted":null,"owner":null}' \
		'--json: an object a line'
	ctl link list --json
	is "$(printf '%s\n' "$out" | cut -c 1-10 | xargs)" '{id:e, {id:d, {id:c, {id:b, {id:a,' '--json: all, in order'
}

# A short URL names its id.
test_short_url() {
	ctl link add https://example.com/ --slug short
	url=$out
	ctl link show "$url"
	like "$status $out" '0 id *short*' 'link show: a short URL'
	ctl link edit "$url" --title Short
	is "$status $out" "0 The link 'short' is changed." 'link edit: a short URL'
	ctl link delete "$url"
	is "$status $out" "0 The link 'short' is deleted." 'link delete: a short URL'
	ctl link show https://other.example/short
	is "$status $err" "1 shortenctl: There is no link 'https://other.example/short'" 'link show: a short URL of others'
	ctl link show http://test.short/
	is "$status $err" "1 shortenctl: There is no link ''" 'link show: the base URL alone'
}

test_short_url
test_add
test_refused
test_bounds
test_race
test_show
test_edit
test_delete
test_list
done_testing
