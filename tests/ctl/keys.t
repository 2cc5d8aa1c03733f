#!/bin/sh
# shortenctl key: keys are shown once, kept as SHA-256, and revoked by id or label.
# shellcheck disable=SC2034,SC2119,SC2154,SC2317 # what the libraries set, call and use
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/stack.sh
. tests/ctl/ctl.sh

start_database

key_id() {
	sql "SELECT id FROM api_keys WHERE label = '$1' ORDER BY created DESC LIMIT 1"
}

test_add() {
	ctl key add 'first key'
	is "$status" 0 'key add: status 0'
	like "$out" '???????????????????????????????????????????' 'key add: 43 characters, alone on standard output'
	is "$(printf '%s' "$out" | tr -d 'A-Za-z0-9_-')" '' 'key add: in base64url'
	key=$out
	unlike "$err" "*$key*" 'key add: the key is not on standard error'
	like "$err" "*first key*$(key_id 'first key')*" 'key add: label and id are'
	hash=$(printf %s "$key" | sha256sum | cut -d ' ' -f 1)
	is "$(sql "SELECT encode(hash, 'hex'), label, lastused, revoked, now() - created < interval '1 minute', length(id) FROM api_keys")" \
		"$hash|first key|||t|10" 'the database has its SHA-256'
	ctl key list
	unlike "$out" "*$key*" 'key list does not show it'
	decoded=$(printf '%s=' "$key" | tr '_-' '/+' | base64 -d | wc -c)
	is "$decoded" 32 'it is 32 bytes'
	ctl key add 'first key'
	isnt "$out" "$key" 'the next one is another'
	like "$err" "shortenctl: There is another key with this label: $(sql "SELECT id FROM api_keys ORDER BY created LIMIT 1")
The key 'first key' is made*" 'key add: a label that a key has: a warning'
	sql "UPDATE api_keys SET revoked = now() WHERE label = 'first key'"
	ctl key add 'first key'
	like "$status $err" "0 The key 'first key' is made*" 'key add: a label that only revoked keys have: none'
	hundred=$(printf '%0100d' 0)
	ctl key add "$hundred"
	is "$status" 0 'a label of 100 characters'
	ctl key add "${hundred}0"
	is "$status $out" '2 ' 'one of 101 is refused'
	ctl key add "$(printf '%0100d' 0 | sed 's/0/ü/g')"
	is "$status" 0 'a label of 100 characters that are two bytes each'
	ctl key add -- --odd
	is "$(sql "SELECT count(*) FROM api_keys WHERE label = '--odd'")" 1 'a label behind --'
}

# All characters turn up, each place varies, and no key is like another.
test_random() {
	sql 'DELETE FROM api_keys'
	for number in $(seq 1 40); do
		ctl key add "$number"
		printf '%s\n' "$out"
	done >"$stack_folder/keys"
	is "$(sort -u "$stack_folder/keys" | wc -l)" 40 '40 keys are 40 different ones'
	is "$(fold -w 1 "$stack_folder/keys" | sort -u | sed '/^$/d' | tr -d '\n')" '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz' \
		'all characters of base64url turn up'
	is "$(for place in $(seq 1 43); do cut -c "$place" "$stack_folder/keys" | sort -u | wc -l; done | awk '$1 < 6')" '' \
		'each place of them varies'
	is "$(sql "SELECT count(*) FROM api_keys WHERE id LIKE '-%'")" 0 'no id begins with -'
}

test_list() {
	sql 'DELETE FROM api_keys'
	ctl key list
	is "$out" 'ID  LABEL  CREATED  LAST USED  REVOKED' 'key list: none'
	sql "INSERT INTO api_keys (id, hash, label, created, lastused, revoked) VALUES
		('a', sha256('a'), 'Ключ', '2024-01-02T03:04:05Z', NULL, NULL),
		('bcdef', sha256('b'), E'bad\u0085\nlabel', '2024-01-03T03:04:05+01:00', '2024-05-06T07:08:09Z', '2024-06-07T08:09:10Z')"
	ctl key list
	is "$out" 'ID     LABEL       CREATED           LAST USED         REVOKED
a      Ключ        2024-01-02 03:04  -                 -
bcdef  bad??label  2024-01-03 02:04  2024-05-06 07:08  2024-06-07 08:09' 'key list: aligned, in UTC, safe for a terminal'
}

test_revoke() {
	sql 'DELETE FROM api_keys'
	ctl key add one
	one=$(key_id one)
	ctl key add two
	ctl key revoke one
	like "$status $out" "0 The key 'one' ($one) is revoked*" 'key revoke LABEL'
	is "$(sql 'SELECT label, revoked IS NOT NULL FROM api_keys ORDER BY label')" 'one|t
two|f' 'that one is revoked, the other is not'
	before=$(sql "SELECT revoked FROM api_keys WHERE label = 'one'")
	ctl key revoke one
	like "$status $out" "0 The key 'one' ($one) was revoked already, at *" 'revoking again is harmless'
	is "$(sql "SELECT revoked FROM api_keys WHERE label = 'one'")" "$before" 'the time stays'
	ctl key revoke "$(key_id two)"
	like "$status $out" "0 The key 'two' *is revoked*" 'key revoke ID'
	ctl key revoke three
	is "$status $out $err" "1  shortenctl: There is no key with the id or label 'three'" 'an unknown one: status 1'
}

test_ambiguous() {
	sql 'DELETE FROM api_keys'
	ctl key add same
	first=$(key_id same)
	ctl key add same
	ctl key revoke same
	like "$status $err" "1 shortenctl: Several keys have the label 'same'; give an id, such as $first or *" 'a label twice'
	is "$(sql 'SELECT count(*) FROM api_keys WHERE revoked IS NOT NULL')" 0 'none is revoked'
	ctl key revoke "$first"
	is "$status" 0 'by id'
	ctl key revoke same
	like "$status $out" "0 *is revoked*" 'of the label one key works: that one is meant'
	ctl key revoke same
	like "$status $out" "0 *was revoked already*" 'both are revoked'
	ctl key add other
	other=$(key_id other)
	ctl key add "$other"
	ctl key revoke "$other"
	is "$(sql "SELECT revoked IS NOT NULL FROM api_keys WHERE id = '$other'")" t 'an id comes before a label'
	is "$(sql "SELECT revoked IS NOT NULL FROM api_keys WHERE label = '$other'")" f 'the one with that label works on'
	ctl key add "x' OR true --"
	ctl key revoke "y' OR true --"
	is "$status" 1 'quotes in a label mean nothing'
}

test_add
test_random
test_list
test_revoke
test_ambiguous
done_testing
