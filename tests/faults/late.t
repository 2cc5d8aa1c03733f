#!/bin/sh
# A responder starts before its database: before PostgreSQL runs, and before the tables are made.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

FRONT=cgi
failed='{"errMsg":"Failed to shorten"}'

# How long until the next attempt to connect, at most, and what a slow machine needs on top.
back_off_s=5
slowness_s=5

expect_refusal() {
	call POST /shorten '{"srcUrl":"https://example.com/"}'
	is "$status $body" "503 $failed" "$1: POST /shorten"
	like "$(header Retry-After)" '[1-9]*' "$1: says when to come again"
	call GET /abcdefghij
	is "$status" 503 "$1: GET /ID"
	like "$(header Retry-After)" '[1-9]*' "$1: says when to come again, too"
	call GET /readyz
	is "$status" 503 "$1: /readyz"
	call GET /healthz
	is "$status" 200 "$1: /healthz"
	call GET /hello
	is "$status $body" '200 Hello World!' "$1: /hello"
}

expect_service() {
	ok "$1: /readyz" try "$((back_off_s + slowness_s))" is_ready
	shorten 'https://example.com/late'
	is "$status" 200 "$1: POST /shorten"
	call GET "/$id"
	is "$status $(header Location)" '302 https://example.com/late' "$1: GET /ID"
	is "$responder_pid $(is_running "$responder_pid" && echo runs)" "$first_pid runs" "$1: by the same process"
}

test_not_running() {
	start_postgres
	stop_postgres
	start_responder SHORTEN_QUEUE_TIMEOUT_MS=300
	first_pid=$responder_pid
	expect_refusal 'PostgreSQL does not run'
	ok 'the log says so' try 5 has_log 'error: cannot connect to the database'
	start_postgres
	expect_service 'PostgreSQL runs'
	stop_responder
}

test_not_migrated() {
	sql 'CREATE DATABASE bare OWNER shorten'
	conninfo="host=$postgres_folder/socket dbname=bare user=shorten"
	start_responder SHORTEN_DATABASE="$conninfo" SHORTEN_QUEUE_TIMEOUT_MS=300
	first_pid=$responder_pid
	expect_refusal 'no tables'
	ok 'the log says what to do' try 5 has_log 'was it migrated'
	hold 1
	is "$(grep -c 'was it migrated' "$responder_log")" 1 'the log says it once, however often it is tried'
	"$stack_checkout/sql/migrate" "$conninfo" >"$stack_folder/migrate.out" 2>&1 || fail 'sql/migrate'
	expect_service 'migrated'
	stop_responder
}

# In the middle of a migration it may be another problem; no problem has two lines.
test_log() {
	is "$(grep 'was it migrated' "$responder_log" | sed 's/^[^ ]* //' | sort | uniq -d)" '' 'nor is anything said twice afterwards'
}

test_not_running
test_not_migrated
test_log
done_testing
