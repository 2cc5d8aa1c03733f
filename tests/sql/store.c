/* The store, and what links build on it, against a real PostgreSQL: SHORTEN_DATABASE names an empty,
 * migrated database. Ids come from this file, so that two of them can be equal.
 * modules: links visit_writer visits store database database_connection database_array database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log */
#include <stdint.h>

#include "id.h"
#include "links.h"
#include "loop.h"
#include "store.h"
#include "tap.h"
#include "url.h"
#include "visits.h"

#define NOON_US INT64_C(1767268800123456)
#define URL_A "https://example.com/a"

static struct loop *loop;
static struct store *store;

static const char *next_ids[8];
static int next_ids_used;

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
	char srcurl[128];
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
}

static void done(void *context, enum result result)
{
	link_done(context, result, NULL);
}

/* Turns until it is done, for ten seconds at most. */
static enum result wait_for(const struct outcome *outcome)
{
	int64_t end_ms = loop_now_ms() + 10000;

	while (!outcome->is_done && loop_now_ms() < end_ms)
		loop_turn(loop, 100);
	if (!outcome->is_done)
		ok(false, "the operation ends");
	return outcome->result;
}

static enum result insert(const char *id, const char *srcurl, int64_t created_us)
{
	struct outcome outcome = { 0 };

	store_insert_link(store, id, srcurl, strlen(srcurl), created_us, link_done, &outcome);
	return wait_for(&outcome);
}

static enum result find(const char *id, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_find_link(store, id, link_done, outcome);
	return wait_for(outcome);
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

/* What means something to SQL, to an array or to a shell comes back as it was. */
static void test_odd_urls(void)
{
	static const char *const urls[] = {
		"http://a/\"\\\"", "http://a/{b,c}", "http://a/NULL", "http://a/'; DROP TABLE shortenedurls; --",
		"http://a/$1%s%n", "http://a/\xC3\xA4\xF0\x9F\x98\x80", "http://a/ b", "http://a/`x`|&\\",
	};
	struct outcome outcomes[COUNT_OF(urls)] = { 0 };

	for (size_t i = 0; i < COUNT_OF(urls); i++) {
		char id[ID_SIZE + 1];

		snprintf(id, sizeof id, "odd-%06zu", i);
		store_insert_link(store, id, urls[i], strlen(urls[i]), NOON_US, link_done, &outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(urls); i++) {
		struct outcome found;

		is_int(wait_for(&outcomes[i]), RESULT_OK, "%s is inserted", urls[i]);
		is_int(find(outcomes[i].id, &found), RESULT_OK, "and found");
		is_text(found.srcurl, urls[i], "as it was");
	}
}

/* Two of a batch want the same id: one statement for both would give it to both. */
static void test_same_id_in_a_batch(void)
{
	struct outcome first = { 0 };
	struct outcome second = { 0 };
	struct outcome found;

	store_insert_link(store, "contended", URL_A, strlen(URL_A), NOON_US, link_done, &first);
	store_insert_link(store, "contended", "http://b/", 9, NOON_US, link_done, &second);
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
		store_insert_link(store, id, URL_A, i == 7 ? 0 : strlen(URL_A), NOON_US, link_done, &outcomes[i]);
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
	store_insert_link(store, "besides-it", URL_A, strlen(URL_A), NOON_US, link_done, &write);
	is_int(wait_for(&before), RESULT_OK, "a read before a failed one");
	is_int(wait_for(&bad), RESULT_FAILED, "the failed one");
	is_int(wait_for(&behind), RESULT_OK, "a read behind it");
	is_int(wait_for(&write), RESULT_OK, "and a write in the same batch");
}

static enum result add(const char *writer, int64_t batch, const struct visit visits[], size_t count)
{
	struct outcome outcome = { 0 };

	store_add_visits(store, writer, batch, visits, count, done, &outcome);
	return wait_for(&outcome);
}

/* tests/sql/store.t looks at the rows that this leaves: NULL has 5 visits, batch-0003 has 8. */
static void test_visits(void)
{
	static const struct visit first[] = { { "NULL", 2, NOON_US + 5000000 }, { "batch-0003", 3, NOON_US + 1000000 } };
	static const struct visit second[] = { { "NULL", 3, NOON_US + 4000000 },
					       { "batch-0003", 5, NOON_US + 2000000 },
					       { "gone", 1, NOON_US } };

	is_int(insert("NULL", URL_A, NOON_US), RESULT_OK, "an id that is a word of SQL");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "a batch of visits");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "the same batch again");
	is_int(add("writer", 2, second, COUNT_OF(second)), RESULT_OK, "the next one, with a link that is gone");
	is_int(add("writer", 1, first, COUNT_OF(first)), RESULT_OK, "an old one again");
}

static void test_collision(void)
{
	struct config config;
	struct outcome outcome = { 0 };
	char problem[100];
	char *no_settings[] = { NULL };

	ok(config_load(&config, no_settings, problem, sizeof problem), "the settings");
	next_ids[0] = "the-writer";
	next_ids[1] = "aaaaaaaaaa";
	next_ids[2] = "batch-0001";
	next_ids[3] = "a-free-one";
	struct links *links = links_open(loop, store, &config);
	links_create(links, URL_A, strlen(URL_A), link_done, &outcome);
	is_int(wait_for(&outcome), RESULT_OK, "an id that is taken gets another try");
	is_text(outcome.id, "a-free-one", "until one is free");
	is_int(next_ids_used, 4, "and not more often");
	links_close(links);
}

static void test_close(struct store *closed)
{
	struct outcome outcome = { 0 };

	store_find_link(closed, "aaaaaaaaaa", link_done, &outcome);
	store_close(closed);
	ok(outcome.is_done, "closing ends what is under way");
	is_int(outcome.result, RESULT_UNAVAILABLE, "as unavailable");
}

int main(void)
{
	struct config config;
	char problem[200];

	if (!config_load(&config, environ, problem, sizeof problem))
		fprintf(stderr, "%s\n", problem);
	ok(store_check(&config, problem, sizeof problem), "the database can be used");
	loop = loop_open();
	store = store_open(loop, &config);
	test_insert_and_find();
	test_odd_urls();
	test_same_id_in_a_batch();
	test_many_reads();
	test_failure_in_a_batch();
	test_failure_among_reads();
	test_visits();
	test_collision();
	test_close(store);
	loop_close(loop);
	url_close();
	return tap_done();
}
