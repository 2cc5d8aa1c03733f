#!/bin/sh
# Each allocation of a responder may fail, the small ones too, while it gets arrays, bodies and lists.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/hungry.sh
. tests/faults/rows/hungry.sh

row_fault='responders: one of 300 allocations fails'

build_fail_malloc() {
	ok "$FRONT: fail_malloc.c compiles" cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -shared -fPIC \
		-o "$stack_folder/fail_malloc.so" tests/memory/fail_malloc.c
}

start_row_pool() {
	build_fail_malloc
	start_pool 4 SHORTEN_MAX_BODY=1048576 SHORTEN_MAX_URL=2048 LD_PRELOAD="$stack_folder/fail_malloc.so" FAIL_MALLOC=300
}

# The second time they fail no more.
toggle_failures() {
	for pid in $pool_pids; do
		kill -s USR2 "$pid"
	done
}

inflict() {
	begin_hunger
	toggle_failures
	# Of so many links some arrays are made without a failure.
	be_hungry 1 40
	toggle_failures
	end_hunger
	expect_same_responders
}

run_row
