# shellcheck shell=sh
# Links that make lists long, and a key for them; nobody else asks for them. Sourced behind row.sh.
#
#   insert_long_links NAME SIZE  500 links with the ids NAME1 and so on, each to NAME.example with so many bytes behind it
#   delete_long_links NAME       all links to NAME.example, and all keys

# shellcheck source=tests/lib/manage.sh
. tests/lib/manage.sh

insert_long_links() {
	sql "INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)
		SELECT '$1' || i, 'https://$1.example/' || repeat('z', $2), now() + interval '1 hour', now()
		FROM generate_series(1, 500) AS i"
	insert_key
}

delete_long_links() {
	sql "DELETE FROM shortenedurls WHERE srcurl LIKE 'https://$1.example/%'; DELETE FROM api_keys"
}
