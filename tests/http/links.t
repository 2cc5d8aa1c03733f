#!/bin/sh
# One link: POST /api/links, and GET, PATCH and DELETE /api/links/ID.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

names=created,enabled,expires,forwardQuery,id,lastAccessed,maxVisits,redirectStatus,shortenedUrl,srcUrl,tags,title,validFrom,visits
all='title tags validFrom expires maxVisits redirectStatus forwardQuery enabled visits'

# How the API writes a time of the database's.
time_of() {
	value "to_char($1 AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')" "$2"
}

# ---- POST

test_post() {
	api POST /api/links '{"srcUrl":" http://e.example/é?a=\"b\"#c "}'
	expect 201 'a link without options'
	id=$(json id)
	is "$(header Location)" "http://test.short/api/links/$id" "$FRONT: POST: Location"
	is "$(header Content-Type) $(header Cache-Control)" 'application/json no-store' "$FRONT: POST: type, and that it is not kept"
	is "$(json '{}')" "$names" "$FRONT: POST: the members"
	is "$(json srcUrl shortenedUrl)" "http://e.example/é?a=\"b\"#c|http://test.short/$id" "$FRONT: POST: URLs"
	# shellcheck disable=SC2086 # paths
	is "$(json $all)" 'null|[]|null|null|null|null|false|true|0' "$FRONT: POST: the options"
	is "$(json created)|$(json lastAccessed)" "$(time_of created "$id")|$(time_of created "$id")" "$FRONT: POST: the times are the row's"
	like "$(json created)" '20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z' \
		"$FRONT: POST: how a time is written"
	is "$(value "abs(extract(epoch FROM now() - created)) < 10" "$id")" t "$FRONT: POST: it was created now"
	made=$body
	api GET "/api/links/$id"
	is "$status $body" "200 $made" "$FRONT: GET gives what POST gave"
	call GET "/$id"
	is "$status" 302 "$FRONT: the link works"
}

test_post_all() {
	slug=All-$FRONT
	api POST /api/links "{\"srcUrl\":\"http://e.example/\",\"slug\":\"$slug\",\"title\":\"T \\\"é\\\"\",\"tags\":[\"b\",\"a\"],\"validFrom\":\"2000-01-01T03:00:00+03:00\",\"expires\":\"2046-01-01T00:00:00.5Z\",\"maxVisits\":7,\"redirectStatus\":308,\"forwardQuery\":true,\"reuse\":false}"
	expect 201 'a link with all options'
	is "$(header Location)" "http://test.short/api/links/$slug" "$FRONT: all options: Location"
	# shellcheck disable=SC2086 # paths
	is "$(json id $all)" \
		"$slug|T \"é\"|[\"b\",\"a\"]|2000-01-01T00:00:00.000000Z|2046-01-01T00:00:00.500000Z|7|308|true|true|0" \
		"$FRONT: all options: what they are"
	is "$(value "validfrom = '2000-01-01T00:00:00Z' AND expires = '2046-01-01T00:00:00.5Z'" "$slug")" t "$FRONT: all options: the row's times"
	api POST /shorten "{\"srcUrl\":\"http://e.example/\",\"slug\":\"Short-$slug\",\"title\":\"T\"}"
	is "$status $body" "200 {\"srcUrl\":\"http://e.example/\",\"shortenedUrl\":\"http://test.short/Short-$slug\"}" \
		"$FRONT: POST /shorten says no more than ever"
}

# ---- GET

test_get() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, maxvisits)
		VALUES ('Get$FRONT', 'http://e.example/', '2020-02-29T23:59:59.000001Z', '2021-01-01T00:00:00.1Z', 12345678901, 99999)"
	api GET "/api/links/Get$FRONT"
	is "$(json created lastAccessed visits)" '2020-02-29T23:59:59.000001Z|2021-01-01T00:00:00.100000Z|12345678901' "$FRONT: GET: times and visits"
	get=$(printf '%s' "$headers" | grep -v '^Date: ')
	api HEAD "/api/links/Get$FRONT"
	is "$status|$body|$(printf '%s' "$headers" | grep -v '^Date: ')" "200||$get" "$FRONT: HEAD has GET's headers"
	insert_link "NotYet$FRONT" validfrom "now() + interval '1 day'"
	insert_link "Over$FRONT" expires "now() - interval '1 day'" enabled false
	insert_link "Gone$FRONT" deleted 'now()'
	try_table <<'END_OF_TABLE'
