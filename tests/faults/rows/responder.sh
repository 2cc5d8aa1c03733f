# shellcheck shell=sh
# Pools of responders, and who is in them. Sourced behind row.sh.
#
#   start_watched         conf/multiwatch with four responders, for start_row_pool; sets $supervisor_pid
#   start_bin_path        lighttpd with its own, for start_service
#   use_lighttpd_alone    for a row that is only about it
#   list_responders       prints the pids of those for redirects and new links, that with most connections first
#   are_four              whether so many live; for `try`
#   count_in_hand PID     prints how many requests it can have at most
#   expect_recovery       tests: there are four, and they serve

# shellcheck disable=SC2153,SC2154 # what the libraries set

start_watched() {
	start_multiwatch 4
	supervisor_pid=$multiwatch_pid
}

start_bin_path() {
	start_row_postgres
	start_lighttpd_bin_path
	supervisor_pid=$lighttpd_pid
}

use_lighttpd_alone() {
	case " ${FRONTS:-lighttpd nginx} " in
	*' lighttpd '*) FRONTS=lighttpd ;;
	*) skip_all 'this is about lighttpd' ;;
	esac
}

# Of its sockets, two are no connections: that which it listens on and that to the database.
count_connections() {
	responder_sockets=$(count_sockets "$1")
	echo $((responder_sockets > 2 ? responder_sockets - 2 : 0))
}

# The queue of a socket that is a responder's alone ends with it, and grows until then.
count_in_hand() {
	if [ "$supervisor_pid" = "$lighttpd_pid" ]; then echo "$row_connections"; else count_connections "$1"; fi
}

# lighttpd has those of the other pool, too, which is for lists and has sockets of another name (proc(5)).
is_for_links() {
	[ "$supervisor_pid" = "$lighttpd_pid" ] || return 0
	responder_inode=$(readlink "/proc/$1/fd/0" | tr -dc 0-9)
	grep -q " ${responder_inode:-none} $responder_socket-" /proc/net/unix
}

list_responders() {
	for pid in $(children_of "$supervisor_pid"); do
		! is_for_links "$pid" || echo "$(count_connections "$pid") $pid"
	done | sort -rn | cut -d ' ' -f 2
}

are_four() {
	[ "$(list_responders | wc -l)" -eq 4 ]
}

expect_recovery() {
	ok "$FRONT: there are four again" try 20 are_four
	ok "$FRONT: and they serve" try 20 is_served_since "$(now_s)"
}
