#!/bin/sh
# The two pools of responders: web servers send each request to the right one, and either works without the other.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

# Usage: is_served TARGET: by a responder; the web server has not said that there is none.
is_served() {
	call GET "$1"
	case $status in 000 | 5??) return 1 ;; esac
}

# Usage: expect_pools NAME ok|not_ok ok|not_ok: whether that for redirects is served, and the other.
expect_pools() {
	for target in $redirect_targets; do
		"$2" "$1: $target" is_served "$target"
	done
	for target in $api_targets; do
		"$3" "$1: $target" is_served "$target"
	done
}

# Usage: expect_methods NAME: they reach a responder, whose errors depend on Accept; the server's own do not.
expect_methods() {
	call PATCH /api/links/none '{"title":"x"}'
	is "$(header Vary)" Accept "$1: PATCH reaches the responder"
	call DELETE /api/links/none
	is "$(header Vary)" Accept "$1: DELETE reaches the responder"
}

# Usage: makes_links NAME, through $FRONT
makes_links() {
	shorten "http://e.example/$FRONT"
	call GET "/$id"
	is "$status $(header Location)" "302 http://e.example/$FRONT" "$1: a link is made and redirects"
}

test_two_pools() {
	start_responder
	start_api_responder
	start_nginx
	start_lighttpd
	FRONT=nginx
	shorten 'http://e.example/pools'
	redirect_targets="/$id /hello /app /apis/x /x/api/ /$id?/api/"
	api_targets='/ /?a=b /api/ /api/links?x=/ /%61pi/links /app/style.css'
	for FRONT in nginx lighttpd; do
		makes_links "two pools, $FRONT"
		expect_pools "two pools, $FRONT" ok ok
		expect_methods "two pools, $FRONT"
		call GET /api
		is "$status" 404 "two pools, $FRONT: /api is no path, and nothing leads from it to another"
	done
	stop_responder
	for FRONT in nginx lighttpd; do
		expect_pools "only that of /api/, $FRONT" not_ok ok
	done
	start_responder
	stop_api_responder
	for FRONT in nginx lighttpd; do
		# lighttpd looks for it once a second.
		ok "that of redirects is there again, $FRONT" try 5 is_served /hello
		expect_pools "only that of redirects, $FRONT" ok not_ok
		makes_links "only that of redirects, $FRONT"
	done
	FRONT=nginx
	call GET /api/links
	is "$status $body" '503 {"errMsg":"The service does not answer now, please try again"}' \
		'nginx, the pool of /api/ is away: the sentence'
	stop_nginx
	stop_lighttpd
	stop_responder
}

# A client with next to no buffer: reads the head of the answer, then, when it is told so, the body, and prints
# whether that is as long as the head says.
# shellcheck disable=SC2016 # perl's
read_late() {
	perl -MIO::Socket::INET -e '
		my ($port, $key) = @ARGV;
		my $client = IO::Socket::INET->new(Proto => "tcp") or die;
		$client->sockopt(SO_RCVBUF, 4096);
		$client->connect(pack_sockaddr_in($port, INADDR_LOOPBACK)) or die;
		$client->syswrite("GET /api/links?limit=500 HTTP/1.0\r\nAuthorization: Bearer $key\r\n\r\n");
		my $length;
		while (my $line = <$client>) { $length = $1 if $line =~ /^Content-Length: (\d+)/; last if $line eq "\r\n" }
		$| = 1;
		print "$length bytes\n";
		<STDIN>;
		local $/;
		print length(<$client>) == $length ? "all of them\n" : "not all of them\n";' "$1" "$key"
}

# A list of some megabytes, and one responder for lists: who does not read his keeps nobody from another.
test_late_reader() {
	start_responder
	start_api_responder
	insert_key
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, tags)
		SELECT 'long' || n, 'http://e.example/' || repeat('x', 8000), now(), now(), array_fill(repeat('y', 1000), ARRAY[10])
		FROM generate_series(1, 500) n"
	start_nginx
	start_lighttpd
	mkfifo "$stack_folder/go"
	for FRONT in nginx lighttpd; do
		front_port
		read_late "$call_port" <"$stack_folder/go" >"$stack_folder/late" 2>&1 &
		reader=$!
		exec 7>"$stack_folder/go"
		ok "late reader, $FRONT: the answer has begun" try 20 grep -q '^[0-9]* bytes' "$stack_folder/late"
		api GET /api/links/long1
		is "$status" 200 "late reader, $FRONT: another is served"
		exec 7>&-
		wait "$reader"
		is "$(sed 's/[0-9]/N/g; s/NN*/N/' "$stack_folder/late" | xargs)" 'N bytes all of them' "late reader, $FRONT: in the end he has it"
	done
	stop_nginx
	stop_lighttpd
	stop_api_responder
	stop_responder
}

