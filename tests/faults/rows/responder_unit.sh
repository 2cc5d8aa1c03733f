# shellcheck shell=sh
# The pool of conf/shorten.service, on a socket as conf/shorten.socket has it, both without systemd. Sourced behind
# responder.sh.
#
#   find_supervisor  sets $supervisor_pid, multiwatch's, anew, when four responders live; for `try`
#   expect_another   tests: there is another one, and it serves
#
# start_row_pool and stop_service are this file's.

# shellcheck disable=SC2154 # what the libraries set

unit_pid=

# Usage: unit_value FILE NAME
unit_value() {
	sed -n "s/^$2=//p" "$stack_checkout/conf/$1"
}

find_supervisor() {
	supervisor_pid=$(children_of "$unit_pid")
	[ -n "$supervisor_pid" ] && are_four
}

expect_another() {
	ok "$FRONT: there is another" try 20 find_supervisor
	ok "$FRONT: and it serves" try 20 is_served_since "$(now_s)"
}

start_row_pool() {
	copy_program
	make_log
	install -m 0755 "$stack_checkout/tests/faults/rows/responder_unit.pl" "$stack_folder/unit"
	# shellcheck disable=SC2046 # the command's words
	env SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$responder_log" \
		spawn-fcgi -n -s "$responder_socket" -M "$(unit_value shorten.socket SocketMode)" \
		-b "$(unit_value shorten.socket Backlog)" ${stack_as_root:+-u www-data -g www-data} \
		-- "$stack_folder/unit" "$(unit_value shorten.service RestartSec)" \
		$(unit_value shorten.service ExecStart | sed "s|/usr/local/bin/shorten.fcgi|$stack_program|") \
		>"$stack_folder/unit.out" 2>&1 &
	unit_pid=$!
	try 10 find_supervisor || { show_file "$stack_folder/unit.out"; bail_out 'the service does not start'; }
}

stop_unit() {
	[ -n "$unit_pid" ] || return 0
	stop_child "$unit_pid" 'the service'
	unit_pid=
}

stop_service() {
	"stop_$FRONT"
	stop_unit
}

stop_others() {
	stop_unit
}
