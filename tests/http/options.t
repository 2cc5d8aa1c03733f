#!/bin/sh
# The options of POST /shorten and POST /api/links, as JSON and as forms, with a key and without: each value of
# options.table, unknown names, and which complaint comes first.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

url='"srcUrl":"http://e.example/"'

# validFrom and expires together.
list_pairs() {
	sed "s#^\([^|]*|[^|]*\)|\(.*\)#\1|POST /api/links|{$url,\2}#" <<'END_OF_TABLE'
201|.validFrom="2046-01-01T00:00:00.000000Z"|"validFrom":"2046-01-01T00:00:00Z","expires":"2046-01-01T00:00:00.000001Z"
400|before|"validFrom":"2046-01-01T00:00:00Z","expires":"2046-01-01T00:00:00Z"
400|before|"validFrom":"2046-01-01T00:00:01Z","expires":"2046-01-01T00:00:00Z"
400|before|"validFrom":"2046-01-01T02:00:00+02:00","expires":"2046-01-01T00:00:00Z"
201|.expires="2046-01-01T00:00:01.000000Z"|"validFrom":"2046-01-01T02:00:00+02:00","expires":"2046-01-01T00:00:01Z"
400|before|"expires":"2046-01-01T00:30:00Z","validFrom":"2046-01-01T00:00:00-01:00"
201|.validFrom=null|"validFrom":null,"expires":"2000-01-01T00:00:00Z"
201|.expires=null|"validFrom":"2000-01-01T00:00:00Z","expires":null
END_OF_TABLE
}

# Unknown names, and the order of checks: URL, unknown names, then the options one after another.
list_names() {
	sed "s#|#|POST /api/links|#2; s#URL#$url#" <<'END_OF_TABLE'
400|'maxvisits'|{URL,"maxvisits":1}
400|'Slug'|{URL,"Slug":"x"}
400|'id'|{URL,"id":"abcdefghij"}
400|'enabled'|{URL,"enabled":true}
400|'visits'|{URL,"visits":5}
400|'unknown'|{URL,"unknown":null}
400|''|{URL,"":1}
400|twice|{URL,"title":"a","title":"b"}
400|is missing|{"title":"a"}
400|is missing|{}
400|is missing|
400|is missing|null
400|is missing|"http://e.example/"
400|must be a string|{"srcUrl":5,"unknown":1}
400|is missing|{"srcUrl":"","unknown":1}
400|must start with http|{"srcUrl":"ftp://e.example/","unknown":1}
400|more than 250|{"srcUrl":"http://e.example/<a*234>","title":5}
400|circle|{"srcUrl":"http://test.short/","title":5}
400|circle|{"srcUrl":"https://u@TEST.short","title":5}
400|'unknown'|{URL,"slug":5,"unknown":1}
400|'slug'|{URL,"title":5,"slug":"a b"}
400|'title'|{URL,"tags":5,"title":5}
400|'tags'|{URL,"validFrom":5,"tags":5}
400|'validFrom'|{URL,"expires":5,"validFrom":5}
400|'expires'|{URL,"maxVisits":0,"expires":5}
400|'maxVisits'|{URL,"redirectStatus":0,"maxVisits":0}
400|'redirectStatus'|{URL,"forwardQuery":0,"redirectStatus":0}
400|'forwardQuery'|{URL,"reuse":0,"forwardQuery":0}
END_OF_TABLE
}

test_json() {
	try_table <"$stack_folder/options"
	try_table <"$stack_folder/options.shorten"
}

# ---- forms

