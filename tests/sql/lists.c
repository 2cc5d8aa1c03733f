/* Lists of links, page by page, against a real PostgreSQL: SHORTEN_DATABASE names a migrated database, in which there are no links.
 * modules: store store_list store_work store_statements store_manage link_rules id digest json_body memory_reserve json_scan database database_connection database_array database_value database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log text_stream */
#include "json_body.h"
#include "store_manage.h"
#include "store_test.h"
#include "url.h"

#define SORT_NAMES { "created", "visits", "lastAccessed" }

/* How many links are looked at before the index of what is searched is asked: WINDOW of store_statements.c. */
#define WINDOW 1000

/* More words than are looked up in the index. */
#define MANY_WORDS "ccc aaa jjj dddd eee bbb ggg hhhh iii fff"

/* ---- what a list should hold */

/* The order, over all links and their activity. Links that were not visited follow those that were, by their age. */
static const char *const orders[STORE_SORTS] = {
	[STORE_SORT_CREATED] = "l.created DESC, l.id DESC",
	[STORE_SORT_VISITS] = "COALESCE(a.visits, 0) DESC, CASE WHEN a.id IS NULL THEN l.created END DESC, l.id DESC",
	[STORE_SORT_LAST_ACCESSED] = "COALESCE(a.lastaccessed, l.created) DESC, l.id DESC",
};

/* $1 is what is searched, $2 the tag. */
#define CHOSEN \
	" FROM shortenedurls l LEFT JOIN link_activity a ON a.id = l.id WHERE l.deleted IS NULL AND ($1::text IS NULL" \
	" OR strpos(lower(l.id), lower($1)) > 0 OR strpos(lower(l.srcurl), lower($1)) > 0 OR strpos(lower(l.title), lower($1)) > 0)" \
	" AND ($2::text IS NULL OR $2 = ANY (l.tags))"

static const char *ask_chosen(const char *statement, const struct store_list *list)
{
	return ask_with(statement, 2, (const char *const[]){ list->search, list->tag });
}

/* The ids in their order, with a blank behind each; valid until something else is asked. */
static const char *ask_ids(const struct store_list *list)
{
	char statement[1024];

	snprintf(statement, sizeof statement, "SELECT COALESCE(string_agg(l.id || ' ', '' ORDER BY %s), '')" CHOSEN, orders[list->sort]);
	return ask_chosen(statement, list);
}

/* ---- walks */

/* What a walk over all pages has seen. */
struct walk {
	FILE *file; /* of the ids */
	char *ids;
	size_t ids_size;
	int pages_count;
	int short_pages_count; /* that have fewer links than they could, and are not the last */
	char cursor[STORE_CURSOR_SIZE];
};

/* Writes the ids of a page and returns their number, -1 where it is no page. */
static long write_ids(const char *page, FILE *file)
{
	const char *problem;
	const struct json_value *links;
	struct json_body *body = json_body_parse(page, strlen(page), &problem);
	long count = -1;

	if (body != NULL && json_body_find(json_body_root(body), "links", &links) == JSON_TYPE_ARRAY) {
		count = (long)json_value_count(links);
		for (long i = 0; i < count; i++) {
			const struct json_value *id;
			size_t id_size;

			json_body_find(json_value_element(links, (size_t)i), "id", &id);
			fprintf(file, "%s ", json_value_string(id, &id_size));
		}
	}
	json_body_free(body);
	return count;
}

/* False when there is no other page. No value of a member can hold the mark, for its quotes are escaped. */
static bool read_cursor(const char *page, char cursor[STORE_CURSOR_SIZE])
{
	static const char mark[] = "],\"next\":\"";
	const char *at = strstr(page, mark);

	if (at == NULL)
		return false;
	at += sizeof mark - 1;
	snprintf(cursor, STORE_CURSOR_SIZE, "%.*s", (int)strcspn(at, "\""), at);
	return true;
}

static enum result list_links(const struct store_list *list, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_list_links(store, list, text_done, outcome);
	return wait_for(outcome);
}

/* False when it was the last page. */
static bool walk_page(struct walk *walk, const struct store_list *list)
{
	struct outcome outcome;

	if (list_links(list, &outcome) != RESULT_OK)
		return ok(false, "page %d is found", walk->pages_count);
	const char *page = read_text(&outcome);
	long count = write_ids(page, walk->file);
	bool has_more = read_cursor(page, walk->cursor);
	walk->pages_count++;
	walk->short_pages_count += has_more && count < list->page_max;
	if (count < 0 || count > list->page_max)
		return ok(false, "page %d has %ld links", walk->pages_count, count);
	if (has_more && !store_is_cursor(list->sort, walk->cursor))
		return ok(false, "the cursor %s is one", walk->cursor);
	return has_more;
}

