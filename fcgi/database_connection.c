/* Keeps one connection to PostgreSQL: connects in the background, prepares the statements, comes back. */
#include "database_connection.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "database_hosts.h"
#include "log.h"

#define DELAY_MIN_MS 100
#define DELAY_MAX_MS 5000

/* While requests still wait for it, so that those that can be served in time are. */
#define DELAY_MAX_AWAITED_MS 200

enum state {
	STATE_WAITING,    /* for the timer, before the next attempt */
	STATE_CONNECTING,
	STATE_PREPARING,
	STATE_READY,
};

struct database_connection {
	struct loop *loop;
	struct database_settings settings;
	struct database_connection_events events;
	enum state state;
	PGconn *conn; /* owned; NULL while waiting */
	struct loop_watch watch;
	bool is_watched;
	bool is_writable_watched;
	struct loop_timer *timer; /* ends the waiting, or an attempt that takes too long */
	struct database_hosts hosts;
	long delay_ms;
	bool was_useless;
	int64_t ready_since_ms;
	int64_t down_since_ms;
	char problem[256]; /* the last one logged, so that a long outage is no long log */
};

static const char UNREACHABLE[] = "cannot connect to the database";
static const char UNUSABLE[] = "the database is not as this program needs it (was it migrated by sql/migrate?)";
static const char BAD_ENCODING[] = "its encoding must be UTF8: createdb -E UTF8 -T template0";

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

/* The first line of what libpq says; the same text again is not logged. */
static void log_problem(struct database_connection *connection, const char *what, const char *text)
{
	char problem[sizeof connection->problem];

	snprintf(problem, sizeof problem, "%.*s", (int)strcspn(text, "\n"), text);
	if (strcmp(connection->problem, problem) == 0)
		return;
	memcpy(connection->problem, problem, sizeof problem);
	log_error("%s: %s", what, problem);
}

static void log_notice(void *context, const char *text)
{
	(void)context;
	log_debug("the database says: %.*s", (int)strcspn(text, "\n"), text);
}

static void unwatch(struct database_connection *connection)
{
	if (connection->is_watched)
		loop_unwatch(connection->loop, &connection->watch);
	connection->is_watched = false;
	connection->is_writable_watched = false;
}

/* libpq may have closed one socket and opened another with the same number, which epoll takes for a
 * new one: so while connecting the socket is added afresh each time. */
static bool watch(struct database_connection *connection, uint32_t events)
{
	unwatch(connection);
	connection->watch.descriptor = PQsocket(connection->conn);
	connection->is_watched = loop_watch(connection->loop, &connection->watch, events);
	return connection->is_watched;
}

static void finish(struct database_connection *connection)
{
	unwatch(connection);
	PQfinish(connection->conn);
	connection->conn = NULL;
	connection->state = STATE_WAITING;
}

static long next_delay_ms(const struct database_connection *connection)
{
	bool is_awaited = !connection->was_useless &&
			  !database_connection_is_down(connection, connection->settings.queue_timeout_ms);
	long max_ms = is_awaited ? DELAY_MAX_AWAITED_MS : DELAY_MAX_MS;

	return connection->delay_ms * 2 < max_ms ? connection->delay_ms * 2 : max_ms;
}

/* Half of each delay is random, so that a pool does not come back all at once. */
static void wait_for_next_attempt(struct database_connection *connection)
{
	long half = connection->delay_ms / 2;

	finish(connection);
	loop_set_timer(connection->timer, half + (long)arc4random_uniform((uint32_t)half + 1));
	connection->delay_ms = next_delay_ms(connection);
}

/* The delay comes when each host has had its turn. */
static void try_next_host(struct database_connection *connection)
{
	if (database_hosts_advance(&connection->hosts)) {
		wait_for_next_attempt(connection);
		return;
	}
	finish(connection);
	loop_set_timer(connection->timer, 0);
}

static void fail_attempt(struct database_connection *connection, const char *what, const char *text)
{
	log_problem(connection, what, text);
	try_next_host(connection);
}

/* What the database holds is UTF-8; SQL_ASCII takes any bytes as they are. */
static bool is_encoding_usable(PGconn *conn)
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

static struct timeouts choose_timeouts(const struct database_settings *settings)
{
	struct timeouts timeouts;

