#!/bin/sh
# GET /api/links/ID/visits: the visits of each day, those of robots apart.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

firefox='User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

# ---- what is counted

# METHOD|HEADER, as visitors send it: three people, four robots and three that fetch ahead; the others are none.
visitors="GET|$firefox
GET|X-None: x
GET|User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1
GET|User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
GET|User-Agent: Twitterbot/1.0
GET|User-Agent: FacebookExternalHit/1.1
GET|User-Agent: LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)
GET|Sec-Purpose: prefetch;prerender
GET|Purpose: prefetch
GET|Sec-Purpose: prefetch;anonymous-client-ip
HEAD|$firefox
HEAD|User-Agent: Googlebot/2.1
DELETE|$firefox"

send_visitors() {
	printf '%s\n' "$visitors" | while IFS='|' read -r method header; do
		printf 'x\t%s\t/%s\t%s\n' "$method" "$1" "$header"
	done | perl tests/lib/bulk.pl "$(front_address)" | cut -f 2 | sort | uniq -c | xargs
}

# Counts come some seconds late, so that all visits of all fronts are sent before the first is looked for.
send_all() {
	insert_link "plain-$FRONT"
	insert_link "limited-$FRONT" maxvisits 1000
	insert_link "off-$FRONT" enabled false
	insert_link "late-$FRONT" validfrom "now() + interval '1 day'"
	insert_link "one-$FRONT" maxvisits 1
	for link in plain limited; do
		is "$(send_visitors "$link-$FRONT")" '12 302 1 405' "$FRONT: $link: all are redirected"
	done
	is "$(send_visitors "off-$FRONT") $(send_visitors "late-$FRONT")" '1 405 12 410 12 404 1 405' "$FRONT: nobody is redirected"
	is "$(send_visitors "one-$FRONT")" '1 302 1 405 11 410' "$FRONT: one is redirected"
}

has_counts() {
	api GET "/api/links/$1/visits"
	[ "$(json visits robots)" = "$2" ]
}

test_counts() {
	for link in plain limited; do
		ok "$FRONT: $link: three visits, seven of robots" try 10 has_counts "$link-$FRONT" '3|7'
		send_visitors "$link-$FRONT" >/dev/null
	done
	ok "$FRONT: one: a single visit is counted" try 10 has_counts "one-$FRONT" '1|0'
	for link in off late; do
		ok "$FRONT: $link: what is not redirected is no visit" has_counts "$link-$FRONT" '0|0'
	done
}

# The responder has stopped and has written what it still knew.
test_more_counts() {
	for link in plain limited; do
		ok "$FRONT: $link: each is counted again" has_counts "$link-$FRONT" '6|14'
		is "$(json days.0.visits days.0.robots 'days.0.{}')" '6|14|day,robots,visits' "$FRONT: $link: all in one day"
		is "$(sql "SELECT '$(json days.0.day)'::date BETWEEN (now() AT TIME ZONE 'UTC')::date - 1 AND (now() AT TIME ZONE 'UTC')::date")" t \
			"$FRONT: $link: which is today"
		api GET "/api/links/$link-$FRONT"
		is "$(json visits)" 6 "$FRONT: $link: the link counts people only"
	done
}

# ---- the days

insert_days() {
	insert_link Days
	insert_link Empty
	insert_link Gone deleted 'now()'
	sql "INSERT INTO visits_by_day (id, day, visits, robots)
		VALUES ('Days', '2024-02-28', 1, 0), ('Days', '2024-02-29', 10, 5), ('Days', '2024-03-02', 100, 0),
			('Days', '2024-03-03', 0, 7), ('Days', '2020-01-01', 1000000000000, 3), ('Days', '1970-01-01', 2, 2),
			('Days', '9999-12-31', 4, 4), ('Other', '2024-02-29', 9, 9), ('Gone', '2024-02-29', 9, 9)"
	sql "INSERT INTO visits_by_day (id, day, visits, robots)
		SELECT 'Days', (now() AT TIME ZONE 'UTC')::date - n, 50, 1 FROM unnest(ARRAY[5, 20, 40]) AS n"
}

