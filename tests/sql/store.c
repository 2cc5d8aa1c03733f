/* The store, and what links build on it, against a real PostgreSQL: SHORTEN_DATABASE names an empty,
 * migrated database. Ids come from this file, so that two of them can be equal.
 * modules: creation visit_writer visits store store_work store_statements store_manage link_rules digest database database_connection database_array database_value database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log text_stream */
#include <dlfcn.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "creation.h"
#include "database_batch.h"
#include "id.h"
#include "loop.h"
#include "store.h"
#include "tap.h"
#include "url.h"
#include "visits.h"

#define NOON_US INT64_C(1767268800123456)
#define URL_A "https://example.com/a"

_Static_assert(DATABASE_BATCHES_MAX == 3, "test_ahead sends so many, and one more");

/* The operations of the batches here, and the one among them that is special. */
#define BATCH_COUNT (2 * DATABASE_AHEAD_MIN + 5)
#define SPECIAL 7

static struct loop *loop;
static struct store *store;

static const char *next_ids[8];
static int next_ids_used;

/* A connection of the test's own, which looks at the tables, holds locks and ends sessions. */
static PGconn *other;

/* How many transactions the store has sent, and the socket of the last one. */
static int sent_count;
static int sent_socket;

int PQpipelineSync(PGconn *conn)
{
	static int (*original)(PGconn *conn);

	if (original == NULL)
		original = (int (*)(PGconn *))dlsym(RTLD_NEXT, "PQpipelineSync");
	sent_count++;
	sent_socket = PQsocket(conn);
	return original(conn);
}

void id_generate(char id[ID_SIZE + 1])
{
	memcpy(id, next_ids[next_ids_used++], ID_SIZE + 1);
}

bool id_is_valid(const char *text, size_t text_size)
{
	(void)text;
	return text_size > 0 && text_size <= ID_MAX;
}

/* What came of an operation. */
struct outcome {
	bool is_done;
	enum result result;
	char id[ID_MAX + 1];
	char srcurl[128]; /* the beginning */
	size_t srcurl_size;
};

static void link_done(void *context, enum result result, const struct link *link)
{
	struct outcome *outcome = context;

	outcome->is_done = true;
	outcome->result = result;
	if (link == NULL)
		return;
	snprintf(outcome->id, sizeof outcome->id, "%s", link->id);
	snprintf(outcome->srcurl, sizeof outcome->srcurl, "%.*s", (int)link->srcurl_size, link->srcurl);
	outcome->srcurl_size = link->srcurl_size;
}

static void done(void *context, enum result result)
{
	link_done(context, result, NULL);
}

/* Turns until it is done, for ten seconds at most. */
static enum result wait_for(const struct outcome *outcome)
{
	int64_t end_ms = loop_now_ms() + 10000;

	/* What is submitted is sent at the end of a turn. */
	if (!outcome->is_done)
		loop_turn(loop, 0);
	while (!outcome->is_done && loop_now_ms() < end_ms)
		loop_turn(loop, 100);
	if (!outcome->is_done)
		ok(false, "the operation ends");
	return outcome->result;
}

