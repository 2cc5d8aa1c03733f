/* Named operations on stored links: parameters of statements, and rows turned into structs. */
#include "store.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "database_array.h"
#include "store_work.h"

/* The numbers in the third column of STORE_FIND_LINK, in this order. */
enum option {
	OPTION_STATE, /* enum link_state */
	OPTION_REDIRECT_STATUS,
	OPTION_FORWARDS_QUERY,
	OPTION_IS_LIMITED,
	OPTION_SECONDS_LEFT,
	OPTIONS_COUNT,
};

enum visit_array {
	VISIT_IDS,
	VISIT_COUNTS,
	VISIT_ROBOTS,
	VISIT_TIMES,
	VISIT_ARRAYS,
};

static struct database_settings settings_of(const struct config *config)
{
	return (struct database_settings){
		.conninfo = config->database,
		.statements = STORE_STATEMENT_TABLE,
		.statements_count = STORE_STATEMENTS,
		.setup = STORE_SETUP,
		.check = STORE_CHECK,
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
	store->loop = loop;
	store->base_url = store_work_text(config->base_url);
	loop_at_turn_end(loop, database_send, store->database);
	return store;
}

void store_close(struct store *store)
{
	if (store == NULL)
		return;
	loop_at_turn_end(store->loop, NULL, NULL);
	database_close(store->database);
	free(store);
}

bool store_is_connected(const struct store *store)
{
	return database_is_connected(store->database);
}

bool store_check(const struct config *config, char *problem, size_t problem_size)
{
	struct database_settings settings = settings_of(config);

	return database_check(&settings, problem, problem_size);
}

int64_t store_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void end_link(struct store_work *work, enum result result)
{
	work->done.link(work->context, result, result == RESULT_OK ? &work->link : NULL);
	free(work);
}

static void work_done(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	(void)rows;
	(void)row;
	work->done.done(work->context, result);
	free(work);
}

static void start(struct store_work *work, enum database_lane lane, store_done_function *done)
{
	work->done.done = done;
	store_work_submit(work, lane, work_done);
}

static void read_options(struct link *link, const char *text)
{
	long long options[OPTIONS_COUNT];

	for (size_t i = 0; i < OPTIONS_COUNT; i++) {
		char *end;

		options[i] = strtoll(text, &end, 10);
		text = end;
	}
	link->state = (enum link_state)options[OPTION_STATE];
	link->redirect_status = (int)options[OPTION_REDIRECT_STATUS];
	link->forwards_query = options[OPTION_FORWARDS_QUERY] != 0;
	link->is_limited = options[OPTION_IS_LIMITED] != 0;
	link->seconds_left = options[OPTION_SECONDS_LEFT];
}

static void read_link(struct link *link, const PGresult *rows, int row)
{
	link->srcurl = PQgetvalue(rows, row, 1);
	link->srcurl_size = (size_t)PQgetlength(rows, row, 1);
	link->seconds_left = -1;
	if (!PQgetisnull(rows, row, 2))
		read_options(link, PQgetvalue(rows, row, 2));
}

static void link_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	if (result == RESULT_OK && row < 0)
		result = RESULT_NOT_FOUND;
	if (result == RESULT_OK)
		read_link(&work->link, rows, row);
	end_link(work, result);
}

void store_find_link(struct store *store, const char *id, store_link_function *done, void *context)
{
	const struct database_value values[] = { store_work_text(id) };
	struct store_work *work = store_work_open(store, STORE_FIND_LINK, values, 1, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	work->link.id = work->operation.parameters[0].bytes;
	work->done.link = done;
	store_work_submit(work, DATABASE_READ, link_found);
}

static void same_link_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)rows;
	if (result == RESULT_OK && row < 0)
		result = RESULT_TAKEN;
	end_link(store_work_of(operation), result);
}

/* The id may be taken by this very link, when an earlier try was cut off. */
static void link_inserted(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	(void)rows;
	(void)row;
	if (result != RESULT_TAKEN) {
		end_link(work, result);
		return;
	}
	work->operation.statement = STORE_FIND_SAME_LINK;
	store_work_submit(work, DATABASE_READ, same_link_found);
}

