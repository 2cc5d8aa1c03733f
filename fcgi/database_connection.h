#ifndef DATABASE_CONNECTION_H
#define DATABASE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "database_settings.h"
#include "loop.h"
#include "result.h"

/* The connection under a database: connecting in the background, preparing the statements on every
 * connect, coming back with jittered delays. Part of database; nobody else includes this. */
struct database_connection;
struct pg_conn; /* PGconn of libpq-fe.h */

struct database_connection_events {
	void (*ready)(void *context);   /* connected, all statements prepared */
	void (*arrived)(void *context); /* bytes were read from the server */
	void (*lost)(void *context);    /* it was ready and is no longer */
	void *context;
};

/* As database_open says; `settings` and `events` are copied. */
struct database_connection *database_connection_open(struct loop *loop, const struct database_settings *settings,
						     const struct database_connection_events *events) MUST_CHECK;
void database_connection_close(struct database_connection *connection);

/* The connection, non-blocking and in pipeline mode, for sending and reading; NULL unless ready. */
struct pg_conn *database_connection_get(struct database_connection *connection);

/* Sends what libpq holds, now or when the socket takes it. */
void database_connection_flush(struct database_connection *connection);

/* Gives the connection up, calls `lost`, and connects anew after a short delay. `reason` goes to the log. */
void database_connection_drop(struct database_connection *connection, const char *reason);

/* The same for a connection that lives but is of no use, such as one to a server that only reads: the
 * delay grows each time, as connecting will succeed and not help. */
void database_connection_leave(struct database_connection *connection, const char *reason);

/* Whether it has not been ready for longer than this. */
bool database_connection_is_down(const struct database_connection *connection, long longer_than_ms);

#endif
