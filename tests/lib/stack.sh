# shellcheck shell=sh
# Starts and stops what a test needs: a database, responders, web servers. Sourced behind tap.sh by a
# test that tests/run started. All of it lives in the test's own folder, on ports of its own, and is
# stopped by pid when the test ends, however it ends.
#
#   start_database             a migrated database of the test's own; sets $database, $SHORTEN_DATABASE
#   start_postgres [NAME=VAL]  a PostgreSQL of the test's own instead, which the test may stop; migrated
#                              and empty the first time, its data kept after that
#   stop_postgres [MODE]       stops it: fast (by default), immediate or smart
#   sql STATEMENT [PSQL_ARG]   runs SQL as superuser on the test's database, prints rows with | between
#   start_responder [VAR=VAL]  one responder on $responder_socket; sets $responder_pid. Its log goes to
#                              $responder_log
#   stop_responder             SIGTERM; fails the test when the exit status is not 0
#   start_api_responder [VAR=VAL]  one responder on $stack_run/api.sock, where web servers that are started
#                              afterwards send /api/, /app/ and / instead; sets $api_pid
#   stop_api_responder         the same; web servers that are started afterwards send all to $responder_socket
#   start_pool N [VAR=VAL]     N responders on $responder_socket through conf/spawn-fcgi; sets $pool_pids
#   start_multiwatch N [VAR=VAL]  the same through conf/multiwatch; sets $multiwatch_pid
#   stop_pool, stop_multiwatch
#   start_lighttpd             conf/lighttpd-socket.conf in front of $responder_socket; sets $lighttpd_port
#   start_lighttpd_bin_path [VAR=VAL]  conf/lighttpd-bin-path.conf, which starts its own responders
#   start_nginx                conf/nginx.conf in front of $responder_socket; sets $nginx_port
#   stop_lighttpd, stop_nginx
#   start_stack [VAR=VAL]      start_database, start_responder, start_lighttpd, start_nginx
#   children_of PID            the pids of its children, one a line
#   is_running PID             whether this process lives; a zombie does not
#
# Set before: RESPONDER, the program (default build/shorten.fcgi). It is copied into the test's folder.
# As root, responders and web servers run as www-data, PostgreSQL as postgres; otherwise all as the caller.

stack_checkout=$(pwd)
[ -e tests/lib/stack.sh ] || bail_out "the folder is not that of the checkout"
[ -n "${TESTS_FOLDER-}" ] || bail_out "start it with: tests/run $0"

LC_ALL=C
export LC_ALL

# $0's name is part of the folder's, so that what is left behind can be told. Others must get through.
stack_folder=$(mktemp -d "$TESTS_FOLDER/$(basename "$0" .t).XXXXXX")
chmod 0755 "$stack_folder"
stack_run=$stack_folder/run
responder_socket=$stack_run/fcgi.sock
responder_log=$stack_run/responder.log
stack_program=$stack_folder/shorten.fcgi
stack_pool_pids=$stack_run/pool.pids
postgres_folder=$TESTS_POSTGRES
api_socket=
database=
responder_pid=
api_pid=
pool_pids=
multiwatch_pid=
lighttpd_pid=
nginx_pid=
stack_has_postgres=
stack_failed=

if [ "$(id -u)" = 0 ]; then
	stack_user=www-data
	install -d -o www-data -g www-data -m 0750 "$stack_run"
else
	stack_user=$(id -un)
	install -d -m 0750 "$stack_run"
fi

# ---- processes

is_running() {
	read -r stack_line 2>/dev/null <"/proc/$1/stat" || return 1
	case ${stack_line##*) } in
	[ZX]*) return 1 ;;
	esac
}

is_gone() {
	! is_running "$1"
}

children_of() {
	ps -o pid= --ppid "$1" | tr -d ' '
}

# Sends the signal and waits for the end; kills what does not end, and remembers that.
stop_process() {
	kill -s "${2:-TERM}" "$1" 2>/dev/null || :
	try 15 is_gone "$1" && return
	diag "process $1 did not end within 15 s"
	kill -s KILL "$1" 2>/dev/null || :
	stack_failed=1
}

# The same for a child of this shell, whose exit status must be 0.
stop_child() {
	stop_process "$1"
	stack_status=0
	wait "$1" 2>/dev/null || stack_status=$?
	[ "$stack_status" -eq 0 ] && return
	diag "$2 (process $1) ended with status $stack_status"
	stack_failed=1
}

show_file() {
	diag "the end of $(basename "$1"):"
	diag "$(tail -n 20 "$1" 2>/dev/null)"
}

# ---- PostgreSQL

