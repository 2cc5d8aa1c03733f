/* What people do with links, against a real PostgreSQL: SHORTEN_DATABASE names an empty, migrated database.
 * modules: store store_work store_statements store_manage link_rules id digest json_body memory_reserve json_scan database database_connection database_array database_value database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log */
#include <sys/socket.h>

#include "json_body.h"
#include "store_links.h"

/* ---- making a link */

static void test_add_each_option(void)
{
	static const unsigned rows[] = { 0, 2, 4, 8, 16, 32, 64, 128, 2 + 8 + 32 + 128, 4 + 16 + 64, 254 };
	struct outcome outcome;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct link_options options = no_options;
		const char *json[COLUMNS];
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "option-%u", rows[i]);
		take_options(&options, &full, rows[i]);
		take_json(json, plain_json, 511);
		take_json(json, full_json, rows[i]);
		is_int(add(id, "mark", &options, &outcome), RESULT_OK, "a link with the options %u", rows[i]);
		is_text(outcome.id, id, "has its id");
		is_text(read_text(&outcome), write_json(id, json), "its JSON");
		is_stored(id, json, id);
	}
	is_text(ask("SELECT owner || ' ' || mark || ' ' || (deleted IS NULL) FROM shortenedurls WHERE id = 'option-0'"),
		OWNER " mark true", "the owner and the mark are stored");
}

/* A time of 0 is one. */
static void test_add_first_time(void)
{
	struct link_options options = { .valid_from_us = 0, .expires_us = 1 };
	struct outcome outcome;

	is_int(add("first-time", "mark", &options, &outcome), RESULT_OK, "a link of 1970");
	read_text(&outcome);
	is_text(ask("SELECT extract(epoch FROM validfrom) || ' ' || extract(epoch FROM expires) FROM shortenedurls WHERE id = 'first-time'"),
		"0.000000 0.000001", "has its times");
}

static void test_add_again(void)
{
	struct outcome outcome;

	is_int(add("again", "mark-1", &full, &outcome), RESULT_OK, "a link is added");
	read_text(&outcome);
	is_int(add("again", "mark-1", &full, &outcome), RESULT_OK, "once more with its mark");
	is_text(read_text(&outcome), write_json("again", full_json), "is a success");
	is_int(add("again", "mark-2", &full, &outcome), RESULT_TAKEN, "with another mark it is not");
	ok(outcome.text == NULL, "nothing is given back");
	is_int(add("again", "mark-2", &no_options, &outcome), RESULT_TAKEN, "nor are other options");
	is_stored("again", full_json, "the link is as it was");
	ask("INSERT INTO shortenedurls VALUES ('unmarked', '" URL_A "', now(), now())");
	is_int(add("unmarked", "mark", &no_options, &outcome), RESULT_TAKEN, "the id of a link without a mark is taken");
	ask("UPDATE shortenedurls SET deleted = now() WHERE id = 'again'");
	is_int(add("again", "mark-2", &full, &outcome), RESULT_TAKEN, "that of a deleted link too");
	is_int(add("AGAIN", "mark-2", &no_options, &outcome), RESULT_OK, "but not in another case");
	read_text(&outcome);
}

/* All are submitted before the loop turns. Were one of them an error, all would be sent again, one by one; so there is one transaction
 * more, which looks whose the taken ids are. */
static void test_add_many(void)
{
	struct outcome outcomes[12] = { 0 };
	int sent_before = sent_count;

	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		char id[ID_MAX + 1];
		bool is_taken = i == 5 || i == 8;

		snprintf(id, sizeof id, "many-%zu", i == 8 ? 2 : i);
		struct store_new_link link = new_link(i == 5 ? "unmarked" : id, is_taken ? "other" : "mark", &no_options);
		store_add_link(store, &link, link_done, &outcomes[i]);
	}
	is_int(count_results(outcomes, COUNT_OF(outcomes), RESULT_OK), COUNT_OF(outcomes) - 2, "many are added at once");
	is_int(outcomes[5].result, RESULT_TAKEN, "one whose id was taken before is not");
	is_int(outcomes[8].result, RESULT_TAKEN, "nor one whose id another of them has taken");
	is_int(sent_count - sent_before, 2, "and no other has to be sent again");
}

/* Texts that mean something to SQL, to arrays, to JSON or to a shell. */
static const char *const nasty[] = {
	"NULL", "null", "\"", "\\", "\\\\", "\"a\"", "'", "''; DROP TABLE shortenedurls; --", "{}", "{a,b}", "{\"a\",NULL}", "{", "}",
	",", "a,b", "$1", "%s%n", "%", "\\x41", "\\u0041", "\\0", " a ", "a\nb\tc\r", "\x01\x1f\x7f", "\xc3\xa4", "\xe2\x80\xa8\xe2\x80\xa9",
	"\xf0\x9f\x98\x80", "\xef\xbf\xbf", "</script>", "a/b", "\xd7\x90 \xe2\x80\xae", "true", "0", "[]", "\"}]}",
};

