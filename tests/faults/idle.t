#!/bin/sh
# Connections that stay and ask for nothing: many of them, too many, and more than there are descriptors.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# shellcheck disable=SC2034 # for call.sh
FRONT=nginx

# In ticks, of which there are a hundred in a second: what it has used while a second passed.
processor_use() {
	ticks_before=$(count_ticks)
	hold 1
	echo $(($(count_ticks) - ticks_before))
}

# Fields 14 and 15 of proc(5), counted behind the name, which may have blanks.
count_ticks() {
	sed 's/.*) //' "/proc/$responder_pid/stat" | awk '{ print $12 + $13 }'
}

# Usage: expect_service NAME
expect_service() {
	shorten "https://example.com/idle"
	is "$status" 200 "$1: a link is made"
	call GET "/$id"
	is "$status" 302 "$1: and redirects"
}

# Slow would be the 2 s and more that libfcgi by itself spends on an idle connection.
test_idle() {
	start_responder
	hold_connections 200
	ok '200 idle connections: all are answered' try 10 have_answers 200
	load idle connections=10 requests=300 gets=50
	is "$(statuses idle)" '200 302' '200 idle connections: others are served'
	is "$(awk -F '\t' '$6 >= 1500' "$stack_folder/idle.ledger")" '' '200 idle connections: and promptly'
	use=$(processor_use)
	ok "200 idle connections: nothing to do, nothing done ($use ticks)" test "$use" -lt 30
	release_connections
	agree '200 idle connections: links and visits' idle
	stop_responder
}

# Whoever is too many waits in the listening socket's queue, until one that is idle has made room, or one that is busy
# has its answer; no request is lost there.
test_too_many() {
	start_responder SHORTEN_CONNECTIONS_MAX=10
	hold_connections 15
	ok 'too many idle connections: all are answered' try 10 have_answers 15
	use=$(processor_use)
	ok "too many idle connections: nothing to do, nothing done ($use ticks)" test "$use" -lt 30
	load too_many connections=3 requests=3
	is "$(statuses too_many)" 200 'too many idle connections: so are those from the web server'
	release_connections
	lock_table EXCLUSIVE
	start_load too_busy connections=15 requests=15
	try 10 is_lock_wanted || fail 'the requests wait for the lock'
	hold 0.5
	# With the listening socket and PostgreSQL's.
	sockets=$(count_sockets "$responder_pid")
	ok "too many busy connections: no more than may be ($sockets sockets)" test "$sockets" -le 12
	unlock_table
	wait_for_load
	is "$(statuses too_busy)" 200 'too many busy connections: the others are served afterwards'
	expect_service 'too many connections: afterwards'
	stop_responder
}

lose_database() {
	sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'shorten'" \
		>"$stack_folder/terminated"
}

# The limit falls while the program runs. The connection to PostgreSQL is lost in the middle of it, and has
# to come back when there is room.
test_descriptors() {
	start_responder
	${stack_as_root:+setpriv --reuid=www-data --regid=www-data --init-groups} prlimit --pid "$responder_pid" --nofile=40
	hold_connections 60
	ok 'no descriptors left: the log says so' try 10 has_log 'Too many open files'
	use=$(processor_use)
	ok "no descriptors left: it does not spin ($use ticks)" test "$use" -lt 50
	lose_database
	use=$(processor_use)
	ok "no descriptors left, no database: it does not spin ($use ticks)" test "$use" -lt 50
	# Once for each reason; the lost connection to the database frees a descriptor, and then it is said again.
	ok 'no descriptors left: the log does not say it over and over' \
		test "$(grep -c 'Too many open files' "$responder_log")" -le 4
	ok 'no descriptors left: it lives' is_running "$responder_pid"
	release_connections
	ok 'descriptors again: it reaches its database' try 15 is_ready
	expect_service 'descriptors again'
	stop_responder
}

# The program raises its limit as far as it may, so the hard limit is the one to lower.
limit_descriptors() {
	mv "$stack_program" "$stack_program.real"
	printf '#!/bin/sh\nulimit -n %d\nexec %s\n' "$1" "$stack_program.real" >"$stack_program"
	chmod 0755 "$stack_program"
}

has_connected_twice() {
	[ "$(grep -c 'connected to the database' "$responder_log")" -eq 2 ]
}

# Known at the start, a low limit leaves room for the database: it comes back while all connections are held.
test_low_limit() {
	limit_descriptors 40
	: >"$responder_log"
	start_responder
	ok 'few descriptors: the log says how many connections there can be' has_log 'at most 24 connections'
	hold_connections 60
	ok 'few descriptors: so many are served' try 10 have_answers 24
	lose_database
	ok 'few descriptors: the database comes back with all connections in use' try 10 has_connected_twice
	not_ok 'few descriptors: they do not run out' has_log 'Too many open files'
	release_connections
	expect_service 'few descriptors: afterwards'
	stop_responder
}

start_database
start_responder
start_nginx
stop_responder
test_idle
test_too_many
test_descriptors
test_low_limit
done_testing