/* Where links are chosen, a page may end before it is full, when the whole window was looked at. */
static int short_pages_max(const struct store_list *list)
{
	if (list->search == NULL && list->tag == NULL)
		return 0;
	return (int)strtol(ask("SELECT count(*) FROM shortenedurls WHERE deleted IS NULL"), NULL, 10) / WINDOW;
}

/* Walks over all pages of a list, and compares them with what they should be; not beyond, if they have no end. Returns how many
 * pages there are. */
static int test_walk(struct store_list list, const char *name)
{
	static const char *const sort_names[STORE_SORTS] = SORT_NAMES;
	const int short_max = short_pages_max(&list);
	const char *expected = ask_ids(&list);
	const size_t expected_size = strlen(expected);
	struct walk walk = { 0 };

	walk.file = open_memstream(&walk.ids, &walk.ids_size);
	if (walk.file == NULL)
		tap_bail_out("no memory for a list");
	list.after = NULL;
	while (walk_page(&walk, &list) && fflush(walk.file) == 0 && walk.ids_size <= expected_size && walk.short_pages_count <= short_max)
		list.after = walk.cursor;
	fclose(walk.file);
	size_t same = 0;
	while (walk.ids[same] != '\0' && walk.ids[same] == expected[same])
		same++;
	if (!ok(strcmp(walk.ids, expected) == 0 && walk.short_pages_count <= short_max, "%s by %s: search %s, tag %s: %d pages of %ld", name,
		sort_names[list.sort], list.search != NULL ? list.search : "-", list.tag != NULL ? list.tag : "-", walk.pages_count,
		list.page_max))
		printf("# %d pages are too short, of %d that may be\n# right up to byte %zu, then\n#      got: %.80s\n# expected: %.80s\n",
		       walk.short_pages_count, short_max, same, walk.ids + same, expected + same);
	free(walk.ids);
	return walk.pages_count;
}

/* ---- few links */

/* The 200 links of this have ties in all that they are ordered by, in either case of their ids. Of some the activity is not written yet,
 * and some that were deleted still have one. */
static void make_few(void)
{
	ask("INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, deleted, enabled)"
	    " SELECT CASE WHEN i %% 3 = 0 THEN upper(h) ELSE h END || CASE WHEN i %% 2 = 0 THEN '_' ELSE '-' END || i,"
	    " 'http://' || CASE i %% 4 WHEN 0 THEN 'ALPHA' WHEN 1 THEN 'Beta' ELSE 'c' END || '.example/' || i,"
	    " '2026-01-01'::timestamptz + i %% 23 * interval '1 s', '2026-01-01'::timestamptz + i %% 17 * interval '1 s',"
	    " CASE WHEN i %% 4 < 3 THEN i %% 7 ELSE 0 END,"
	    " CASE i %% 5 WHEN 0 THEN 'Gamma' WHEN 1 THEN 'with alpha inside' END,"
	    " CASE i %% 6 WHEN 0 THEN '{x}' WHEN 1 THEN '{y,x}' WHEN 2 THEN '{xx,X}' ELSE '{}' END::text[],"
	    " CASE WHEN i %% 11 = 0 THEN now() END, i %% 13 > 0"
	    " FROM (SELECT i, left(md5(i::text), 6) AS h FROM generate_series(1, 200) i) n ORDER BY h");
	ask("INSERT INTO link_activity SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0 AND title IS DISTINCT FROM 'Gamma'");
	ask("INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, tags) SELECT 'epoch-' || i, 'http://alpha.example/', 'epoch', 'epoch',"
	    " '{x}' FROM generate_series(1, 3) i");
	ask("ANALYZE shortenedurls, link_activity");
}