psql_as_superuser() {
	psql -XqAt -v ON_ERROR_STOP=1 -h "$postgres_folder/socket" -U postgres "$@"
}

start_database() {
	database=$(basename "$0" .t | tr -c 'a-z0-9\n' _)_$$
	createdb -h "$postgres_folder/socket" -U postgres -O shorten -T "$TESTS_TEMPLATE" "$database" ||
		bail_out "the database $database cannot be made"
	SHORTEN_DATABASE="host=$postgres_folder/socket dbname=$database user=shorten"
}

# Without fsync: nothing here survives the machine anyway.
start_postgres() {
	postgres_folder=$stack_folder/postgres
	database=shorten
	SHORTEN_DATABASE="host=$postgres_folder/socket dbname=shorten user=shorten"
	"$stack_checkout/conf/postgres" start "$postgres_folder" fsync=off "$@" >"$stack_folder/postgres.out" 2>&1 ||
		{ show_file "$stack_folder/postgres.out"; bail_out 'PostgreSQL does not start'; }
	[ -z "$stack_has_postgres" ] || return 0
	stack_has_postgres=1
	"$stack_checkout/sql/migrate" "$SHORTEN_DATABASE" >>"$stack_folder/postgres.out" 2>&1 ||
		{ show_file "$stack_folder/postgres.out"; bail_out 'sql/migrate fails'; }
}

# conf/postgres knows the fast stop; for the others its postmaster gets the signal (postgres(1)).
# shellcheck disable=SC2120 # tests give the argument
stop_postgres() {
	stack_postmaster=$(head -n 1 "$postgres_folder/data/postmaster.pid" 2>/dev/null) || return 0
	case ${1:-fast} in
	fast) stop_process "$stack_postmaster" INT ;;
	immediate) stop_process "$stack_postmaster" QUIT ;;
	smart) stop_process "$stack_postmaster" TERM ;;
	esac
}

sql() {
	stack_statement=$1
	shift
	psql_as_superuser -d "$database" "$@" -c "$stack_statement"
}

# ---- responders

# A copy, which www-data can reach wherever the checkout is.
copy_program() {
	[ ! -e "$stack_program" ] || return 0
	install -m 0755 "$stack_checkout/${RESPONDER:-build/shorten.fcgi}" "$stack_program" 2>/dev/null ||
		install -m 0755 "$RESPONDER" "$stack_program" || bail_out "there is no program $RESPONDER"
}

# As root the log is made for www-data.
make_log() {
	[ -e "$responder_log" ] || install -m 0640 ${stack_as_root:+-o www-data -g www-data} /dev/null "$responder_log"
}

[ "$stack_user" != www-data ] || stack_as_root=1
stack_as_root=${stack_as_root-}

# Usage: spawn_responder SOCKET [VAR=VAL]...: sets $stack_pid, the responder's own from the beginning: each of
# these programs executes the next in place.
spawn_responder() {
	stack_socket=$1
	shift
	copy_program
	make_log
	env SHORTEN_DATABASE="${SHORTEN_DATABASE-}" "$@" \
		spawn-fcgi -n -s "$stack_socket" -M 0660 -b 4096 ${stack_as_root:+-u www-data -g www-data} \
		-- "$stack_program" >>"$responder_log" 2>&1 &
	stack_pid=$!
}

# Usage: expect_answer PID SOCKET: of a responder that was just started.
expect_answer() {
	try 10 responder_answers "$1" "$2" && return
	show_file "$responder_log"
	bail_out 'the responder does not start'
}

responder_answers() {
	is_running "$1" && [ -S "$2" ] &&
		env -i REQUEST_METHOD=GET REQUEST_URI=/healthz "$stack_cgi_fcgi" -bind -connect "$2" \
			</dev/null 2>/dev/null | grep -q '^Status: 200'
}

start_responder() {
	spawn_responder "$responder_socket" "$@"
	responder_pid=$stack_pid
	expect_answer "$responder_pid" "$responder_socket"
}

start_api_responder() {
	api_socket=$stack_run/api.sock
	spawn_responder "$api_socket" "$@"
	api_pid=$stack_pid
	expect_answer "$api_pid" "$api_socket"
}

# A program with sanitizers writes what it finds to these files; others do not look at this.
ASAN_OPTIONS=log_path=$stack_run/sanitizer:exitcode=99:detect_leaks=1
UBSAN_OPTIONS=log_path=$stack_run/sanitizer:print_stacktrace=1:halt_on_error=1
export ASAN_OPTIONS UBSAN_OPTIONS

