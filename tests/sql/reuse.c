/* Links that are like one another: slugs, and wishes that an equal link will do for, against a real PostgreSQL. SHORTEN_DATABASE names
 * an empty, migrated database. Ids come from this file, so that two of them can be equal.
 * modules: creation store store_work store_statements store_manage link_rules digest database database_connection database_array database_value database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log text_stream */
#include "creation.h"
#include "id.h"
#include "store_links.h"

/* Ids that come first, none longer than ID_SIZE. */
static const char *forced_ids[10];
static int forced_count;
static int forced_used;

void id_generate(char id[ID_SIZE + 1])
{
	static unsigned generated;

	if (forced_used < forced_count) {
		memcpy(id, forced_ids[forced_used], strlen(forced_ids[forced_used]) + 1);
		forced_used++;
		return;
	}
	snprintf(id, ID_SIZE + 1, "%u-%08u", (unsigned)process_number % 10, generated++ % 100000000);
}

bool id_is_valid(const char *text, size_t text_size)
{
	(void)text;
	return text_size > 0 && text_size <= ID_MAX;
}

static void made(void *context, enum result result, const struct link *link, bool is_reused)
{
	struct outcome *outcome = context;

	outcome->is_reused = is_reused;
	link_done(context, result, link);
}

/* ---- links that are like one another */

static unsigned char *hash_of(const char *text)
{
	static unsigned char hash[DIGEST_SIZE];

	ok(digest_write(text, strlen(text), hash), "a hash");
	return hash;
}

static enum result find_equal(const struct store_new_link *link, const char *slug, const char *hash, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	store_find_equal_link(store, link, slug, hash_of(hash), equal_done, outcome);
	return wait_for(outcome);
}

static enum result claim(const char *id, const char *hash, const char *claimed, struct outcome *outcome)
{
	struct store_new_link link = new_link(id, id, &full);

	*outcome = (struct outcome){ 0 };
	store_claim_link(store, &link, hash_of(hash), claimed, link_done, outcome);
	return wait_for(outcome);
}

/* The link `equal` has all options; each of these is like it but for one thing. */
static void test_find_equal(void)
{
	struct outcome outcome;
	struct store_new_link link = new_link("", "", &full);

	make_link("equal", &full);
	is_int(find_equal(&link, "equal", "x", &outcome), RESULT_OK, "a link with this id that is as it should be");
	is_text(read_text(&outcome), write_json("equal", full_json), "is given back");
	is_int(find_equal(&link, "Equal", "x", &outcome), RESULT_NOT_FOUND, "none with another id");
	is_int(find_equal(&link, "", "x", &outcome), RESULT_NOT_FOUND, "none that was claimed for this hash");
	is_text(outcome.id, "", "the claim holds nothing");
	for (unsigned change = STORE_CHANGE_TITLE; change <= STORE_CHANGE_FORWARDS_QUERY; change *= 2) {
		struct link_options options[2] = { full, full };

		for (int i = 0; i < 2; i++) {
			take_options(&options[i], i == 0 ? &no_options : &another, change);
			link.options = &options[i];
			is_int(find_equal(&link, "equal", "x", &outcome), RESULT_NOT_FOUND, "not with another option %u", change);
			is_text(outcome.id, "equal", "the slug is said again");
		}
	}
	link.options = &full;
	link.owner = "";
	is_int(find_equal(&link, "equal", "x", &outcome), RESULT_NOT_FOUND, "nor for another owner");
	link.owner = OWNER;
	link.srcurl = "http://b/";
	is_int(find_equal(&link, "equal", "x", &outcome), RESULT_NOT_FOUND, "nor another URL");
}

static void test_claim(void)
{
	struct outcome outcome;
	struct store_new_link link = new_link("", "", &full);

	is_int(claim("claim-1", "claim", "", &outcome), RESULT_OK, "a claim is won");
	is_text(outcome.id, "claim-1", "the link is made");
	is_text(read_text(&outcome), write_json("claim-1", full_json), "and given back");
	is_stored("claim-1", full_json, "claim-1");
	is_int(find_equal(&link, "", "claim", &outcome), RESULT_OK, "it is found by the claim");
	is_text(read_text(&outcome), write_json("claim-1", full_json), "and given back");
	is_int(claim("claim-2", "claim", "", &outcome), RESULT_NOT_FOUND, "who comes second loses");
	is_int(claim("claim-2", "claim", "claim-0", &outcome), RESULT_NOT_FOUND, "and who believes that another holds it");
	is_int(claim("claim-1", "claim", "", &outcome), RESULT_NOT_FOUND, "a claim that is repeated makes nothing");
	is_int(claim("claim-1", "claim-b", "", &outcome), RESULT_TAKEN, "with an id that is taken it is lost");
	is_int(claim("claim-3", "claim-b", "", &outcome), RESULT_OK, "and leaves nothing behind");
	read_text(&outcome);
	is_text(ask("SELECT string_agg(id, ' ' ORDER BY id) FROM shortenedurls WHERE id LIKE 'claim-%%'"), "claim-1 claim-3",
		"no other link was made");
	link.options = &no_options;
	is_int(find_equal(&link, "", "claim", &outcome), RESULT_NOT_FOUND, "nothing is found by the hash of another wish");
	is_text(outcome.id, "claim-1", "the claim says what it holds");
}

