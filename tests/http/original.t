#!/bin/sh
# The original service: each row of its table byte for byte, through all three fronts.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

missing="{\"errMsg\":\"Parameter 'srcUrl' is missing\"}"
scheme="{\"errMsg\":\"Parameter 'srcUrl' must start with http:// or https://\"}"
failed='{"errMsg":"Failed to shorten"}'

too_long() {
	printf "{\"errMsg\":\"Parameter 'srcUrl' must not be more than %d characters\"}" "$1"
}

# Usage: repeat TEXT TIMES
repeat() {
	printf "%$2s" '' | sed "s/ /$1/g"
}

# Usage: expect STATUS BODY NAME, behind a call; the body is JSON.
expect() {
	is "$status $(header Content-Type)" "$1 application/json" "$FRONT: $3: status and type"
	is "$body" "$2" "$FRONT: $3: body"
	is "$(answer_problem)" '' "$FRONT: $3: what every answer has"
}

# Usage: refuse JSON BODY NAME
refuse() {
	call POST /shorten "$1"
	expect 400 "$2" "$3"
}

id_of_body() {
	id=${body##*/}
	id=${id%\"\}}
}

test_created() {
	call POST /shorten '{"srcUrl": "https://example.com/a?b=c&d#e"}'
	id_of_body
	expect 200 "{\"srcUrl\":\"https://example.com/a?b=c&d#e\",\"shortenedUrl\":\"http://test.short/$id\"}" created
	ok "$FRONT: the id is 10 characters of the alphabet" is_nanoid "$id"
	is "$(sql "SELECT srcurl, visits, created = lastaccessed, abs(extract(epoch FROM now() - created)) < 10
		FROM shortenedurls WHERE id = '$id'")" 'https://example.com/a?b=c&d#e|0|t|t' "$FRONT: the row"
	call POST /shorten '{"srcUrl": " \t\r\n\fhttps://example.com/trimmed \n"}'
	id_of_body
	expect 200 "{\"srcUrl\":\"https://example.com/trimmed\",\"shortenedUrl\":\"http://test.short/$id\"}" trimmed
	is "$(sql "SELECT srcurl FROM shortenedurls WHERE id = '$id'")" https://example.com/trimmed "$FRONT: the row is trimmed"
	call -H 'Host: evil.example' POST /shorten '{"srcUrl":"http://example.com"}'
	like "$body" '*"http://test.short/*' "$FRONT: the base URL is not the Host header's"
}

is_nanoid() {
	[ "${#1}" -eq 10 ] && [ -z "$(printf '%s' "$1" | tr -d 'A-Za-z0-9_-')" ]
}

test_missing() {
	call POST /shorten ''
	expect 400 "$missing" 'empty body'
	call -H 'Content-Length: 0' -H 'Content-Type:' POST /shorten
	expect 400 "$missing" 'no body, no type'
	refuse ' ' "$missing" 'blank body'
	for json in null true 1 '"http://example.com/"' '{}' '{"srcUrl":null}' '{"srcUrl":""}' '{"srcUrl":" \t\r\n"}' \
		'{"srcurl":"http://example.com/"}' '{"url":"http://example.com/"}'; do
		refuse "$json" "$missing" "missing in $json"
	done
}

test_too_long() {
	refuse "{\"srcUrl\":\"http://e.example/$(repeat a 234)\"}" "$(too_long 250)" '251 characters'
	call POST /shorten "{\"srcUrl\":\"http://e.example/$(repeat a 233)\"}"
	is "$status" 200 "$FRONT: 250 characters"
	call POST /shorten "{\"srcUrl\":\"  http://e.example/$(repeat a 233)  \"}"
	is "$status" 200 "$FRONT: 250 characters and blanks around them"
	call POST /shorten "{\"srcUrl\":\"http://e.example/$(repeat 😀 233)\"}"
	is "$status" 200 "$FRONT: 250 characters of up to four bytes"
	refuse "{\"srcUrl\":\"http://e.example/$(repeat 😀 234)\"}" "$(too_long 250)" '251 characters of up to four bytes'
}

test_scheme() {
	for url in ftp://example.com/ example.com 'javascript:alert(1)' //example.com/ http:/example.com httpx://example.com; do
		refuse "{\"srcUrl\":\"$url\"}" "$scheme" "scheme of $url"
	done
	for url in HTTP://example.com/ hTTps://example.com/; do
		call POST /shorten "{\"srcUrl\":\"$url\"}"
		is "$status" 200 "$FRONT: a scheme in another case: $url"
	done
}

test_order() {
	refuse "{\"srcUrl\":\"$(repeat a 251)\"}" "$(too_long 250)" 'too long comes before the scheme'
	refuse "{\"srcUrl\":\"$(repeat ' ' 251)\"}" "$missing" 'missing comes before too long'
	refuse "{\"srcUrl\":\"ftp://<>/\"}" "$scheme" 'the scheme comes before the host'
	refuse '{"srcUrl":null,"other":1}' "$missing" 'missing comes before an unknown member'
}

test_hello() {
	call GET /hello
	is "$status $(header Content-Type)" '200 text/plain' "$FRONT: hello: status and type"
	is "$body" 'Hello World!' "$FRONT: hello: body"
	is "$(answer_problem)" '' "$FRONT: hello: what every answer has"
}

# HEAD answers what GET would, without the body.
test_head() {
	shorten https://example.com/head
	for path in / /hello "/$id" "/$id/" /healthz /readyz /nothing-here /shorten /%; do
		call GET "$path"
		get="$status $(printf '%s' "$headers" | grep -v '^Date: ')"
		call HEAD "$path"
		is "$status $(printf '%s' "$headers" | grep -v '^Date: ')" "$get" "$FRONT: HEAD $path has GET's headers"
		is "$body" '' "$FRONT: HEAD $path has no body"
	done
	[ "$FRONT" = cgi ] || test_head_bytes
}

# curl would not show bytes behind the head.
test_head_bytes() {
	call_raw 'HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing-here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
	like "$status $body" '200 HTTP/1.1 404*' "$FRONT: the next answer stands right behind that to HEAD"
}

# PostgreSQL says no for good: that is no 503.
test_refused() {
	call POST /shorten '{"srcUrl":"http://refused.example/"}'
	expect 500 "$failed" 'the store refuses'
	is "$(header Retry-After)" '' "$FRONT: the store refuses: no Retry-After"
}

test_unreachable() {
	call POST /shorten '{"srcUrl":"http://example.com/"}'
	expect 503 "$failed" 'the store cannot be reached'
	like "$(header Retry-After)" '[1-9]*' "$FRONT: the store cannot be reached: Retry-After"
	call GET /abcdefghij
	is "$status" 503 "$FRONT: the store cannot be reached: a redirect"
	like "$(header Retry-After)" '[1-9]*' "$FRONT: the store cannot be reached: a redirect's Retry-After"
	like "$body" '{"errMsg":"*"}' "$FRONT: the store cannot be reached: a redirect's sentence"
	refuse '{"srcUrl":"ftp://example.com/"}' "$scheme" 'the store cannot be reached, and the URL is bad'
	test_hello
}

start_stack
sql "ALTER TABLE shortenedurls ADD CHECK (srcurl NOT LIKE '%refused%')"
for test in created missing too_long scheme order hello head refused; do
	on_each_front "test_$test"
done

stop_responder
start_responder SHORTEN_MAX_URL=30 SHORTEN_BASE_URL=https://s.example/x/
test_settings() {
	refuse "{\"srcUrl\":\"http://e.example/$(repeat a 14)\"}" "$(too_long 30)" '31 characters, where 30 are the limit'
	call POST /shorten "{\"srcUrl\":\"http://e.example/$(repeat a 13)\"}"
	id_of_body
	expect 200 "{\"srcUrl\":\"http://e.example/aaaaaaaaaaaaa\",\"shortenedUrl\":\"https://s.example/x/$id\"}" 'another base URL'
}
on_each_front test_settings

stop_responder
start_responder "SHORTEN_DATABASE=host=$stack_folder/nowhere dbname=x" SHORTEN_QUEUE_TIMEOUT_MS=100
on_each_front test_unreachable
done_testing
