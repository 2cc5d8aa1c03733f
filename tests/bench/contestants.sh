# shellcheck shell=sh disable=SC2034,SC2154 # stack.sh sets some of these variables, measure.sh reads others
# Those who are measured. Sourced behind stack.sh.
#
#   start_contestant NAME   ours-N-nginx, ours-N-lighttpd or fastify-N: N responders, or workers of a cluster.
#                           Sets $base_url
#   stop_contestant
#   contestant_pids         prints the pids of all its processes, its web server's included

fastify_pid=

is_ready() {
	is_running "$fastify_pid" && grep -qx ready "$stack_folder/fastify.out"
}

# $fastify_options is what libpq calls options. Visits of ours do not wait for the disk: Fastify's need not either.
start_fastify() {
	fastify_port=$(find_port)
	: >"$stack_folder/fastify.out"
	env NODE_ENV=production PORT="$fastify_port" WORKERS="$1" BASE_URL=http://test.short/ \
		DATABASE_SOCKET="$postgres_folder/socket" DATABASE_NAME="$database" DATABASE_USER=shorten \
		PGOPTIONS="${fastify_options-}" \
		build/bench/fastify/node_modules/node-linux-*/bin/node build/bench/fastify/server.js \
		>"$stack_folder/fastify.out" 2>&1 &
	fastify_pid=$!
	try 30 is_ready && return
	show_file "$stack_folder/fastify.out"
	bail_out 'Fastify does not start'
}

stop_fastify() {
	[ -n "$fastify_pid" ] || return 0
	fastify_children=$(children_of "$fastify_pid")
	stop_child "$fastify_pid" Fastify
	wait_for_children "$fastify_children"
	fastify_pid=
}

stop_others() {
	stop_fastify
}

# Load shows statuses only, so this looks at the rest: one link that is made, found in the answer, and followed.
# It goes again, so that its visit is not counted with others.
check_contestant() {
	target=https://example.com/checked
	link=$(curl -q -s --noproxy '*' -H 'Content-Type: application/json' -d "{\"srcUrl\":\"$target\"}" "$base_url/shorten" |
		sed -n "s|.*\"srcUrl\":\"$target\".*\"shortenedUrl\":\"[^\"]*/\([A-Za-z0-9_-]*\)\".*|\1|p")
	[ "$(curl -q -s --noproxy '*' -o /dev/null -w '%{http_code} %{redirect_url}' "$base_url/$link")" = "302 $target" ] ||
		bail_out "$1 does not do the job"
	sql "DELETE FROM shortenedurls WHERE id = '$link'"
}

start_contestant() {
	processes=$(printf '%s' "$1" | tr -dc 0-9)
	case $1 in
	ours-*-nginx)
		start_pool "$processes"
		start_nginx
		base_url=http://127.0.0.1:$nginx_port
		;;
	ours-*-lighttpd)
		start_pool "$processes"
		start_lighttpd
		base_url=http://127.0.0.1:$lighttpd_port
		;;
	fastify-*)
		start_fastify "$processes"
		base_url=http://127.0.0.1:$fastify_port
		;;
	*) bail_out "there is no contestant $1" ;;
	esac
	check_contestant "$1"
}

stop_contestant() {
	stop_nginx
	stop_lighttpd
	stop_pool
	stop_fastify
}

contestant_pids() {
	# shellcheck disable=SC2086 # pids
	printf '%s\n' $pool_pids
	for parent in $nginx_pid $lighttpd_pid $fastify_pid; do
		printf '%s\n' "$parent"
		children_of "$parent"
	done
}