static void test_few(void)
{
	static const struct {
		const char *search;
		const char *tag;
	} filters[] = {
		{ NULL, NULL },	   { "alpha", NULL }, { "ALPHA", NULL },  { "beta.EXAMPLE", NULL }, { "amm", NULL }, { "-1", NULL },
		{ "_1", NULL },	   { "a", NULL },     { "nowhere", NULL }, { NULL, "x" },	      { NULL, "X" },   { NULL, "y" },
		{ NULL, "nothing" }, { "alpha", "x" }, { "gamma", "xx" },  { "nowhere", "x" },	      { "alpha", "nothing" },
	};
	static const long sizes[] = { 7, 1, 500 };

	make_few();
	for (int sort = 0; sort < STORE_SORTS; sort++)
		for (size_t i = 0; i < COUNT_OF(filters); i++)
			for (size_t j = 0; j < COUNT_OF(sizes); j++) {
				struct store_list list = { (enum store_sort)sort, sizes[j], filters[i].search, filters[i].tag, NULL };

				test_walk(list, "few");
			}
}

/* A page that ends with the last link says that there is no other. */
static void test_page_sizes(void)
{
	struct store_list list = { .search = "alpha" };
	long count = strtol(ask_chosen("SELECT count(*)" CHOSEN, &list), NULL, 10);

	for (int sort = 0; sort < STORE_SORTS; sort++) {
		struct outcome outcome;
		char cursor[STORE_CURSOR_SIZE];

		list.sort = (enum store_sort)sort;
		list.page_max = count;
		is_int(list_links(&list, &outcome), RESULT_OK, "a page for %ld links", count);
		ok(!read_cursor(read_text(&outcome), cursor), "no page follows");
		list.page_max = count - 1;
		is_int(list_links(&list, &outcome), RESULT_OK, "a page for one link less");
		ok(read_cursor(read_text(&outcome), cursor), "one page follows");
		list.after = cursor;
		is_int(list_links(&list, &outcome), RESULT_OK, "it is found");
		const char *page = read_text(&outcome);
		ok(strstr(page, "{\"id\":") != NULL && strstr(page, ",{\"id\":") == NULL, "with one link");
		ok(!read_cursor(page, cursor), "then no other follows");
		list.after = NULL;
	}
}

/* Each link of a page is the same as by itself. */
static void test_page_text(void)
{
	struct store_list list = { .page_max = 3, .search = "alpha" };
	struct outcome outcome;
	char expected[4096] = "{\"links\":[";
	char ids[256];

	snprintf(ids, sizeof ids, "%s", ask_ids(&list));
	char *rest = ids;
	for (int i = 0; i < 3; i++) {
		const char *id = strsep(&rest, " ");
		struct outcome shown = { 0 };

		store_show_link(store, id, text_done, &shown);
		is_int(wait_for(&shown), RESULT_OK, "the link %s by itself", id);
		size_t size = strlen(expected);
		snprintf(expected + size, sizeof expected - size, "%s%s", i > 0 ? "," : "", read_text(&shown));
	}
	size_t size = strlen(expected);
	snprintf(expected + size, sizeof expected - size, "],\"next\":\"");
	is_int(list_links(&list, &outcome), RESULT_OK, "a page with three links");
	ok(strncmp(read_text(&outcome), expected, strlen(expected)) == 0, "holds them as they are by themselves");
	list.search = "nowhere";
	is_int(list_links(&list, &outcome), RESULT_OK, "a page without links");
	is_text(read_text(&outcome), "{\"links\":[],\"next\":null}", "is a page too");
}

/* The cursor is a place in the order: what lies there may be gone, and more may lie before it. */
static void test_changes(void)
{
	for (int sort = 0; sort < STORE_SORTS; sort++) {
		struct store_list list = { .sort = (enum store_sort)sort, .page_max = 20 };
		struct outcome outcome;
		char cursor[STORE_CURSOR_SIZE];
		char expected[64];

		is_int(list_links(&list, &outcome), RESULT_OK, "a page");
		ok(read_cursor(read_text(&outcome), cursor), "that ends with a cursor");
		list.after = cursor;
		list.page_max = 1;
		is_int(list_links(&list, &outcome), RESULT_OK, "what follows");
		snprintf(expected, sizeof expected, "%.30s", read_text(&outcome));
		ask("UPDATE shortenedurls SET deleted = now() WHERE id = '%s'", strrchr(cursor, '.') + 1);
		ask("INSERT INTO shortenedurls VALUES ('new-%d', 'http://a/', now(), now())", sort);
		ask("INSERT INTO link_activity VALUES ('new-%d', 1000, now())", sort);
		is_int(list_links(&list, &outcome), RESULT_OK, "when the last link is deleted, and another is added at the top");
		ok(strncmp(read_text(&outcome), expected, strlen(expected)) == 0, "is still the same");
	}
}

