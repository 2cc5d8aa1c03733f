/* Keeps one connection to PostgreSQL: connects in the background, prepares the statements, comes back. */
#include "database_connection.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

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
	long delay_ms;
	int64_t down_since_ms;
	size_t prepared_count;
	char problem[256]; /* the last one logged, so that a long outage is no long log */
};

static void attempt(void *context);

typedef PGconn *connect_function(const char *const *names, const char *const *values, int expand_dbname);

/* What the user's conninfo leaves out; a value in it wins, as it is expanded last. An unacknowledged
 * packet or a silent peer would otherwise hold the connection for a quarter of an hour. */
static PGconn *start_connecting(connect_function *start, const char *conninfo)
{
	static const char *const names[] = { "connect_timeout", "keepalives_idle", "keepalives_interval",
					     "keepalives_count", "tcp_user_timeout", "fallback_application_name",
					     "client_encoding", "dbname", NULL };
	const char *const values[] = { "5", "10", "5", "3", "10000", "shorten.fcgi", "UTF8", conninfo, NULL };

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
	bool is_awaited = !database_connection_is_down(connection, connection->settings.queue_timeout_ms);
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

static void fail_attempt(struct database_connection *connection, const char *what)
{
	log_problem(connection, what, PQerrorMessage(connection->conn));
	wait_for_next_attempt(connection);
}

static void prepare_statements(struct database_connection *connection)
{
	PGconn *conn = connection->conn;
	const struct database_settings *settings = &connection->settings;
	bool is_sent = PQsetnonblocking(conn, 1) == 0 && PQenterPipelineMode(conn) == 1;

	for (size_t i = 0; i < settings->statements_count && is_sent; i++)
		is_sent = PQsendPrepare(conn, settings->statements[i].name, settings->statements[i].text, 0, NULL) == 1;
	connection->state = STATE_PREPARING;
	connection->prepared_count = 0;
	if (!is_sent || PQpipelineSync(conn) != 1 || !watch(connection, EPOLLIN)) {
		fail_attempt(connection, "cannot prepare the database connection");
		return;
	}
	database_connection_flush(connection);
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
	fail_attempt(connection, "cannot connect to the database");
}

static void become_ready(struct database_connection *connection)
{
	loop_stop_timer(connection->timer);
	connection->state = STATE_READY;
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
	if (status == PGRES_COMMAND_OK) {
		PQclear(rows);
		connection->prepared_count++;
		return true;
	}
	log_problem(connection, "the database is not as this program needs it (was it migrated?)",
		    PQresultErrorMessage(rows));
	PQclear(rows);
	wait_for_next_attempt(connection);
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

static void give_up_attempt(struct database_connection *connection)
{
	log_problem(connection, "cannot connect to the database", "it does not answer in time");
	wait_for_next_attempt(connection);
}

static int count_hosts(PGconn *conn)
{
	PQconninfoOption *options = PQconninfo(conn);
	int count = 1;

	for (const PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
		int commas = 0;

		if (strcmp(option->keyword, "host") != 0 && strcmp(option->keyword, "hostaddr") != 0)
			continue;
		for (const char *c = option->val; c != NULL && *c != '\0'; c++)
			commas += *c == ',';
		if (commas + 1 > count)
			count = commas + 1;
	}
	PQconninfoFree(options);
	return count;
}

/* Each host of a list may take the whole time-out. */
static int64_t connecting_time_ms(const struct database_connection *connection)
{
	return (int64_t)count_hosts(connection->conn) * connection->settings.response_timeout_ms;
}

static void attempt(void *context)
{
	struct database_connection *connection = context;

	if (connection->state != STATE_WAITING) {
		give_up_attempt(connection);
		return;
	}
	connection->conn = start_connecting(PQconnectStartParams, connection->settings.conninfo);
	if (connection->conn == NULL || PQstatus(connection->conn) == CONNECTION_BAD) {
		fail_attempt(connection, "cannot connect to the database");
		return;
	}
	connection->state = STATE_CONNECTING;
	loop_set_timer(connection->timer, connecting_time_ms(connection));
	if (!watch(connection, EPOLLOUT))
		fail_attempt(connection, "cannot connect to the database");
}

static bool is_conninfo_valid(const char *conninfo)
{
	char *problem = NULL;
	PQconninfoOption *options = PQconninfoParse(conninfo, &problem);

	if (options == NULL)
		log_error("SHORTEN_DATABASE is not valid: %.*s", (int)strcspn(problem != NULL ? problem : "", "\n"),
			  problem != NULL ? problem : "");
	PQconninfoFree(options);
	PQfreemem(problem);
	return options != NULL;
}

struct database_connection *database_connection_open(struct loop *loop, const struct database_settings *settings,
						     const struct database_connection_events *events)
{
	struct database_connection *connection;

	if (!is_conninfo_valid(settings->conninfo))
		return NULL;
	connection = calloc(1, sizeof *connection);
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
	if (connection->timer == NULL) {
		free(connection);
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

void database_connection_drop(struct database_connection *connection, const char *reason)
{
	bool was_ready = connection->state == STATE_READY;

	log_problem(connection, "the database connection is lost", reason);
	if (was_ready)
		connection->down_since_ms = loop_now_ms();
	wait_for_next_attempt(connection);
	if (was_ready)
		connection->events.lost(connection->events.context);
}

bool database_connection_is_down(const struct database_connection *connection, long longer_than_ms)
{
	return connection->state != STATE_READY && loop_now_ms() - connection->down_since_ms > longer_than_ms;
}

static bool prepare_blocking(PGconn *conn, const struct database_settings *settings)
{
	bool is_prepared = PQstatus(conn) == CONNECTION_OK;

	for (size_t i = 0; i < settings->statements_count && is_prepared; i++) {
		PGresult *rows = PQprepare(conn, settings->statements[i].name, settings->statements[i].text, 0, NULL);

		is_prepared = PQresultStatus(rows) == PGRES_COMMAND_OK;
		PQclear(rows);
	}
	return is_prepared;
}

bool database_connection_check(const struct database_settings *settings, char *problem, size_t problem_size)
{
	PGconn *conn = start_connecting(PQconnectdbParams, settings->conninfo);
	bool is_prepared = prepare_blocking(conn, settings);

	if (!is_prepared)
		snprintf(problem, problem_size, "%.*s", (int)strcspn(PQerrorMessage(conn), "\n"), PQerrorMessage(conn));
	PQfinish(conn);
	return is_prepared;
}
