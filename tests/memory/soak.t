#!/bin/sh
# Many requests of all kinds, and what they do to the memory of the responders: nothing. This is the short form;
# tests/memory/soak runs the long one.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# From tests/memory/soak; what it has to report goes to SOAK_REPORT. Of few requests only one responder of a pool would
# see all kinds soon, and what grows to its size takes half of them (see README.md).
pool=${SOAK_POOL:-1}
requests=${SOAK_REQUESTS:-20000}
from=${SOAK_FROM:-50}
report=${SOAK_REPORT:-$stack_folder/report}
samples=$stack_folder/samples
limit_kb=256
resident_limit_kb=6144
samples=${SOAK_SAMPLES:-$stack_folder/samples}

insert_links() {
	insert_key
	insert_link SoakTaken
	insert_link SoakEnds expires "now() + interval '1 day'"
	insert_link SoakMoved redirectstatus 301
	insert_link SoakForward forwardquery true
	insert_link SoakLater validfrom "now() + interval '1 day'"
	insert_link SoakExpired expires "now() - interval '1 day'"
	insert_link SoakDisabled enabled false
	insert_link SoakDeleted deleted 'now()'
	insert_link SoakUsedUp maxvisits 1 visits 1
}

have_sessions() {
	[ "$(sql "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'shorten'")" = "$1" ]
}

count_descriptors() {
	for pid in $pool_pids $api_pid; do
		find "/proc/$pid/fd" -type l | wc -l
	done | xargs
}

has_descriptors() {
	[ "$(count_descriptors)" = "$1" ]
}

build_in_use() {
	ok 'in_use.c compiles' cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -shared -fPIC -o "$stack_folder/in_use.so" \
		tests/memory/in_use.c
	IN_USE=$stack_run/in_use
	export IN_USE
}

# Its limits in time are wide: a machine that is busy has more to do than this.
start_service() {
	set -- LD_PRELOAD="$stack_folder/in_use.so" SHORTEN_QUEUE_TIMEOUT_MS=12000 SHORTEN_DATABASE_TIMEOUT_MS=14000
	start_pool "$pool" "$@"
	start_api_responder "$@"
	ok 'all responders reach the database' try 10 have_sessions $((pool + 1))
}

# Usage: name_responders PID...: the arguments of soak.pl.
name_responders() {
	for pid in $pool_pids; do
		number=$((${number-0} + 1))
		printf 'pool-%d=%d ' "$number" "$pid"
	done
	printf 'api=%d' "$api_pid"
}

start_database
insert_links
build_in_use
start_service
descriptors=$(count_descriptors)
start_nginx
# shellcheck disable=SC2046 # several words
perl tests/memory/soak.pl "$nginx_port" "$requests" "$key" "$nginx_pid" $(name_responders) \
	>"$samples" 2>"$stack_folder/soak.err"
is "$?$(cat "$stack_folder/soak.err")" 0 'the requests are sent'
is "$(grep '^wrong' "$samples")" '' 'all answers have the expected status'
is "$(sed -n 's/^end	\([0-9]*\).*/\1/p' "$samples")" "$requests" 'no request is left out'
awk -v from="$from" -v limit_kb="$limit_kb" -v resident_limit_kb="$resident_limit_kb" \
	-f tests/memory/soak.awk "$samples" >"$report"
is "$?" 0 "no responder grows after $from % of the requests"
diag "$(cat "$report")"
stop_nginx
ok "without connections each responder has its descriptors again: $descriptors" try 10 has_descriptors "$descriptors"
diag "descriptors: $(count_descriptors)"
done_testing