# Usage: list_pool PARENT NAME: the responders on sockets of this name, which are their descriptors 0 (proc(5)).
list_pool() {
	for pid in $(children_of "$1"); do
		inode=$(readlink "/proc/$pid/fd/0" | tr -dc 0-9)
		! grep -q " $inode [^ ]*/$2-[0-9]*$" /proc/net/unix || echo "$pid"
	done
}

# The same file, but a stuck pool is given up soon.
write_lighttpd_impatient() {
	write_lighttpd_bin_path "$1"
	sed -i 's/"read-timeout" .*/"read-timeout" => 1,/' "$stack_folder/lighttpd.conf"
}

run_lighttpd_impatient() {
	run_lighttpd_bin_path
}

# lighttpd starts again what ends; so they are stuck here, and not away.
# shellcheck disable=SC2086 # lists of pids
test_lighttpd_bin_path_pools() {
	FRONT=lighttpd
	start_server lighttpd_impatient
	lighttpd_pid=$stack_pid
	lighttpd_port=$stack_port
	redirects=$(list_pool "$lighttpd_pid" fcgi.sock)
	api=$(list_pool "$lighttpd_pid" api.sock)
	is "$(printf '%s\n' $redirects | wc -l) $(printf '%s\n' $api | wc -l)" '4 2' 'lighttpd bin-path: the sizes of the pools'
	shorten 'http://e.example/pools'
	redirect_targets="/$id /apis/x"
	api_targets='/ /api/links'
	expect_pools 'lighttpd bin-path' ok ok
	expect_methods 'lighttpd bin-path'
	kill -s STOP $redirects
	expect_pools 'lighttpd bin-path, only that of /api/' not_ok ok
	kill -s CONT $redirects
	kill -s STOP $api
	expect_pools 'lighttpd bin-path, only that of redirects' ok not_ok
	kill -s CONT $api
	stop_lighttpd
}

# Tells stop_pool of both pools, also when the test ends early.
stop_others() {
	for file in "$stack_run/fcgi.pid" "$stack_run/api.pid"; do
		[ ! -e "$file" ] || pool_pids="$pool_pids $(xargs <"$file")"
	done
}

# As an administrator calls it.
test_both_scripts() {
	copy_program
	make_log
	api_socket=$stack_run/api.sock
	setsid -w env SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$responder_log" PROGRAM="$stack_program" \
		SOCKET="$responder_socket" PIDFILE="$stack_run/fcgi.pid" \
		API_SOCKET="$api_socket" API_PIDFILE="$stack_run/api.pid" conf/spawn-fcgi >"$stack_folder/spawn-fcgi.out" 2>&1
	stop_others
	# shellcheck disable=SC2086 # the pids
	is "$(printf '%s\n' $pool_pids | wc -l)" 6 'spawn-fcgi: both pools'
	is "$(stat -c %a "$api_socket")" 660 'spawn-fcgi: the mode of the second socket'
	start_nginx
	FRONT=nginx
	makes_links 'spawn-fcgi, both pools'
	xargs kill <"$stack_run/api.pid"
	for pid in $(xargs <"$stack_run/api.pid"); do
		ok 'spawn-fcgi: the command in conf/spawn-fcgi stops the second pool' try 10 is_gone "$pid"
	done
	redirect_targets="/$id /hello"
	api_targets='/ /api/links'
	expect_pools 'spawn-fcgi, without the second pool' ok not_ok
	stop_pool
	rm "$stack_run/fcgi.pid" "$stack_run/api.pid"
	stop_nginx
	api_socket=
}

start_database
test_two_pools
test_late_reader
test_lighttpd_bin_path_pools
test_both_scripts
done_testing