/* Whether a text of the JSON is that one. */
static bool is_string(const struct json_value *value, const char *text)
{
	size_t size;

	return json_value_type(value) == JSON_TYPE_STRING && strcmp(json_value_string(value, &size), text) == 0 &&
	       size == strlen(text);
}

static bool is_nasty_json(const char *json, const char *text)
{
	const char *problem;
	const struct json_value *title;
	const struct json_value *tags;
	struct json_body *body = json_body_parse(json, strlen(json), &problem);

	if (body == NULL)
		return false;
	json_body_find(json_body_root(body), "title", &title);
	json_body_find(json_body_root(body), "tags", &tags);
	bool is_right = is_string(title, text) && json_value_count(tags) == 3 && is_string(json_value_element(tags, 0), text) &&
			is_string(json_value_element(tags, 1), "") && is_string(json_value_element(tags, 2), text);
	json_body_free(body);
	return is_right;
}

static void test_add_nasty_texts(void)
{
	static const unsigned char hash[DIGEST_SIZE];

	for (size_t i = 0; i < COUNT_OF(nasty); i++) {
		struct link_options options = { .title = nasty[i], .tags = { nasty[i], "", nasty[i] }, .tags_count = 3,
						.valid_from_us = LINK_NO_TIME, .expires_us = LINK_NO_TIME };
		struct outcome outcome;
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "nasty-%zu", i);
		is_int(add(id, nasty[i], &options, &outcome), RESULT_OK, "`%s` as title, tags and mark", nasty[i]);
		ok(is_nasty_json(read_text(&outcome), nasty[i]), "comes back");
		is_text(ask_with("SELECT (title = $2 AND tags = ARRAY[$2, '', $2] AND mark = $2)::text FROM shortenedurls WHERE id = $1",
				 2, (const char *const[]){ id, nasty[i] }),
			"true", "is stored");
		struct store_new_link link = new_link(id, "", &options);
		outcome = (struct outcome){ 0 };
		store_find_equal_link(store, &link, id, hash, equal_done, &outcome);
		is_int(wait_for(&outcome), RESULT_OK, "and found");
		read_text(&outcome);
	}
}

/* What the rules would never let through, and the table does not take: nobody else's operation fails. */
static void test_add_refused(void)
{
	static char long_title[4098];
	struct link_options options[3] = { NO_OPTIONS, NO_OPTIONS, NO_OPTIONS };
	struct outcome outcomes[3] = { 0 };
	static const char *const ids[] = { "long-title", "bad-title", "good-title" };

	memset(long_title, 'x', sizeof long_title - 1);
	options[0].title = long_title;
	options[1].title = "\xff";
	options[2].title = "good";
	for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
		struct store_new_link link = new_link(ids[i], "mark", &options[i]);
		store_add_link(store, &link, link_done, &outcomes[i]);
	}
	is_int(wait_for(&outcomes[0]), RESULT_FAILED, "a title beyond all measure is refused");
	is_int(wait_for(&outcomes[1]), RESULT_FAILED, "and one that is no UTF-8");
	is_int(wait_for(&outcomes[2]), RESULT_OK, "but not the link beside them");
	read_text(&outcomes[2]);
}

/* ---- a connection that is lost at the wrong time */

/* How many sessions of this database wait for a lock, of whatever kind. */
static const char waiting[] =
	"SELECT count(DISTINCT pid) FROM pg_locks w WHERE NOT granted AND EXISTS (SELECT FROM pg_locks WHERE pid = w.pid"
	" AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";

/* Reads go on, writes of the store wait. */
static void hold_writes(void)
{
	ask("BEGIN; LOCK TABLE shortenedurls IN SHARE MODE");
}

/* Submits nothing; what was submitted is carried out by the server, and its results get lost. */
static void lose_results(const char *statement, const char *answer)
{
	wait_for_answer(waiting, "1", true);
	shutdown(sent_socket, SHUT_RD);
	ask("COMMIT");
	wait_for_answer(statement, answer, false);
}

static void test_lost_results(void)
{
	struct outcome outcomes[4] = { 0 };
	struct link_options limited = NO_OPTIONS;
	struct store_new_link link = new_link("lost-1", "lost-1", &full);

	limited.max_visits = 9;
	make_link("lost-2", &limited);
	make_link("lost-3", &no_options);
	hold_writes();
	store_add_link(store, &link, link_done, &outcomes[0]);
	store_use_link(store, "lost-2", "lost-2/1", done, &outcomes[1]);
	store_delete_link(store, "lost-3", done, &outcomes[2]);
	lose_results("SELECT count(*) FROM shortenedurls WHERE id = 'lost-1'", "1");
	is_int(wait_for(&outcomes[0]), RESULT_OK, "lost results: the link is there, and given back");
	is_text(read_text(&outcomes[0]), write_json("lost-1", full_json), "lost results: as it was made");
	is_int(wait_for(&outcomes[1]), RESULT_OK, "lost results: the visit is used up");
	is_text(visits_of("lost-2"), "1", "lost results: once");
	is_int(wait_for(&outcomes[2]), RESULT_OK, "lost results: the link is deleted");
}

/* The server has made the link, but waits for a lock before it can commit, when the store gives the connection up and asks for the
 * same over another one. */
