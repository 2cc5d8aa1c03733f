#!/bin/sh
# Responders with little more memory than they need at rest get arrays, bodies and lists that want more.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/hungry.sh
. tests/faults/rows/hungry.sh
# shellcheck source=tests/faults/rows/limit_pool.sh
. tests/faults/rows/limit_pool.sh

row_fault='responders: little memory, and requests that want much'

start_row_pool() {
	start_pool 4 SHORTEN_MAX_BODY=1048576 SHORTEN_MAX_URL=2048
}

# The memory that a responder has at rest, in KiB: the most of them all.
size_at_rest() {
	for pid in $pool_pids; do
		awk '$1 == "VmSize:" { print $2 }' "/proc/$pid/status"
	done | sort -n | tail -n 1
}

# Usage: limit_to KIB: so much more memory than at rest.
limit_to() {
	limit_responders --as="$(((rest + $1) * 1024))"
}

inflict() {
	begin_hunger
	rest=$(size_at_rest)
	# More first, for a limit can only be lowered.
	limit_to 12288
	be_hungry 1 1000
	limit_to 4096
	be_hungry 2 1000
	end_hunger
	expect_same_responders
}

run_row
