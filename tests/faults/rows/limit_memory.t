#!/bin/sh
# Responders with little more memory than they need at rest get arrays, bodies and lists that want more.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh
# shellcheck source=tests/faults/rows/long_links.sh
. tests/faults/rows/long_links.sh
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

# How many links of arrays are stored, but not how many were given: what was refused in the end may be there.
stored_links() {
	sql "SELECT count(*) FROM shortenedurls WHERE srcurl LIKE 'https://hungry.example/%x'"
}

# Usage: be_hungry KIB: with so much more memory than at rest.
be_hungry() {
	limit_responders --as="$(((rest + $1) * 1024))"
	rm -f "$stack_folder/full"
	perl "$stack_checkout/tests/faults/rows/limit_memory.pl" "$call_port" "$key" "$stack_folder/full" >>"$answers" &
	hungry_pid=$!
	hold 4
	: >"$stack_folder/full"
	wait "$hungry_pid" || fail "$FRONT: the requests end"
}

inflict() {
	answers=$stack_folder/hungry
	: >"$answers"
	insert_long_links hungry 2000
	front_port
	rest=$(size_at_rest)
	# More first, for a limit can only be lowered.
	be_hungry 12288
	be_hungry 4096
	is "$(awk -F '\t' '$3 != "none"' "$answers" | sort | uniq -c | sed -n 1,5p)" '' "$FRONT: no answer is wrong"
	for kind in bulk list; do
		is "$(awk -F '\t' -v kind="$kind" '$1 == kind { print $2 }' "$answers" | sort -u | xargs)" '200 503' \
			"$FRONT: $kind: some are answered, and the others refused"
	done
	given=$(awk -F '\t' '{ given += $4 } END { print given + 0 }' "$answers")
	ok "$FRONT: the $given links of arrays are stored" test "$(stored_links)" -ge "$given"
	expect_same_responders
	delete_long_links hungry
}

run_row
