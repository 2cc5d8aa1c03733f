#!/bin/sh
# When a link leads to its URL and when not: validFrom, expires, maxVisits, enabled; and with which status, and how
# long browsers may keep it.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

firefox='Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

# Usage: expect_link STATUS ID NAME: GET, HEAD, and with a slash behind.
expect_link() {
	for request in "GET /$2" "HEAD /$2" "GET /$2/?a=b"; do
		call "${request% *}" "${request#* }"
		is "$status" "$1" "$FRONT: $3: $request"
		is "$(answer_problem)" '' "$FRONT: $3: $request: what every answer has"
		case $1 in
		3??) is "$(header Location)" "http://e.example/$2" "$FRONT: $3: $request: Location" ;;
		*) is "$(header Location) $(header Cache-Control)" ' no-store' "$FRONT: $3: $request: no Location, not kept" ;;
		esac
	done
}

# Usage: expect_ended ID NAME
expect_ended() {
	expect_link 410 "$1" "$2"
	like "$body" '{"errMsg":"This link has ended*"}' "$FRONT: $2: the sentence"
}

test_times() {
	insert_link "Future$FRONT" validfrom "now() + interval '1 hour'"
	expect_link 404 "Future$FRONT" 'not valid yet'
	like "$body" '{"errMsg":"?*"}' "$FRONT: not valid yet: the sentence"
	insert_link "Past$FRONT" validfrom "now() - interval '1 s'"
	expect_link 302 "Past$FRONT" 'valid already'
	insert_link "Ends$FRONT" expires "now() + interval '1 hour'"
	expect_link 302 "Ends$FRONT" 'not over yet'
	insert_link "Ended$FRONT" expires "now() - interval '1 ms'"
	expect_ended "Ended$FRONT" over
	insert_link "Between$FRONT" validfrom "now() - interval '1 day'" expires "now() + interval '1 day'"
	expect_link 302 "Between$FRONT" 'between both times'
	insert_link "Never$FRONT" validfrom "now() - interval '2 days'" expires "now() - interval '1 day'"
	expect_ended "Never$FRONT" 'behind both times'
	insert_link "Off$FRONT" enabled false
	expect_ended "Off$FRONT" disabled
	insert_link "Deleted$FRONT" deleted 'now()'
	expect_ended "Deleted$FRONT" deleted
}

test_page() {
	insert_link "Page$FRONT" enabled false
	call -H 'Accept: text/html' GET "/Page$FRONT"
	is "$status $(header Content-Type)" '410 text/html; charset=utf-8' "$FRONT: a browser gets a page"
	like "$body" '*This link has ended*' "$FRONT: the page says it"
	like "$(header Content-Security-Policy)" "*default-src 'none'*" "$FRONT: the page has a policy"
}

# Usage: time_in OFFSET INTERVAL: a time with this offset, such as +03:00, so long from now.
time_in() {
	sql "SELECT to_char((now() + interval '$2') AT TIME ZONE 'UTC' + interval '$1', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')" |
		sed "s/\$/$1/"
}

# With the wrong sign, or none, these would be hours away.
test_time_zones() {
	for offset in +03:00 -05:30 +14:00 -12:00; do
		id=zone$FRONT$offset
		id=$(printf '%s' "$id" | tr -d :+)
		text=$(time_in "$offset" '10 minutes')
		api POST /api/links "{\"srcUrl\":\"http://e.example/$id\",\"slug\":\"$id\",\"expires\":\"$text\"}"
		is "$status $(value "expires = '$text'" "$id")" '201 t' "$FRONT: $offset means what it says in expires"
		call GET "/$id"
		is "$status" 302 "$FRONT: ten minutes before its end: $text"
		api PATCH "/api/links/$id" "{\"expires\":\"$(time_in "$offset" '-10 minutes')\"}"
		call GET "/$id"
		is "$status" 410 "$FRONT: ten minutes behind its end: $offset"
		text=$(time_in "$offset" '10 minutes')
		api PATCH "/api/links/$id" "{\"expires\":null,\"validFrom\":\"$text\"}"
		is "$status $(value "validfrom = '$text'" "$id")" '200 t' "$FRONT: $offset means what it says in validFrom"
		call GET "/$id"
		is "$status" 404 "$FRONT: ten minutes before it begins: $offset"
	done
}

# ---- numbers of visits

visitors="GET|User-Agent: $firefox
HEAD|User-Agent: $firefox
GET|User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
GET|User-Agent: mozilla/5.0 (compatible; BINGBOT/2.0; +http://www.bing.com/bingbot.htm)
GET|User-Agent: facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
GET|User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)
GET|User-Agent: TelegramBot (like TwitterBot)
GET|User-Agent: WhatsApp/2.23.20.0
GET|User-Agent: Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)
GET|Sec-Purpose: prefetch
GET|Sec-Purpose: prefetch;prerender
GET|Purpose: prefetch"

# Only the first of the visitors uses one up.
visit_all() {
	printf '%s\n' "$visitors" | while IFS='|' read -r method header; do
		printf 'x\t%s\t/%s\t%s\n' "$method" "$1" "$header"
	done | perl tests/lib/bulk.pl "$(front_address)" | cut -f 2 | uniq -c | xargs
}