	snprintf(timeouts.lock, sizeof timeouts.lock, "%ld", settings->queue_timeout_ms / 4 + 1);
	snprintf(timeouts.statement, sizeof timeouts.statement, "%ld", settings->response_timeout_ms * 9 / 10);
	return timeouts;
}

static bool send_preparations(PGconn *conn, const struct database_settings *settings)
{
	struct timeouts timeouts = choose_timeouts(settings);
	const char *const parameters[] = { timeouts.lock, timeouts.statement };
	bool is_sent = PQsetnonblocking(conn, 1) == 0 && PQenterPipelineMode(conn) == 1 &&
		       PQsendQueryParams(conn, settings->setup, 2, NULL, parameters, NULL, NULL, 0) == 1;

	for (size_t i = 0; i < settings->statements_count && is_sent; i++)
		is_sent = PQsendPrepare(conn, settings->statements[i].name, settings->statements[i].text, 0, NULL) == 1;
	return is_sent && PQpipelineSync(conn) == 1;
}

static void prepare_statements(struct database_connection *connection)
{
	connection->state = STATE_PREPARING;
	if (!is_encoding_usable(connection->conn))
		fail_attempt(connection, UNUSABLE, BAD_ENCODING);
	else if (send_preparations(connection->conn, &connection->settings) && watch(connection, EPOLLIN))
		database_connection_flush(connection);
	else
		fail_attempt(connection, UNUSABLE, PQerrorMessage(connection->conn));
}

static void poll_connecting(struct database_connection *connection)
{
	unwatch(connection);
	switch (PQconnectPoll(connection->conn)) {
	case PGRES_POLLING_OK:
		prepare_statements(connection);
		return;
	case PGRES_POLLING_READING:
		if (watch(connection, EPOLLIN))
			return;
		break;
	case PGRES_POLLING_WRITING:
		if (watch(connection, EPOLLOUT))
			return;
		break;
	case PGRES_POLLING_FAILED:
	case PGRES_POLLING_ACTIVE:
		break;
	}
	fail_attempt(connection, UNREACHABLE, PQerrorMessage(connection->conn));
}

static void become_ready(struct database_connection *connection)
{
	loop_stop_timer(connection->timer);
	connection->state = STATE_READY;
	connection->ready_since_ms = loop_now_ms();
	if (!connection->was_useless)
		connection->delay_ms = DELAY_MIN_MS;
	connection->problem[0] = '\0';
	log_info("connected to the database");
	connection->events.ready(connection->events.context);
}

/* Reads one result of the preparing; false when there is nothing more to read now. */
static bool read_prepared(struct database_connection *connection)
{
	PGresult *rows = PQgetResult(connection->conn);
	ExecStatusType status = PQresultStatus(rows);

	if (rows == NULL)
		return true;
	if (status == PGRES_PIPELINE_SYNC) {
		PQclear(rows);
		become_ready(connection);
		return false;
	}
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
		PQclear(rows);
		return true;
	}
	fail_attempt(connection, UNUSABLE, PQresultErrorMessage(rows));
	PQclear(rows);
	return false;
}

static void poll_ready(struct database_connection *connection, uint32_t events)
{
	if ((events & EPOLLOUT) != 0)
		database_connection_flush(connection);
	if (connection->state == STATE_WAITING || (events & ~(uint32_t)EPOLLOUT) == 0)
		return;
	if (PQconsumeInput(connection->conn) != 1) {
		database_connection_drop(connection, PQerrorMessage(connection->conn));
		return;
	}
	if (connection->state == STATE_READY) {
		connection->events.arrived(connection->events.context);
		return;
	}
	bool has_more = true;
	while (has_more && !PQisBusy(connection->conn))
		has_more = read_prepared(connection);
}

static void socket_ready(void *context, uint32_t events)
{
	struct database_connection *connection = context;

	if (connection->state == STATE_CONNECTING)
		poll_connecting(connection);
	else
		poll_ready(connection, events);
}

