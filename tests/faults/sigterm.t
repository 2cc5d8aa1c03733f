#!/bin/sh
# A responder is told to end: what it has accepted is answered, and what was visited is written.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

FRONT=nginx

# ---- one after the other, under load

# A pool whose exit statuses are known. It is in $pool_pids, where stack.sh finds what is left of it.
start_watched_pool() {
	copy_program
	make_log
	rm -f "$stack_run/pids"
	install -m 0755 "$stack_checkout/tests/faults/pool" "$stack_folder/pool"
	env SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$responder_log" \
		spawn-fcgi -n -s "$responder_socket" -M 0660 -b 4096 ${stack_as_root:+-u www-data -g www-data} \
		-- "$stack_folder/pool" "$stack_program" "$1" "$stack_run" >"$stack_folder/pool.out" 2>&1 &
	try 10 test -e "$stack_run/pids" || bail_out 'the pool does not start'
	pool_pids=$(xargs <"$stack_run/pids")
}

# Usage: wait_for_end PID: sets $ended_status
wait_for_end() {
	try 12 test -s "$stack_run/ended.$1"
	ended_status=$(cat "$stack_run/ended.$1")
}

end_responder() {
	kill -s TERM "$1"
	wait_for_end "$1"
}

# It has requests in hand for certain: they pile up while the table is locked.
end_busy_responder() {
	lock_table EXCLUSIVE
	hold 0.1
	kill -s TERM "$1"
	unlock_table
	wait_for_end "$1"
}

# Usage: list_by_connections PID...: those with the most first. A pool gathers its connections in few.
list_by_connections() {
	for pid; do
		set -- "/proc/$pid/fd/"*
		echo "$# $pid"
	done | sort -rn | cut -d ' ' -f 2
}

# Half of them busy, each the one with most of the connections. The last one stays until the load has ended.
end_others() {
	while [ $# -gt 1 ]; do
		# shellcheck disable=SC2046 # pids
		set -- $(list_by_connections "$@")
		case $# in
		*[02468]) end_responder "$1" ;;
		*) end_busy_responder "$1" ;;
		esac
		is "$ended_status" 0 "$FRONT: a responder ends with status 0"
		wait_for_answers 400 "$FRONT"
		shift
	done
	last_pid=$1
}

test_pool() {
	FRONT=$1
	forget_links
	start_watched_pool 5
	"start_$FRONT"
	load "${FRONT}_ids" requests=50
	start_load "$FRONT" connections=50 rate=2000 gets=50 known="$stack_folder/${FRONT}_ids.ledger"
	wait_for_answers 400 "$FRONT"
	# shellcheck disable=SC2086 # several words
	end_others $pool_pids
	stop_load
	end_responder "$last_pid"
	is "$ended_status" 0 "$FRONT: the last responder ends with status 0"
	is "$(statuses "$FRONT")" '200 302' "$FRONT: every request is answered, and rightly"
	is "$(ledger_problems "$FRONT" "${FRONT}_ids")" '' "$FRONT: links and visits, at once"
	pool_pids=
}

# Usage: signal_workers SIGNAL: nginx's.
signal_workers() {
	for worker in $(children_of "$nginx_pid"); do
		kill -s "$1" "$worker"
	done
}

# The clients of a web server that is stopped have requests in its sockets: proc(5), the fifth field of net/tcp.
waiting_requests() {
	awk -v port="$(printf ':%04X' "$nginx_port")" \
		'$2 ~ port "$" && $4 == "01" && $5 !~ /:00000000$/ { count++ } END { print count + 0 }' /proc/net/tcp
}

have_sent() {
	[ "$(waiting_requests)" -ge "$1" ]
}

# Stopped until after the responder has found its connections idle, and with requests to send on them: it looks for
# what has happened on kept connections only when it goes on, and would not send a POST twice.
stop_workers_for_a_moment() {
	signal_workers STOP
	try 10 have_sent 20 || fail 'a web server that is stopped: clients send requests'
	kill -s TERM "$1"
	hold 0.4
	signal_workers CONT
}

