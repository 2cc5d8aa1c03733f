# shellcheck shell=sh
# Responders are told to end under load, while their socket stays. Sourced behind row.sh and responder.sh.
#
#   end_responder           SIGTERM to that with most connections; waits for its end
#   end_busy                the same, while requests pile up for certain
#   while_busy COMMAND...   for that: the table of links is locked meanwhile
#   expect_ended PID...     waits for their end
#   forget_stops            at the begin
#   expect_stops COUNT      a test: so many have said since then that they ended in good order, visits written

# shellcheck disable=SC2034,SC2154 # what the libraries set and use

# No request fails: clients only wait.
row_statuses=302

expect_ended() {
	for pid; do
		try 15 is_gone "$pid" || fail "$FRONT: $pid ends within 15 s"
	done
}

signal_busiest() {
	busiest=$(list_responders | head -n 1)
	kill -s TERM "$busiest"
}

end_responder() {
	signal_busiest
	expect_ended "$busiest"
}

# Usage: while_busy COMMAND...
while_busy() {
	lock_table EXCLUSIVE
	hold 0.2
	"$@"
	hold 0.1
	unlock_table
}

end_busy() {
	while_busy signal_busiest
	expect_ended "$busiest"
}

count_stops() {
	grep -c 'info: stopped' "$responder_log"
}

forget_stops() {
	sigterm_stops=$(count_stops)
}

expect_stops() {
	is "$(($(count_stops) - sigterm_stops))" "$1" "$FRONT: all have ended in good order"
}
