# shellcheck shell=sh
# Two PostgreSQL, a primary and its standby, and a pool that knows both. Sourced behind row.sh and postgres.sh.
#
#   start_pair           makes both; the first is the primary and waits for the second at every commit. Sets
#                        $SHORTEN_DATABASE to both, $postgres_folder to the primary's, $standby_folder to the other's
#   freeze_sender        the standby gets nothing from now on, until kill_primary
#   kill_primary         kill -9 of all its processes at once, as when its machine is gone
#   promote              the standby becomes the primary, without a standby to wait for; the folders change places
#   rewind               what was the primary becomes the standby of what is, and follows it
#   is_followed STATE    whether the standby follows, async or sync; for `try`
#   ask_standby STATEMENT

# shellcheck disable=SC2034,SC2154 # what the libraries set and use

failover_out=$stack_folder/failover.out
first_folder=$stack_folder/first
second_folder=$stack_folder/second
standby_folder=
frozen_sender=

must() {
	"$@" >>"$failover_out" 2>&1 && return
	show_file "$failover_out"
	bail_out "it fails: $*"
}

as_postgres() {
	(cd / && ${stack_as_root:+setpriv --reuid=postgres --regid=postgres --init-groups} "$@")
}

# What pg_rewind needs of both: hints in the log of changes, and that log from before the two parted.
start_one() {
	must "$stack_checkout/conf/postgres" start "$1" fsync=off wal_log_hints=on wal_keep_size=128MB
}

stop_one() {
	[ ! -e "$1/data" ] || must "$stack_checkout/conf/postgres" stop "$1"
}

ask_standby() {
	psql -XqAt -v ON_ERROR_STOP=1 -h "$standby_folder/socket" -U postgres -d "$database" -c "$1"
}

is_followed() {
	[ "$(sql "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")" = "$1" ]
}

# A database "all" is none for replication (pg_hba.conf). What ALTER SYSTEM says is not in the copy made before.
start_standby() {
	echo 'local replication all peer map=owner' >>"$postgres_folder/data/pg_hba.conf"
	must sql 'SELECT pg_reload_conf()'
	install -d ${stack_as_root:+-o postgres -g postgres} -m 0755 "$standby_folder"
	must as_postgres pg_basebackup -h "$postgres_folder/socket" -U postgres -D "$standby_folder/data" -R -c fast
	start_one "$standby_folder"
	must sql "ALTER SYSTEM SET synchronous_standby_names = '*'"
	must sql 'SELECT pg_reload_conf()'
	try 20 is_followed sync || bail_out 'the standby does not follow'
}

start_pair() {
	stop_one "$first_folder"
	stop_one "$second_folder"
	rm -rf "$first_folder" "$second_folder"
	database=shorten
	stack_has_postgres=1
	postgres_folder=$first_folder
	standby_folder=$second_folder
	start_one "$postgres_folder"
	must "$stack_checkout/sql/migrate" "host=$postgres_folder/socket user=shorten dbname=shorten"
	start_standby
	SHORTEN_DATABASE="host=$first_folder/socket,$second_folder/socket target_session_attrs=read-write"
	SHORTEN_DATABASE="$SHORTEN_DATABASE user=shorten dbname=shorten"
}

# stack.sh stops the primary, which waits for this process of its own.
stop_others() {
	[ -z "$frozen_sender" ] || kill -s CONT "$frozen_sender" 2>/dev/null || :
	[ -z "$standby_folder" ] || stop_one "$standby_folder"
}

change_places() {
	set -- "$postgres_folder"
	postgres_folder=$standby_folder
	standby_folder=$1
}

freeze_sender() {
	frozen_sender=$(sql 'SELECT pid FROM pg_stat_replication')
	kill -s STOP "$frozen_sender"
}

kill_primary() {
	pids=$(postgres_pids)
	# shellcheck disable=SC2086 # several words
	kill -s KILL $pids 2>/dev/null || :
	# shellcheck disable=SC2086 # several words
	try 20 are_reaped $pids || fail "$FRONT: all processes end"
	frozen_sender=
}

promote() {
	must ask_standby 'SELECT pg_promote()'
	change_places
}

# It looks for where the two parted, which the source must have written down.
rewind() {
	must sql CHECKPOINT
	must as_postgres pg_rewind -R -D "$standby_folder/data" \
		--source-server="host=$postgres_folder/socket user=postgres dbname=postgres"
	start_one "$standby_folder"
	try 20 is_followed async || fail "$FRONT: the old primary follows the new one"
}
