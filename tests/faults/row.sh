# shellcheck shell=sh
# A row of the table in README.md: a fault under load, on each web server, and what it did to the links. Sourced by the
# files in rows/, each of which sets
#   row_fault            the fault, as the table calls it
#   inflict              a function that does it, and returns when it is over
# and then calls run_row. It may set before
#   row_statuses         what may be answered besides 200 and 302 (default: 503)
#   row_rate             requests a second, at most (default: 600)
#   row_connections      requests under way at once, at most (default: 30)
#   start_row_postgres   a function that starts PostgreSQL (default: start_postgres)
#   start_row_pool       a function that starts the responders (default: four by conf/spawn-fcgi)
#   start_service        a function that starts both, and $FRONT
#   stop_service         the opposite, but for PostgreSQL
#   check_row            a function with more tests, for when the load is over
# and inflict may call
#   visits_may_miss FROM UNTIL   as many visits as there were redirects between these times (seconds, as now_s prints)
#   seconds_before SECONDS TIME  for that
#   is_served_since TIME whether a link was made and one redirects that were asked for later; for `try`
#   answer_ms PERCENT FROM UNTIL [STATUS]  how long so many of a hundred answers (with this status) took at most, of what
#                        was asked for between these times
#   expect_same_responders  a test: those of $pool_pids live, all of them
# Passes when every link that was given is stored and leads to its URL, no other link is there, visits are as many as
# redirects, and the service works again without help. From the environment:
#   FRONTS               the web servers, one after the other (default: lighttpd nginx)
#   FAULTS_SHORT         not empty: some hundreds of requests, instead of some thousands
#   FAULTS_TABLE         a file; gets a line for each web server, with a tab between its fields: fault, web server,
#                        requests, links given, lost, wrong, longest time without a new link and without a redirect
#                        (ms), the test

# shellcheck disable=SC2154 # what the libraries set
# shellcheck source=tests/faults/faults.sh
. tests/faults/faults.sh

row_statuses=503
row_rate=600
row_connections=30

now_s() {
	date +%s.%3N
}

# Usage: seconds_before SECONDS TIME
seconds_before() {
	awk -v seconds="$1" -v at="$2" 'BEGIN { printf "%.3f\n", at - seconds }'
}

visits_may_miss() {
	row_forgiven="$row_forgiven may-miss=$1,$2"
}

start_row_postgres() {
	# shellcheck disable=SC2119 # no settings
	start_postgres
}

start_row_pool() {
	start_pool 4
}

start_service() {
	start_row_postgres
	start_row_pool
	"start_$FRONT"
}

# Of those that start responders each knows whether it has.
stop_service() {
	"stop_$FRONT"
	stop_api_responder
	stop_multiwatch
	stop_pool
}

check_row() {
	:
}

expect_same_responders() {
	is "$(for pid in $pool_pids; do is_running "$pid" || echo "$pid"; done)" '' "$FRONT: the responders are the same"
}

# Where there is none it takes for ever.
answer_ms() {
	awk -F '\t' -v from="$2" -v until="$3" -v status="${4-}" \
		'$1 >= from && $1 < until && (status == "" || $4 == status) { print $6 }' "$stack_folder/$row_ledger.ledger" |
		sort -n | awk -v percent="$1" '{ ms[NR] = $1 } END { print NR ? ms[int((NR - 1) * percent / 100) + 1] : 999999 }'
}

# An answer to what was asked for at this time or later.
is_answered_since() {
	awk -F '\t' -v since="$1" -v status="$2" '$1 >= since && $4 == status { found = 1; exit } END { exit !found }' \
		"$stack_folder/$row_ledger.ledger"
}

is_served_since() {
	is_answered_since "$1" 200 && is_answered_since "$1" 302
}

row_problems() {
	# shellcheck disable=SC2086 # several words
	ledger_check $row_forgiven "$@"
}

# Visits are written once a second.
row_agrees() {
	[ -z "$(row_problems "$@")" ]
}

# Usage: expect_agreement NAME_OF_TEST LEDGER...
expect_agreement() {
	row_name=$1
	shift
	try 15 row_agrees "$@" || :
	row_problems "$@" >"$stack_folder/problems"
	is "$(sed -n 1,10p "$stack_folder/problems")" '' "$row_name"
}

other_statuses() {
	# shellcheck disable=SC2046 # several words
	statuses "$1" | tr ' ' '\n' | grep -vx -e 302 $(printf ' -e %s' 200 $row_statuses) | xargs
}

write_row() {
	[ -n "${FAULTS_TABLE-}" ] || return 0
	# shellcheck disable=SC2046 # four numbers
	set -- $(perl "$stack_checkout/tests/lib/ledger.pl" times "$stack_folder/$row_ledger.ledger")
	printf '%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n' "$row_fault" "$FRONT" "$1" "$2" \
		"$(grep -c '^lost' "$stack_folder/problems")" "$(grep -c '^wrong' "$stack_folder/problems")" \
		"$3" "$4" "$(basename "$0")" >>"$FAULTS_TABLE"
}

start_row_load() {
	load "${row_ledger}_ids" requests=50
	start_load "$row_ledger" connections="$row_connections" rate="$row_rate" gets=50 seconds=150 \
		known="$stack_folder/${row_ledger}_ids.ledger"
	wait_for_answers "$((row_requests / 4))" "$row_ledger"
}

run_row_on() {
	FRONT=$1
	row_ledger=row_$FRONT
	row_forgiven=
	start_service
	start_row_load
	inflict
	row_over=$(now_s)
	ok "$FRONT: it serves again" try 20 is_served_since "$row_over"
	ok "$FRONT: under load" try 30 has_answers "$row_requests" "$row_ledger"
	stop_load
	is "$(other_statuses "$row_ledger")" '' "$FRONT: no other answers than 200, 302, $row_statuses"
	expect_agreement "$FRONT: links and visits" "$row_ledger" "${row_ledger}_ids"
	front_port
	perl "$stack_checkout/tests/lib/ledger.pl" follow "$call_port" "$stack_folder/$row_ledger.ledger" \
		"$stack_folder/${row_ledger}_ids.ledger" >"$stack_folder/${row_ledger}_follow.ledger"
	is "$(statuses "${row_ledger}_follow")" 302 "$FRONT: every link that was given leads somewhere"
	expect_agreement "$FRONT: to its URL, and is counted" "$row_ledger" "${row_ledger}_ids" "${row_ledger}_follow"
	write_row
	check_row
	stop_service
	forget_links
}

run_row() {
	row_requests=4000
	[ -z "${FAULTS_SHORT-}" ] || row_requests=800
	for row_front in ${FRONTS:-lighttpd nginx}; do
		run_row_on "$row_front"
	done
	done_testing
}