static void lose_while_waiting(void)
{
	struct store_new_link link = new_link("cut-off-1", "cut-off-1", &full);
	struct outcome outcomes[2] = { 0 };

	ask("BEGIN");
	ask("SELECT id FROM shortenedurls WHERE id = 'cut-off-2' FOR UPDATE");
	store_add_link(store, &link, link_done, &outcomes[0]);
	store_use_link(store, "cut-off-2", "cut-off-2/1", done, &outcomes[1]);
	wait_for_answer(waiting, "2", true);
	ask("COMMIT");
	is_int(wait_for(&outcomes[0]), RESULT_OK, "lost while it waits: the link is there, and given back");
	is_text(read_text(&outcomes[0]), write_json("cut-off-1", full_json), "lost while it waits: as it was made");
	is_int(wait_for(&outcomes[1]), RESULT_OK, "lost while it waits: the visit is used up");
	is_text(visits_of("cut-off-2"), "1", "lost while it waits: once");
}

/* A store that waits for a second only, while the server would wait for longer. */
static void test_lost_while_waiting(const struct config *config)
{
	struct store *patient_store = store;
	struct loop *patient_loop = loop;
	struct config impatient = *config;
	struct link_options limited = NO_OPTIONS;
	char conninfo[512];

	limited.max_visits = 9;
	make_link("cut-off-2", &limited);
	snprintf(conninfo, sizeof conninfo, "%s options='-c lock_timeout=60s -c statement_timeout=60s'", config->database);
	impatient.database = conninfo;
	impatient.database_timeout_ms = 1000;
	loop = loop_open();
	store = store_open(loop, &impatient);
	lose_while_waiting();
	store_close(store);
	loop_close(loop);
	loop = patient_loop;
	store = patient_store;
}

/* Two visitors of one link, whose results get lost together. */
static void test_lost_uses(void)
{
	struct link_options limited = NO_OPTIONS;
	struct outcome outcomes[2] = { 0 };

	limited.max_visits = 9;
	make_link("lost-4", &limited);
	hold_writes();
	store_use_link(store, "lost-4", "lost-4/1", done, &outcomes[0]);
	store_use_link(store, "lost-4", "lost-4/2", done, &outcomes[1]);
	lose_results("SELECT visits > 1 FROM shortenedurls WHERE id = 'lost-4'", "t");
	is_int(count_results(outcomes, 2, RESULT_OK), 2, "lost results: both visits are used up");
	is_text(visits_of("lost-4"), "2", "lost results: each once");
}

/* ---- links that are followed */

/* A link in the table, what store_find_link says of it, and what comes of using up a visit. */
static const struct {
	const char *columns;
	const char *values;
	enum link_state state;
	enum result use;
	struct link link;
} states[] = {
	{ "visits", "0", LINK_ALIVE, RESULT_OK, { .seconds_left = -1 } },
	{ "visits", "9", LINK_ALIVE, RESULT_OK, { .seconds_left = -1 } },
	{ "title, tags, owner, mark", "'x', '{a}', 'b', 'c'", LINK_ALIVE, RESULT_OK, { .seconds_left = -1 } },
	{ "redirectstatus", "308", LINK_ALIVE, RESULT_OK, { .seconds_left = -1, .redirect_status = 308 } },
	{ "forwardquery", "true", LINK_ALIVE, RESULT_OK, { .seconds_left = -1, .forwards_query = true } },
	{ "maxvisits, visits", "3, 2", LINK_ALIVE, RESULT_OK, { .seconds_left = -1, .is_limited = true } },
	{ "maxvisits, visits", "3, 3", LINK_ENDED, RESULT_GONE, { .seconds_left = -1, .is_limited = true } },
	{ "maxvisits, visits", "3, 4", LINK_ENDED, RESULT_GONE, { .seconds_left = -1, .is_limited = true } },
	{ "expires", "now() + interval '1000 s'", LINK_ALIVE, RESULT_OK, { .seconds_left = 1000 } },
	{ "expires", "now() + interval '900000000 s'", LINK_ALIVE, RESULT_OK, { .seconds_left = 900000000 } },
	{ "expires", "now()", LINK_ENDED, RESULT_GONE, { .seconds_left = 0 } },
	{ "expires", "now() - interval '1000 s'", LINK_ENDED, RESULT_GONE, { .seconds_left = -1000 } },
	{ "enabled", "false", LINK_ENDED, RESULT_GONE, { .seconds_left = -1 } },
	{ "deleted", "now()", LINK_ENDED, RESULT_GONE, { .seconds_left = -1 } },
	{ "validfrom", "now()", LINK_ALIVE, RESULT_OK, { .seconds_left = -1 } },
	{ "validfrom", "now() + interval '1 h'", LINK_EARLY, RESULT_GONE, { .seconds_left = -1 } },
	{ "validfrom, enabled", "now() + interval '1 h', false", LINK_ENDED, RESULT_GONE, { .seconds_left = -1 } },
	{ "validfrom, expires, maxvisits, redirectstatus, forwardquery",
	  "now(), now() + interval '1000 s', 1, 301, true",
	  LINK_ALIVE,
	  RESULT_OK,
	  { .redirect_status = 301, .forwards_query = true, .is_limited = true, .seconds_left = 1000 } },
	{ "validfrom, expires, maxvisits", "now() + interval '1 h', now() + interval '2 h', 1", LINK_EARLY, RESULT_GONE,
	  { .is_limited = true, .seconds_left = 7200 } },
};

