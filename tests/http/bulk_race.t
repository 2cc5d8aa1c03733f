#!/bin/sh
# Arrays that want the same slugs in opposite orders, and a slug that somebody else holds, at two processes at once.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# Usage: write_array FIRST LAST STEP PREFIX: a link for each number
write_array() {
	seq "$1" "$3" "$2" | sed "s|.*|{\"srcUrl\":\"http://e.example/&\",\"slug\":\"$4&\"}|" | paste -sd , | sed 's/.*/[&]/'
}

# Usage: post SOCKET TARGET FILE ANSWER: straight to one process
post() {
	env -i REQUEST_METHOD=POST REQUEST_URI="$2" CONTENT_TYPE=application/json CONTENT_LENGTH="$(wc -c <"$3")" \
		HTTP_AUTHORIZATION="Bearer $key" "$stack_cgi_fcgi" -bind -connect "$1" <"$3" >"$4" 2>/dev/null
}

# Usage: count_status STATUS FILE...
count_status() {
	wanted=$1
	shift
	cat "$@" | grep -o '"status":[0-9]*' | grep -c ":$wanted$"
}

test_opposite_orders() {
	for round in 1 2 3 4; do
		write_array 1 200 1 "r$round-" >"$stack_folder/up"
		write_array 200 1 -1 "r$round-" >"$stack_folder/down"
		post "$responder_socket" /api/links "$stack_folder/up" "$stack_folder/up.answer" &
		first=$!
		post "$api_socket" /api/links "$stack_folder/down" "$stack_folder/down.answer"
		wait "$first"
		is "$(count_status 201 "$stack_folder"/*.answer) $(count_status 409 "$stack_folder"/*.answer)" '200 200' \
			"round $round: of two arrays with the same slugs each slug goes to one, and the other hears that it is taken"
	done
}

plain_is_made() {
	FRONT=cgi
	shorten 'http://e.example/plain'
	[ "$status" = 200 ]
}

# A transaction of somebody else's has a slug, and stays open.
test_held_slug() {
	mkfifo "$stack_folder/holder"
	psql_as_superuser -d "$database" <"$stack_folder/holder" >/dev/null 2>&1 &
	holder=$!
	exec 8>"$stack_folder/holder"
	printf '%s\n' "BEGIN; INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('held', 'http://x/', now(), now());" >&8
	ok 'the slug is held' try 5 is_held
	printf '%s' '[{"srcUrl":"http://e.example/1","slug":"held"},{"srcUrl":"http://e.example/2","slug":"free"}]' >"$stack_folder/one"
	post "$responder_socket" /api/links "$stack_folder/one" "$stack_folder/one.answer" &
	first=$!
	ok 'meanwhile links are made' plain_is_made
	wait "$first"
	is "$(count_status 201 "$stack_folder/one.answer") $(count_status 503 "$stack_folder/one.answer")" '1 1' \
		'who wants another slug gets it; who wants that one is told to come again'
	printf 'COMMIT;\n' >&8
	exec 8>&-
	wait "$holder"
	post "$responder_socket" /api/links "$stack_folder/one" "$stack_folder/one.answer"
	is "$(count_status 409 "$stack_folder/one.answer")" 2 'then it is taken'
}

is_held() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = '$database' AND state = 'idle in transaction'")" = 1 ]
}

start_database
start_responder
start_api_responder
insert_key
test_opposite_orders
test_held_slug
done_testing
