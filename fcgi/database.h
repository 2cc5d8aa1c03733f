#ifndef DATABASE_H
#define DATABASE_H

#include <stdbool.h>
#include <stddef.h>

#include "database_operation.h"
#include "database_settings.h"
#include "loop.h"
#include "result.h"

/* The one connection to PostgreSQL: non-blocking, in pipeline mode. Operations that are submitted
 * while a batch is on its way wait, and go out together as the next batch, at the end of the loop's
 * turn; when many wait, already while the server is at work on those before. The connection comes
 * back by itself; operations that were under way are then sent again, so every operation must be safe
 * to repeat. */
struct database;

/* Starts connecting in the background; a database that does not answer is no failure. But the name of a
 * host is resolved by libpq while everything waits (getaddrinfo(3)): an address or a socket is better. NULL,
 * with a line in the log, when conninfo cannot be parsed; NULL when memory is short. `settings` is copied, what it
 * points to is borrowed until database_close. */
struct database *database_open(struct loop *loop, const struct database_settings *settings) MUST_CHECK;

/* Closes the connection. Operations not done yet end with RESULT_UNAVAILABLE. */
void database_close(struct database *database);

/* Whether the connection is ready: what is queued is sent at the end of this turn. */
bool database_is_connected(const struct database *database);

/* Queues an operation. `done` is never called from inside this call. */
void database_submit(struct database *database, struct database_operation *operation);

/* Ends what was refused, and sends what is queued if there is room for another batch. To be called at the
 * end of each turn of the loop. */
void database_send(void *database);

/* Connects once, blocking, prepares the statements and runs the check. On failure `problem` holds a sentence. */
bool database_check(const struct database_settings *settings, char *problem, size_t problem_size) MUST_CHECK;

#endif
