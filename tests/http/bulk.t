#!/bin/sh
# A JSON array makes many links at once: an array of the same length comes back, and one bad element stops no other.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

missing="Parameter 'srcUrl' is missing"
whole=created,enabled,expires,forwardQuery,id,lastAccessed,maxVisits,redirectStatus,shortenedUrl,srcUrl,status,tags,title,validFrom,visits

count_links() {
	sql "SELECT count(*) FROM shortenedurls WHERE srcurl LIKE '$1'"
}

# Usage: count_statuses FILE: how often each status came in the body.
count_statuses() {
	json '*.status' | tr , '\n' | sort | uniq -c | xargs
}

test_shorten() {
	api POST /shorten "[{\"srcUrl\":\"http://bulk.example/$FRONT/1\"},{\"srcUrl\":\" http://bulk.example/$FRONT/2 \",\"slug\":\"Bulk-$FRONT\",\"title\":\"é\"}]"
	expect 200 'two links'
	is "$(header Content-Type) $(header Cache-Control)" 'application/json no-store' "$FRONT: two links: type, and that it is not kept"
	is "$(json '#' '0.{}' '1.{}' '*.status')" '2|shortenedUrl,srcUrl,status|shortenedUrl,srcUrl,status|200,200' "$FRONT: two links: members"
	is "$(json '*.srcUrl' 1.shortenedUrl)" \
		"http://bulk.example/$FRONT/1,http://bulk.example/$FRONT/2|http://test.short/Bulk-$FRONT" "$FRONT: two links: which"
	id=$(json 0.shortenedUrl)
	call GET "/${id##*/}"
	is "$status $(header Location)" "302 http://bulk.example/$FRONT/1" "$FRONT: the first works"
	call GET "/Bulk-$FRONT"
	is "$status $(header Location)" "302 http://bulk.example/$FRONT/2" "$FRONT: the second works"
	is "$(value "title || owner" "Bulk-$FRONT")" éTestKey-01 "$FRONT: the second has its option"
}

test_links() {
	api POST /api/links "[{\"srcUrl\":\"http://bulk.example/$FRONT/a\",\"tags\":[\"x\",\"y\"]},{\"srcUrl\":\"ftp://bulk.example/\"},{\"srcUrl\":\"http://bulk.example/$FRONT/b\"}]"
	expect 200 'an array for POST /api/links'
	is "$(json '*.status' '0.{}' '1.{}' 0.tags 2.srcUrl)" "201,400,201|$whole|errMsg,status|[\"x\",\"y\"]|http://bulk.example/$FRONT/b" \
		"$FRONT: whole links, and what was wrong"
	is "$(header Location)" '' "$FRONT: an array has no Location"
	link=$(json 0 | sed 's/"status":201,//')
	api GET "/api/links/$(json 0.id)"
	is "$(json .)" "$link" "$FRONT: GET gives the same link"
}