struct found {
	struct outcome outcome; /* first, so that link_done can fill it */
	struct link link;
};

static void state_done(void *context, enum result result, const struct link *link)
{
	struct found *it = context;

	link_done(&it->outcome, result, link);
	if (link != NULL)
		it->link = *link;
}

static void is_found(const char *id, enum link_state state, const struct link *expected, const char *name)
{
	struct found it = { 0 };
	const struct link *link = &it.link;

	store_find_link(store, id, state_done, &it);
	is_int(wait_for(&it.outcome), RESULT_OK, "a link with %s is found", name);
	is_int(link->state, state, "its state");
	ok(link->redirect_status == expected->redirect_status && link->forwards_query == expected->forwards_query &&
		   link->is_limited == expected->is_limited,
	   "its options");
	ok(link->seconds_left <= expected->seconds_left && link->seconds_left >= expected->seconds_left - 60, "its time: %lld s",
	   (long long)link->seconds_left);
}

/* No two links have a mark in common. */
static enum result use_link(const char *id, const char *number)
{
	struct outcome outcome = { 0 };
	char mark[2 * ID_MAX];

	snprintf(mark, sizeof mark, "%s/%s", id, number);
	store_use_link(store, id, mark, done, &outcome);
	return wait_for(&outcome);
}

static void test_states(void)
{
	for (size_t i = 0; i < COUNT_OF(states); i++) {
		char id[ID_MAX + 1];
		char name[256];

		snprintf(id, sizeof id, "state-%zu", i);
		snprintf(name, sizeof name, "%s = %s", states[i].columns, states[i].values);
		ask("INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, %s) VALUES ('%s', '" URL_A "', now(), '2026-01-01', %s)",
		    states[i].columns, id, states[i].values);
		is_found(id, states[i].state, &states[i].link, name);
		is_int(use_link(id, "mark-1"), states[i].use, "its use");
		is_text(ask("SELECT now() - lastaccessed < interval '1 min' FROM shortenedurls WHERE id = '%s'", id),
			states[i].use == RESULT_OK ? "t" : "f", "the time of the visit is stored with the visit");
	}
	is_int(use_link("no-such-id", "mark"), RESULT_GONE, "the use of a link that is none");
}

static void test_use(void)
{
	struct link_options limited = NO_OPTIONS;

	limited.max_visits = 2;
	make_link("use-1", &limited);
	is_int(use_link("use-1", "mark-1"), RESULT_OK, "the first visit");
	is_int(use_link("use-1", "mark-1"), RESULT_OK, "the same once more");
	is_text(visits_of("use-1"), "1", "is counted once");
	is_int(use_link("use-1", "mark-2"), RESULT_OK, "the last visit");
	is_int(use_link("use-1", "mark-2"), RESULT_OK, "the same once more");
	is_int(use_link("use-1", "mark-3"), RESULT_GONE, "one too many");
	is_int(use_link("use-1", "mark-1"), RESULT_OK, "the first one once more");
	is_int(use_link("use-1", "mark-3"), RESULT_GONE, "what was one too many stays so");
	is_text(visits_of("use-1"), "2", "no more are counted");
	ask("UPDATE shortenedurls SET maxvisits = 3, lastaccessed = '2199-01-01' WHERE id = 'use-1'");
	is_int(use_link("use-1", "mark-4"), RESULT_OK, "the limit is raised");
	is_text(ask("SELECT visits || ' ' || date_part('year', lastaccessed) FROM shortenedurls WHERE id = 'use-1'"), "3 2199",
		"a later visit than this one stays the last");
	make_link("use-2", &no_options);
	for (int i = 0; i < 5; i++)
		is_int(use_link("use-2", (const char *const[]){ "a", "b", "c", "d", "e" }[i]), RESULT_OK, "a link without a limit");
	is_text(visits_of("use-2"), "5", "has as many visits as there are");
}

/* Each visit takes old marks of its link away; the visits stay, and so do the marks of others. */
static void test_old_uses(void)
{
	make_link("old-uses", &no_options);
	make_link("other-uses", &no_options);
	for (int i = 0; i < 5; i++)
		is_int(use_link("old-uses", (const char *const[]){ "1", "2", "3", "4", "5" }[i]), RESULT_OK, "a visit");
	is_int(use_link("other-uses", "1"), RESULT_OK, "and one of another link");
	ask("UPDATE used_visits SET used = now() - interval '2 hours' WHERE id IN ('old-uses', 'other-uses') AND mark <> 'old-uses/5'");
	is_int(use_link("old-uses", "6"), RESULT_OK, "a later visit");
	is_text(ask("SELECT count(*) FROM used_visits WHERE id = 'old-uses'"), "4", "two marks less, and its own");
	is_int(use_link("old-uses", "7"), RESULT_OK, "and another one");
	is_text(ask("SELECT count(*) FILTER (WHERE used < now() - interval '1 hour') || ' ' || count(*) FROM used_visits"
		    " WHERE id = 'old-uses'"), "0 3", "no old mark is left, all others are");
	is_text(ask("SELECT count(*) FROM used_visits WHERE id = 'other-uses'"), "1", "that of the other link stays");
	is_text(visits_of("old-uses"), "7", "all stay counted");
}