/* Runs a statement over the other connection and returns the first value that comes back. */
__attribute__((format(printf, 1, 2))) static const char *ask(const char *format, ...)
{
	static char answer[128];
	char statement[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(statement, sizeof statement, format, arguments);
	va_end(arguments);
	PGresult *rows = PQexec(other, statement);
	if (PQresultStatus(rows) != PGRES_TUPLES_OK && PQresultStatus(rows) != PGRES_COMMAND_OK)
		ok(false, "%s: %s", statement, PQresultErrorMessage(rows));
	snprintf(answer, sizeof answer, "%s", PQntuples(rows) > 0 ? PQgetvalue(rows, 0, 0) : "");
	PQclear(rows);
	return answer;
}

/* Asks until the answer is this one, for ten seconds at most. The loop turns meanwhile if it shall. */
static void wait_for_answer(const char *statement, const char *answer, bool is_turning)
{
	int64_t end_ms = loop_now_ms() + 10000;
	bool is_there = false;

	while (!is_there && loop_now_ms() < end_ms) {
		if (is_turning)
			loop_turn(loop, 5);
		else
			usleep(5000);
		is_there = strcmp(ask("%s", statement), answer) == 0;
	}
	if (!is_there)
		ok(false, "%s gives %s", statement, answer);
}

static enum result insert(const char *id, const char *srcurl, int64_t created_us)
{
	struct outcome outcome = { 0 };

	store_insert_link(store, id, srcurl, strlen(srcurl), created_us, "", link_done, &outcome);
	return wait_for(&outcome);
}

static enum result find(const char *id, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_find_link(store, id, link_done, outcome);
	return wait_for(outcome);
}

static enum result add(const char *writer, int64_t batch, const struct visit visits[], size_t count)
{
	struct outcome outcome = { 0 };

	store_add_visits(store, writer, batch, visits, count, done, &outcome);
	return wait_for(&outcome);
}

static void test_insert_and_find(void)
{
	struct outcome outcome;

	is_int(insert("aaaaaaaaaa", URL_A, NOON_US), RESULT_OK, "a link is inserted");
	is_int(find("aaaaaaaaaa", &outcome), RESULT_OK, "and found");
	is_text(outcome.srcurl, URL_A, "with its URL");
	is_int(find("AAAAAAAAAA", &outcome), RESULT_NOT_FOUND, "but not in another case");
	is_int(insert("aaaaaaaaaa", URL_A, NOON_US), RESULT_OK, "repeating the insert is a success");
	is_int(insert("aaaaaaaaaa", "https://example.com/b", NOON_US), RESULT_TAKEN, "another URL with the same id is not");
	is_int(insert("aaaaaaaaaa", URL_A, NOON_US + 1), RESULT_TAKEN, "nor the same URL at another time");
	is_int(find("aaaaaaaaaa", &outcome), RESULT_OK, "the link is still there");
	is_text(outcome.srcurl, URL_A, "and is what it was");
}

/* The one among them that is stored is found. */
static void test_odd_ids(void)
{
	static const char *const ids[] = { "",	"\"",  "\\",	       "{}",	     "NULL",	  "a,b",
					   "'", "\x7F", "\xC3\xA4", "aaaaaaaaaa", "aaaaaaaaa", "aaaaaaaaaaa" };
	struct outcome outcomes[COUNT_OF(ids)] = { 0 };

	for (size_t i = 0; i < COUNT_OF(ids); i++)
		store_find_link(store, ids[i], link_done, &outcomes[i]);
	for (size_t i = 0; i < COUNT_OF(ids); i++)
		is_int(wait_for(&outcomes[i]), strcmp(ids[i], "aaaaaaaaaa") == 0 ? RESULT_OK : RESULT_NOT_FOUND,
		       "the id '%s'", ids[i]);
}

/* What means something to SQL, to an array or to a shell comes back as it was. */
static void test_odd_urls(void)
{
	static const char *const urls[] = {
		"http://a/\"\\\"", "http://a/{b,c}", "http://a/NULL", "http://a/'; DROP TABLE shortenedurls; --",
		"http://a/$1%s%n", "http://a/\xC3\xA4\xF0\x9F\x98\x80", "http://a/ b", "http://a/`x`|&\\",
		"NULL", "null", "{}", "{\"a\",NULL}", "\\", "\\\\", "\\x41", "\"", "'", ",",
	};
	struct outcome outcomes[COUNT_OF(urls)] = { 0 };

	for (size_t i = 0; i < COUNT_OF(urls); i++) {
		char id[ID_SIZE + 1];

		snprintf(id, sizeof id, "odd-%06zu", i);
		store_insert_link(store, id, urls[i], strlen(urls[i]), NOON_US, "", link_done, &outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(urls); i++) {
		struct outcome found;

		is_int(wait_for(&outcomes[i]), RESULT_OK, "%s is inserted", urls[i]);
		is_int(find(outcomes[i].id, &found), RESULT_OK, "and found");
		is_text(found.srcurl, urls[i], "as it was");
	}
}

static void test_times(void)
{
	static const struct {
		int64_t time_us;
		const char *text;
	} rows[] = {
		{ NOON_US, "2026-01-01 12:00:00.123456" },
		{ 0, "1970-01-01 00:00:00.000000" },
		{ 1, "1970-01-01 00:00:00.000001" },
		{ -1, "1969-12-31 23:59:59.999999" },
		{ INT64_C(946684800000000), "2000-01-01 00:00:00.000000" },
		{ INT64_C(946684799999999), "1999-12-31 23:59:59.999999" },
		{ INT64_C(951782400000001), "2000-02-29 00:00:00.000001" },
		{ INT64_C(4102444800999999), "2100-01-01 00:00:00.999999" },
	};
	struct visit visit = { .count = 1 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		snprintf(visit.id, sizeof visit.id, "time-%zu", i);
		is_int(insert(visit.id, URL_A, rows[i].time_us), RESULT_OK, "a link made at %s", rows[i].text);
		is_int(insert(visit.id, URL_A, rows[i].time_us), RESULT_OK, "is the same when it is repeated");
		is_text(ask("SELECT to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') FROM shortenedurls"
			    " WHERE id = '%s' AND lastaccessed = created",
			    visit.id),
			rows[i].text, "and has that time");
		visit.last_us = rows[i].time_us + 1000001;
		is_int(add("time", (int64_t)i + 1, &visit, 1), RESULT_OK, "a visit a second later");
		is_text(ask("SELECT lastaccessed - created FROM shortenedurls WHERE id = '%s'", visit.id), "00:00:01.000001",
			"has its own");
	}
}

static void test_large_counts(void)
{
	struct visit visit = { "time-0", INT64_C(1) << 40, 0, NOON_US };

	is_int(add("large", 1, &visit, 1), RESULT_OK, "visits beyond 32 bits");
	is_text(ask("SELECT visits FROM shortenedurls WHERE id = 'time-0'"), "1099511627777", "are added");
	visit.count = INT64_MAX - INT64_C(1099511627777);
	is_int(add("large", 2, &visit, 1), RESULT_OK, "as many as fit");
	is_text(ask("SELECT visits FROM shortenedurls WHERE id = 'time-0'"), "9223372036854775807", "are added");
	visit.count = 1;
	is_int(add("large", 3, &visit, 1), RESULT_OK, "one more is no failure, which would keep the others of its batch out");
	is_text(ask("SELECT visits FROM shortenedurls WHERE id = 'time-0'"), "9223372036854775807", "and changes nothing");
}

/* More than a batch takes, and more than the memory for a batch that is kept. */
static void test_many_long_urls(void)
{
	static struct outcome outcomes[600];
	static char url[2001];
	int stored = 0;
	int found = 0;

	memset(url, 'x', sizeof url - 1);
	for (int i = 0; i < (int)COUNT_OF(outcomes); i++) {
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "long-%04d", i);
		memcpy(url, id, strlen(id));
		store_insert_link(store, id, url, sizeof url - 1 - (size_t)i, NOON_US, "", link_done, &outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(outcomes); i++)
		stored += wait_for(&outcomes[i]) == RESULT_OK;
	is_int(stored, COUNT_OF(outcomes), "many long URLs at once are stored");
	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		struct outcome *outcome = &outcomes[i];

		outcome->is_done = false;
		store_find_link(store, outcome->id, link_done, outcome);
	}
	for (size_t i = 0; i < COUNT_OF(outcomes); i++)
		found += wait_for(&outcomes[i]) == RESULT_OK && outcomes[i].srcurl_size == sizeof url - 1 - i &&
			 strncmp(outcomes[i].srcurl, outcomes[i].id, strlen(outcomes[i].id)) == 0;
	is_int(found, COUNT_OF(outcomes), "and found, each with its own");
}

/* Two of a batch want the same id: one statement for both would give it to both. */
static void test_same_id_in_a_batch(void)
{
	struct outcome first = { 0 };
	struct outcome second = { 0 };
	struct outcome found;

	store_insert_link(store, "contended", URL_A, strlen(URL_A), NOON_US, "", link_done, &first);
	store_insert_link(store, "contended", "http://b/", 9, NOON_US, "", link_done, &second);
	is_int(wait_for(&first), RESULT_OK, "the first one gets the id");
	is_int(wait_for(&second), RESULT_TAKEN, "the second one does not");
	is_int(find("contended", &found), RESULT_OK, "there is one link");
	is_text(found.srcurl, URL_A, "the first one's");
}

/* Many look-ups in one statement, some of the same link, some of none. */
static void test_many_reads(void)
{
	static struct outcome outcomes[300];
	int right = 0;

	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		static const char *const ids[] = { "odd-000001", "no-such-id", "aaaaaaaaaa" };

		store_find_link(store, ids[i % 3], link_done, &outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		static const char *const urls[] = { "http://a/{b,c}", "", URL_A };
		enum result expected = i % 3 == 1 ? RESULT_NOT_FOUND : RESULT_OK;

		right += wait_for(&outcomes[i]) == expected && strcmp(outcomes[i].srcurl, urls[i % 3]) == 0;
	}
	is_int(right, COUNT_OF(outcomes), "each look-up gets its own link");
}

/* All are submitted before the loop turns, and so go out in one transaction. */
static void test_failure_in_a_batch(void)
{
	static struct outcome outcomes[20];
	struct outcome outcome;
	int stored = 0;

	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		char id[ID_SIZE + 1];

		snprintf(id, sizeof id, "batch-%04zu", i);
		/* The table's constraint refuses an empty URL. */
		store_insert_link(store, id, URL_A, i == 7 ? 0 : strlen(URL_A), NOON_US, "", link_done, &outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(outcomes); i++)
		stored += wait_for(&outcomes[i]) == RESULT_OK;
	is_int(outcomes[7].result, RESULT_FAILED, "a failed statement in a batch fails");
	is_int(stored, 19, "alone: the others are stored");
	is_int(find("batch-0000", &outcome), RESULT_OK, "the one before it");
	is_int(find("batch-0019", &outcome), RESULT_OK, "and the one behind it");
	is_int(find("batch-0007", &outcome), RESULT_NOT_FOUND, "but not the failed one");
}

static void test_failure_among_reads(void)
{
	struct outcome bad = { 0 };
	struct outcome before = { 0 };
	struct outcome behind = { 0 };
	struct outcome write = { 0 };

	store_find_link(store, "batch-0001", link_done, &before);
	store_find_link(store, "\xff", link_done, &bad);
	store_find_link(store, "batch-0002", link_done, &behind);
	store_insert_link(store, "besides-it", URL_A, strlen(URL_A), NOON_US, "", link_done, &write);
	is_int(wait_for(&before), RESULT_OK, "a read before a failed one");
	is_int(wait_for(&bad), RESULT_FAILED, "the failed one");
	is_int(wait_for(&behind), RESULT_OK, "a read behind it");
	is_int(wait_for(&write), RESULT_OK, "and a write in the same batch");
}

/* tests/sql/store.t looks at the rows that this leaves: NULL has 5 visits, batch-0003 has 8. */
static void test_visits(void)
{
	static const struct visit first[] = { { "NULL", 2, 0, NOON_US + 5000000 }, { "batch-0003", 3, 0, NOON_US + 1000000 } };
	static const struct visit second[] = { { "NULL", 3, 0, NOON_US + 4000000 },
					       { "batch-0003", 5, 1, NOON_US + 2000000 },
					       { "gone", 1, 1, NOON_US } };

	is_int(insert("NULL", URL_A, NOON_US), RESULT_OK, "an id that is a word of SQL");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "a batch of visits");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "the same batch again");
	is_int(add("writer", 2, second, COUNT_OF(second)), RESULT_OK, "the next one, with a link that is gone");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "an old one again");
}

