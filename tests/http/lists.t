#!/bin/sh
# GET /api/links: pages, orders, search, tags, and what it refuses.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

sorts='created visits lastAccessed'
links_count=120

# Ten links share each time of creation, eight each number of visits, and twelve each last visit. A third was never visited.
insert_links() {
	sql "INSERT INTO shortenedurls (id, srcurl, tags, created, lastaccessed, visits)
		SELECT 'Link' || to_char((i * 7) % $links_count, 'FM000'), 'http://paged.example/' || i, '{paged}', t,
			CASE WHEN i % 3 = 0 THEN t ELSE '2024-01-01Z'::timestamptz + (i % 10) * interval '1 day' END,
			CASE WHEN i % 3 = 0 THEN 0 ELSE 1 + i % 15 END
		FROM (SELECT i, '2023-01-01Z'::timestamptz + (i / 10) * interval '1 day' AS t FROM generate_series(0, $links_count - 1) AS i) AS s"
	sql "INSERT INTO link_activity (id, visits, lastaccessed) SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0"
}

# What chooses all these links: each front tries another way.
filter() {
	case $FRONT in
	cgi) printf 'tag=paged' ;;
	lighttpd) printf 'search=' ;;
	nginx) printf 'search=paged.example' ;;
	esac
}

expected_ids() {
	awk -v count="$links_count" 'BEGIN { for (i = 0; i < count; i++) printf "Link%03d\n", i }'
}

test_pages() {
	for sort in $sorts; do
		for limit in 7 1 120 500; do
			[ "$limit" != 1 ] || [ "$FRONT" = cgi ] || continue
			read_pages "$(filter)&sort=$sort&limit=$limit"
			is "$(cut -f 2 "$stack_folder/pages" | sort)" "$(expected_ids)" "$FRONT: $sort by $limit: each link once"
			is "$(order_problem "$sort")" '' "$FRONT: $sort by $limit: in order"
			is "$(cut -f 1 "$stack_folder/pages" | sort -n | uniq -c | sed '$d' | awk '{ print $1 }' | sort -u)" \
				"$([ "$limit" -ge "$links_count" ] || echo "$limit")" "$FRONT: $sort by $limit: all pages but the last are full"
		done
	done
}

test_defaults() {
	api GET /api/links
	expect 200 'a list without parameters'
	is "$(json '{}' 'links.#' 'links.0.{}')" \
		"links,next|50|created,enabled,expires,forwardQuery,id,lastAccessed,maxVisits,redirectStatus,shortenedUrl,srcUrl,tags,title,validFrom,visits" \
		"$FRONT: members, 50 links, their members"
	plain=$body
	is "$(header Content-Type)" application/json "$FRONT: the type"
	api GET '/api/links?sort=created&limit=50&search=&tag=&after='
	is "$body" "$plain" "$FRONT: these are the defaults, and empty is absent"
	id=$(json links.3.id)
	fourth=$(json links.3)
	api GET "/api/links/$id"
	is "$(json .)" "$fourth" "$FRONT: the links are whole"
	get=$(api HEAD /api/links && printf '%s|%s' "$status" "$body")
	is "$get" '200|' "$FRONT: HEAD"
	api GET '/api/links?search=there-is-no-such-link'
	is "$status $(json .)" '200 {"links":[],"next":null}' "$FRONT: an empty list"
}

# ---- while links are added

# Sends as fast as it can, until it is stopped.
start_adder() {
	headers=$json_headers awk -v name="$1" 'BEGIN { for (i = 0; i < 20000; i++) printf \
		"x\tPOST\t/shorten\t%s\t{\"srcUrl\":\"http://paged.example/%s/%d\",\"tags\":[\"paged\"]}\n", ENVIRON["headers"], name, i }' |
		perl tests/lib/bulk.pl "$(front_address)" >/dev/null &
	adder_pid=$!
}

count_links() {
	sql 'SELECT count(*) FROM shortenedurls'
}

has_more_links() {
	[ "$(count_links)" -gt "$1" ]
}

# What was there before is there once, wherever the new ones are.
test_adding() {
	for sort in $sorts; do
		before=$(count_links)
		start_adder "$FRONT-$sort"
		ok "$FRONT: $sort: links are being added" try 10 has_more_links "$before"
		read_pages "sort=$sort&limit=11&$(filter)"
		kill "$adder_pid" 2>/dev/null
		wait "$adder_pid" 2>/dev/null
		cut -f 2 "$stack_folder/pages" | sort >"$stack_folder/ids"
		is "$(uniq -d "$stack_folder/ids")" '' "$FRONT: $sort: no link twice while links are added"
		is "$(grep -c '^Link' "$stack_folder/ids")" "$links_count" "$FRONT: $sort: no link of before is missing while links are added"
		is "$(order_problem "$sort")" '' "$FRONT: $sort: the order holds while links are added"
		sql "DELETE FROM shortenedurls WHERE id NOT LIKE 'Link%'"
	done
}

