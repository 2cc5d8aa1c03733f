#!/bin/sh
# Ctrl-C while a test or a benchmark starts a pool: nothing of it stays.
# shellcheck disable=SC2119,SC2154,SC2317 # what the libraries set and call
# shellcheck source=tests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/lib/stack.sh
. "$(dirname "$0")/../lib/stack.sh"

# Sets $folder: spawn-fcgi, which comes back later than the pool is there, and a test that starts it.
write_scripts() {
	folder=$stack_folder/interrupted
	mkdir "$folder"
	cat >"$folder/spawn-fcgi" <<END
#!/bin/sh
"$(command -v spawn-fcgi)" "\$@"
touch "$folder/is-there"
until [ -e "$folder/may-go-on" ]; do sleep 0.02; done
END
	cat >"$folder/start" <<END
. tests/lib/tap.sh
. tests/lib/stack.sh
SHORTEN_DATABASE=host=/nonexistent
start_pool 3
END
	chmod 0755 "$folder/spawn-fcgi"
}

# The processes of pools that the script has started. Theirs is the only program of that name in a folder start.*.
list_left() {
	readlink /proc/[0-9]*/exe 2>/dev/null | grep "^$TESTS_FOLDER/start\."
}

has_none_left() {
	[ -z "$(list_left)" ]
}

test_interrupted() {
	PATH=$folder:$PATH setsid env --default-signal=INT sh "$folder/start" >"$folder/out" 2>&1 &
	started_pid=$!
	ok 'a pool is starting' try 10 test -e "$folder/is-there"
	isnt "$(list_left)" '' 'its responders are there'
	kill -s INT -- "-$started_pid"
	touch "$folder/may-go-on"
	wait "$started_pid"
	ok 'interrupted: none of them stays' try 10 has_none_left
}

write_scripts
test_interrupted
done_testing
