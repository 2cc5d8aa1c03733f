#!/bin/sh
# The rules of the code that a command can check: includes point down, one door per library, headers
# that compile alone, functions that fit on a screen.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A module is a .c with its .h. "a b" means: a includes b.
list_includes() {
	for file in fcgi/*.[ch] fcgi/ctl/*.[ch]; do
		module=${file##*/}
		module=${module%.*}
		sed -n 's/^#include "\(.*\)\.h"$/\1/p' "$file" | while read -r included; do
			[ "$module" = "$included" ] || printf '%s %s\n' "$module" "$included"
		done
	done | sort -u
}

test_layers() {
	list_includes >"$folder/includes"
	tsort "$folder/includes" >/dev/null 2>"$folder/circles"
	is "$(cat "$folder/circles")" '' 'no module includes one that includes it'
	is "$(awk '$2 == "main"' "$folder/includes")" '' 'nobody includes main'
	is "$(sed -n 's/^#include "\(.*\)\.h"$/\1/p' fcgi/*.[ch] | while read -r included; do
		[ -e "fcgi/$included.h" ] || echo "$included"
	done)" '' 'the responder includes nothing of shortenctl'
}

# Handlers do not know the database or the gateway; nothing below the handlers knows requests.
test_floors() {
	is "$(awk '$1 ~ /^(handle|router|answer|access|create|bulk|link_input|link_member)/ && $2 ~ /^(database|gateway|loop$)/' "$folder/includes" | grep -v '^handle ')" '' \
		'handlers know neither gateway nor database'
	is "$(awk '$1 ~ /^(links|link_rules|creation|keys|store|database|visit|url|id$|loop|utf8|digest|rfc3339|robots)/ && $2 ~ /^(http|router|answer|handle|gateway|pages|json|form_body)/' "$folder/includes")" '' \
		'links and what is below know no requests'
	is "$(awk '$1 ~ /^gateway/ && $2 !~ /^(gateway|http$|loop$|log$|memory_reserve$|result$)/' "$folder/includes")" '' \
		'the gateway knows requests, the loop, the log and memory, no more'
}

# includers HEADER-PATTERN: the modules that include such a system header.
includers() {
	grep -lE "^#include <($1)>" fcgi/*.[ch] | sed 's,.*/,,;s,\..*,,' | sort -u | tr '\n' ' '
}

test_doors() {
	is "$(includers 'fcgi.*')" 'gateway gateway_body gateway_peer gateway_response ' 'libfcgi: gateway'
	is "$(includers 'libpq.*|pg_config.*|postgres.*')" 'database database_batch database_connection database_hosts database_session database_sharing store store_keys store_list store_manage ' 'libpq: database and store'
	is "$(includers 'json.*')" 'json_body ' 'json-c: json_body'
	is "$(grep -lE '^#include <(libpq|openssl|json)' fcgi/ctl/*.[ch])" 'fcgi/ctl/ctl_database.c' 'shortenctl has one door, to libpq'
	is "$(includers 'openssl/.*')" 'digest ' 'libcrypto: digest'
	is "$(includers 'unicode/.*')" 'url_host ' 'ICU: url_host'
	is "$(includers 'sys/epoll.h')" 'database_connection gateway gateway_listener loop ' 'epoll: the loop, and the names of its bits'
	is "$(grep -lE 'SELECT|INSERT INTO|UPDATE ' fcgi/*.c)" 'fcgi/store_statements.c' 'SQL: store_statements'
}

test_headers() {
	for header in fcgi/*.h fcgi/ctl/*.h; do
		ok "$header compiles alone" \
			cc -std=c11 -D_GNU_SOURCE -Ifcgi -Ifcgi/ctl -Wall -Wextra -Werror -x c -fsyntax-only "$header"
	done
	is "$(grep -LE '^#ifndef [A-Z_0-9]+_H$' fcgi/*.h fcgi/ctl/*.h)" '' 'every header has a guard'
}

# A function starts at the line before its opening brace in column 1 and ends with one in column 1.
list_long_functions() {
	awk '/^\{/ { start = FNR } /^\}/ { if (start && FNR - start > 60) print FILENAME ":" start; start = 0 }' "$@"
}

test_shape() {
	is "$(list_long_functions fcgi/*.c fcgi/ctl/*.c tests/*/*.c)" '' 'no function has more than 60 lines'
	is "$(for file in fcgi/*.c fcgi/ctl/*.c tests/*/*.c; do head -n 1 "$file" | grep -qE '^/\* [A-Z].{20}' || echo "$file"; done)" '' \
		'the first line of each file says its job'
	is "$(grep -nE '\<(strcpy|strcat|sprintf|vsprintf|strncpy|atoi|atol|gets)\(' fcgi/*.c fcgi/ctl/*.c tests/*/*.c)" '' \
		'none of the functions that overflow'
	is "$(grep -nE 'default:' fcgi/handle_*.c fcgi/answer.c fcgi/links.c)" '' 'switches over results name every result'
}

# Every route of the table is described in the README.
test_routes() {
	sed -n 's/^\t{ "\([^"]*\)", .*, handle_.* },$/\1/p' fcgi/router.c >"$folder/routes"
	while read -r path; do
		ok "/$path is in the README" grep -qF "/$path" README.md
	done <"$folder/routes"
}

# The map of the code names every module; handle_* stands for the endpoints.
test_map() {
	for file in fcgi/*.c fcgi/ctl/*.c fcgi/database_*.h; do
		module=${file##*/}
		module=${module%.*}
		case $module in handle_*) module='handle_*' ;; esac
		grep -qF "\`$module\`" README.md || echo "$module"
	done >"$folder/unmapped"
	is "$(cat "$folder/unmapped")" '' 'the map in the README names every module'
}

test_top() {
	is "$(find . -mindepth 1 -maxdepth 1 ! -name '.*' | sed 's,^[.]/,,' |
		grep -vxE 'fcgi|conf|sql|tests|Makefile|README.md|build')" '' 'nothing else lies at the top'
}

test_layers
test_floors
test_doors
test_headers
test_shape
test_routes
test_map
test_top
done_testing
