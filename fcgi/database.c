/* Runs operations on the database in batches: what waits at the same time shares one round trip. */
#include "database.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "database_batch.h"
#include "database_connection.h"
#include "database_error.h"
#include "database_queue.h"
#include "database_session.h"
#include "log.h"

#define ATTEMPTS_MAX 3

struct database {
	struct database_settings settings;
	struct database_connection *connection;
	struct database_queue waiting[DATABASE_LANES];
	long waiting_count;
	struct database_queue refused; /* to be ended at the end of the turn */
	struct database_batch batch;
	struct loop_timer *deadline_timer;
	struct loop_timer *response_timer;
	int64_t progress_ms; /* when the server was last heard, or a batch sent while none was under way */
};

static const struct database_statement *statement_of(const struct database *database,
						     const struct database_operation *operation)
{
	return &database->settings.statements[operation->statement];
}

static void push_waiting(struct database *database, struct database_operation *operation)
{
	database_queue_push(&database->waiting[operation->lane], operation);
	database->waiting_count++;
}

static struct database_operation *pop_waiting(struct database *database, enum database_lane lane)
{
	database->waiting_count--;
	return database_queue_pop(&database->waiting[lane]);
}

static void clear_rows(struct database_operation *operation)
{
	if (operation->ends_statement)
		PQclear(operation->rows);
	operation->rows = NULL;
}

/* The operation may be freed by the call, its rows not before. */
static void end_operation(struct database *database, struct database_operation *operation, enum result result)
{
	PGresult *rows = operation->rows;
	PGresult *owned = operation->ends_statement ? rows : NULL;
	bool is_ok = result == RESULT_OK;

	operation->done(operation, result, is_ok ? rows : NULL,
			is_ok ? database_sharing_find_row(statement_of(database, operation), operation, rows) : -1);
	PQclear(owned);
}

static void end_all(struct database *database, struct database_queue *queue, enum result result)
{
	while (queue->first != NULL)
		end_operation(database, database_queue_pop(queue), result);
}

/* Puts operations that were under way in front of those that wait, in their old order. */
static void requeue(struct database *database, struct database_queue *queue)
{
	struct database_queue behind[DATABASE_LANES];

	memcpy(behind, database->waiting, sizeof behind);
	memset(database->waiting, 0, sizeof database->waiting);
	while (queue->first != NULL) {
		struct database_operation *operation = database_queue_pop(queue);

		clear_rows(operation);
		push_waiting(database, operation);
	}
	for (enum database_lane lane = 0; lane < DATABASE_LANES; lane++)
		database_queue_append(&database->waiting[lane], &behind[lane]);
}

static void requeue_batch(struct database *database)
{
	struct database_queue all = database_batch_take_all(&database->batch);

	requeue(database, &all);
}

/* Puts failed operations in front of those that wait, to run again; those whose time is over end. */
static void retry(struct database *database, struct database_queue *failed)
{
	struct database_queue again = { 0 };
	int64_t now_ms = loop_now_ms();

	while (failed->first != NULL) {
		struct database_operation *operation = database_queue_pop(failed);

		if (operation->deadline_ms > now_ms) {
			database_queue_push(&again, operation);
			continue;
		}
		end_operation(database, operation, RESULT_UNAVAILABLE);
	}
	requeue(database, &again);
	loop_stop_timer(database->deadline_timer);
}

static void end_failed(struct database *database, struct database_queue *failed, enum result result, const char *verb)
{
	while (failed->first != NULL) {
		struct database_operation *operation = database_queue_pop(failed);

		if (verb != NULL)
			log_error("the database %s %s: %s", verb, statement_of(database, operation)->name,
				  database->batch.error_text);
		end_operation(database, operation, result);
	}
}

