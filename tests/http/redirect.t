#!/bin/sh
# A short URL redirects, and what that counts.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

# Usage: insert ID SRCURL: a link that this test did not have to create.
insert() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		VALUES ('$1', '$2', '2020-01-01Z', '2020-01-01Z')"
}

has_visits() {
	[ "$(sql "SELECT visits FROM shortenedurls WHERE id = '$1'")" = "$2" ]
}

visits_of() {
	sql "SELECT visits FROM shortenedurls WHERE id = '$1'"
}

test_answer() {
	url='http://u:p@e.example:81/a//b/../%7e?x=1&y=<b>"'"'"'&#f'
	id=answer$FRONT
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('$id', \$q\$$url\$q\$, now(), now())"
	call GET "/$id"
	is "$status" 302 "$FRONT: the status"
	is "$(header Location)" "$url" "$FRONT: Location"
	is "$(header Cache-Control)" 'private, max-age=0' "$FRONT: Cache-Control"
	is "$(header Content-Type)" 'text/html; charset=utf-8' "$FRONT: the body's type"
	is "$body" '<!DOCTYPE html><title>Redirect</title><a href="http://u:p@e.example:81/a//b/../%7e?x=1&amp;y=&lt;b&gt;&quot;&#39;&amp;#f">This link leads here</a>
' "$FRONT: the body is one line, and escaped"
	like "$(header Content-Security-Policy)" "*default-src 'none'*" "$FRONT: a page's policy"
	is "$(answer_problem)" '' "$FRONT: what every answer has"
}

test_ways_to_write_it() {
	id=Ways-$FRONT-_aB
	insert "$id" "http://e.example/$FRONT"
	encoded=$(printf '%s' "$id" | sed 's/W/%57/; s/-/%2d/')
	for target in "/$id" "/$id/" "/$id?" "/$id?a=b&c" "/$id/?a=b" "/$id?/../x" "/$id?%00%zz" "/$encoded" "/$id%2F"; do
		call GET "$target"
		is "$status $(header Location)" "302 http://e.example/$FRONT" "$FRONT: GET $target"
	done
	for target in "/ways-$FRONT-_aB" "/WAYS-$FRONT-_AB" "/$id//" "/$id/x" "/${id}x" "/x$id" "//$id" "/$id%20" "/$id%00" \
		"/ $id" "/$id." "/%2557ays"; do
		[ "$FRONT$target" != "nginx/$id%00" ] || continue
		[ "$FRONT$target" != "nginx/ $id" ] || continue
		call GET "$target"
		is "$status" 404 "$FRONT: GET $target"
		like "$body" '{"errMsg":"There is no*"}' "$FRONT: GET $target: the sentence"
	done
}

# Not counted: HEAD, what is not found, and another method.
test_counting() {
	id=Count$FRONT
	insert "$id" http://e.example/count
	for target in "/$id" "/$id/" "/$id?x"; do
		call GET "$target"
		call HEAD "$target"
		call POST "$target" '{}'
		call GET "/x$id"
	done
	ok "$FRONT: three visits are written within three seconds" try 3 has_visits "$id" 3
	is "$(sql "SELECT now() - lastaccessed < interval '20 s', lastaccessed <= now() + interval '1 s', created = '2020-01-01Z'
		FROM shortenedurls WHERE id = '$id'")" 't|t|t' "$FRONT: lastaccessed is now, created is what it was"
	call HEAD "/$id"
	call GET "/$id"
	ok "$FRONT: the fourth is written too, and HEAD is none" try 3 has_visits "$id" 4
}

# Many visits of few links at once, each counted once.
test_many() {
	for id in A B C; do
		insert "Many$FRONT$id" "http://e.example/$id"
	done
	awk -v front="$FRONT" 'BEGIN { for (i = 0; i < 600; i++) print i "\tGET\t/Many" front substr("ABCAAB", i % 6 + 1, 1) }' |
		perl tests/lib/bulk.pl "$(front_address)" | cut -f 2,3 | sort | uniq -c >"$stack_folder/many"
	is "$(xargs <"$stack_folder/many")" '600 302 none' "$FRONT: 600 redirects"
	ok "$FRONT: half of them were of one link" try 3 has_visits "Many${FRONT}A" 300
	is "$(visits_of "Many${FRONT}B") $(visits_of "Many${FRONT}C")" '200 100' "$FRONT: the others of two"
}

