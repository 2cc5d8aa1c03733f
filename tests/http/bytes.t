#!/bin/sh
# Whatever bytes come in: no answer is a server error of the responder's, each is a clean one, nothing
# unwanted is stored, and the responder is the same process afterwards. Where a web server answers by
# itself, that is recorded here.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

# Whether the web server has answered by itself: the errors of the responder's all vary by Accept.
is_own() {
	case $status in 4?? | 5??) ! header Vary >"$stack_folder/vary" ;; *) return 1 ;; esac
}

# Usage: has_own_form NAME: what nginx answers by itself looks like an answer of the responder's.
has_own_form() {
	[ "$FRONT" = nginx ] || return 0
	case $body in
	'{"errMsg":"'*'"}') ;;
	*) fail "$1: no errMsg in $body" ;;
	esac
	is "$(answer_problem)$(header Content-Type)" application/json "$1: length, nosniff and type of nginx's own answer"
}

# Usage: repeat TEXT TIMES
repeat() {
	printf "%$2s" '' | sed "s/ /$1/g"
}

count_rows() {
	sql 'SELECT count(*) FROM shortenedurls'
}

# ---- every byte everywhere

list_every_byte() {
	awk 'BEGIN {
		for (i = 0; i < 256; i++) {
			byte = sprintf("\\x%02X", i)
			printf "path %d\tGET\t/%s\n", i, byte
			printf "encoded-path %d\tGET\t/%%%02X\n", i, i
			printf "query %d\tGET\t/abc?%s\n", i, byte
			printf "header %d\tGET\t/abc\tX-Some: a%sb\n", i, byte
			printf "accept %d\tGET\t/abc\tAccept: a%sb\n", i, byte
			printf "type %d\tPOST\t/shorten\tContent-Type: a%sb\t{}\n", i, byte
			printf "json %d\tPOST\t/shorten\tContent-Type: application/json\t{\"srcUrl\":\"http://e.example/%s\"}\n", i, byte
			printf "json-escape %d\tPOST\t/shorten\tContent-Type: application/json\t{\"srcUrl\":\"http://e.example/\\\\%s\"}\n", i, byte
			printf "json-outside %d\tPOST\t/shorten\tContent-Type: application/json\t{\"srcUrl\":\"http://e.example/\"}%s\n", i, byte
			printf "form %d\tPOST\t/shorten\tContent-Type: application/x-www-form-urlencoded\tsrcUrl=http://e.example/%sx\n", i, byte
			printf "encoded-form %d\tPOST\t/shorten\tContent-Type: application/x-www-form-urlencoded\tsrcUrl=http://e.example/%%%02Xx\n", i, i
		}
	}'
}

# Makes lines "KIND STATUS BYTES", with ranges, of bulk.pl's answers.
summarise() {
	awk -F '\t' '{ split($1, name, " "); print name[1], $2, name[2] }' | sort -k1,1 -k2,2 -k3,3n | awk '
		function close_range() { list = list " " (first == last ? first : first "-" last) }
		function close_group() { if (group != "") { close_range(); print group list } list = "" }
		$1 " " $2 != group { close_group(); group = $1 " " $2; first = last = $3; next }
		$3 != last + 1 { close_range(); first = $3 }
		{ last = $3 }
		END { close_group() }'
}

# What the responder answers where nothing stands between. A NUL ends a parameter for libfcgi.
cgi_all='accept 404 0-255
encoded-form 200 32-126
encoded-form 400 0-31 127-255
encoded-path 404 0-255
form 200 32-36 39-126
form 400 0-31 37-38 127-255
header 404 0-255
json 200 32-33 35-91 93-126
json 400 0-31 34 92 127-255
json-escape 200 34 47 92 102 110 114 116
json-escape 400 0-33 35-46 48-91 93-101 103-109 111-113 115 117-255
json-outside 200 9-10 13 32
json-outside 400 0-8 11-12 14-31 33-255
path 200 0 63
path 400 37
path 404 1-36 38-62 64-255
query 404 0-255
type 415 0-255'
cgi_own=

