# shellcheck shell=sh
# Sends HTTP requests. Sourced behind stack.sh, whose sockets and ports it uses.
#
#   FRONT=cgi|lighttpd|nginx   the way in: cgi-fcgi straight to the responder, or a web server
#
#   call [-H 'NAME: VALUE']... METHOD TARGET [BODY]
#       Sends one request and follows no redirect. Sets
#         $status   the number; 000 when there was no answer
#         $headers  the header lines without the status line, a line feed between them, no CR
#         $body     byte for byte, with or without a line feed at its end (NUL bytes are lost in sh)
#       The target goes out as it is. With BODY (the empty text too) come a Content-Length and, unless
#       a -H says otherwise, Content-Type: application/json; -H 'Content-Type:' sends none.
#       No Accept, no User-Agent unless by -H.
#   call [-H …]... -f FILE METHOD TARGET
#       The body is that of the file.
#   call_raw FORMAT [ARGUMENT]...
#       Sends what printf(1) makes of it to the web server, byte by byte as it is, and sets the same
#       three from the first answer; through cgi it goes to the FastCGI socket and sets $body only.
#   answer_problem             prints which rule of every answer the last one breaks, nothing when none:
#                              Content-Length as long as the body, X-Content-Type-Options: nosniff
#   header NAME                prints the value of a header field; fails when it is not there
#   shorten SRCURL             POST /shorten with this URL, which must need no JSON escapes; sets $id too
#   on_each_front COMMAND...   runs it with each FRONT of $fronts, which FRONTS in the environment restricts
#   front_address              prints what tests/lib/bulk.pl takes: fcgi:SOCKET or http:PORT
#
# Many requests at once: see tests/lib/bulk.pl.

# shellcheck disable=SC2154 # stack.sh's
call_answer=$stack_folder/answer
fronts=${FRONTS:-cgi lighttpd nginx}

on_each_front() {
	for FRONT in $fronts; do
		"$@"
	done
}

# shellcheck disable=SC2154 # the ports are stack.sh's
front_address() {
	case $FRONT in
	cgi) printf 'fcgi:%s' "$responder_socket" ;;
	lighttpd) printf 'http:%s' "$lighttpd_port" ;;
	nginx) printf 'http:%s' "$nginx_port" ;;
	esac
}

front_port() {
	call_port=$(front_address)
	call_port=${call_port#http:}
}

call_newline='
'
call_cr=$(printf '\r')

# Reads the answer that lies in $call_answer.head and .body. The last status line counts, for "100
# Continue" may stand before it. Few programs are started here: there are thousands of calls.
# shellcheck disable=SC2034 # these are for the test
read_answer() {
	status=000
	headers=
	while IFS= read -r call_line; do
		call_line=${call_line%"$call_cr"}
		case $call_line in
		HTTP/* | Status:*)
			status=${call_line#* }
			status=${status%% *}
			;;
		'') ;;
		*) headers=$headers${headers:+$call_newline}$call_line ;;
		esac
	done <"$call_answer.head"
	body=$(cat "$call_answer.body" && printf x)
	body=${body%x}
}

# Names of fields have no case; most answers spell them as the test does.
header() {
	case $call_newline$headers in
	*"$call_newline$1: "*)
		call_value=${call_newline}$headers
		call_value=${call_value#*"$call_newline$1: "}
		printf '%s\n' "${call_value%%"$call_newline"*}"
		return
		;;
	esac
	printf '%s\n' "$headers" | awk -v name="$1" '
		BEGIN { name = tolower(name) ":"; status = 1 }
		index(tolower($0), name) == 1 {
			value = substr($0, length(name) + 1); sub(/^ */, "", value); print value; status = 0; exit
		}
		END { exit status }'
}

# ${#body} counts bytes: dash does, and stack.sh sets the locale C. A NUL in the body would not count.
answer_problem() {
	call_length=$(header Content-Length) || echo 'no Content-Length'
	[ "$call_method" = HEAD ] || [ "${call_length:-0}" = "${#body}" ] ||
		echo "Content-Length is $call_length"
	[ "$(header X-Content-Type-Options)" = nosniff ] || echo 'no nosniff'
}