/* One operation that ran alone. */
static void settle_alone(struct database *database, struct database_queue *failed)
{
	switch (database->batch.error) {
	case DATABASE_ERROR_TAKEN:
		end_failed(database, failed, RESULT_TAKEN, NULL);
		return;
	case DATABASE_ERROR_REFUSED:
		end_failed(database, failed, RESULT_FAILED, "refused");
		return;
	case DATABASE_ERROR_CONFLICT:
		if (failed->first->attempts < ATTEMPTS_MAX) {
			retry(database, failed);
			return;
		}
		break;
	case DATABASE_ERROR_LOCKED:
	case DATABASE_ERROR_NONE:
	case DATABASE_ERROR_CONNECTION:
	case DATABASE_ERROR_USELESS:
	case DATABASE_ERROR_PASSING:
		break;
	}
	end_failed(database, failed, RESULT_UNAVAILABLE, "failed at");
}

/* The one that waited in vain runs alone from now on, and ends when it has waited alone, too. */
static void retry_without_failed(struct database *database, struct database_queue *failed)
{
	struct database_queue again = { 0 };

	while (failed->first != NULL) {
		struct database_operation *operation = database_queue_pop(failed);

		if (operation->has_failed && operation->is_alone) {
			end_operation(database, operation, RESULT_UNAVAILABLE);
			continue;
		}
		operation->is_alone = operation->is_alone || operation->has_failed;
		database_queue_push(&again, operation);
	}
	retry(database, &again);
}

/* Nothing of a failed transaction is stored. Which operation was to blame shows when each has run alone.
 * But a lock is nobody's fault, and will be free again; and what fails for want of time or room would only
 * fail, and last, once more. */
static void fail_transaction(struct database *database, struct database_queue *failed)
{
	bool is_alone = failed->first != NULL && failed->first->is_alone;

	if (database->batch.error == DATABASE_ERROR_LOCKED && failed->first != NULL && failed->first->lane == DATABASE_KEYED) {
		retry_without_failed(database, failed);
	} else if (database->batch.error == DATABASE_ERROR_LOCKED) {
		retry(database, failed);
	} else if (database->batch.error == DATABASE_ERROR_PASSING) {
		end_failed(database, failed, RESULT_UNAVAILABLE, "failed at");
	} else if (is_alone) {
		failed->first->attempts++;
		settle_alone(database, failed);
	} else {
		for (struct database_operation *operation = failed->first; operation != NULL; operation = operation->next)
			operation->is_alone = true;
		retry(database, failed);
	}
}

static void end_transaction(struct database *database)
{
	struct database_queue ended = database_batch_take_ended(&database->batch);

	if (database->batch.error == DATABASE_ERROR_NONE)
		end_all(database, &ended, RESULT_OK);
	else
		fail_transaction(database, &ended);
	database->batch.error = DATABASE_ERROR_NONE;
}

/* Whether there may be more to read. */
static bool read_batch(struct database *database)
{
	switch (database_batch_read(&database->batch, database_connection_get(database->connection))) {
	case DATABASE_BATCH_WAITS:
		return false;
	case DATABASE_BATCH_GOES_ON:
		return true;
	case DATABASE_BATCH_TRANSACTION_ENDED:
		end_transaction(database);
		return true;
	case DATABASE_BATCH_BROKEN:
		if (database->batch.error == DATABASE_ERROR_USELESS)
			database_connection_leave(database->connection, database->batch.error_text);
		else
			database_connection_drop(database->connection, database->batch.error_text);
		return false;
	}
	return false;
}

static void results_arrived(void *context)
{
	struct database *database = context;
	bool has_more = true;

	database->progress_ms = loop_now_ms();
	while (has_more)
		has_more = read_batch(database);
}

static void connection_ready(void *context)
{
	database_send(context);
}

/* The timer may be set for a younger operation than those that come back. */
static void connection_lost(void *context)
{
	struct database *database = context;

	requeue_batch(database);
	loop_stop_timer(database->deadline_timer);
}

static void set_deadline_timer(struct database *database)
{
	int64_t earliest_ms = INT64_MAX;

	if (database->waiting_count == 0 || loop_is_timer_set(database->deadline_timer))
		return;
	for (enum database_lane lane = 0; lane < DATABASE_LANES; lane++)
		if (database->waiting[lane].first != NULL && database->waiting[lane].first->deadline_ms < earliest_ms)
			earliest_ms = database->waiting[lane].first->deadline_ms;
	loop_set_timer(database->deadline_timer, earliest_ms - loop_now_ms() + 1);
}

