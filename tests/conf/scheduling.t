#!/bin/sh
# How the kernel schedules a responder: as one that does not interrupt others when it is woken.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"

# SCHED_BATCH of sched.h.
batch_policy=3

# Field 41 of /proc/PID/stat (proc(5)). The second one, a name in brackets, may hold blanks.
policy_of() {
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 39
}

# spawn-fcgi leaves before its children have come that far.
has_batch_policy() {
	[ "$(policy_of "$1")" = "$batch_policy" ]
}

# Children inherit it, so that what the caller has would be seen otherwise.
start_database
chrt --other --pid 0 $$
is "$(policy_of $$)" 0 'the test itself is scheduled as usual'
start_responder
is "$(policy_of "$responder_pid")" "$batch_policy" 'a responder is scheduled for batches'
stop_responder
start_pool 2
for pid in $pool_pids; do
	ok 'each one of a pool is' try 5 has_batch_policy "$pid"
done
stop_pool
done_testing
