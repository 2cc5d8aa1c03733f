# shellcheck shell=sh
# The web server is reloaded or restarted under load. Sourced behind row.sh; check_row is this file's.
#
#   reload_nginx, reload_lighttpd   reads its configuration again; return when the old one is gone
#   restart_front SIGNAL            stops it so, and starts it on the same port
#
# check_row has two tests: no request had no answer but while one of these was under way, and what had none at a
# reload, or at a stop for which the signal is graceful, had not been read either: a kept connection was closed when
# nothing was asked on it, as far as the web server knew. Such a request may be sent again (RFC 9112, 9.3.1).

# shellcheck disable=SC2034,SC2154 # what the libraries set and use

# Usage: note_time FROM graceful|abrupt: until now.
note_time() {
	echo "$1 $(now_s) $2" >>"$stack_folder/$row_ledger.times"
}

are_gone() {
	for web_pid; do
		is_gone "$web_pid" || return 1
	done
}

# Each of the old workers ends when it has answered what it has.
reload_nginx() {
	web_from=$(now_s)
	web_workers=$(children_of "$nginx_pid")
	kill -s HUP "$nginx_pid"
	# shellcheck disable=SC2086 # several words
	try 20 are_gone $web_workers || fail "$FRONT: the old workers end"
	note_time "$web_from" graceful
}

count_starts() {
	grep -c 'server started' "$stack_run/lighttpd.log"
}

has_started() {
	[ "$(count_starts)" -gt "$web_starts" ]
}

# It stays the same process.
reload_lighttpd() {
	web_from=$(now_s)
	web_starts=$(count_starts)
	kill -s USR1 "$lighttpd_pid"
	try 20 has_started || fail "$FRONT: it has read its configuration again"
	note_time "$web_from" graceful
}

restart_front() {
	case $FRONT in
	lighttpd) web_pid=$lighttpd_pid web_port=$lighttpd_port ;;
	nginx) web_pid=$nginx_pid web_port=$nginx_port ;;
	esac
	web_from=$(now_s)
	kill -s "$1" "$web_pid"
	try 20 is_gone "$web_pid" || fail "$FRONT: it stops"
	wait "$web_pid" 2>/dev/null || :
	"run_$FRONT"
	eval "${FRONT}_pid=\$stack_pid"
	ok "$FRONT: it starts again" try 20 is_open "$stack_pid" "$web_port"
	case $1 in
	TERM) note_time "$web_from" abrupt ;;
	*) note_time "$web_from" graceful ;;
	esac
}

# Usage: unanswered graceful|abrupt|never: the lines of requests without an answer from such times.
unanswered() {
	awk -v kind="$1" '
		NR == FNR { from[NR] = $1; until[NR] = $2; kinds[NR] = $3; times = NR; next }
		$4 != "000" { next }
		{ found = "never"; for (i = 1; i <= times; i++) if ($1 + $6 / 1000 >= from[i] && $1 <= until[i]) found = kinds[i] }
		found == kind' "$stack_folder/$row_ledger.times" "$stack_folder/$row_ledger.ledger"
}

# URLs of a ledger need no quoting.
find_stored() {
	sql "SELECT srcurl FROM shortenedurls WHERE srcurl = ANY ('{$(awk '$2 == "POST" { print $3 }' | paste -sd ,)}')"
}

check_row() {
	is "$(unanswered never | sed -n 1,10p)" '' "$FRONT: no answer is missing at other times"
	is "$(unanswered graceful | find_stored)" '' "$FRONT: nor to what the web server had read"
}
