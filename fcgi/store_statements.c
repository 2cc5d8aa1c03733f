/* The SQL: every statement of the program, by name. */
#include "store_statements.h"

#include "store_sql.h"

#define TIME_TEXT(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
#define TIME_US(time) "(extract(epoch FROM " time ") * 1000000)::bigint"

/* The whole link l as JSON; $1 is the base URL. */
#define LINK_JSON \
	"(SELECT row_to_json(j) FROM (SELECT l.id, $1::text || l.id AS \"shortenedUrl\", l.srcurl AS \"srcUrl\", l.title," \
	" l.tags, " TIME_TEXT("l.created") " AS created, " TIME_TEXT("l.lastaccessed") " AS \"lastAccessed\", l.visits, " \
	TIME_TEXT("l.validfrom") " AS \"validFrom\", " TIME_TEXT("l.expires") " AS expires, l.maxvisits AS \"maxVisits\"," \
	" l.redirectstatus AS \"redirectStatus\", l.forwardquery AS \"forwardQuery\", l.enabled) j)"

/* Whether a link is over, by the clock of the database. */
#define HAS_ENDED "(deleted IS NOT NULL OR NOT enabled OR expires <= now() OR visits >= maxvisits)"

#define NEW_LINK_COLUMNS \
	"id, mark, srcurl, created, lastaccessed, owner, title, tags, validfrom, expires, maxvisits, redirectstatus," \
	" forwardquery"
#define NEW_LINK_VALUES \
	"$2::text, $3::text, $4::text, $5::timestamptz, $5::timestamptz, $6::text, $7::text, $8::text[]," \
	" $9::timestamptz, $10::timestamptz, $11::bigint, $12::bigint, $13::boolean"

/* Lists. Each order has its candidates: the links behind the cursor ($3 and $4, with visits also $5), in order. As
 * lists are read while links are made, the cursor is a place in the order, not a number of links. What is visited
 * stands in link_activity, all else has no visits and was last accessed when it was created. */
#define CREATED_CANDIDATES(limit) \
	"SELECT l.*, l.created AS rank FROM shortenedurls l" \
	" WHERE l.deleted IS NULL AND (l.created, l.id) < ($3::timestamptz, $4::text)" \
	" ORDER BY l.created DESC, l.id DESC LIMIT " limit

#define IS_UNVISITED "(SELECT true FROM link_activity a WHERE a.id = l.id) IS NOT TRUE"

/* The link with an id of another table. LATERAL and OFFSET make PostgreSQL look each up by its key; as a join it
 * would be planned anew from end to end while the tables are small, and that plan would stay. */
#define LINK_OF(id) "LATERAL (SELECT * FROM shortenedurls WHERE id = " id " OFFSET 0) l"

/* PostgreSQL starts with the second half only when the first one has not filled the page. */
#define VISITS_CANDIDATES(limit) \
	"(SELECT l.*, a.visits AS rank FROM link_activity a, " LINK_OF("a.id") \
	" WHERE l.deleted IS NULL AND (a.visits, a.id) < ($5::bigint, $4::text)" \
	" ORDER BY a.visits DESC, a.id DESC LIMIT " limit ")" \
	" UNION ALL (SELECT l.*, 0 AS rank FROM shortenedurls l" \
	" WHERE l.deleted IS NULL AND (l.created, l.id) < ($3::timestamptz, $4::text) AND " IS_UNVISITED \
	" ORDER BY l.created DESC, l.id DESC LIMIT " limit ") LIMIT " limit

/* Of the links without visits only those can be on the page that are younger than the last visited one on it:
 * otherwise, where all are visited, the whole table would be searched for one that is not. */