/* An insert that is not like the others of its batch. */
struct special {
	const char *id;
	const char *srcurl;
	enum result expected;
};

/* Inserts whose ids and URLs follow from the name, but for the special one, which may be NULL. */
static void insert_some(const char *name, size_t from, size_t to, const struct special *special, struct outcome outcomes[])
{
	for (size_t i = from; i < to; i++) {
		char id[ID_MAX + 1];
		char url[128];
		bool is_special = special != NULL && i == SPECIAL;

		snprintf(id, sizeof id, "%.7s-%02zu", name, i);
		snprintf(url, sizeof url, "http://a/%s", id);
		const char *srcurl = is_special ? special->srcurl : url;
		store_insert_link(store, is_special ? special->id : id, srcurl, strlen(srcurl), NOON_US, "", link_done,
				  &outcomes[i]);
	}
}

static void insert_batch(const char *name, const struct special *special, struct outcome outcomes[BATCH_COUNT])
{
	memset(outcomes, 0, BATCH_COUNT * sizeof *outcomes);
	insert_some(name, 0, BATCH_COUNT, special, outcomes);
}

/* Waits for the inserts, then finds all of their links: counts those that end and are stored as they should. */
static int count_right(const char *name, const struct special *special, const struct outcome outcomes[BATCH_COUNT])
{
	static struct outcome found[BATCH_COUNT];
	int right = 0;

	memset(found, 0, sizeof found);
	for (size_t i = 0; i < BATCH_COUNT; i++) {
		right += wait_for(&outcomes[i]) == (special != NULL && i == SPECIAL ? special->expected : RESULT_OK);
		store_find_link(store, outcomes[i].id, link_done, &found[i]);
	}
	for (size_t i = 0; i < BATCH_COUNT; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a/%.7s-%02zu", name, i);
		if (special != NULL && i == SPECIAL)
			snprintf(url, sizeof url, "%s", special->expected == RESULT_OK ? special->srcurl : "");
		wait_for(&found[i]);
		right += strcmp(found[i].srcurl, url) == 0;
	}
	return right;
}

