#!/bin/sh
# Each file in conf/ is really started, makes a short URL and follows it; pools have their size and keep it.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

# Usage: works NAME, through $FRONT
works() {
	shorten "http://e.example/$FRONT"
	is "$status" 200 "$1: POST /shorten"
	call GET "/$id"
	is "$status $(header Location)" "302 http://e.example/$FRONT" "$1: GET /ID"
	is "$(sql "SELECT srcurl FROM shortenedurls WHERE id = '$id'")" "http://e.example/$FRONT" "$1: the row"
}

count_running() {
	count=0
	for pid in $1; do
		! is_running "$pid" || count=$((count + 1))
	done
	echo "$count"
}

# Usage: is_replaced PARENT COUNT DEAD_PID
is_replaced() {
	has_children "$1" "$2" && is_gone "$3"
}

hello_answers() {
	call GET /hello
	[ "$status" = 200 ]
}

# Usage: survives PARENT COUNT NAME: one of so many responders is killed and comes back.
survives() {
	victim=$(children_of "$1" | head -n 1)
	kill -s KILL "$victim"
	ok "$3: a killed responder comes back" try 10 is_replaced "$1" "$2" "$victim"
	ok "$3: and it answers again" try 5 hello_answers
	works "$3 after a responder was killed"
}

user_of() {
	ps -o user= -p "$1" | tr -d ' '
}

test_lighttpd_bin_path() {
	FRONT=lighttpd
	start_lighttpd_bin_path
	is "$(children_of "$lighttpd_pid" | wc -l)" 6 'lighttpd bin-path: four responders and two'
	is "$(user_of "$(children_of "$lighttpd_pid" | head -n 1)")" "$stack_user" 'lighttpd bin-path: their user'
	works 'lighttpd bin-path'
	survives "$lighttpd_pid" 6 'lighttpd bin-path'
	children=$(children_of "$lighttpd_pid")
	stop_lighttpd
	is "$(count_running "$children")" 0 'lighttpd bin-path: none outlives lighttpd'
}

# A responder that ended because of PostgreSQL would keep lighttpd from starting.
test_lighttpd_without_database() {
	FRONT=lighttpd
	start_lighttpd_bin_path "SHORTEN_DATABASE=host=$stack_folder/nowhere" SHORTEN_QUEUE_TIMEOUT_MS=100
	ok 'lighttpd bin-path without PostgreSQL: hello' hello_answers
	call POST /shorten '{"srcUrl":"http://e.example/"}'
	is "$status" 503 'lighttpd bin-path without PostgreSQL: 503'
	is "$(children_of "$lighttpd_pid" | wc -l)" 6 'lighttpd bin-path without PostgreSQL: all responders live'
	stop_lighttpd
}

test_spawn_fcgi() {
	: >"$responder_log"
	start_pool 4
	# shellcheck disable=SC2086 # the pids
	is "$(printf '%s\n' $pool_pids | wc -l)" 4 'spawn-fcgi: four pids in the file'
	is "$(count_running "$pool_pids")" 4 'spawn-fcgi: four responders'
	is "$(user_of "${pool_pids%% *}")" "$stack_user" 'spawn-fcgi: their user'
	is "$(stat -c %a "$responder_socket")" 660 'spawn-fcgi: the mode of the socket'
	start_nginx
	start_lighttpd
	for FRONT in nginx lighttpd; do
		works "spawn-fcgi behind $FRONT"
	done
	is "$(grep -c 'info: started, version' "$responder_log")" 4 'spawn-fcgi: four lines in the log'
	test_load
	children=$pool_pids
	xargs kill <"$stack_pool_pids"
	rm "$stack_pool_pids"
	ok 'spawn-fcgi: the command in conf/spawn-fcgi stops them' try 10 has_stopped "$children"
	is "$(grep -c 'info: stopped' "$responder_log")" 4 'spawn-fcgi: each has stopped cleanly'
	pool_pids=
	stop_nginx
	stop_lighttpd
}

has_stopped() {
	[ "$(count_running "$1")" -eq 0 ]
}