test_slow_web_server() {
	forget_links
	start_watched_pool 5
	start_load stopped connections=50 rate=2000
	wait_for_answers 400 stopped
	# shellcheck disable=SC2086 # several words
	while set -- $pool_pids && [ $# -gt 1 ]; do
		# shellcheck disable=SC2046 # pids
		set -- $(list_by_connections "$@")
		stop_workers_for_a_moment "$1"
		wait_for_end "$1"
		is "$ended_status" 0 'a web server that was stopped: a responder ends with status 0'
		wait_for_answers 400 stopped
		shift
		pool_pids=$*
	done
	stop_load
	end_responder "$pool_pids"
	is "$(statuses stopped)" 200 'a web server that was stopped: every request is answered, and rightly'
	is "$(ledger_problems stopped)" '' 'a web server that was stopped: links'
	pool_pids=
}

# ---- each with a socket of its own

# Sets $children, when all six of them live; the first four are those for redirects.
has_all_responders() {
	children=$(children_of "$lighttpd_pid" | xargs)
	[ "$(printf '%s' "$children" | wc -w)" -eq 6 ]
}

# lighttpd has connections to this very responder, and knows only by its end that it is to start another.
end_child() {
	kill -s TERM "$1"
	try 10 is_gone "$1" || fail "$2: it ends"
	try 10 has_all_responders || fail "$2: lighttpd starts another"
}

test_bin_path() {
	FRONT=lighttpd
	forget_links
	stop_lighttpd
	start_lighttpd_bin_path
	load bin_path_ids requests=50
	start_load bin_path connections=50 rate=2000 gets=50 known="$stack_folder/bin_path_ids.ledger"
	wait_for_answers 400 bin_path
	for round in 1 2 3 4; do
		try 10 has_all_responders || fail "bin-path, round $round: there are all responders"
		end_child "${children%% *}" "bin-path, round $round"
		wait_for_answers 200 bin_path
	done
	stop_load
	is "$(statuses bin_path)" '200 302' 'bin-path: every request is answered, and rightly'
	agree 'bin-path: links and visits' bin_path bin_path_ids
	stop_lighttpd
	FRONT=nginx
}

# ---- one alone

# Usage: expect_end LIMIT_S NAME, behind a SIGTERM.
expect_end() {
	try "$1" is_gone "$responder_pid" || fail "$2: it ends within $1 s"
	exit_status=0
	is_running "$responder_pid" || wait "$responder_pid" || exit_status=$?
	is "$exit_status" 0 "$2: the exit status"
	is_running "$responder_pid" || responder_pid=
}

# awkward late|meanwhile|idle: the status that this client of fcgi.pl gets, for what depends on time the best of three.
awkward() {
	tries=3
	while [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		start_responder
		awkward_status=$(perl "$stack_checkout/tests/faults/fcgi.pl" "$1" "$responder_socket" "$responder_pid")
		try 12 is_gone "$responder_pid"
		wait "$responder_pid"
		responder_pid=
		[ "$awkward_status" != 200 ] || tries=0
	done
	printf '%s' "$awkward_status"
}

test_awkward_clients() {
	is "$(awkward late)" 200 'a request on a connection that was accepted just before the signal is answered'
	is "$(awkward meanwhile)" 200 'a request that came together with the signal is answered'
	is "$(awkward idle)" 200 'a request that came when its connection was to be closed is answered'
}

# The visits are those of a moment ago: not written yet, and locked out now.
test_slow_database() {
	forget_links
	start_responder SHORTEN_QUEUE_TIMEOUT_MS=8000
	load slow_ids requests=20
	load slow_visits known="$stack_folder/slow_ids.ledger" gets=100 requests=40
	lock_table 'ACCESS EXCLUSIVE'
	start_load slow connections=10 requests=10
	try 10 is_lock_wanted || fail 'the requests wait for the lock'
	# The web server passes on the others within this time.
	hold 0.3
	kill -s TERM "$responder_pid"
	hold 0.3
	ok 'a slow database: it waits for what it has in hand' is_running "$responder_pid"
	unlock_table
	expect_end 8 'a slow database'
	wait_for_load
	is "$(statuses slow)" 200 'a slow database: all requests are answered'
	is "$(ledger_problems slow slow_visits slow_ids)" '' 'a slow database: links and visits, at once'
}

# Its visit is counted while the program is ending already, and there is no other one to be written.
test_lone_redirect() {
	forget_links
	start_responder
	load lone_ids connections=1 requests=1
	lock_table 'ACCESS EXCLUSIVE'
	start_load lone connections=1 requests=1 gets=100 known="$stack_folder/lone_ids.ledger"
	try 10 is_lock_wanted || fail 'the redirect waits for the lock'
	kill -s TERM "$responder_pid"
	hold 0.3
	unlock_table
	expect_end 8 'a lone redirect'
	wait_for_load
	is "$(statuses lone)" 302 'a lone redirect: it is answered'
	is "$(sql 'SELECT visits FROM shortenedurls')" 1 'a lone redirect: its visit is written'
}

test_second_signal() {
	forget_links
	start_responder
	lock_table 'ACCESS EXCLUSIVE'
	start_load second connections=3 requests=3
	try 10 is_lock_wanted || fail 'the requests wait for the lock'
	hold 0.3
	kill -s TERM "$responder_pid"
	hold 0.3
	ok 'one signal: it waits' is_running "$responder_pid"
	kill -s TERM "$responder_pid"
	expect_end 2 'a second signal'
	wait_for_load
	is "$(statuses second)" 503 'a second signal: what it has in hand is refused, not cut off'
	unlock_table
}

# The lock lets reads pass, but keeps the visits from being written before PostgreSQL stops.
test_lost_visits() {
	start_responder
	load lost_ids requests=10
	lock_table EXCLUSIVE
	load lost known="$stack_folder/lost_ids.ledger" gets=100 requests=10
	stop_postgres
	unlock_table
	signalled_ms=$(now_ms)
	kill -s TERM "$responder_pid"
	expect_end 10 'no database'
	ended_ms=$(($(now_ms) - signalled_ms))
	ok "no database: it tries for about 5 s (it was $ended_ms ms)" test "$ended_ms" -ge 4000
	ok 'no database: the log says that visits are lost' grep -q 'error: visits are lost' "$responder_log"
}

start_postgres
test_pool lighttpd
test_pool nginx
test_slow_web_server
test_bin_path
test_awkward_clients
test_slow_database
test_lone_redirect
test_second_signal
test_lost_visits
done_testing
