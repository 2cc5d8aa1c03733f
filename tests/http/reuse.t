#!/bin/sh
# reuse: an equal link of the same owner is returned instead of a new one, also when many ask at once.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

id_of_body() {
	id=$(json shortenedUrl)
	id=${id##*/}
}

# Usage: reuse [MEMBERS]: asks with $key, with these members besides srcUrl and reuse, and sets $id.
reuse() {
	api POST /shorten "{\"srcUrl\":\"$url\",\"reuse\":true${1:+,}${1-}}"
	id_of_body
	[ "$status" = 200 ] || fail "$FRONT: reuse of $url with ${1-nothing}: $status $body"
}

# Usage: is_same NAME [MEMBERS], is_other NAME [MEMBERS]: whether asking once more gives the link in $first.
is_same() {
	reuse "${2-}"
	is "$id" "$first" "$FRONT: $1"
}

is_other() {
	reuse "${2-}"
	isnt "$id" "$first" "$FRONT: $1"
	second=$id
	reuse "${2-}"
	is "$id" "$second" "$FRONT: $1: and that one is given out again"
}

count_links() {
	sql "SELECT count(*) FROM shortenedurls WHERE srcurl = '$1'"
}

test_plain() {
	url=http://plain.example/$FRONT
	for way in 'X-None: x' "Authorization: Bearer $key" "Authorization: Bearer $other_key"; do
		call -H "$way" POST /shorten "{\"srcUrl\":\"$url\",\"reuse\":true}"
		first=$body
		for time in 1 2; do
			call -H "$way" POST /shorten "{\"reuse\":true,\"srcUrl\":\" $url \"}"
			is "$status $body" "200 $first" "$FRONT: ${way%%:*}: the same answer again"
		done
	done
	is "$(count_links "$url")" 3 "$FRONT: one link for each owner"
	is "$(sql "SELECT count(DISTINCT owner) FROM shortenedurls WHERE srcurl = '$url'")" 3 "$FRONT: each owner has one"
	call -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten "reuse=true&srcUrl=$url"
	call POST /shorten "{\"srcUrl\":\"$url\",\"reuse\":false}"
	call POST /shorten "{\"srcUrl\":\"$url\"}"
	is "$(count_links "$url")" 5 "$FRONT: a form reuses, too; without reuse there are new links"
	call POST /shorten "{\"srcUrl\":\"$url\",\"reuse\":true}"
	id_of_body
	call GET "/$id"
	is "$status $(header Location)" "302 $url" "$FRONT: a link that is given out again works"
}

# What was made without reuse is given to nobody else.
test_not_shared() {
	url=http://own.example/$FRONT
	api POST /shorten "{\"srcUrl\":\"$url\"}"
	id_of_body
	first=$id
	is_other 'a link that was made without reuse is not reused'
}

test_url() {
	url=http://e.example/url$FRONT
	reuse
	first=$id
	for url in "http://e.example/URL$FRONT" "http://e.example/url$FRONT/" "http://e.example/url$FRONT?" "http://E.example/url$FRONT" \
		"https://e.example/url$FRONT" "http://e.example:80/url$FRONT"; do
		is_other "$url is another URL"
	done
}

test_options() {
	url=http://e.example/options$FRONT
	reuse
	first=$id
	is_same 'null is no option' '"title":null,"tags":null,"maxVisits":null,"validFrom":null,"slug":null'
	is_same 'empty is no option' '"title":"","tags":[],"forwardQuery":false'
	for members in '"title":"a"' '"title":"b"' '"tags":["a"]' '"tags":["b"]' '"tags":["a","b"]' '"validFrom":"2000-01-01T00:00:00Z"' \
		'"expires":"2046-01-01T00:00:00Z"' '"expires":"2046-01-01T00:00:01Z"' '"maxVisits":5' '"maxVisits":6' \
		'"redirectStatus":301' '"redirectStatus":302' '"forwardQuery":true' '"title":"a","tags":["a"]' "\"slug\":\"reuse-$FRONT\""; do
		is_other "with $members it is another link" "$members"
	done
	is "$(count_links "$url")" 16 "$FRONT: one link for each set of options"
	reuse '"title":"a","maxVisits":7'
	first=$id
	is_same 'the order of members does not matter' '"maxVisits":7,"title":" a "'
	reuse '"expires":"2046-06-01T12:00:00Z"'
	first=$id
	is_same 'the same time in another zone is the same' '"expires":"2046-06-01T15:00:00.000+03:00"'
}

# Usage: ended NAME CHANGE: the change, a function, ends the link $first; then it is given out no more.
ended() {
	url=http://e.example/ended-$1-$FRONT
	reuse "${3-}"
	first=$id
	is_same "$1: before" "${3-}"
	"$2"
	is_other "$1: the link is not given out again" "${3-}"
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE id IN ('$first', '$second')")" 2 "$FRONT: $1: both are there"
}

delete_it() {
	api DELETE "/api/links/$first"
}

disable_it() {
	api PATCH "/api/links/$first" '{"enabled":false}'
}

edit_it() {
	api PATCH "/api/links/$first" '{"title":"edited"}'
}

move_it() {
	api PATCH "/api/links/$first" '{"srcUrl":"http://other.example/"}'
}

# As if time had passed.
end_it() {
	sql "UPDATE shortenedurls SET expires = now() - interval '1 s' WHERE id = '$first'"
}

use_it_up() {
	call GET "/$first"
	is "$status" 302 "$FRONT: the only visit"
}

look_at_it() {
	api PATCH "/api/links/$first" '{}'
	call GET "/$first"
	api GET "/api/links/$first"
}

test_ended() {
	ended deleted delete_it
	ended disabled disable_it
	ended edited edit_it
	ended moved move_it
	ended expired end_it '"expires":"2046-01-01T00:00:00Z"'
	ended used-up use_it_up '"maxVisits":1'
	url=http://e.example/kept-$FRONT
	reuse
	first=$id
	look_at_it
	is_same 'a visit, and PATCH with nothing, leave it as it was'
}

test_api() {
	url=http://e.example/api-$FRONT
	api POST /api/links "{\"srcUrl\":\"$url\",\"reuse\":true,\"title\":\"a\"}"
	first=$(json id)
	is "$status" 201 "$FRONT: POST /api/links: a new link"
	made=$body
	api POST /api/links "{\"srcUrl\":\"$url\",\"reuse\":true,\"title\":\"a\"}"
	is "$status $body" "200 $made" "$FRONT: POST /api/links: the same whole link, with 200"
	is_same 'POST /shorten gives the same' '"title":"a"'
	api POST /shorten "[{\"srcUrl\":\"$url\",\"reuse\":true,\"title\":\"b\"},{\"srcUrl\":\"$url\",\"reuse\":true,\"title\":\"b\"}]"
	is "$(json 0.shortenedUrl)" "$(json 1.shortenedUrl)" "$FRONT: twice in one array is one link"
	is "$(count_links "$url")" 2 "$FRONT: two links in all"
}

# Usage: try_race NAME HEADERS: fifty clients get one link, and there is one row more. Sets $id.
try_race() {
	before=$(count_links http://race.example/)
	printf 'x\tPOST\t/shorten\t%s\t{"srcUrl":"http://race.example/","reuse":true}\n' "$2" | race 50
	is "$(race_statuses)" '50 200' "50 clients: $1: all are answered"
	is "$(cut -f 3 "$race_answers" | sort -u | wc -l)" 1 "50 clients: $1: all get one link"
	is "$(($(count_links http://race.example/) - before))" 1 "50 clients: $1: there is one row"
	body=$(head -n 1 "$race_answers" | cut -f 3)
	id_of_body
}

test_race() {
	FRONT=nginx
	try_race 'without a key' "$anonymous_headers"
	try_race 'with a key' "$json_headers"
	for round in 1 2 3; do
		first=$id
		delete_it
		try_race "after it was deleted, round $round" "$json_headers"
		isnt "$id" "$first" "50 clients: after it was deleted, round $round: another link"
	done
	is "$(cut -f 3 "$race_answers" | grep -c "/$first\"")" 0 'nobody gets the deleted one'
}

start_stack
insert_key
insert_key TestKey-02 "$other_key"
for test in plain not_shared url options ended api; do
	on_each_front "test_$test"
done
stop_responder
start_pool 4
test_race
done_testing
