# shellcheck shell=sh disable=SC2034,SC2154 # stack.sh sets some of these variables, run and growth read others
# One run: load on a contestant, what it used meanwhile, and whether every answer was right. Sourced behind
# contestants.sh and facts.sh.
#
#   fill_links COUNT URL_SIZE VISITED   puts so many links into an empty table, created at $fill_time, and the
#                                       ids of so many that will be visited into $ids_file
#   measure EXPERIMENT CONNECTIONS REQUESTS   for a contestant that is started
#   measure_pgbench EXPERIMENT CLIENTS REQUESTS
#       Each sets $answered $failed $seconds $p50 $p99 $cpu_s $postgres_cpu_s $memory_mb, with - for what is
#       unknown, or ends the benchmark when an answer was wrong or is missing.
#   open_results NAME KEY...   begins the file of results NAME.tsv, whose runs are told apart by these columns;
#                              what is in it when the benchmark is cut short stays, as NAME.tsv.partial
#   write_row VALUE...         appends a run: a value for each of them, and what was measured. Sets $rate
#   close_results NAME         completes the file, and makes tables and charts of it
#
# EXPERIMENT: shorten, redirect, hello; insert and select for pgbench. Set before: $url_size, $results

ticks_per_s=$(getconf CLK_TCK)
ids_file=$stack_folder/ids

# ---- what processes use

# User and system time of these processes, all their threads included (proc(5), fields 14 and 15 of stat).
cpu_s() {
	for pid; do
		sed 's/.*) //' "/proc/$pid/stat"
	done | awk -v ticks_per_s="$ticks_per_s" '{ sum += $12 + $13 } END { printf "%.2f\n", sum / ticks_per_s }'
}

# The same of all of PostgreSQL, with what has ended meanwhile, such as autovacuum (fields 16 and 17).
postgres_cpu_s() {
	postmaster=$(head -n 1 "$postgres_folder/data/postmaster.pid")
	ended=$(sed 's/.*) //' "/proc/$postmaster/stat" | awk -v ticks="$ticks_per_s" '{ print ($14 + $15) / ticks }')
	# shellcheck disable=SC2046 # pids
	cpu_s "$postmaster" $(children_of "$postmaster") 2>/dev/null | awk -v ended="$ended" '{ print $1 + ended }'
}

# What several processes share counts once: the sum of their proportional set sizes.
memory_mb() {
	for pid; do
		sed -n 's/^Pss: *\([0-9]*\) kB/\1/p' "/proc/$pid/smaps_rollup"
	done | awk '{ sum += $1 } END { printf "%.1f\n", sum * 1024 / 1e6 }'
}

difference() {
	awk -v after="$1" -v before="$2" 'BEGIN { printf "%.2f\n", after - before }'
}

# ---- the table

# Multiplied by an odd number, modulo a power of two, each number gives another one, as good as at random.
id_of_number="lpad(to_hex(i::bigint * 662840267 & x'ffffffffff'::bigint), 10, '0')"
fill_time=2020-01-01

# An index that is made at the end is made many times faster.
fill_links() {
	sql 'ALTER TABLE shortenedurls DROP CONSTRAINT shortenedurls_pkey'
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT $id_of_number, rpad('https://example.com/a/' || to_hex(i), $2, 'a'), '$fill_time', '$fill_time'
		FROM generate_series(1, $1) AS i"
	sql 'ALTER TABLE shortenedurls ADD CONSTRAINT shortenedurls_pkey PRIMARY KEY (id)'
	sql 'VACUUM ANALYZE shortenedurls'
	sql "SELECT $id_of_number FROM generate_series(1, $1, greatest(1, $1 / $3)) AS i" >"$ids_file"
}

empty_table() {
	sql 'TRUNCATE shortenedurls'
}

count_links() {
	sql 'SELECT count(*) FROM shortenedurls'
}

count_visits() {
	sql 'SELECT sum(visits) FROM shortenedurls'
}

has_visits() {
	[ "$(count_visits)" = "$1" ]
}

# ---- a run

fail_run() {
	printf 'FAILED: %s\n' "$1" >&2
	exit 1
}