#define ACCESSED_CANDIDATES(limit) \
	"WITH a AS MATERIALIZED (SELECT l.*, a.lastaccessed AS rank FROM link_activity a, " LINK_OF("a.id") \
	" WHERE l.deleted IS NULL AND (a.lastaccessed, a.id) < ($3::timestamptz, $4::text)" \
	" ORDER BY a.lastaccessed DESC, a.id DESC LIMIT " limit ")," \
	" b AS (SELECT l.*, l.created AS rank FROM shortenedurls l" \
	" WHERE l.deleted IS NULL AND (l.created, l.id) < ($3::timestamptz, $4::text)" \
	" AND l.created >= COALESCE((SELECT min(rank) FROM a HAVING count(*) >= " limit "), '-infinity') AND " IS_UNVISITED \
	" ORDER BY l.created DESC, l.id DESC LIMIT " limit ")" \
	" SELECT * FROM a UNION ALL SELECT * FROM b ORDER BY rank DESC, id DESC LIMIT " limit

#define SEARCH(pattern) "(" STORE_TEXT_OF("l") " ILIKE " pattern "::text)"
/* The second condition is that of the index. */
#define TAG(tag) "(l.tags @> ARRAY[" tag "::text] AND l.tags <> '{}')"

/* The columns of a page: where its cursor would stand, and the link. */
#define TIME_KEY "0, " TIME_US("l.rank")
#define VISITS_KEY "l.rank, CASE WHEN l.rank = 0 THEN " TIME_US("l.created") " END"
#define PAGE(key, json, links) "SELECT " key ", l.id, " json " FROM (" links ") l"
#define PAGE_MAX "$2::bigint"

/* What is often found is found among the first candidates; what is rare, by the index of what is searched. Either
 * way is slow for the other: so the first WINDOW candidates are looked at, and where they have not filled the page,
 * they say how many links are like them in the whole table. Where the index would find more than HITS_MAX by that, or
 * has found more after all, the page ends with the last candidate, which has no JSON: there it goes on. Of the hits
 * those that were deleted are left out later, for that condition has an index of its own, which would be of no help. */
#define WINDOW "1000"
#define HITS_MAX "1000"
/* A few may be there by chance, and keep no rare link from being found by the index. */
#define CHANCE "2"
#define MATCHES_IN_TABLE \
	"((SELECT count(*) FROM matching) - " CHANCE ") * " \
	"(SELECT GREATEST(reltuples, 0) / " WINDOW " FROM pg_class WHERE oid = 'shortenedurls'::regclass)"
#define CHOSEN_PAGE(key, candidates, filter, preparation, can_use_index, index_condition, rank, is_behind, order) \
	"WITH candidate AS MATERIALIZED (" candidates(WINDOW) ")," \
	" last AS (SELECT rank, created, id FROM candidate OFFSET " WINDOW " - 1)," \
	" matching AS MATERIALIZED (SELECT * FROM candidate l WHERE " filter ")," preparation \
	" choice AS MATERIALIZED (SELECT " MATCHES_IN_TABLE " <= " HITS_MAX " AND " can_use_index " AS uses_index FROM last)," \
	" hit AS MATERIALIZED (SELECT l.* FROM shortenedurls l" \
	" WHERE (SELECT uses_index FROM choice) AND " index_condition " LIMIT " HITS_MAX " + 1)," \
	" hits AS (SELECT (SELECT uses_index FROM choice) AND count(*) <= " HITS_MAX " AS are_all FROM hit) " \
	PAGE(key, "CASE WHEN l.is_link THEN " LINK_JSON " END", \
	     "(SELECT l.*, true AS is_link FROM matching l) UNION ALL" \
	     " (SELECT l.*, " rank " AS rank, true AS is_link FROM hit l LEFT JOIN LATERAL" \
	     " (SELECT * FROM link_activity WHERE id = l.id OFFSET 0) a ON true" \
	     " WHERE (SELECT are_all FROM hits) AND l.deleted IS NULL AND " filter \
	     " AND " is_behind \
	     " ORDER BY " order " LIMIT " PAGE_MAX ") UNION ALL" \
	     " (SELECT l.*, false AS is_link FROM candidate l WHERE NOT (SELECT are_all FROM hits) OFFSET " WINDOW " - 1)" \
	     " LIMIT " PAGE_MAX)

