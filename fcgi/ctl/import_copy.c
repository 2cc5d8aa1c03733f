/* Sends links to PostgreSQL by COPY, and makes them there. */
#include "import_copy.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS_COUNT 17

/* Few enough for a portion to be made in some hundredths of a second. */
#define PORTION 2000

/* The microseconds from 1970 to 2000, where PostgreSQL's times begin. */
#define EPOCH_US INT64_C(946684800000000)

#define TEXT_OID 25

/* Every field of a row at its longest, with its size in front: URL, title, tags, and little else. */
#define ROW_SIZE (URL_SIZE_MAX + (size_t)LINK_TITLE_MAX * 4 + (size_t)LINK_TAGS_MAX * (LINK_TAG_MAX * 4 + 4) + 1024)

/* The format is described in the manual of PostgreSQL, COPY, "Binary Format". */
struct row {
	unsigned char bytes[ROW_SIZE];
	size_t size;
};

static void put_bytes(struct row *row, const void *bytes, size_t size)
{
	if (size > ROW_SIZE - row->size)
		size = 0; /* The rules leave no such field; PostgreSQL would refuse the row. */
	memcpy(row->bytes + row->size, bytes, size);
	row->size += size;
}

/* Most significant byte first. */
static void put_integer(struct row *row, uint64_t number, size_t size)
{
	unsigned char bytes[sizeof number];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(number >> 8 * (size - 1 - i));
	put_bytes(row, bytes, size);
}

static void put_size(struct row *row, size_t size)
{
	put_integer(row, size, 4);
}

static void put_null(struct row *row)
{
	put_integer(row, UINT32_MAX, 4);
}

static void put_number(struct row *row, int64_t number, size_t size)
{
	put_size(row, size);
	put_integer(row, (uint64_t)number, size);
}

static void put_text(struct row *row, struct import_text text)
{
	put_size(row, text.size);
	put_bytes(row, text.start, text.size);
}

static void put_time(struct row *row, int64_t time_us)
{
	if (time_us == LINK_NO_TIME)
		put_null(row);
	else
		put_number(row, time_us - EPOCH_US, 8);
}

/* An array has dimensions, whether there are NULLs, and the type of its elements; then size and lower bound of each
 * dimension, then the elements. One without elements has no dimensions. */
static void put_tags(struct row *row, const struct import_link *link)
{
	size_t size = link->tags_count > 0 ? 20 : 12;

	for (size_t i = 0; i < link->tags_count; i++)
		size += 4 + link->tags[i].size;
	put_size(row, size);
	put_integer(row, link->tags_count > 0, 4);
	put_integer(row, 0, 4);
	put_integer(row, TEXT_OID, 4);
	if (link->tags_count == 0)
		return;
	put_integer(row, link->tags_count, 4);
	put_integer(row, 1, 4);
	for (size_t i = 0; i < link->tags_count; i++)
		put_text(row, link->tags[i]);
}

static void put_title(struct row *row, const struct import_link *link)
{
	if (link->title.start == NULL)
		put_null(row);
	else
		put_text(row, link->title);
}

/* In the order of the columns below. */
static void put_link(struct row *row, const struct import_link *link, size_t slug, struct import_place place, int64_t now_us)
{
	int64_t created_us = link->created_us != LINK_NO_TIME ? link->created_us : now_us;
	bool is_first = slug == 0;

	put_number(row, place.number, 8);
	put_number(row, place.line, 8);
	put_text(row, link->slugs[slug]);
	put_text(row, link->srcurl);
	put_time(row, created_us);
	put_time(row, is_first && link->last_accessed_us != LINK_NO_TIME ? link->last_accessed_us : created_us);
	put_number(row, is_first ? link->visits : 0, 8);
	put_title(row, link);
	put_tags(row, link);
	put_time(row, link->valid_from_us);
	put_time(row, link->expires_us);
	if (link->max_visits > 0)
		put_number(row, link->max_visits, 8);
	else
		put_null(row);
	if (link->redirect_status > 0)
		put_number(row, link->redirect_status, 2);
	else
		put_null(row);
	put_number(row, link->forwards_query, 1);
	put_number(row, link->is_enabled, 1);
	put_time(row, link->deleted_us);
	put_text(row, link->owner.start != NULL ? link->owner : (struct import_text){ "", 0 });
}

