/* Shows one link, and lists links. */
#include <stdlib.h>
#include <string.h>

#include "base_url.h"
#include "ctl_database.h"
#include "options.h"
#include "say.h"
#include "store_sql.h"
#include "table.h"
#include "utf8.h"
#include "verb.h"

#define LIST_LIMIT_DEFAULT "50"
#define LIST_LIMIT_MAX 100000
#define SEARCH_MAX 200

#define TIME(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
#define MINUTE(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

/* As the service writes a whole link, and what only whoever has the database may know. $1 is the base URL. */
#define WHOLE_LINK \
	"l.id, $1 || l.id AS \"shortenedUrl\", l.srcurl AS \"srcUrl\", l.title, l.tags, " TIME("l.created") " AS created, " \
	TIME("l.lastaccessed") " AS \"lastAccessed\", l.visits, " TIME("l.validfrom") " AS \"validFrom\", " \
	TIME("l.expires") " AS expires, l.maxvisits AS \"maxVisits\", l.redirectstatus AS \"redirectStatus\"," \
	" l.forwardquery AS \"forwardQuery\", l.enabled, " TIME("l.deleted") " AS deleted, NULLIF(l.owner, '') AS owner"

#define STATE \
	"CASE WHEN deleted IS NOT NULL THEN 'deleted' WHEN NOT enabled THEN 'disabled' WHEN expires <= now() THEN 'expired'" \
	" WHEN visits >= maxvisits THEN 'used up' WHEN validfrom > now() THEN 'early' ELSE 'live' END"

/* A member a row, its name in the first column. */
#define SHOW_FIELDS \
	"SELECT key, CASE WHEN key = 'tags' THEN (SELECT string_agg(tag, ', ') FROM json_array_elements_text(value) AS tag)" \
	" ELSE value #>> '{}' END FROM (SELECT (json_each(row_to_json(j))).* FROM" \
	" (SELECT " WHOLE_LINK ", " STATE " AS state FROM shortenedurls l WHERE l.id = $2) j) f (key, value)"
#define SHOW_JSON "SELECT row_to_json(j) FROM (SELECT " WHOLE_LINK " FROM shortenedurls l WHERE l.id = $2) j"

static void write_fields(const struct ctl_rows *rows)
{
	for (size_t row = 0; row < ctl_rows_count(rows); row++) {
		const char *value = ctl_rows_text(rows, row, 1);

		printf("%-15s ", ctl_rows_text(rows, row, 0));
		say_text(stdout, value != NULL && *value != '\0' ? value : "-");
		putchar('\n');
	}
}

/* JSON needs no masking: it has no raw control characters but C1, which consumers want as they are. */
static void write_json(const struct ctl_rows *rows)
{
	for (size_t row = 0; row < ctl_rows_count(rows); row++)
		printf("%s\n", ctl_rows_text(rows, row, 0));
}