static void attempt(void *context)
{
	struct database_connection *connection = context;

	if (connection->state != STATE_WAITING) {
		fail_attempt(connection, UNREACHABLE, "it does not answer in time");
		return;
	}
	connection->conn = start_connecting(PQconnectStartParams, connection->settings.conninfo, connection->hosts.values);
	if (connection->conn == NULL || PQstatus(connection->conn) == CONNECTION_BAD) {
		fail_attempt(connection, UNREACHABLE, PQerrorMessage(connection->conn));
		return;
	}
	connection->state = STATE_CONNECTING;
	PQsetNoticeProcessor(connection->conn, log_notice, NULL);
	loop_set_timer(connection->timer, connection->settings.response_timeout_ms);
	if (!watch(connection, EPOLLOUT))
		fail_attempt(connection, UNREACHABLE, "its socket cannot be watched");
}

struct database_connection *database_connection_open(struct loop *loop, const struct database_settings *settings,
						     const struct database_connection_events *events)
{
	struct database_connection *connection = calloc(1, sizeof *connection);

	if (connection == NULL)
		return NULL;
	connection->loop = loop;
	connection->settings = *settings;
	connection->events = *events;
	connection->watch.ready = socket_ready;
	connection->watch.context = connection;
	connection->delay_ms = DELAY_MIN_MS;
	connection->down_since_ms = loop_now_ms();
	connection->timer = loop_open_timer(loop, attempt, connection);
	if (connection->timer == NULL || !database_hosts_open(&connection->hosts, settings->conninfo)) {
		database_connection_close(connection);
		return NULL;
	}
	loop_set_timer(connection->timer, 0);
	return connection;
}

void database_connection_close(struct database_connection *connection)
{
	if (connection == NULL)
		return;
	finish(connection);
	database_hosts_close(&connection->hosts);
	loop_close_timer(connection->timer);
	free(connection);
}

PGconn *database_connection_get(struct database_connection *connection)
{
	return connection->state == STATE_READY ? connection->conn : NULL;
}

void database_connection_flush(struct database_connection *connection)
{
	int unsent = PQflush(connection->conn);
	bool is_wanted = unsent == 1;

	if (unsent < 0) {
		database_connection_drop(connection, PQerrorMessage(connection->conn));
		return;
	}
	if (is_wanted == connection->is_writable_watched)
		return;
	if (loop_rewatch(connection->loop, &connection->watch, is_wanted ? EPOLLIN | EPOLLOUT : EPOLLIN))
		connection->is_writable_watched = is_wanted;
}

static void drop(struct database_connection *connection, const char *reason, bool is_useless)
{
	bool was_ready = connection->state == STATE_READY;

	log_problem(connection, "the database connection is lost", reason);
	connection->was_useless = is_useless;
	if (was_ready) {
		connection->down_since_ms = loop_now_ms();
		if (connection->down_since_ms - connection->ready_since_ms > DELAY_MAX_MS)
			connection->delay_ms = DELAY_MIN_MS;
	}
	wait_for_next_attempt(connection);
	if (was_ready)
		connection->events.lost(connection->events.context);
}

void database_connection_drop(struct database_connection *connection, const char *reason)
{
	drop(connection, reason, false);
}

void database_connection_leave(struct database_connection *connection, const char *reason)
{
	(void)database_hosts_advance(&connection->hosts);
	drop(connection, reason, true);
}

bool database_connection_is_down(const struct database_connection *connection, long longer_than_ms)
{
	return connection->state != STATE_READY && loop_now_ms() - connection->down_since_ms > longer_than_ms;
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
		snprintf(problem, problem_size, "%s: %s", UNREACHABLE, PQerrorMessage(conn));
		return false;
	}
	if (!is_encoding_usable(conn)) {
		snprintf(problem, problem_size, "%s", BAD_ENCODING);
		return false;
	}
	if (!prepare_blocking(conn, settings)) {
		snprintf(problem, problem_size, "%s: %s", UNUSABLE, PQerrorMessage(conn));
		return false;
	}
	return run_check(conn, settings->check, problem, problem_size);
}

bool database_connection_check(const struct database_settings *settings, char *problem, size_t problem_size)
{
	static char *const all_hosts[3];
	PGconn *conn = start_connecting(PQconnectdbParams, settings->conninfo, all_hosts);
	bool is_good = check_connection(conn, settings, problem, problem_size);

	if (!is_good)
		problem[strcspn(problem, "\n")] = '\0';
	PQfinish(conn);
	return is_good;
}