void store_insert_link(struct store *store, const char *id, const char *srcurl, size_t srcurl_size,
		       int64_t created_us, const char *owner, store_link_function *done, void *context)
{
	char time[DATABASE_NUMBER_SIZE];
	const struct database_value values[] = {
		store_work_text(id),
		{ srcurl, srcurl_size },
		database_value_encode_time(created_us, time),
		store_work_text(owner),
	};
	struct store_work *work = store_work_open(store, STORE_INSERT_LINK, values, 4, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	work->link.id = work->operation.parameters[0].bytes;
	work->link.srcurl = work->operation.parameters[1].bytes;
	work->link.srcurl_size = srcurl_size;
	work->done.link = done;
	store_work_submit(work, DATABASE_WRITE, link_inserted);
}

static void add_visit(struct database_array arrays[VISIT_ARRAYS], const struct visit *visit)
{
	char number[DATABASE_NUMBER_SIZE];

	database_array_add(&arrays[VISIT_IDS], (struct database_value){ visit->id, strlen(visit->id) });
	database_array_add(&arrays[VISIT_COUNTS], database_value_encode_number(visit->count, number));
	database_array_add(&arrays[VISIT_ROBOTS], database_value_encode_number(visit->robots_count, number));
	database_array_add(&arrays[VISIT_TIMES], database_value_encode_time(visit->last_us, number));
}

/* Makes the arrays values; false when memory was short. */
static bool write_visits(struct database_array arrays[VISIT_ARRAYS], const struct visit visits[], size_t visits_count,
			 struct database_value values[VISIT_ARRAYS])
{
	static const enum database_type types[VISIT_ARRAYS] = {
		[VISIT_IDS] = DATABASE_TEXT,
		[VISIT_COUNTS] = DATABASE_BIGINT,
		[VISIT_ROBOTS] = DATABASE_BIGINT,
		[VISIT_TIMES] = DATABASE_TIMESTAMPTZ,
	};
	bool is_whole = true;

	for (size_t i = 0; i < VISIT_ARRAYS; i++)
		database_array_start(&arrays[i], types[i]);
	for (size_t i = 0; i < visits_count; i++)
		add_visit(arrays, &visits[i]);
	for (size_t i = 0; i < VISIT_ARRAYS; i++) {
		values[i] = database_array_end(&arrays[i]);
		is_whole = is_whole && values[i].bytes != NULL;
	}
	return is_whole;
}

static void add_batch(struct store *store, enum store_statement statement, const char *writer, int64_t batch,
		      const struct visit visits[], size_t visits_count, store_done_function *done, void *context)
{
	char number[DATABASE_NUMBER_SIZE];
	char time[DATABASE_NUMBER_SIZE];
	struct database_array arrays[VISIT_ARRAYS] = { { 0 } };
	struct store_work *work = NULL;
	struct database_value values[3 + VISIT_ARRAYS] = {
		store_work_text(writer),
		database_value_encode_number(batch, number),
		database_value_encode_time(visits[0].last_us, time),
	};

	if (write_visits(arrays, visits, visits_count, values + 3))
		work = store_work_open(store, (int)statement, values, 3 + VISIT_ARRAYS, context);
	for (size_t i = 0; i < VISIT_ARRAYS; i++)
		database_array_close(&arrays[i]);
	if (work == NULL)
		done(context, RESULT_UNAVAILABLE);
	else
		start(work, DATABASE_LATE, done);
}

void store_add_visits(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		      size_t visits_count, store_done_function *done, void *context)
{
	add_batch(store, STORE_ADD_VISITS, writer, batch, visits, visits_count, done, context);
}

void store_add_days(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		    size_t visits_count, store_done_function *done, void *context)
{
	add_batch(store, STORE_ADD_DAYS, writer, batch, visits, visits_count, done, context);
}

void store_forget_writers(struct store *store, int64_t before_us, store_done_function *done, void *context)
{
	char time[DATABASE_NUMBER_SIZE];
	const struct database_value values[] = { database_value_encode_time(before_us, time) };
	struct store_work *work = store_work_open(store, STORE_FORGET_WRITERS, values, 1, context);

	if (work == NULL)
		done(context, RESULT_UNAVAILABLE);
	else
		start(work, DATABASE_LATE, done);
}

void store_ping(struct store *store, store_done_function *done, void *context)
{
	struct store_work *work = store_work_open(store, STORE_PING, NULL, 0, context);

	if (work == NULL)
		done(context, RESULT_UNAVAILABLE);
	else
		start(work, DATABASE_READ, done);
}