/* ---- what is searched */

/* One link with each title, URL and tag. */
static const char *const texts[] = {
	"100%", "100x", "a_b", "aXb", "a\\b", "a\\\\b", "\\%", "%", "_", "it's", "\"quoted\"", "{a,b}", "NULL", "*", ".*", "$1", "a b",
	"\xc3\xa4\xf0\x9f\x98\x80", "[a-z]", "(", "a\\", "\\",
};

static void make_texts(void)
{
	ask("DELETE FROM shortenedurls");
	ask("DELETE FROM link_activity");
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		ask_with("INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, title, tags) VALUES"
			 " ('title-' || $1, 'http://h/', now(), now(), 'T' || $2 || 'T', '{}'),"
			 " ('url-' || $1, 'http://h/' || $2 || 'U', now(), now(), NULL, '{}'),"
			 " ('tag-' || $1, 'http://h/', now(), now(), NULL, ARRAY['other', $2])",
			 2, (const char *const[]){ (const char[]){ (char)('a' + i), '\0' }, texts[i] });
}

static void test_texts(void)
{
	static const char *const more[] = { "T%T", "t_t", "%U", "100", "title-", "TITLE-A", "tag_", "tag-", "h", "://", "other", "a%b", "\\_",
					    "\xc3\x84", "\n", "\nhttp", "a\n", "Q\n" };
	struct store_list list = { .page_max = 7 };

	make_texts();
	for (size_t i = 0; i < COUNT_OF(texts) + COUNT_OF(more); i++) {
		const char *text = i < COUNT_OF(texts) ? texts[i] : more[i - COUNT_OF(texts)];

		list.sort = (enum store_sort)(i % STORE_SORTS);
		list.search = text;
		list.tag = NULL;
		test_walk(list, "texts");
		list.search = NULL;
		list.tag = text;
		test_walk(list, "texts");
	}
	list.search = "100%";
	list.tag = NULL;
	is_text(ask_chosen("SELECT string_agg(l.id, ' ' ORDER BY l.id)" CHOSEN, &list), "title-a url-a", "what is expected is right");
}

/* Longer than any search that a request can hold. */
static void test_long_search(void)
{
	static char search[801];
	struct store_list list = { .page_max = 7, .search = search };

	memset(search, '%', sizeof search - 1);
	ask_with("UPDATE shortenedurls SET srcurl = 'http://h/' || $1 WHERE id = 'url-b'", 1, (const char *const[]){ search });
	test_walk(list, "long");
	list.search = "";
	test_walk(list, "empty");
}

/* ---- cursors */

#define TEN(c) c c c c c c c c c c
#define SIXTY_FOUR(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) c c c c

/* Behind the letter of an order. */
static const struct {
	const char *text;
	bool is_by_time;   /* a cursor of the orders by time */
	bool is_by_visits; /* of that by visits */
} places[] = {
	{ "0.1767268800123456.aZ09_-", true, true },
	{ "0.1.a", true, true },
	{ "0.999999999999999999." SIXTY_FOUR("a"), true, true },
	{ "5.0.a", false, true },
	{ "999999999999999999.0." SIXTY_FOUR("a"), false, true },
	{ "0.0.a", true, true },
	{ "5.1.a", false, false },
	{ "", false, false },
	{ "a", false, false },
	{ ".", false, false },
	{ "..", false, false },
	{ "0", false, false },
	{ "0.", false, false },
	{ "0.1", false, false },
	{ "0.1.", false, false },
	{ "0..a", false, false },
	{ ".1.a", false, false },
	{ "0.1.a.b", false, false },
	{ "0.1.a b", false, false },
	{ "0.1.a\n", false, false },
	{ "0.1.\xc3\xa4", false, false },
	{ "0.1.%", false, false },
	{ "0.1." SIXTY_FOUR("a") "a", false, false },
	{ "-1.0.a", false, false },
	{ "0.-1.a", false, false },
	{ "+5.0.a", false, false },
	{ " 5.0.a", false, false },
	{ "5 .0.a", false, false },
	{ "0x5.0.a", false, false },
	{ "5e1.0.a", false, false },
	{ "5,0,a", false, false },
	{ "0.1000000000000000000.a", false, false },
	{ "1000000000000000000.0.a", false, false },
	{ "18446744073709551617.0.a", false, false },
	{ "0.infinity.a", false, false },
	{ "null", false, false },
};

