#!/bin/sh
# The clock goes back an hour, and forward again, under PostgreSQL, the responders and the web server.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
# shellcheck source=tests/faults/row.sh
. tests/faults/row.sh

row_fault='clock: back an hour, and forward again'
# Nobody is to notice.
row_statuses=302

clock_library=$(find /usr/lib /usr/local/lib -name libfaketime.so.1 2>/dev/null | head -n 1)
[ -n "$clock_library" ] || skip_all 'libfaketime is missing: conf/install-packages test'

# Where libfaketime reads what the clock differs by. In the test's own folder, which all of them can read.
clock_file=$stack_folder/clock

# Usage: set_clock DIFFERENCE: in one step, so that nobody reads half of it.
set_clock() {
	printf '%s\n' "$1" >"$clock_file.new"
	mv "$clock_file.new" "$clock_file"
}

# Time as it passes is not the clock's: CLOCK_MONOTONIC stays.
start_service() {
	set_clock +0
	export FAKETIME_TIMESTAMP_FILE="$clock_file" FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
		DONT_FAKE_MONOTONIC=1 LD_PRELOAD="$clock_library"
	start_postgres
	start_pool 4
	"start_$FRONT"
	unset LD_PRELOAD FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE FAKETIME_DONT_FAKE_MONOTONIC DONT_FAKE_MONOTONIC
}

# libfaketime leaves two of these behind for each process that becomes another program, or is killed.
stop_others() {
	for shared in /dev/shm/faketime_shm_*; do
		is_running "${shared##*_}" || rm -f "$shared" "/dev/shm/sem.faketime_sem_${shared##*_}"
	done
}

# Usage: count_links TIME: those that say that they were made before that.
count_links() {
	sql "SELECT count(*) FROM shortenedurls WHERE created < to_timestamp($1)"
}

inflict() {
	back_s=$(now_s)
	set_clock -3600
	ok "$FRONT: it serves an hour ago" try 5 is_served_since "$back_s"
	hold 2
	forward_s=$(now_s)
	ok "$FRONT: links of then say so" test "$(count_links "$(seconds_before 1800 "$back_s")")" -gt 0
	set_clock +0
	ok "$FRONT: it serves now" try 5 is_served_since "$forward_s"
	hold 2
	is "$(sql 'SELECT count(*) FROM shortenedurls WHERE lastaccessed < created')" 0 \
		"$FRONT: no link was visited before it was made"
	slowest_ms=$(answer_ms 100 0 "$(now_s)")
	ok "$FRONT: no answer takes long (the slowest: $slowest_ms ms)" test "$slowest_ms" -lt 2000
}

run_row
