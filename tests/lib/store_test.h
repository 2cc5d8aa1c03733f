#ifndef STORE_TEST_H
#define STORE_TEST_H

/* What a test of the store in C needs: an open store, and a connection of its own beside it. SHORTEN_DATABASE names a
 * migrated database. */

#include <dlfcn.h>
#include <libpq-fe.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>

#include "loop.h"
#include "store.h"
#include "tap.h"

/* 2026-01-01T12:00:00.123456Z */
#define NOON_US INT64_C(1767268800123456)

static struct loop *loop;
static struct store *store;

/* Looks at the tables and fills them, holds locks and ends sessions. */
static PGconn *other;

/* What came of an operation. Zeroed before it starts. */
struct outcome {
	bool is_done;
	bool is_reused; /* of a creation */
	enum result result;
	char id[ID_MAX + 1]; /* of a link or a key, or what a claim holds */
	char *text;          /* JSON; owned, freed by read_text */
};

/* ---- what the store sends */

/* How many transactions, and the socket of the last one. */
static int sent_count;
static int sent_socket;

/* In the place of libpq's. */
int PQpipelineSync(PGconn *conn)
{
	static int (*original)(PGconn *conn);

	if (original == NULL)
		original = (int (*)(PGconn *))dlsym(RTLD_NEXT, "PQpipelineSync");
	sent_count++;
	sent_socket = PQsocket(conn);
	return original(conn);
}

/* ---- the operations end here */

TAP_UNUSED static void text_done(void *context, enum result result, const char *text, size_t text_size)
{
	struct outcome *outcome = context;

	outcome->is_done = true;
	outcome->result = result;
	outcome->text = text != NULL ? strndup(text, text_size) : NULL;
}

TAP_UNUSED static void id_done(void *context, enum result result, const char *id)
{
	struct outcome *outcome = context;

	outcome->is_done = true;
	outcome->result = result;
	snprintf(outcome->id, sizeof outcome->id, "%s", id != NULL ? id : "");
}

TAP_UNUSED static void done(void *context, enum result result)
{
	id_done(context, result, NULL);
}

TAP_UNUSED static void link_done(void *context, enum result result, const struct link *link)
{
	struct outcome *outcome = context;

	id_done(context, result, link != NULL ? link->id : NULL);
	if (link != NULL && link->json != NULL)
		outcome->text = strndup(link->json, link->json_size);
}

/* ---- waiting */

/* Turns until it is done, for ten seconds at most. */
TAP_UNUSED static enum result wait_for(const struct outcome *outcome)
{
	int64_t end_ms = loop_now_ms() + 10000;

	/* What is submitted is sent at the end of a turn. */
	if (!outcome->is_done)
		loop_turn(loop, 0);
	while (!outcome->is_done && loop_now_ms() < end_ms)
		loop_turn(loop, 100);
	if (!outcome->is_done)
		ok(false, "the operation ends");
	return outcome->result;
}

/* The text of an operation that has ended, "" where there is none: valid until the next call. */
TAP_UNUSED static const char *read_text(struct outcome *outcome)
{
	static char *text;

	free(text);
	text = outcome->text;
	outcome->text = NULL;
	return text != NULL ? text : "";
}

/* Waits for all, forgets their texts, and counts those that end in this way. */
TAP_UNUSED static int count_results(struct outcome outcomes[], size_t count, enum result result)
{
	int right = 0;

	for (size_t i = 0; i < count; i++) {
		right += wait_for(&outcomes[i]) == result;
		read_text(&outcomes[i]);
	}
	return right;
}

/* ---- the other connection */

/* Runs a statement with these parameters, or NULL, and returns the first value that comes back, "" where there is none:
 * valid until the next call. */
TAP_UNUSED static const char *ask_with(const char *statement, int count, const char *const parameters[])
{
	static PGresult *rows;

	PQclear(rows);
	rows = parameters == NULL ? PQexec(other, statement) :
				    PQexecParams(other, statement, count, NULL, parameters, NULL, NULL, 0);
	if (PQresultStatus(rows) != PGRES_TUPLES_OK && PQresultStatus(rows) != PGRES_COMMAND_OK)
		ok(false, "%s: %s", statement, PQresultErrorMessage(rows));
	return PQntuples(rows) > 0 ? PQgetvalue(rows, 0, 0) : "";
}

TAP_UNUSED __attribute__((format(printf, 1, 2))) static const char *ask(const char *format, ...)
{
	char statement[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(statement, sizeof statement, format, arguments);
	va_end(arguments);
	return ask_with(statement, 0, NULL);
}

/* Asks until the answer is this one, for ten seconds at most. The loop turns meanwhile if it shall. */
TAP_UNUSED static void wait_for_answer(const char *statement, const char *answer, bool is_turning)
{
	int64_t end_ms = loop_now_ms() + 10000;
	bool is_there = false;

	while (!is_there && loop_now_ms() < end_ms) {
		if (is_turning)
			loop_turn(loop, 5);
		else
			usleep(5000);
		is_there = strcmp(ask("%s", statement), answer) == 0;
	}
	if (!is_there)
		ok(false, "%s gives %s", statement, answer);
}

/* ---- several processes at once */

#define PROCESSES 3

/* Which one this is; the first one is the test itself. */
static int process_number;

/* A process of its own, with a store of its own. What it returns is from 0 to 254. */
TAP_UNUSED static pid_t start_process(const struct config *config, int number, int (*work)(void))
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	process_number = number;
	tap_failures = 0;
	loop = loop_open();
	store = store_open(loop, config);
	int count = work();
	store_close(store);
	loop_close(loop);
	_exit(tap_failures == 0 ? count : 255);
}

/* Runs the work in several processes; returns the sum of what comes of it. */
TAP_UNUSED static int run_processes(const struct config *config, int (*work)(void))
{
	pid_t pids[PROCESSES];
	int count = 0;

	fflush(stdout);
	for (int i = 0; i < PROCESSES; i++)
		pids[i] = start_process(config, i + 1, work);
	for (int i = 0; i < PROCESSES; i++) {
		int status = 0;

		waitpid(pids[i], &status, 0);
		ok(WIFEXITED(status) && WEXITSTATUS(status) < 255, "process %d ends well", i + 1);
		count += WEXITSTATUS(status);
	}
	return count;
}

/* ---- all of it */

/* Opens what is above. Locks last as long as a test wants. */
TAP_UNUSED static void open_all(struct config *config)
{
	char problem[200] = "";

	if (!config_load(config, environ, problem, sizeof problem))
		tap_bail_out(problem);
	config->queue_timeout_ms = 60000;
	config->database_timeout_ms = 60000;
	ok(store_check(config, problem, sizeof problem), "the database can be used %s", problem);
	other = PQconnectdb(config->database);
	loop = loop_open();
	store = store_open(loop, config);
}

TAP_UNUSED static void close_all(void)
{
	struct outcome nothing = { 0 };

	store_close(store);
	loop_close(loop);
	read_text(&nothing);
	PQfinish(other);
}

#endif
