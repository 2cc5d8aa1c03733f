#!/bin/sh
# forwardQuery: the visitor's query goes behind that of the target and before its fragment, byte for byte.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# Usage: number_of SRCURL: the number of the first vector with it.
number_of() {
	list_vectors | awk -F '|' -v srcurl="$1" '$2 == srcurl { print $1; exit }'
}

# The vectors, without comments, numbered.
list_vectors() {
	sed '/^#/d; /./!d' tests/http/query.table | awk '{ printf "%d|%s\n", NR, $0 }'
}

# The links are made through the API once, for all fronts.
create_links() {
	FRONT=cgi
	list_vectors | while IFS='|' read -r number srcurl rest; do
		printf '%s\tPOST\t/shorten\t%s\t{"srcUrl":"%s","slug":"Vector%s","forwardQuery":true}\n' \
			"$number" "$json_headers" "$srcurl" "$number"
	done | perl tests/lib/bulk.pl "$(front_address)" | cut -f 2 | sort | uniq -c >"$stack_folder/created"
	is "$(xargs <"$stack_folder/created")" "$(list_vectors | wc -l) 200" 'all links are there'
}

# nginx cuts the query at a raw # neither for itself nor for the responder.
test_vectors() {
	list_vectors | while IFS='|' read -r number srcurl query rest; do
		printf '%s\tGET\t/Vector%s%s\n' "$number" "$number" "$query"
	done | perl tests/lib/bulk.pl "$(front_address)" | cut -f 1-4 >"$stack_folder/followed"
	list_vectors >"$stack_folder/vectors"
	while IFS='|' read -r number srcurl query location refused; do
		read -r answer <&3 || answer=none
		[ "$location" != '=' ] || location=$srcurl
		# The answers, too, have bulk.pl's escapes.
		location=$(printf '%s' "$location" | sed 's/\\/\\\\/g')
		wanted="$number	302	none	$location"
		case " $refused " in
		*" $FRONT "*)
			is "$(printf '%s' "$answer" | cut -f 1,2)" "$number	400" "$FRONT: $srcurl $query: the web server refuses it"
			continue
			;;
		esac
		is "$answer" "$wanted" "$FRONT: $srcurl $query"
	done <"$stack_folder/vectors" 3<"$stack_folder/followed"
}

# With a slash behind the id, and with an encoded id.
test_ways() {
	number=$(number_of 'http://e.example/p?x=y')
	for target in "/Vector$number/?a=1" "/%56ector$number?a=1" "/Vector$number%2F?a=1"; do
		call GET "$target"
		is "$status $(header Location)" '302 http://e.example/p?x=y&a=1' "$FRONT: GET $target"
		call HEAD "$target"
		is "$status $(header Location)" '302 http://e.example/p?x=y&a=1' "$FRONT: HEAD $target"
	done
	call GET "/Vector$(number_of http://e.example/p)"'?a=<b>&c="d"'
	like "$body" '*href="http://e.example/p?a=&lt;b&gt;&amp;c=&quot;d&quot;"*' "$FRONT: the body is escaped"
	is "$(answer_problem)" '' "$FRONT: the body has its length"
}

# Off by default, and when it is switched off.
test_off() {
	insert_link "Off$FRONT"
	call GET "/Off$FRONT?a=1"
	is "$(header Location)" "http://e.example/Off$FRONT" "$FRONT: by default no query is forwarded"
	api PATCH "/api/links/Off$FRONT" '{"forwardQuery":true}'
	call GET "/Off$FRONT?a=1"
	is "$(header Location)" "http://e.example/Off$FRONT?a=1" "$FRONT: switched on"
	api PATCH "/api/links/Off$FRONT" '{"forwardQuery":false}'
	call GET "/Off$FRONT?a=1"
	is "$(header Location)" "http://e.example/Off$FRONT" "$FRONT: switched off"
}

# Usage: follow ID TIMES: with a query of so many bytes, each of which is encoded; the answer as bulk.pl has it.
follow() {
	printf 'x\tGET\t/%s?%s\n' "$1" "$(repeat '\\xE9' "$2")" | perl tests/lib/bulk.pl "$(front_address)" >"$stack_folder/long"
	cut -f 2-4 "$stack_folder/long"
}

# A Location of up to 16 kB goes through every proxy's buffers; what would be longer is refused.
test_long() {
	insert_link "Long$FRONT" forwardquery true
	for text in a %41 +; do
		query=$(repeat "$text" 2000)
		call GET "/Long$FRONT?$query"
		is "$status $(header Location)" "302 http://e.example/Long$FRONT?$query" "$FRONT: 2000 times $text"
		is "$(answer_problem)" '' "$FRONT: 2000 times $text: what every answer has"
	done
	is "$(follow "Long$FRONT" 5000)" "302	none	http://e.example/Long$FRONT?$(repeat %E9 5000)" "$FRONT: 5000 bytes that are encoded"
	insert_link "Once$FRONT" forwardquery true maxvisits 1
	for id in "Long$FRONT" "Once$FRONT"; do
		is "$(follow "$id" 7000)" '414	none	' "$FRONT: 7000 bytes that are encoded: /$id"
	done
	call GET "/Once$FRONT"
	is "$status" 302 "$FRONT: what is refused uses no visit up"
}

# The longest URL has a Location of 24 kB by itself.
test_longest() {
	api -f "$stack_folder/longest" POST /api/links
	id=$(json id)
	call GET "/$id"
	is "$status" 302 "$FRONT: the longest URL, without a query"
	call GET "/$id?"
	is "$status" 302 "$FRONT: the longest URL, with an empty query"
	like "$(follow "$id" 7900)" '414	none	' "$FRONT: the longest URL and the longest query"
}

start_stack
insert_key
create_links
for test in vectors ways off long; do
	on_each_front "test_$test"
done
stop_responder
start_responder SHORTEN_MAX_URL=2048
printf '{"srcUrl":"http://e.example/%s","forwardQuery":true}' "$(repeat 😀 2031)" >"$stack_folder/longest"
on_each_front test_longest
done_testing
