# shellcheck shell=sh
# What tests of options and of the management calls share. Sourced behind call.sh.
#
#   $key                        a key for `insert_key`; $other_key is another
#   insert_key [ID KEY]         makes a key known to the database; by default $key as TestKey-01
#   insert_link ID [COLUMN SQL]...  a link that no request created, with these columns besides
#   api METHOD TARGET [BODY]    call with $key
#   json PATH...                prints values of $body; see json.pl
#   expect_error STATUS TEXT NAME   the last answer has this status, and this text in its errMsg
#   expect STATUS NAME          the last answer has this status and what every answer has
#   try_table                   sends a table of requests, read from standard input, through $FRONT, with
#                               $headers_of_table; each line is a test. What a table looks like says table.pl. Not
#                               behind a |, where what it counts would be lost: $table is a file for what is made
#   as_shorten                  a filter: makes a table for POST /api/links one for POST /shorten
#   race COUNT                  reads requests, as for bulk.pl, and sends them through COUNT clients of nginx at the
#                               same moment; the answers are in $race_answers (see race.pl)
#   race_statuses               prints how often each status came: "1 200 49 409"
#   watch SECONDS FILE          reads a request and sends it through $FRONT again and again; see race.pl
#   read_pages QUERY            follows GET /api/links?QUERY to its last page; the links are in $stack_folder/pages (see
#                               pages.pl)
#   order_problem SORT          prints which of these links are not in this order
#   repeat TEXT TIMES
#   value COLUMN ID             prints a column of a link

# shellcheck disable=SC2154 # what stack.sh and call.sh set

# 43 characters each, as 32 random bytes in base64url have.
key=Zm9yIHRoZSB0ZXN0cyBvZiB0aGUgc2hvcnRlbmVyIC0
# shellcheck disable=SC2034 # for the test
other_key=b3RoZXJfa2V5LWZvci10aGUtdGVzdHMtXy1fLV8tX18

race_answers=$stack_folder/race
# shellcheck disable=SC2034 # for the test
table=$stack_folder/made-table

# What bulk.pl sends with each request of a table.
json_headers="Authorization: Bearer $key\\nContent-Type: application/json"
# shellcheck disable=SC2034 # for the test
form_headers="Authorization: Bearer $key\\nContent-Type: application/x-www-form-urlencoded"
# shellcheck disable=SC2034 # for the test
anonymous_headers="Content-Type: application/json"
headers_of_table=$json_headers

# shellcheck disable=SC2120 # tests give the arguments
insert_key() {
	sql "INSERT INTO api_keys (id, hash, label, created)
		VALUES ('${1:-TestKey-01}', sha256('${2:-$key}'::bytea), 'a test''s', now())"
}

insert_link() {
	manage_columns='id, srcurl, created, lastaccessed'
	manage_values="'$1', 'http://e.example/$1', now(), now()"
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		srcurl | created | lastaccessed)
			bail_out "insert_link sets $1 by itself: use sql"
			;;
		esac
		manage_columns="$manage_columns, $1"
		manage_values="$manage_values, $2"
		shift 2
	done
	sql "INSERT INTO shortenedurls ($manage_columns) VALUES ($manage_values)"
}

api() {
	call -H "Authorization: Bearer $key" "$@"
}

json() {
	printf '%s' "$body" | perl "$stack_checkout/tests/lib/json.pl" "$@"
}

expect() {
	is "$status" "$1" "$FRONT: $2: status"
	[ "$status" = "$1" ] || diag "body: $body"
	[ "$status" = 204 ] || is "$(answer_problem)" '' "$FRONT: $2: what every answer has"
}

expect_error() {
	is "$status" "$1" "$FRONT: $3: status"
	like "$body" "{\"errMsg\":\"*$2*\"}" "$FRONT: $3: errMsg"
}

try_table() {
	cat >"$stack_folder/table"
	FRONT=$FRONT perl "$stack_checkout/tests/lib/table.pl" requests "$stack_folder/table" "$headers_of_table" |
		perl "$stack_checkout/tests/lib/bulk.pl" "$(front_address)" >"$stack_folder/table.answers"
	FRONT=$FRONT perl "$stack_checkout/tests/lib/table.pl" compare "$stack_folder/table" "$stack_folder/table.answers" \
		>"$stack_folder/table.results"
	[ -s "$stack_folder/table.results" ] || fail "$FRONT: a table without results"
	while IFS= read -r manage_line; do
		manage_name=${manage_line#* }
		case $manage_line in
		pass*) pass "$FRONT: ${manage_name%%	*}" ;;
		*)
			fail "$FRONT: ${manage_name%%	*}"
			diag "${manage_name#*	}"
			;;
		esac
	done <"$stack_folder/table.results"
}

# It answers 200 and shows less of the link.
as_shorten() {
	sed -e 's/^201|[^|]*|/200||/' -e 's#|POST /api/links|#|POST /shorten|#'
}

race() {
	perl "$stack_checkout/tests/lib/race.pl" once "$nginx_port" "$1" >"$race_answers"
}

race_statuses() {
	cut -f 1 "$race_answers" | sort | uniq -c | xargs
}

watch() {
	front_port
	perl "$stack_checkout/tests/lib/race.pl" watch "$call_port" "$1" >"$2"
}

read_pages() {
	perl "$stack_checkout/tests/lib/pages.pl" "$(front_address)" "/api/links?$1" "$json_headers" >"$stack_folder/pages"
	is "$(grep problem "$stack_folder/pages")" '' "$FRONT: $1: all pages are there"
}

order_problem() {
	case $1 in
	created) manage_field=3 ;;
	visits) manage_field=4 ;;
	lastAccessed) manage_field=5 ;;
	esac
	awk -F '\t' -v field="$manage_field" '
		{ value = $field }
		NR > 1 && (field == 4 ? value + 0 > before + 0 : value "" > before "") { print $2 " has " value " behind " before }
		{ before = value }' "$stack_folder/pages" | head -n 3
}

repeat() {
	printf "%$2s" '' | sed "s/ /$1/g"
}

value() {
	sql "SELECT $1 FROM shortenedurls WHERE id = '$2'"
}
