#!/bin/sh
# Keys: who may do what without one, which ones are refused and how, that a revoked one stops working within a
# second, and that the use of a key is noted.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

unknown_key=dW5rbm93bl9rZXktb2YtdGhlLXRlc3RzLV9fLS1fX18
revoked_key=cmV2b2tlZF9rZXktb2YtdGhlLXRlc3RzLV9fLS1fX18

# Every management call: METHOD TARGET|BODY
calls='POST /api/links|{"srcUrl":"http://e.example/"}
GET /api/links|
HEAD /api/links|
GET /api/links/KnownLink|
HEAD /api/links/KnownLink|
PATCH /api/links/KnownLink|{"title":"changed"}
DELETE /api/links/KnownLink|
GET /api/links/KnownLink/visits|
GET /api/links/UnknownLink|
PATCH /api/links/UnknownLink|{}
DELETE /api/links/UnknownLink|
GET /api/links/UnknownLink/visits|'

# Usage: expect_refused CHALLENGE NAME, behind a call
expect_refused() {
	is "$status $(header WWW-Authenticate)" "401 $1" "$FRONT: $2: 401 and its challenge"
	is "$(answer_problem)" '' "$FRONT: $2: what every answer has"
	[ "$call_method" = HEAD ] || like "$body" '{"errMsg":"?*"}' "$FRONT: $2: the sentence"
}

# Usage: try_calls CHALLENGE HEADER NAME
try_calls() {
	while IFS='|' read -r line text; do
		if [ -n "$text" ]; then
			call -H "$2" "${line% *}" "${line#* }" "$text"
		else
			call -H "$2" "${line% *}" "${line#* }"
		fi
		expect_refused "$1" "$3: $line"
	done <<END_OF_CALLS
$calls
END_OF_CALLS
}

test_no_key() {
	try_calls Bearer 'X-None: x' 'no key'
	call GET /api/openapi.json
	is "$status $(header Content-Type)" '200 application/json' "$FRONT: the description needs no key"
	call POST /shorten '{"srcUrl":"http://e.example/"}'
	is "$status" 200 "$FRONT: a plain link needs no key"
}

# Another scheme, such as a web server's own, is no key.
test_other_schemes() {
	for header in 'Basic dXNlcjpwYXNzd29yZA==' "Basic $key" 'Digest username="x"' "Token $key" "BearerX $key" "Bear $key"; do
		call -H "Authorization: $header" GET /api/links
		expect_refused Bearer "Authorization: $header"
		call -H "Authorization: $header" POST /shorten '{"srcUrl":"http://e.example/"}'
		is "$status" 200 "$FRONT: Authorization: $header: a plain link needs no key"
	done
}

test_wrong_key() {
	try_calls 'Bearer error="invalid_token"' "Authorization: Bearer $unknown_key" 'an unknown key'
	try_calls 'Bearer error="invalid_token"' "Authorization: Bearer $revoked_key" 'a revoked key'
	for wrong in "${key%?}" "${key}A" "x${key#?}" "${key%?}1" "$key $key" "$key, Bearer $key" "$(printf '%s' "$key" | tr a-zA-Z A-Za-z)" \
		x "'" "' OR '1'='1" '%00' "$(repeat A 43)" "$(repeat "=" 43)" "$(repeat A 2000)" "$key="; do
		call -H "Authorization: Bearer $wrong" GET /api/links
		expect_refused 'Bearer error="invalid_token"' "the key $wrong"
		call -H "Authorization: Bearer $wrong" POST /shorten '{"srcUrl":"http://e.example/"}'
		expect_refused 'Bearer error="invalid_token"' "POST /shorten with the key $wrong"
	done
	call -H "Authorization: Bearer $unknown_key" POST /shorten 'no JSON'
	expect_refused 'Bearer error="invalid_token"' 'the key comes before the body'
	call -H "Authorization: Bearer $unknown_key" POST /shorten '[{"srcUrl":"http://e.example/"}]'
	expect_refused 'Bearer error="invalid_token"' 'an array with a wrong key is refused as a whole'
}

# It was meant as a key, so it is not taken for none.
test_no_scheme() {
	for target in /api/links /shorten; do
		call -H "Authorization: $key" POST "$target" '{"srcUrl":"http://e.example/"}'
		expect_refused 'Bearer error="invalid_request"' "POST $target with a key without its scheme"
	done
}

# Without any key behind it, it may be taken for none or for a wrong one.
test_empty_key() {
	for header in 'Bearer' 'Bearer ' 'bearer'; do
		call -H "Authorization: $header" GET /api/links
		like "$status $(header WWW-Authenticate)" '401 Bearer*' "$FRONT: Authorization: $header"
	done
}

