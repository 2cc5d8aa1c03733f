#!/bin/sh
# The database refuses, is slow, or is stuck: who fails, who waits, and that nobody else is harmed.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# shellcheck disable=SC2034 # for call.sh
FRONT=nginx

# ---- refused

count_forbidden() {
	grep -c "	https://[^	]*forbidden[^	]*	$2	" "$stack_folder/$1.ledger"
}

# Usage: expect_refusals NAME REQUESTS. One process, so that batches are large. Links with the same xmin came
# in with the same commit.
expect_refusals() {
	forget_links
	start_responder
	load "$1" connections=40 rate=4000 requests="$2" forbidden=17
	is "$(statuses "$1")" '200 500' "$1: some are refused"
	is "$(count_forbidden "$1" 500)" "$(count_answers "$1" 500)" "$1: none but those that have to be"
	is "$(count_forbidden "$1" 200)" 0 "$1: and all of those"
	is "$(count_answers "$1")" "$2" "$1: no request is forgotten"
	ok "$1: there were batches" test "$(sql 'SELECT count(*) > 1.1 * count(DISTINCT xmin::text) FROM shortenedurls')" = t
	agree "$1: each answer says what is stored" "$1"
	stop_responder
}

# A constraint of the test's own is what fails one statement of a batch.
test_refused() {
	sql "ALTER TABLE shortenedurls ADD CONSTRAINT polite CHECK (srcurl NOT LIKE '%forbidden%')"
	expect_refusals refused 2000
	sql 'ALTER TABLE shortenedurls DROP CONSTRAINT polite'
}

# The statements succeed; what fails is the commit.
test_refused_late() {
	sql "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''forbidden''; END'"
	sql "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shortenedurls DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (NEW.srcurl LIKE '%forbidden%') EXECUTE FUNCTION refuse()"
	expect_refusals refused_late 1000
	sql 'DROP TRIGGER late ON shortenedurls'
	sql 'DROP FUNCTION refuse'
}

# ---- lost against others

# Each URL is refused once, half of them as a deadlock. What remembers that is a lock of the session's, as
# nearly all else would be undone with the transaction.
make_conflicts() {
	sql "CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS \$\$
		DECLARE number oid := abs(hashtext(NEW.srcurl))::oid;
		BEGIN
			IF EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = number) THEN
				RETURN NEW;
			END IF;
			PERFORM pg_advisory_lock(number::bigint);
			RAISE 'conflict' USING ERRCODE = CASE WHEN number::bigint % 2 = 0 THEN '40001' ELSE '40P01' END;
		END \$\$"
	sql 'CREATE TRIGGER first BEFORE INSERT ON shortenedurls FOR EACH ROW EXECUTE FUNCTION conflict()'
}

test_conflicts() {
	forget_links
	make_conflicts
	start_responder
	load conflicts connections=10 requests=200
	is "$(count_answers conflicts 200)" 200 'conflicts: each is tried again until it succeeds'
	ok 'conflicts: there were some' grep -q 'ERROR: *conflict' "$postgres_folder/postgres.log"
	agree 'conflicts: each link is stored once' conflicts
	stop_responder
	sql 'DROP TRIGGER first ON shortenedurls'
	sql 'DROP FUNCTION conflict'
}

# ---- slow

test_locked() {
	forget_links
	start_responder SHORTEN_QUEUE_TIMEOUT_MS=500
	load locked_ids requests=20
	start_load locked connections=20 gets=50 known="$stack_folder/locked_ids.ledger"
	wait_for_answers 100 locked
	lock_table 'ACCESS EXCLUSIVE'
	wait_for_answers 20 locked 503
	unlock_table
	wait_for_answers 100 locked 200
	wait_for_answers 100 locked 302
	stop_load
	is "$(statuses locked)" '200 302 503' 'locked for longer than the time-out: 503, and service again afterwards'
	agree 'locked: links and visits' locked locked_ids
	stop_responder
}

# Three may wait, besides those that the first batch has taken. The time-out is longer than all of it.
test_full_queue() {
	forget_links
	start_responder SHORTEN_QUEUE_MAX=3 SHORTEN_QUEUE_TIMEOUT_MS=20000 SHORTEN_DATABASE_TIMEOUT_MS=20000
	lock_table 'ACCESS EXCLUSIVE'
	start_load full connections=20 requests=20
	wait_for_answers 14 full
	is "$(statuses full)" 503 'a full queue: 503 for those beyond it, while the others wait'
	unlock_table
	wait_for_load
	is "$(statuses full)" '200 503' 'a full queue: the others are served afterwards'
	is "$(awk -F '\t' '$4 == 503 && $6 >= 1500' "$stack_folder/full.ledger")" '' 'a full queue: 503 comes at once'
	agree 'a full queue: links' full
	stop_responder
}

# ---- stuck

backend_of_responder() {
	sql "SELECT pid FROM pg_stat_activity WHERE usename = 'shorten' AND pid <> ${1:-0}"
}

# A stopped backend neither answers nor closes its connection. It goes on in any case, or PostgreSQL
# could not be stopped at the end.
test_stuck() {
	forget_links
	start_responder SHORTEN_DATABASE_TIMEOUT_MS=700 SHORTEN_QUEUE_TIMEOUT_MS=10000
	load before_stuck requests=10
	backend=$(backend_of_responder)
	kill -s STOP "$backend"
	load stuck connections=5 requests=30
	log_meanwhile=$(cat "$responder_log")
	new_backend=$(backend_of_responder "$backend")
	kill -s CONT "$backend"
	is "$(statuses stuck)" 200 'a stuck backend: served all the same'
	isnt "$new_backend" '' 'a stuck backend: over another connection'
	like "$log_meanwhile" '*not answered in time*' 'a stuck backend: the log says why'
	ok 'a stuck backend: it ends when it is free again' try 10 is_gone "$backend"
	load after_stuck requests=10
	is "$(statuses after_stuck)" 200 'a stuck backend: served afterwards'
	agree 'a stuck backend: each link is stored once' stuck before_stuck after_stuck
	stop_responder
}

# ---- visits

are_writers_waiting() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shorten' AND wait_event_type = 'Lock'")" -eq 4 ]
}

have_visits() {
	[ "$(sql "SELECT min(visits) = $1 AND max(visits) = $1 FROM shortenedurls")" = t ]
}

# The lock, which lets reads pass, makes all of the pool wait with their visits, so that they write at the same
# moment what concerns the same links: each process has 50 connections, on which 25 links are visited.
test_visits_at_once() {
	forget_links
	start_pool 4 SHORTEN_QUEUE_TIMEOUT_MS=8000 SHORTEN_CONNECTIONS_MAX=50
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'visited-' || i, 'https://example.com/', now(), now() FROM generate_series(1, 25) AS i"
	for round in 1 2; do
		lock_table EXCLUSIVE
		# shellcheck disable=SC2046 # several words
		hold_connections 200 $(seq -f '/visited-%g' 25)
		ok "visits at once, round $round: all are redirected" try 10 have_answers 200
		ok "visits at once, round $round: all of the pool wait to write them" try 10 are_writers_waiting
		unlock_table
		release_connections
		ok "visits at once, round $round: the sums are exact" try 10 have_visits $((8 * round))
	done
	is "$(grep -c 'deadlock detected' "$postgres_folder/postgres.log")" 0 'visits at once: no deadlock'
	stop_pool
}

start_postgres
start_responder
start_nginx
stop_responder
test_refused
test_refused_late
test_conflicts
test_locked
test_full_queue
test_stuck
test_visits_at_once
done_testing