static void send_batch(struct database *database, PGconn *conn)
{
	bool is_first = !database_batch_is_under_way(&database->batch);
	bool is_sent = true;

	for (enum database_lane lane = 0; lane < DATABASE_LANES && is_sent; lane++)
		is_sent = database_batch_send(&database->batch, conn, database->settings.statements,
					      &database->waiting[lane], &database->waiting_count);
	database_batch_finish(&database->batch);
	if (!is_sent) {
		const char *reason = PQerrorMessage(conn);

		database_connection_drop(database->connection, *reason != '\0' ? reason : "memory is short");
		return;
	}
	if (is_first)
		database->progress_ms = loop_now_ms();
	if (!loop_is_timer_set(database->response_timer))
		loop_set_timer(database->response_timer, database->settings.response_timeout_ms);
	database_connection_flush(database->connection);
}

void database_send(void *context)
{
	struct database *database = context;
	PGconn *conn = database_connection_get(database->connection);

	end_all(database, &database->refused, RESULT_UNAVAILABLE);
	while (conn != NULL && database_batch_has_room(&database->batch, database->waiting_count)) {
		send_batch(database, conn);
		conn = database_connection_get(database->connection);
	}
	set_deadline_timer(database);
}

void database_submit(struct database *database, struct database_operation *operation)
{
	operation->rows = NULL;
	operation->is_alone = false;
	operation->ends_statement = false;
	operation->has_failed = false;
	operation->attempts = 0;
	operation->deadline_ms = loop_now_ms() + database->settings.queue_timeout_ms;
	if (database->waiting_count >= database->settings.queue_max ||
	    database_connection_is_down(database->connection, database->settings.queue_timeout_ms))
		database_queue_push(&database->refused, operation);
	else
		push_waiting(database, operation);
}

/* The deadlines of a lane are in order, but for a few that were under way and have come back. */
static void deadline_expired(void *context)
{
	struct database *database = context;
	int64_t now_ms = loop_now_ms();

	for (enum database_lane lane = 0; lane < DATABASE_LANES; lane++)
		while (database->waiting[lane].first != NULL && database->waiting[lane].first->deadline_ms <= now_ms)
			end_operation(database, pop_waiting(database, lane), RESULT_UNAVAILABLE);
}

/* The timer is not set anew with every batch, which would be a system call each: it looks when the
 * server was last heard. */
static void response_expired(void *context)
{
	struct database *database = context;
	int64_t left_ms = database->progress_ms + database->settings.response_timeout_ms - loop_now_ms();

	if (!database_batch_is_under_way(&database->batch))
		return;
	if (left_ms > 0)
		loop_set_timer(database->response_timer, left_ms);
	else
		database_connection_drop(database->connection, "the server has not answered in time");
}

struct database *database_open(struct loop *loop, const struct database_settings *settings)
{
	struct database *database = calloc(1, sizeof *database);

	if (database == NULL)
		return NULL;
	database->settings = *settings;
	database->deadline_timer = loop_open_timer(loop, deadline_expired, database);
	database->response_timer = loop_open_timer(loop, response_expired, database);
	if (database->deadline_timer != NULL && database->response_timer != NULL)
		database->connection = database_connection_open(
			loop, settings,
			&(struct database_connection_events){ connection_ready, results_arrived, connection_lost, database });
	if (database->connection != NULL)
		return database;
	database_close(database);
	return NULL;
}

void database_close(struct database *database)
{
	if (database == NULL)
		return;
	requeue_batch(database);
	for (enum database_lane lane = 0; lane < DATABASE_LANES; lane++)
		end_all(database, &database->waiting[lane], RESULT_UNAVAILABLE);
	end_all(database, &database->refused, RESULT_UNAVAILABLE);
	database_connection_close(database->connection);
	loop_close_timer(database->deadline_timer);
	loop_close_timer(database->response_timer);
	database_batch_close(&database->batch);
	free(database);
}

bool database_is_connected(const struct database *database)
{
	return database_connection_get(database->connection) != NULL;
}

bool database_check(const struct database_settings *settings, char *problem, size_t problem_size)
{
	return database_session_check(settings, problem, problem_size);
}
