/* Imports links from CSV. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base_url.h"
#include "csv.h"
#include "ctl_database.h"
#include "import_copy.h"
#include "import_formats.h"
#include "import_link.h"
#include "import_progress.h"
#include "options.h"
#include "say.h"
#include "verb.h"

struct import {
	const char *path;
	const char *name; /* the same for messages */
	const char *format;
	bool is_dry;
	int file;
	struct csv_reader *csv;
	struct import_columns columns;
	struct link_rules rules;
	struct ctl_database *database;
	struct import_link link;
	int64_t now_us;
	long long rows;
	long long staged; /* links that went to the database; a row may have several */
	long long bad;
	struct import_progress progress;
};

static void say_bad(struct import *import, long long line, const char *problem)
{
	import_progress_wipe(&import->progress);
	say_text(stderr, import->name);
	fprintf(stderr, ":%lld: ", line);
	say_text(stderr, say_rule(problem));
	putc('\n', stderr);
	import->bad++;
}

/* Returns what is wrong with the row, or NULL. */
static const char *check_row(struct import *import, const struct csv_record *record, char problem[LINK_RULES_PROBLEM_SIZE])
{
	struct import_text values[IMPORT_FIELDS_COUNT];
	const char *sentence = import_formats_read_row(&import->columns, record, values, problem);

	if (sentence != NULL)
		return sentence;
	return import_link_read(values, import->columns.is_own, &import->rules, &import->link, problem);
}

/* False when the database does not take it. */
static bool import_row(struct import *import, const struct csv_record *record)
{
	char problem[LINK_RULES_PROBLEM_SIZE];
	const char *sentence = check_row(import, record, problem);

	if (sentence != NULL) {
		say_bad(import, record->line, sentence);
		return true;
	}
	for (size_t i = 0; i < import->link.slugs_count; i++) {
		struct import_place place = { .number = import->staged, .line = record->line };

		if (!import_copy_put(import->database, &import->link, i, place, import->now_us))
			return false;
		import->staged++;
	}
	return true;
}

/* A row that the reader itself gives up may have swallowed others. */
static void skip_record(struct import *import, const struct csv_record *record, const char *problem)
{
	char text[LINK_RULES_PROBLEM_SIZE];

	snprintf(text, sizeof text, "%s (lines %lld to %lld are skipped)", problem, record->line, record->last_line);
	say_bad(import, record->line, record->last_line > record->line ? text : problem);
}

/* Reads all rows and sends the good ones. False when that failed; it was said. */
static bool send_rows(struct import *import)
{
	struct csv_record record;
	const char *problem = NULL;

	while (!ctl_database_is_interrupted()) {
		switch (csv_read(import->csv, &record, &problem)) {
		case CSV_RECORD:
			if (!import_row(import, &record))
				return false;
			break;
		case CSV_BAD_RECORD:
			skip_record(import, &record, problem);
			break;
		case CSV_END:
			return true;
		case CSV_UNREADABLE:
			import_progress_wipe(&import->progress);
			if (!ctl_database_is_interrupted())
				say_error("%s cannot be read: %s; nothing was imported", import->name, strerror(errno));
			return false;
		}
		import_progress_count(&import->progress, ++import->rows);
	}
	return false;
}

static void say_refused(void *context, int64_t line, const char *id, bool is_deleted)
{
	char problem[LINK_RULES_PROBLEM_SIZE];

	snprintf(problem, sizeof problem, "The slug '%s' is taken by %s", id, is_deleted ? "a deleted link" : "another link");
	say_bad(context, line, problem);
}

static void show_portion(void *context, const struct import_copy_counts *counts)
{
	struct import *import = context;

	import_progress_show(&import->progress, import->rows, counts->imported);
}

/* What is done, in one line: links that are neither new nor refused were there. */
static void write_summary(const struct import *import, const struct import_copy_counts *counts)
{
	long long old = import->staged - counts->imported - counts->refused;

	say_count(stdout, counts->imported, import->is_dry ? "link would be imported" : "link imported",
		  import->is_dry ? "links would be imported" : "links imported");
	fputs(", ", stdout);
	say_count(stdout, old, import->is_dry ? "is there already" : "was there already",
		  import->is_dry ? "are there already" : "were there already");
	fputs(", ", stdout);
	say_count(stdout, import->bad, "row skipped", "rows skipped");
	fputs(import->is_dry ? " (a dry run: nothing is changed)\n" : "\n", stdout);
}