# More connections at once than processes, through both servers at once.
test_load() {
	for FRONT in nginx lighttpd; do
		front_port
		wrk -t1 -c40 -d1s "http://127.0.0.1:$call_port/$id" >"$stack_folder/wrk.$FRONT" 2>&1 &
		eval "wrk_$FRONT=\$!"
	done
	wait "$wrk_nginx" "$wrk_lighttpd"
	for FRONT in nginx lighttpd; do
		is "$(grep -c 'Socket errors\|Non-2xx or 3xx' "$stack_folder/wrk.$FRONT")" 0 "$FRONT with 40 connections: no error"
		isnt "$(awk '/requests in/ { print $1 }' "$stack_folder/wrk.$FRONT")" 0 "$FRONT with 40 connections: answers"
	done
}

test_multiwatch() {
	start_multiwatch 4
	is "$(children_of "$multiwatch_pid" | wc -l)" 4 'multiwatch: four responders'
	is "$(user_of "$(children_of "$multiwatch_pid" | head -n 1)")" "$stack_user" 'multiwatch: their user'
	start_nginx
	FRONT=nginx
	works multiwatch
	survives "$multiwatch_pid" 4 multiwatch
	children=$(children_of "$multiwatch_pid")
	stop_multiwatch
	is "$(count_running "$children")" 0 'multiwatch: none outlives it'
	stop_nginx
}

# Usage: unit_value FILE NAME
unit_value() {
	sed -n "s/^$2=//p" "conf/$1"
}

# Usage: test_systemd UNIT COUNT SOCKET: what systemd is told to start, on a socket as it is told to make it,
# stopped as it stops it. COUNT responders; SOCKET is where web servers look for them in this test.
# shellcheck disable=SC2046 # the command's words
test_systemd() {
	ok "systemd, $1: nginx.conf names the socket" grep -q "server unix:$(unit_value "$1.socket" ListenStream) " conf/nginx.conf
	is "$(unit_value "$1.socket" Backlog)" "$(sed -n 's/.*backlog=\([0-9]*\).*/\1/p' conf/nginx.conf)" \
		"systemd, $1: its backlog is as long as that of nginx.conf"
	is "$(unit_value "$1.service" Requires)" "$1.socket" "systemd, $1: it requires its socket"
	copy_program
	make_log
	env SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$responder_log" \
		spawn-fcgi -n -s "$3" -M "$(unit_value "$1.socket" SocketMode)" ${stack_as_root:+-u www-data -g www-data} \
		-- $(unit_value "$1.service" ExecStart | sed "s|/usr/local/bin/shorten.fcgi|$stack_program|") \
		>"$stack_folder/systemd.out" 2>&1 &
	multiwatch_pid=$!
	ok "systemd, $1: ExecStart starts $2 responders" try 10 has_children "$multiwatch_pid" "$2"
	start_nginx
	FRONT=nginx
	works "systemd, $1"
	stop_multiwatch
	stop_nginx
}

# The units of the two pools differ where they must and nowhere else.
test_units() {
	for kind in service socket; do
		for unit in shorten shorten-api; do
			sed '/^#/d; /^$/d; /^Description=/d; /^PartOf=/d; s/shorten-api/shorten/; s/api\.sock/fcgi.sock/; s/-f [0-9]/-f N/' \
				"conf/$unit.$kind" >"$stack_folder/$unit.$kind"
		done
		is "$(diff "$stack_folder/shorten.$kind" "$stack_folder/shorten-api.$kind")" '' "the two .$kind files are alike"
	done
	# Where systemd is not installed its own opinion is missing.
	if command -v systemd-analyze >/dev/null; then
		is "$(systemd-analyze verify conf/shorten.socket conf/shorten.service conf/shorten-api.socket \
			conf/shorten-api.service 2>&1)" '' 'systemd-analyze verify'
	fi
}

# nginx looks at the folders for its logs and bodies, which only root has: hence the moved copy.
test_syntax() {
	for file in lighttpd-socket.conf lighttpd-bin-path.conf; do
		ok "lighttpd -tt $file" lighttpd_accepts "conf/$file"
		substitute_lighttpd "$file" 8080
		ok "lighttpd -tt $file, moved" lighttpd_accepts "$stack_folder/lighttpd.conf"
	done
	write_nginx 8080
	ok 'nginx -t nginx.conf, moved' nginx_accepts "$stack_folder/nginx.conf"
	is "$(grep -c 'warn\|emerg' "$stack_folder/nginx.test")" "$([ "$(id -u)" = 0 ] && echo 0 || echo 1)" \
		'nginx -t: no warning, but for "user" when not root'
	echo 'nonsense' >>"$stack_folder/nginx.conf"
	not_ok 'nginx -t finds what is wrong' nginx_accepts "$stack_folder/nginx.conf"
	echo 'nonsense' >>"$stack_folder/lighttpd.conf"
	not_ok 'lighttpd -tt finds what is wrong' lighttpd_accepts "$stack_folder/lighttpd.conf"
}

