/* Deletes what nobody needs any more. */
#include <stdlib.h>

#include "ctl_database.h"
#include "options.h"
#include "say.h"
#include "verb.h"

#define DAYS_DEFAULT "730"
#define DAYS_MAX 36500

/* Each as a statement of its own, so that what is done stays done. $1 is the number of days. */
static const struct {
	const char *sql;
	const char *one;
	const char *many;
} prunings[] = {
	{ "WITH gone AS (DELETE FROM visits_by_day WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int RETURNING 1)"
	  " SELECT count(*) FROM gone",
	  "count of a day's visits is deleted", "counts of a day's visits are deleted" },
	{ "WITH gone AS (UPDATE shortenedurls SET srcurl = '-', title = NULL, tags = '{}'"
	  " WHERE deleted < now() - make_interval(days => $1::int) AND (srcurl <> '-' OR title IS NOT NULL OR tags <> '{}')"
	  " RETURNING 1) SELECT count(*) FROM gone",
	  "deleted link is emptied", "deleted links are emptied" },
	{ "WITH gone AS (DELETE FROM reusable_links r WHERE $1::int IS NOT NULL AND NOT EXISTS (SELECT FROM shortenedurls l"
	  " WHERE l.id = r.id AND l.deleted IS NULL AND l.enabled AND (l.expires > now()) IS NOT FALSE"
	  " AND (l.visits < l.maxvisits) IS NOT FALSE) RETURNING 1) SELECT count(*) FROM gone",
	  "link that has ended is not reused any more", "links that have ended are not reused any more" },
	{ "WITH gone AS (DELETE FROM visit_writers WHERE $1::int IS NOT NULL AND written < now() - interval '7 days' RETURNING 1)"
	  " SELECT count(*) FROM gone",
	  "process that writes no visits any more is forgotten", "processes that write no visits any more are forgotten" },
};

static bool prune_all(struct ctl_database *database, const char *days)
{
	for (size_t i = 0; i < sizeof prunings / sizeof prunings[0]; i++) {
		struct ctl_rows *rows = ctl_database_query(database, prunings[i].sql, 1, &days);

		if (rows == NULL)
			return false;
		say_count(stdout, ctl_rows_number(rows, 0, 0), prunings[i].one, prunings[i].many);
		fputs(".\n", stdout);
		ctl_rows_free(rows);
	}
	return true;
}

/* False when the command line is wrong; it was said. */
static bool read_days(struct options *options, const char **days)
{
	static const struct options_spec specs[] = { { "days", true } };
	const char *value = "";
	long long number;
	size_t spec;

	for (;;) {
		switch (options_next(options, specs, 1, &spec, &value)) {
		case OPTIONS_OPTION:
			if (options_parse_number(value, 1, DAYS_MAX, &number)) {
				*days = value;
				break;
			}
			say_usage(options->verb, "--days must be a whole number from 1 to %d", DAYS_MAX);
			return false;
		case OPTIONS_ARGUMENT:
			say_usage(options->verb, "'%s' is no option", value);
			return false;
		case OPTIONS_END:
			return true;
		case OPTIONS_BAD:
			return false;
		}
	}
}

static int prune(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = PRUNE_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	const char *days = DAYS_DEFAULT;

	if (!read_days(&options, &days))
		return VERB_USAGE;
	struct ctl_database *database = ctl_database_open(config);
	bool is_done = database != NULL && prune_all(database, days);
	ctl_database_close(database);
	return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct verb PRUNE_VERB = {
	"prune",
	"[--days N]",
	"deletes old counts and what deleted links held",
	"  --days N  how many days are kept, 730 by default, 1 to 36500\n\n"
	"Deletes the counts of visits by day that are older, empties links that were deleted before (their URL, title\n"
	"and tags go; their ids stay taken), and forgets processes that have written no visits for 7 days and links\n"
	"for `reuse` that have ended. Says how many of each. It may run at any time, for example once a night.\n\n"
	"Examples:\n"
	"  shortenctl prune\n"
	"  shortenctl prune --days 90\n",
	prune,
};