/* While this is held, writes wait and reads do not. */
static void hold_writes(void)
{
	ask("BEGIN; LOCK TABLE shortenedurls IN SHARE MODE");
}

static void release_writes(void)
{
	ask("COMMIT");
}

#define WAITING "FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"

/* The first batch is under way then, and stays so. */
static void wait_until_held(void)
{
	wait_for_answer("SELECT count(*) " WAITING, "1", true);
}

static void test_ahead(void)
{
	static struct outcome first[BATCH_COUNT];
	static struct outcome second[BATCH_COUNT];
	static struct outcome third[BATCH_COUNT];
	static struct outcome fourth[BATCH_COUNT];

	hold_writes();
	insert_batch("ahead-1", NULL, first);
	wait_until_held();
	int sent_before = sent_count;
	insert_some("ahead-2", 0, DATABASE_AHEAD_MIN - 1, NULL, second);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 0, "behind a batch that is under way a few operations wait");
	insert_some("ahead-2", DATABASE_AHEAD_MIN - 1, BATCH_COUNT, NULL, second);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 1, "many are sent");
	insert_batch("ahead-3", NULL, third);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 2, "and many more");
	insert_batch("ahead-4", NULL, fourth);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 2, "but not behind three batches");
	release_writes();
	is_int(count_right("ahead-1", NULL, first), 2 * BATCH_COUNT, "the first batch is stored");
	is_int(count_right("ahead-2", NULL, second), 2 * BATCH_COUNT, "the second one too");
	is_int(count_right("ahead-3", NULL, third), 2 * BATCH_COUNT, "and the third one");
	is_int(count_right("ahead-4", NULL, fourth), 2 * BATCH_COUNT, "and the fourth one");
	sent_before = sent_count;
	insert_batch("ahead-1", NULL, first);
	is_int(count_right("ahead-1", NULL, first), 2 * BATCH_COUNT, "all of it once more, as if it had been cut off");
	ok(sent_count - sent_before > BATCH_COUNT, "which cannot be done at once");
}