list_days() {
	sed 's#|#|GET /api/links/Days/visits?#2' <<'END_OF_TABLE'
200|.days=[{"day":"2024-02-28","robots":0,"visits":1},{"day":"2024-02-29","robots":5,"visits":10},{"day":"2024-03-02","robots":0,"visits":100}]|from=2024-02-28&to=2024-03-02
200|.visits=111|from=2024-02-28&to=2024-03-02
200|.robots=5|from=2024-02-28&to=2024-03-02
200|.robots=12|from=2024-02-28&to=2024-03-03&by=day
200|.visits=10|from=2024-02-29&to=2024-02-29
200|.visits=11|from=2024-02-01&to=2024-03-01
200|.days=[]|from=2024-03-01&to=2024-03-01
200|.visits=0|from=2024-03-01&to=2024-03-01
200|.visits=1000000000000|from=2020-01-01&to=2020-01-01
200|.visits=2|from=1970-01-01&to=1970-01-01
200|.visits=4|from=9999-12-31&to=9999-12-31
200|.from="2024-03-01"|from=2024-03-01&to=2024-03-05
200|.to="2024-03-05"|from=2024-03-01&to=2024-03-05
200|.by="day"|from=2024-03-01&to=2024-03-05
200|.id="Days"|from=2024-03-01&to=2024-03-05
200|.to="2024-03-05"|to=2024-03-05
200|.visits=100|by=
200|.visits=100|from=&to=&by=
200|.visits=1000000000111|from=2014-02-26&to=2024-03-04
400||from=2014-02-25&to=2024-03-04
400|'from'|from=2024-03-02&to=2024-03-01
400|'by'|by=week
400|'by'|by=Day
400|'by'|by=1
400|'from'|from=2024-02-30&to=2024-03-01
400|'from'|from=2023-02-29&to=2023-03-01
400|'from'|from=2024-13-01&to=2024-03-01
400|'from'|from=2024-00-01&to=2024-03-01
400|'from'|from=2024-1-1&to=2024-03-01
400|'from'|from=20240101&to=2024-03-01
400|'from'|from=2024-01-01T00:00:00Z&to=2024-03-01
400|'from'|from=1969-12-31&to=1970-01-01
400|'from'|from=yesterday
400|'from'|from=-infinity
400|'from'|from='2024-01-01'
400|'from'|from=%202024-01-01
400|NUL|from=2024-01-01%00
400|'from'|from=5
400|'to'|from=2024-01-01&to=2024-04-31
400|'to'|from=2024-01-01&to=10000-01-01
400|'to'|from=2024-01-01&to=x
400|query can hold|unknown=1
400|query can hold|From=2024-01-01
400|query can hold|limit=5
400|twice|from=2024-03-01&from=2024-03-01
400|twice|by=day&by=day
END_OF_TABLE
}

test_days() {
	list_days >"$table"
	try_table <"$table"
	try_table <<'END_OF_TABLE'
200|.visits=100|GET /api/links/Days/visits
200|.robots=2|GET /api/links/Days/visits
200|.days=[]|GET /api/links/Empty/visits
200|.visits=0|GET /api/links/Empty/visits
200|.robots=0|GET /api/links/Empty/visits
200|.visits=100|GET /api/links/%44ays/visits?
200||HEAD /api/links/Days/visits
404||GET /api/links/Other/visits
404||GET /api/links/days/visits
404||GET /api/links/a.b/visits
404||GET /api/links//visits
404||GET /api/links/<a*65>/visits
404||GET /api/links/Days/visits/x
404||GET /api/links/Days/visit
410||GET /api/links/Gone/visits
410||HEAD /api/links/Gone/visits
405||POST /api/links/Days/visits|{}
405||DELETE /api/links/Days/visits
END_OF_TABLE
	api GET /api/links/Days/visits
	expect 200 'the visits of a link'
	is "$(json '{}' 'days.#' 'days.*.visits')" 'by,days,from,id,robots,to,visits|2|50,50' "$FRONT: the members, and the last 30 days"
	is "$(sql "SELECT '$(json to)'::date - '$(json from)'::date, (now() AT TIME ZONE 'UTC')::date - '$(json to)'::date IN (0, 1)")" '29|t' \
		"$FRONT: from and to are those of the last 30 days, today among them"
	is "$(json 'days.*.day')" "$(json 'days.*.day' | tr , '\n' | sort | xargs | tr ' ' ,)" "$FRONT: the days ascend"
	is "$(header Content-Type) $(header Cache-Control)" 'application/json no-store' "$FRONT: the type, and that it is not kept"
}

start_stack
insert_key
insert_days
on_each_front test_days
on_each_front send_all
on_each_front test_counts
stop_responder
start_responder
on_each_front test_more_counts
done_testing
