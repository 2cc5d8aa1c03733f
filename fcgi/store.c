/* Named operations on stored links: the SQL, and rows turned into structs. */
#include "store.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "database.h"
#include "id.h"
#include "log.h"

enum statement {
	STATEMENT_FIND_LINK,
	STATEMENT_INSERT_LINK,
	STATEMENT_FIND_SAME_LINK,
	STATEMENT_ADD_VISITS,
	STATEMENT_FORGET_WRITERS,
	STATEMENT_PING,
};

static const struct database_statement statements[] = {
	[STATEMENT_FIND_LINK] = {
		"find_link",
		"SELECT srcurl FROM shortenedurls WHERE id = $1",
		1,
	},
	[STATEMENT_INSERT_LINK] = {
		"insert_link",
		"INSERT INTO shortenedurls (id, srcurl, created, lastaccessed) VALUES ($1, $2, $3, $3)"
		" ON CONFLICT (id) DO NOTHING",
		3,
	},
	[STATEMENT_FIND_SAME_LINK] = {
		"find_same_link",
		"SELECT 1 FROM shortenedurls WHERE id = $1 AND srcurl = $2 AND created = $3",
		3,
	},
	/* The mark makes it safe to repeat: a batch that is in already finds its number taken, and adds
	 * nothing. The rows are locked in the order of their ids, so that two processes cannot wait for
	 * each other. set_config ends with the transaction: visits need not wait for the disk. */
	[STATEMENT_ADD_VISITS] = {
		"add_visits",
		"WITH mark AS ("
		" INSERT INTO visit_writers AS w (writer, batch, written) VALUES ($1, $2::bigint, $3::timestamptz)"
		" ON CONFLICT (writer) DO UPDATE SET batch = EXCLUDED.batch, written = EXCLUDED.written"
		" WHERE w.batch < EXCLUDED.batch RETURNING set_config('synchronous_commit', 'off', true)"
		"), seen AS ("
		" SELECT * FROM unnest($4::text[], $5::bigint[], $6::timestamptz[]) AS s (id, visits, last)"
		"), locked AS ("
		" SELECT l.id FROM shortenedurls l JOIN seen USING (id) ORDER BY l.id FOR NO KEY UPDATE OF l"
		") UPDATE shortenedurls l"
		" SET visits = l.visits + seen.visits, lastaccessed = GREATEST(l.lastaccessed, seen.last)"
		" FROM seen JOIN locked USING (id) CROSS JOIN mark WHERE l.id = seen.id",
		6,
	},
	[STATEMENT_FORGET_WRITERS] = {
		"forget_writers",
		"DELETE FROM visit_writers WHERE written < $1",
		1,
	},
	[STATEMENT_PING] = { "ping", "SELECT 1", 0 },
};

/* "2026-01-31 12:00:00.000000+00" */
#define TIME_SIZE 40

/* One operation under way, with its parameters behind it in the same allocation. */
struct work {
	struct database_operation operation; /* first, so that one is found from the other */
	struct store *store;
	void *context;
	store_link_function *link_done;
	store_done_function *done;
	struct link link;
	char time[TIME_SIZE];
	char number[24];
	char texts[];
};

struct store {
	struct database *database;
};

static struct database_settings settings_of(const struct config *config)
{
	return (struct database_settings){
		.conninfo = config->database,
		.statements = statements,
		.statements_count = sizeof statements / sizeof statements[0],
		.queue_timeout_ms = config->queue_timeout_ms,
		.queue_max = config->queue_max,
		.response_timeout_ms = config->database_timeout_ms,
	};
}

struct store *store_open(struct loop *loop, const struct config *config)
{
	struct database_settings settings = settings_of(config);
	struct store *store = calloc(1, sizeof *store);

	if (store == NULL)
		return NULL;
	store->database = database_open(loop, &settings);
	if (store->database == NULL) {
		free(store);
		return NULL;
	}
	loop_at_turn_end(loop, database_send, store->database);
	return store;
}

void store_close(struct store *store)
{
	if (store == NULL)
		return;
	database_close(store->database);
	free(store);
}

bool store_check(const struct config *config, char *problem, size_t problem_size)
{
	struct database_settings settings = settings_of(config);

	return database_check(&settings, problem, problem_size);
}

static void write_time(int64_t time_us, char text[TIME_SIZE])
{
	time_t seconds = (time_t)(time_us / 1000000);
	struct tm utc;
	char day[24];

	gmtime_r(&seconds, &utc);
	strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S", &utc);
	snprintf(text, TIME_SIZE, "%s.%06d+00", day, (int)(time_us % 1000000));
}

static struct work *open_work(struct store *store, enum statement statement, size_t texts_size, void *context)
{
	struct work *work = malloc(sizeof *work + texts_size);

	if (work == NULL) {
		log_error("out of memory");
		return NULL;
	}
	memset(work, 0, sizeof *work);
	work->store = store;
	work->operation.statement = statement;
	work->context = context;
	return work;
}

static void submit(struct work *work, enum database_lane lane, database_done_function *done)
{
	work->operation.lane = lane;
	work->operation.done = done;
	database_submit(work->store->database, &work->operation);
}

static struct work *work_of(struct database_operation *operation)
{
	return (struct work *)operation;
}

static void end_link(struct work *work, enum result result)
{
	work->link_done(work->context, result, result == RESULT_OK ? &work->link : NULL);
	free(work);
}

static void work_done(struct database_operation *operation, enum result result, const PGresult *rows)
{
	struct work *work = work_of(operation);

	(void)rows;
	work->done(work->context, result);
	free(work);
}

static void start(struct work *work, enum database_lane lane, store_done_function *done)
{
	work->done = done;
	submit(work, lane, work_done);
}

