#!/bin/sh
# Slugs: which ones there can be, that a taken one is never given out again, and who gets it when many ask at once.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# Usage: create SLUG: with a URL that tells who was first.
create() {
	api POST /shorten "{\"srcUrl\":\"http://e.example/$FRONT\",\"slug\":\"$1\"}"
}

# Usage: list_slugs NAME: a table of values for the slug, where SLUG stands for the name.
list_slugs() {
	sed "s#|#|POST /api/links|{\"srcUrl\":\"http://e.example/\",\"slug\":#2; s#\$#}#; s#SLUG#$1#g" <<'END_OF_TABLE'
201|.id="SLUG-a"|"SLUG-a"
201|.id="SLUG-A"|"SLUG-A"
201|.id="slug-SLUG"|"slug-SLUG"
201|.id="-SLUG"|"-SLUG"
201|.id="_SLUG_"|"_SLUG_"
201|.id="0123456789SLUG"|"0123456789SLUG"
201|.shortenedUrl="http://test.short/url-SLUG"|"url-SLUG"
201|.id="SLUG-SLUG-"|"SLUG\u002dSLUG-"
400|Parameter 'slug' must be 1 to 64 characters of A-Za-z0-9_-|""
400|1 to 64 characters|"<a*65>"
400|1 to 64 characters|"<a*1000>"
400|1 to 64 characters|" "
400|1 to 64 characters|"SLUG "
400|1 to 64 characters|"a b"
400|1 to 64 characters|"a\n"
400|1 to 64 characters|"a/b"
400|1 to 64 characters|"/a"
400|1 to 64 characters|"a/"
400|1 to 64 characters|"."
400|1 to 64 characters|".."
400|1 to 64 characters|"a.b"
400|1 to 64 characters|"a%2Db"
400|1 to 64 characters|"a?b"
400|1 to 64 characters|"a#b"
400|1 to 64 characters|"a+b"
400|1 to 64 characters|"a'b"
400|1 to 64 characters|"a\"b"
400|1 to 64 characters|"a\\b"
400|1 to 64 characters|"é"
400|1 to 64 characters|"<é*32>"
400|1 to 64 characters|"ａ"
400|1 to 64 characters|"😀"
400|control|"a\u0000"
400|Parameter 'slug' must be a string|5
400|must be a string|1.5
400|must be a string|true
400|must be a string|false
400|must be a string|[]
400|must be a string|["a"]
400|must be a string|{}
400|must be a string|{"a":"b"}
END_OF_TABLE
	for slug in shorten hello api app healthz readyz metrics; do
		printf '400|'\''%s'\''|POST /api/links|{"srcUrl":"http://e.example/","slug":"%s"}\n' "$slug" "$slug"
	done
}

test_values() {
	list_slugs "$FRONT" >"$table"
	try_table <"$table"
	list_slugs "x$FRONT" | as_shorten >"$table"
	try_table <"$table"
	api POST /api/links '{"srcUrl":"http://e.example/","slug":null}'
	like "$(json id)" '??????????' "$FRONT: null is no slug: the id is random"
}

# A slug of 64 characters, the longest, works like any other.
test_longest() {
	slug=$(repeat "${FRONT%"${FRONT#?}"}" 64)
	create "$slug"
	is "$status $body" "200 {\"srcUrl\":\"http://e.example/$FRONT\",\"shortenedUrl\":\"http://test.short/$slug\"}" \
		"$FRONT: 64 characters"
	for target in "/$slug" "/$slug/"; do
		call GET "$target"
		is "$status $(header Location)" "302 http://e.example/$FRONT" "$FRONT: 64 characters: GET $target"
	done
	api GET "/api/links/$slug"
	is "$status $(json id)" "200 $slug" "$FRONT: 64 characters: the link"
	create "${slug}a"
	expect_error 400 '1 to 64 characters' '65 characters'
	create "$slug"
	expect_error 409 "The slug '$slug' is taken; choose another" '64 characters, taken'
}

# Only the exact name of a route is reserved. Each front takes its own ones.
test_like_routes() {
	case $FRONT in
	cgi) slugs='Shorten SHORTEN API api-x app1 hellos' ;;
	lighttpd) slugs='sHorten Api api-y app2 Hello HEALTHZ' ;;
	nginx) slugs='shortens aPI api-z app3 healthz- Metrics' ;;
	esac
	for slug in $slugs; do
		create "$slug"
		is "$status" 200 "$FRONT: the slug $slug"
		call GET "/$slug"
		is "$status $(header Location)" "302 http://e.example/$FRONT" "$FRONT: GET /$slug"
	done
	for slug in api app shorten; do
		call GET "/$slug"
		unlike "$status" '3*' "$FRONT: GET /$slug is no redirect"
	done
}