# A body's type is JSON unless the caller says something about it.
call() {
	call_body=
	call_has_body=
	call_has_type=
	: >"$call_answer.fields"
	while :; do
		case $1 in
		-H)
			printf '%s\n' "$2" >>"$call_answer.fields"
			case $2 in [Cc]ontent-[Tt]ype:*) call_has_type=1 ;; esac
			shift 2
			;;
		-f)
			call_body=$2
			call_has_body=1
			shift 2
			;;
		*) break ;;
		esac
	done
	if [ $# -ge 3 ]; then
		call_body=$call_answer.sent
		call_has_body=1
		printf '%s' "$3" >"$call_body"
	fi
	if [ -n "$call_has_body" ] && [ -z "$call_has_type" ]; then
		echo 'Content-Type: application/json' >>"$call_answer.fields"
	fi
	case $FRONT in
	cgi) call_cgi "$1" "$2" ;;
	*) call_curl "$1" "$2" ;;
	esac
	read_answer
}

# Turns the header lines into the parameters that a web server makes of them. cgi-fcgi passes on its
# whole environment, hence env -i.
# shellcheck disable=SC2154 # stack.sh's
call_cgi() {
	call_method=$1
	call_target=$2
	set -- REQUEST_METHOD="$1" REQUEST_URI="$2"
	while IFS= read -r call_field; do
		call_name=$(printf '%s' "${call_field%%:*}" | tr 'a-z-' 'A-Z_')
		call_value=${call_field#*:}
		case $call_name in
		CONTENT_TYPE | CONTENT_LENGTH) ;;
		*) call_name=HTTP_$call_name ;;
		esac
		set -- "$@" "$call_name=${call_value# }"
	done <"$call_answer.fields"
	if [ -n "$call_body" ]; then
		set -- "CONTENT_LENGTH=$(($(wc -c <"$call_body")))" "$@"
	fi
	env -i "$@" "$stack_cgi_fcgi" -bind -connect "$responder_socket" \
		<"${call_body:-/dev/null}" >"$call_answer.all" 2>/dev/null || :
	split_answer
}

split_answer() {
	sed '/^\r*$/,$d' "$call_answer.all" >"$call_answer.head"
	sed '1,/^\r*$/d' "$call_answer.all" >"$call_answer.body"
}

call_curl() {
	front_port
	call_method=$1
	call_target=$2
	: >"$call_answer.head"
	: >"$call_answer.body"
	set -- -H 'Accept:' -H 'User-Agent:' -H 'Expect:'
	[ -n "$call_body" ] && set -- "$@" --data-binary "@$call_body"
	while IFS= read -r call_field; do
		set -- "$@" -H "$call_field"
	done <"$call_answer.fields"
	case $call_method in
	HEAD) set -- "$@" --head ;;
	*) set -- "$@" -X "$call_method" ;;
	esac
	curl -q -s --http1.1 --noproxy '*' --max-time 20 --path-as-is -g -D "$call_answer.head" -o "$call_answer.body" \
		"$@" --request-target "$call_target" "http://127.0.0.1:$call_port/" || :
	# With --head curl writes the head there too, and does not wait for a body.
	[ "$call_method" != HEAD ] || : >"$call_answer.body"
}

# shellcheck disable=SC2154 # stack.sh's
call_raw() {
	: >"$call_answer.head"
	# shellcheck disable=SC2059 # the format is the caller's
	printf "$@" >"$call_answer.sent"
	perl "$stack_checkout/tests/lib/raw.pl" "$(front_address)" <"$call_answer.sent" >"$call_answer.all"
	if [ "$FRONT" = cgi ]; then
		cp "$call_answer.all" "$call_answer.body"
	else
		split_answer
	fi
	read_answer
}

shorten() {
	call POST /shorten "{\"srcUrl\":\"$1\"}"
	id=${body##*/}
	# shellcheck disable=SC2034 # for the test
	id=${id%\"\}}
}