# Usage: form FIELDS: a form with a key; sets $id when it made a link.
form() {
	call -H "Authorization: Bearer $key" -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten "$1"
	id=${body##*/}
	id=${id%\"\}}
}

test_form() {
	form "srcUrl=http://e.example/&slug=form-$FRONT&title=+A+%26+B+&tags=x,+y+,x,%C3%A9&validFrom=2000-01-01T03:00:00%2B03:00&expires=2046-01-01T00:00:00Z&maxVisits=5&redirectStatus=307&forwardQuery=true&reuse=false"
	expect 200 'a form with all options'
	api GET "/api/links/form-$FRONT"
	is "$(json title tags validFrom expires maxVisits redirectStatus forwardQuery)" \
		'A & B|["x","y","é"]|2000-01-01T00:00:00.000000Z|2046-01-01T00:00:00.000000Z|5|307|true' \
		"$FRONT: a form with all options: the link"
	form 'srcUrl=http://e.example/&expires=2046-01-01T00:00:00+01:00'
	api GET "/api/links/$id"
	is "$(json expires)" 2045-12-31T23:00:00.000000Z "$FRONT: a form with a plus that was not encoded, and so has become a blank"
	form 'srcUrl=http://e.example/&slug=&title=&tags=&validFrom=&expires=&maxVisits=&redirectStatus=&forwardQuery=&reuse='
	expect 200 'a form with empty fields'
	api GET "/api/links/$id"
	is "$(json title tags validFrom expires maxVisits redirectStatus forwardQuery)" 'null|[]|null|null|null|null|false' \
		"$FRONT: a form with empty fields: the link"
}

list_forms() {
	sed "s#|#|POST /shorten|srcUrl=http://e.example/\&#2" <<'END_OF_TABLE'
200||forwardQuery=false&reuse=true
200||maxVisits=1000000000&redirectStatus=301
200||title=<%C3%A9*500>
200||tags=01,02,03,04,05,06,07,08,09,10,11,12,13,14,15,16,17,18,19,20
400|'title'|title=<%C3%A9*501>
400|'title'|title=a%0Ab
400|'tags'|tags=01,02,03,04,05,06,07,08,09,10,11,12,13,14,15,16,17,18,19,20,21
400|'tags'|tags=<a*65>
400|a time with an offset|expires=2046-01-01T00:00:00++01:00
400|a time with an offset|expires=2046-01-01T00:00:00+01
400|a time with an offset|expires=2046-01-01
400|'validFrom'|validFrom=now
400|a whole number|maxVisits=0
400|a whole number|maxVisits=1000000001
400|a whole number|maxVisits=99999999999999999999
400|a whole number|maxVisits=5.0
400|a whole number|maxVisits=1e1
400|a whole number|maxVisits=five
400|a whole number|maxVisits=0x5
400|a whole number|maxVisits=%2B5
400|'redirectStatus'|redirectStatus=303
400|'redirectStatus'|redirectStatus=permanent
400|true or false|forwardQuery=yes
400|true or false|forwardQuery=1
400|true or false|forwardQuery=TRUE
400|true or false|reuse=on
400|'slug'|slug=a%20b
400|'unknown'|unknown=1
400|twice|title=a&title=b
END_OF_TABLE
}

test_forms() {
	headers_of_table=$form_headers
	list_forms >"$table"
	try_table <"$table"
	headers_of_table=$json_headers
}

# ---- who may

# Each option by itself, without a key. $1 is the status.
list_anonymous() {
	sed "s#^#$1||POST /shorten|{$url,#; s#\$#}#" <<'END_OF_TABLE'
"slug":"anonymous-<front>"
"title":"a"
"tags":["a"]
"validFrom":"2000-01-01T00:00:00Z"
"expires":"2046-01-01T00:00:00Z"
"maxVisits":1
"redirectStatus":301
"forwardQuery":true
"reuse":true,"title":"a"
END_OF_TABLE
}

test_anonymous_plain() {
	headers_of_table=$anonymous_headers
	list_anonymous 401 >"$table"
	try_table <"$table"
	try_table <<END_OF_TABLE
200||POST /shorten|{$url}
200||POST /shorten|{$url,"reuse":true}
200||POST /shorten|{$url,"reuse":false}
200||POST /shorten|{$url,"title":null,"slug":null,"tags":null,"maxVisits":null}
400|circle|POST /shorten|{"srcUrl":"http://test.short/x","title":"a"}
400|'unknown'|POST /shorten|{$url,"title":"a","unknown":1}
401||POST /shorten|{$url,"title":5}
401||POST /shorten|{$url,"title":"a","maxVisits":0}
401||POST /api/links|{$url}
END_OF_TABLE
	headers_of_table=$json_headers
	call POST /shorten "{$url,\"title\":\"a\"}"
	is "$status $(header WWW-Authenticate)" '401 Bearer' "$FRONT: plain: an option without a key"
	is "$(answer_problem)" '' "$FRONT: plain: an option without a key: what every answer has"
	call -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten 'srcUrl=http://e.example/&title=a'
	is "$status $(header WWW-Authenticate)" '401 Bearer' "$FRONT: plain: an option in a form without a key"
	call -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten 'srcUrl=http://e.example/&title=&reuse=true'
	is "$status" 200 "$FRONT: plain: an empty field is no option"
}

test_anonymous_full() {
	headers_of_table=$anonymous_headers
	list_anonymous 200 >"$table"
	try_table <"$table"
	printf '%s\n' "400|must be a string|POST /shorten|{$url,\"title\":5}" "401||POST /api/links|{$url}" "401||GET /api/links" >"$table"
	try_table <"$table"
	headers_of_table=$json_headers
	is "$(value owner "anonymous-$FRONT")" '' "$FRONT: full: a link without a key has no owner"
}

test_anonymous_off() {
	headers_of_table=$anonymous_headers
	list_anonymous 401 >"$table"
	try_table <"$table"
	printf '%s\n' "401||POST /shorten|{$url}" "401||POST /shorten|{}" "401||POST /shorten|" "200||GET /hello" "302||GET /KnownLink" |
		sed '/GET/s/|$//' >"$table"
	try_table <"$table"
	headers_of_table=$json_headers
	printf '%s\n' "200||POST /shorten|{$url,\"title\":\"a\"}" >"$table"
	try_table <"$table"
	call POST /shorten "{$url}"
	is "$status $(header WWW-Authenticate)" '401 Bearer' "$FRONT: off: no link without a key"
}

test_types() {
	for target in /shorten /api/links; do
		api -H 'Content-Type: text/plain' POST "$target" "{$url}"
		is "$status" 415 "$FRONT: POST $target: another content type"
	done
}

start_stack
insert_key
insert_link KnownLink
{
	sed '/^#/d; /./!d' tests/http/options.table | sed 's#^\([^|]*\)|\([^|]*|[^|]*\)|\(.*\)#\2|POST /api/links|{"srcUrl":"http://e.example/<front>","\1":\3}#'
	list_pairs
	list_names
} >"$stack_folder/options"
as_shorten <"$stack_folder/options" >"$stack_folder/options.shorten"
for test in json form forms anonymous_plain types; do
	on_each_front "test_$test"
done
is "$(sql "SELECT count(*) FROM shortenedurls WHERE owner NOT IN ('', 'TestKey-01')")" 0 'no link has another owner'
is "$(sql "SELECT count(*) > 100 FROM shortenedurls WHERE owner = 'TestKey-01'")" t "the key's links have it as their owner"
for value in full off; do
	stop_responder
	start_responder SHORTEN_ANONYMOUS="$value"
	on_each_front "test_anonymous_$value"
done
done_testing