# What the sanitizers have found makes the test fail, whatever it was about.
check_sanitizers() {
	for stack_report in "$stack_run"/sanitizer.*; do
		[ -e "$stack_report" ] || continue
		diag "$(head -n 60 "$stack_report")"
		stack_failed=1
	done
}

stack_cgi_fcgi=$(command -v cgi-fcgi) || bail_out 'cgi-fcgi is missing: conf/install-packages test'

# Usage: stop_one_responder PID
stop_one_responder() {
	[ -n "$1" ] || return 0
	stack_failed_before=$stack_failed
	stop_child "$1" 'the responder'
	[ "$stack_failed" = "$stack_failed_before" ] || show_file "$responder_log"
}

stop_responder() {
	stop_one_responder "$responder_pid"
	responder_pid=
}

stop_api_responder() {
	stop_one_responder "$api_pid"
	api_pid=
	api_socket=
}

start_pool() {
	stack_processes=$1
	shift
	copy_program
	make_log
	# In a session of its own, so that Ctrl-C does not end spawn-fcgi between two of its children: stop_pool would
	# not know the first one.
	setsid -w env SHORTEN_DATABASE="${SHORTEN_DATABASE-}" SHORTEN_LOG="$responder_log" "$@" PROGRAM="$stack_program" \
		SOCKET="$responder_socket" PIDFILE="$stack_pool_pids" PROCESSES="$stack_processes" API_PROCESSES=0 \
		"$stack_checkout/conf/spawn-fcgi" >"$stack_folder/spawn-fcgi.out" 2>&1 ||
		{ show_file "$stack_folder/spawn-fcgi.out"; bail_out 'conf/spawn-fcgi fails'; }
	pool_pids=$(xargs <"$stack_pool_pids")
}

stop_pool() {
	# It may have been interrupted while it started.
	[ -n "$pool_pids" ] || [ ! -e "$stack_pool_pids" ] || pool_pids=$(xargs <"$stack_pool_pids")
	rm -f "$stack_pool_pids"
	for stack_pid in $pool_pids; do
		kill -s TERM "$stack_pid" 2>/dev/null || :
	done
	for stack_pid in $pool_pids; do
		stop_process "$stack_pid"
	done
	pool_pids=
}

start_multiwatch() {
	stack_processes=$1
	shift
	copy_program
	make_log
	env SHORTEN_DATABASE="${SHORTEN_DATABASE-}" SHORTEN_LOG="$responder_log" "$@" PROGRAM="$stack_program" \
		SOCKET="$responder_socket" PROCESSES="$stack_processes" \
		"$stack_checkout/conf/multiwatch" >"$stack_folder/multiwatch.out" 2>&1 &
	multiwatch_pid=$!
	try 10 has_children "$multiwatch_pid" "$stack_processes" && return
	show_file "$stack_folder/multiwatch.out"
	bail_out 'conf/multiwatch does not start'
}

has_children() {
	[ "$(children_of "$1" | wc -l)" -eq "$2" ]
}

stop_multiwatch() {
	[ -n "$multiwatch_pid" ] || return 0
	stack_children=$(children_of "$multiwatch_pid")
	stop_child "$multiwatch_pid" multiwatch
	wait_for_children "$stack_children"
	multiwatch_pid=
}

# Orphans by now, so that only their absence can be seen.
wait_for_children() {
	for stack_pid in $1; do
		try 15 is_gone "$stack_pid" && continue
		diag "process $stack_pid outlived its parent"
		kill -s KILL "$stack_pid" 2>/dev/null || :
		stack_failed=1
	done
}

# ---- web servers

# Free now; who takes it in between makes the start fail, which is then tried again on another one.
find_port() {
	perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport'
}

is_open() {
	is_running "$1" && curl -q -s -o /dev/null --noproxy '*' --max-time 5 "http://127.0.0.1:$2/hello"
}

# Usage: start_server NAME: calls write_NAME PORT, then run_NAME, until the server answers.
start_server() {
	stack_server=$1
	shift
	for stack_attempt in 1 2 3 4 5; do
		stack_port=$(find_port)
		"write_$stack_server" "$stack_port"
		"run_$stack_server" "$@"
		stack_tries=0
		while is_running "$stack_pid" && [ "$stack_tries" -lt 200 ]; do
			is_open "$stack_pid" "$stack_port" && return
			stack_tries=$((stack_tries + 1))
			sleep 0.05
		done
		[ "$stack_attempt" -lt 5 ] || break
		kill -s KILL "$stack_pid" 2>/dev/null || :
		wait "$stack_pid" 2>/dev/null || :
	done
	show_file "$stack_folder/$stack_server.out"
	bail_out "$stack_server does not start"
}

