#ifndef DATABASE_BATCH_H
#define DATABASE_BATCH_H

#include <stdbool.h>

#include "database_error.h"
#include "database_operation.h"
#include "database_queue.h"
#include "database_sharing.h"
#include "result.h"

/* Batches under way at a time. While the server is at work on one, the next are there already, so that it
 * does not have to wait for us in between. */
#define DATABASE_BATCHES_MAX 3

/* From so many operations on, another one is sent ahead. A smaller one costs the server nearly as much. */
#define DATABASE_AHEAD_MIN 8

/* What is under way to the server and back. Part of database; nobody else includes this. Empty: { 0 }. */
struct database_batch {
	struct database_sharing sharing;
	struct database_queue flight; /* sent, in the order in which the results come */
	struct database_queue held;   /* results read, waiting for the end of their transaction */
	int count;                    /* batches under way */
	bool is_locked;               /* the last write waited in vain for a lock */
	enum database_error error;    /* of the transaction that is being read, or has just ended */
	char error_text[256];
};

enum database_batch_event {
	DATABASE_BATCH_WAITS,   /* there is nothing to read now */
	DATABASE_BATCH_GOES_ON,
	DATABASE_BATCH_TRANSACTION_ENDED,
	DATABASE_BATCH_BROKEN,  /* the connection is of no use any more: error says how */
};

bool database_batch_is_under_way(const struct database_batch *batch);

/* Whether another batch of so many operations is worth sending now. A small one waits until all that is
 * under way has come back, for it costs the server nearly as much as a large one; and while writes meet a
 * lock, each batch does, so that reads do not wait for the writes of several. */
bool database_batch_has_room(const struct database_batch *batch, long operations_count);

/* What has been sent since the last call, at least one operation, is a batch. */
void database_batch_finish(struct database_batch *batch);

/* Takes operations off a lane's queue and sends them: one transaction for all, but for those that must run
 * alone. `waiting_count` is lowered by their number. False when the connection has broken or memory was
 * short; the operations are under way all the same, for database_batch_take_all. */
bool database_batch_send(struct database_batch *batch, struct pg_conn *conn, const struct database_statement *statements,
			 struct database_queue *waiting, long *waiting_count) MUST_CHECK;

/* Reads one result, without blocking. */
enum database_batch_event database_batch_read(struct database_batch *batch, struct pg_conn *conn);

/* After DATABASE_BATCH_TRANSACTION_ENDED: its operations, with their rows; `error` says how it ended. */
struct database_queue database_batch_take_ended(struct database_batch *batch);

/* All that is under way, in the order in which it was sent. */
struct database_queue database_batch_take_all(struct database_batch *batch);

void database_batch_close(struct database_batch *batch);

#endif
