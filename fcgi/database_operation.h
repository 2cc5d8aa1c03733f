#ifndef DATABASE_OPERATION_H
#define DATABASE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "database_settings.h"
#include "result.h"

struct pg_result; /* PGresult of libpq-fe.h; only store.c looks inside */

/* The lanes of a batch, in the order in which they are sent. Each lane is one transaction, so that a
 * failure in one lane leaves the others alone; the operations of a failed lane are run again one by
 * one, each in a transaction of its own, so that only the guilty one fails. */
enum database_lane {
	DATABASE_READ,    /* done when the rows of the lane are there */
	DATABASE_WRITE,   /* done when the commit that holds it is durable */
	DATABASE_KEYED,   /* as DATABASE_WRITE, for writes that lock what others may want too: sent in the order of their
			   * keys, so that no two processes wait for each other; who waits in vain for a lock goes on
			   * alone, and has one more try */
	DATABASE_LATE,    /* as DATABASE_WRITE, for what nobody waits for: sent behind the others */
	DATABASE_LANES,
};

struct database_operation;

/* The operation is the caller's again.
 *   RESULT_OK           done; `rows` has the rows and is freed after the call, `row` is the number of the
 *                       operation's own one, -1 where it has none. Otherwise rows is NULL.
 *   RESULT_TAKEN        a key is there already
 *   RESULT_UNAVAILABLE  it waited too long, the queue is full, or the server has no time or room; a write may
 *                       have happened all the same
 *   RESULT_FAILED       PostgreSQL refused it, and would again; the log says why */
typedef void database_done_function(struct database_operation *operation, enum result result,
				    const struct pg_result *rows, int row);

/* One execution of a statement. The caller allocates it, fills the first part and keeps it, with the
 * parameters, until `done` is called. */
struct database_operation {
	enum database_lane lane;
	int statement; /* index into the table of statements */
	struct database_value parameters[DATABASE_PARAMETERS_MAX];
	struct database_value key; /* DATABASE_KEYED: what is locked */
	int key_rank;              /* of keys of several kinds, the lowest are locked first */
	database_done_function *done;

	/* The database's own. */
	struct database_operation *next;
	int64_t deadline_ms;
	struct pg_result *rows; /* kept until the commit is known; owned by the one that ends the statement */
	bool is_alone;          /* runs in a transaction of its own */
	bool has_failed;        /* the one whose error has ended its transaction */
	bool ends_statement;
	bool ends_transaction;
	bool ends_batch;
	int attempts;
};

#endif
