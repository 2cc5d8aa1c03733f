#!/bin/sh
# GET /api/links?search= and tag=: what they find, with every character plain.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# In the order of their creation.
insert_links() {
	psql_as_superuser -d "$database" <<'END_OF_LINKS'
INSERT INTO shortenedurls (id, srcurl, title, tags, created, lastaccessed)
SELECT id, srcurl, title, tags, '2024-01-01Z'::timestamptz + n * interval '1 day', '2024-01-01Z'::timestamptz + n * interval '1 day'
FROM (VALUES
	(1, 'Percent', 'http://a.example/100%25', '100% sure', ARRAY['x']),
	(2, 'Under', 'http://b.example/snake_case', 'plain', ARRAY['x', 'y']),
	(3, 'Back', 'http://c.example/', 'back\slash', ARRAY['a b']),
	(4, 'Quote', 'http://d.example/', 'O''Brien said "no"', ARRAY['O''Brien']),
	(5, 'Umlaut', 'http://bücher.example/Straße', 'Ärger mit Öl', ARRAY['Ärger']),
	(6, 'Kyrillic', 'http://e.example/', 'Привет Мир', ARRAY['мир']),
	(7, 'Emoji', 'http://f.example/', 'a 😀 face', ARRAY['😀']),
	(8, 'UPPER', 'HTTP://G.EXAMPLE/UPPER', 'SHOUTING', ARRAY['X']),
	(9, 'lower', 'http://h.example/lower', 'whispering', ARRAY['xx']),
	(10, 'NoTitle', 'http://i.example/path?query=1&b=%2B#frag', NULL, ARRAY[]::text[]),
	(11, 'Regex', 'http://j.example/a.c', '^[a-z]*$ (x|y) a.c', ARRAY['{}', '"q"']),
	(12, 'Two', 'http://k.example/', 'two words', ARRAY['x', 'two']),
	(13, 'Deleted', 'http://sought.example/deleted', 'sought', ARRAY['sought']),
	(14, 'Disabled', 'http://sought.example/disabled', 'sought', ARRAY['sought']),
	(15, 'Ended', 'http://sought.example/ended', 'sought', ARRAY['sought']),
	(16, 'UsedUp', 'http://sought.example/usedup', 'sought', ARRAY['sought'])
) AS links (n, id, srcurl, title, tags);
UPDATE shortenedurls SET deleted = now() WHERE id = 'Deleted';
UPDATE shortenedurls SET enabled = false WHERE id = 'Disabled';
UPDATE shortenedurls SET expires = '2024-01-02Z' WHERE id = 'Ended';
UPDATE shortenedurls SET maxvisits = 1, visits = 1 WHERE id = 'UsedUp';
INSERT INTO link_activity SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0;
END_OF_LINKS
}

# QUERY|IDS, newest first.
list_searches() {
	sed 's#^\(.*\)|\(.*\)$#200|.links.*.id=[\2]|GET /api/links?\1#' <<'END_OF_TABLE'
search=%25|"NoTitle","Percent"
search=100%25|"Percent"
search=%25%25|
search=1%25|
search=_|"Under"
search=e_c|"Under"
search=e__c|
search=s_ake|
search=%5C|"Back"
search=\|"Back"
search=%5C%5C|
search=%5C%25|
search=back%5Cs|"Back"
search='|"Quote"
search='%20--|
search=%22no%22|"Quote"
search=O'B|"Quote"
search=.c|"Regex"
search=a.c|"Regex"
search=a.*c|
search=%5Ea|
search=%5E%5B|"Regex"
search=(x%7Cy)|"Regex"
search=*$|"Regex"
search=upper|"UPPER"
search=UPPER|"UPPER"
search=LOWER|"lower"
search=whisperING|"lower"
search=g.example|"UPPER"
search=%C3%A4rger|"Umlaut"
search=%C3%84RGER|"Umlaut"
search=B%C3%9CCHER|"Umlaut"
search=%C3%B6l|"Umlaut"
search=ol|
search=stra%C3%9Fe|"Umlaut"
search=%D0%BC%D0%98%D0%A0|"Kyrillic"
search=%F0%9F%98%80|"Emoji"
search=%F0%9F%98%81|
search=a%20%F0%9F%98%80%20f|"Emoji"
search=two%20words|"Two"
search=two+words|"Two"
search=two%2Bwords|
search=query=1|"NoTitle"
search=%26b=%252B%23frag|"NoTitle"
search=notitle|"NoTitle"
search=null|
search=sought|"UsedUp","Ended","Disabled"
search=deleted|
search=Back|"Back"
tag=x|"Two","Under","Percent"
tag=X|"UPPER"
tag=xx|"lower"
tag=y|"Under"
tag=a%20b|"Back"
tag=a+b|"Back"
tag=a|
tag=O'Brien|"Quote"
tag=%C3%84rger|"Umlaut"
tag=%C3%A4rger|
tag=%D0%BC%D0%B8%D1%80|"Kyrillic"
tag=%F0%9F%98%80|"Emoji"
tag={}|"Regex"
tag=%22q%22|"Regex"
tag=x,y|
tag=sought|"UsedUp","Ended","Disabled"
tag=x&search=snake|"Under"
search=example&tag=x|"Two","Under","Percent"
search=snake&tag=X|
tag=x&limit=2|"Two","Under"
END_OF_TABLE
}