bool import_copy_start(struct ctl_database *database)
{
	static const char header[19] = "PGCOPY\n\377\r\n";

	return ctl_database_run(database, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED", NULL) &&
	       ctl_database_run(database,
				"CREATE TEMPORARY TABLE import_links (number bigint, line bigint, id text COLLATE \"C\", srcurl text,"
				" created timestamptz, lastaccessed timestamptz, visits bigint, title text, tags text[],"
				" validfrom timestamptz, expires timestamptz, maxvisits bigint, redirectstatus smallint,"
				" forwardquery boolean, enabled boolean, deleted timestamptz, owner text) ON COMMIT PRESERVE ROWS",
				NULL) &&
	       ctl_database_start_copy_in(database, "COPY import_links FROM STDIN (FORMAT binary)") &&
	       ctl_database_put_copy(database, header, sizeof header);
}

bool import_copy_put(struct ctl_database *database, const struct import_link *link, size_t slug,
		     struct import_place place, int64_t now_us)
{
	struct row row;

	row.size = 0;
	put_integer(&row, COLUMNS_COUNT, 2);
	put_link(&row, link, slug, place, now_us);
	return ctl_database_put_copy(database, row.bytes, row.size);
}

bool import_copy_end(struct ctl_database *database)
{
	static const char trailer[] = { '\377', '\377' };

	return ctl_database_put_copy(database, trailer, sizeof trailer) && ctl_database_end_copy_in(database);
}

/* The temporary table ends with the connection. */
void import_copy_abort(struct ctl_database *database)
{
	ctl_database_abort_copy_in(database);
}

#define LINK_COLUMNS \
	"id, srcurl, created, lastaccessed, visits, title, tags, validfrom, expires, maxvisits, redirectstatus, forwardquery," \
	" enabled, deleted, owner"

/* In the order of the file: of two rows with one id the first comes in. The parameters are the portion's first number
 * and the one behind its last. */
#define IS_IN_PORTION "i.number >= $1::bigint AND i.number < $2::bigint"
#define MAKE_LINKS \
	"WITH made AS (INSERT INTO shortenedurls (" LINK_COLUMNS ") SELECT " LINK_COLUMNS " FROM import_links i" \
	" WHERE " IS_IN_PORTION " ORDER BY number ON CONFLICT (id) DO NOTHING RETURNING id, visits, lastaccessed, deleted)," \
	" activity AS (INSERT INTO link_activity (id, visits, lastaccessed) SELECT id, visits, lastaccessed FROM made" \
	" WHERE visits > 0 AND deleted IS NULL ON CONFLICT (id) DO NOTHING)" \
	" SELECT count(*) FROM made"
#define COUNT_NEW_LINKS \
	"SELECT count(DISTINCT id) FROM import_links i WHERE NOT EXISTS (SELECT FROM shortenedurls l WHERE l.id = i.id)"

/* Rows whose id belongs to another link `l`. A deleted link may have been emptied, here or there. */
#define REFUSED(links, condition) \
	"SELECT i.line, i.id, l.deleted IS NOT NULL FROM import_links i JOIN " links " l ON l.id = i.id WHERE " condition \
	" AND i.srcurl <> l.srcurl AND (i.deleted IS NULL OR l.deleted IS NULL) ORDER BY i.number"
/* By the index, a row at a time: to read the whole table for each portion would take long. */
#define LOOKED_UP "LATERAL (SELECT id, srcurl, deleted FROM shortenedurls o WHERE o.id = i.id OFFSET 0)"
/* The links as they would be after the import. */
#define WOULD_BE \
	"(SELECT id, srcurl, deleted FROM shortenedurls UNION ALL SELECT id, srcurl, deleted FROM (SELECT DISTINCT ON (id) *" \
	" FROM import_links ORDER BY id, number) f WHERE NOT EXISTS (SELECT FROM shortenedurls o WHERE o.id = f.id))"

struct refusals {
	const struct import_copy_listener *listener;
	long long count;
};

static void take_refused(void *context, const struct ctl_rows *rows)
{
	struct refusals *refusals = context;

	for (size_t row = 0; row < ctl_rows_count(rows); row++) {
		refusals->count++;
		refusals->listener->refused(refusals->listener->context, ctl_rows_number(rows, row, 0),
					    ctl_rows_text(rows, row, 1), ctl_rows_is_true(rows, row, 2));
	}
}

/* What is refused is read in the same transaction, where nobody can have changed what was just made, but told behind
 * it: whoever listens may be slow. */
static bool make_portion(struct ctl_database *database, const char *const bounds[2], struct refusals *refusals,
			 long long *imported)
{
	struct ctl_rows *made = NULL;
	struct ctl_rows *refused = NULL;
	bool is_done = ctl_database_run(database, "BEGIN", NULL) &&
		       (made = ctl_database_query(database, MAKE_LINKS, 2, bounds)) != NULL &&
		       (refused = ctl_database_query(database, REFUSED(LOOKED_UP, IS_IN_PORTION), 2, bounds)) != NULL &&
		       ctl_database_run(database, "COMMIT", NULL);

	if (is_done) {
		*imported += ctl_rows_number(made, 0, 0);
		take_refused(refusals, refused);
	}
	ctl_rows_free(made);
	ctl_rows_free(refused);
	return is_done;
}

bool import_copy_make(struct ctl_database *database, long long total, const struct import_copy_listener *listener,
		      struct import_copy_counts *counts)
{
	struct refusals refusals = { .listener = listener };
	bool is_done = ctl_database_run(database, "CREATE INDEX import_links_number ON import_links (number)", NULL) &&
		       ctl_database_run(database, "ANALYZE import_links", NULL);

	for (long long start = 0; is_done && start < total; start += PORTION) {
		char bounds[2][24];

		snprintf(bounds[0], sizeof bounds[0], "%lld", start);
		snprintf(bounds[1], sizeof bounds[1], "%lld", start + PORTION);
		is_done = !ctl_database_is_interrupted() &&
			  make_portion(database, (const char *const[]){ bounds[0], bounds[1] }, &refusals, &counts->imported);
		counts->refused = refusals.count;
		if (is_done)
			listener->portion(listener->context, counts);
	}
	return is_done;
}

bool import_copy_try(struct ctl_database *database, const struct import_copy_listener *listener,
		     struct import_copy_counts *counts)
{
	struct refusals refusals = { .listener = listener };
	struct ctl_rows *rows = NULL;
	bool is_done = ctl_database_run(database, "ANALYZE import_links", NULL) &&
		       (rows = ctl_database_query(database, COUNT_NEW_LINKS, 0, NULL)) != NULL &&
		       ctl_database_each_row(database, REFUSED(WOULD_BE, "true"), take_refused, &refusals);

	if (rows != NULL)
		counts->imported = ctl_rows_number(rows, 0, 0);
	counts->refused = refusals.count;
	ctl_rows_free(rows);
	return is_done;
}
