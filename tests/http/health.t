#!/bin/sh
# /healthz says that the process lives, /readyz that the database answers too.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

is_ready() {
	call GET /readyz
	[ "$status" = 200 ]
}

is_unready() {
	! is_ready
}

test_healthy() {
	for path in /healthz /readyz; do
		call GET "$path"
		is "$status $(header Content-Type) $body" '200 text/plain ok
' "$FRONT: $path"
		is "$(answer_problem)" '' "$FRONT: $path: what every answer has"
	done
}

test_unready() {
	call GET /readyz
	is "$status $body" '503 {"errMsg":"The database does not answer"}' "$FRONT: /readyz without PostgreSQL"
	like "$(header Retry-After)" '[1-9]*' "$FRONT: /readyz without PostgreSQL: Retry-After"
	is "$(answer_problem)" '' "$FRONT: /readyz without PostgreSQL: what every answer has"
	call HEAD /readyz
	is "$status" 503 "$FRONT: HEAD /readyz without PostgreSQL"
	call GET /healthz
	is "$status" 200 "$FRONT: /healthz without PostgreSQL"
	call GET /hello
	is "$status" 200 "$FRONT: /hello without PostgreSQL"
}

start_postgres
start_responder SHORTEN_QUEUE_TIMEOUT_MS=300
start_lighttpd
start_nginx
process=$responder_pid
FRONT=cgi
on_each_front test_healthy
stop_postgres fast
ok 'it notices that PostgreSQL is gone' try 5 is_unready
on_each_front test_unready
start_postgres
ok 'it notices that PostgreSQL is back' try 15 is_ready
on_each_front test_healthy

# A server that hangs is no better than one that is gone.
postmaster=$(head -n 1 "$postgres_folder/data/postmaster.pid")
backend=$(sql "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'shorten%' LIMIT 1")
kill -s STOP "$postmaster" "$backend"
FRONT=nginx
ok 'it notices that PostgreSQL hangs' try 10 is_unready
call GET /healthz
is "$status" 200 '/healthz while PostgreSQL hangs'
kill -s CONT "$backend" "$postmaster"
ok 'it notices that PostgreSQL goes on' try 15 is_ready
ok 'the responder is the same' is_running "$process"
done_testing
