/* Says what state the service's database is in. */
#include <stdlib.h>
#include <string.h>

#include "ctl_database.h"
#include "options.h"
#include "say.h"
#include "verb.h"

#define DESCRIPTION_SIZE 1000

/* A name and a value a row. The service ends a link by the same conditions. */
#define HAS_ENDED "(NOT enabled OR (expires <= now()) IS TRUE OR (visits >= maxvisits) IS TRUE)"
#define FACTS \
	"WITH links AS (SELECT count(*) FILTER (WHERE deleted IS NULL AND NOT " HAS_ENDED ") AS live," \
	" count(*) FILTER (WHERE deleted IS NULL AND " HAS_ENDED ") AS ended," \
	" count(*) FILTER (WHERE deleted IS NOT NULL) AS deleted FROM shortenedurls)," \
	" today AS (SELECT COALESCE(sum(visits), 0) AS visits, COALESCE(sum(robots), 0) AS robots FROM visits_by_day" \
	" WHERE day = (now() AT TIME ZONE 'UTC')::date)," \
	" keys AS (SELECT count(*) FILTER (WHERE revoked IS NULL) AS valid, count(revoked) AS revoked FROM api_keys)," \
	" sizes AS (SELECT pg_size_pretty(sum(pg_total_relation_size(c.oid))) AS size FROM pg_class c" \
	" WHERE c.oid IN ('shortenedurls'::regclass, 'link_activity'::regclass, 'visits_by_day'::regclass," \
	" 'reusable_links'::regclass, 'api_keys'::regclass, 'visit_writers'::regclass))," \
	" search AS (SELECT EXISTS (SELECT FROM pg_index x JOIN pg_opclass o ON o.oid = ANY (x.indclass)" \
	" WHERE x.indrelid = 'shortenedurls'::regclass AND x.indisvalid AND o.opcname = 'gin_trgm_ops') AS is_there)" \
	" SELECT f.* FROM links, today, keys, sizes, search, LATERAL (VALUES" \
	" ('schema', (SELECT 'version ' || version || ' (' || name || ')' FROM schema_version ORDER BY version DESC LIMIT 1))," \
	" ('links', live || ' live, ' || ended || ' ended, ' || links.deleted || ' deleted')," \
	" ('visits today', today.visits || ', and ' || robots || ' of robots')," \
	" ('keys', valid || ' valid, ' || revoked || ' revoked')," \
	" ('size of tables', size)," \
	" ('search index', CASE WHEN is_there THEN 'there' ELSE 'none; searching reads the whole table' END)) f (name, value)"

static void write_fact(const char *name, const char *value)
{
	printf("%-15s ", name);
	say_text(stdout, value != NULL ? value : "none");
	putchar('\n');
}

static bool write_facts(struct ctl_database *database)
{
	char description[DESCRIPTION_SIZE];
	struct ctl_rows *rows;

	ctl_database_describe(database, description, sizeof description);
	write_fact("database", description);
	rows = ctl_database_query(database, FACTS, 0, NULL);
	if (rows == NULL)
		return false;
	for (size_t row = 0; row < ctl_rows_count(rows); row++)
		write_fact(ctl_rows_text(rows, row, 0), ctl_rows_text(rows, row, 1));
	ctl_rows_free(rows);
	return true;
}

static int show_status(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = STATUS_VERB.name, .argc = argc, .argv = argv, .index = 1 };

	if (!options_take_arguments(&options, 0, "no argument", NULL))
		return VERB_USAGE;
	write_fact("version", SHORTEN_VERSION);
	write_fact("base URL", config->base_url);
	struct ctl_database *database = ctl_database_open(config);
	bool is_good = database != NULL && write_facts(database);
	ctl_database_close(database);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct verb STATUS_VERB = {
	"status",
	"",
	"tells whether the database can be used, and what is in it",
	"Prints a line for each: version, base URL, database, schema, links (live, ended, deleted), visits today (UTC),\n"
	"keys, size of the tables with their indexes, and whether there is an index for searching (of pg_trgm).\n"
	"The exit status is 1 when the database cannot be used. It counts every link, which takes a moment.\n\n"
	"Example:\n"
	"  shortenctl status\n",
	show_status,
};