/* A claim on a link that is not what was asked for any more. */
static void test_stale_claims(void)
{
	static const char *const changes[] = {
		"deleted = now()",    "enabled = false",	 "expires = now()",	"visits = 1000000000",
		"srcurl = 'http://b/'", "title = NULL",		 "tags = '{one}'",	"validfrom = NULL",
		"expires = NULL",     "maxvisits = 999999999",	 "redirectstatus = 307", "forwardquery = false",
	};
	struct store_new_link link = new_link("", "", &full);

	for (size_t i = 0; i < COUNT_OF(changes); i++) {
		struct outcome outcome;
		char hash[32];
		char ids[3][ID_MAX + 1];

		snprintf(hash, sizeof hash, "stale-%zu", i);
		for (int j = 0; j < 3; j++)
			snprintf(ids[j], sizeof ids[j], "%s-%d", hash, j);
		is_int(claim(ids[0], hash, "", &outcome), RESULT_OK, "a claim is won");
		read_text(&outcome);
		ask("UPDATE shortenedurls SET %s WHERE id = '%s'", changes[i], ids[0]);
		is_int(find_equal(&link, "", hash, &outcome), RESULT_NOT_FOUND, "its link has %s", changes[i]);
		is_text(outcome.id, ids[0], "the claim still holds it");
		is_int(claim(ids[1], hash, ids[0], &outcome), RESULT_OK, "who knows that gets the claim");
		read_text(&outcome);
		is_int(claim(ids[2], hash, ids[0], &outcome), RESULT_NOT_FOUND, "only one does");
		is_int(find_equal(&link, "", hash, &outcome), RESULT_OK, "the new link is found");
		is_text(outcome.id, ids[1], "by the claim");
		read_text(&outcome);
	}
}

/* ---- links that are asked for */

/* With all options, and what else a test wants to be different. */
static struct creation_wish new_wish(const char *slug, bool may_reuse)
{
	return (struct creation_wish){
		.srcurl = URL_A,
		.srcurl_size = strlen(URL_A),
		.slug = slug,
		.owner = OWNER,
		.options = full,
		.has_options = true,
		.may_reuse = may_reuse,
		.wants_json = true,
	};
}

static enum result create(const struct creation_wish *wish, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	creation_start(store, wish, made, outcome);
	return wait_for(outcome);
}

/* Starts all before the first one can end; returns how many of those that end well were made anew. */
static int create_many(const struct creation_wish *wish, struct outcome outcomes[], size_t count)
{
	int made_count = 0;

	memset(outcomes, 0, count * sizeof *outcomes);
	for (size_t i = 0; i < count; i++) {
		creation_start(store, wish, made, &outcomes[i]);
		if (i % 16 == 15)
			loop_turn(loop, 0);
	}
	count_results(outcomes, count, RESULT_OK);
	for (size_t i = 0; i < count; i++)
		made_count += outcomes[i].result == RESULT_OK && !outcomes[i].is_reused;
	return made_count;
}

static int count_with_id(const struct outcome outcomes[], size_t count, const char *id)
{
	int right = 0;

	for (size_t i = 0; i < count; i++)
		right += outcomes[i].result == RESULT_OK && strcmp(outcomes[i].id, id) == 0;
	return right;
}

static void test_reuse_many(void)
{
	static struct outcome outcomes[200];
	struct creation_wish wish = new_wish(NULL, true);

	wish.owner = "reuse-many";
	is_int(create_many(&wish, outcomes, COUNT_OF(outcomes)), 1, "of many equal wishes at once one makes a link");
	is_int(count_with_id(outcomes, COUNT_OF(outcomes), outcomes[0].id), COUNT_OF(outcomes), "and all get it");
	is_text(ask("SELECT count(*) FROM shortenedurls WHERE owner = 'reuse-many'"), "1", "there is one row");
	ask("UPDATE shortenedurls SET deleted = now() WHERE owner = 'reuse-many'");
	is_int(create_many(&wish, outcomes, COUNT_OF(outcomes)), 1, "when it was deleted, one makes another");
	is_int(count_with_id(outcomes, COUNT_OF(outcomes), outcomes[0].id), COUNT_OF(outcomes), "and all get that");
	is_text(ask("SELECT count(*) FROM shortenedurls WHERE owner = 'reuse-many'"), "2", "there is one row more");
}

