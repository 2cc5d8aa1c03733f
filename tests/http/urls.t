#!/bin/sh
# Each vector of urls.tsv, through all three fronts: what is ok is created and followed, its Location
# compared byte for byte; what is bad gets 400 with the right sentence and makes no row.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

vectors=tests/http/urls.tsv

send() {
	perl tests/lib/bulk.pl "$(front_address)"
}

report() {
	while IFS= read -r line; do
		name=${line#* }
		case $line in
		pass*) pass "$FRONT: ${name%%	*}" ;;
		*)
			fail "$FRONT: ${name%%	*}"
			diag "${name#*	}"
			;;
		esac
	done <"$stack_folder/compared"
}

try_vectors() {
	sql 'TRUNCATE shortenedurls'
	perl tests/http/urls.pl requests "$vectors" | send >"$stack_folder/created"
	perl tests/http/urls.pl follow "$stack_folder/created" | send >"$stack_folder/followed"
	sql "SELECT id, encode(convert_to(srcurl, 'UTF8'), 'hex') FROM shortenedurls" >"$stack_folder/rows"
	perl tests/http/urls.pl compare "$vectors" "$stack_folder/created" "$stack_folder/followed" "$stack_folder/rows" \
		>"$stack_folder/compared"
	report
}

start_stack SHORTEN_MAX_URL=2048
tried_before=0
for FRONT in $fronts; do
	try_vectors
	is "$((tap_count - tried_before))" "$(($(grep -c '^[^#]' "$vectors") + 1))" "$FRONT: all vectors were tried"
	tried_before=$tap_count
done
ok 'the responder is the same' is_running "$responder_pid"
done_testing