/* The index of searches is there where pg_trgm is. It knows trigrams, and finds every link that has each trigram of a
 * pattern, anywhere: as many are read, however rare the pattern is. About SAMPLE_PAGES pages of the table, from all over
 * it, say how many that would be: the index is not asked for words that a twentieth of the links there have, and not
 * where it would find more than READ_MAX. Of many words the longest WORDS_MAX will do. */
#define SAMPLE_PAGES "40"
#define READ_MAX "3000"
#define WORDS_MAX "8"
#define PAGES "(SELECT pg_relation_size('shortenedurls') / current_setting('block_size')::float8)"
#define WORDS(pattern) "regexp_matches(lower(" pattern "::text), '[[:alnum:]]{3,}', 'g') WITH ORDINALITY AS w (word, place)"
#define INDEX_PREPARATION(pattern) \
	" sample AS MATERIALIZED (SELECT lower(" STORE_TEXT_OF("l") ") AS text FROM shortenedurls l" \
	" TABLESAMPLE SYSTEM (LEAST(100, 100 * " SAMPLE_PAGES " / (1 + " PAGES "))))," \
	" rare AS MATERIALIZED (SELECT '%' || string_agg(word, '%' ORDER BY place) || '%' AS pattern FROM" \
	" (SELECT word[1] AS word, place FROM " WORDS(pattern) " ORDER BY length(word[1]) DESC LIMIT " WORDS_MAX ") w" \
	" WHERE (SELECT count(*) FILTER (WHERE text LIKE '%' || word || '%') * 20 <= count(*) FROM sample)),"
#define TRIGRAMS \
	"ARRAY(SELECT '%' || substr(word, i, 3) || '%' FROM rare, unnest(string_to_array(pattern, '%')) AS word," \
	" generate_series(1, length(word) - 2) AS i)"
#define CAN_USE_INDEX \
	"EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('shortenedurls_text') AND indisvalid)" \
	" AND (SELECT pattern FROM rare) IS NOT NULL" \
	" AND (SELECT count(*) FROM sample WHERE text LIKE ALL (" TRIGRAMS "))" \
	" * GREATEST(" PAGES " / " SAMPLE_PAGES ", 1) <= " READ_MAX
#define INDEX_CONDITION STORE_TEXT_OF("l") " ILIKE (SELECT pattern FROM rare)"

#define CREATED_PAGE(filter, preparation, can_use_index, index_condition) \
	CHOSEN_PAGE(TIME_KEY, CREATED_CANDIDATES, filter, preparation, can_use_index, index_condition, "l.created", \
		    "(l.created, l.id) < (SELECT created, id FROM last)", "l.created DESC, l.id DESC")
#define ACCESSED_PAGE(filter, preparation, can_use_index, index_condition) \
	CHOSEN_PAGE(TIME_KEY, ACCESSED_CANDIDATES, filter, preparation, can_use_index, index_condition, \
		    "COALESCE(a.lastaccessed, l.created)", \
		    "(COALESCE(a.lastaccessed, l.created), l.id) < (SELECT rank, id FROM last)", "rank DESC, l.id DESC")
#define VISITS_PAGE(filter, preparation, can_use_index, index_condition) \
	CHOSEN_PAGE(VISITS_KEY, VISITS_CANDIDATES, filter, preparation, can_use_index, index_condition, \
		    "COALESCE(a.visits, 0)", \
		    "CASE WHEN a.visits IS NOT NULL THEN (a.visits, l.id) < (SELECT rank, id FROM last)" \
		    " ELSE (SELECT rank FROM last) > 0 OR (l.created, l.id) < (SELECT created, id FROM last) END", \
		    "rank DESC, CASE WHEN a.visits IS NULL THEN l.created END DESC, l.id DESC")

/* A search within a tag goes by the tag.
 *
 * Parameters of lists: base URL, size of the page, the cursor's time and id, with visits also those; then the
 * pattern, then the tag. */
