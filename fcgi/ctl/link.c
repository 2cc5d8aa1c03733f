/* Makes, changes and deletes links. */
#include <stdlib.h>
#include <string.h>

#include "base_url.h"
#include "ctl_database.h"
#include "id.h"
#include "link_arguments.h"
#include "options.h"
#include "say.h"
#include "verb.h"

/* Collisions of 60 random bits are next to impossible; this many in a row mean something else. */
#define TRIES 5

#define INSERT_LINK \
	"INSERT INTO shortenedurls (id, srcurl, created, lastaccessed, title, tags, validfrom, expires, maxvisits," \
	" redirectstatus, forwardquery)" \
	" VALUES ($1, $2, now(), now(), $3, string_to_array($4, ','), $5::timestamptz, $6::timestamptz, $7::bigint," \
	" $8::smallint, COALESCE($9::boolean, false)) ON CONFLICT (id) DO NOTHING RETURNING id"

/* RESULT_TAKEN is for the caller to explain. */
static enum result insert(struct ctl_database *database, const struct link_arguments *link, const char *id)
{
	const char *const parameters[] = {
		id,
		link->values[LINK_SRCURL],
		link->values[LINK_TITLE],
		link->values[LINK_TAGS],
		link->values[LINK_VALID_FROM],
		link->values[LINK_EXPIRES],
		link->values[LINK_MAX_VISITS],
		link->values[LINK_REDIRECT_STATUS],
		link->values[LINK_FORWARD_QUERY],
	};
	struct ctl_rows *rows = ctl_database_query(database, INSERT_LINK, sizeof parameters / sizeof parameters[0], parameters);
	enum result result = rows == NULL ? RESULT_FAILED : ctl_rows_count(rows) == 1 ? RESULT_OK : RESULT_TAKEN;

	ctl_rows_free(rows);
	return result;
}

static bool insert_with_slug(struct ctl_database *database, const struct link_arguments *link)
{
	enum result result = insert(database, link, link->values[LINK_SLUG]);

	if (result == RESULT_TAKEN)
		say_error("The slug '%s' is taken; choose another", link->values[LINK_SLUG]);
	return result == RESULT_OK;
}

static bool insert_with_random_id(struct ctl_database *database, struct link_arguments *link, char id[ID_SIZE + 1])
{
	enum result result = RESULT_TAKEN;

	for (int i = 0; i < TRIES && result == RESULT_TAKEN; i++) {
		id_generate(id);
		result = insert(database, link, id);
	}
	if (result == RESULT_TAKEN)
		say_error("No free id was found");
	link->values[LINK_SLUG] = id;
	return result == RESULT_OK;
}

static int add_link(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = LINK_ADD_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	struct link_arguments link;
	char id[ID_SIZE + 1];
	int status;

	if (!link_arguments_read(&link, config, &options, false, &status))
		return status;
	struct ctl_database *database = ctl_database_open(config);
	bool is_made = database != NULL && (link.is_given[LINK_SLUG] ? insert_with_slug(database, &link)
								     : insert_with_random_id(database, &link, id));
	ctl_database_close(database);
	if (!is_made)
		return EXIT_FAILURE;
	printf("%s%s\n", config->base_url, link.values[LINK_SLUG]);
	return EXIT_SUCCESS;
}

/* Every second parameter says whether the one behind it is to be taken. */
#define EDITED(given, value, column) "CASE WHEN $" given "::boolean THEN " value " ELSE " column " END"
#define EDITED_VALID_FROM EDITED("8", "$9::timestamptz", "validfrom")
#define EDITED_EXPIRES EDITED("10", "$11::timestamptz", "expires")
#define EDIT_LINK \
	"UPDATE shortenedurls SET srcurl = " EDITED("2", "$3::text", "srcurl") ", title = " EDITED("4", "$5::text", "title") \
	", tags = " EDITED("6", "string_to_array($7::text, ',')", "tags") ", validfrom = " EDITED_VALID_FROM \
	", expires = " EDITED_EXPIRES ", maxvisits = " EDITED("12", "$13::bigint", "maxvisits") \
	", redirectstatus = " EDITED("14", "$15::smallint", "redirectstatus") \
	", forwardquery = " EDITED("16", "$17::boolean", "forwardquery") ", enabled = " EDITED("18", "$19::boolean", "enabled") \
	" WHERE id = $1 AND deleted IS NULL AND (" EDITED_VALID_FROM " >= " EDITED_EXPIRES ") IS NOT TRUE RETURNING id"

/* Why an edit has found no row. */
static void say_why_not(struct ctl_database *database, const char *id)
{
	struct ctl_rows *rows = ctl_database_query(
		database, "SELECT deleted IS NOT NULL FROM shortenedurls WHERE id = $1", 1, &id);

	if (rows == NULL)
		return;
	if (ctl_rows_count(rows) == 0)
		say_error("There is no link '%s'", id);
	else if (ctl_rows_is_true(rows, 0, 0))
		say_error("The link '%s' is deleted", id);
	else
		say_error("'validFrom' must be before 'expires'");
	ctl_rows_free(rows);
}

