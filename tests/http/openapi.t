#!/bin/sh
# The OpenAPI description: it is whole, every request that it describes is answered as it says, and nothing else is
# answered.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/lib/call.sh
. tests/lib/manage.sh

document=fcgi/www/openapi.json
marks=$stack_folder/marks
results=$stack_folder/results
KEY=$key
REVOKED_KEY=$other_key
export KEY REVOKED_KEY

# ---- what the table needs

# Links that no request can make: used up, and visited before.
insert_links() {
	for FRONT in cgi lighttpd nginx; do
		insert_link "$FRONT-used" maxvisits 1 visits 1
		insert_link "$FRONT-gone" deleted 'now()'
		insert_link "$FRONT-stat" title "'Visited'"
		sql "INSERT INTO visits_by_day (id, day, visits, robots) VALUES
			('$FRONT-stat', (now() AT TIME ZONE 'UTC')::date - 1, 5, 2), ('$FRONT-stat', '2020-02-29', 0, 1)"
	done
	insert_link V1StGXR8_Z
}

insert_keys() {
	insert_key
	sql "INSERT INTO api_keys (id, hash, label, created, revoked)
		VALUES ('TestKey-02', sha256('$REVOKED_KEY'::bytea), 'revoked', now(), now())"
}

# ---- what openapi.pl prints

report() {
	[ -s "$results" ] || fail "$1: no results"
	while IFS= read -r line; do
		name=${line#* }
		case $line in
		pass*) pass "$1: ${name%%	*}" ;;
		*)
			fail "$1: ${name%%	*}"
			diag "${name#*	}"
			;;
		esac
	done <"$results"
}

look_at() {
	perl tests/http/openapi_document.pl "$@"
}

# Usage: send ACTION
send() {
	perl tests/http/openapi.pl "$1" "$document" "$FRONT" "$(front_address)" "$marks" >"$results" ||
		fail "$FRONT: $1 did not end well"
	report "$FRONT"
}

# ---- the document by itself

test_document() {
	look_at check "$document" >"$results" || fail 'the check did not end well'
	report 'the document'
	is "$(sed -n 's/^\t\t"version": "\(.*\)",$/\1/p' "$document")" "$(sed -n 's/^VERSION = //p' Makefile)" \
		'its version is that of the program'
}

# Usage: has_names POINTER NAME...
has_names() {
	names_at=$1
	shift
	is "$(look_at names "$document" "#/$names_at")" "$*" "what $names_at has"
}

test_names() {
	has_names components/schemas/NewLink/properties expires forwardQuery maxVisits redirectStatus reuse slug srcUrl tags \
		title validFrom
	has_names components/schemas/NewLinkForm/properties expires forwardQuery maxVisits redirectStatus reuse slug srcUrl \
		tags title validFrom
	has_names components/schemas/LinkEdit/properties enabled expires forwardQuery maxVisits redirectStatus srcUrl tags \
		title validFrom
	has_names components/schemas/Link/properties created enabled expires forwardQuery id lastAccessed maxVisits \
		redirectStatus shortenedUrl srcUrl tags title validFrom visits
	has_names paths/~1api~1links/get/parameters search tag sort limit after
	has_names 'paths/~1api~1links~1{id}~1visits/get/parameters' from to by
}

# What the router's table answers, in the words of the document. "ID/" is the same as "ID".
test_routes() {
	sed -n 's/^\t{ "\([^"]*\)", \([A-Z_ |]*\), handle_[a-z_]* },$/\/\1 \2/p' fcgi/router.c |
		sed -e 's/HTTP_//g' -e 's/READING/GET HEAD/' -e 's/ |//g' -e '/^\/ID\/ /d' -e 's/\/ID/\/{id}/' |
		awk '{ path = $1; sub(/[^ ]* /, ""); methods[path] = methods[path] " " $0 }
			END { for (path in methods) print path methods[path] }' | sort >"$stack_folder/routes"
	is "$(look_at paths "$document")" "$(cat "$stack_folder/routes")" "its paths and methods are the router's"
}

