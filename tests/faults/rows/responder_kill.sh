# shellcheck shell=sh
# Responders are killed under load. Sourced behind row.sh and responder.sh.
#
#   forget_kills             at the begin of inflict
#   kill_responders PID...   kill -9 of all at once, a parent last; writes down when, and how many requests they can
#                            have had in hand
#   kill_busy COUNT [PID]... the same with so many of the busiest, and these, while requests pile up for certain,
#                            because the table of links is locked
#   kill_one_by_one SECONDS, kill_all_at_once SECONDS  three kills, with so much time between them; tests: each
#                            time there are four again
#
# check_row has two tests: what a killed one had in hand failed, and nothing else.
# What a web server answers when a responder has gone with the request counts as no answer here.

# shellcheck disable=SC2034,SC2154 # what the libraries set and use

# nginx says 503, in its own words; lighttpd, 500.
forget_kills() {
	row_statuses=503
	[ "$FRONT" = nginx ] || row_statuses=500
	: >"$stack_folder/kills"
}

# Stopped first, so that none takes another request after they were counted. Their parent comes last: when it ends, what
# it leaves stopped is told to go on (setpgid(2), orphaned process groups).
kill_responders() {
	killed_s=${locked_s:-$(now_s)}
	kill -s STOP "$@"
	in_hand=0
	for pid; do
		in_hand=$((in_hand + $(count_in_hand "$pid")))
	done
	kill -s KILL "$@"
	for pid; do
		try 10 is_gone "$pid" || fail "$FRONT: it is gone"
	done
	gone_s=$(now_s)
	echo "$killed_s $gone_s $in_hand" >>"$stack_folder/kills"
	visits_may_miss "$(seconds_before 1 "$killed_s")" "$gone_s"
}

kill_busy() {
	lock_table EXCLUSIVE
	locked_s=$(now_s)
	hold 0.2
	busy_count=$1
	shift
	# shellcheck disable=SC2046 # pids
	kill_responders $(list_responders | head -n "$busy_count") "$@"
	locked_s=
	unlock_table
}

# Usage: kill_and_recover SECONDS PID...
kill_and_recover() {
	kill_pause_s=$1
	shift
	kill_responders "$@"
	expect_recovery
	hold "$kill_pause_s"
}

kill_one_by_one() {
	forget_kills
	kill_and_recover "$1" "$(list_responders | head -n 1)"
	kill_and_recover "$1" "$(list_responders | shuf -n 1)"
	kill_busy 1
	expect_recovery
}

# shellcheck disable=SC2046 # pids
kill_all_at_once() {
	forget_kills
	kill_and_recover "$1" $(list_responders)
	kill_and_recover "$1" $(list_responders)
	kill_busy 4
	expect_recovery
}

# A kill takes at most as many as were in hand, and each was under way then.
find_other_failures() {
	awk '
		NR == FNR { from[NR] = $1; until[NR] = $2; left[NR] = $3; kills = NR; next }
		$4 == 200 || $4 == 302 { next }
		{ for (i = 1; i <= kills; i++) if ($1 <= until[i] && $1 + $6 / 1000 >= from[i] && left[i]-- > 0) next; print }' \
		"$stack_folder/kills" "$stack_folder/$row_ledger.ledger"
}

check_row() {
	is "$(find_other_failures | sed -n 1,10p)" '' "$FRONT: nothing failed but what was in hand"
	ok "$FRONT: and that did" test "$(count_answers "$row_ledger" "$row_statuses")" -gt 0
}

# An answer that says when to try again, or whose web server cannot, is as good as none; the link may have been made.
row_problems() {
	for responder_name; do
		awk -F '\t' -v OFS='\t' '$4 >= 500 && $7 != "no-retry-after" { $4 = "000"; $5 = "-"; $7 = "none" } { print }' \
			"$stack_folder/$responder_name.ledger" >"$stack_folder/$responder_name.seen.ledger"
	done
	# shellcheck disable=SC2046,SC2086 # several words
	ledger_check $row_forgiven $(printf '%s.seen ' "$@")
}
