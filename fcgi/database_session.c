/* What a session with PostgreSQL begins with, in the background and at once for --check. */
#include "database_session.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#include "database_batch.h"

const char DATABASE_SESSION_UNREACHABLE[] = "cannot connect to the database";
const char DATABASE_SESSION_UNUSABLE[] = "the database is not as this program needs it (was it migrated by sql/migrate?)";
const char DATABASE_SESSION_BAD_ENCODING[] = "its encoding must be UTF8: createdb -E UTF8 -T template0";

typedef PGconn *connect_function(const char *const *names, const char *const *values, int expand_dbname);

/* What the user's conninfo leaves out; a value in it wins, as it is expanded later. An unacknowledged
 * packet or a silent peer would otherwise hold the connection for a quarter of an hour. The hosts come
 * last and win over the list in the conninfo; where they are NULL they count as absent. */
static PGconn *start_connecting(connect_function *start, const char *conninfo, char *const hosts[3])
{
	static const char *const names[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
					     "keepalives_count", "tcp_user_timeout", "fallback_application_name",
					     "client_encoding", "dbname", "host", "hostaddr", "port", NULL };
	const char *const values[] = { "5",    "10",	 "5",	   "3",	     "10000", "shorten.fcgi",
				       "UTF8", conninfo, hosts[0], hosts[1], hosts[2], NULL };

	return start(names, values, 1);
}

PGconn *database_session_start(const char *conninfo, char *const hosts[3])
{
	return start_connecting(PQconnectStartParams, conninfo, hosts);
}

/* What the database holds is UTF-8; SQL_ASCII takes any bytes as they are. */
bool database_session_has_usable_encoding(PGconn *conn)
{
	const char *encoding = PQparameterStatus(conn, "server_encoding");

	return encoding == NULL || strcmp(encoding, "UTF8") == 0 || strcmp(encoding, "SQL_ASCII") == 0;
}

/* A statement that waits for a lock would hold up all that stands behind it, and one whose connection is
 * given up would go on waiting in the server. */
struct timeouts {
	char lock[24];
	char statement[24];
};

/* While a lock stays, all batches under way wait for it, one after the other, and visits once more. Reads that come
 * meanwhile are behind them, and are to be served in time. */
static struct timeouts choose_timeouts(const struct database_settings *settings)
{
	struct timeouts timeouts;

	snprintf(timeouts.lock, sizeof timeouts.lock, "%ld", settings->queue_timeout_ms / (2L * DATABASE_BATCHES_MAX) + 1);
	snprintf(timeouts.statement, sizeof timeouts.statement, "%ld", settings->response_timeout_ms * 9 / 10);
	return timeouts;
}

bool database_session_send_preparations(PGconn *conn, const struct database_settings *settings)
{
	struct timeouts timeouts = choose_timeouts(settings);
	const char *const parameters[] = { timeouts.lock, timeouts.statement };
	bool is_sent = PQsetnonblocking(conn, 1) == 0 && PQenterPipelineMode(conn) == 1 &&
		       PQsendQueryParams(conn, settings->setup, 2, NULL, parameters, NULL, NULL, 0) == 1;

	for (size_t i = 0; i < settings->statements_count && is_sent; i++)
		is_sent = PQsendPrepare(conn, settings->statements[i].name, settings->statements[i].text, 0, NULL) == 1;
	return is_sent && PQpipelineSync(conn) == 1;
}

static bool is_done(PGresult *rows)
{
	ExecStatusType status = PQresultStatus(rows);

	PQclear(rows);
	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static bool prepare_blocking(PGconn *conn, const struct database_settings *settings)
{
	struct timeouts timeouts = choose_timeouts(settings);
	const char *const parameters[] = { timeouts.lock, timeouts.statement };
	bool is_prepared = is_done(PQexecParams(conn, settings->setup, 2, NULL, parameters, NULL, NULL, 0));

	for (size_t i = 0; i < settings->statements_count && is_prepared; i++)
		is_prepared = is_done(PQprepare(conn, settings->statements[i].name, settings->statements[i].text, 0, NULL));
	return is_prepared;
}

/* True when the check finds nothing. */
static bool run_check(PGconn *conn, const char *check, char *problem, size_t problem_size)
{
	PGresult *rows = PQexec(conn, check);
	bool is_good = PQntuples(rows) == 1 && PQgetisnull(rows, 0, 0);

	if (!is_good)
		snprintf(problem, problem_size, "%s",
			 PQntuples(rows) == 1 ? PQgetvalue(rows, 0, 0) : PQresultErrorMessage(rows));
	PQclear(rows);
	return is_good;
}

static bool check_connection(PGconn *conn, const struct database_settings *settings, char *problem, size_t problem_size)
{
	if (PQstatus(conn) != CONNECTION_OK) {
		snprintf(problem, problem_size, "%s: %s", DATABASE_SESSION_UNREACHABLE, PQerrorMessage(conn));
		return false;
	}
	if (!database_session_has_usable_encoding(conn)) {
		snprintf(problem, problem_size, "%s", DATABASE_SESSION_BAD_ENCODING);
		return false;
	}
	if (!prepare_blocking(conn, settings)) {
		snprintf(problem, problem_size, "%s: %s", DATABASE_SESSION_UNUSABLE, PQerrorMessage(conn));
		return false;
	}
	return run_check(conn, settings->check, problem, problem_size);
}

bool database_session_check(const struct database_settings *settings, char *problem, size_t problem_size)
{
	static char *const all_hosts[3];
	PGconn *conn = start_connecting(PQconnectdbParams, settings->conninfo, all_hosts);
	bool is_good = check_connection(conn, settings, problem, problem_size);

	if (!is_good)
		problem[strcspn(problem, "\n")] = '\0';
	PQfinish(conn);
	return is_good;
}