# With header-strict, its default, it refuses control characters in header values.
lighttpd_own='accept 400 0-8 10-31 127
header 400 0-8 10-31 127
path 400 10
query 400 10
type 400 0-8 10-31 127'

# A line feed behind the target makes it a request of HTTP/0.9, whose answer has no status.
nginx_own='accept 400 0 13
encoded-path 400 0
header 400 0 13
path 000 10
path 400 0-9 11-31 37 127
query 000 10
query 400 0-9 11-31 127
type 400 0 13'

try_every_byte() {
	list_every_byte | perl tests/lib/bulk.pl "$(front_address)" >"$stack_folder/every"
	awk -F '\t' '$2 !~ /^[23]/ && $6 !~ /Vary: Accept/' "$stack_folder/every" >"$stack_folder/own"
	is "$(wc -l <"$stack_folder/every")" 2816 "$FRONT: every byte in eleven places"
	is "$(awk -F '\t' '$2 >= 500' "$stack_folder/every")" '' "$FRONT: no server error for any byte"
	[ "$FRONT" = lighttpd ] || is "$(awk -F '\t' '$2 != "000" && $3 != "none"' "$stack_folder/every")" '' \
		"$FRONT: every answer has its length, nosniff and, if it is an error, errMsg"
	eval "expected=\$${FRONT}_own"
	is "$(summarise <"$stack_folder/own")" "$expected" "$FRONT: for which bytes the web server answers by itself"
	grep '^[a-z-]*\(json\|form\)' "$stack_folder/every" | summarise >"$stack_folder/bodies"
	is "$(cat "$stack_folder/bodies")" "$(printf '%s\n' "$cgi_all" | grep '^[a-z-]*\(json\|form\)')" "$FRONT: every byte in bodies"
	[ "$FRONT" != cgi ] || is "$(summarise <"$stack_folder/every")" "$cgi_all" 'every byte, straight to the responder'
}

# ---- targets

# shellcheck disable=SC2016 # text
# TARGET|cgi|lighttpd|nginx: the statuses; a * behind one says that the web server answered by itself.
targets='/%C0|404|404|404
/%00|404|404|400*
/%0D%0AX:y|404|404|404
/%2e%2e|404|404|400*
/..|404|404|400*
/../../etc/passwd|404|404|400*
/%2e%2e%2f%2e%2e%2fetc%2fpasswd|404|404|400*
/.|404|404|404
/./hello|404|404|404
/x/../hello|404|404|404
//|404|404|404
//x|404|404|404
//hello|404|404|404
//evil.example/|404|404|404
//error|404|404|404
/%2Ferror|404|404|404
/hello/|404|404|404
/hello//|404|404|404
/HELLO|404|404|404
/hello%20|404|404|404
/hello;x=y|404|404|404
/hello%3Fx|404|404|404
/hello#x|404|404|404
/hell%6F|200|200|200
/hello?|200|200|200
/hello?%|200|200|200
/hello?%00&%zz|200|200|200
/?x=y|200|200|200
/a%2Fb|404|404|404
/a/b|404|404|404
/%|400|400|400*
/%2|400|400|400*
/%zz|400|400|400*
/abc%|400|400|400*
/%25zz|404|404|404
/%E2%82%AC|404|404|404
/%ED%A0%80|404|404|404
/%F4%90%80%80|404|404|404
/%5C|404|404|404
/\|404|404|404
/abc.def|404|404|404
/abc~|404|404|404
/index.html|404|404|404
/favicon.ico|404|404|404
/robots.txt|404|404|404
/.git/config|404|404|404
/shorten/|404|404|404
/shorten/x|404|404|404
/api|404|404|404
/api/links|401|401|401
/app/|404|404|404
/app/../hello|404|404|404
/app/style.css/|404|404|404
/metrics|404|404|404
/%27%20OR%20%271%27=%271|404|404|404
/'"'"';DROP%20TABLE%20shortenedurls;--|404|404|404
/<script>alert(1)</script>|404|404|404
/%3Cscript%3E|404|404|404
/{{message}}|404|404|404
/%25s%25n|404|404|404
/$(id)|404|404|404
*|404|400*|400*
http://other.example/hello|404|400*|200
http://localhost/hello|404|400*|200
hello|200|400*|400*'

