# shellcheck shell=sh
# What the tests of faults have in common: all the libraries, and a database that is slow on purpose.
#
#   hold SECONDS               lets time pass, where the time itself is what is tested
#   now_ms                     prints the time in milliseconds
#   lock_table MODE            takes the lock on the table of links, in a session that stays (LOCK TABLE)
#   lock_row ID                the same for one link alone
#   unlock_table               gives back either
#   is_lock_wanted             whether a responder waits for it; for `try`
#   is_ready                   whether a responder reaches its database; for `try`
#   has_log PATTERN            whether a responder has logged it; for `try`
#   count_sockets PID          prints how many it has
#   agree NAME_OF_TEST [may-miss] LEDGER...   a test: ledgers and table agree, within a few seconds

# shellcheck disable=SC2154 # what the libraries set
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/lib/stack.sh
. tests/lib/stack.sh
# shellcheck source=tests/lib/call.sh
. tests/lib/call.sh
# shellcheck source=tests/lib/ledger.sh
. tests/lib/ledger.sh

hold() {
	sleep "$1"
}

now_ms() {
	date +%s%3N
}

# psql reads what it is to do from a pipe, and stays for as long as this shell holds the other end.
lock_table() {
	begin_session "LOCK TABLE shortenedurls IN $1 MODE"
}

lock_row() {
	begin_session "SELECT FROM shortenedurls WHERE id = '$1' FOR UPDATE"
}

begin_session() {
	faults_pipe=$stack_folder/lock
	[ -p "$faults_pipe" ] || mkfifo "$faults_pipe"
	: >"$stack_folder/lock.out"
	psql_as_superuser -d "$database" <"$faults_pipe" >"$stack_folder/lock.out" 2>&1 &
	faults_psql_pid=$!
	exec 9>"$faults_pipe"
	printf "BEGIN; %s; SELECT 'locked';\n" "$1" >&9
	try 20 grep -q locked "$stack_folder/lock.out" || bail_out "not locked: $1"
}

# Said explicitly, for a load that was started meanwhile holds the pipe's end too.
unlock_table() {
	printf 'COMMIT;\n\\q\n' >&9
	exec 9>&-
	wait "$faults_psql_pid"
}

is_lock_wanted() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'shorten' AND wait_event_type = 'Lock'")" -gt 0 ]
}

is_ready() {
	call GET /readyz
	[ "$status" = 200 ]
}

has_log() {
	grep -q "$1" "$responder_log"
}

count_sockets() {
	find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l
}

# Asked first, so that in the good case the problems are looked for only once.
agree() {
	faults_name=$1
	shift
	try 5 agrees "$@" || :
	is "$(ledger_problems "$@")" '' "$faults_name"
}

hold_pid=

# Usage: hold_connections COUNT [TARGET]...: so many connections, each of which asks once if it can, for one of
# the targets in turn or for /hello, and stays.
hold_connections() {
	echo 0 >"$stack_folder/held"
	perl "$stack_checkout/tests/faults/fcgi.pl" hold "$responder_socket" "$@" >>"$stack_folder/held" &
	hold_pid=$!
}

count_held() {
	tail -n 1 "$stack_folder/held"
}

have_answers() {
	[ "$(count_held)" -ge "$1" ]
}

release_connections() {
	kill "$hold_pid"
	wait "$hold_pid" 2>/dev/null
}
