/* Talks to PostgreSQL, one call at a time. */
#include "ctl_database.h"

#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

struct ctl_database {
	PGconn *conn;
};

static volatile sig_atomic_t is_interrupted;
static PGcancel *volatile cancel; /* for the handler; NULL: signals are not caught */

/* struct ctl_rows is nowhere defined: its pointers are those of libpq's results. */
static const PGresult *result_of(const struct ctl_rows *rows)
{
	return (const void *)rows;
}

/* libpq's explanations go on over several lines. */
static void say_first_line(const char *sentence, const char *reason)
{
	say_error("%s: %.*s", sentence, (int)strcspn(reason, "\n"), reason);
}

static bool is_one_of(const char *state, const char *const states[], size_t states_count)
{
	for (size_t i = 0; i < states_count; i++)
		if (strcmp(state, states[i]) == 0)
			return true;
	return false;
}

/* Why a statement failed; of an interruption the caller knows more. Undefined tables and columns are those of another
 * version. */
static void say_refusal(struct ctl_database *database, const PGresult *result)
{
	static const char *const versions[] = { "42P01", "42703", "3F000" };
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *reason = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

	if (is_interrupted)
		return;
	if (PQstatus(database->conn) != CONNECTION_OK || state == NULL)
		say_first_line("The connection to the database is lost", PQerrorMessage(database->conn));
	else if (is_one_of(state, versions, sizeof versions / sizeof versions[0]))
		say_error("The database has not the tables of this version; run: shortenctl migrate");
	else
		say_first_line("The database refuses", reason != NULL ? reason : state);
}

static bool is_conninfo(const char *conninfo)
{
	PQconninfoOption *options = PQconninfoParse(conninfo, NULL);

	PQconninfoFree(options);
	return options != NULL;
}

/* Notices would come between our sentences. */
static void ignore_notice(void *context, const char *message)
{
	(void)context;
	(void)message;
}

/* What was forgotten is easily seen then. */
static void say_unreachable(PGconn *conn, const struct config *config)
{
	const char *reason = PQerrorMessage(conn);

	say_error("The database cannot be reached: %.*s%s", (int)strcspn(reason, "\n"), reason,
		  *config->database == '\0' ? " (SHORTEN_DATABASE is not set)" : "");
}

static bool is_usable(PGconn *conn, const struct config *config)
{
	const char *encoding = PQparameterStatus(conn, "server_encoding");

	if (PQstatus(conn) != CONNECTION_OK) {
		say_unreachable(conn, config);
		return false;
	}
	if (encoding != NULL && strcmp(encoding, "UTF8") != 0 && strcmp(encoding, "SQL_ASCII") != 0) {
		say_error("The encoding of the database is %s but must be UTF8: createdb -E UTF8 -T template0", encoding);
		return false;
	}
	return true;
}

/* What libpq says of a conninfo that it cannot read may hold a password. */
struct ctl_database *ctl_database_open(const struct config *config)
{
	static const char *const names[] = { "connect_timeout", "fallback_application_name", "client_encoding", "dbname", NULL };
	const char *const values[] = { "5", "shortenctl", "UTF8", config->database, NULL };
	struct ctl_database *database = calloc(1, sizeof *database);

	if (database == NULL) {
		say_error("There is no memory left");
		return NULL;
	}
	if (!is_conninfo(config->database)) {
		say_error("SHORTEN_DATABASE must be a connection string, as in host=/run/postgresql dbname=shorten user=shorten");
		ctl_database_close(database);
		return NULL;
	}
	database->conn = PQconnectdbParams(names, values, 1);
	if (!is_usable(database->conn, config)) {
		ctl_database_close(database);
		return NULL;
	}
	PQsetNoticeProcessor(database->conn, ignore_notice, NULL);
	return database;
}

void ctl_database_close(struct ctl_database *database)
{
	if (database == NULL)
		return;
	PGcancel *old = cancel;
	cancel = NULL;
	PQfreeCancel(old);
	PQfinish(database->conn);
	free(database);
}

void ctl_database_describe(struct ctl_database *database, char *text, size_t size)
{
	const char *version = PQparameterStatus(database->conn, "server_version");
	const char *host = PQhost(database->conn);

	if (snprintf(text, size, "%s on %s as %s, PostgreSQL %s", PQdb(database->conn), host, PQuser(database->conn),
		     version != NULL ? version : "?") < 0)
		text[0] = '\0';
}

static bool is_good(struct ctl_database *database, const PGresult *result)
{
	switch (PQresultStatus(result)) {
	case PGRES_COMMAND_OK:
	case PGRES_TUPLES_OK:
	case PGRES_SINGLE_TUPLE:
	case PGRES_COPY_IN:
	case PGRES_COPY_OUT:
		return true;
	default:
		say_refusal(database, result);
		return false;
	}
}