static void test_cursor(enum store_sort sort, const char *cursor, bool is_good)
{
	struct store_list list = { .sort = sort, .page_max = 1, .after = cursor };
	struct outcome outcome = { 0 };

	is_int(store_is_cursor(sort, cursor), is_good, "order %d, cursor `%s`", (int)sort, cursor);
	store_list_links(store, &list, text_done, &outcome);
	is_int(outcome.is_done, !is_good, "only a bad one is refused at once");
	is_int(wait_for(&outcome), is_good ? RESULT_OK : RESULT_FAILED, "what comes of it");
	read_text(&outcome);
}

static void test_cursors(void)
{
	static const char letters[STORE_SORTS] = { 'c', 'v', 'a' };

	for (size_t i = 0; i < COUNT_OF(places); i++)
		for (int sort = 0; sort < STORE_SORTS; sort++) {
			char cursor[STORE_CURSOR_SIZE + 2];

			snprintf(cursor, sizeof cursor, "%c%s", letters[sort], places[i].text);
			test_cursor((enum store_sort)sort, cursor, sort == STORE_SORT_VISITS ? places[i].is_by_visits : places[i].is_by_time);
		}
	for (int sort = 0; sort < STORE_SORTS; sort++) {
		test_cursor((enum store_sort)sort, "", false);
		test_cursor((enum store_sort)sort, "0.1.a", false);
		test_cursor((enum store_sort)sort, sort == STORE_SORT_CREATED ? "v0.1.a" : "c0.1.a", false);
		test_cursor((enum store_sort)sort, sort == STORE_SORT_LAST_ACCESSED ? "v0.1.a" : "a0.1.a", false);
		test_cursor((enum store_sort)sort, sort == STORE_SORT_VISITS ? "V5.0.a" : "C0.1.a", false);
	}
	ok(strlen("c999999999999999999.999999999999999999.") + ID_MAX < STORE_CURSOR_SIZE, "the longest cursor has room");
}

/* ---- many links */

/* In about the same order whatever it is, so that what is searched lies behind the window, at its border, or on both sides of it. Link
 * i was made i/7 s before the first one, so that there are ties; every fifth was never visited, and none behind the `visited`
 * first ones. Of "common" there are more than the index is asked for. */
static void make_many(int visited)
{
	/* TRUNCATE would make the index anew, and complete. */
	ask("DELETE FROM shortenedurls");
	ask("DELETE FROM link_activity");
	ask("VACUUM shortenedurls, link_activity");
	ask("INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, visits, title, tags, deleted)"
	    " SELECT 'l-' || left(md5(i::text), 5) || i, 'http://a/' || i, t, t, v,"
	    " array_to_string(w, ' '), w, CASE WHEN i %% 401 = 0 THEN now() END"
	    " FROM (SELECT i, '2026-01-01'::timestamptz - i / 7 * interval '1 s' AS t,"
	    " CASE WHEN i < %d AND i %% 5 > 0 THEN (9100 - i) / 6 ELSE 0 END AS v,"
	    " array_remove(ARRAY[CASE WHEN i %% 600 = 599 AND i > 5100 THEN 'rare' END, CASE WHEN i %% 287 = 0 THEN 'both' END,"
	    " CASE WHEN i BETWEEN 960 AND 1040 OR i BETWEEN 1220 AND 1300 THEN 'edge' END, CASE WHEN i = 8999 THEN 'last " MANY_WORDS "' END,"
	    " CASE WHEN i > 5000 AND i %% 3 = 0 THEN 'common' END, CASE WHEN i = 8000 THEN '\xc3\xbcn\xc3\xaf' END,"
	    " CASE WHEN i %% 1500 = 1499 THEN '-%%' END, CASE WHEN i < 1900 AND i %% 4 = 0 THEN 'front' END,"
	    " CASE WHEN i %% 5 < 4 THEN 'abcd bcde' END], NULL) AS w FROM generate_series(0, 8999) i) n",
	    visited);
	ask("INSERT INTO link_activity SELECT id, visits, lastaccessed FROM shortenedurls WHERE visits > 0");
	ask("ANALYZE shortenedurls, link_activity");
}

