#ifndef DATABASE_SHARING_H
#define DATABASE_SHARING_H

#include <stdbool.h>

#include "database_array.h"
#include "database_operation.h"
#include "result.h"

struct pg_conn; /* PGconn of libpq-fe.h */

/* One execution of a statement for many operations. Part of database; nobody else includes this. */
struct database_sharing {
	struct database_array arrays[DATABASE_PARAMETERS_MAX]; /* kept, so that batches cost no allocation */
};

/* Whether an operation, NULL for none, can share the statement that `first` begins. */
bool database_sharing_can_join(const struct database_statement *statement, const struct database_operation *first,
			       const struct database_operation *operation);

/* Sends a statement for the operation `first` and all those linked behind it. False when memory was
 * short or the connection has broken. */
bool database_sharing_send(struct database_sharing *sharing, struct pg_conn *conn,
			   const struct database_statement *statement, const struct database_operation *first) MUST_CHECK;

/* The number of the operation's own row; -1 where it has none. */
int database_sharing_find_row(const struct database_statement *statement, const struct database_operation *operation,
			      const struct pg_result *rows);

void database_sharing_close(struct database_sharing *sharing);

#endif