# Fetched through a program that has a limit of its own for headers: see fastcgi_buffer_size.
test_longest() {
	printf '{"srcUrl":"http://e.example/%s"}' "$(printf '%2031s' '' | sed 's/ /😀/g')" >"$stack_folder/body"
	call -f "$stack_folder/body" POST /shorten
	id=${body##*/}
	id=${id%\"\}}
	is "$status" 200 "$FRONT: 2048 characters are accepted"
	call GET "/$id"
	is "$status $(header Location)" "302 http://e.example/$(printf '%2031s' '' | sed 's/ /%F0%9F%98%80/g')" \
		"$FRONT: a Location of 24,389 bytes"
	is "$(answer_problem)" '' "$FRONT: the longest Location: what every answer has"
	printf '{"srcUrl":"http://e.example/%s"}' "$(printf '%2031s' '' | sed "s/ /'/g")" >"$stack_folder/body"
	call -f "$stack_folder/body" POST /shorten
	id=${body##*/}
	call GET "/${id%\"\}}"
	is "$status ${#body}" "302 $((17 + 5 * 2031 + 74))" "$FRONT: the longest body"
	printf '{"srcUrl":"http://e.example/%s"}' "$(printf '%2032s' '' | sed 's/ /😀/g')" >"$stack_folder/body"
	call -f "$stack_folder/body" POST /shorten
	is "$status" 400 "$FRONT: 2049 characters are not"
}

# A link of before the program checked its URLs must not break the header.
test_bad_row() {
	id=BadRow$FRONT
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		VALUES ('$id', E'http://e.example/\r\nSet-Cookie: a=b', now(), now())"
	call GET "/$id"
	is "$status $(header Location) $(header Set-Cookie)" '404  ' "$FRONT: a row with a line's end in its URL"
}

test_status() {
	insert "Status$FRONT$1" http://e.example/status
	call GET "/Status$FRONT$1"
	is "$status $(header Location)" "$1 http://e.example/status" "$FRONT: SHORTEN_REDIRECT_STATUS=$1"
	is "$(header Cache-Control)" "private, max-age=$2" "$FRONT: Cache-Control with $1"
}

test_base_path() {
	call POST /s/shorten '{"srcUrl":"http://e.example/"}'
	id=${body##*/}
	id=${id%\"\}}
	is "$body" "{\"srcUrl\":\"http://e.example/\",\"shortenedUrl\":\"http://h.example/s/$id\"}" "$FRONT: the base URL has a path"
	for target in "/s/$id" "/s/$id/" "/$id"; do
		call GET "$target"
		is "$status $(header Location)" '302 http://e.example/' "$FRONT: GET $target below a base URL with a path"
	done
	call GET "/s/s/$id"
	is "$status" 404 "$FRONT: the path of the base URL twice"
	call GET /s/
	like "$body" '*action="/s/shorten"*' "$FRONT: the form's action has the path"
	call GET /s/hello
	is "$status $body" '200 Hello World!' "$FRONT: hello below the path"
	call POST /shorten '{"srcUrl":"http://h.example/s/x"}'
	is "$status" 400 "$FRONT: below the path it would be a circle"
	call POST /shorten '{"srcUrl":"http://h.example/other"}'
	is "$status" 200 "$FRONT: beside the path it is another site"
}

start_stack
for step in answer ways_to_write_it counting many bad_row; do
	on_each_front "test_$step"
done

# A clean stop writes what is still in memory.
insert LastVisit http://e.example/
FRONT=cgi
call GET /LastVisit
stop_responder
is "$(visits_of LastVisit)" 1 'a visit just before SIGTERM is written'

for value in 301 302 307 308; do
	start_responder SHORTEN_REDIRECT_STATUS="$value"
	case $value in
	301 | 308) age=3600 ;;
	*) age=0 ;;
	esac
	on_each_front test_status "$value" "$age"
	stop_responder
done
start_responder SHORTEN_REDIRECT_STATUS=308 SHORTEN_REDIRECT_MAX_AGE=60
sql 'TRUNCATE shortenedurls'
on_each_front test_status 308 60
stop_responder
start_responder SHORTEN_MAX_URL=2048
on_each_front test_longest
stop_responder
start_responder SHORTEN_BASE_URL=http://h.example/s/
on_each_front test_base_path
done_testing
