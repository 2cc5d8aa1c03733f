#ifndef STORE_WORK_H
#define STORE_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "database.h"
#include "loop.h"
#include "store_link.h"
#include "store_statements.h"

/* Operations of the store under way. Part of store; nobody else includes this. */

struct store {
	struct loop *loop;
	struct database *database;
	struct database_value base_url; /* what the JSON of links needs */
};

/* One operation, with copies of its parameters behind it in the same allocation. */
struct store_work {
	struct database_operation operation; /* first, so that one is found from the other */
	struct store *store;
	void *context;
	union {
		store_link_function *link;
		store_done_function *done;
		store_text_function *text;
		store_equal_function *equal;
		store_key_function *key;
	} done;
	struct link link;
	size_t page_max;
	char bytes[]; /* of the parameters, with a NUL behind each */
};

/* A value that is the SQL NULL. */
extern const struct database_value STORE_NULL;

struct database_value store_work_text(const char *text); /* NULL is the SQL NULL */
struct database_value store_work_boolean(bool value);

/* The work for one execution of a statement. The values are copied. NULL, with a line in the log, when memory is
 * short. */
struct store_work *store_work_open(struct store *store, int statement, const struct database_value values[],
				   size_t values_count, void *context) MUST_CHECK;

/* The work of an operation that the database gives back; freed with free(3). */
struct store_work *store_work_of(struct database_operation *operation);

/* Queues it; `done` gets it back. A work may be submitted again, with another statement for the same parameters. */
void store_work_submit(struct store_work *work, enum database_lane lane, database_done_function *done);

#endif