/* Sends two batches that wait for release_writes. */
static void start_two(const char *const names[2], const struct special *const specials[2],
		      struct outcome outcomes[2][BATCH_COUNT])
{
	hold_writes();
	insert_batch(names[0], specials[0], outcomes[0]);
	wait_until_held();
	int sent_before = sent_count;
	insert_batch(names[1], specials[1], outcomes[1]);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 1, "%s, %s: both are under way", names[0], names[1]);
}

static void expect_two(const char *const names[2], const struct special *const specials[2],
		       struct outcome outcomes[2][BATCH_COUNT])
{
	for (int i = 0; i < 2; i++) {
		is_int(count_right(names[i], specials[i], outcomes[i]), 2 * BATCH_COUNT, "%s: each as it should be", names[i]);
		if (specials[i] != NULL)
			is_int(outcomes[i][SPECIAL].result, specials[i]->expected, "%s: the special one", names[i]);
	}
}

/* What is refused at the commit is so by a trigger of tests/sql/store.t. */
static void test_guilty(void)
{
	static struct outcome outcomes[2][BATCH_COUNT];
	static const struct special taken = { "aaaaaaaaaa", "http://b/", RESULT_TAKEN };
	static const struct special refused = { "refused", "", RESULT_FAILED };
	static const struct special late = { "refused", "http://a/at-commit", RESULT_FAILED };
	static const struct special first = { "contended2", URL_A, RESULT_OK };
	static const struct special second = { "contended2", "http://b/", RESULT_TAKEN };
	static const struct {
		const char *names[2];
		const struct special *specials[2];
	} rows[] = {
		{ { "taken-1", "taken-2" }, { &taken, NULL } },
		{ { "taken-3", "taken-4" }, { NULL, &taken } },
		{ { "taken-5", "taken-6" }, { &taken, &taken } },
		{ { "stmt--1", "stmt--2" }, { &refused, &refused } },
		{ { "commit1", "commit2" }, { &late, &late } },
		{ { "commit3", "commit4" }, { &late, NULL } },
		{ { "mixed-1", "mixed-2" }, { &late, &taken } },
		{ { "order-1", "order-2" }, { &first, &second } },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		start_two(rows[i].names, rows[i].specials, outcomes);
		release_writes();
		expect_two(rows[i].names, rows[i].specials, outcomes);
	}
}

