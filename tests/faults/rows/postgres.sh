# shellcheck shell=sh
# What the rows about PostgreSQL have in common. Sourced behind row.sh.
#
#   postgres_pids               prints the pids of the postmaster, first, and of its children
#   are_reaped PID...           whether nothing is left of these; for `try`
#   end_sessions                ends those of the responders
#   expect_sessions             a test: each responder has one again; until then who comes to another one is refused
#   expect_losses COMMAND...    runs it; a test: meanwhile responders lost their sessions
#   answers_between FROM UNTIL [METHOD]  prints the statuses of what was asked for and answered between these times (as
#                               now_s prints), each once, in order
#   expect_silence FROM UNTIL   a test: all that was, was refused

# shellcheck disable=SC2154 # what the libraries set

postgres_pids() {
	postgres_pid=$(head -n 1 "$postgres_folder/data/postmaster.pid")
	printf '%s\n' "$postgres_pid"
	children_of "$postgres_pid"
}

# A zombie counts as alive for PostgreSQL, which then takes the folder for in use.
are_reaped() {
	for postgres_pid; do
		[ ! -e "/proc/$postgres_pid" ] || return 1
	done
}

end_sessions() {
	sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND usename = 'shorten'" >"$stack_folder/ended"
}

has_all_sessions() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'shorten'")" -eq 4 ]
}

expect_sessions() {
	ok "$FRONT: all are connected again" try 20 has_all_sessions
}

count_losses() {
	grep -c 'the database connection is lost' "$responder_log"
}

expect_losses() {
	losses_before=$(count_losses)
	"$@"
	ok "$FRONT: sessions are lost" try 10 test_losses
}

test_losses() {
	[ "$(count_losses)" -gt "$losses_before" ]
}

answers_between() {
	awk -F '\t' -v from="$1" -v until="$2" -v method="${3-}" \
		'$1 >= from && $1 + $6 / 1000 <= until && (method == "" || $2 == method) { print $4 }' \
		"$stack_folder/$row_ledger.ledger" | sort -u | xargs
}

expect_silence() {
	is "$(answers_between "$1" "$2")" 503 "$FRONT: nothing is answered but refusals"
}