200|.id="NotYet<front>"|GET /api/links/NotYet<front>
200|.enabled=false|GET /api/links/Over<front>
200|.id="Over<front>"|GET /api/links/%4Fver<front>
410||GET /api/links/Gone<front>
410||HEAD /api/links/Gone<front>
404||GET /api/links/gone<front>
404||GET /api/links/Nothing<front>
404||HEAD /api/links/Nothing<front>
404||GET /api/links/<a*64>
404||GET /api/links/<a*65>
404||GET /api/links/a.b
404||GET /api/links/a%20b
404||GET /api/links/%C3%A9
404||GET /api/links/'%20OR%20'1'='1
404||GET /api/links/Over<front>/x
404||GET /api/link/Over<front>
404||GET /api/Links/Over<front>
405||POST /api/links/Over<front>|{}
405||PUT /api/links/Over<front>|{}
405||PUT /api/links|{}
405||DELETE /api/links
405||PATCH /api/links|{}
END_OF_TABLE
}

# ---- PATCH

# The values of options.table, each option on a link of its own.
test_patch_values() {
	for option in title tags validFrom expires maxVisits redirectStatus forwardQuery; do
		insert_link "Patch-$option-$FRONT"
	done
	sed '/^#/d; /./!d; /^reuse|/d; s/^forwardQuery|201|[^|]*|null/forwardQuery|400|null|null/' tests/http/options.table |
		sed "s#^\([^|]*\)|\([^|]*|[^|]*\)|\(.*\)#\2|PATCH /api/links/Patch-\1-$FRONT|{\"\1\":\3}#; s/^201/200/" >"$table"
	try_table <"$table"
}

list_patches() {
	sed "s#|#|PATCH /api/links/Patched-$FRONT|#2" <<'END_OF_TABLE'
200|.srcUrl="http://other.example/a?b#c"|{"srcUrl":" http://other.example/a?b#c "}
400|must start with http|{"srcUrl":"ftp://e.example/"}
400|is missing|{"srcUrl":""}
400|'srcUrl'|{"srcUrl":null}
400|must be a string|{"srcUrl":5}
400|must be a string|{"srcUrl":true}
400|must be a string|{"srcUrl":[]}
400|must be a string|{"srcUrl":{}}
400|more than 250|{"srcUrl":"http://e.example/<😀*234>"}
200|.id="Patched-<front>"|{"srcUrl":"http://e.example/<😀*233>"}
400|control|{"srcUrl":"http://e.example/\nx"}
200|.srcUrl="http://test.short.example/"|{"srcUrl":"http://test.short.example/"}
400|circle|{"srcUrl":"http://test.short/"}
400|circle|{"srcUrl":"http://test.short"}
400|circle|{"srcUrl":"http://test.short/Patched-<front>"}
400|circle|{"srcUrl":"https://u:p@TEST.short:443/x?y#z"}
400|'srcUrl'|{"srcUrl":" http://test%2Eshort/ "}
200|.enabled=false|{"enabled":false}
200|.enabled=true|{"enabled":true}
400|must not be null|{"enabled":null}
400|true or false|{"enabled":"true"}
400|true or false|{"enabled":1}
400|true or false|{"enabled":0}
400|true or false|{"enabled":[]}
400|true or false|{"enabled":{}}
400|'slug'|{"slug":"x"}
400|'id'|{"id":"x"}
400|'reuse'|{"reuse":true}
400|'visits'|{"visits":0}
400|'created'|{"created":"2020-01-01T00:00:00Z"}
400|'shortenedUrl'|{"shortenedUrl":"http://e.example/"}
400|'Title'|{"Title":"x"}
400|'owner'|{"owner":""}
400|twice|{"title":"a","title":"b"}
400||
400|| 
400||null
400||[]
400||[{"title":"a"}]
400||"title"
400||5
400|JSON|{"title":
400|JSON|{"title":"a"}}
404||{"title":"a"}
410||{"title":"a"}
END_OF_TABLE
}

test_patch() {
	insert_link "Patched-$FRONT"
	insert_link "PatchGone-$FRONT" deleted 'now()'
	list_patches | sed "/^404/s/Patched/Unknown/; /^410/s/Patched/PatchGone/" >"$table"
	try_table <"$table"
	is "$(sql "SELECT srcurl, title FROM shortenedurls WHERE id = 'PatchGone-$FRONT'")" "http://e.example/PatchGone-$FRONT|" \
		"$FRONT: PATCH changes no deleted link"
}

