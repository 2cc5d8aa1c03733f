/* Keeps one connection to PostgreSQL: connects in the background, prepares the statements, comes back. */
#include "database_connection.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "database_hosts.h"
#include "database_session.h"
#include "log.h"

#define DELAY_MIN_MS 100

/* So that all of a pool are back soon after PostgreSQL is. */
#define DELAY_MAX_AWAY_MS 1000

/* While requests still wait for it, so that those that can be served in time are. */
#define DELAY_MAX_AWAITED_MS 200

/* Of a database that is there, but cannot be used. */
#define DELAY_MAX_USELESS_MS 5000

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

static long delay_max_ms(const struct database_connection *connection)
{
	if (connection->was_useless)
		return DELAY_MAX_USELESS_MS;
	return database_connection_is_down(connection, connection->settings.queue_timeout_ms) ? DELAY_MAX_AWAY_MS
											     : DELAY_MAX_AWAITED_MS;
}

static long next_delay_ms(const struct database_connection *connection)
{
	long max_ms = delay_max_ms(connection);

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

static void prepare_statements(struct database_connection *connection)
{
	connection->state = STATE_PREPARING;
	if (!database_session_has_usable_encoding(connection->conn))
		fail_attempt(connection, DATABASE_SESSION_UNUSABLE, DATABASE_SESSION_BAD_ENCODING);
	else if (database_session_send_preparations(connection->conn, &connection->settings) && watch(connection, EPOLLIN))
		database_connection_flush(connection);
	else
		fail_attempt(connection, DATABASE_SESSION_UNUSABLE, PQerrorMessage(connection->conn));
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
	fail_attempt(connection, DATABASE_SESSION_UNREACHABLE, PQerrorMessage(connection->conn));
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
	fail_attempt(connection, DATABASE_SESSION_UNUSABLE, PQresultErrorMessage(rows));
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
		fail_attempt(connection, DATABASE_SESSION_UNREACHABLE, "it does not answer in time");
		return;
	}
	connection->conn = database_session_start(connection->settings.conninfo, connection->hosts.values);
	if (connection->conn == NULL || PQstatus(connection->conn) == CONNECTION_BAD) {
		fail_attempt(connection, DATABASE_SESSION_UNREACHABLE, PQerrorMessage(connection->conn));
		return;
	}
	connection->state = STATE_CONNECTING;
	PQsetNoticeProcessor(connection->conn, log_notice, NULL);
	loop_set_timer(connection->timer, connection->settings.response_timeout_ms);
	if (!watch(connection, EPOLLOUT))
		fail_attempt(connection, DATABASE_SESSION_UNREACHABLE, "its socket cannot be watched");
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

/* One that was not ready yet is an attempt that failed. */
static void drop(struct database_connection *connection, const char *reason, bool is_useless)
{
	if (connection->state != STATE_READY) {
		fail_attempt(connection, DATABASE_SESSION_UNREACHABLE, reason);
		return;
	}
	log_problem(connection, "the database connection is lost", reason);
	connection->was_useless = is_useless;
	connection->down_since_ms = loop_now_ms();
	if (connection->down_since_ms - connection->ready_since_ms > DELAY_MAX_USELESS_MS)
		connection->delay_ms = DELAY_MIN_MS;
	wait_for_next_attempt(connection);
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
