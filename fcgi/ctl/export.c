/* Exports all links as CSV. */
#include <stdlib.h>

#include "ctl_database.h"
#include "options.h"
#include "say.h"
#include "verb.h"

#define TIME(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
#define BOOLEAN(column) "CASE WHEN " column " THEN 'true' ELSE 'false' END"

/* In the order of the primary key, so that two exports of the same links are the same, and that an import appends to
 * the index. Empty texts are written as NULL is, without quotes. */
static const char copy[] =
	"COPY (SELECT id, srcurl AS \"srcUrl\", " TIME("created") " AS created, " TIME("lastaccessed") " AS \"lastAccessed\","
	" visits, title, NULLIF(array_to_string(tags, ','), '') AS tags, " TIME("validfrom") " AS \"validFrom\", "
	TIME("expires") " AS expires, maxvisits AS \"maxVisits\", redirectstatus AS \"redirectStatus\", "
	BOOLEAN("forwardquery") " AS \"forwardQuery\", " BOOLEAN("enabled") " AS enabled, " TIME("deleted") " AS deleted,"
	" NULLIF(owner, '') AS owner FROM shortenedurls ORDER BY id) TO STDOUT (FORMAT csv, HEADER)";

static int export_links(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = EXPORT_VERB.name, .argc = argc, .argv = argv, .index = 1 };

	if (!options_take_arguments(&options, 0, "no argument; the links go to standard output", NULL))
		return VERB_USAGE;
	struct ctl_database *database = ctl_database_open(config);
	bool is_done = database != NULL && ctl_database_copy_out(database, copy, say_write);
	ctl_database_close(database);
	return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}

const struct verb EXPORT_VERB = {
	"export",
	"",
	"writes all links as CSV",
	"Writes a header line and a line for each link, in the order of their ids, to standard output: id, srcUrl,\n"
	"created, lastAccessed, visits, title, tags (with commas between them), validFrom, expires, maxVisits,\n"
	"redirectStatus, forwardQuery, enabled, deleted, owner. Times are in UTC, with microseconds. Deleted links\n"
	"are among them, with the time in `deleted`: without them their ids would be free again after a move.\n"
	"Keys and visits by day are not exported; for a backup of everything use pg_dump.\n\n"
	"Example:\n"
	"  shortenctl export >links.csv\n"
	"  SHORTEN_DATABASE='dbname=other' shortenctl import links.csv\n",
	export_links,
};