try_targets() {
	while IFS='|' read -r target cgi lighttpd nginx; do
		call GET "$target"
		eval "expected=\$$FRONT"
		own=
		is_own && own='*'
		is "$status$own" "$expected" "$FRONT: GET $target"
		case $FRONT$status$own in
		*4?? | nginx4*) like "$body" '{"errMsg":"?*"}' "$FRONT: GET $target: the sentence" ;;
		esac
	done <<END
$targets
END
}

# LENGTH|lighttpd|nginx for a path, then for a header field. Both servers hold about 8 KiB.
try_long_targets() {
	[ "$FRONT" = cgi ] || call_long_targets
	call GET "/$(repeat a 64)"
	is "$status $body" '404 {"errMsg":"There is no such link; was it copied whole?"}' "$FRONT: 64 characters can be an id"
	call GET "/$(repeat a 65)"
	is "$status $body" '404 {"errMsg":"There is nothing at this path; was the link copied whole?"}' "$FRONT: 65 characters cannot"
	call GET "/$(repeat %61 64)"
	is "$status $body" '404 {"errMsg":"There is no such link; was it copied whole?"}' "$FRONT: 64 encoded characters can be an id"
	call GET "/$(repeat %61 65)"
	is "$status $body" '404 {"errMsg":"There is nothing at this path; was the link copied whole?"}' "$FRONT: 65 encoded characters cannot"
	call GET "/hello?$(repeat a 7000)"
	is "$status" 200 "$FRONT: a query of 7000 characters"
}

call_long_targets() {
	while IFS='|' read -r length path_lighttpd path_nginx header_lighttpd header_nginx; do
		filler=$(repeat a "$length")
		call_raw 'GET /%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' "$filler"
		eval "expected=\$path_$FRONT"
		is "$status" "$expected" "$FRONT: a path of $length characters"
		[ "$length" -lt 9000 ] || has_own_form "$FRONT: a path of $length characters"
		call_raw 'GET /hello HTTP/1.1\r\nHost: x\r\nX-Some: %s\r\nConnection: close\r\n\r\n' "$filler"
		eval "expected=\$header_$FRONT"
		is "$status" "$expected" "$FRONT: a header of $length characters"
		[ "$length" -lt 9000 ] || has_own_form "$FRONT: a header of $length characters"
	done <<'END'
1000|404|404|200|200
8000|404|404|200|200
9000|431|414|431|400
70000|431|414|431|400
END
}

# ---- what HTTP itself refuses, and how bodies are framed

# REQUEST|lighttpd|nginx; a * says that the web server answered by itself, 100 that it said "Continue" first.
requests='POST /shorten HTTP/1.1\r\nHost: x\r\n\r\n|411*|400
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n|400|400
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}|400*|400*
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}|400*|400*
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x|400*|400*
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n{}|413*|413*
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}{"srcUrl":"http://e.example/"}|400|400
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1f\r\n{"srcUrl":"http://e.example/1"}\r\n0\r\n\r\n|200|200
POST /shorten HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1e;x=y\r\n"srcUrl":"http://e.example/2"}\r\n0\r\nA: b\r\n\r\n|200|200
POST /shorten HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n|400|400
POST /shorten HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n|400*|400*
POST /shorten HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n|400*|400*
POST /shorten HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}|501*|501*
GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}|200|200
GET /hello HTTP/1.1\r\n\r\n|400*|400*
GET /hello HTTP/1.0\r\n\r\n|200|200
GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n|400*|400*
GET /hello HTTP/1.1\r\nHost: x y\r\n\r\n|400*|400*
GET /hello HTTP/1.1\r\nHost x\r\n\r\n|400*|400*
GET /hello HTTP/3.0\r\nHost: x\r\n\r\n|505*|505*
GET /a b HTTP/1.1\r\nHost: x\r\n\r\n|404|400*
BREW /hello HTTP/1.1\r\nHost: x\r\n\r\n|501*|405
get /hello HTTP/1.1\r\nHost: x\r\n\r\n|501*|400*
CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n|400*|400*
CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n|405|405*
TRACE / HTTP/1.1\r\nHost: x\r\n\r\n|405|405*
PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n|405|405
\000\001\002\003\r\n\r\n|400*|400*
\026\003\001\002\000\001\000\r\n\r\n|400*|400*'

