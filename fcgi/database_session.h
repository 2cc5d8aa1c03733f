#ifndef DATABASE_SESSION_H
#define DATABASE_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "database_settings.h"
#include "result.h"

struct pg_conn; /* PGconn of libpq-fe.h */

/* What a session begins with. Part of database; nobody else includes this. */

/* What can be wrong, as the log and --check say it. */
extern const char DATABASE_SESSION_UNREACHABLE[];
extern const char DATABASE_SESSION_UNUSABLE[];
extern const char DATABASE_SESSION_BAD_ENCODING[];

/* Starts connecting, as PQconnectStart does, with sensible settings where the conninfo leaves them out.
 * `hosts` are host, hostaddr and port, and win over the conninfo's unless they are NULL. */
struct pg_conn *database_session_start(const char *conninfo, char *const hosts[3]);

bool database_session_has_usable_encoding(struct pg_conn *conn);

/* Sends, in a pipeline with a sync at its end, the time-outs and the preparation of all statements. */
bool database_session_send_preparations(struct pg_conn *conn, const struct database_settings *settings) MUST_CHECK;

/* As database_check says. */
bool database_session_check(const struct database_settings *settings, char *problem, size_t problem_size) MUST_CHECK;

#endif