static void link_found(struct database_operation *operation, enum result result, const PGresult *rows)
{
	struct work *work = work_of(operation);

	if (result == RESULT_OK && PQntuples(rows) == 0)
		result = RESULT_NOT_FOUND;
	if (result == RESULT_OK) {
		work->link.srcurl = PQgetvalue(rows, 0, 0);
		work->link.srcurl_size = (size_t)PQgetlength(rows, 0, 0);
	}
	end_link(work, result);
}

void store_find_link(struct store *store, const char *id, store_link_function *done, void *context)
{
	size_t id_size = strlen(id);
	struct work *work = open_work(store, STATEMENT_FIND_LINK, id_size + 1, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	memcpy(work->texts, id, id_size + 1);
	work->link.id = work->texts;
	work->link_done = done;
	work->operation.parameters[0] = work->link.id;
	submit(work, DATABASE_READ, link_found);
}

static void same_link_found(struct database_operation *operation, enum result result, const PGresult *rows)
{
	if (result == RESULT_OK && PQntuples(rows) == 0)
		result = RESULT_TAKEN;
	end_link(work_of(operation), result);
}

/* No row came in: the id is taken, maybe by this very link, when an earlier try was cut off. */
static void link_inserted(struct database_operation *operation, enum result result, const PGresult *rows)
{
	struct work *work = work_of(operation);

	if (result != RESULT_OK || strcmp(PQcmdTuples((PGresult *)rows), "0") != 0) {
		end_link(work, result);
		return;
	}
	work->operation.statement = STATEMENT_FIND_SAME_LINK;
	submit(work, DATABASE_READ, same_link_found);
}

void store_insert_link(struct store *store, const char *id, const char *srcurl, size_t srcurl_size,
		       int64_t created_us, store_link_function *done, void *context)
{
	size_t id_size = strlen(id);
	struct work *work = open_work(store, STATEMENT_INSERT_LINK, id_size + 1 + srcurl_size + 1, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	char *stored_url = work->texts + id_size + 1;
	memcpy(work->texts, id, id_size + 1);
	memcpy(stored_url, srcurl, srcurl_size);
	stored_url[srcurl_size] = '\0';
	write_time(created_us, work->time);
	work->link = (struct link){ .id = work->texts, .srcurl = stored_url, .srcurl_size = srcurl_size };
	work->link_done = done;
	work->operation.parameters[0] = work->link.id;
	work->operation.parameters[1] = work->link.srcurl;
	work->operation.parameters[2] = work->time;
	submit(work, DATABASE_WRITE, link_inserted);
}

/* The sizes of one element of each array, with its separator, and of the end of each. */
#define ID_ELEMENT_SIZE (ID_MAX + 3)
#define COUNT_ELEMENT_SIZE 21
#define TIME_ELEMENT_SIZE (TIME_SIZE + 3)
#define END_SIZE 2

static char *append(char *end, size_t element_size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the new end. Nothing is ever cut: the sizes are those of the longest elements. */
static char *append(char *end, size_t element_size, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int size = vsnprintf(end, element_size + 1, format, arguments);
	va_end(arguments);
	return end + size;
}

/* Array literals (PostgreSQL manual, section 8.15.2). Elements are quoted, as NULL is a possible id. */
static void write_arrays(const struct visit visits[], size_t visits_count, char *ids, char *counts, char *times)
{
	char separator = '{';

	for (size_t i = 0; i < visits_count; i++, separator = ',') {
		char time[TIME_SIZE];

		write_time(visits[i].last_us, time);
		ids = append(ids, ID_ELEMENT_SIZE, "%c\"%s\"", separator, visits[i].id);
		counts = append(counts, COUNT_ELEMENT_SIZE, "%c%" PRId64, separator, visits[i].count);
		times = append(times, TIME_ELEMENT_SIZE, "%c\"%s\"", separator, time);
	}
	memcpy(ids, "}", END_SIZE);
	memcpy(counts, "}", END_SIZE);
	memcpy(times, "}", END_SIZE);
}

void store_add_visits(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		      size_t visits_count, store_done_function *done, void *context)
{
	size_t ids_size = visits_count * ID_ELEMENT_SIZE + END_SIZE;
	size_t counts_size = visits_count * COUNT_ELEMENT_SIZE + END_SIZE;
	size_t times_size = visits_count * TIME_ELEMENT_SIZE + END_SIZE;
	size_t writer_size = strlen(writer) + 1;
	struct work *work = open_work(store, STATEMENT_ADD_VISITS, ids_size + counts_size + times_size + writer_size,
				      context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	char *ids = work->texts;
	char *counts = ids + ids_size;
	char *times = counts + counts_size;
	char *stored_writer = times + times_size;
	write_arrays(visits, visits_count, ids, counts, times);
	memcpy(stored_writer, writer, writer_size);
	snprintf(work->number, sizeof work->number, "%" PRId64, batch);
	write_time(visits[0].last_us, work->time);
	const char *parameters[] = { stored_writer, work->number, work->time, ids, counts, times };
	memcpy(work->operation.parameters, parameters, sizeof parameters);
	start(work, DATABASE_LATE, done);
}

void store_forget_writers(struct store *store, int64_t before_us, store_done_function *done, void *context)
{
	struct work *work = open_work(store, STATEMENT_FORGET_WRITERS, 0, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	write_time(before_us, work->time);
	work->operation.parameters[0] = work->time;
	start(work, DATABASE_LATE, done);
}

void store_ping(struct store *store, store_done_function *done, void *context)
{
	struct work *work = open_work(store, STATEMENT_PING, 0, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	start(work, DATABASE_READ, done);
}