test_searches() {
	for sort in created visits lastAccessed; do
		list_searches | sed "s/\$/\&sort=$sort/" | case $sort in
		created) cat ;;
		# The order is another, so these are for what has one result or none.
		*) grep -v '","' ;;
		esac
	done >"$table"
	try_table <"$table"
}

# By pages, with a search in each order.
test_pages() {
	for sort in created visits lastAccessed; do
		read_pages "search=EXAMPLE&sort=$sort&limit=2"
		is "$(cut -f 2 "$stack_folder/pages" | sort | xargs)" "$(sql "SELECT id FROM shortenedurls WHERE deleted IS NULL ORDER BY id" | xargs)" \
			"$FRONT: $sort: a search by pages finds each link once"
		read_pages "tag=sought&sort=$sort&limit=1"
		is "$(cut -f 2 "$stack_folder/pages" | sort | xargs)" 'Disabled Ended UsedUp' "$FRONT: $sort: a tag by pages"
	done
}

# ---- among many links

# More than a search looks at in one go. Every 13th is a needle and every 7th is straw, some hundreds and more than a thousand, with
# many equal times and numbers of visits between; a row of needles is where a search by creation stops for the first time.
insert_many() {
	sql "INSERT INTO shortenedurls (id, srcurl, title, tags, created, lastaccessed, visits)
		SELECT 'Many' || to_char((i * 7) % 8000, 'FM0000'), 'http://many.example/' || i,
			concat_ws(' ', 'hay', CASE WHEN needle THEN 'needle xq' END, CASE WHEN straw THEN 'straw' END),
			array_remove(ARRAY['hay', CASE WHEN needle THEN 'needle' END, CASE WHEN straw THEN 'straw' END], NULL), t,
			CASE WHEN i % 3 = 0 THEN t ELSE '2022-01-01Z'::timestamptz + (i * 37 % 40) * interval '1 s' END,
			CASE WHEN i % 3 = 0 THEN 0 ELSE 1 + i % 50 END
		FROM (SELECT i, i % 13 = 0 OR i BETWEEN 6000 AND 6030 AS needle, i % 7 = 0 AS straw,
			'2021-01-01Z'::timestamptz + (i / 10) * interval '1 s' AS t FROM generate_series(0, 7999) AS i) AS s"
	sql "INSERT INTO link_activity (id, visits, lastaccessed)
		SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 AND id LIKE 'Many%'"
	sql ANALYZE
}

# Usage: try_many QUERY CONDITION: by pages, in each order, each link once.
try_many() {
	for sort in created visits lastAccessed; do
		read_pages "$1&sort=$sort"
		is "$(cut -f 2 "$stack_folder/pages" | sort)" "$(sql "SELECT id FROM shortenedurls WHERE $2 ORDER BY id")" \
			"$FRONT: $sort: $1 finds each link once"
		is "$(order_problem "$sort")" '' "$FRONT: $sort: $1 in order"
	done
}

test_many() {
	case $FRONT in
	cgi)
		try_many 'search=NEEDLE&limit=7' "'needle' = ANY (tags)"
		try_many 'search=needle&limit=200' "'needle' = ANY (tags)"
		try_many 'search=many0&limit=500' "id LIKE 'Many0%'"
		;;
	lighttpd)
		try_many 'tag=needle&limit=200' "'needle' = ANY (tags)"
		try_many 'tag=straw&limit=500' "'straw' = ANY (tags)"
		try_many 'search=needle&limit=500' "'needle' = ANY (tags)"
		;;
	nginx)
		try_many 'search=needle&tag=hay&limit=200' "'needle' = ANY (tags)"
		try_many 'search=straw&tag=needle&limit=50' "tags @> '{straw,needle}'"
		try_many 'search=xq&limit=200' "'needle' = ANY (tags)"
		;;
	esac
}

start_stack
insert_key
insert_links
for test in searches pages; do
	on_each_front "test_$test"
done
insert_many
on_each_front test_many
done_testing