lighttpd_accepts() {
	lighttpd -tt -f "$1" >"$stack_folder/lighttpd.test" 2>&1
}

nginx_accepts() {
	nginx -e "$stack_folder/nginx/error.log" -t -c "$1" >"$stack_folder/nginx.test" 2>&1
}

# The two files for lighttpd differ in how they reach the responders and in nothing else.
test_alike() {
	for file in lighttpd-socket.conf lighttpd-bin-path.conf; do
		sed '/^var.responder/,$d; /^# /d' "conf/$file" >"$stack_folder/$file"
	done
	is "$(diff "$stack_folder/lighttpd-socket.conf" "$stack_folder/lighttpd-bin-path.conf")" '' \
		'the general part is the same in both files for lighttpd'
}

# Usage: is_unavailable NAME: the answer says that the pool is away, in the form of the responder's.
is_unavailable() {
	is "$status $body" '503 {"errMsg":"The service does not answer now, please try again"}' "$1: the sentence"
	is "$(header Retry-After) $(header Content-Type)$(answer_problem)" '2 application/json' "$1: its header"
}

# The same file, but a stuck pool is given up soon.
write_nginx_impatient() {
	write_nginx "$1"
	sed -i 's/fastcgi_read_timeout .*/fastcgi_read_timeout 1s;/' "$stack_folder/nginx.conf"
}

run_nginx_impatient() {
	run_nginx
}

# nginx's own errors and those of the responder look alike; neither stands in the other's way.
test_nginx_alone() {
	start_responder "SHORTEN_DATABASE=host=$stack_folder/nowhere" SHORTEN_QUEUE_TIMEOUT_MS=100
	start_server nginx_impatient
	nginx_pid=$stack_pid
	nginx_port=$stack_port
	FRONT=nginx
	call POST /shorten '{"srcUrl":"http://e.example/"}'
	is "$status $(header Vary)" '503 Accept' "nginx: the responder's own 503 passes"
	unlike "$body" '*does not answer now*' "nginx: with its own sentence"
	kill -s STOP "$responder_pid"
	call GET /hello
	is_unavailable 'nginx, the pool is stuck'
	kill -s CONT "$responder_pid"
	stop_responder
	rm -f "$responder_socket"
	call POST /shorten '{"srcUrl":"http://e.example/"}'
	is_unavailable 'nginx, the pool is away'
	call HEAD /hello
	is "$status $(header Retry-After)" '503 2' 'nginx, the pool is away: HEAD'
	call_raw 'GET /%%00 HTTP/1.1\r\nHost: x\r\n\r\n'
	is "$status $(header Retry-After)" '400 ' 'nginx without a pool still says what is malformed'
	stop_nginx
}

# What the web servers let through must be no less than what the responder takes by default.
test_limits() {
	FRONT=nginx
	head -c 65537 /dev/zero | tr '\0' ' ' >"$stack_folder/body"
	start_responder
	start_nginx
	start_lighttpd
	for FRONT in nginx lighttpd; do
		call -f "$stack_folder/body" POST /shorten
		like "$status $body" '413 {"errMsg":"The body must not be more than 65536 bytes"}' "$FRONT: the responder says what is too long"
		call -H 'X-A: b' -H 'Range: bytes=0-1' GET /hello
		is "$status $body" '200 Hello World!' "$FRONT: no ranges are cut out of answers"
		call -H 'Accept-Encoding: gzip' GET /hello
		is "$status $body" '200 Hello World!' "$FRONT: nothing is compressed"
	done
	stop_nginx
	stop_lighttpd
	stop_responder
}

start_database
test_syntax
test_alike
test_lighttpd_bin_path
test_lighttpd_without_database
test_spawn_fcgi
test_multiwatch
test_systemd shorten 4 "$responder_socket"
test_systemd shorten-api 2 "$responder_socket"
test_units
test_nginx_alone
test_limits
done_testing