/* Uses the link so often, all at once; returns how many were let through. */
static int use_many(const char *id, size_t count)
{
	static struct outcome outcomes[300];

	memset(outcomes, 0, sizeof outcomes);
	for (size_t i = 0; i < count; i++) {
		char mark[32];

		snprintf(mark, sizeof mark, "%d-%zu-%lld", process_number, i, (long long)store_now_us());
		store_use_link(store, id, mark, done, &outcomes[i]);
		/* Some in a batch, so that there are several on their way. */
		if (i % 16 == 15)
			loop_turn(loop, 0);
	}
	return count_results(outcomes, count, RESULT_OK);
}

static void test_use_many(void)
{
	struct link_options limited = NO_OPTIONS;

	limited.max_visits = 70;
	make_link("use-many", &limited);
	is_int(use_many("use-many", 200), 70, "of many visits at once as many are let through as the link may have");
	is_text(visits_of("use-many"), "70", "all of them are counted");
	is_int(use_many("use-many", 20), 0, "and no more");
}

/* ---- changing a link */

static enum result edit(const char *id, const struct store_edit *change, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_edit_link(store, id, change, text_done, outcome);
	return wait_for(outcome);
}

/* All that a change can hold, whatever of it is to be changed. */
static struct store_edit new_edit(unsigned changes, const struct link_options *options)
{
	return (struct store_edit){
		.changes = changes,
		.srcurl = "http://b/",
		.srcurl_size = 9,
		.options = *options,
		.is_enabled = false,
	};
}

/* Each single change, none, some and all: what is not to be changed stays. */
static void test_edit_each(void)
{
	static const unsigned rows[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 0, 1 + 4 + 256, 2 + 32 + 128, 511 };
	struct outcome outcome;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct store_edit change = new_edit(rows[i], &another);
		const char *json[COLUMNS];
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "edit-%u", rows[i]);
		make_link(id, &full);
		take_json(json, full_json, 511);
		take_json(json, another_json, rows[i]);
		is_int(edit(id, &change, &outcome), RESULT_OK, "the changes %u", rows[i]);
		is_text(read_text(&outcome), write_json(id, json), "are given back");
		is_stored(id, json, id);
	}
	is_text(ask("SELECT owner || ' ' || mark || ' ' || visits || ' ' || (deleted IS NULL) FROM shortenedurls WHERE id = 'edit-511'"),
		OWNER " made 0 true", "nothing else is changed");
}

/* The same for what can be removed, and back again on a link that has nothing. */
static void test_edit_none(void)
{
	static const unsigned rows[] = { 2, 4, 8, 16, 32, 64, 2 + 4 + 8 + 16 + 32 + 64 };
	struct outcome outcome;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct store_edit change = new_edit(rows[i], &no_options);
		const char *json[COLUMNS];
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "remove-%u", rows[i]);
		make_link(id, &full);
		take_json(json, full_json, 511);
		take_json(json, plain_json, rows[i]);
		is_int(edit(id, &change, &outcome), RESULT_OK, "%u is removed", rows[i]);
		is_text(read_text(&outcome), write_json(id, json), "which is given back");
		is_stored(id, json, id);
		change = new_edit(rows[i], &full);
		is_int(edit(id, &change, &outcome), RESULT_OK, "and set again");
		is_text(read_text(&outcome), write_json(id, full_json), "which is given back");
	}
}

/* Links with none, one or both of the times; a year is 0 where none is given. The status is that of a change to these. */
static const struct {
	int stored_from;
	int stored_until;
	unsigned changes;
	int from;
	int until;
	enum result result;
} time_changes[] = {
	{ 2020, 2197, STORE_CHANGE_EXPIRES, 0, 2198, RESULT_OK },
	{ 2197, 2198, STORE_CHANGE_EXPIRES, 0, 2197, RESULT_CONFLICT },
	{ 2197, 2198, STORE_CHANGE_EXPIRES, 0, 2020, RESULT_CONFLICT },
	{ 2197, 2198, STORE_CHANGE_EXPIRES, 0, 0, RESULT_OK },
	{ 2197, 0, STORE_CHANGE_EXPIRES, 0, 2197, RESULT_CONFLICT },
	{ 2197, 0, STORE_CHANGE_EXPIRES, 0, 2198, RESULT_OK },
	{ 0, 0, STORE_CHANGE_EXPIRES, 0, 2020, RESULT_OK },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM, 2198, 0, RESULT_CONFLICT },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM, 2197, 0, RESULT_CONFLICT },
	{ 0, 2197, STORE_CHANGE_VALID_FROM, 2197, 0, RESULT_CONFLICT },
	{ 0, 2197, STORE_CHANGE_VALID_FROM, 2020, 0, RESULT_OK },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM, 0, 0, RESULT_OK },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM | STORE_CHANGE_EXPIRES, 2198, 2199, RESULT_OK },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM | STORE_CHANGE_EXPIRES, 2198, 0, RESULT_OK },
	{ 2197, 2198, STORE_CHANGE_VALID_FROM | STORE_CHANGE_EXPIRES, 0, 2020, RESULT_OK },
	{ 2020, 2197, STORE_CHANGE_VALID_FROM | STORE_CHANGE_EXPIRES, 2198, 2198, RESULT_CONFLICT },
	{ 2020, 2197, STORE_CHANGE_TITLE, 2198, 2020, RESULT_OK },
};

