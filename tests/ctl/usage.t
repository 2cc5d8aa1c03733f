#!/bin/sh
# shortenctl: its help, wrong command lines, settings, and databases that cannot be used.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

verbs='key add
key list
key revoke
link add
link show
link edit
link delete
link list
import
export
prune
migrate
status'

# Help needs neither a database nor good settings.
test_help() {
	ctl --help
	is "$status $err" '0 ' '--help: status 0, nothing on standard error'
	overview=$out
	while read -r verb; do
		like "$overview" "*
  $verb *" "--help names $verb"
		# shellcheck disable=SC2086 # two words
		SHORTEN_DATABASE='host=/nowhere' ctl $verb --help
		is "$status $err" '0 ' "$verb --help: status 0, nothing on standard error"
		like "$out" "Usage: shortenctl $verb*
Example*shortenctl $verb*" "$verb --help: usage, and an example"
		is "$(printf '%s\n' "$out" | awk 'length($0) > 125')" '' "$verb --help: no line is too long"
	done <<LIST
$verbs
LIST
	is "$(printf '%s\n' "$overview" | grep -c '^  [a-z]* *[a-z]*  ')" "$(printf '%s\n' "$verbs" | wc -l)" '--help names no other verb'
	ctl link --help
	like "$status $out" '0 Usage: shortenctl link VERB*link add*link list*' 'link --help'
	unlike "$out" '*key add*' 'link --help is about links'
	ctl --version
	is "$status $out" "0 shortenctl $(sed -n 's/^VERSION = //p' Makefile)" '--version'
}

# wrong PATTERN ARGUMENT...: status 2, one line on standard error.
wrong() {
	pattern=$1
	shift
	ctl "$@" </dev/null
	is "$status $out" '2 ' "wrong: shortenctl $*: status 2, nothing on standard output"
	like "$err" "shortenctl: $pattern; see: shortenctl *--help" "wrong: shortenctl $*: the sentence"
	is "$(printf '%s\n' "$err" | wc -l)" 1 "wrong: shortenctl $*: one line"
}

test_wrong() {
	wrong 'What is to be done?'
	wrong 'There is no verb nonsense' nonsense
	wrong 'There is no verb link nonsense' link nonsense
	wrong 'What is to be done with a key?' key
	wrong 'Wanted: a label' key add
	wrong 'Wanted: a label' key add a b
	wrong 'A label must have 1 to 100 characters' key add ''
	wrong 'A label must not contain control characters' key add "$(printf 'a\033[31m')"
	wrong 'A label must be valid UTF-8' key add "$(printf 'a\377')"
	wrong 'There is no option --force' key list --force
	wrong 'Wanted: no argument' key list a
	wrong 'Wanted: the id or the label of a key' key revoke
	wrong 'Wanted: a URL' link add
	wrong 'There is more than one URL' link add http://a.example/ http://b.example/
	wrong 'There is no option --slag' link add http://a.example/ --slag a
	wrong '--slug needs a value' link add http://a.example/ --slug
	wrong '--forward-query takes no value' link add http://a.example/ --forward-query=yes
	wrong 'There is no option --disable' link add http://a.example/ --disable
	wrong 'Wanted: the id of a link' link show
	wrong 'There is more than one id' link show a b
	wrong 'Wanted: the id of a link' link edit
	wrong 'Wanted: the id of a link' link edit --enable
	wrong 'Nothing is to be changed' link edit a
	wrong 'There is no option --slug' link edit a --slug b
	wrong 'Wanted: the id of a link' link delete
	wrong '--sort must be created, visits or lastAccessed' link list --sort size
	wrong '--limit must be a whole number from 1 to 100000' link list --limit 0
	wrong '--limit must be a whole number from 1 to 100000' link list --limit 5x
	wrong "'spring' is no option; to search for it: --search" link list spring
	wrong 'Wanted: a file, or - for standard input' import
	wrong 'There is more than one file' import a b
	wrong '--format must be auto, shorten, shlink, yourls, kutt or bitly' import a --format csv
	wrong 'Wanted: no argument*' export a
	wrong '--days must be a whole number from 1 to 36500' prune --days 0
	wrong "'7' is no option" prune 7
	wrong 'Wanted: no argument' migrate now
	wrong 'Wanted: no argument' status now
}

test_settings() {
	SHORTEN_BASE_URL=nonsense
	export SHORTEN_BASE_URL
	ctl status
	like "$status $out $err" "1  shortenctl: SHORTEN_BASE_URL is 'nonsense' but must be *" 'a bad setting is named'
	SHORTEN_BASE_URL=http://test.short/
	SHORTEN_BASE_URI=https://s.example/ ctl status
	like "$status $err" '1 shortenctl: SHORTEN_BASE_URI is not a setting*' 'an unknown setting is named'
	SHORTEN_BASE_URL=https://s.example/x/ ctl link add https://example.com/ --slug based
	is "$status $out" '0 https://s.example/x/based' 'SHORTEN_BASE_URL is what short URLs begin with'
	SHORTEN_MAX_URL=30 ctl link add https://example.com/a/longer/path
	like "$status $err" "2 shortenctl: 'srcUrl' must not be more than 30 characters*" 'SHORTEN_MAX_URL is the longest URL'
	saved=$SHORTEN_DATABASE
	SHORTEN_DATABASE=
	PGHOST=$postgres_folder/socket PGUSER=shorten PGDATABASE=$database ctl status
	is "$status $err" '0 ' "without SHORTEN_DATABASE libpq's own variables count"
	SHORTEN_DATABASE=$saved
}