/* Repeating is harmless: what is in is there already then. Why the database has failed was said. */
static void say_unfinished(const struct import *import, const struct import_copy_counts *counts)
{
	bool is_interrupted = ctl_database_is_interrupted();
	const char *start = is_interrupted ? "Interrupted; " : "";

	if (!is_interrupted && counts->imported == 0)
		return;
	if (import->is_dry)
		say_error("%snothing is changed by a dry run", start);
	else if (counts->imported == 1)
		say_error("%s1 link is in, the same command goes on", start);
	else
		say_error("%s%lld links are in, the same command goes on", start, counts->imported);
}

static bool make_links(struct import *import, struct import_copy_counts *counts)
{
	const struct import_copy_listener listener = { .context = import, .refused = say_refused, .portion = show_portion };

	import_progress_show(&import->progress, import->rows, import->is_dry ? IMPORT_PROGRESS_NOT_MADE : 0);
	bool is_done = import->is_dry ? import_copy_try(import->database, &listener, counts)
				      : import_copy_make(import->database, import->staged, &listener, counts);
	import_progress_wipe(&import->progress);
	if (!is_done)
		say_unfinished(import, counts);
	return is_done;
}

static int import_all(struct import *import)
{
	struct import_copy_counts counts = { 0 };

	if (!import_copy_start(import->database))
		return EXIT_FAILURE;
	bool is_sent = send_rows(import);
	if (!is_sent)
		import_copy_abort(import->database);
	if (!is_sent || !import_copy_end(import->database)) {
		import_progress_wipe(&import->progress);
		if (ctl_database_is_interrupted())
			say_error("Interrupted; nothing was imported");
		return EXIT_FAILURE;
	}
	if (!make_links(import, &counts))
		return EXIT_FAILURE;
	write_summary(import, &counts);
	return import->bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Also for logs: what was left out is seen before it is missed. */
static void say_columns(const struct import *import, const struct csv_record *header)
{
	const char *before = "; not used: ";

	fputs("Reading ", stderr);
	say_text(stderr, import->name);
	fprintf(stderr, " as %s", import_formats_title(&import->columns));
	for (size_t i = 0; i < header->fields_count; i++) {
		if (import_formats_uses(&import->columns, i + 1))
			continue;
		fputs(before, stderr);
		say_text(stderr, header->fields[i].text);
		before = ", ";
	}
	putc('\n', stderr);
}

/* False when the file is none that can be imported; it was said. */
static bool read_header(struct import *import)
{
	struct csv_record header;
	const char *problem = NULL;

	switch (csv_read(import->csv, &header, &problem)) {
	case CSV_RECORD:
		problem = import_formats_read_header(import->format, &header, &import->columns);
		break;
	case CSV_BAD_RECORD:
		break;
	case CSV_END:
		problem = "The file is empty; it must begin with a header line";
		break;
	case CSV_UNREADABLE:
		say_error("%s cannot be read: %s", import->name, strerror(errno));
		return false;
	}
	if (problem != NULL)
		say_error("%s:1: %s; see: shortenctl import --help", import->name, problem);
	else
		say_columns(import, &header);
	return problem == NULL;
}

static int run(struct import *import, const struct config *config)
{
	if (base_url_problem() != NULL) {
		say_error("%s", base_url_missing);
		return EXIT_FAILURE;
	}
	if (!link_rules_load(&import->rules, config->base_url, URL_CHARACTERS_MAX)) {
		say_error("SHORTEN_BASE_URL is no URL");
		return EXIT_FAILURE;
	}
	if (!read_header(import))
		return EXIT_FAILURE;
	import->database = ctl_database_open(config);
	if (import->database == NULL)
		return EXIT_FAILURE;
	ctl_database_catch_signals(import->database);
	import->now_us = (int64_t)time(NULL) * 1000000;
	import_progress_start(&import->progress);
	int status = import_all(import);
	ctl_database_close(import->database);
	return status;
}

static ssize_t read_file(void *context, char *bytes, size_t size)
{
	const struct import *import = context;

	return read(import->file, bytes, size);
}

static bool open_file(struct import *import)
{
	bool is_standard_input = strcmp(import->path, "-") == 0;

	import->name = is_standard_input ? "standard input" : import->path;
	import->file = is_standard_input ? STDIN_FILENO : open(import->path, O_RDONLY | O_CLOEXEC);
	if (import->file < 0) {
		say_error("%s cannot be read: %s", import->name, strerror(errno));
		return false;
	}
	import->csv = csv_open(read_file, import);
	if (import->csv == NULL)
		say_error("There is no memory left");
	return import->csv != NULL;
}

enum { OPTION_FORMAT, OPTION_DRY_RUN, IMPORT_OPTIONS_COUNT };

static bool read_option(struct import *import, size_t option, const char *value)
{
	if (option == OPTION_DRY_RUN) {
		import->is_dry = true;
		return true;
	}
	import->format = value;
	return import_formats_is_known(value);
}

/* False when the command line is wrong; it was said. */
static bool read_options(struct import *import, struct options *options)
{
	static const struct options_spec specs[IMPORT_OPTIONS_COUNT] = {
		[OPTION_FORMAT] = { "format", true },
		[OPTION_DRY_RUN] = { "dry-run", false },
	};
	const char *value = "";
	size_t spec;

	for (;;) {
		switch (options_next(options, specs, IMPORT_OPTIONS_COUNT, &spec, &value)) {
		case OPTIONS_OPTION:
			if (read_option(import, spec, value))
				break;
			say_usage(options->verb, "--format must be " IMPORT_FORMATS_HELP);
			return false;
		case OPTIONS_ARGUMENT:
			if (import->path != NULL) {
				say_usage(options->verb, "There is more than one file");
				return false;
			}
			import->path = value;
			break;
		case OPTIONS_END:
			if (import->path == NULL)
				say_usage(options->verb, "Wanted: a file, or - for standard input");
			return import->path != NULL;
		case OPTIONS_BAD:
			return false;
		}
	}
}

static int import_links(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = IMPORT_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	struct import import = { .format = "auto" };

	if (!read_options(&import, &options))
		return VERB_USAGE;
	int status = open_file(&import) ? run(&import, config) : EXIT_FAILURE;
	csv_close(import.csv);
	if (import.file > STDIN_FILENO)
		close(import.file);
	return status;
}

const struct verb IMPORT_VERB = {
	"import",
	"FILE|- [OPTION]...",
	"imports links from the CSV of shortenctl, Shlink, YOURLS, Kutt or Bitly",
	"  --format FORMAT  " IMPORT_FORMATS_HELP "; auto, the default, tells them apart\n"
	"                   by the header line\n"
	"  --dry-run        changes nothing, and says what would be done\n\n"
	"Slugs, URLs, titles, dates and counts of visits are kept. Columns may stand in any order; of their names only\n"
	"letters and digits count, in any case. Separators are commas, semicolons or tabs. These columns are used, those\n"
	"before the dash are needed:\n"
	"  shorten  id, srcUrl - and all others that `shortenctl export` writes\n"
	"  shlink   shortCode or shortUrl, longUrl - createdAt, title, tags, visits, validSince, validUntil, maxVisits,\n"
	"           forwardQuery\n"
	"  yourls   keyword, url - title, timestamp, clicks; or source, target - hits\n"
	"  kutt     address or link, target - description, created_at, expire_in, visit_count, banned, password,\n"
	"           isProtected\n"
	"  bitly    bitlink or link, long_url or Destination URL - custom link(s), title, created, date created, tags,\n"
	"           clicks, engagements; a link with custom links comes in under each of its names\n\n"
	"A date without an offset is in UTC. Titles from others lose line breaks and what is behind 500 characters.\n"
	"The rules for new links hold, but a URL may have 2048 characters, whatever SHORTEN_MAX_URL says; from our own\n"
	"export every URL comes back. Rows that break them are skipped, and named with the line on which they start; so\n"
	"are rows whose slug belongs to another link here, for nothing is ever overwritten, and links of Kutt with a\n"
	"password. The exit status is 0 when no row was skipped. Standard error says which columns are not used.\n\n"
	"First the whole file is read and checked, then the links are made, 2000 rows at a time in the order of the file,\n"
	"so that nobody waits for long. What is in when it is interrupted stays in: the same command goes on, as importing\n"
	"a file again changes nothing.\n\n"
	"Where there is an index for searching, a large import is several times as slow; it is quicker to drop the index\n"
	"shortenedurls_text before, and to let `shortenctl migrate` make it again.\n\n"
	"Examples:\n"
	"  shortenctl import links.csv\n"
	"  shortenctl import short_urls.csv --dry-run\n"
	"  mysql ... | shortenctl import - --format yourls\n",
	import_links,
};
