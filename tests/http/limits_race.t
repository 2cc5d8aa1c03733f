#!/bin/sh
# Limits while many ask: through four responders exactly as many visits as maxVisits says, and no visit before
# validFrom or behind expires, by the database's clock.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# Usage: test_race MAXVISITS CLIENTS ROUNDS
test_race() {
	for round in $(seq "$3"); do
		api POST /api/links "{\"srcUrl\":\"http://e.example/\",\"slug\":\"Race-$1-$round\",\"maxVisits\":$1}"
		printf 'x\tGET\t/Race-%d-%d\n' "$1" "$round" | race "$2"
		is "$(race_statuses)" "$1 302 $(($2 - $1)) 410" "$2 clients visit a link with maxVisits $1: round $round"
		is "$(value visits "Race-$1-$round")" "$1" "the row says so: round $round"
	done
}

# HEAD and robots in between get what they get, and use nothing up.
test_mixed_race() {
	api POST /api/links '{"srcUrl":"http://e.example/","slug":"Mixed","maxVisits":7}'
	{
		printf 'x\tGET\t/Mixed\n'
		printf 'x\tHEAD\t/Mixed\n'
		printf 'x\tGET\t/Mixed\tUser-Agent: Googlebot/2.1\n'
		printf 'x\tGET\t/Mixed\tSec-Purpose: prefetch\n'
	} | race 200
	is "$(awk 'NR % 4 == 1 { print $1 }' "$race_answers" | sort | uniq -c | xargs)" '7 302 43 410' \
		'50 visitors of 200 clients: 7 get through'
	is "$(cut -f 1 "$race_answers" | grep -cv '302\|410')" 0 'the others are redirected or told that it is over'
	is "$(value visits Mixed)" 7 'the row says 7'
}

# Two clients at once, one through each web server, while the link begins and ends. Both clocks are the machine's.
test_crossing() {
	times=$(sql "SELECT to_char(t, f), to_char(t + interval '0.8 s', f), extract(epoch FROM t), extract(epoch FROM t + interval '0.8 s')
		FROM (SELECT (now() + interval '0.8 s') AT TIME ZONE 'UTC' AS t, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'::text AS f) AS s")
	IFS='|' read -r valid_from expires begin end <<END_OF_TIMES
$times
END_OF_TIMES
	FRONT=nginx
	api POST /api/links "{\"srcUrl\":\"http://e.example/\",\"slug\":\"Crossing\",\"validFrom\":\"$valid_from\",\"expires\":\"$expires\"}"
	is "$status $(json validFrom expires)" "201 $valid_from|$expires" 'a link that begins and ends soon'
	FRONT=lighttpd
	printf 'x\tGET\t/Crossing\n' | watch 2.4 "$stack_folder/watched.lighttpd" &
	FRONT=nginx
	printf 'x\tGET\t/Crossing\n' | watch 2.4 "$stack_folder/watched.nginx"
	wait "$!"
	for FRONT in lighttpd nginx; do
		is "$(cut -f 3 "$stack_folder/watched.$FRONT" | uniq | xargs)" '404 302 410' "$FRONT: 404, then 302, then 410, and never back"
		is "$(crossing_problems "$begin" "$end" <"$stack_folder/watched.$FRONT")" '' "$FRONT: each of them at its time"
	done
	redirects=$(cat "$stack_folder/watched.lighttpd" "$stack_folder/watched.nginx" | cut -f 3 | grep -c 302)
	ok "all $redirects visits are counted" try 5 has_visits Crossing "$redirects"
}

# An answer was decided between when its request was sent and when it was there.
crossing_problems() {
	awk -F '\t' -v begin="$1" -v end="$2" '
		BEGIN { clock = 0.00001 }
		$3 == 404 && $1 > begin + clock { print "404, though it had begun", $1 - begin, "s before" }
		$3 == 302 && $2 < begin - clock { print "302, though it would begin in", begin - $2, "s" }
		$3 == 302 && $1 > end + clock { print "302, though it had ended", $1 - end, "s before" }
		$3 == 410 && $2 < end - clock { print "410, though it would end in", end - $2, "s" }' | head -n 5
}

has_visits() {
	[ "$(value visits "$1")" = "$2" ]
}

start_database
start_pool 4
start_lighttpd
start_nginx
FRONT=nginx
insert_key
test_race 1 50 5
test_race 7 50 5
test_mixed_race
test_crossing
done_testing
