/* Lists of stored links: cursors, and pages as JSON. */
#include "store_manage.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "store_work.h"
#include "text_stream.h"

/* PostgreSQL's 'infinity': behind all times there are. */
#define TIME_INFINITY INT64_MAX

/* A place in a list: behind the link with these. As text: a letter for the order, and VISITS.TIME.ID, of which the
 * first is 0 but in the order of visits, and the second 0 for links that are ordered by their visits alone. */
struct cursor {
	int64_t visits;
	int64_t time_us;
	const char *id;
};

static const char letters[STORE_SORTS] = {
	[STORE_SORT_CREATED] = 'c',
	[STORE_SORT_VISITS] = 'v',
	[STORE_SORT_LAST_ACCESSED] = 'a',
};

/* The columns of a page. */
enum column {
	COLUMN_VISITS,
	COLUMN_TIME,
	COLUMN_ID,
	COLUMN_JSON,
};

/* Digits only, up to the dot that has to follow. */
static bool parse_number(const char **at, int64_t *value)
{
	size_t digits = strspn(*at, "0123456789");

	if (digits == 0 || digits > 18 || (*at)[digits] != '.')
		return false;
	*value = strtoll(*at, NULL, 10);
	*at += digits + 1;
	return true;
}

static bool parse_cursor(enum store_sort sort, const char *text, struct cursor *cursor)
{
	const char *at = text + 1;

	if (*text != letters[sort] || !parse_number(&at, &cursor->visits) || !parse_number(&at, &cursor->time_us))
		return false;
	if (!id_is_valid(at, strlen(at)))
		return false;
	cursor->id = at;
	bool is_by_visits = sort == STORE_SORT_VISITS && cursor->visits > 0;
	return is_by_visits ? cursor->time_us == 0 : cursor->visits == 0;
}

bool store_is_cursor(enum store_sort sort, const char *text)
{
	struct cursor cursor;

	return parse_cursor(sort, text, &cursor);
}

static struct cursor first_cursor(void)
{
	return (struct cursor){ .visits = INT64_MAX, .time_us = TIME_INFINITY, .id = "" };
}

/* Behind the links of so many visits come all that have none. */
static struct database_value encode_time(const struct cursor *cursor, char bytes[DATABASE_NUMBER_SIZE])
{
	if (cursor->time_us == TIME_INFINITY || cursor->visits > 0)
		return database_value_encode_number(TIME_INFINITY, bytes);
	return database_value_encode_time(cursor->time_us, bytes);
}

/* A pattern of ILIKE that finds the text wherever it stands; owned by the caller. A newline would find where one part of
 * a link ends and the next begins; two in a row are nowhere. */
static char *write_pattern(const char *text)
{
	char *pattern = malloc(2 * strlen(text) + 3);
	char *end = pattern;

	if (pattern == NULL)
		return NULL;
	*end++ = '%';
	for (; *text != '\0'; text++) {
		if (*text == '%' || *text == '_' || *text == '\\')
			*end++ = '\\';
		else if (*text == '\n')
			*end++ = '\n';
		*end++ = *text;
	}
	*end++ = '%';
	*end = '\0';
	return pattern;
}

static void write_value(FILE *file, const PGresult *rows, int row, enum column column)
{
	fwrite(PQgetvalue(rows, row, (int)column), 1, (size_t)PQgetlength(rows, row, (int)column), file);
}

static void write_cursor(FILE *file, enum store_sort sort, const PGresult *rows, int row)
{
	fprintf(file, "\"%c%s.%s.%s\"", letters[sort], PQgetvalue(rows, row, COLUMN_VISITS),
		PQgetisnull(rows, row, COLUMN_TIME) ? "0" : PQgetvalue(rows, row, COLUMN_TIME),
		PQgetvalue(rows, row, COLUMN_ID));
}

/* The next page begins behind the last row without a link, which says how far was looked, or behind the last link
 * where there is a row more than the page has. */
static void write_page(FILE *file, enum store_sort sort, const PGresult *rows, int page_max)
{
	int count = PQntuples(rows);
	bool is_cut = count > 0 && PQgetisnull(rows, count - 1, COLUMN_JSON);
	int links_count = is_cut ? count - 1 : count;

	if (links_count > page_max)
		links_count = page_max;
	fputs("{\"links\":[", file);
	for (int row = 0; row < links_count; row++) {
		if (row > 0)
			fputc(',', file);
		write_value(file, rows, row, COLUMN_JSON);
	}
	fputs("],\"next\":", file);
	if (is_cut)
		write_cursor(file, sort, rows, count - 1);
	else if (count > page_max)
		write_cursor(file, sort, rows, page_max - 1);
	else
		fputs("null", file);
	fputc('}', file);
}

static enum store_sort sort_of(const struct store_work *work)
{
	return (enum store_sort)((work->operation.statement - STORE_LIST) / STORE_FILTERS);
}

static void page_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);
	struct text_stream stream = { 0 };

	(void)row;
	if (result == RESULT_OK) {
		FILE *file = text_stream_open(&stream);

		if (file != NULL)
			write_page(file, sort_of(work), rows, (int)work->page_max);
		if (!text_stream_close(&stream))
			result = RESULT_UNAVAILABLE;
	}
	work->done.text(work->context, result, stream.text, stream.text_size);
	free(stream.text);
	free(work);
}

static struct store_work *open_list(struct store *store, const struct store_list *list, const struct cursor *cursor,
				    const char *pattern, void *context)
{
	char numbers[3][DATABASE_NUMBER_SIZE];
	struct database_value values[DATABASE_PARAMETERS_MAX];
	size_t count = 0;
	int filters = (pattern != NULL ? STORE_FILTER_SEARCH : 0) + (list->tag != NULL ? STORE_FILTER_TAG : 0);

	values[count++] = store->base_url;
	values[count++] = database_value_encode_number(list->page_max + 1, numbers[0]);
	values[count++] = encode_time(cursor, numbers[1]);
	values[count++] = store_work_text(cursor->id);
	if (list->sort == STORE_SORT_VISITS)
		values[count++] = database_value_encode_number(cursor->visits, numbers[2]);
	if (pattern != NULL)
		values[count++] = store_work_text(pattern);
	if (list->tag != NULL)
		values[count++] = store_work_text(list->tag);
	return store_work_open(store, STORE_LIST + (int)list->sort * STORE_FILTERS + filters, values, count, context);
}

void store_list_links(struct store *store, const struct store_list *list, store_text_function *done, void *context)
{
	struct cursor cursor = first_cursor();
	char *pattern = list->search != NULL ? write_pattern(list->search) : NULL;
	struct store_work *work = NULL;
	bool is_good = list->after == NULL || parse_cursor(list->sort, list->after, &cursor);

	if (is_good && (pattern != NULL || list->search == NULL))
		work = open_list(store, list, &cursor, pattern, context);
	free(pattern);
	if (work == NULL) {
		done(context, is_good ? RESULT_UNAVAILABLE : RESULT_FAILED, NULL, 0);
		return;
	}
	work->page_max = (size_t)list->page_max;
	work->done.text = done;
	store_work_submit(work, DATABASE_READ, page_found);
}