/* Where the links lie that are searched, counted from the first: that the walks do what they are for. */
static void test_border(const char *name, enum store_sort sort, const char *expected)
{
	struct store_list list = { .sort = sort, .search = name };
	char statement[1024];

	snprintf(statement, sizeof statement,
		 "SELECT CASE WHEN min(n) > %d THEN 'behind' WHEN max(n) <= %d THEN 'before' ELSE 'both' END FROM (SELECT row_number()"
		 " OVER (ORDER BY %s) AS n, strpos(l.title, '%s') > 0 AS is_hit FROM shortenedurls l LEFT JOIN link_activity a"
		 " ON a.id = l.id WHERE l.deleted IS NULL) r WHERE is_hit",
		 WINDOW, WINDOW, orders[sort], name);
	is_text(ask("%s", statement), expected, "%s, order %d: lies %s of the window", list.search, sort, expected);
}

/* With an index what is rare is on the first page, wherever it lies. */
static void test_last(enum store_sort sort, const char *name)
{
	bool has_index = *ask("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('shortenedurls_text') AND indisvalid") != '\0';
	struct store_list list = { .sort = sort, .page_max = 7, .tag = "last" };

	is_int(test_walk(list, name), 1, "a rare tag is on the first page");
	list.search = "a";
	is_int(test_walk(list, name), 1, "a search within a rare tag too");
	list = (struct store_list){ .sort = sort, .page_max = 7, .search = "last" };
	int pages_count = test_walk(list, name);
	ok(has_index ? pages_count == 1 : pages_count > 1, "a rare word %s", has_index ? "too" : "only where there is an index for it");
	list.search = "http://a/8999";
	pages_count = test_walk(list, name);
	ok(has_index ? pages_count == 1 : pages_count > 1, "one beside frequent words as well");
	list.search = MANY_WORDS;
	pages_count = test_walk(list, name);
	ok(has_index ? pages_count == 1 : pages_count > 1, "and many words");
}

/* The index is not asked for what it could find only among very many, as far as the candidates tell. */
static void test_frequent(enum store_sort sort, const char *name)
{
	static const struct {
		const char *search;
		const char *what;
	} searches[] = {
		{ "a/http", "a word of all links, that is not found" },
		{ "abcde", "a word that is not found, but its runs in many links" },
		{ "front", "what many candidates have" },
	};

	for (size_t i = 0; i < COUNT_OF(searches); i++) {
		struct store_list list = { .sort = sort, .page_max = 500, .search = searches[i].search };

		ok(test_walk(list, name) > 1, "%s: page by page", searches[i].what);
	}
}

/* Small pages lie on one side of the border; of the larger ones one is filled across it. */
static void test_many(int visited, const char *name)
{
	static const struct {
		const char *text;
		long page_max;
	} words[] = {
		{ "rare", 7 }, { "edge", 20 }, { "edge", 50 }, { "edge", 100 },		{ "both", 7 }, { "both", 50 },
		{ "nowhere", 7 }, { "common", 450 }, { "\xc3\xbcn\xc3\xaf", 7 }, { "-%", 7 },
	};

	make_many(visited);
	for (int sort = 0; sort < STORE_SORTS; sort++) {
		struct store_list list = { .sort = (enum store_sort)sort, .page_max = 500 };

		test_walk(list, name);
		test_border("rare", list.sort, "behind");
		test_border("edge", list.sort, "both");
		test_border("both", list.sort, "both");
		test_last(list.sort, name);
		test_frequent(list.sort, name);
		for (size_t i = 0; i < COUNT_OF(words); i++) {
			list.page_max = words[i].page_max;
			list.search = words[i].text;
			list.tag = NULL;
			test_walk(list, name);
			list.tag = list.search;
			test_walk(list, name);
			list.search = NULL;
			test_walk(list, name);
		}
	}
}

static void test_all(void)
{
	test_few();
	test_page_sizes();
	test_page_text();
	test_changes();
	test_texts();
	test_long_search();
	test_cursors();
	test_many(9000, "many, most visited");
	test_many(1500, "many, few visited");
	test_many(0, "many, none visited");
}

/* With an index that is not complete all has to be as without one, which was tested. */
int main(void)
{
	struct config config;

	open_all(&config);
	if (*ask("SELECT 'spoiled' FROM pg_index WHERE indexrelid = to_regclass('shortenedurls_text') AND NOT indisvalid") != '\0')
		test_many(1500, "many, few visited");
	else
		test_all();
	close_all();
	url_close();
	return tap_done();
}