static int64_t time_of(int year)
{
	switch (year) {
	case 2020:
		return Y2020_US;
	case 2197:
		return Y2197_US;
	case 2198:
		return Y2198_US;
	case 2199:
		return Y2199_US;
	default:
		return LINK_NO_TIME;
	}
}

static void test_edit_times(void)
{
	for (size_t i = 0; i < COUNT_OF(time_changes); i++) {
		struct link_options options = NO_OPTIONS;
		struct outcome outcome;
		char id[ID_MAX + 1];

		snprintf(id, sizeof id, "times-%zu", i);
		options.valid_from_us = time_of(time_changes[i].stored_from);
		options.expires_us = time_of(time_changes[i].stored_until);
		make_link(id, &options);
		options.valid_from_us = time_of(time_changes[i].from);
		options.expires_us = time_of(time_changes[i].until);
		/* A change that fits comes along, to be refused too where the times do not. */
		struct store_edit change = new_edit(time_changes[i].changes | STORE_CHANGE_SRCURL, &options);
		is_int(edit(id, &change, &outcome), time_changes[i].result, "times %zu", i);
		ok((outcome.text != NULL) == (time_changes[i].result == RESULT_OK), "JSON only where they fit");
		read_text(&outcome);
		is_text(ask("SELECT srcurl FROM shortenedurls WHERE id = '%s'", id),
			time_changes[i].result == RESULT_OK ? "http://b/" : URL_A, "all is changed or nothing");
	}
}

static void test_edit_others(void)
{
	struct store_edit change = new_edit(STORE_CHANGE_TITLE, &another);
	struct outcome outcome;

	is_int(edit("no-such-id", &change, &outcome), RESULT_NOT_FOUND, "a link that is none cannot be changed");
	make_link("edit-deleted", &full);
	delete_link("edit-deleted");
	is_int(edit("edit-deleted", &change, &outcome), RESULT_GONE, "nor one that was deleted");
	change = new_edit(STORE_CHANGE_EXPIRES, &full);
	change.options.expires_us = Y2020_US;
	is_int(edit("edit-deleted", &change, &outcome), RESULT_GONE, "also where the times would not fit");
	is_stored("edit-deleted", full_json, "edit-deleted");
	make_link("edit-ended", &no_options);
	ask("UPDATE shortenedurls SET enabled = false, expires = now() WHERE id = 'edit-ended'");
	change = new_edit(STORE_CHANGE_EXPIRES | STORE_CHANGE_IS_ENABLED, &no_options);
	change.is_enabled = true;
	is_int(edit("edit-ended", &change, &outcome), RESULT_OK, "one that has ended can");
	is_text(read_text(&outcome), write_json("edit-ended", plain_json), "and is alive again");
	change = new_edit(STORE_CHANGE_SRCURL, &no_options);
	change.srcurl_size = 0;
	is_int(edit("edit-ended", &change, &outcome), RESULT_FAILED, "what the table does not take is refused");
	change = new_edit(STORE_CHANGE_TITLE, &full);
	change.srcurl = NULL;
	change.srcurl_size = 0;
	is_int(edit("edit-ended", &change, &outcome), RESULT_OK, "but not where it is not to be changed");
	read_text(&outcome);
}

/* ---- deleting a link, and looking at it */

static enum result show(const char *id, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_show_link(store, id, text_done, outcome);
	return wait_for(outcome);
}

static void test_delete(void)
{
	struct outcome outcome;

	make_link("delete-1", &full);
	ask("INSERT INTO link_activity VALUES ('delete-1', 5, now()), ('delete-2', 5, now())");
	is_int(show("delete-1", &outcome), RESULT_OK, "a link can be looked at");
	is_text(read_text(&outcome), write_json("delete-1", full_json), "as JSON");
	is_int(delete_link("delete-1"), RESULT_OK, "and be deleted");
	ask("UPDATE shortenedurls SET deleted = '2026-01-01' WHERE id = 'delete-1'");
	is_int(delete_link("delete-1"), RESULT_OK, "once more");
	is_text(ask("SELECT deleted = '2026-01-01' FROM shortenedurls WHERE id = 'delete-1'"), "t", "which changes nothing");
	is_text(ask("SELECT string_agg(id, ' ') FROM link_activity WHERE id LIKE 'delete-%%'"), "delete-2",
		"lists do not hold it any more");
	is_int(show("delete-1", &outcome), RESULT_GONE, "it is gone");
	is_int(add("delete-1", "mark", &full, &outcome), RESULT_TAKEN, "its id stays taken");
	is_int(delete_link("no-such-id"), RESULT_NOT_FOUND, "a link that is none cannot be deleted");
	is_int(show("no-such-id", &outcome), RESULT_NOT_FOUND, "nor be looked at");
}

