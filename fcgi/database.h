#ifndef DATABASE_H
#define DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "database_settings.h"
#include "loop.h"
#include "result.h"

/* The one connection to PostgreSQL: non-blocking, in pipeline mode. Operations that are submitted
 * while a batch is on its way wait, and go out together as the next batch, at the end of the loop's
 * turn. The connection comes back by itself; operations that were under way are then sent again, so
 * every operation must be safe to repeat. */
struct database;
struct pg_result; /* PGresult of libpq-fe.h; only store.c looks inside */

/* The lanes of a batch, in the order in which they are sent. Each lane is one transaction, so that a
 * failure in one lane leaves the others alone; the operations of a failed lane are run again one by
 * one, each in a transaction of its own, so that only the guilty one fails. */
enum database_lane {
	DATABASE_READ,    /* done when the rows of the lane are there */
	DATABASE_WRITE,   /* done when the commit that holds it is durable */
	DATABASE_LATE,    /* as DATABASE_WRITE, for what nobody waits for: sent behind the others */
	DATABASE_LANES,
};

struct database_operation;

/* `rows` is NULL unless the result is RESULT_OK, and is freed after the call; `row` is the number of the
 * operation's own row, -1 where it has none. RESULT_UNAVAILABLE: the
 * operation waited too long, or the queue is full; a write may have happened all the same.
 * RESULT_TAKEN: a key is there already. RESULT_FAILED: PostgreSQL refused it; the log says why. The operation is the caller's again. */
typedef void database_done_function(struct database_operation *operation, enum result result,
				    const struct pg_result *rows, int row);

/* One execution of a statement. The caller allocates it, fills the first part and keeps it, with the
 * parameters, until `done` is called. */
struct database_operation {
	enum database_lane lane;
	int statement; /* index into the table of statements */
	const char *parameters[DATABASE_PARAMETERS_MAX];
	database_done_function *done;

	/* The database's own. */
	struct database_operation *next;
	int64_t deadline_ms;
	struct pg_result *rows; /* kept until the commit is known; owned by the one that ends the statement */
	bool is_alone;          /* runs in a transaction of its own */
	bool ends_statement;
	bool ends_transaction;
	int attempts;
};

/* Starts connecting in the background; a database that does not answer is no failure. NULL, with a
 * line in the log, when conninfo cannot be parsed or memory is short. `settings` is copied, what it
 * points to is borrowed until database_close. */
struct database *database_open(struct loop *loop, const struct database_settings *settings) MUST_CHECK;

/* Closes the connection. Operations not done yet end with RESULT_UNAVAILABLE. */
void database_close(struct database *database);

/* Queues an operation. `done` is never called from inside this call. */
void database_submit(struct database *database, struct database_operation *operation);

/* Sends what is queued, if no batch is under way. To be called at the end of each turn. */
void database_send(void *database);

/* Connects once, blocking, and prepares the statements. On failure `problem` holds a sentence. */
bool database_check(const struct database_settings *settings, char *problem, size_t problem_size) MUST_CHECK;

#endif