# load EXPERIMENT CONNECTIONS REQUESTS: sets $answered $failed $seconds $p50 $p99
load() {
	case $1 in
	shorten) set -- "$1" "$2" "$3" /shorten 200 "$url_size" ;;
	redirect) set -- "$1" "$2" "$3" / 302 "$ids_file" ;;
	hello) set -- "$1" "$2" "$3" /hello 200 ;;
	esac
	# wrk ends by itself when all is answered; the time is for a contestant that does not.
	result=$(wrk -t1 -c"$2" -d"$(($3 / 100 + 60))" -s "tests/bench/$1.lua" "$base_url$4" -- "$3" "$2" "$5" ${6+"$6"} |
		sed -n 's/^RESULT //p')
	read -r answered failed seconds p50 p99 <<END
$result
END
	[ "$answered" = "$3" ] || fail_run "$answered answers to $3 requests"
	[ "$failed" = 0 ] || fail_run "$failed of $3 answers were wrong"
}

# What is stored must be what was answered.
check_stored() {
	case $1 in
	shorten) [ "$(count_links)" = "$2" ] || fail_run "$2 links were made, but $(count_links) are in the table" ;;
	redirect) try 15 has_visits "$2" || fail_run "$2 redirects, but $(count_visits) visits" ;;
	esac
}

count_stored() {
	case $1 in
	shorten) count_links ;;
	redirect) count_visits ;;
	hello) echo 0 ;;
	esac
}

# Visits of ours are written up to a second later. Those of a warm-up of more than a second are still coming in
# when the run begins, as those of its end come in when it is over: so it has its full share of this work.
# Node.js compiles what is used often, and is a third faster then.
requests_to_warm_up() {
	case "$1 $contestant" in
	'redirect ours'*) echo 60000 ;;
	*fastify*) echo $((4000 * processes)) ;;
	*) echo $((1000 * processes)) ;;
	esac
}

measure() {
	# shellcheck disable=SC2046 # pids
	set -- "$1" "$2" "$3" $(contestant_pids)
	experiment=$1 connections=$2 requests=$3
	shift 3
	sql CHECKPOINT
	before=$(count_stored "$experiment")
	load "$experiment" "$connections" "$(requests_to_warm_up "$experiment")"
	before=$((before + answered))
	cpu_before=$(cpu_s "$@")
	postgres_before=$(postgres_cpu_s)
	load "$experiment" "$connections" "$requests"
	cpu_s=$(difference "$(cpu_s "$@")" "$cpu_before")
	postgres_cpu_s=$(difference "$(postgres_cpu_s)" "$postgres_before")
	memory_mb=$(memory_mb "$@")
	check_stored "$experiment" $((before + answered))
}

# run_pgbench EXPERIMENT CLIENTS REQUESTS: sets $answered
run_pgbench() {
	transactions=$(($3 / $2))
	threads=$(($2 < $(nproc) ? $2 : $(nproc)))
	log=$stack_folder/pgbench.out
	pgbench -n -M prepared -c "$2" -j "$threads" -t "$transactions" -f "tests/bench/$1.sql" \
		-h "$postgres_folder/socket" -U shorten "$database" >"$log" 2>&1 || { show_file "$log"; fail_run pgbench; }
	answered=$((transactions * $2))
}

# The same rows as ours, each in a statement of its own, as many connections, and nothing else.
measure_pgbench() {
	sql CHECKPOINT
	run_pgbench "$1" "$2" 1000
	before=$(count_links)
	run_pgbench "$@"
	[ "$1" = select ] || [ "$(count_links)" = $((before + answered)) ] ||
		fail_run "$answered inserts, but $(count_links) rows"
	seconds=$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$log" | awk -v answered="$answered" '{ printf "%.4f\n", answered / $1 }')
	failed=- p50=- p99=- cpu_s=- postgres_cpu_s=- memory_mb=-
}

# ---- the file of results

open_results() {
	mkdir -p "$results"
	rows=$results/$1.tsv.partial
	shift
	print_facts >"$rows"
	for name in "$@" requests failed seconds rate p50_ms p99_ms cpu_s postgres_cpu_s; do
		printf '%s\t' "$name"
	done >>"$rows"
	printf 'memory_mb\n' >>"$rows"
}

write_row() {
	rate=$(awk -v answered="$answered" -v seconds="$seconds" 'BEGIN { printf "%.0f\n", answered / seconds }')
	for value in "$@" "$answered" "$failed" "$seconds" "$rate" "$p50" "$p99" "$cpu_s" "$postgres_cpu_s"; do
		printf '%s\t' "$value"
	done >>"$rows"
	printf '%s\n' "$memory_mb" >>"$rows"
}

close_results() {
	mv "$rows" "$results/$1.tsv"
	tests/bench/report "$results"
}