try_requests() {
	[ "$FRONT" != cgi ] || return 0
	while IFS='|' read -r request lighttpd nginx; do
		call_raw "$request"
		eval "expected=\$$FRONT"
		own=
		is_own && own='*'
		is "$status$own" "$expected" "$FRONT: $request"
		[ -z "$own" ] || has_own_form "$FRONT: $request"
		case $FRONT$status$own in
		'nginx405*') is "$(header Allow)" 'GET, HEAD, POST' "$FRONT: $request: Allow" ;;
		esac
	done <<END
$requests
END
}

# ---- the size of a body

# A JSON body of this many bytes: blanks may stand behind the object.
write_body() {
	printf '{"srcUrl":"http://e.example/large"}' >"$stack_folder/body"
	head -c $(($1 - 35)) /dev/zero | tr '\0' ' ' >>"$stack_folder/body"
}

try_sizes() {
	too_large='{"errMsg":"The body must not be more than 65536 bytes"}'
	write_body 65536
	call -f "$stack_folder/body" POST /shorten
	is "$status" 200 "$FRONT: a body of 65536 bytes"
	write_body 65537
	call -f "$stack_folder/body" POST /shorten
	is "$status $body" "413 $too_large" "$FRONT: a body of 65537 bytes"
	write_body 1000000
	call -f "$stack_folder/body" POST /shorten
	is "$status $body" "413 $too_large" "$FRONT: a body of 1,000,000 bytes"
	call POST /shorten "{\"srcUrl\":\"http://e.example/$(repeat a 65000)\"}"
	like "$status $body" '400 *must not be more than 250 characters*' "$FRONT: a body of 65 kB is judged by its content"
	call -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten "srcUrl=http://e.example/&$(repeat a=b\& 70)"
	is "$status" 400 "$FRONT: a form of too many fields"
	call POST /shorten "$(repeat '[' 60000)"
	like "$status $body" '400 *nested more than 8 levels*' "$FRONT: 60,000 levels"
	call POST /hello '{}'
	is "$status" 405 "$FRONT: a body where none belongs"
}

# Past the limit of the web servers' own.
try_huge() {
	[ "$FRONT" != cgi ] || return 0
	write_body 1100000
	call -f "$stack_folder/body" POST /shorten
	is "$status" 413 "$FRONT: a body of 1,100,000 bytes"
	ok "$FRONT: a body of 1,100,000 bytes: the web server's own answer" is_own
	has_own_form "$FRONT: a body of 1,100,000 bytes"
}

# ---- a Content-Length that lies, past the web servers

try_lengths() {
	[ "$FRONT" = cgi ] || return 0
	before=$(count_rows)
	bad="400 The body must have as many bytes as Content-Length says"
	while IFS='|' read -r length expected; do
		printf 'x\tPOST\t/shorten\tContent-Type: application/json\\nCONTENT_LENGTH=%s\t{"srcUrl":"http://e.example/"}\n' "$length" |
			perl tests/lib/bulk.pl "$(front_address)" >"$stack_folder/answer.length"
		is "$(awk -F '\t' '{ sub(/^{"errMsg":"/, "", $7); sub(/"}$/, "", $7); print $2, $7 }' "$stack_folder/answer.length")" \
			"$expected" "$FRONT: CONTENT_LENGTH '$length' with 30 bytes"
	done <<END
29|$bad
31|$bad
1|$bad
0|$bad
65536|$bad
65537|413 The body must not be more than 65536 bytes
9223372036854775807|413 The body must not be more than 65536 bytes
99999999999999999999999|$bad
-1|$bad
-30|$bad
+30|$bad
0x1e|$bad
30 |$bad
30, 30|$bad
3e1|$bad
x|$bad
END
	is "$(count_rows)" "$before" "$FRONT: a Content-Length that lies stores nothing"
	printf 'x\tPOST\t/shorten\tContent-Type: application/json\\nCONTENT_LENGTH=\t{"srcUrl":"http://e.example/"}\n' |
		perl tests/lib/bulk.pl "$(front_address)" >"$stack_folder/answer.length"
	is "$(cut -f 2 "$stack_folder/answer.length")" 200 "$FRONT: an empty CONTENT_LENGTH is none"
}

