#!/bin/sh
# SHORTEN_DATABASE names two hosts, of which the first is silent, refuses, or may only be read.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# shellcheck disable=SC2034 # for call.sh
FRONT=cgi

first_host=$stack_run/first
listener_pid=

# A socket where PostgreSQL's would be; with "listen" it takes connections and never says a word.
# shellcheck disable=SC2016 # Perl's
listener='
	use IO::Socket::UNIX;
	my $socket = IO::Socket::UNIX->new(Local => "$ARGV[0]/.s.PGSQL.5432", Listen => 100) or die "$ARGV[0]: $!\n";
	chmod 0777, "$ARGV[0]/.s.PGSQL.5432";
	exit unless $ARGV[1] eq "listen";
	my ($parent, @kept) = getppid;
	while (getppid == $parent) {
		vec(my $ready = "", fileno $socket, 1) = 1;
		push @kept, $socket->accept if select $ready, undef, undef, 0.2;
	}'

start_silent_host() {
	rm -f "$first_host/.s.PGSQL.5432"
	perl -e "$listener" "$first_host" listen &
	listener_pid=$!
	try 5 test -S "$first_host/.s.PGSQL.5432" || bail_out 'the silent host does not start'
}

stop_silent_host() {
	kill "$listener_pid"
	wait "$listener_pid" 2>/dev/null
}

# Nobody listens on the socket that is left behind.
make_refusing_host() {
	rm -f "$first_host/.s.PGSQL.5432"
	perl -e "$listener" "$first_host" leave
}

# Usage: expect_service NAME LIMIT_S
expect_service() {
	began_ms=$(now_ms)
	ok "$1: /readyz within $2 s" try "$2" is_ready
	diag_ms=$(($(now_ms) - began_ms))
	shorten 'https://example.com/hosts'
	is "$status" 200 "$1: a link is made (ready after $diag_ms ms)"
	call GET "/$id"
	is "$status $(header Location)" '302 https://example.com/hosts' "$1: and redirects"
}

test_silent() {
	start_silent_host
	start_responder "SHORTEN_DATABASE=host=$first_host,$both" SHORTEN_DATABASE_TIMEOUT_MS=1000
	expect_service 'the first is silent' 6
	stop_responder
	stop_silent_host
}

test_refusing() {
	make_refusing_host
	start_responder "SHORTEN_DATABASE=host=$first_host,$both" SHORTEN_DATABASE_TIMEOUT_MS=1000
	expect_service 'the first refuses' 2
	stop_responder
}

# What a fail-over leaves: the first host answers, but is no longer the primary.
test_read_only() {
	start_responder "SHORTEN_DATABASE=host=$read_only_folder/socket,$both target_session_attrs=read-write"
	expect_service 'the first may only be read' 2
	is "$(psql -XqAt -h "$read_only_folder/socket" -U postgres -d "$database" -c 'SELECT count(*) FROM shortenedurls')" 0 \
		'the first may only be read: nothing is written there'
	stop_responder
}

# The database that all tests share a server for may only be read; the one that may be written has its name
# and is on a server of its own.
start_both() {
	start_database
	sql "ALTER DATABASE $database SET default_transaction_read_only = on"
	read_only_folder=$postgres_folder
	both_name=$database
	start_postgres
	sql "CREATE DATABASE $both_name OWNER shorten TEMPLATE shorten"
	database=$both_name
	both="$postgres_folder/socket dbname=$both_name user=shorten"
}

install -d -m 0755 "$first_host"
start_both
test_silent
test_refusing
test_read_only
dropdb --force -h "$read_only_folder/socket" -U postgres "$both_name"
done_testing