static void find_some(const char *name, struct outcome outcomes[BATCH_COUNT])
{
	memset(outcomes, 0, BATCH_COUNT * sizeof *outcomes);
	for (size_t i = 0; i < BATCH_COUNT; i++) {
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "%.7s-%02zu", name, i);
		store_find_link(store, id, link_done, &outcomes[i]);
	}
}

static int count_found(const char *name, const struct outcome outcomes[BATCH_COUNT])
{
	int right = 0;

	for (size_t i = 0; i < BATCH_COUNT; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://a/%.7s-%02zu", name, i);
		right += wait_for(&outcomes[i]) == RESULT_OK && strcmp(outcomes[i].srcurl, url) == 0;
	}
	return right;
}

static void start_visits(const char *writer, int64_t batch, const char *id, int64_t count, struct outcome *outcome)
{
	struct visit visit = { .count = count, .last_us = NOON_US };

	*outcome = (struct outcome){ 0 };
	snprintf(visit.id, sizeof visit.id, "%s", id);
	store_add_visits(store, writer, batch, &visit, 1, done, outcome);
}

static const char *visits_of(const char *id)
{
	return ask("SELECT visits FROM shortenedurls WHERE id = '%s'", id);
}

/* Look-ups, inserts and visits in either batch, those of the second about what the first one stores. */
static void test_all_kinds(void)
{
	static struct outcome inserted[2][BATCH_COUNT];
	static struct outcome found[2][BATCH_COUNT];
	struct outcome visited[2];

	hold_writes();
	find_some("ahead-1", found[0]);
	insert_batch("kinds-1", NULL, inserted[0]);
	start_visits("kinds", 1, "ahead-1-00", 1, &visited[0]);
	is_int(count_found("ahead-1", found[0]), BATCH_COUNT, "the links are found while the writes behind them wait");
	wait_until_held();
	int sent_before = sent_count;
	find_some("kinds-1", found[1]);
	insert_batch("kinds-2", NULL, inserted[1]);
	start_visits("kinds", 2, "kinds-1-00", 2, &visited[1]);
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 3, "a second batch of all kinds is under way");
	release_writes();
	is_int(count_found("kinds-1", found[1]), BATCH_COUNT, "it finds what the first one has stored");
	is_int(count_right("kinds-1", NULL, inserted[0]), 2 * BATCH_COUNT, "which is all");
	is_int(count_right("kinds-2", NULL, inserted[1]), 2 * BATCH_COUNT, "as is the second one's");
	is_int(wait_for(&visited[0]), RESULT_OK, "the first one's visit is written");
	is_int(wait_for(&visited[1]), RESULT_OK, "and the second one's");
	is_text(visits_of("ahead-1-00"), "1", "it is counted");
	is_text(visits_of("kinds-1-00"), "2", "as are they");
}

