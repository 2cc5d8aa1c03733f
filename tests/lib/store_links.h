#ifndef STORE_LINKS_H
#define STORE_LINKS_H

/* Links as tests of the store make them, and as they are shown and stored. */

#include "store_manage.h"
#include "store_test.h"

#define NOON "2026-01-01T12:00:00.123456Z"
#define Y2020_US INT64_C(1577880000654321)
#define Y2197_US INT64_C(7163553600654321)
#define Y2198_US INT64_C(7195089600654321)
#define Y2199_US INT64_C(7226625600654321)
#define MIDDAY(year) "\"" year "-01-01T12:00:00.654321Z\""

#define OWNER "owner-0001"
#define URL_A "http://a/"
#define NO_OPTIONS { .valid_from_us = LINK_NO_TIME, .expires_us = LINK_NO_TIME }

TAP_UNUSED static const struct link_options no_options = NO_OPTIONS;

/* What a client can give, in the order of the bits of enum store_change. */
enum column {
	SRCURL,
	TITLE,
	TAGS,
	VALID_FROM,
	EXPIRES,
	MAX_VISITS,
	REDIRECT_STATUS,
	FORWARDS_QUERY,
	IS_ENABLED,
	COLUMNS,
};

_Static_assert(1 << IS_ENABLED == STORE_CHANGE_IS_ENABLED, "the columns are in the order of the bits");

/* Three links, as they are given and as JSON. */
TAP_UNUSED static const char *const plain_json[COLUMNS] = { "\"" URL_A "\"", "null", "[]", "null", "null", "null", "null", "false", "true" };

TAP_UNUSED static const struct link_options full = {
	.title = "A \"title\" \\",
	.tags = { "two", "one" },
	.tags_count = 2,
	.valid_from_us = Y2020_US,
	.expires_us = Y2199_US,
	.max_visits = 1000000000,
	.redirect_status = 308,
	.forwards_query = true,
};
TAP_UNUSED static const char *const full_json[COLUMNS] = { "\"" URL_A "\"", "\"A \\\"title\\\" \\\\\"", "[\"two\",\"one\"]", MIDDAY("2020"),
						MIDDAY("2199"), "1000000000", "308", "true", "true" };

TAP_UNUSED static const struct link_options another = {
	.title = "Another",
	.tags = { "three" },
	.tags_count = 1,
	.valid_from_us = Y2197_US,
	.expires_us = Y2198_US,
	.max_visits = 1,
	.redirect_status = 301,
	.forwards_query = false,
};
TAP_UNUSED static const char *const another_json[COLUMNS] = { "\"http://b/\"", "\"Another\"", "[\"three\"]", MIDDAY("2197"), MIDDAY("2198"),
						   "1", "301", "false", "false" };

TAP_UNUSED static void take_options(struct link_options *options, const struct link_options *from, unsigned changes)
{
	if ((changes & STORE_CHANGE_TITLE) != 0)
		options->title = from->title;
	if ((changes & STORE_CHANGE_TAGS) != 0) {
		memcpy(options->tags, from->tags, sizeof options->tags);
		options->tags_count = from->tags_count;
	}
	if ((changes & STORE_CHANGE_VALID_FROM) != 0)
		options->valid_from_us = from->valid_from_us;
	if ((changes & STORE_CHANGE_EXPIRES) != 0)
		options->expires_us = from->expires_us;
	if ((changes & STORE_CHANGE_MAX_VISITS) != 0)
		options->max_visits = from->max_visits;
	if ((changes & STORE_CHANGE_REDIRECT_STATUS) != 0)
		options->redirect_status = from->redirect_status;
	if ((changes & STORE_CHANGE_FORWARDS_QUERY) != 0)
		options->forwards_query = from->forwards_query;
}

TAP_UNUSED static void take_json(const char *json[COLUMNS], const char *const from[COLUMNS], unsigned changes)
{
	for (int i = 0; i < COLUMNS; i++)
		if ((changes & (1U << i)) != 0)
			json[i] = from[i];
}

/* The JSON of a link that was made at noon: valid until the next call. */
TAP_UNUSED static const char *write_json(const char *id, const char *const json[COLUMNS])
{
	static char text[2048];

	snprintf(text, sizeof text,
		 "{\"id\":\"%s\",\"shortenedUrl\":\"http://test.short/%s\",\"srcUrl\":%s,\"title\":%s,\"tags\":%s,\"created\":\"" NOON
		 "\",\"lastAccessed\":\"" NOON "\",\"visits\":0,\"validFrom\":%s,\"expires\":%s,\"maxVisits\":%s,"
		 "\"redirectStatus\":%s,\"forwardQuery\":%s,\"enabled\":%s}",
		 id, id, json[SRCURL], json[TITLE], json[TAGS], json[VALID_FROM], json[EXPIRES], json[MAX_VISITS],
		 json[REDIRECT_STATUS], json[FORWARDS_QUERY], json[IS_ENABLED]);
	return text;
}

#define TIME_JSON(column) "COALESCE(to_json(replace((" column " AT TIME ZONE 'UTC')::text, ' ', 'T') || 'Z')::text, 'null')"

/* Whether the columns of the table hold this. */
TAP_UNUSED static void is_stored(const char *id, const char *const json[COLUMNS], const char *name)
{
	char expected[1024];

	snprintf(expected, sizeof expected, "%s %s %s %s %s %s %s %s %s", json[SRCURL], json[TITLE], json[TAGS], json[VALID_FROM],
		 json[EXPIRES], json[MAX_VISITS], json[REDIRECT_STATUS], json[FORWARDS_QUERY], json[IS_ENABLED]);
	is_text(ask("SELECT concat_ws(' ', to_json(srcurl), COALESCE(to_json(title)::text, 'null'), to_json(tags), " TIME_JSON("validfrom")
		    ", " TIME_JSON("expires") ", COALESCE(maxvisits::text, 'null'), COALESCE(redirectstatus::text, 'null'),"
		    " forwardquery::text, enabled::text) FROM shortenedurls WHERE id = '%s'",
		    id),
		expected, "%s: in the table", name);
}

static struct store_new_link new_link(const char *id, const char *mark, const struct link_options *options)
{
	return (struct store_new_link){
		.id = id,
		.srcurl = URL_A,
		.srcurl_size = strlen(URL_A),
		.created_us = NOON_US,
		.owner = OWNER,
		.mark = mark,
		.options = options,
	};
}

TAP_UNUSED static enum result add(const char *id, const char *mark, const struct link_options *options, struct outcome *outcome)
{
	struct store_new_link link = new_link(id, mark, options);

	*outcome = (struct outcome){ 0 };
	store_add_link(store, &link, link_done, outcome);
	return wait_for(outcome);
}

/* A link that a test works with. */
TAP_UNUSED static void make_link(const char *id, const struct link_options *options)
{
	struct outcome outcome;

	if (add(id, "made", options, &outcome) != RESULT_OK)
		ok(false, "the link %s is made", id);
	read_text(&outcome);
}

TAP_UNUSED static enum result delete_link(const char *id)
{
	struct outcome outcome = { 0 };

	store_delete_link(store, id, done, &outcome);
	return wait_for(&outcome);
}

TAP_UNUSED static const char *visits_of(const char *id)
{
	return ask("SELECT visits FROM shortenedurls WHERE id = '%s'", id);
}

/* The id is that of the link, or what the claim holds; "-" where that is not said. */
TAP_UNUSED static void equal_done(void *context, enum result result, const struct link *link, const char *claimed)
{
	link_done(context, result, link);
	if (link == NULL)
		id_done(context, result, claimed != NULL ? claimed : "-");
}

#endif