# Each in its place.
test_mixed() {
	insert_link "Taken-$FRONT"
	api POST /shorten "[
		{\"srcUrl\":\"http://mixed.example/$FRONT/0\"}, {\"srcUrl\":\"ftp://e.example/\"}, {}, null, 5, \"http://e.example/\", true, [],
		[{\"srcUrl\":\"http://e.example/\"}], {\"srcUrl\":null}, {\"srcUrl\":5}, {\"srcUrl\":\"http://mixed.example/$FRONT/11\",\"maxVisits\":5},
		{\"srcUrl\":\"http://e.example/\",\"maxVisits\":0}, {\"srcUrl\":\"http://e.example/\",\"unknown\":1},
		{\"srcUrl\":\"http://e.example/\",\"slug\":\"Taken-$FRONT\"}, {\"srcUrl\":\"http://e.example/\",\"slug\":\"api\"},
		{\"srcUrl\":\"http://test.short/\"}, {\"srcUrl\":\"http://mixed.example/$FRONT/17\"}]"
	expect 200 'good and bad together'
	is "$(json '#' '*.status')" '18|200,400,400,400,400,400,400,400,400,400,400,200,400,400,409,400,400,200' "$FRONT: a status for each"
	is "$(json 2.errMsg 3.errMsg 4.errMsg 5.errMsg 6.errMsg 7.errMsg 8.errMsg 9.errMsg)" \
		"$missing|$missing|$missing|$missing|$missing|$missing|$missing|$missing" "$FRONT: what is no object has no srcUrl"
	is "$(json 0.srcUrl 11.srcUrl 17.srcUrl)" "http://mixed.example/$FRONT/0|http://mixed.example/$FRONT/11|http://mixed.example/$FRONT/17" \
		"$FRONT: the good ones in their places"
	like "$(json 1.errMsg 10.errMsg 12.errMsg 13.errMsg 14.errMsg 15.errMsg 16.errMsg)" \
		"*must start with http*|*must be a string|*'maxVisits'*|*'unknown'*|*Taken-$FRONT' is taken*|*'slug'*|*circle*" "$FRONT: a sentence for each"
	is "$(count_links "http://mixed.example/$FRONT/%")" 3 "$FRONT: the good ones are stored"
	is "$(count_links http://e.example/)" 0 "$FRONT: the bad ones are not"
}

test_slug_twice() {
	api POST /shorten "[{\"srcUrl\":\"http://e.example/1\",\"slug\":\"Twice-$FRONT\"},{\"srcUrl\":\"http://e.example/2\",\"slug\":\"Twice-$FRONT\"}]"
	is "$status $(count_statuses)" '200 1 200 1 409' "$FRONT: one slug twice in one array: one gets it"
	call GET "/Twice-$FRONT"
	is "$status" 302 "$FRONT: one slug twice: it works"
	api POST /api/links "[{\"srcUrl\":\"http://e.example/1\",\"slug\":\"a-$FRONT\"},{\"srcUrl\":\"http://e.example/2\",\"slug\":\"A-$FRONT\"}]"
	is "$(count_statuses)" '2 201' "$FRONT: two slugs that differ by case"
}

# What PostgreSQL refuses stops no other.
test_store_refuses() {
	call POST /shorten "[{\"srcUrl\":\"http://some.example/$FRONT/1\"},{\"srcUrl\":\"http://some.example/refused\"},{\"srcUrl\":\"http://some.example/$FRONT/2\"}]"
	is "$status $(json '*.status' 1.errMsg)" '200 200,500,200|Failed to shorten' "$FRONT: the store refuses one"
	is "$(count_links "http://some.example/$FRONT/%")" 2 "$FRONT: the others are stored"
}

test_without_key() {
	call POST /shorten "[{\"srcUrl\":\"http://anonymous.example/$FRONT\"},{\"srcUrl\":\"http://e.example/\",\"slug\":\"x\"},{\"srcUrl\":\"http://e.example/\",\"title\":5},{\"srcUrl\":\"ftp://e.example/\",\"title\":\"a\"},{\"srcUrl\":\"http://anonymous.example/$FRONT\",\"reuse\":true}]"
	is "$status $(json '*.status')" '200 200,401,401,400,200' "$FRONT: without a key options are refused one by one"
	is "$(count_links "http://anonymous.example/$FRONT")" 2 "$FRONT: without a key: the others are stored"
	call POST /api/links "[{\"srcUrl\":\"http://e.example/\"}]"
	is "$status $(header WWW-Authenticate)" '401 Bearer' "$FRONT: POST /api/links needs a key for an array, too"
}

list_refused() {
	for target in /shorten /api/links; do
		sed "s#|#|POST $target|#2" <<'END_OF_TABLE'
400||[]
400|| [ ] 
400|JSON|[
400|JSON|[{"srcUrl":"http://whole.example/"}
400|JSON|[{"srcUrl":"http://whole.example/"},]
400|JSON|[{"srcUrl":"http://whole.example/"}]]
400|JSON|[{"srcUrl":"http://whole.example/"}][]
400|twice|[{"srcUrl":"http://whole.example/"},{"srcUrl":"http://whole.example/","srcUrl":"http://whole.example/"}]
400|8 levels|[{"srcUrl":"http://whole.example/"},[[[[[[[[]]]]]]]]]
400|surrogate|[{"srcUrl":"http://whole.example/"},{"srcUrl":"http://whole.example/\ud800"}]
413||[<"",*30000>""]
END_OF_TABLE
	done
}

test_refused() {
	list_refused >"$table"
	try_table <"$table"
	is "$(count_links http://whole.example/)" 0 "$FRONT: of a body that is refused as a whole nothing is stored"
}

# ---- many

# Usage: write_many COUNT MEMBERS: an array into $stack_folder/many; # stands for the number of the element.
write_many() {
	awk -v count="$1" -v members="$2" 'BEGIN {
		for (i = 1; i <= count; i++) { text = members; gsub(/#/, i, text); printf "%s{%s}", i == 1 ? "[" : ",", text }
		print "]" }' >"$stack_folder/many"
}

test_many() {
	write_many 1000 "\"srcUrl\":\"http://many.example/$FRONT/#\""
	api -f "$stack_folder/many" POST /shorten
	is "$status $(json '#') $(count_statuses)" '200 1000 1000 200' "$FRONT: 1,000 elements"
	is "$(json '*.srcUrl')" "$(seq 1000 | sed "s#^#http://many.example/$FRONT/#" | paste -sd , -)" "$FRONT: 1,000 elements in order"
	is "$(json '*.shortenedUrl' | tr , '\n' | sort -u | wc -l)" 1000 "$FRONT: 1,000 ids"
	is "$(count_links "http://many.example/$FRONT/%")" 1000 "$FRONT: 1,000 rows"
	for target in /shorten /api/links; do
		write_many 1001 "\"srcUrl\":\"http://toomany.example/$FRONT/#\""
		api -f "$stack_folder/many" POST "$target"
		expect_error 400 "1000" "POST $target: 1,001 elements"
	done
	is "$(count_links 'http://toomany.example/%')" 0 "$FRONT: 1,001 elements: nothing is stored"
	write_many 1000 "\"srcUrl\":\"http://e.example/#\",\"slug\":\"many-$FRONT-#\",\"title\":\"$(repeat t 400)\""
	api -f "$stack_folder/many" POST /api/links
	is "$status $(count_statuses)" '200 1000 201' "$FRONT: 1,000 whole links"
	is "$(answer_problem)" '' "$FRONT: 1,000 whole links: what every answer has"
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE id LIKE 'many-$FRONT-%' AND srcurl = 'http://e.example/' || split_part(id, '-', 3)")" 1000 \
		"$FRONT: 1,000 whole links: each row has its own URL"
	write_many 1000 "\"srcUrl\":\"http://e.example/#\",\"slug\":\"Same-$FRONT\""
	api -f "$stack_folder/many" POST /shorten
	is "$status $(count_statuses)" '200 1 200 999 409' "$FRONT: 1,000 times one slug"
	write_many 1000 '"srcUrl":"#"'
	api -f "$stack_folder/many" POST /shorten
	is "$status $(count_statuses)" '200 1000 400' "$FRONT: 1,000 bad ones"
}

# Of all arrays in the answers to a race.
count_elements() {
	cut -f 3 "$race_answers" | tr '{' '\n' | sed -n 's/.*"status":\([0-9]*\).*/\1/p' | sort | uniq -c | xargs
}

# Twenty clients ask for the same hundred slugs, half of them from behind: nobody waits for ever, and each slug has one owner.
test_race() {
	FRONT=nginx
	for round in 1 2 3; do
		headers=$json_headers awk -v round="$round" 'BEGIN { for (client = 1; client <= 20; client++) {
			printf "x\tPOST\t/shorten\t%s\t[", ENVIRON["headers"]
			for (i = 1; i <= 100; i++) printf "%s{\"srcUrl\":\"http://e.example/%d\",\"slug\":\"race-%d-%d\"}", \
				i == 1 ? "" : ",", client, round, client % 2 ? i : 101 - i
			print "]" } }' | race 20
		is "$(race_statuses)" '20 200' "20 arrays at once, round $round: all are answered"
		is "$(count_elements)" '100 200 1900 409' "20 arrays at once, round $round: each slug is given once"
	done
}

start_stack
insert_key
sql "ALTER TABLE shortenedurls ADD CHECK (srcurl NOT LIKE '%refused%')"
for test in shorten links mixed slug_twice store_refuses without_key refused; do
	on_each_front "test_$test"
done
stop_responder
start_responder SHORTEN_MAX_BODY=1000000
on_each_front test_many
stop_responder
start_responder SHORTEN_ANONYMOUS=off
FRONT=cgi
call POST /shorten '[{"srcUrl":"http://e.example/"}]'
is "$status $(header WWW-Authenticate)" '401 Bearer' 'SHORTEN_ANONYMOUS=off: an array without a key is refused as a whole'
stop_responder
start_pool 4
test_race
done_testing