#define LISTS(sort, is_by_visits, name, key, candidates, page, first, second) \
	[STORE_LIST + (sort) * STORE_FILTERS] = { name, PAGE(key, LINK_JSON, candidates(PAGE_MAX)), 4 + (is_by_visits), false, { 0 } }, \
	[STORE_LIST + (sort) * STORE_FILTERS + STORE_FILTER_SEARCH] = \
		{ name "_search", page(SEARCH(first), INDEX_PREPARATION(first), CAN_USE_INDEX, INDEX_CONDITION), 5 + (is_by_visits), false, { 0 } }, \
	[STORE_LIST + (sort) * STORE_FILTERS + STORE_FILTER_TAG] = \
		{ name "_tag", page(TAG(first), "", "true", TAG(first)), 5 + (is_by_visits), false, { 0 } }, \
	[STORE_LIST + (sort) * STORE_FILTERS + STORE_FILTER_SEARCH + STORE_FILTER_TAG] = \
		{ name "_search_tag", page(SEARCH(first) " AND " TAG(second), "", "true", TAG(second)), 6 + (is_by_visits), false, { 0 } }

/* One that is full stays so: a number that failed would keep those of all the others out. */
#define VISITS_MAX "9223372036854775807"

/* A batch of counted visits, and the mark that makes it safe to repeat: one that is in already finds its number
 * taken, and adds nothing. set_config ends with the transaction: visits need not wait for the disk. */
#define VISITS_MARK \
	"WITH mark AS (" \
	" INSERT INTO visit_writers AS w (writer, batch, written) VALUES ($1, $2::bigint, $3::timestamptz)" \
	" ON CONFLICT (writer) DO UPDATE SET batch = EXCLUDED.batch, written = EXCLUDED.written" \
	" WHERE w.batch < EXCLUDED.batch RETURNING set_config('synchronous_commit', 'off', true))"
#define VISITS_BATCH \
	"SELECT a.* FROM unnest($4::text[], $5::bigint[], $6::bigint[], $7::timestamptz[]) AS a (id, visits, robots, last)" \
	" ORDER BY id COLLATE \"C\""

