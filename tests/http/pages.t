#!/bin/sh
# The pages: the form, the result and errors, for browsers; every value escaped, no script.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

browser='Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
form='Content-Type: application/x-www-form-urlencoded'
policy="default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

# What every page keeps to.
is_page() {
	is "$status $(header Content-Type)" "$1 text/html; charset=utf-8" "$FRONT: $2: status and type"
	is "$(header Content-Security-Policy)" "$policy" "$FRONT: $2: the policy"
	is "$(answer_problem)" '' "$FRONT: $2: what every answer has"
	like "$body" '<!DOCTYPE html>*<title>*</html>
' "$FRONT: $2: a whole page"
	unlike "$body" '*{{*' "$FRONT: $2: no placeholder is left"
	is "$(printf '%s' "$body" | grep -ciE '<script|javascript:|<[^>]+ (on[a-z]+|style)=|<(iframe|object|embed|base)|src=|https?://[^"]*\.(css|js)')" \
		0 "$FRONT: $2: no script, no foreign content"
}

# The sentence as it stands in the page.
is_error_page() {
	is_page "$1" "$3"
	like "$body" "*<p>$2</p>*" "$FRONT: $3: the sentence"
	is "$(header Vary)" Accept "$FRONT: $3: Vary"
	is "$(header Cache-Control)" no-store "$FRONT: $3: not kept"
}

test_home() {
	call GET /
	is_page 200 home
	like "$body" '*<form method="post" action="/shorten">*name="srcUrl"*<button type="submit">*</form>*' "$FRONT: the form"
	plain=$body
	call -H "$browser" GET /
	is "$body" "$plain" "$FRONT: the same page for a browser"
	call -H 'Accept: application/json' GET /
	is "$body" "$plain" "$FRONT: the same page for any client"
	path=$(printf '%s' "$body" | sed -n 's/.*<link rel="stylesheet" href="\([^"]*\)".*/\1/p')
	call GET "$path"
	is "$status $(header Content-Type)" '200 text/css' "$FRONT: the style sheet that the page names"
	is "$(answer_problem)" '' "$FRONT: the style sheet: what every answer has"
}

# What a browser sends for: http://e.example/?a=1&b=<i>"'x {{base}} ü
test_created() {
	call -H "$browser" -H "$form" POST /shorten \
		'srcUrl=http%3A%2F%2Fe.example%2F%3Fa%3D1%26b%3D%3Ci%3E%22%27x+%7B%7Bbase%7D%7D+%C3%BC'
	short=$(printf '%s' "$body" | sed -n 's|.*href="\(http://test\.short/[A-Za-z0-9_-]\{10\}\)".*|\1|p')
	shown=$(printf '%s' "$body" | sed 's/{{/<</g')
	body_as_it_was=$body
	body=$shown
	is_created_page
	like "$body_as_it_was" '*http://e.example/?a=1&amp;b=&lt;i&gt;&quot;&#39;x {{base}} ü<*' "$FRONT: the result: srcUrl is escaped"
	like "$body_as_it_was" "*>$short</a>*" "$FRONT: the result: the short URL"
	call GET "/${short##*/}"
	is "$(header Location)" "http://e.example/?a=1&b=<i>\"'x%20{{base}}%20%C3%BC" "$FRONT: the short URL of the page works"
}

# {{base}} is part of the user's own text here.
is_created_page() {
	is "$status $(header Content-Type) $(header Vary)" '200 text/html; charset=utf-8 Accept' "$FRONT: the result: status and type"
	is "$(header Content-Security-Policy)" "$policy" "$FRONT: the result: the policy"
	is "$(printf '%s' "$body" | grep -c '<i>\|<script')" 0 "$FRONT: the result: no markup of the user's"
}

