#!/bin/sh
# Settings and options: what is documented is what there is, and what is wrong is named.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

# Usage: run_program [VAR=VALUE]... PROGRAM [OPTION]...: sets $status, $out and $err. The limit is for
# a program that starts although it should not.
run_program() {
	status=0
	timeout 10 env "$@" >"$stack_folder/out" 2>"$stack_folder/err" </dev/null || status=$?
	out=$(cat "$stack_folder/out")
	err=$(cat "$stack_folder/err")
}

# ---- documentation

# Both as lines "NAME|default|meaning", the order included.
list_help() {
	"$stack_program" --help | sed -n 's/^ *\(SHORTEN_[A-Z_]*\) *\(.*\) (default: \(.*\))$/\1|\3|\2/p'
}

# shellcheck disable=SC2016 # back-ticks of the README
list_readme() {
	sed -n 's/^| *`\(SHORTEN_[A-Z_]*\)` *| *\([^|]*[^| ]\) *| *\([^|]*[^| ]\) *|$/\1|\2|\3/p' README.md | tr -d '`'
}

test_documents() {
	isnt "$(list_help | wc -l)" 0 '--help lists settings'
	is "$(list_readme)" "$(list_help)" 'the table of settings in README.md is that of --help'
	names=$(list_help | cut -d '|' -f 1)
	# PORT and the like are no settings of the program; only SHORTEN_... is looked at.
	used=$(grep -ohE 'SHORTEN_[A-Z_]+' conf/* sql/migrate README.md | sort -u)
	for name in $used; do
		ok "$name, which conf/, sql/ or README.md names, is a setting" is_among "$name" "$names"
	done
	is "$(printf '%s\n' "$names" | sort | uniq -d)" '' '--help names each setting once'
}

is_among() {
	printf '%s\n' "$2" | grep -qx "$1"
}

# ---- options

test_options() {
	run_program "$stack_program" --help
	is "$status $err" '0 ' '--help: status 0, nothing on standard error'
	like "$out" '*--check*--help*--version*SHORTEN_DATABASE*' '--help: names options and settings'
	run_program "$stack_program" --version
	is "$status|$out|$err" "0|shorten.fcgi $(sed -n 's/^VERSION = //p' Makefile)|" '--version: as the Makefile says'
	for option in --nonsense -h x --helpx ''; do
		run_program "$stack_program" "$option"
		is "$status $out" '1 ' "option '$option': status 1, nothing on standard output"
		like "$err" '*--check*' "option '$option': the help"
	done
	run_program "$stack_program" --check --version
	is "$status" 1 'two options'
	run_program "$stack_program"
	is "$status" 1 'started by hand: status 1'
	like "$err" '*error: descriptor 0 is no listening socket*' 'started by hand: the reason'
}

test_check() {
	run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$stack_program" --check
	is "$status|$out|$err" '0|The settings are good and the database can be used.|' '--check: all is well'
	run_program SHORTEN_DATABASE="postgresql://shorten@/$database?host=$postgres_folder/socket" "$stack_program" --check
	is "$status $err" '0 ' '--check: a URI'
	run_program PGHOST="$postgres_folder/socket" PGUSER=shorten PGDATABASE="$database" "$stack_program" --check
	is "$status $err" '0 ' "--check: libpq's own variables"
	run_program SHORTEN_DATABASE= PGHOST="$postgres_folder/socket" PGUSER=shorten PGDATABASE="$database" "$stack_program" --check
	is "$status $err" '0 ' "--check: an empty SHORTEN_DATABASE leaves it to them"
	while IFS='|' read -r conninfo words; do
		run_program SHORTEN_DATABASE="$conninfo" "$stack_program" --check
		is "$status $out" '1 ' "--check with $words: status 1, nothing on standard output"
		like "$err" "shorten.fcgi: the database cannot be used: *$words*" "--check with $words: the sentence"
		unlike "$err" '*sesame*' "--check with $words: no password in it"
		is "$(printf '%s\n' "$err" | wc -l)" 1 "--check with $words: one line"
	done <<END
host=$stack_folder/nowhere dbname=x password=sesame|No such file
host=$postgres_folder/socket user=shorten dbname=nonesuch password=sesame|nonesuch
host=$postgres_folder/socket user=shorten dbname=postgres|sql/migrate
$SHORTEN_DATABASE options='-c default_transaction_read_only=on'|read
nonsense=1 password=sesame|nonsense
postgresql://u:sesame@%zz/|invalid
END
}

# Usage: expect_unusable NAME WORDS: what run_program has left.
expect_unusable() {
	is "$status $out" '1 ' "--check: $1: status 1, nothing on standard output"
	like "$err" "*shorten.fcgi*$2*" "--check: $1: the sentence"
	is "$(printf '%s\n' "$err" | wc -l)" 1 "--check: $1: one line"
}

test_check_log() {
	run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$stack_folder/nowhere/log" "$stack_program" --check
	expect_unusable 'a log in no folder' "$stack_folder/nowhere/log"
	run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTEN_LOG="$stack_run/check.log" "$stack_program" --check
	is "$status|$out|$err" '0|The settings are good and the database can be used.|' '--check: a log that is not there yet'
}

# The tables' owner has only the rights that it leaves to itself.
test_check_rights() {
	while read -r rights; do
		sql "REVOKE $rights FROM shorten"
		run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$stack_program" --check
		expect_unusable "without $rights" 'the database cannot be used: ?'
		sql 'GRANT ALL ON ALL TABLES IN SCHEMA public TO shorten'
	done <<END
INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public
INSERT ON shortenedurls
UPDATE ON shortenedurls
INSERT, UPDATE, DELETE ON visit_writers
END
	run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$stack_program" --check
	is "$status $err" '0 ' '--check: with all rights again'
}

# ---- encodings

# Usage: make_database ENCODING: one with the tables; sets $other_database and $conninfo. sql/migrate would
# refuse to make them in some encodings.
make_database() {
	other_database=${database}_$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]')
	conninfo="host=$postgres_folder/socket user=shorten dbname=$other_database"
	createdb -h "$postgres_folder/socket" -U postgres -O shorten -E "$1" --locale=C -T template0 "$other_database" ||
		bail_out "no database with the encoding $1"
	for file in sql/[0-9]*.sql; do
		psql -XqAt -v ON_ERROR_STOP=1 -d "$conninfo" -1 -f "$file" >"$stack_folder/tables.out" 2>&1 ||
			fail "$file with $1"
	done
}

drop_database() {
	dropdb --force -h "$postgres_folder/socket" -U postgres "$other_database"
}

log_says() {
	grep -q "$1" "$responder_log"
}

# It would refuse URLs that are good.
test_other_encoding() {
	FRONT=cgi
	make_database LATIN1
	run_program SHORTEN_DATABASE="$conninfo" "$stack_program" --check
	expect_unusable 'LATIN1' UTF8
	: >"$responder_log"
	start_responder SHORTEN_DATABASE="$conninfo" SHORTEN_QUEUE_TIMEOUT_MS=300
	shorten 'https://example.com/latin'
	is "$status" 503 'LATIN1: no link is made'
	call GET /readyz
	is "$status" 503 'LATIN1: it is not ready'
	ok 'LATIN1: the log says what is wrong' try 5 log_says 'error: .*UTF8'
	stop_responder
	drop_database
}

# It stores any bytes as they are.
test_no_encoding() {
	make_database SQL_ASCII
	run_program SHORTEN_DATABASE="$conninfo" "$stack_program" --check
	is "$status|$out|$err" '0|The settings are good and the database can be used.|' '--check: SQL_ASCII'
	start_responder SHORTEN_DATABASE="$conninfo"
	shorten 'https://example.com/ä'
	call GET "/$id"
	is "$status $(header Location)" '302 https://example.com/%C3%A4' 'SQL_ASCII: a link is made and redirects'
	stop_responder
	drop_database
}

# ---- values

bad_values='SHORTEN_MAX_URL|9
SHORTEN_MAX_URL|2049
SHORTEN_MAX_URL|
SHORTEN_MAX_URL|x
SHORTEN_MAX_URL|-250
SHORTEN_MAX_URL|+250
SHORTEN_MAX_URL| 250
SHORTEN_MAX_URL|250 
SHORTEN_MAX_URL|0x100
SHORTEN_MAX_URL|2.5e2
SHORTEN_MAX_URL|99999999999999999999
SHORTEN_MAX_BODY|255
SHORTEN_MAX_BODY|16777217
SHORTEN_REDIRECT_STATUS|300
SHORTEN_REDIRECT_STATUS|303
SHORTEN_REDIRECT_STATUS|304
SHORTEN_REDIRECT_STATUS|0302
SHORTEN_REDIRECT_STATUS|
SHORTEN_REDIRECT_MAX_AGE|-1
SHORTEN_REDIRECT_MAX_AGE|31536001
SHORTEN_QUEUE_TIMEOUT_MS|9
SHORTEN_QUEUE_TIMEOUT_MS|60001
SHORTEN_QUEUE_MAX|0
SHORTEN_DATABASE_TIMEOUT_MS|99
SHORTEN_CONNECTIONS_MAX|0
SHORTEN_CONNECTIONS_MAX|100001
SHORTEN_LOG|
SHORTEN_LOG|file.log
SHORTEN_LOG|Syslog
SHORTEN_LOG_LEVEL|loud
SHORTEN_LOG_LEVEL|INFO
SHORTEN_LOG_LEVEL|
SHORTEN_BASE_URL|
SHORTEN_BASE_URL|test.short
SHORTEN_BASE_URL|http://test.short
SHORTEN_BASE_URL|ftp://test.short/
SHORTEN_BASE_URL|http://test.short/x
SHORTEN_BASE_URL|http://test.short/?x=/
SHORTEN_BASE_URL|http://test.short/#/
SHORTEN_BASE_URL|http:///
SHORTEN_BASE_URL|http://te st.short/
SHORTEN_BASE_URL|http://test.short:65536/'

good_values='SHORTEN_MAX_URL|10
SHORTEN_MAX_URL|2048
SHORTEN_MAX_BODY|256
SHORTEN_MAX_BODY|16777216
SHORTEN_REDIRECT_STATUS|301
SHORTEN_REDIRECT_STATUS|307
SHORTEN_REDIRECT_STATUS|308
SHORTEN_REDIRECT_MAX_AGE|0
SHORTEN_QUEUE_TIMEOUT_MS|60000
SHORTEN_CONNECTIONS_MAX|1
SHORTEN_LOG|stderr
SHORTEN_LOG|syslog
SHORTEN_LOG_LEVEL|debug
SHORTEN_LOG_LEVEL|error
SHORTEN_BASE_URL|https://s.example/
SHORTEN_BASE_URL|http://127.0.0.1:8080/
SHORTEN_BASE_URL|http://[::1]:8080/a/b/'

test_values() {
	while IFS='|' read -r name value; do
		run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$name=$value" "$stack_program" --check
		is "$status $out" '1 ' "$name='$value' is refused"
		like "$err" "shorten.fcgi: $name is '$value' but must be ?*" "$name='$value' is named, with what would be right"
	done <<END
$bad_values
END
	while IFS='|' read -r name value; do
		run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$name=$value" "$stack_program" --check
		is "$status $err" '0 ' "$name='$value' is accepted"
	done <<END
$good_values
END
}

test_unknown() {
	for name in SHORTEN_MAX_URLS SHORTEN_ SHORTEN_max_url SHORTEN_DATABASE_ SHORTEN_LO; do
		run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$name=1" "$stack_program" --check
		is "$status|$err" "1|shorten.fcgi: $name is not a setting; --help lists them" "$name is unknown and named"
	done
	run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" SHORTENED=1 XSHORTEN_MAX_URLS=1 "$stack_program" --check
	is "$status $err" '0 ' 'names that only resemble ours are not looked at'
}

# The same when it is started for real.
test_start() {
	while IFS='|' read -r setting words; do
		run_program SHORTEN_DATABASE="$SHORTEN_DATABASE" "$setting" spawn-fcgi -n -s "$stack_run/bad.sock" -- "$stack_program"
		is "$status" 1 "$setting stops the start"
		like "$err" "*$words*" "$setting: the reason names it"
	done <<END
SHORTEN_MAX_URLS=1|SHORTEN_MAX_URLS
SHORTEN_MAX_URL=9|SHORTEN_MAX_URL
SHORTEN_DATABASE=nonsense=1|nonsense
SHORTEN_LOG=$stack_folder/nowhere/log|cannot open the log $stack_folder/nowhere/log
END
}

# ---- the log

test_log() {
	FRONT=cgi
	log=$stack_run/other.log
	start_responder "SHORTEN_LOG=$log"
	like "$(cat "$log")" "????-??-??T??:??:??Z shorten.fcgi[[]$responder_pid] info: started, version *" 'a log in a file'
	mv "$log" "$log.1"
	kill -s HUP "$responder_pid"
	ok 'SIGHUP opens it anew, as logrotate wants' try 3 test -e "$log"
	stop_responder
	like "$(cat "$log")" '*info: stopped*' 'the new file has the rest'
	unlike "$(cat "$log.1")" '*stopped*' 'the old one has not'
	start_responder "SHORTEN_LOG=$log.error" SHORTEN_LOG_LEVEL=error
	stop_responder
	is "$(cat "$log.error")" '' 'SHORTEN_LOG_LEVEL=error: nothing to say'
	: >"$responder_log"
	start_pool 2 "SHORTEN_LOG=$log.pool"
	ok 'a log in a file under spawn-fcgi -F' try 5 has_lines 2 "$log.pool"
	stop_pool
}

has_lines() {
	[ "$(grep -c started "$2")" -eq "$1" ]
}

start_database
copy_program
test_documents
test_options
test_check
test_check_log
test_check_rights
test_other_encoding
test_no_encoding
test_values
test_unknown
test_start
test_log
done_testing