/* Both batches are sent again over another connection, in their old order and before what waits. */
static void test_ended_session(void)
{
	static const struct special first = { "contended3", URL_A, RESULT_OK };
	static const struct special second = { "contended3", "http://b/", RESULT_TAKEN };
	static const char *const names[2] = { "ended-1", "ended-2" };
	static const struct special *const specials[2] = { &first, &second };
	static struct outcome outcomes[2][BATCH_COUNT];
	struct outcome visited[2];
	struct outcome waiting = { 0 };

	hold_writes();
	insert_batch(names[0], specials[0], outcomes[0]);
	start_visits("ended", 1, "ahead-1-01", 1, &visited[0]);
	wait_until_held();
	int sent_before = sent_count;
	insert_batch(names[1], specials[1], outcomes[1]);
	start_visits("ended", 2, "ahead-1-01", 2, &visited[1]);
	loop_turn(loop, 0);
	store_insert_link(store, "contended3", "http://c/", 9, NOON_US, "", link_done, &waiting);
	is_int(sent_count - sent_before, 2, "two batches are under way when the session is ended");
	is_text(ask("SELECT count(pg_terminate_backend(pid)) " WAITING), "1", "by pg_terminate_backend");
	release_writes();
	expect_two(names, specials, outcomes);
	is_int(wait_for(&waiting), RESULT_TAKEN, "what waited comes behind them");
	is_int(wait_for(&visited[0]), RESULT_OK, "the first one's visit is written");
	is_int(wait_for(&visited[1]), RESULT_OK, "and the second one's");
	is_text(visits_of("ahead-1-01"), "3", "each is counted once");
}

/* The server stores what it has, and its results get lost. */
static void test_lost_results(void)
{
	static const char *const names[2] = { "lost--1", "lost--2" };
	static const struct special *const specials[2] = { NULL, NULL };
	static struct outcome outcomes[2][BATCH_COUNT];
	struct outcome visited;

	start_two(names, specials, outcomes);
	shutdown(sent_socket, SHUT_RD);
	release_writes();
	wait_for_answer("SELECT count(*) > 0 FROM shortenedurls WHERE id LIKE 'lost--1-%'", "t", false);
	expect_two(names, specials, outcomes);

	hold_writes();
	start_visits("lost", 1, "ahead-1-02", 7, &visited);
	wait_until_held();
	shutdown(sent_socket, SHUT_RD);
	release_writes();
	wait_for_answer("SELECT visits FROM shortenedurls WHERE id = 'ahead-1-02'", "7", false);
	ok(!visited.is_done, "visits are in, which nobody knows");
	is_int(wait_for(&visited), RESULT_OK, "they are written again");
	is_text(visits_of("ahead-1-02"), "7", "and counted once");
}

/* A trigger of tests/sql/store.t looks at the session when this link comes. */
static void look_at_session(const char *id)
{
	is_int(insert(id, URL_A, NOON_US), RESULT_OK, "the session: %s", id);
}

/* A plan that is good for few links stays when there are many. */
static void test_small_table(void)
{
	ask("INSERT INTO shortenedurls SELECT 'few-' || i, 'http://a/', now(), now() FROM generate_series(1, 60) i");
	ask("ANALYZE shortenedurls");
	look_at_session("look-few");
}

static void made(void *context, enum result result, const struct link *link, bool is_reused)
{
	(void)is_reused;
	link_done(context, result, link);
}