/* ---- visits by day */

static enum result add_days(const char *writer, int64_t batch, const struct visit visits[], size_t count)
{
	struct outcome outcome = { 0 };

	store_add_days(store, writer, batch, visits, count, done, &outcome);
	return wait_for(&outcome);
}

#define DAY_US (INT64_C(86400) * 1000000)

/* The days of a link, as the table has them. */
static const char *days_of(const char *id)
{
	return ask("SELECT string_agg(concat_ws(' ', day, visits, robots), ', ' ORDER BY day) FROM visits_by_day WHERE id = '%s'", id);
}

static const char *activity_of(const char *id)
{
	return ask("SELECT visits || ' ' || lastaccessed FROM link_activity WHERE id = '%s'", id);
}

static void test_add_days(void)
{
	const struct visit first[] = { { "days-1", 2, 1, NOON_US }, { "days-2", 0, 3, NOON_US }, { "days-3", 4, 0, NOON_US } };
	const struct visit second[] = { { "days-1", 1, 0, NOON_US - NOON_US % DAY_US + DAY_US - 1 }, { "days-2", 1, 0, NOON_US + DAY_US } };
	const struct visit third[] = { { "days-1", 7, 0, NOON_US - NOON_US % DAY_US + DAY_US } };

	ask("SET timezone = 'UTC'");
	for (int i = 1; i <= 3; i++)
		make_link((const char *const[]){ "", "days-1", "days-2", "days-3" }[i], &no_options);
	ask("UPDATE shortenedurls SET visits = 2, lastaccessed = '2026-01-02' WHERE id = 'days-1'");
	ask("UPDATE shortenedurls SET visits = 4, deleted = now() WHERE id = 'days-3'");
	is_int(add_days("writer", 1, first, COUNT_OF(first)), RESULT_OK, "a batch");
	is_int(add_days("writer", 1, first, COUNT_OF(first)), RESULT_OK, "once more");
	is_text(days_of("days-1"), "2026-01-01 2 1", "is counted once");
	is_text(days_of("days-2"), "2026-01-01 0 3", "robots apart");
	is_text(activity_of("days-1"), "2 2026-01-02 00:00:00+00", "the activity is that of the link");
	is_text(activity_of("days-2"), "", "a link that only robots visit has none");
	is_text(activity_of("days-3"), "", "nor has one that was deleted");
	is_int(add_days("writer", 2, second, COUNT_OF(second)), RESULT_OK, "another batch, at the last moment of a day");
	is_int(add_days("writer", 3, third, COUNT_OF(third)), RESULT_OK, "and one at the first moment of a day");
	is_int(add_days("writer", 2, second, COUNT_OF(second)), RESULT_OK, "and the one before it again");
	is_text(days_of("days-1"), "2026-01-01 3 1, 2026-01-02 7 0", "each is added to its day");
	is_text(days_of("days-2"), "2026-01-01 0 3, 2026-01-02 1 0", "also that of people to that of robots");
	is_int(add_days("other", 2, second, COUNT_OF(second)), RESULT_OK, "the same number of another process");
	is_text(days_of("days-1"), "2026-01-01 4 1, 2026-01-02 7 0", "is another batch");
}

static void test_activity(void)
{
	const struct visit visit = { "activity", 1, 0, NOON_US };

	make_link("activity", &no_options);
	ask("UPDATE shortenedurls SET visits = 5, lastaccessed = '2026-01-05' WHERE id = 'activity'");
	is_int(add_days("activity", 1, &visit, 1), RESULT_OK, "visits");
	is_text(activity_of("activity"), "5 2026-01-05 00:00:00+00", "are copied from the link");
	ask("UPDATE shortenedurls SET visits = 9, lastaccessed = '2026-01-04' WHERE id = 'activity'");
	is_int(add_days("activity", 2, &visit, 1), RESULT_OK, "more of them");
	is_text(activity_of("activity"), "9 2026-01-05 00:00:00+00", "are copied, and the time does not go back");
	ask("UPDATE shortenedurls SET visits = 3, lastaccessed = '2026-01-09' WHERE id = 'activity'");
	is_int(add_days("activity", 3, &visit, 1), RESULT_OK, "fewer of them");
	is_text(activity_of("activity"), "9 2026-01-09 00:00:00+00", "nor does their number");
	is_int(delete_link("activity"), RESULT_OK, "the link is deleted");
	is_int(add_days("activity", 4, &visit, 1), RESULT_OK, "and visited by who was under way");
	is_text(activity_of("activity"), "", "which brings it into no list");
}