test_error_pages() {
	call -H "$browser" -H "$form" POST /shorten 'srcUrl='
	is_error_page 400 'Parameter &#39;srcUrl&#39; is missing' 'an empty field'
	call -H "$browser" -H "$form" POST /shorten 'srcUrl=ftp%3A%2F%2Fe.example'
	is_error_page 400 'Parameter &#39;srcUrl&#39; must start with http:// or https://' 'a bad scheme'
	call -H "$browser" -H "$form" POST /shorten 'srcUrl=http://e.example/&%3Cscript%3Ealert(1)%3C/script%3E%22%27%26=1'
	is_error_page 400 'Parameter &#39;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&#39; is unknown*' 'an unknown field'
	like "$body" '*<title>400 Bad Request</title>*' "$FRONT: the title of an error"
	call -H "$browser" GET /nothing/here
	is_error_page 404 'There is nothing at this path; was the link copied whole?' 'an unknown path'
	call -H "$browser" GET /unknown-id
	is_error_page 404 'There is no such link; was it copied whole?' 'an unknown id'
	call -H "$browser" GET /shorten
	is_error_page 405 'This path answers POST only' 'another method'
	is "$(header Allow)" POST "$FRONT: another method: Allow"
	call -H "$browser" -H 'Content-Type: text/plain' POST /shorten x
	is_error_page 415 'Content-Type must be*' 'another type'
	head -c 65537 /dev/zero | tr '\0' a >"$stack_folder/body"
	call -H "$browser" -H "$form" -f "$stack_folder/body" POST /shorten
	is_error_page 413 'The body must not be more than 65536 bytes' 'a long body'
}

test_forms() {
	while IFS='|' read -r text expected name; do
		call -H "$form" POST /shorten "$text"
		like "$status $body" "$expected" "$FRONT: $name"
	done <<'END'
srcUrl=http://e.example/|200 {"srcUrl":"http://e.example/",*|without Accept a form is answered in JSON
srcUrl=http%3a%2F%2Fe.example%2fa+b%2B|200 {"srcUrl":"http://e.example/a b+",*|plus and escapes
&&srcUrl=http://e.example/&|200 *|empty pairs
srcUrl=http://e.example/?a=1=2|200 {"srcUrl":"http://e.example/?a=1=2",*|an equals sign in the value
srcUrl|400 *is missing*|a name without a value
srcUrl=+%09%0A|400 *is missing*|blanks
other=x|400 *is missing*|another name
srcurl=http://e.example/|400 *is missing*|a name in another case
srcUrl=http://e.example/?a=1&b=2|400 *'b'*unknown*|an ampersand that was not encoded
srcUrl=http://e.example/&srcUrl=http://e.example/|400 *twice*|twice
srcUrl=http://e.example/%zz|400 *%25*|a bad escape
srcUrl=http://e.example/%|400 *%25*|half an escape
srcUrl=http://e.example/%00|400 *NUL*|NUL
srcUrl=http://e.example/%C0%AF|400 *UTF-8*|bad UTF-8
srcUrl=http://e.example/%0d%0aX:y|400 *control*|a line's end
END
}

# ACCEPT|json or html
accepts='|json
*/*|json
application/json|json
application/json, text/html|json
text/html, application/json|json
text/html|html
TEXT/HTML|html
text/*|html
text/html, */*;q=0.8|html
text/html;q=0.5, application/json|json
text/html;q=0.5, application/json;q=0.4|html
text/html;q=0, */*|json
application/xhtml+xml, */*|json
text/plain|json
image/png|json
;;;,,,|json
text/html;q=x|json
,text/html,|html'

test_accept() {
	while IFS='|' read -r accept expected; do
		call -H "Accept: $accept" GET /unknown-id
		case $body in
		'{'*) got=json ;;
		'<!DOCTYPE html>'*) got=html ;;
		*) got=neither ;;
		esac
		is "$status $got $(header Vary)" "404 $expected Accept" "$FRONT: Accept: $accept"
	done <<END
$accepts
END
	call -H "$browser" POST /shorten '{"srcUrl":"http://e.example/"}'
	like "$status $body" '200 <!DOCTYPE html>*' "$FRONT: a browser that sends JSON gets a page too"
}

start_stack
for FRONT in $fronts; do
	test_home
	test_created
	test_error_pages
	test_forms
	test_accept
done
ok 'the responder is the same' is_running "$responder_pid"
done_testing
