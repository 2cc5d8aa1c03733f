# shellcheck shell=sh
# Load on a web server, with a ledger of every request. Sourced behind call.sh; what goes where, and what a
# ledger holds, says ledger.pl. The ledger NAME is the file $stack_folder/NAME.ledger.
#
#   load NAME [OPTION=VALUE]...        sends requests to $FRONT and waits for the last answer
#   start_load NAME [OPTION=VALUE]...  the same in the background, until stop_load
#   stop_load                          no more requests; those under way are waited for
#   wait_for_load                      waits for the end of a load that ends by itself
#   statuses NAME                      prints the statuses that occur, each once, in order, in one line
#   count_answers NAME [STATUS]        prints how many answers there are (with this status)
#   has_answers COUNT NAME [STATUS]    whether there are so many; for `try`
#   wait_for_answers COUNT NAME [STATUS]  waits for so many more than there are now
#   ledger_problems [may-miss[=FROM,UNTIL]]... NAME... prints what the ledgers and the table disagree about, ten lines of it
#   agrees [may-miss] NAME...          whether there is none; for `try`, as visits are written once a second
#   forget_links                       empties the table

# shellcheck disable=SC2154 # what stack.sh and call.sh set

ledger_pid=

load() {
	load_name=$1
	shift
	front_port
	perl "$stack_checkout/tests/lib/ledger.pl" load "$call_port" name="$load_name" "$@" >"$stack_folder/$load_name.ledger"
}

start_load() {
	load_name=$1
	shift
	front_port
	rm -f "$stack_folder/stop-load"
	: >"$stack_folder/$load_name.ledger"
	perl "$stack_checkout/tests/lib/ledger.pl" load "$call_port" name="$load_name" until="$stack_folder/stop-load" "$@" \
		>>"$stack_folder/$load_name.ledger" &
	ledger_pid=$!
}

wait_for_load() {
	wait "$ledger_pid" || fail 'the load ends with an error'
}

stop_load() {
	: >"$stack_folder/stop-load"
	wait_for_load
}

statuses() {
	cut -f 4 "$stack_folder/$1.ledger" | sort -u | xargs
}

count_answers() {
	awk -F '\t' -v status="${2-}" 'status == "" || $4 == status { count++ } END { print count + 0 }' \
		"$stack_folder/$1.ledger"
}

has_answers() {
	[ "$(count_answers "$2" "${3-}")" -ge "$1" ]
}

has_answers_or_end() {
	has_answers "$@" || ! is_running "$ledger_pid"
}

wait_for_answers() {
	ledger_wanted=$(($1 + $(count_answers "$2" "${3-}")))
	try 20 has_answers_or_end "$ledger_wanted" "$2" "${3-}"
	has_answers "$ledger_wanted" "$2" "${3-}" || fail "there are $1 more answers ${3-} within 20 s"
}

# The names become those of files; may-miss stays.
ledger_check() {
	ledger_names=$*
	set --
	for ledger_name in $ledger_names; do
		case $ledger_name in
		may-miss*) set -- "$@" "$ledger_name" ;;
		*) set -- "$@" "$stack_folder/$ledger_name.ledger" ;;
		esac
	done
	sql 'SELECT id, srcurl, visits FROM shortenedurls' | perl "$stack_checkout/tests/lib/ledger.pl" check "$@" ||
		echo 'wrong: the check itself fails'
}

ledger_problems() {
	ledger_check "$@" | sed -n 1,10p
}

agrees() {
	[ -z "$(ledger_problems "$@")" ]
}

forget_links() {
	sql 'TRUNCATE shortenedurls'
}