test_case() {
	for slug in "Case$FRONT" "case$FRONT" "CASE$FRONT"; do
		api POST /shorten "{\"srcUrl\":\"http://e.example/$slug\",\"slug\":\"$slug\"}"
		is "$status" 200 "$FRONT: $slug differs from the others by case only"
	done
	for slug in "Case$FRONT" "case$FRONT" "CASE$FRONT"; do
		call GET "/$slug"
		is "$(header Location)" "http://e.example/$slug" "$FRONT: $slug is another link"
	done
	create "Case$FRONT"
	is "$status" 409 "$FRONT: Case$FRONT is taken now"
}

# Usage: refuse_taken SLUG NAME: it is taken whoever asks for it, and stays what it was.
refuse_taken() {
	before=$(sql "SELECT * FROM shortenedurls WHERE id = '$1'")
	for target in /shorten /api/links; do
		api POST "$target" "{\"srcUrl\":\"http://other.example/\",\"slug\":\"$1\"}"
		is "$status $body" "409 {\"errMsg\":\"The slug '$1' is taken; choose another\"}" "$FRONT: POST $target: $2"
		is "$(answer_problem)" '' "$FRONT: POST $target: $2: what every answer has"
	done
	api POST /api/links "{\"srcUrl\":\"http://e.example/$1\",\"slug\":\"$1\"}"
	is "$status" 409 "$FRONT: $2, and the URL is the same"
	is "$(sql "SELECT * FROM shortenedurls WHERE id = '$1'")" "$before" "$FRONT: $2: the row is what it was"
}

test_taken() {
	insert_link "Alive$FRONT"
	refuse_taken "Alive$FRONT" 'a slug that is taken'
	shorten http://e.example/nanoid
	refuse_taken "$id" 'a random id is taken, too'
	insert_link "Expired$FRONT" expires "now() - interval '1 day'"
	refuse_taken "Expired$FRONT" 'an expired one'
	insert_link "Off$FRONT" enabled false
	refuse_taken "Off$FRONT" 'a disabled one'
	insert_link "UsedUp$FRONT" maxvisits 1 visits 1
	refuse_taken "UsedUp$FRONT" 'one that is used up'
	insert_link "NotYet$FRONT" validfrom "now() + interval '1 day'"
	refuse_taken "NotYet$FRONT" 'one that is not valid yet'
	call -H "Authorization: Bearer $key" -H 'Content-Type: application/x-www-form-urlencoded' POST /shorten "srcUrl=http://e.example/&slug=Alive$FRONT"
	expect_error 409 "The slug 'Alive$FRONT' is taken; choose another" 'a slug that is taken, in a form'
}

# Deleted through one way, it is free through none.
test_deleted() {
	create "Deleted$FRONT"
	for time in first second; do
		api DELETE "/api/links/Deleted$FRONT"
		expect 204 "DELETE for the $time time"
	done
	call GET "/Deleted$FRONT"
	is "$status" 410 "$FRONT: a deleted link is gone"
	refuse_taken "Deleted$FRONT" 'a deleted one'
	call GET "/Deleted$FRONT"
	is "$status" 410 "$FRONT: and still is"
}

# Through nginx, with four responders: each client names a URL of its own.
test_race() {
	FRONT=nginx
	for round in 1 2 3 4 5; do
		headers=$json_headers awk -v round="$round" 'BEGIN { for (i = 1; i <= 50; i++) printf \
			"x\tPOST\t/%s\t%s\t{\"srcUrl\":\"http://race.example/%d\",\"slug\":\"Race-%d\"}\n", \
			i % 2 ? "shorten" : "api/links", ENVIRON["headers"], i, round }' | race 50
		is "$(race_statuses | sed 's/ 201/ 200/')" '1 200 49 409' "50 clients ask for one slug: round $round"
		winner=$(grep -v '^409' "$race_answers" | sed 's|.*http://race.example/\([0-9]*\).*|\1|')
		is "$(value srcurl "Race-$round")" "http://race.example/$winner" "the row is the winner's: round $round"
	done
	is "$(sql "SELECT count(*) FROM shortenedurls WHERE srcurl LIKE 'http://race.example/%'")" 5 'there is a row for each race'
}

start_stack
insert_key
for test in values longest like_routes case taken deleted; do
	on_each_front "test_$test"
done
stop_responder
start_pool 4
test_race
done_testing