# Redirects and pages do not look at keys.
test_elsewhere() {
	for header in "Authorization: Bearer $unknown_key" 'Authorization: Basic eDp5' "Authorization: Bearer $key"; do
		call -H "$header" GET /KnownLink
		is "$status" 302 "$FRONT: $header: a redirect"
		call -H "$header" GET /hello
		is "$status" 200 "$FRONT: $header: hello"
	done
}

test_right_key() {
	for header in "Bearer $key" "bearer $key" "BEARER $key" "bEaReR $key" "Bearer $other_key"; do
		call -H "Authorization: $header" GET '/api/links?limit=1'
		is "$status $(header WWW-Authenticate)" '200 ' "$FRONT: Authorization: $header"
	done
	call -H "Authorization: Bearer $key" POST /api/links "{\"srcUrl\":\"http://e.example/\",\"slug\":\"Owned$FRONT\"}"
	is "$(value owner "Owned$FRONT")" TestKey-01 "$FRONT: a link is its key's"
	call -H "Authorization: Bearer $other_key" PATCH "/api/links/Owned$FRONT" '{"title":"by the other"}'
	is "$status" 200 "$FRONT: every key may manage all links"
	is "$(value 'owner, title' "Owned$FRONT")" 'TestKey-01|by the other' "$FRONT: the link stays its key's"
	call -H "Authorization: Bearer $other_key" GET "/api/links?search=Owned$FRONT"
	is "$(json 'links.*.id')" "Owned$FRONT" "$FRONT: every key sees all links"
}

# Usage: is_used ID: whether the key was used in the last minutes.
is_used() {
	[ "$(sql "SELECT lastused BETWEEN now() - interval '2 minutes' AND now() + interval '1 minute' FROM api_keys WHERE id = '$1'")" = t ]
}

# Only of keys that were used, and worked.
test_last_used() {
	for known in 1 2; do
		ok "the use of key $known is noted" try 10 is_used "TestKey-0$known"
	done
	is "$(sql "SELECT count(*) FROM api_keys WHERE lastused IS NOT NULL AND id NOT IN ('TestKey-01', 'TestKey-02')")" 0 \
		'the others were never used'
}

# Refused once, a key that comes into being afterwards works soon.
test_new_key() {
	call -H "Authorization: Bearer $1" GET /api/links
	is "$status" 401 "$FRONT: a key that is not there yet"
	insert_key "New$FRONT" "$1"
	ok "$FRONT: a second later it is" try 2 works "$1"
}

works() {
	call -H "Authorization: Bearer $1" GET '/api/links?limit=1'
	[ "$status" = 200 ]
}

# Four responders, each of which has just used the key. A second after it was revoked, nobody takes it any more.
test_revoked() {
	FRONT=nginx
	for round in 1 2 3; do
		round_key=$(repeat "$round" 42)A
		insert_key "Round-$round" "$round_key"
		request="x	GET	/api/links?limit=1	Authorization: Bearer $round_key"
		printf '%s\n' "$request" | race 50
		is "$(race_statuses)" '50 200' "revoking, round $round: the key works"
		sql "UPDATE api_keys SET revoked = now() WHERE id = 'Round-$round'"
		printf '%s\n' "$request" | watch 1 "$stack_folder/watched"
		printf '%s\n' "$request" | race 50
		is "$(race_statuses)" '50 401' "revoking, round $round: a second later it is refused by all"
		is "$(cut -f 3 "$stack_folder/watched" | sort -u | sed '/200/d; /401/d')" '' "revoking, round $round: and meanwhile it is one or the other"
	done
}

start_stack
insert_key
insert_key TestKey-02 "$other_key"
insert_key TestKey-03 "$revoked_key"
sql "UPDATE api_keys SET revoked = now() - interval '1 day' WHERE id = 'TestKey-03'"
insert_link KnownLink
row=$(sql "SELECT * FROM shortenedurls WHERE id = 'KnownLink'")
for test in no_key other_schemes wrong_key no_scheme empty_key; do
	on_each_front "test_$test"
done
is "$(sql "SELECT * FROM shortenedurls WHERE id = 'KnownLink'")" "$row" 'without a key nothing was changed'
is "$(sql "SELECT count(*) FROM shortenedurls WHERE srcurl = 'http://e.example/'")" "$((7 * $(echo "$fronts" | wc -w)))" 'and nothing stored but plain links'
is "$(sql 'SELECT count(*) FROM api_keys WHERE lastused IS NOT NULL')" 0 'and no key was used'
on_each_front test_elsewhere
on_each_front test_right_key
test_last_used
FRONT=cgi
test_new_key "$(repeat B 42)A"
FRONT=nginx
test_new_key "$(repeat C 42)A"
stop_responder
start_pool 4
test_revoked
done_testing