# ---- types

try_types() {
	while IFS='|' read -r type expected; do
		call -H "Content-Type: $type" POST /shorten '{"srcUrl":"http://e.example/type"}'
		is "$status" "$expected" "$FRONT: Content-Type '$type'"
	done <<'END'
application/json|200
Application/JSON|200
application/json; charset=utf-8|200
application/json;charset="utf-8"|200
application/json ; x=y|200
|415
text/plain|415
text/json|415
application/jsonx|415
application/json2; x|415
application/|415
json|415
multipart/form-data; boundary=x|415
application/octet-stream|415
application/x-www-form-urlencoded|400
END
	call -H 'Content-Type: text/plain' POST /shorten '{}'
	is "$body" '{"errMsg":"Content-Type must be application/json or application/x-www-form-urlencoded"}' \
		"$FRONT: the sentence to another type"
}

# ---- JSON that json-c takes and we do not

# BODY|WORDS: printf's escapes; the words are in the sentence.
odd_json='{"srcUrl":"http://e.example/"} x|not valid JSON
{"srcUrl":"http://e.example/"}\000|control
{"srcUrl":"http://e.example/"}\000garbage|control
{"srcUrl":"http://e.example/"}{"srcUrl":"http://e.example/"}|not valid JSON
{"srcUrl":"http://e.example/\\u0000"}|NUL
{"srcUrl\\u0000zz":"http://e.example/"}|NUL
{"srcUrl":"http://e.example/","srcUrl":"http://e.example/"}|twice
{"srcUrl":"http://e.example/","src\\u0055rl":"http://e.example/"}|twice
{"srcUrl":"http://e.example/","x":{"y":1,"y":2}}|twice
{"srcUrl":"http://e.example/\n"}|control
{"srcUrl":"http://e.example/\001"}|control
{"src\001Url":"http://e.example/"}|control
{\001"srcUrl":"http://e.example/"}|control
{'"'srcUrl'"':"http://e.example/"}|not valid JSON
{"srcUrl":'"'http://e.example/'"'}|not valid JSON
{srcUrl:"http://e.example/"}|not valid JSON
{"srcUrl":NaN}|not valid JSON
{"srcUrl":-Infinity}|not valid JSON
{"srcUrl":Infinity}|not valid JSON
{"srcUrl":00}|not valid JSON
{"srcUrl":-01}|not valid JSON
{"srcUrl":1.}|not valid JSON
{"srcUrl":.5}|not valid JSON
{"srcUrl":+1}|not valid JSON
{"srcUrl":0x10}|not valid JSON
{"srcUrl":99999999999999999999}|must be a string
{"srcUrl":1e3}|must be a string
{"srcUrl":1e999999}|must be a string
{"srcUrl":-0}|must be a string
{"srcUrl":true}|must be a string
{"srcUrl":TRUE}|not valid JSON
{"srcUrl":Null}|not valid JSON
{"srcUrl":["http://e.example/"]}|must be a string
{"srcUrl":{"srcUrl":"http://e.example/"}}|must be a string
{"srcUrl":"http://e.example/\\ud800"}|surrogate
{"srcUrl":"http://e.example/\\udc00"}|surrogate
{"srcUrl":"http://e.example/\\ud800\\ud800"}|surrogate
{"srcUrl":"http://e.example/\\u12"}|not valid JSON
{"srcUrl":"http://e.example/\\x41"}|not valid JSON
{"srcUrl":"http://e.example/\300\257"}|UTF-8
{"srcUrl":"http://e.example/\355\240\200"}|UTF-8
{"srcUrl":"http://e.example/\367\277\277\277"}|UTF-8
{"srcUrl":"http://e.example/\364\220\200\200"}|UTF-8
{"srcUrl":"http://e.example/\377"}|UTF-8
{"srcUrl":"http://e.example/\342\202"}|UTF-8
{"src\377Url":"http://e.example/"}|UTF-8
\377\376{"srcUrl":"http://e.example/"}|UTF-8
\357\273\277{"srcUrl":"http://e.example/"}|not valid JSON
{"srcUrl":"http://e.example/"|not valid JSON
{"srcUrl":"http://e.example/|not valid JSON
{"srcUrl"|not valid JSON
{"|not valid JSON
{|not valid JSON
}|not valid JSON
"|not valid JSON
123|is missing
-|not valid JSON
nul|not valid JSON
{"srcUrl":"http://e.example/",}|not valid JSON
{,"srcUrl":"http://e.example/"}|not valid JSON
{"srcUrl":"http://e.example/"/* x */}|not valid JSON
// x\n{"srcUrl":"http://e.example/"}|not valid JSON
{"srcUrl" "http://e.example/"}|not valid JSON
{"srcUrl"::"http://e.example/"}|not valid JSON
{"srcUrl":"http://e.example/"]|not valid JSON
{"srcUrl":"http://e.example/","x":1}|'"'x'"' is unknown
{"srcUrl":"http://e.example/","SRCURL":"x"}|'"'SRCURL'"' is unknown
{"srcUrl":"http://e.example/","srcUrl ":"x"}|'"'srcUrl '"' is unknown
{"srcUrl":"http://e.example/","":1}|is unknown
{"srcUrl":"http://e.example/","<b>%%s\\"":1}|<b>%s\"
{"srcUrl":"http://e.example/","x":[[[[[[[[1]]]]]]]]}|nested more than 8 levels
{"srcUrl":"http://e.example/\\u0085"}|control characters'

try_odd_json() {
	before=$(count_rows)
	while IFS='|' read -r json words; do
		# shellcheck disable=SC2059 # the escapes are meant
		printf "$json" >"$stack_folder/body"
		call -f "$stack_folder/body" POST /shorten
		case $status$body in
		400'{"errMsg":"'*"$words"*'"}') pass "$FRONT: odd JSON $json" ;;
		*)
			fail "$FRONT: odd JSON $json"
			diag "got $status $body, not 400 with: $words"
			;;
		esac
	done <<END
$odd_json
END
	is "$(count_rows)" "$before" "$FRONT: no odd JSON stores anything"
}

# ---- metacharacters are text

try_metacharacters() {
	while IFS= read -r url; do
		call POST /shorten "{\"srcUrl\":\"$url\"}"
		id=${body##*/}
		id=${id%\"\}}
		is "$(sql "SELECT srcurl FROM shortenedurls WHERE id = '$id'")" "$url" "$FRONT: stored as it is: $url"
		call GET "/$id"
		is "$(header Location)" "$url" "$FRONT: given back as it is: $url"
	done <<'END'
http://e.example/';DROP-TABLE-shortenedurls;--
http://e.example/$1$2%s%n{{base}}<b>&amp;
http://e.example/?a=1;SELECT+pg_sleep(10)--
http://e.example/'||'x
END
}

start_stack
process=$responder_pid
for step in every_byte targets long_targets requests sizes huge lengths types odd_json metacharacters; do
	on_each_front "try_$step"
done
ok 'the responder is the same process' is_running "$process"
on_each_front call GET /hello
is "$status" 200 'and it answers'
is "$(grep -c 'error:' "$responder_log")" 0 'it has logged no error'
done_testing