struct ctl_rows *ctl_database_query(struct ctl_database *database, const char *sql, size_t parameters_count,
				    const char *const parameters[])
{
	PGresult *result = PQexecParams(database->conn, sql, (int)parameters_count, NULL, parameters, NULL, NULL, 0);

	if (is_good(database, result))
		return (void *)result;
	PQclear(result);
	return NULL;
}

bool ctl_database_run(struct ctl_database *database, const char *sql, long long *changed)
{
	PGresult *result = PQexec(database->conn, sql);
	bool is_done = is_good(database, result);

	if (changed != NULL)
		*changed = is_done ? strtoll(PQcmdTuples(result), NULL, 10) : 0;
	PQclear(result);
	return is_done;
}

size_t ctl_rows_count(const struct ctl_rows *rows)
{
	return (size_t)PQntuples(result_of(rows));
}

size_t ctl_rows_columns(const struct ctl_rows *rows)
{
	return (size_t)PQnfields(result_of(rows));
}

const char *ctl_rows_text(const struct ctl_rows *rows, size_t row, size_t column)
{
	if (PQgetisnull(result_of(rows), (int)row, (int)column))
		return NULL;
	return PQgetvalue(result_of(rows), (int)row, (int)column);
}

bool ctl_rows_is_true(const struct ctl_rows *rows, size_t row, size_t column)
{
	const char *text = ctl_rows_text(rows, row, column);

	return text != NULL && strcmp(text, "t") == 0;
}

long long ctl_rows_number(const struct ctl_rows *rows, size_t row, size_t column)
{
	const char *text = ctl_rows_text(rows, row, column);

	return text != NULL ? strtoll(text, NULL, 10) : 0;
}

void ctl_rows_free(struct ctl_rows *rows)
{
	PQclear((void *)rows);
}

bool ctl_database_each_row(struct ctl_database *database, const char *sql, ctl_database_row *row, void *context)
{
	PGresult *result;
	bool is_done = PQsendQuery(database->conn, sql) == 1 && PQsetSingleRowMode(database->conn) == 1;

	if (!is_done)
		say_first_line("The connection to the database is lost", PQerrorMessage(database->conn));
	while ((result = PQgetResult(database->conn)) != NULL) {
		is_done = is_done && is_good(database, result);
		if (is_done && PQntuples(result) == 1)
			row(context, (const void *)result);
		PQclear(result);
	}
	return is_done;
}

/* Takes the results that are left, so that the connection can be used again. */
static bool finish_copy(struct ctl_database *database)
{
	PGresult *result;
	bool is_done = true;

	while ((result = PQgetResult(database->conn)) != NULL) {
		is_done = is_done && is_good(database, result);
		PQclear(result);
	}
	return is_done;
}

/* The same where the failure is wanted. */
static void drop_copy(struct ctl_database *database)
{
	PGresult *result;

	while ((result = PQgetResult(database->conn)) != NULL)
		PQclear(result);
}

bool ctl_database_copy_out(struct ctl_database *database, const char *sql, ctl_database_piece *take)
{
	char *line;
	int size;

	if (!ctl_database_run(database, sql, NULL))
		return false;
	while ((size = PQgetCopyData(database->conn, &line, 0)) > 0) {
		take(line, (size_t)size);
		PQfreemem(line);
	}
	return finish_copy(database);
}

bool ctl_database_start_copy_in(struct ctl_database *database, const char *sql)
{
	return ctl_database_run(database, sql, NULL);
}

bool ctl_database_put_copy(struct ctl_database *database, const void *bytes, size_t bytes_size)
{
	if (PQputCopyData(database->conn, bytes, (int)bytes_size) == 1)
		return true;
	say_first_line("The connection to the database is lost", PQerrorMessage(database->conn));
	return false;
}

void ctl_database_abort_copy_in(struct ctl_database *database)
{
	if (PQputCopyEnd(database->conn, "given up") == 1)
		drop_copy(database);
}

bool ctl_database_end_copy_in(struct ctl_database *database)
{
	if (PQputCopyEnd(database->conn, NULL) == 1)
		return finish_copy(database);
	say_first_line("The connection to the database is lost", PQerrorMessage(database->conn));
	return false;
}

/* PQcancel may be called here, says its documentation. */
static void interrupt(int signal_number)
{
	(void)signal_number;
	is_interrupted = 1;
	if (cancel != NULL) {
		char problem[256];

		PQcancel(cancel, problem, sizeof problem);
	}
}

/* Without SA_RESTART, so that a read from a pipe returns, too. */
void ctl_database_catch_signals(struct ctl_database *database)
{
	const struct sigaction action = { .sa_handler = interrupt };

	cancel = PQgetCancel(database->conn);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool ctl_database_is_interrupted(void)
{
	return is_interrupted != 0;
}