static const struct {
	const char *id;
	const char *from;
	const char *to;
	enum result result;
	const char *rest; /* of the JSON, behind the dates */
} counts[] = {
	{ "counted", "2026-01-01", "2026-01-03", RESULT_OK,
	  "\"visits\":7000000000,\"robots\":6,\"days\":[{\"day\":\"2026-01-01\",\"visits\":3,\"robots\":0},"
	  "{\"day\":\"2026-01-02\",\"visits\":6999999997,\"robots\":1},{\"day\":\"2026-01-03\",\"visits\":0,\"robots\":5}]}" },
	{ "counted", "2026-01-02", "2026-01-02", RESULT_OK,
	  "\"visits\":6999999997,\"robots\":1,\"days\":[{\"day\":\"2026-01-02\",\"visits\":6999999997,\"robots\":1}]}" },
	{ "counted", "2026-01-03", "2036-01-01", RESULT_OK,
	  "\"visits\":0,\"robots\":5,\"days\":[{\"day\":\"2026-01-03\",\"visits\":0,\"robots\":5}]}" },
	{ "counted", "1970-01-01", "2025-12-30", RESULT_OK, "\"visits\":0,\"robots\":0,\"days\":[]}" },
	{ "counted", "2026-01-03", "2026-01-01", RESULT_OK, "\"visits\":0,\"robots\":0,\"days\":[]}" },
	{ "uncounted", "2026-01-01", "2026-01-03", RESULT_OK, "\"visits\":0,\"robots\":0,\"days\":[]}" },
	{ "counted-del", "2026-01-01", "2026-01-03", RESULT_GONE, NULL },
	{ "no-such-id", "2026-01-01", "2026-01-03", RESULT_NOT_FOUND, NULL },
};

static void test_count_visits(void)
{
	make_link("counted", &no_options);
	make_link("uncounted", &no_options);
	make_link("counted-del", &no_options);
	ask("INSERT INTO visits_by_day VALUES ('counted', '2026-01-03', 0, 5), ('counted', '2026-01-01', 3, 0),"
	    " ('counted', '2025-12-31', 9, 9), ('counted', '2026-01-02', 6999999997, 1), ('counted-del', '2026-01-01', 1, 1),"
	    " ('Counted', '2026-01-01', 1, 1)");
	delete_link("counted-del");
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		struct outcome outcome = { 0 };
		char expected[512] = "";

		if (counts[i].rest != NULL)
			snprintf(expected, sizeof expected, "{\"id\":\"%s\",\"by\":\"day\",\"from\":\"%s\",\"to\":\"%s\",%s",
				 counts[i].id, counts[i].from, counts[i].to, counts[i].rest);
		store_count_visits(store, counts[i].id, counts[i].from, counts[i].to, text_done, &outcome);
		is_int(wait_for(&outcome), counts[i].result, "visits of %s from %s to %s", counts[i].id, counts[i].from,
		       counts[i].to);
		is_text(read_text(&outcome), expected, "their JSON");
	}
}

/* Two transactions that wait for each other. PostgreSQL ends the one that has waited for longer, which is the store's. */
static void test_deadlock(void)
{
	struct outcome outcomes[2] = { 0 };

	make_link("deadlock-1", &no_options);
	make_link("deadlock-2", &no_options);
	ask("BEGIN");
	ask("SELECT id FROM shortenedurls WHERE id = 'deadlock-2' FOR UPDATE");
	store_use_link(store, "deadlock-1", "deadlock-1/1", done, &outcomes[0]);
	store_use_link(store, "deadlock-2", "deadlock-2/1", done, &outcomes[1]);
	wait_for_answer(waiting, "1", true);
	is_text(ask("UPDATE shortenedurls SET title = 'x' WHERE id = 'deadlock-1' RETURNING id"), "deadlock-1", "a deadlock is broken");
	ask("COMMIT");
	is_int(count_results(outcomes, 2, RESULT_OK), 2, "both visits are let through all the same");
	is_text(ask("SELECT string_agg(visits::text, ' ') FROM shortenedurls WHERE id LIKE 'deadlock-%%'"), "1 1", "each once");
}

/* ---- several processes at once */

static int use_in_process(void)
{
	return use_many("use-shared", 100);
}

static void test_processes(const struct config *config)
{
	struct link_options limited = NO_OPTIONS;

	limited.max_visits = 150;
	make_link("use-shared", &limited);
	is_int(run_processes(config, use_in_process), 150, "processes: of many visits as many are let through as the link may have");
	is_text(visits_of("use-shared"), "150", "processes: and counted");
}

static void test_adds(void)
{
	test_add_each_option();
	test_add_first_time();
	test_add_again();
	test_add_many();
	test_add_nasty_texts();
	test_add_refused();
	test_lost_results();
	test_lost_uses();
}

int main(void)
{
	struct config config;

	open_all(&config);
	test_adds();
	test_lost_while_waiting(&config);
	test_states();
	test_use();
	test_old_uses();
	test_use_many();
	test_deadlock();
	test_edit_each();
	test_edit_none();
	test_edit_times();
	test_edit_others();
	test_delete();
	test_add_days();
	test_activity();
	test_count_visits();
	test_processes(&config);
	close_all();
	url_close();
	return tap_done();
}