const struct database_statement STORE_STATEMENT_TABLE[STORE_STATEMENTS] = {
	/* Most links have no options, which the third column says by NULL; enum option of store.c has the others. */
	[STORE_FIND_LINK] = {
		"find_link",
		"SELECT id, srcurl, CASE WHEN enabled AND NOT forwardquery"
		" AND (validfrom, expires, maxvisits, redirectstatus, deleted) IS NULL THEN NULL"
		" ELSE concat_ws(' ', CASE WHEN " HAS_ENDED " THEN 2 WHEN validfrom > now() THEN 1 ELSE 0 END,"
		" COALESCE(redirectstatus, 0), forwardquery::int, (maxvisits IS NOT NULL)::int,"
		" COALESCE(floor(extract(epoch FROM expires - now())), -1)) END"
		" FROM shortenedurls WHERE id = ANY($1::text[]) ORDER BY id",
		1,
		true,
		{ DATABASE_TEXT },
	},
	/* A taken id fails the statement. ON CONFLICT would not, but looks each id up before it inserts it, which
	 * is a fifth of the server's work, and an id is taken next to never. */
	[STORE_INSERT_LINK] = {
		"insert_link",
		"INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, owner)"
		" SELECT id, srcurl, created, created, owner"
		" FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) AS l (id, srcurl, created, owner)",
		4,
		true,
		{ DATABASE_TEXT, DATABASE_TEXT, DATABASE_TIMESTAMPTZ, DATABASE_TEXT },
	},
	[STORE_FIND_SAME_LINK] = {
		"find_same_link",
		"SELECT id FROM shortenedurls WHERE id = $1 AND srcurl = $2 AND created = $3 AND owner = $4",
		4,
		false,
		{ 0 },
	},
	/* As STORE_SETUP leaves nested loops only, the rows are updated in the order of their ids, so that two
	 * processes do not wait for each other; were it otherwise, PostgreSQL would end one of them (40P01), and it
	 * would be repeated. */
	[STORE_ADD_VISITS] = {
		"add_visits",
		VISITS_MARK " UPDATE shortenedurls l"
		" SET visits = l.visits + LEAST(s.visits, " VISITS_MAX " - l.visits), lastaccessed = GREATEST(l.lastaccessed, s.last)"
		" FROM (" VISITS_BATCH ") s CROSS JOIN mark WHERE l.id = s.id AND s.visits > 0",
		7,
		false,
		{ 0 },
	},
	/* What lists and statistics are made of. The activity is a copy, so that it mends itself where one batch
	 * was lost. */
	[STORE_ADD_DAYS] = {
		"add_days",
		VISITS_MARK ", s AS MATERIALIZED (SELECT b.* FROM (" VISITS_BATCH ") b CROSS JOIN mark),"
		" days AS (INSERT INTO visits_by_day AS d (id, day, visits, robots)"
		" SELECT id, (last AT TIME ZONE 'UTC')::date, visits, robots FROM s"
		" ON CONFLICT (id, day) DO UPDATE SET"
		" visits = d.visits + LEAST(EXCLUDED.visits, " VISITS_MAX " - d.visits),"
		" robots = d.robots + LEAST(EXCLUDED.robots, " VISITS_MAX " - d.robots))"
		" INSERT INTO link_activity AS a (id, visits, lastaccessed)"
		" SELECT l.id, l.visits, l.lastaccessed FROM s, " LINK_OF("s.id")
		" WHERE l.visits > 0 AND l.deleted IS NULL"
		" ON CONFLICT (id) DO UPDATE SET visits = GREATEST(a.visits, EXCLUDED.visits),"
		" lastaccessed = GREATEST(a.lastaccessed, EXCLUDED.lastaccessed)",
		7,
		false,
		{ 0 },
	},
	[STORE_FORGET_WRITERS] = {
		"forget_writers",
		"DELETE FROM visit_writers WHERE written < $1",
		1,
		false,
		{ 0 },
	},
	[STORE_PING] = { "ping", "SELECT 1", 0, false, { 0 } },
	/* Nobody's batch fails for a slug that is taken. */
	[STORE_ADD_LINK] = {
		"add_link",
		"INSERT INTO shortenedurls AS l (" NEW_LINK_COLUMNS ") VALUES (" NEW_LINK_VALUES ")"
		" ON CONFLICT (id) DO NOTHING RETURNING l.id, l.srcurl, " LINK_JSON,
		13,
		false,
		{ 0 },
	},
	/* What an earlier try has made that was cut off. A statement of its own: the insert may have waited for that
	 * try, and would not see what was not there yet when it began. */
	[STORE_FIND_MADE_LINK] = {
		"find_made_link",
		"SELECT l.id, l.srcurl, " LINK_JSON " FROM shortenedurls l WHERE l.id = $2 AND l.mark = $3",
		3,
		false,
		{ 0 },
	},
	/* One row where the claim is there: what it names, and the link if that is still as it was asked for. */
	[STORE_FIND_EQUAL_LINK] = {
		"find_equal_link",
		"SELECT l.id, l.srcurl, " LINK_JSON ", c.id FROM (SELECT id FROM reusable_links WHERE hash = $2::bytea"
		" UNION ALL SELECT $3::text WHERE $3 <> '') c LEFT JOIN " LINK_OF("c.id") " ON " HAS_ENDED " IS NOT TRUE"
		" AND l.srcurl = $4::text AND l.owner = $5::text AND l.title IS NOT DISTINCT FROM $6::text"
		" AND l.tags @> $7::text[] AND l.tags <@ $7::text[] AND l.validfrom IS NOT DISTINCT FROM $8::timestamptz"
		" AND l.expires IS NOT DISTINCT FROM $9::timestamptz AND l.maxvisits IS NOT DISTINCT FROM $10::bigint"
		" AND l.redirectstatus IS NOT DISTINCT FROM $11::bigint AND l.forwardquery = $12::boolean LIMIT 1",
		12,
		false,
		{ 0 },
	},
	/* Of all that come at once with one hash one gets its row, and makes the link in the same statement. The
	 * others wait for it here and find no row of their own. $15 is what the claim held when it was looked at. */
	[STORE_CLAIM_LINK] = {
		"claim_link",
		"WITH claim AS (INSERT INTO reusable_links AS r (hash, id) VALUES ($14::bytea, $2)"
		" ON CONFLICT (hash) DO UPDATE SET id = EXCLUDED.id WHERE r.id = $15::text RETURNING id),"
		" made AS (INSERT INTO shortenedurls (" NEW_LINK_COLUMNS ") SELECT " NEW_LINK_VALUES " FROM claim RETURNING *)"
		" SELECT l.id, l.srcurl, " LINK_JSON " FROM made l",
		15,
		false,
		{ 0 },
	},
	/* One condition and one change, so that no two get the same visit. A use that is repeated after a lost
	 * connection fails at its mark, and changes nothing. Each takes two old marks of its link away. */
	[STORE_USE_LINK] = {
		"use_link",
		"WITH used AS (UPDATE shortenedurls SET visits = LEAST(visits, " VISITS_MAX " - 1) + 1,"
		" lastaccessed = GREATEST(lastaccessed, $3::timestamptz)"
		" WHERE id = $2 AND deleted IS NULL AND enabled AND (expires IS NULL OR expires > now())"
		" AND (validfrom IS NULL OR validfrom <= now()) AND (maxvisits IS NULL OR visits < maxvisits) RETURNING id),"
		" noted AS (INSERT INTO used_visits (id, mark, used) SELECT id, $1, $3 FROM used),"
		" old AS (DELETE FROM used_visits o USING (SELECT v.id, v.mark FROM used_visits v"
		" WHERE v.id = $2 AND v.used < $3 - interval '1 hour' AND (SELECT true FROM used) ORDER BY v.used LIMIT 2) v"
		" WHERE o.id = $2 AND o.mark = v.mark)"
		" SELECT id FROM used",
		3,
		false,
		{ 0 },
	},
	/* Whether it was the last visit that was used up in the earlier try. */
	[STORE_FIND_USE] = { "find_use", "SELECT mark FROM used_visits WHERE id = $2 AND mark = $1", 2, false, { 0 } },
	[STORE_SHOW_LINK] = {
		"show_link",
		"SELECT l.deleted IS NOT NULL, " LINK_JSON " FROM shortenedurls l WHERE l.id = $2",
		2,
		false,
		{ 0 },
	},
	/* The bits of $3 say what is changed, in the order of the parameters: enum store_change. */
	[STORE_EDIT_LINK] = {
		"edit_link",
		"UPDATE shortenedurls l SET srcurl = n.srcurl, title = n.title, tags = n.tags, validfrom = n.validfrom,"
		" expires = n.expires, maxvisits = n.maxvisits, redirectstatus = n.redirectstatus,"
		" forwardquery = n.forwardquery, enabled = n.enabled"
		" FROM (SELECT o.id, CASE WHEN c & 1 > 0 THEN $4::text ELSE srcurl END AS srcurl,"
		" CASE WHEN c & 2 > 0 THEN $5::text ELSE title END AS title,"
		" CASE WHEN c & 4 > 0 THEN $6::text[] ELSE tags END AS tags,"
		" CASE WHEN c & 8 > 0 THEN $7::timestamptz ELSE validfrom END AS validfrom,"
		" CASE WHEN c & 16 > 0 THEN $8::timestamptz ELSE expires END AS expires,"
		" CASE WHEN c & 32 > 0 THEN $9::bigint ELSE maxvisits END AS maxvisits,"
		" CASE WHEN c & 64 > 0 THEN $10::bigint ELSE redirectstatus END AS redirectstatus,"
		" CASE WHEN c & 128 > 0 THEN $11::boolean ELSE forwardquery END AS forwardquery,"
		" CASE WHEN c & 256 > 0 THEN $12::boolean ELSE enabled END AS enabled"
		" FROM shortenedurls o, (SELECT $3::bigint AS c) b WHERE o.id = $2 AND o.deleted IS NULL FOR UPDATE OF o) n"
		" WHERE l.id = $2 AND (n.validfrom >= n.expires) IS NOT TRUE RETURNING false, " LINK_JSON,
		12,
		false,
		{ 0 },
	},
	[STORE_DELETE_LINK] = {
		"delete_link",
		"WITH gone AS (UPDATE shortenedurls SET deleted = COALESCE(deleted, $1::timestamptz) WHERE id = $2 RETURNING id),"
		" silent AS (DELETE FROM link_activity WHERE id = $2)"
		" SELECT id FROM gone",
		2,
		false,
		{ 0 },
	},
	[STORE_COUNT_VISITS] = {
		"count_visits",
		"SELECT l.deleted IS NOT NULL, (SELECT row_to_json(j) FROM (SELECT l.id, 'day' AS by, $2::text AS \"from\","
		" $3::text AS \"to\", COALESCE(sum(d.visits), 0) AS visits, COALESCE(sum(d.robots), 0) AS robots,"
		" ('[' || COALESCE(string_agg(row_to_json(d)::text, ',' ORDER BY d.day), '') || ']')::json AS days"
		" FROM (SELECT day, visits, robots FROM visits_by_day v WHERE v.id = $1"
		" AND v.day BETWEEN $2::text::date AND $3::text::date) d) j)"
		" FROM shortenedurls l WHERE l.id = $1",
		3,
		false,
		{ 0 },
	},
	/* Also whether the use of the key is worth noting: it was last noted before $2. */
	[STORE_FIND_KEY] = {
		"find_key",
		"SELECT id, lastused IS NULL OR lastused < $2 FROM api_keys WHERE hash = $1 AND revoked IS NULL",
		2,
		false,
		{ 0 },
	},
	[STORE_TOUCH_KEY] = {
		"touch_key",
		"UPDATE api_keys SET lastused = GREATEST(lastused, $2::timestamptz) WHERE id = $1",
		2,
		false,
		{ 0 },
	},
	LISTS(STORE_SORT_CREATED, 0, "list_by_created", TIME_KEY, CREATED_CANDIDATES, CREATED_PAGE, "$5", "$6"),
	LISTS(STORE_SORT_VISITS, 1, "list_by_visits", VISITS_KEY, VISITS_CANDIDATES, VISITS_PAGE, "$6", "$7"),
	LISTS(STORE_SORT_LAST_ACCESSED, 0, "list_by_last_accessed", TIME_KEY, ACCESSED_CANDIDATES, ACCESSED_PAGE, "$5", "$6"),
};