test_max_visits() {
	api POST /api/links "{\"srcUrl\":\"http://e.example/Three$FRONT\",\"slug\":\"Three$FRONT\",\"maxVisits\":3}"
	for statuses in '12 302' '12 302' '1 302 11 410'; do
		is "$(visit_all "Three$FRONT")" "$statuses" "$FRONT: one of 3 visits; HEAD, robots and prefetches use none up"
	done
	is "$(value visits "Three$FRONT")" 3 "$FRONT: three visits are counted at once"
	is "$(visit_all "Three$FRONT")" '12 410' "$FRONT: used up is used up for all"
	expect_ended "Three$FRONT" 'used up'
	is "$(value visits "Three$FRONT")" 3 "$FRONT: what was refused is no visit"
	api PATCH "/api/links/Three$FRONT" '{"maxVisits":4}'
	call GET "/Three$FRONT"
	is "$status" 302 "$FRONT: a higher limit lets one more pass"
	call GET "/Three$FRONT"
	is "$status" 410 "$FRONT: and no other"
	api PATCH "/api/links/Three$FRONT" '{"maxVisits":null}'
	expect_link 302 "Three$FRONT" 'without the limit'
	insert_link "Five$FRONT" visits 5
	api PATCH "/api/links/Five$FRONT" '{"maxVisits":5}'
	expect_ended "Five$FRONT" 'a limit that is reached already'
	api PATCH "/api/links/Five$FRONT" '{"maxVisits":6}'
	call HEAD "/Five$FRONT"
	call GET "/Five$FRONT"
	is "$status" 302 "$FRONT: a limit that is not reached yet"
	call GET "/Five$FRONT"
	is "$status" 410 "$FRONT: a limit that is reached"
}

# ---- edits

test_edits() {
	insert_link "Edit$FRONT"
	for step in 'false 410' 'true 302' 'false 410'; do
		api PATCH "/api/links/Edit$FRONT" "{\"enabled\":${step% *}}"
		call GET "/Edit$FRONT"
		is "$status" "${step#* }" "$FRONT: enabled is ${step% *}"
	done
	api PATCH "/api/links/Edit$FRONT" '{"enabled":true,"expires":"2000-01-01T00:00:00Z"}'
	call GET "/Edit$FRONT"
	is "$status" 410 "$FRONT: an end in the past"
	api PATCH "/api/links/Edit$FRONT" '{"expires":null}'
	call GET "/Edit$FRONT"
	is "$status" 302 "$FRONT: without the end it works again"
	api PATCH "/api/links/Edit$FRONT" '{"srcUrl":"http://other.example/?x","redirectStatus":308}'
	call GET "/Edit$FRONT"
	is "$status $(header Location)" '308 http://other.example/?x' "$FRONT: another URL and status"
	api POST /api/links "{\"srcUrl\":\"http://e.example/\",\"slug\":\"Born$FRONT\",\"expires\":\"2000-01-01T00:00:00Z\"}"
	call GET "/Born$FRONT"
	is "$status" 410 "$FRONT: a link can be over from the beginning"
}

# ---- statuses and caching

# Usage: expect_caching STATUS AGE ID
expect_caching() {
	for method in GET HEAD; do
		call "$method" "/$3"
		is "$status $(header Cache-Control)" "$1 private, max-age=$2" "$FRONT: $method /$3"
	done
}

# A lifetime never reaches past the end; the test may take some seconds.
expect_short_life() {
	call GET "/$1"
	age=$(header Cache-Control)
	age=${age#private, max-age=}
	ok "$FRONT: GET /$1: kept for $age s, which is within $2 s" [ "$age" -le "$2" ]
	ok "$FRONT: GET /$1: kept for $age s, which is nearly $2 s" [ "$age" -ge "$(($2 - 30))" ]
}

test_caching() {
	for value in 301 302 307 308; do
		insert_link "$value$FRONT" redirectstatus "$value"
		insert_link "$value-visits$FRONT" redirectstatus "$value" maxvisits 100
		insert_link "$value-far$FRONT" redirectstatus "$value" expires "now() + interval '30 days'"
		insert_link "$value-past$FRONT" redirectstatus "$value" validfrom "now() - interval '1 s'"
		case $value in 301 | 308) age=3600 ;; *) age=0 ;; esac
		expect_caching "$value" "$age" "$value$FRONT"
		expect_caching "$value" 0 "$value-visits$FRONT"
		expect_caching "$value" "$age" "$value-far$FRONT"
		expect_caching "$value" "$age" "$value-past$FRONT"
	done
	for value in 301 308; do
		insert_link "$value-near$FRONT" redirectstatus "$value" expires "now() + interval '100 s'"
		expect_short_life "$value-near$FRONT" 100
		insert_link "$value-now$FRONT" redirectstatus "$value" expires "now() + interval '1.9 s'"
		call GET "/$value-now$FRONT"
		[ "$status" = 410 ] ||
			like "$(header Cache-Control)" 'private, max-age=[01]' "$FRONT: $value: less than two seconds before the end"
	done
	insert_link "302-near$FRONT" redirectstatus 302 expires "now() + interval '100 s'"
	expect_caching 302 0 "302-near$FRONT"
}

# What the setting says is for links that say nothing.
test_setting() {
	insert_link "Plain$FRONT"
	expect_caching 301 3600 "Plain$FRONT"
	insert_link "PlainVisits$FRONT" maxvisits 100
	expect_caching 301 0 "PlainVisits$FRONT"
	insert_link "PlainEnds$FRONT" expires "now() + interval '200 s'"
	expect_short_life "PlainEnds$FRONT" 200
	expect_caching 302 0 "302$FRONT"
	expect_caching 308 3600 "308$FRONT"
}

start_stack
insert_key
for test in times page time_zones max_visits edits caching; do
	on_each_front "test_$test"
done
stop_responder
start_responder SHORTEN_REDIRECT_STATUS=301
on_each_front test_setting
done_testing