# Usage: substitute_lighttpd FILE PORT [API_SOCKET]
substitute_lighttpd() {
	sed -e "s|^server.port .*|server.port = $2|" \
		-e "s|/run/lighttpd.pid|$stack_folder/lighttpd.pid|" \
		-e "s|/var/log/lighttpd/error.log|$stack_run/lighttpd.log|" \
		-e "s|^server.document-root .*|server.document-root = \"$stack_run\"|" \
		-e "s|/run/shorten/fcgi.sock|$responder_socket|" \
		-e "s|/run/shorten/api.sock|${3:-$responder_socket}|" \
		-e "s|/usr/local/bin/shorten.fcgi|$stack_program|" \
		-e "s|\"SHORTEN_LOG\" => \"syslog\"|\"SHORTEN_LOG\" => \"$responder_log\"|" \
		"$stack_checkout/conf/$1" >"$stack_folder/lighttpd.conf"
}

write_lighttpd() {
	substitute_lighttpd lighttpd-socket.conf "$1" "$api_socket"
}

# Each of its responders has a socket of its own, the name of which begins so.
write_lighttpd_bin_path() {
	substitute_lighttpd lighttpd-bin-path.conf "$1" "$stack_run/api.sock"
}

run_lighttpd() {
	lighttpd -D -f "$stack_folder/lighttpd.conf" >"$stack_folder/lighttpd.out" 2>&1 &
	stack_pid=$!
}

run_lighttpd_bin_path() {
	env SHORTEN_DATABASE="${SHORTEN_DATABASE-}" "$@" \
		lighttpd -D -f "$stack_folder/lighttpd.conf" >"$stack_folder/lighttpd_bin_path.out" 2>&1 &
	stack_pid=$!
}

start_lighttpd() {
	start_server lighttpd
	lighttpd_pid=$stack_pid
	lighttpd_port=$stack_port
}

start_lighttpd_bin_path() {
	copy_program
	make_log
	start_server lighttpd_bin_path "$@"
	lighttpd_pid=$stack_pid
	# shellcheck disable=SC2034 # for call.sh
	lighttpd_port=$stack_port
}

stop_lighttpd() {
	[ -n "$lighttpd_pid" ] || return 0
	stack_children=$(children_of "$lighttpd_pid")
	stop_child "$lighttpd_pid" lighttpd
	wait_for_children "$stack_children"
	lighttpd_pid=
}

write_nginx() {
	mkdir -p "$stack_folder/nginx"
	sed -e "s|listen 127.0.0.1:8080|listen 127.0.0.1:$1|" \
		-e "s|^pid .*|pid $stack_folder/nginx/pid;|" \
		-e "s|/var/log/nginx|$stack_folder/nginx|" \
		-e "s|/var/lib/nginx|$stack_folder/nginx|" \
		-e "s|/run/shorten/fcgi.sock|$responder_socket|" \
		-e "s|/run/shorten/api.sock|${api_socket:-$responder_socket}|" \
		"$stack_checkout/conf/nginx.conf" >"$stack_folder/nginx.conf"
}

run_nginx() {
	nginx -e "$stack_folder/nginx/error.log" -c "$stack_folder/nginx.conf" -g 'daemon off;' \
		>"$stack_folder/nginx.out" 2>&1 &
	stack_pid=$!
}

start_nginx() {
	start_server nginx
	nginx_pid=$stack_pid
	# shellcheck disable=SC2034 # for call.sh
	nginx_port=$stack_port
}

stop_nginx() {
	[ -n "$nginx_pid" ] || return 0
	stop_child "$nginx_pid" nginx
	nginx_pid=
}

# ---- all of it

start_stack() {
	start_database
	start_responder "$@"
	start_lighttpd
	start_nginx
}

# For what a benchmark has started besides, which defines this anew.
stop_others() {
	:
}

# The status turns to failure when something did not stop as it should: prove sees that.
stop_everything() {
	stack_exit=$?
	trap - EXIT
	trap '' HUP INT TERM PIPE
	stop_others
	stop_nginx
	stop_lighttpd
	stop_responder
	stop_api_responder
	stop_pool
	stop_multiwatch
	[ -z "$stack_has_postgres" ] || stop_postgres fast
	check_sanitizers
	if [ -n "$database" ] && [ -z "$stack_has_postgres" ]; then
		dropdb --if-exists --force -h "$postgres_folder/socket" -U postgres "$database" || stack_failed=1
	fi
	[ -n "${TESTS_KEEP-}" ] || rm -rf "$stack_folder"
	[ -z "$stack_failed" ] || exit 1
	exit "$stack_exit"
}

trap stop_everything EXIT
trap 'exit 1' HUP INT TERM PIPE