static bool edit(struct ctl_database *database, const struct link_arguments *link)
{
	static const enum link_field fields[] = { LINK_SRCURL, LINK_TITLE, LINK_TAGS, LINK_VALID_FROM, LINK_EXPIRES,
						  LINK_MAX_VISITS, LINK_REDIRECT_STATUS, LINK_FORWARD_QUERY, LINK_ENABLED };
	const char *parameters[1 + 2 * sizeof fields / sizeof fields[0]] = { link->id };

	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		parameters[1 + 2 * i] = link->is_given[fields[i]] ? "true" : "false";
		parameters[2 + 2 * i] = link->values[fields[i]];
	}
	struct ctl_rows *rows = ctl_database_query(database, EDIT_LINK, sizeof parameters / sizeof parameters[0], parameters);
	bool is_edited = rows != NULL && ctl_rows_count(rows) == 1;
	if (rows != NULL && !is_edited)
		say_why_not(database, link->id);
	ctl_rows_free(rows);
	return is_edited;
}

static bool changes_something(const struct link_arguments *link)
{
	for (int field = 0; field < LINK_FIELDS_COUNT; field++)
		if (link->is_given[field])
			return true;
	return false;
}

static int edit_link(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = LINK_EDIT_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	struct link_arguments link;
	int status;

	if (!link_arguments_read(&link, config, &options, true, &status))
		return status;
	if (!changes_something(&link))
		return say_usage(options.verb, "Nothing is to be changed");
	if (!base_url_find_id(config, link.id, &link.id))
		return EXIT_FAILURE;
	struct ctl_database *database = ctl_database_open(config);
	bool is_edited = database != NULL && edit(database, &link);
	ctl_database_close(database);
	if (!is_edited)
		return EXIT_FAILURE;
	printf("The link '%s' is changed.\n", link.id);
	return EXIT_SUCCESS;
}

/* One statement, so that lists never show a link that is gone. */
#define DELETE_LINK \
	"WITH old AS (SELECT id, deleted FROM shortenedurls WHERE id = $1 FOR UPDATE)," \
	" gone AS (UPDATE shortenedurls l SET deleted = now() FROM old WHERE l.id = old.id AND old.deleted IS NULL)," \
	" silent AS (DELETE FROM link_activity WHERE id = $1)" \
	" SELECT deleted IS NOT NULL FROM old"

static int delete_link(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = LINK_DELETE_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	const char *id;
	int status = EXIT_FAILURE;

	if (!options_take_arguments(&options, 1, "the id of a link", &id))
		return VERB_USAGE;
	if (!base_url_find_id(config, id, &id))
		return EXIT_FAILURE;
	struct ctl_database *database = ctl_database_open(config);
	struct ctl_rows *rows = database == NULL ? NULL : ctl_database_query(database, DELETE_LINK, 1, &id);
	if (rows != NULL && ctl_rows_count(rows) == 0)
		say_error("There is no link '%s'", id);
	if (rows != NULL && ctl_rows_count(rows) == 1) {
		printf("The link '%s' %s.\n", id, ctl_rows_is_true(rows, 0, 0) ? "was deleted already" : "is deleted");
		status = EXIT_SUCCESS;
	}
	ctl_rows_free(rows);
	ctl_database_close(database);
	return status;
}

const struct verb LINK_ADD_VERB = {
	"link add",
	"URL [OPTION]...",
	"makes a short URL and prints it",
	"  --slug SLUG           the last part of the short URL, 1 to 64 of A-Z a-z 0-9 _ -; otherwise it is random\n"
	"  --title TITLE         what lists call the link, up to 500 characters\n"
	"  --tag TAG             for lists; may be given up to 20 times\n"
	"  --valid-from TIME     before this time it answers 404\n"
	"  --expires TIME        from this time on it answers 410\n"
	"  --max-visits N        after so many visits it answers 410\n"
	"  --redirect-status N   301, 302, 307 or 308, instead of SHORTEN_REDIRECT_STATUS\n"
	"  --forward-query       the query of the visitor is appended to the URL\n\n"
	"A time has an offset: 2026-12-31T23:59:59+01:00 or 2026-12-31T22:59:59Z. The same rules hold as for\n"
	"POST /shorten. The link belongs to no key; every key may manage it.\n\n"
	"Examples:\n"
	"  shortenctl link add https://example.com/a/long/path\n"
	"  shortenctl link add https://example.com/sale --slug sale --tag shop --expires 2026-12-31T23:59:59+01:00\n",
	add_link,
};

const struct verb LINK_EDIT_VERB = {
	"link edit",
	"ID|URL OPTION...",
	"changes a link",
	"  --url URL                                    where it leads\n"
	"  --title TITLE,          --no-title\n"
	"  --tag TAG...,           --no-tags            the tags given replace those it has\n"
	"  --valid-from TIME,      --no-valid-from\n"
	"  --expires TIME,         --no-expires\n"
	"  --max-visits N,         --no-max-visits\n"
	"  --redirect-status N,    --no-redirect-status\n"
	"  --forward-query,        --no-forward-query\n"
	"  --enable,               --disable            a disabled link answers 410\n\n"
	"Changes what is named and leaves the rest; an empty value removes as --no-... does. `shortenctl link add\n"
	"--help` says what the options mean. The id never changes; a short URL names it, too. An id that begins with --\n"
	"goes behind a --.\n\n"
	"Examples:\n"
	"  shortenctl link edit sale --url https://example.com/autumn --title 'Autumn sale'\n"
	"  shortenctl link edit sale --no-expires --enable\n",
	edit_link,
};

const struct verb LINK_DELETE_VERB = {
	"link delete",
	"ID|URL",
	"deletes a link for good",
	"Deletes the link: its short URL answers 410 from now on, and its id is never given out again. Deleting it\n"
	"again is harmless. To stop a link for a while, use `shortenctl link edit ID --disable`. An id that begins\n"
	"with -- goes behind a --. A short URL names the id, too.\n\n"
	"Example:\n"
	"  shortenctl link delete sale\n",
	delete_link,
};