/* What makes two wishes different, and what does not. */
static void test_reuse_wishes(void)
{
	struct creation_wish wishes[13];
	struct outcome outcomes[COUNT_OF(wishes)];

	for (size_t i = 0; i < COUNT_OF(wishes); i++) {
		wishes[i] = new_wish(NULL, true);
		wishes[i].owner = "reuse-1";
		if (i >= 1 && i <= 7)
			take_options(&wishes[i].options, &another, 1U << i);
	}
	wishes[8].owner = "reuse-2";
	wishes[9].srcurl = "http://b/";
	wishes[10].options.tags_count = 1;
	wishes[11].options.tags[0] = "two,one";
	wishes[11].options.tags_count = 1;
	wishes[12].options.tags[0] = "tw";
	wishes[12].options.tags[1] = "oone";
	for (size_t i = 0; i < COUNT_OF(wishes); i++) {
		is_int(create(&wishes[i], &outcomes[i]), RESULT_OK, "wish %zu is granted", i);
		ok(!outcomes[i].is_reused && outcomes[i].text != NULL, "with a link of its own, as JSON");
		read_text(&outcomes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(wishes); i++) {
		struct outcome outcome;

		wishes[i].wants_json = false;
		is_int(create(&wishes[i], &outcome), RESULT_OK, "wish %zu is granted once more", i);
		ok(outcome.is_reused, "with a link that is there");
		is_text(outcome.id, outcomes[i].id, "its own");
		read_text(&outcome);
	}
	wishes[0].may_reuse = false;
	is_int(create(&wishes[0], &outcomes[1]), RESULT_OK, "without reuse");
	ok(!outcomes[1].is_reused && strcmp(outcomes[0].id, outcomes[1].id) != 0, "there is always a new link");
	read_text(&outcomes[1]);
}

/* The order of tags does not matter. */
static void test_reuse_tags(void)
{
	struct creation_wish wish = new_wish(NULL, true);
	struct outcome outcomes[2];

	wish.owner = "reuse-tags";
	is_int(create(&wish, &outcomes[0]), RESULT_OK, "a wish with two tags");
	read_text(&outcomes[0]);
	wish.options.tags[0] = full.tags[1];
	wish.options.tags[1] = full.tags[0];
	is_int(create(&wish, &outcomes[1]), RESULT_OK, "the other way round");
	is_text(outcomes[1].id, outcomes[0].id, "is the same");
	read_text(&outcomes[1]);
}

/* A link without options is found in the same way. */
static void test_reuse_plain(void)
{
	struct creation_wish wish = { .srcurl = "http://c/", .srcurl_size = 9, .owner = "", .options = NO_OPTIONS, .may_reuse = true };
	struct outcome outcomes[2];

	for (int i = 0; i < 2; i++) {
		is_int(create(&wish, &outcomes[i]), RESULT_OK, "a wish for a plain link");
		is_int(outcomes[i].is_reused, i, "is granted with the same one");
		read_text(&outcomes[i]);
	}
	is_text(outcomes[1].id, outcomes[0].id, "the second time");
	wish.may_reuse = false;
	is_int(create(&wish, &outcomes[1]), RESULT_OK, "without reuse");
	ok(outcomes[1].text == NULL && strcmp(outcomes[0].id, outcomes[1].id) != 0, "it is another one, without JSON");
}

static void test_slug(void)
{
	struct creation_wish wish = new_wish("Slug_1", false);
	struct outcome outcome;

	is_int(create(&wish, &outcome), RESULT_OK, "a link with a slug is made");
	is_text(outcome.id, "Slug_1", "with this id");
	ok(strncmp(read_text(&outcome), "{\"id\":\"Slug_1\"", 14) == 0, "its JSON is given back");
	is_stored("Slug_1", full_json, "a link with a slug");
	is_int(create(&wish, &outcome), RESULT_TAKEN, "the slug is taken");
	is_text(outcome.id, "Slug_1", "and named");
	wish.may_reuse = true;
	is_int(create(&wish, &outcome), RESULT_OK, "who will have what is there gets it");
	ok(outcome.is_reused && strcmp(outcome.id, "Slug_1") == 0, "and hears so");
	read_text(&outcome);
	wish.options.title = NULL;
	is_int(create(&wish, &outcome), RESULT_TAKEN, "but not where it has another title");
	is_text(outcome.id, "Slug_1", "it is named too");
	ok(!outcome.is_reused && outcome.text == NULL, "and no link given back");
	wish.options.title = full.title;
	wish.owner = "another";
	is_int(create(&wish, &outcome), RESULT_TAKEN, "nor where it has another owner");
	wish.owner = OWNER;
	wish.slug = "slug_1";
	is_int(create(&wish, &outcome), RESULT_OK, "in another case it is another slug");
	ok(!outcome.is_reused, "the link is new");
	read_text(&outcome);
	wish.slug = "Slug_1";
	for (int i = 0; i < 3; i++) {
		ask("UPDATE shortenedurls SET %s WHERE id = 'Slug_1'",
		    (const char *const[]){ "enabled = false", "enabled = true, expires = now()", "deleted = now()" }[i]);
		is_int(create(&wish, &outcome), RESULT_TAKEN, "nor when the link has ended");
	}
}

static void test_slug_many(void)
{
	static struct outcome outcomes[100];
	struct creation_wish wish = new_wish("slug-many-1", false);

	is_int(create_many(&wish, outcomes, COUNT_OF(outcomes)), 1, "of many that want a slug at once one gets it");
	is_int(count_results(outcomes, COUNT_OF(outcomes), RESULT_TAKEN), COUNT_OF(outcomes) - 1, "to the others it is taken");
	wish = new_wish("slug-many-2", true);
	is_int(create_many(&wish, outcomes, COUNT_OF(outcomes)), 1, "of many that would share it one makes the link");
	is_int(count_with_id(outcomes, COUNT_OF(outcomes), "slug-many-2"), COUNT_OF(outcomes), "and all get it");
}

/* Random ids that are taken. */
static void test_taken_ids(void)
{
	static const bool may_reuse[] = { false, true };
	struct outcome outcome;

	for (int i = 0; i < 2; i++) {
		struct creation_wish wish = new_wish(NULL, may_reuse[i]);

		wish.owner = "taken-ids";
		/* The first one is the mark. */
		forced_ids[0] = "mark";
		forced_ids[1] = "claim-1";
		forced_ids[2] = "equal";
		forced_ids[3] = i == 0 ? "free-1" : "free-2";
		forced_count = 4;
		forced_used = 0;
		is_int(create(&wish, &outcome), RESULT_OK, "an id that is taken gets another try");
		is_text(outcome.id, forced_ids[3], "until one is free");
		is_int(outcome.is_reused, false, "the link is new");
		read_text(&outcome);
	}
	for (int i = 0; i < 10; i++)
		forced_ids[i] = "equal";
	forced_count = 10;
	forced_used = 0;
	struct creation_wish wish = new_wish(NULL, false);
	is_int(create(&wish, &outcome), RESULT_UNAVAILABLE, "but not for ever");
	forced_count = 0;
	is_text(ask("SELECT count(*) FROM shortenedurls WHERE owner = 'taken-ids'"), "2", "no other link was made");
}

/* ---- several processes at once */

/* Each returns how many links it has made. */
static int reuse_in_process(void)
{
	static struct outcome outcomes[50];
	struct creation_wish wish = new_wish(NULL, true);

	wish.owner = "processes";
	return create_many(&wish, outcomes, COUNT_OF(outcomes));
}

static int share_slug_in_process(void)
{
	static struct outcome outcomes[50];
	struct creation_wish wish = new_wish("slug-shared", true);

	return create_many(&wish, outcomes, COUNT_OF(outcomes));
}

static int take_slug_in_process(void)
{
	static struct outcome outcomes[50];
	struct creation_wish wish = new_wish("slug-single", false);

	return create_many(&wish, outcomes, COUNT_OF(outcomes));
}

static void test_processes(const struct config *config)
{
	is_int(run_processes(config, reuse_in_process), 1, "processes: of equal wishes one makes a link");
	is_text(ask("SELECT count(*) FROM shortenedurls WHERE owner = 'processes'"), "1", "processes: there is one row");
	is_int(run_processes(config, share_slug_in_process), 1, "processes: of those that would share a slug one makes the link");
	is_int(run_processes(config, take_slug_in_process), 1, "processes: of those that want a slug one gets it");
}

int main(void)
{
	struct config config;

	open_all(&config);
	test_find_equal();
	test_claim();
	test_stale_claims();
	test_reuse_many();
	test_reuse_wishes();
	test_reuse_tags();
	test_reuse_plain();
	test_slug();
	test_slug_many();
	test_taken_ids();
	test_processes(&config);
	close_all();
	url_close();
	return tap_done();
}