# The link that a cursor stands at may go away.
test_deleted_cursor() {
	for sort in $sorts; do
		api GET "/api/links?$(filter)&sort=$sort&limit=5"
		cursor=$(json next)
		last=$(json links.4.id)
		api GET "/api/links?$(filter)&sort=$sort&limit=5&after=$cursor"
		next=$(json 'links.*.id')
		sql "UPDATE shortenedurls SET deleted = now() WHERE id = '$last'"
		api GET "/api/links?$(filter)&sort=$sort&limit=5&after=$cursor"
		is "$status $(json 'links.*.id')" "200 $next" "$FRONT: $sort: the link at the cursor was deleted"
		sql "UPDATE shortenedurls SET deleted = NULL WHERE id = '$last'"
	done
}

# ---- visits come into order by themselves

test_visits() {
	for visit in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		printf 'x\tGET\t/Link%s\n' "$1"
	done | perl tests/lib/bulk.pl "$(front_address)" >/dev/null
	ok "$FRONT: the most visited link becomes the first" try 10 is_first visits "Link$1"
	ok "$FRONT: the last visited link becomes the first" try 10 is_first lastAccessed "Link$1"
}

is_first() {
	api GET "/api/links?limit=1&sort=$1"
	[ "$(json links.0.id)" = "$2" ]
}

# ---- what is refused

list_refused() {
	sed 's#|#|GET /api/links?#2' <<'END_OF_TABLE'
200|.links.#=1|limit=1
200|.links.#=120|limit=500
400|limit|limit=0
400|limit|limit=501
400|limit|limit=-1
400|limit|limit=1.5
400|limit|limit=1e2
400|limit|limit=%2B5
400|limit|limit=abc
400|limit|limit=5x
400|limit|limit=18446744073709551617
200||sort=created
200||sort=visits
200||sort=lastAccessed
400|sort|sort=Created
400|sort|sort=lastaccessed
400|sort|sort=title
400|sort|sort=created%20DESC
400|sort|sort=1
400|sort|sort=visits;DROP%20TABLE%20shortenedurls
400|query can hold|unknown=1
400|query can hold|Search=x
400|query can hold|limit=5&page=2
400|twice|limit=5&limit=5
400|twice|search=a&search=b
400|twice|tag=a&tag=
400|twice|sort=visits&sort=visits
400|twice|after=x&after=x
400|search|search=<a*201>
200|.links.#=0|search=<a*200>
400|search|search=<%C3%A9*201>
200|.links.#=0|search=<%C3%A9*200>
400||search=%00
400||search=%FF
400||search=%
400||search=%zz
400||tag=%
400||tag=%00
400||tag=%C3
400|after|after=x
400|after|after=!
400|after|after=null
400|after|after=%F0%9F%98%80
400||after=%FF
400||after=%00
400|after|after='
400|after|after='%20OR%20'1'='1
400|after|after=1);DROP%20TABLE%20shortenedurls;--
400|after|after=AAAAAAAAAAAAAAAAAAAA
400|after|after=____________________
400|after|after=<a*5000>
400|after|after=9999999999999999999999.Link000
400|after|after=2024-01-01T00:00:00Z,Link000
END_OF_TABLE
}

test_refused() {
	list_refused >"$table"
	try_table <"$table"
}

# A cursor is good for the order that it came from.
test_cursors() {
	for sort in $sorts; do
		api GET "/api/links?sort=$sort&limit=5"
		cursor=$(json next)
		for other in $sorts; do
			[ "$other" = "$sort" ] && expected=200 || expected=400
			printf '%s||GET /api/links?sort=%s&after=%s\n' "$expected" "$other" "$cursor"
		done
		printf '400|after|GET /api/links?sort=%s&after=%s\n' "$sort" "$cursor$cursor" "$sort" "%27$cursor" "$sort" "$cursor%20"
	done >"$stack_folder/cursors"
	try_table <"$stack_folder/cursors"
}

start_stack
insert_key
insert_links
for test in pages defaults refused cursors adding deleted_cursor; do
	on_each_front "test_$test"
done
FRONT=nginx
test_visits 042
done_testing
