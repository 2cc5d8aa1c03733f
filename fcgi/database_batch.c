/* Sends operations in transactions, and matches the results that come back with them. */
#include "database_batch.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lane's share of a batch: what needs long must not hold up all that comes after it. */
#define LANE_MAX 256

/* Those behind the first error of a transaction are only aborted: the first one is what is remembered. */
static void note_error(struct database_batch *batch, const PGresult *rows)
{
	if (batch->error != DATABASE_ERROR_NONE)
		return;
	batch->error = database_error_classify(PQresultErrorField(rows, PG_DIAG_SQLSTATE));
	snprintf(batch->error_text, sizeof batch->error_text, "%s", PQresultErrorMessage(rows));
	batch->error_text[strcspn(batch->error_text, "\n")] = '\0';
}

/* Whether all results of the transaction have been read, and only its end is missing. */
static bool is_transaction_complete(const struct database_batch *batch)
{
	return batch->held.last != NULL && batch->held.last->ends_transaction;
}

/* All operations that share the statement get the same rows, and find their own among them. */
static void take_result(struct database_batch *batch, PGresult *rows)
{
	bool is_last;

	do {
		struct database_operation *operation = database_queue_pop(&batch->flight);

		is_last = operation->ends_statement;
		operation->rows = rows;
		database_queue_push(&batch->held, operation);
	} while (!is_last);
}

bool database_batch_is_under_way(const struct database_batch *batch)
{
	return batch->flight.first != NULL || batch->held.first != NULL;
}

bool database_batch_has_room(const struct database_batch *batch, long operations_count)
{
	if (operations_count == 0)
		return false;
	if (batch->count == 0)
		return true;
	return batch->count < DATABASE_BATCHES_MAX && operations_count >= DATABASE_AHEAD_MIN && !batch->is_locked;
}

void database_batch_finish(struct database_batch *batch)
{
	batch->flight.last->ends_batch = true;
	batch->count++;
}

/* The next result, or NULL when there is none to read now. libpq ends each statement's results with a
 * NULL; a second one would mean that it knows of no more statements. */
static PGresult *next_result(PGconn *conn)
{
	PGresult *rows = NULL;

	for (int i = 0; i < 2 && rows == NULL && !PQisBusy(conn); i++)
		rows = PQgetResult(conn);
	return rows;
}

static bool is_broken(const struct database_batch *batch)
{
	return batch->error == DATABASE_ERROR_CONNECTION || batch->error == DATABASE_ERROR_USELESS;
}

static void take_rows(struct database_batch *batch, PGresult *rows)
{
	ExecStatusType status = PQresultStatus(rows);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
		if (batch->error == DATABASE_ERROR_NONE && batch->flight.first != NULL)
			batch->flight.first->has_failed = true;
		note_error(batch, rows);
	}
	/* An error at the commit itself belongs to no statement. */
	if (is_transaction_complete(batch) || batch->flight.first == NULL)
		PQclear(rows);
	else
		take_result(batch, rows);
}

enum database_batch_event database_batch_read(struct database_batch *batch, PGconn *conn)
{
	PGresult *rows = database_batch_is_under_way(batch) ? next_result(conn) : NULL;

	if (rows == NULL)
		return DATABASE_BATCH_WAITS;
	if (PQresultStatus(rows) == PGRES_PIPELINE_SYNC) {
		PQclear(rows);
		return DATABASE_BATCH_TRANSACTION_ENDED;
	}
	take_rows(batch, rows);
	return is_broken(batch) ? DATABASE_BATCH_BROKEN : DATABASE_BATCH_GOES_ON;
}

struct database_queue database_batch_take_ended(struct database_batch *batch)
{
	struct database_queue ended = batch->held;

	if (ended.last != NULL && ended.last->ends_batch)
		batch->count--;
	if (ended.last != NULL && ended.last->lane != DATABASE_READ)
		batch->is_locked = batch->error == DATABASE_ERROR_LOCKED;
	batch->held = (struct database_queue){ 0 };
	return ended;
}

struct database_queue database_batch_take_all(struct database_batch *batch)
{
	struct database_queue all = database_batch_take_ended(batch);

	database_queue_append(&all, &batch->flight);
	batch->count = 0;
	batch->error = DATABASE_ERROR_NONE;
	return all;
}

void database_batch_close(struct database_batch *batch)
{
	database_sharing_close(&batch->sharing);
}

/* Moves the next operation to the flight, and those behind it that can share its statement. Returns how many. */
static int take_operations(struct database_batch *batch, const struct database_statement *statement,
			   struct database_queue *waiting, int room)
{
	const struct database_operation *first = waiting->first;
	struct database_operation *operation;
	int count = 0;

	do {
		operation = database_queue_pop(waiting);
		operation->ends_statement = false;
		operation->ends_transaction = false;
		operation->ends_batch = false;
		operation->has_failed = false;
		database_queue_push(&batch->flight, operation);
		count++;
	} while (count < room && database_sharing_can_join(statement, first, waiting->first));
	operation->ends_statement = true;
	operation->ends_transaction =
		count == room || waiting->first == NULL || waiting->first->is_alone || operation->is_alone;
	return count;
}

/* Those that run alone come last, where they hold up none of the others. */
static int compare_keys(const void *left, const void *right)
{
	const struct database_operation *a = *(const struct database_operation *const *)left;
	const struct database_operation *b = *(const struct database_operation *const *)right;
	size_t size = a->key.size < b->key.size ? a->key.size : b->key.size;

	if (a->is_alone != b->is_alone)
		return a->is_alone - b->is_alone;
	if (a->key_rank != b->key_rank)
		return a->key_rank - b->key_rank;
	int order = memcmp(a->key.bytes, b->key.bytes, size);
	return order != 0 ? order : (a->key.size > b->key.size) - (a->key.size < b->key.size);
}

/* Puts those that go out next in the order of their keys. */
static void order_by_key(struct database_queue *waiting)
{
	struct database_operation *operations[LANE_MAX] = { NULL };
	struct database_queue ordered = { 0 };
	size_t count = 0;

	while (waiting->first != NULL && count < LANE_MAX)
		operations[count++] = database_queue_pop(waiting);
	qsort(operations, count, sizeof(struct database_operation *), compare_keys);
	for (size_t i = 0; i < count; i++)
		database_queue_push(&ordered, operations[i]);
	database_queue_append(&ordered, waiting);
	*waiting = ordered;
}

bool database_batch_send(struct database_batch *batch, PGconn *conn, const struct database_statement *statements,
			 struct database_queue *waiting, long *waiting_count)
{
	if (waiting->first != NULL && waiting->first->lane == DATABASE_KEYED)
		order_by_key(waiting);
	for (int room = LANE_MAX; waiting->first != NULL && room > 0;) {
		const struct database_operation *first = waiting->first;
		const struct database_statement *statement = &statements[first->statement];
		int count = take_operations(batch, statement, waiting, room);

		room -= count;
		*waiting_count -= count;
		if (!database_sharing_send(&batch->sharing, conn, statement, first))
			return false;
		if (batch->flight.last->ends_transaction && PQpipelineSync(conn) != 1)
			return false;
	}
	return true;
}
