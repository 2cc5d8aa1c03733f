#!/bin/sh
# Each route with each method: what it answers, or 405 with Allow.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh

# PATH|methods it has|Allow
routes='/|GET HEAD|GET, HEAD
/hello|GET HEAD|GET, HEAD
/healthz|GET HEAD|GET, HEAD
/readyz|GET HEAD|GET, HEAD
/app/style.css|GET HEAD|GET, HEAD
/KnownLink|GET HEAD|GET, HEAD
/KnownLink/|GET HEAD|GET, HEAD
/UnknownLink|GET HEAD|GET, HEAD
/shorten|POST|POST'

has_method() {
	case " $1 " in *" $2 "*) return 0 ;; esac
	return 1
}

# lighttpd refuses a method that it does not know before anybody else sees it.
is_unknown_to_server() {
	[ "$FRONT" = lighttpd ] && [ "$1" = BREW ]
}

# Usage: try_method METHOD PATH METHODS ALLOW
try_method() {
	case $1 in
	GET | HEAD) call "$1" "$2" ;;
	*) call "$1" "$2" '{"srcUrl":"http://e.example/"}' ;;
	esac
	if is_unknown_to_server "$1"; then
		is "$status" 501 "$FRONT: $1 $2: lighttpd does not know it"
		return
	fi
	is "$(answer_problem)" '' "$FRONT: $1 $2: what every answer has"
	if has_method "$3" "$1"; then
		isnt "$status" 405 "$FRONT: $1 $2: has the method"
		is "$(header Allow)" '' "$FRONT: $1 $2: no Allow"
		return
	fi
	is "$status $(header Allow)" "405 $4" "$FRONT: $1 $2: status and Allow"
	[ "$1" = HEAD ] || is "$body" "{\"errMsg\":\"This path answers $4 only\"}" "$FRONT: $1 $2: the sentence"
}

try_routes() {
	while IFS='|' read -r path methods allow; do
		for method in GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND BREW; do
			try_method "$method" "$path" "$methods" "$allow"
		done
	done <<END
$routes
END
}

# There is nothing that a method could be missing from.
try_unknown_paths() {
	for method in GET POST PUT DELETE OPTIONS; do
		call "$method" /a/b "{}"
		is "$status $(header Allow)" '404 ' "$FRONT: $method on an unknown path"
	done
}

start_stack
sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ('KnownLink', 'http://e.example/', now(), now())"
for FRONT in $fronts; do
	try_routes
	try_unknown_paths
done
is "$(sql "SELECT count(*) FROM shortenedurls WHERE id <> 'KnownLink'")" "$(echo "$fronts" | wc -w)" 'only POST /shorten has stored anything'
done_testing