static void test_collision(void)
{
	const struct creation_wish wish = { .srcurl = URL_A, .srcurl_size = strlen(URL_A), .owner = "" };
	struct outcome outcome = { 0 };

	next_ids[0] = "aaaaaaaaaa";
	next_ids[1] = "batch-0001";
	next_ids[2] = "a-free-one";
	creation_start(store, &wish, made, &outcome);
	is_int(wait_for(&outcome), RESULT_OK, "an id that is taken gets another try");
	is_text(outcome.id, "a-free-one", "until one is free");
	is_int(next_ids_used, 3, "and not more often");
}

#define ROUNDS 100

/* What a responder does, for links of which most are another one's too. */
static int write_visits(const struct config *config, int number)
{
	static struct visit visits[300];
	const char *const writers[] = { "busy-0", "busy-1" };
	enum result result = RESULT_OK;

	loop = loop_open();
	store = store_open(loop, config);
	for (int i = 0; i < (int)COUNT_OF(visits); i++) {
		visits[i] = (struct visit){ .count = 1, .last_us = NOON_US };
		snprintf(visits[i].id, sizeof visits[i].id, "busy-%03d", i + 100 * number);
	}
	for (int round = 1; round <= ROUNDS && result == RESULT_OK; round++)
		result = add(writers[number], round, visits, COUNT_OF(visits));
	store_close(store);
	loop_close(loop);
	return result == RESULT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Nobody else is connected when this begins. */
static void test_writers_at_once(const struct config *config)
{
	pid_t pids[2];

	ask("INSERT INTO shortenedurls SELECT 'busy-' || to_char(i, 'FM000'), 'http://a/', now(), now()"
	    " FROM generate_series(0, 399) i ORDER BY hashtext(i::text)");
	fflush(stdout);
	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(write_visits(config, i));
	}
	for (int i = 0; i < 2; i++) {
		int status = 1;

		waitpid(pids[i], &status, 0);
		is_int(status, 0, "writers at once: process %d writes all of its batches", i);
	}
	is_text(ask("SELECT count(*) FROM shortenedurls WHERE id LIKE 'busy-%%' AND visits = %d *"
		    " CASE WHEN id >= 'busy-100' AND id < 'busy-300' THEN 2 ELSE 1 END",
		    ROUNDS),
		"400", "writers at once: each visit is counted");
	/* A session writes down its deadlocks when it ends. */
	wait_for_answer("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()", "1", false);
	is_text(ask("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"), "0",
		"writers at once: no deadlock");
}

static void test_close(struct store *closed)
{
	struct outcome outcome = { 0 };

	store_find_link(closed, "aaaaaaaaaa", link_done, &outcome);
	store_close(closed);
	ok(outcome.is_done, "closing ends what is under way");
	is_int(outcome.result, RESULT_UNAVAILABLE, "as unavailable");
}

/* Locks last as long as the test wants. */
static void load_settings(struct config *config)
{
	char problem[200];

	if (!config_load(config, environ, problem, sizeof problem))
		fprintf(stderr, "%s\n", problem);
	config->queue_timeout_ms = 60000;
	config->database_timeout_ms = 60000;
	ok(store_check(config, problem, sizeof problem), "the database can be used");
	other = PQconnectdb(config->database);
}

static void test_batches(void)
{
	test_ahead();
	test_guilty();
	test_all_kinds();
	test_ended_session();
	test_lost_results();
}

int main(void)
{
	struct config config;

	load_settings(&config);
	loop = loop_open();
	store = store_open(loop, &config);
	look_at_session("look-empty");
	test_small_table();
	test_insert_and_find();
	test_odd_ids();
	test_odd_urls();
	test_times();
	test_large_counts();
	test_many_long_urls();
	test_same_id_in_a_batch();
	test_many_reads();
	test_failure_in_a_batch();
	test_failure_among_reads();
	test_visits();
	look_at_session("look-many");
	test_batches();
	test_collision();
	test_close(store);
	loop_close(loop);
	test_writers_at_once(&config);
	PQfinish(other);
	url_close();
	return tap_done();
}
