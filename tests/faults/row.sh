# shellcheck shell=sh
# A row of the table in README.md: a fault under load, on each web server, and what it did to the links. Sourced by the
# files in rows/, each of which sets
#   row_fault            the fault, as the table calls it
#   inflict              a function that does it, and returns when it is over
# and then calls run_row. It may set before
#   row_statuses         what may be answered besides 200 and 302 (default: 503)
#   row_rate             requests a second, at most (default: 600)
#   row_connections      requests under way at once, at most (default: 30)
#   start_service        a function that starts what $FRONT needs, and $FRONT (default: a PostgreSQL of the test's own,
#                        four responders by conf/spawn-fcgi)
#   stop_service         the opposite
# and inflict may call
#   visits_may_miss FROM UNTIL   as many visits as there were redirects between these times (seconds, as now_s prints)
#   seconds_before SECONDS TIME  for that
#   is_served_since TIME whether a link was made and one redirects that were asked for later; for `try`
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

start_service() {
	# shellcheck disable=SC2119 # no settings
	start_postgres
	start_pool 4
	"start_$FRONT"
}

stop_service() {
	"stop_$FRONT"
	stop_pool
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
	printf '%s\t%s\t%s\t%d\t%d\t%s\t%s\n' "$row_fault" "$FRONT" \
		"$(perl "$stack_checkout/tests/lib/ledger.pl" times "$stack_folder/$row_ledger.ledger" | cut -f 1-2)" \
		"$(grep -c '^lost' "$stack_folder/problems")" "$(grep -c '^wrong' "$stack_folder/problems")" \
		"$(perl "$stack_checkout/tests/lib/ledger.pl" times "$stack_folder/$row_ledger.ledger" | cut -f 3-4)" \
		"$(basename "$0")" >>"$FAULTS_TABLE"
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
	try 30 has_answers "$row_requests" "$row_ledger"
	stop_load
	is "$(other_statuses "$row_ledger")" '' "$FRONT: no other answers than 200, 302, $row_statuses"
	expect_agreement "$FRONT: links and visits" "$row_ledger" "${row_ledger}_ids"
	front_port
	perl "$stack_checkout/tests/lib/ledger.pl" follow "$call_port" "$stack_folder/$row_ledger.ledger" \
		"$stack_folder/${row_ledger}_ids.ledger" >"$stack_folder/${row_ledger}_follow.ledger"
	is "$(statuses "${row_ledger}_follow")" 302 "$FRONT: every link that was given leads somewhere"
	expect_agreement "$FRONT: to its URL, and is counted" "$row_ledger" "${row_ledger}_ids" "${row_ledger}_follow"
	write_row
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