# Where short URLs are written or compared there must be a base URL.
test_no_base_url() {
	ctl link add https://example.com/ --slug nobase
	unset SHORTEN_BASE_URL
	needs='shortenctl: SHORTEN_BASE_URL is not set; it is what short URLs begin with, as the responders have it'
	for verb in 'link add https://example.com/' 'link add http://test.short/a' 'link edit nobase --url https://example.com/b' \
		'link show nobase' 'link list' "import $stack_checkout/tests/ctl/shlink.csv" 'link delete http://test.short/nobase' \
		'link edit http://test.short/nobase --disable'; do
		# shellcheck disable=SC2086 # words
		ctl $verb
		is "$status $out$reading $err" "1  $needs" "no base URL: $verb"
	done
	for verb in 'key list' export prune migrate status 'link edit nobase --title a' 'link delete nobase'; do
		# shellcheck disable=SC2086 # words
		ctl $verb
		is "$status $err" '0 ' "no base URL: $verb works"
	done
	SHORTEN_BASE_URL=http://test.short/
	export SHORTEN_BASE_URL
}

# Whatever goes wrong, a password is not printed.
test_unusable() {
	saved=$SHORTEN_DATABASE
	for SHORTEN_DATABASE in "host=$stack_folder password=Sesame" 'postgresql://shorten:Sesame@127.0.0.1:1/shorten' \
		'postgres//shorten:Sesame@127.0.0.1:1/shorten' 'host=127.0.0.1 port=1 pass=Sesame' 'host=/nowhere password=open Sesame'; do
		for verb in status export 'key list' 'link list' prune "import $stack_checkout/tests/ctl/shlink.csv"; do
			# shellcheck disable=SC2086 # words
			ctl $verb
			is "$status" 1 "no database: $verb: status 1"
			is "$(printf '%s\n' "$err" | wc -l)" 1 "no database: $verb: one line"
			like "$err" 'shortenctl: ?*' "no database: $verb: the sentence"
			unlike "$out$err" '*Sesame*' "no database: $verb: no password"
		done
	done
	SHORTEN_DATABASE=
	PGHOST=$stack_folder ctl key list
	like "$status $err" '1 shortenctl: The database cannot be reached: * (SHORTEN_DATABASE is not set)' 'no database: SHORTEN_DATABASE is not set'
	SHORTEN_DATABASE="host=$stack_folder"
	ctl key list
	unlike "$err" '*is not set*' 'no database: SHORTEN_DATABASE is set'
	SHORTEN_DATABASE=$saved
	sql 'ALTER TABLE shortenedurls RENAME TO other'
	for verb in status export 'link list' prune 'link add https://example.com/' "import $stack_checkout/tests/ctl/shlink.csv"; do
		# shellcheck disable=SC2086 # words
		ctl $verb
		is "$status $err" '1 shortenctl: The database has not the tables of this version; run: shortenctl migrate' \
			"no tables: $verb"
	done
	sql 'ALTER TABLE other RENAME TO shortenedurls'
	ctl status
	is "$status $err" '0 ' 'the tables are back'
}

# A reader that goes is no error to speak of; a disk that is full is one.
test_output() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT 'n' || i, 'http://e.example/' || i, now(), now() FROM generate_series(1, 20000) i"
	export SHORTEN_DATABASE
	"$ctl_program" export 2>"$stack_folder/err" | head -n 1 >"$stack_folder/out"
	is "$(cat "$stack_folder/out" "$stack_folder/err" | cut -c 1-9)" 'id,srcUrl' 'export into a pipe that is closed: quiet'
	perl -e '$SIG{PIPE} = "IGNORE"; exec @ARGV' "$ctl_program" export 2>"$stack_folder/err" | head -n 1 >"$stack_folder/out"
	is "$(cat "$stack_folder/err")" '' 'the same where SIGPIPE is ignored: quiet'
	status=0
	"$ctl_program" export >/dev/full 2>"$stack_folder/err" || status=$?
	is "$status $(cat "$stack_folder/err")" '1 shortenctl: Standard output cannot be written: No space left on device' \
		'a full disk is said'
	status=0
	"$ctl_program" key list >/dev/full 2>"$stack_folder/err" || status=$?
	is "$status" 1 'a full disk: status 1 for short outputs, too'
}

test_help
test_wrong
test_settings
test_no_base_url
test_unusable
test_output
done_testing