test_served() {
	call GET /api/openapi.json
	is "$status" 200 "$FRONT: it is served"
	ok "$FRONT: byte for byte" cmp -s "$call_answer.body" "$document"
}

# ---- what it says

try_calls() {
	send calls <<'END_OF_TABLE'
200|GET /
200|GET /hello
200|GET /healthz
200|GET /readyz
200|GET /app/style.css
200|GET /api/openapi.json
# POST /shorten
200|POST /shorten||{"srcUrl":"https://e.example/<front>"}
200|POST /shorten|json|{"srcUrl":"  HTTPS://e.example/ü \t","reuse":true,"slug":null,"title":null,"tags":null}
200|POST /shorten|html|{"srcUrl":"https://e.example/"}
200|POST /shorten|form html|srcUrl=https%3A%2F%2Fe.example%2F
200|POST /shorten|form|srcUrl=https://e.example/&reuse=true&slug=&tags=
200|POST /shorten|form key|srcUrl=https://e.example/&slug=<front>-form&title=A+form&tags=a,+b&validFrom=2026-01-01T00:00:00%2B03:00&expires=9999-12-31T23:59:59Z&maxVisits=7&redirectStatus=308&forwardQuery=true&reuse=false
200|POST /shorten|key|{"srcUrl":"https://e.example/","slug":"<front>-all","title":"All","tags":["a","b"],"validFrom":"2026-01-01T00:00:00Z","expires":"9999-12-31T23:59:59+12:00","maxVisits":1000000000,"redirectStatus":301,"forwardQuery":true,"reuse":false}
200|POST /shorten|key|[{"srcUrl":"https://e.example/"}]
200|POST /shorten||[{"srcUrl":"https://e.example/"},{"srcUrl":"https://e.example/","slug":"needs-a-key"},{"srcUrl":"https://refused.example/"}]
200*|POST /shorten|key|[{"srcUrl":"ftp://e.example/"},7,{"srcUrl":"https://e.example/","slug":"<front>-all"}]
400|POST /shorten||[]
400|POST /shorten||[<{"srcUrl":"http://e.example/"},*1000>{"srcUrl":"http://e.example/"}]
400|POST /shorten||
400|POST /shorten||null
400|POST /shorten||{"srcUrl":
400|POST /shorten||{}
400|POST /shorten||{"srcUrl":null}
400|POST /shorten||{"srcUrl":7}
400|POST /shorten||{"srcUrl":"ftp://e.example/"}
400|POST /shorten||{"srcUrl":"https://e.example/","other":1}
400*|POST /shorten||{"srcUrl":"https://e.example/<a*250>"}
400*|POST /shorten||{"srcUrl":"http://test.short/loop"}
400|POST /shorten|form|srcUrl=
400|POST /shorten|form|srcUrl=https://e.example/&other=1
400|POST /shorten|form key|srcUrl=https://e.example/&maxVisits=five
400|POST /shorten|form key|srcUrl=https://e.example/&forwardQuery=yes
401|POST /shorten||{"srcUrl":"https://e.example/","title":"Needs a key"}
401|POST /shorten|basic|{"srcUrl":"https://e.example/","slug":"needs-a-key"}
401|POST /shorten|wrong|{"srcUrl":"https://e.example/"}
401|POST /shorten|revoked form|srcUrl=https://e.example/
409|POST /shorten|key|{"srcUrl":"https://e.example/","slug":"<front>-all"}
409|POST /shorten|key|{"srcUrl":"https://e.example/","slug":"<front>-gone"}
413|POST /shorten||{"srcUrl":"https://e.example/<a*65536>"}
415|POST /shorten|text|srcUrl=https://e.example/
500|POST /shorten||{"srcUrl":"https://refused.example/"}
# POST /api/links
201|POST /api/links|key|{"srcUrl":"https://e.example/"}
201|POST /api/links|key html|{"srcUrl":"https://e.example/"}
201|POST /api/links|lower json|{"srcUrl":"https://e.example/all","slug":"<front>-link","title":" A link ","tags":["<front>"," a "],"validFrom":"2026-01-01T00:00:00.5+03:00","expires":"9999-12-31T23:59:59Z","maxVisits":1000,"redirectStatus":302,"forwardQuery":true,"reuse":false}
201|POST /api/links|key|{"srcUrl":"https://e.example/nulls","slug":null,"title":null,"tags":null,"validFrom":null,"expires":null,"maxVisits":null,"redirectStatus":null,"forwardQuery":null,"reuse":null}
201|POST /api/links|key|{"srcUrl":"https://e.example/301","slug":"<front>-301","redirectStatus":301}
201|POST /api/links|key|{"srcUrl":"https://e.example/307","slug":"<front>-307","redirectStatus":307}
201|POST /api/links|key|{"srcUrl":"https://e.example/308","slug":"<front>-308","redirectStatus":308,"expires":"9999-01-01T00:00:00Z"}
201|POST /api/links|key|{"srcUrl":"https://e.example/future","slug":"<front>-future","validFrom":"9000-01-01T00:00:00Z"}
201|POST /api/links|key|{"srcUrl":"https://e.example/past","slug":"<front>-past","expires":"2026-01-01T00:00:00Z"}
201|POST /api/links|key|{"srcUrl":"https://e.example/one","slug":"<front>-one","maxVisits":1}
201|POST /api/links|key|{"srcUrl":"https://e.example/edit","slug":"<front>-edit"}
201|POST /api/links|key|{"srcUrl":"https://e.example/off","slug":"<front>-off"}
201|POST /api/links|key|{"srcUrl":"https://e.example/delete","slug":"<front>-delete"}
201|POST /api/links|key|{"srcUrl":"https://e.example/reuse/<front>","reuse":true,"tags":["<front>"]}
200|POST /api/links|key|{"srcUrl":"https://e.example/reuse/<front>","reuse":true,"tags":["<front>"]}
200|POST /api/links|key|[{"srcUrl":"https://e.example/","slug":"<front>-bulk","title":"Bulk","tags":["x"],"validFrom":"2026-01-01T00:00:00Z","expires":"9999-01-01T00:00:00Z","maxVisits":5,"redirectStatus":301}]
200|POST /api/links|key|[<{"srcUrl":"https://e.example/"},*999>{"srcUrl":"https://e.example/","redirectStatus":302}]
200|POST /api/links|key|[{"srcUrl":"https://e.example/","redirectStatus":307},{"srcUrl":"https://e.example/reuse/<front>","reuse":true,"tags":["<front>"]},{"srcUrl":"https://e.example/","redirectStatus":308}]
200*|POST /api/links|key|[{"srcUrl":"https://e.example/","other":1},[],{"srcUrl":"https://e.example/","slug":"<front>-gone"},{"srcUrl":"https://refused.example/"}]
400|POST /api/links|key|[]
400|POST /api/links|key|
400|POST /api/links|key|"https://e.example/"
400|POST /api/links|key|{"slug":"<front>-lost"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","enabled":true}
400|POST /api/links|key|{"srcUrl":"https://e.example/","slug":""}
400|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"<a*65>"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"a b"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"healthz"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"metrics"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","title":7}
400|POST /api/links|key|{"srcUrl":"https://e.example/","title":"<x*501>"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","title":"a\u007f"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":"a"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17","18","19","20","21"]}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":["<t*65>"]}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":["a,b"]}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":[""]}
400|POST /api/links|key|{"srcUrl":"https://e.example/","tags":[7]}
400|POST /api/links|key|{"srcUrl":"https://e.example/","validFrom":"2026-01-01T00:00:00"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","expires":"2026-02-30T00:00:00Z"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","expires":1767225600}
400*|POST /api/links|key|{"srcUrl":"https://e.example/","validFrom":"2026-01-02T00:00:00Z","expires":"2026-01-01T00:00:00Z"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","maxVisits":0}
400|POST /api/links|key|{"srcUrl":"https://e.example/","maxVisits":1000000001}
400|POST /api/links|key|{"srcUrl":"https://e.example/","maxVisits":1.5}
400*|POST /api/links|key|{"srcUrl":"https://e.example/","maxVisits":5.0}
400|POST /api/links|key|{"srcUrl":"https://e.example/","maxVisits":"5"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","redirectStatus":303}
400|POST /api/links|key|{"srcUrl":"https://e.example/","redirectStatus":"301"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","forwardQuery":"true"}
400|POST /api/links|key|{"srcUrl":"https://e.example/","reuse":1}
409|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"<front>-link"}
409|POST /api/links|key|{"srcUrl":"https://e.example/","slug":"<front>-gone"}
413|POST /api/links|key|{"srcUrl":"https://e.example/<a*65536>"}
415|POST /api/links|key form|srcUrl=https://e.example/
415|POST /api/links|key text|{"srcUrl":"https://e.example/"}
500|POST /api/links|key|{"srcUrl":"https://refused.example/"}
# GET /api/links
200|GET /api/links|key
200|GET /api/links?search=&tag=&sort=&limit=&after=|key
200|GET /api/links?search=no%20such%20link%25|key
200|GET /api/links?search=A+link&tag=<front>&sort=visits&limit=500|key
200|GET /api/links?sort=lastAccessed&limit=1|key
200|GET /api/links?sort=lastAccessed&limit=2&after=<next>|key
200|GET /api/links?sort=created&limit=1|key
200|GET /api/links?after=<next>|key
400|GET /api/links?limit=0|key
400|GET /api/links?limit=501|key
400|GET /api/links?limit=ten|key
400|GET /api/links?sort=title|key
400|GET /api/links?search=<a*201>|key
400|GET /api/links?other=1|key
400*|GET /api/links?after=nothing|key
400*|GET /api/links?limit=1&limit=1|key
# GET and PATCH /api/links/ID
200|GET /api/links/<front>-link|key
200|GET /api/links/<front>-stat|key
200|GET /api/links/<front>-past|key
400|GET /api/links/%zz|key
404|GET /api/links/<front>-unknown|key
404|GET /api/links/a.b|key
410|GET /api/links/<front>-gone|key
200|PATCH /api/links/<front>-edit|key|{}
200|PATCH /api/links/<front>-edit|key|{"srcUrl":"https://e.example/edited","title":"Edited","tags":["e"],"validFrom":"2026-01-01T00:00:00Z","expires":"9999-01-01T00:00:00Z","maxVisits":3,"redirectStatus":307,"forwardQuery":true,"enabled":true}
200|PATCH /api/links/<front>-edit|key merge|{"title":null,"tags":null,"validFrom":null,"expires":null,"maxVisits":null,"redirectStatus":null}
200|PATCH /api/links/<front>-off|key merge|{"enabled":false,"forwardQuery":false}
400|PATCH /api/links/<front>-edit|key|
400|PATCH /api/links/<front>-edit|key|[]
400|PATCH /api/links/<front>-edit|key|{"slug":"other"}
400|PATCH /api/links/<front>-edit|key|{"id":"other"}
400|PATCH /api/links/<front>-edit|key|{"reuse":true}
400|PATCH /api/links/<front>-edit|key|{"srcUrl":null}
400|PATCH /api/links/<front>-edit|key|{"srcUrl":"e.example"}
400|PATCH /api/links/<front>-edit|key|{"forwardQuery":null}
400|PATCH /api/links/<front>-edit|key|{"enabled":null}
400|PATCH /api/links/<front>-edit|key|{"enabled":"no"}
400|PATCH /api/links/<front>-edit|key merge|{"maxVisits":-1}
400*|PATCH /api/links/<front>-edit|key|{"srcUrl":"http://TEST.short/loop"}
400*|PATCH /api/links/<front>-future|key|{"expires":"2026-01-01T00:00:00Z"}
404|PATCH /api/links/<front>-unknown|key|{}
410|PATCH /api/links/<front>-gone|key|{"title":"Too late"}
413|PATCH /api/links/<front>-edit|key|{"title":"<a*65536>"}
415|PATCH /api/links/<front>-edit|key text|{"title":"x"}
500|PATCH /api/links/<front>-edit|key|{"srcUrl":"https://refused.example/"}
# GET /api/links/ID/visits
200|GET /api/links/<front>-stat/visits|key
200|GET /api/links/<front>-stat/visits?from=2020-02-29&to=2020-03-01&by=day|key
200|GET /api/links/<front>-link/visits?from=&to=&by=|key
400|GET /api/links/<front>-stat/visits?from=2021-02-29|key
400|GET /api/links/<front>-stat/visits?to=today|key
400|GET /api/links/<front>-stat/visits?by=hour|key
400|GET /api/links/<front>-stat/visits?other=1|key
400*|GET /api/links/<front>-stat/visits?from=2020-03-02&to=2020-03-01|key
404|GET /api/links/<front>-unknown/visits|key
410|GET /api/links/<front>-gone/visits|key
# DELETE /api/links/ID
204|DELETE /api/links/<front>-delete|key
204|DELETE /api/links/<front>-delete|key
204|DELETE /api/links/<front>-gone|key
400|DELETE /api/links/%zz|key
404|DELETE /api/links/<front>-unknown|key
# GET /ID
302|GET /<front>-link
302|GET /<front>-link?a=1&b=%20
302|GET /<front>-stat
301|GET /<front>-301
307|GET /<front>-307
308|GET /<front>-308
302|GET /<front>-one|robot
400|GET /%zz
404|GET /<front>-unknown
404|GET /<front>-future
414|GET /<front>-link?<ü*3000>
410|GET /<front>-past
410|GET /<front>-used
410|GET /<front>-off
410|GET /<front>-gone
410|GET /<front>-delete
END_OF_TABLE
}

# The database says no, and would say so again.
try_refused() {
	send calls <<'END_OF_TABLE'
200|GET /readyz
500|GET /<front>-unseen
500|GET /api/links|key
500|GET /api/links/<front>-link|key
500|PATCH /api/links/<front>-link|key|{"title":"x"}
500|DELETE /api/links/<front>-link|key
500|GET /api/links/<front>-link/visits|key
500|POST /api/links|key|{"srcUrl":"https://e.example/"}
END_OF_TABLE
}

try_unreachable() {
	send calls <<'END_OF_TABLE'
200|GET /healthz
200|GET /hello
200|GET /api/openapi.json
503|GET /readyz
503|POST /shorten||{"srcUrl":"https://e.example/"}
200|POST /shorten||[{"srcUrl":"https://e.example/"},{"srcUrl":"https://e.example/","reuse":true}]
503|GET /<front>-link
503|GET /api/links|key
503|POST /api/links|key|{"srcUrl":"https://e.example/"}
503|GET /api/links/<front>-link|key
503|PATCH /api/links/<front>-link|key|{"title":"x"}
503|DELETE /api/links/<front>-link|key
503|GET /api/links/<front>-link/visits|key
END_OF_TABLE
}

test_document
test_names
test_routes
start_stack
insert_keys
insert_links
sql "ALTER TABLE shortenedurls ADD CHECK (srcurl NOT LIKE '%refused%')"
on_each_front test_served
on_each_front try_calls
on_each_front send generated
FRONT=nginx
send examples

sql "REVOKE ALL ON shortenedurls, visits_by_day FROM shorten"
on_each_front try_refused
sql "GRANT ALL ON shortenedurls, visits_by_day TO shorten"

stop_responder
start_responder "SHORTEN_DATABASE=host=$stack_folder/nowhere dbname=x" SHORTEN_QUEUE_TIMEOUT_MS=100
on_each_front try_unreachable

# Some of what is described comes by one way in only.
if [ -z "${FRONTS-}" ]; then
	look_at coverage "$document" "$marks" >"$results" || fail 'the coverage did not end well'
	report 'all together'
fi
done_testing