/* Every statement finds its rows by key, one after the other: one plan fits all its executions, and making it
 * anew for each batch would be most of a look-up. So no plan may suit only a table that was small, or not
 * analysed yet, when it was made. Where a table has to be read from end to end after all, that counts as so
 * dear that it would be compiled first, for a quarter of a second. Timeouts that the role or the conninfo sets
 * are left alone. */
const char STORE_SETUP[] =
	"SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),"
	" set_config('enable_mergejoin', 'off', false), set_config('enable_hashjoin', 'off', false),"
	" set_config('jit', 'off', false),"
	" CASE current_setting('lock_timeout') WHEN '0' THEN set_config('lock_timeout', $1, false) END,"
	" CASE current_setting('statement_timeout') WHEN '0' THEN set_config('statement_timeout', $2, false) END";

/* What preparing the statements does not show. */
const char STORE_CHECK[] =
	"SELECT CASE WHEN current_setting('transaction_read_only') = 'on' THEN 'it only reads'"
	" WHEN NOT (SELECT bool_and(has_table_privilege(t, p)) FROM (VALUES ('shortenedurls', 'SELECT,INSERT,UPDATE'),"
	" ('visit_writers', 'SELECT,INSERT,UPDATE,DELETE'), ('api_keys', 'SELECT,UPDATE'),"
	" ('reusable_links', 'SELECT,INSERT,UPDATE'), ('link_activity', 'SELECT,INSERT,UPDATE,DELETE'),"
	" ('visits_by_day', 'SELECT,INSERT,UPDATE'), ('used_visits', 'SELECT,INSERT,DELETE')) AS r (t, ps),"
	" unnest(string_to_array(ps, ',')) AS p)"
	" THEN 'the role ' || current_user || ' may not read and write its tables' END";