test_patch_nothing() {
	insert_link "Same-$FRONT" title "'t'" tags "'{a,b}'" expires "now() + interval '1 day'" maxvisits 5 visits 3 redirectstatus 301 owner "'someone'"
	row=$(sql "SELECT * FROM shortenedurls WHERE id = 'Same-$FRONT'")
	api GET "/api/links/Same-$FRONT"
	link=$body
	api PATCH "/api/links/Same-$FRONT" '{}'
	is "$status $body" "200 $link" "$FRONT: PATCH with {} answers the link"
	api PATCH "/api/links/Same-$FRONT"
	is "$status" 400 "$FRONT: PATCH without a body"
	api PATCH "/api/links/Same-$FRONT" '{"title":"new","maxVisits":0}'
	is "$status" 400 "$FRONT: PATCH with one bad member"
	api -H 'Content-Type: application/x-www-form-urlencoded' PATCH "/api/links/Same-$FRONT" 'title=new'
	is "$status" 415 "$FRONT: PATCH with a form"
	api -H 'Content-Type: text/plain' PATCH "/api/links/Same-$FRONT" '{"title":"new"}'
	is "$status" 415 "$FRONT: PATCH with another type"
	is "$(sql "SELECT * FROM shortenedurls WHERE id = 'Same-$FRONT'")" "$row" "$FRONT: none of these has changed the row"
	api -H 'Content-Type: application/merge-patch+json' PATCH "/api/links/Same-$FRONT" \
		'{"title":null,"tags":null,"expires":null,"maxVisits":null,"redirectStatus":null}'
	# shellcheck disable=SC2086 # paths
	is "$status $(json $all)" '200 null|[]|null|null|null|null|false|true|3' "$FRONT: null removes, visits stay"
	is "$(value owner "Same-$FRONT")" someone "$FRONT: the link is whose it was"
}

# Both times hold against each other, whichever was there before.
test_patch_times() {
	insert_link "Times-$FRONT" validfrom "'2030-01-01Z'" expires "'2031-01-01Z'"
	sed "s#|#|PATCH /api/links/Times-$FRONT|#2" >"$table" <<'END_OF_TABLE'
400|before|{"expires":"2030-01-01T00:00:00Z"}
400|before|{"expires":"2029-01-01T00:00:00Z"}
400|before|{"validFrom":"2031-01-01T00:00:00Z"}
400|before|{"validFrom":"2040-01-01T00:00:00Z","title":"a"}
200|.expires="2030-01-01T00:00:00.000001Z"|{"expires":"2030-01-01T00:00:00.000001Z"}
200|.validFrom="2040-01-01T00:00:00.000000Z"|{"validFrom":"2040-01-01T00:00:00Z","expires":"2041-01-01T00:00:00Z"}
400|before|{"validFrom":"2042-01-01T00:00:00Z","expires":"2041-01-01T00:00:00Z"}
200|.validFrom="2050-01-01T00:00:00.000000Z"|{"validFrom":"2050-01-01T00:00:00Z","expires":null}
200|.expires="2020-01-01T00:00:00.000000Z"|{"expires":"2020-01-01T00:00:00Z","validFrom":null}
200|.title=null|{}
END_OF_TABLE
	try_table <"$table"
}

# ---- DELETE

test_delete() {
	insert_link "Delete-$FRONT" title "'t'"
	for time in first second; do
		api DELETE "/api/links/Delete-$FRONT"
		is "$status|$body|$(header Content-Length)|$(header Content-Type)" '204|||' "$FRONT: DELETE for the $time time"
		is "$(header X-Content-Type-Options)" nosniff "$FRONT: DELETE for the $time time: nosniff"
		[ "$time" = second ] || deleted=$(value deleted "Delete-$FRONT")
	done
	is "$(value "deleted IS NOT NULL, deleted = '$deleted'" "Delete-$FRONT")" 't|t' "$FRONT: the row stays, with the first time"
	try_table <<'END_OF_TABLE'
410||GET /Delete-<front>
410||GET /api/links/Delete-<front>
410||PATCH /api/links/Delete-<front>|{"title":"a"}
410||GET /api/links/Delete-<front>/visits
204||DELETE /api/links/Delete-<front>
404||DELETE /api/links/delete-<front>
404||DELETE /api/links/Nothing<front>
404||DELETE /api/links/a.b
404||DELETE /api/links/<a*65>
END_OF_TABLE
	call DELETE "/api/links/Get$FRONT"
	is "$status" 401 "$FRONT: DELETE without a key"
	is "$(value "deleted IS NULL" "Get$FRONT")" t "$FRONT: DELETE without a key deletes nothing"
}

# What the API writes follows the setting, and what would be a circle, too.
test_base_url() {
	api POST /x/api/links '{"srcUrl":"https://s.example/other"}'
	id=$(json id)
	is "$(json shortenedUrl) $(header Location)" "https://s.example/x/$id https://s.example/x/api/links/$id" "$FRONT: another base URL"
	api PATCH "/x/api/links/$id" '{"srcUrl":"http://s.example/x/"}'
	expect_error 400 circle 'below another base URL'
	api PATCH "/api/links/$id" '{"srcUrl":"http://test.short/"}'
	is "$status $(json srcUrl)" '200 http://test.short/' "$FRONT: no circle any more"
}

start_stack
insert_key
for test in post post_all get patch_values patch patch_nothing patch_times delete; do
	on_each_front "test_$test"
done
stop_responder
start_responder SHORTEN_BASE_URL=https://s.example/x/
on_each_front test_base_url
done_testing
