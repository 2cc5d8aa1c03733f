# shellcheck shell=sh
# Requests that want much memory, on responders that have too little, and whether what was given is there. Sourced behind
# row.sh.
#
#   begin_hunger      before the first be_hungry
#   be_hungry NUMBER LINKS  sends such requests, of all kinds that limit_memory.pl knows, for some seconds; arrays have so
#                     many links. NUMBER makes what it sends different from that of other calls
#   end_hunger        tests: what was answered, and that of each link that was given its URL is there, and no other URL is

# shellcheck disable=SC2154 # what the libraries set
# shellcheck source=tests/faults/rows/long_links.sh
. tests/faults/rows/long_links.sh

begin_hunger() {
	hungry_answers=$stack_folder/hungry.answers
	hungry_ledger=$stack_folder/hungry.ledger
	: >"$hungry_answers"
	: >"$hungry_ledger"
	insert_long_links hungry 2000
	front_port
}

be_hungry() {
	rm -f "$stack_folder/full"
	perl "$stack_checkout/tests/faults/rows/limit_memory.pl" "$call_port" "$key" "$1" "$2" \
		"$stack_folder/full" "$hungry_ledger" >>"$hungry_answers" &
	hungry_pid=$!
	hold 4
	: >"$stack_folder/full"
	wait "$hungry_pid" || fail "$FRONT: the requests end"
}

# What nobody asked for may be anything, so it is all rows but those that others asked for, and nobody changed.
hungry_problems() {
	sql "SELECT id, srcurl, visits FROM shortenedurls WHERE srcurl NOT LIKE 'https://ledger.example/%'
		AND srcurl <> 'https://hungry.example/' || repeat('z', 2000)" |
		perl "$stack_checkout/tests/lib/ledger.pl" check "$hungry_ledger" || echo 'wrong: the check itself fails'
}

end_hunger() {
	is "$(awk -F '\t' '$3 != "none"' "$hungry_answers" | sort | uniq -c | sed -n 1,5p)" '' "$FRONT: no answer is wrong"
	for hungry_kind in bulk list; do
		is "$(awk -F '\t' -v kind="$hungry_kind" '$1 == kind { print $2 }' "$hungry_answers" | sort -u | xargs)" '200 503' \
			"$FRONT: $hungry_kind: some are answered, and the others refused"
	done
	hungry_given=$(count_answers hungry 200)
	hungry_problems >"$stack_folder/hungry.problems"
	is "$(cut -c 1-300 "$stack_folder/hungry.problems" | sed -n 1,10p)" '' \
		"$FRONT: the $hungry_given links that were given are there, and no others"
	delete_long_links hungry
}