static int show(const struct config *config, const char *argument, bool is_json)
{
	const char *id = argument;

	if (base_url_problem() != NULL) {
		say_error("%s", base_url_missing);
		return EXIT_FAILURE;
	}
	if (!base_url_find_id(config, argument, &id))
		return EXIT_FAILURE;
	struct ctl_database *database = ctl_database_open(config);
	struct ctl_rows *rows = database == NULL ? NULL : ctl_database_query(
		database, is_json ? SHOW_JSON : SHOW_FIELDS, 2, (const char *const[]){ config->base_url, id });
	bool is_found = rows != NULL && ctl_rows_count(rows) > 0;

	if (is_found && is_json)
		write_json(rows);
	else if (is_found)
		write_fields(rows);
	else if (rows != NULL)
		say_error("There is no link '%s'", id);
	ctl_rows_free(rows);
	ctl_database_close(database);
	return is_found ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int show_link(const struct config *config, int argc, char *argv[])
{
	static const struct options_spec specs[] = { { "json", false } };
	struct options options = { .verb = LINK_SHOW_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	const char *id = NULL;
	bool is_json = false;

	for (;;) {
		const char *value = "";
		size_t spec;

		switch (options_next(&options, specs, 1, &spec, &value)) {
		case OPTIONS_OPTION:
			is_json = true;
			break;
		case OPTIONS_ARGUMENT:
			if (id != NULL)
				return say_usage(options.verb, "There is more than one id");
			id = value;
			break;
		case OPTIONS_END:
			if (id == NULL)
				return say_usage(options.verb, "Wanted: the id of a link");
			return show(config, id, is_json);
		case OPTIONS_BAD:
			return VERB_USAGE;
		}
	}
}

/* What is asked for: the parameters of the statements below, in their order. */
struct list {
	const char *base_url;
	const char *search;
	const char *tag;
	const char *limit;
	size_t sort;
	bool is_json;
};

/* % _ and \ are plain characters of what is searched for, and a newline is found nowhere (see STORE_TEXT_OF). As
 * PostgreSQL sees the parameters when it plans, it uses the indexes for searching and for tags where they are there. */
#define PATTERN \
	"'%' || replace(replace(replace(replace($2, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), E'\\n', E'\\n\\n') || '%'"
#define MATCHES \
	"deleted IS NULL AND ($2 = '' OR " STORE_TEXT_OF("l") " ILIKE " PATTERN ")" \
	" AND ($3 = '' OR (tags @> ARRAY[$3] AND tags <> '{}'))"
#define FOUND(order) "(SELECT * FROM shortenedurls l WHERE " MATCHES " ORDER BY " order " LIMIT $4::bigint) l"
/* The base URL is not in the table, but every statement has the same parameters. */
#define LIST_TABLE(order) \
	"SELECT l.id, " MINUTE("l.created") ", l.visits, " MINUTE("l.lastaccessed") ", " STATE ", l.title, l.srcurl" \
	" FROM " FOUND(order) " WHERE $1::text IS NOT NULL ORDER BY " order
#define LIST_JSON(order) "SELECT row_to_json(j) FROM (SELECT " WHOLE_LINK " FROM " FOUND(order) " ORDER BY " order ") j"
/* Whether there are more than the limit. */
#define MORE "SELECT FROM shortenedurls l WHERE $1::text IS NOT NULL AND " MATCHES " OFFSET $4::bigint LIMIT 1"
#define SORT(name, order) { name, LIST_TABLE(order), LIST_JSON(order) }

static const struct {
	const char *name;
	const char *table;
	const char *json;
} sorts[] = {
	SORT("created", "l.created DESC, l.id DESC"),
	SORT("visits", "l.visits DESC, l.id DESC"),
	SORT("lastAccessed", "l.lastaccessed DESC, l.id DESC"),
};

#define SORTS_COUNT (sizeof sorts / sizeof sorts[0])

static void say_more(struct ctl_database *database, const char *const parameters[4])
{
	struct ctl_rows *rows = ctl_database_query(database, MORE, 4, parameters);

	if (rows != NULL && ctl_rows_count(rows) > 0)
		say_error("There are more; use --limit, or export for all");
	ctl_rows_free(rows);
}

static int list(const struct config *config, const struct list *list)
{
	if (base_url_problem() != NULL) {
		say_error("%s", base_url_missing);
		return EXIT_FAILURE;
	}
	static const char *const names[] = { "ID", "CREATED", "VISITS", "LAST ACCESSED", "STATE", "TITLE", "URL" };
	const char *const parameters[] = { list->base_url, list->search, list->tag, list->limit };
	struct ctl_database *database = ctl_database_open(config);
	struct ctl_rows *rows = database == NULL ? NULL : ctl_database_query(
		database, list->is_json ? sorts[list->sort].json : sorts[list->sort].table, 4, parameters);
	int status = rows != NULL ? EXIT_SUCCESS : EXIT_FAILURE;

	if (rows != NULL && list->is_json)
		write_json(rows);
	else if (rows != NULL)
		table_write(rows, names);
	if (rows != NULL && (long long)ctl_rows_count(rows) == strtoll(list->limit, NULL, 10))
		say_more(database, parameters);
	ctl_rows_free(rows);
	ctl_database_close(database);
	return status;
}

enum { OPTION_SEARCH, OPTION_TAG, OPTION_SORT, OPTION_LIMIT, OPTION_JSON, LIST_OPTIONS_COUNT };

static bool read_sort(const char *value, size_t *sort)
{
	for (*sort = 0; *sort < SORTS_COUNT; (*sort)++)
		if (strcmp(sorts[*sort].name, value) == 0)
			return true;
	return false;
}

/* Returns what is wrong, or NULL. */
static const char *read_list_option(struct list *list, size_t option, const char *value)
{
	long long limit;

	if (utf8_find_invalid(value, strlen(value)) < strlen(value))
		return "Options must be valid UTF-8";
	switch (option) {
	case OPTION_SEARCH:
		list->search = value;
		return utf8_count_characters(value, strlen(value)) <= SEARCH_MAX ? NULL : "--search must not be more than 200 characters";
	case OPTION_TAG:
		list->tag = value;
		return NULL;
	case OPTION_SORT:
		return read_sort(value, &list->sort) ? NULL : "--sort must be created, visits or lastAccessed";
	case OPTION_LIMIT:
		list->limit = value;
		return options_parse_number(value, 1, LIST_LIMIT_MAX, &limit) ? NULL : "--limit must be a whole number from 1 to 100000";
	default:
		list->is_json = true;
		return NULL;
	}
}

static int list_links(const struct config *config, int argc, char *argv[])
{
	static const struct options_spec specs[LIST_OPTIONS_COUNT] = {
		[OPTION_SEARCH] = { "search", true }, [OPTION_TAG] = { "tag", true },	  [OPTION_SORT] = { "sort", true },
		[OPTION_LIMIT] = { "limit", true },   [OPTION_JSON] = { "json", false },
	};
	struct options options = { .verb = LINK_LIST_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	struct list wanted = { .base_url = config->base_url, .search = "", .tag = "", .limit = LIST_LIMIT_DEFAULT };

	for (;;) {
		const char *value = "";
		const char *problem;
		size_t spec;

		switch (options_next(&options, specs, LIST_OPTIONS_COUNT, &spec, &value)) {
		case OPTIONS_OPTION:
			problem = read_list_option(&wanted, spec, value);
			if (problem != NULL)
				return say_usage(options.verb, "%s", problem);
			break;
		case OPTIONS_ARGUMENT:
			return say_usage(options.verb, "'%s' is no option; to search for it: --search", value);
		case OPTIONS_END:
			return list(config, &wanted);
		case OPTIONS_BAD:
			return VERB_USAGE;
		}
	}
}

const struct verb LINK_SHOW_VERB = {
	"link show",
	"ID|URL [--json]",
	"shows all there is about a link",
	"Prints a field a line, or with --json the link as the API writes it, with `deleted` and `owner`, the id of\n"
	"the key that made it. Deleted links are shown, too. A short URL names the id as well.\n"
	"An id that begins with -- goes behind a --.\n\n"
	"Examples:\n"
	"  shortenctl link show sale\n"
	"  shortenctl link show sale --json\n",
	show_link,
};

const struct verb LINK_LIST_VERB = {
	"link list",
	"[OPTION]...",
	"lists links",
	"  --search TEXT  only links with this in their URL, title or id, in any case\n"
	"  --tag TAG      only links with this tag\n"
	"  --sort ORDER   created (default: the newest first), visits (the most first) or lastAccessed (the last first)\n"
	"  --limit N      at most so many, 50 by default, up to 100000\n"
	"  --json         one JSON object a line, instead of a table\n\n"
	"Deleted links are not listed. Times are in UTC. Where there are more, standard error says so; for all links use\n"
	"`shortenctl export`.\n\n"
	"Examples:\n"
	"  shortenctl link list --tag shop --sort visits\n"
	"  shortenctl link list --search example.com --limit 1000 --json\n",
	list_links,
};
