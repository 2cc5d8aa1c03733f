/* Named operations on stored links: the SQL, and rows turned into structs. */
#include "store.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "database.h"
#include "database_array.h"
#include "id.h"
#include "log.h"

enum statement {
	STATEMENT_FIND_LINK,
	STATEMENT_INSERT_LINK,
	STATEMENT_FIND_SAME_LINK,
	STATEMENT_ADD_VISITS,
	STATEMENT_FORGET_WRITERS,
	STATEMENT_PING,
};

static const struct database_statement statements[] = {
	[STATEMENT_FIND_LINK] = {
		"find_link",
		"SELECT id, srcurl FROM shortenedurls WHERE id = ANY($1::text[]) ORDER BY id",
		1,
		true,
		{ DATABASE_TEXT },
	},
	/* A taken id fails the statement. ON CONFLICT would not, but looks each id up before it inserts it, which
	 * is a fifth of the server's work, and an id is taken next to never. */
	[STATEMENT_INSERT_LINK] = {
		"insert_link",
		"INSERT INTO shortenedurls (id, srcurl, created, lastaccessed)"
		" SELECT id, srcurl, created, created"
		" FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS l (id, srcurl, created)",
		3,
		true,
		{ DATABASE_TEXT, DATABASE_TEXT, DATABASE_TIMESTAMPTZ },
	},
	[STATEMENT_FIND_SAME_LINK] = {
		"find_same_link",
		"SELECT id FROM shortenedurls WHERE id = $1 AND srcurl = $2 AND created = $3",
		3,
		false,
		{ 0 },
	},
	/* The mark makes it safe to repeat: a batch that is in already finds its number taken, and adds
	 * nothing. As `setup` leaves nested loops only, the rows are updated in the order of their ids, so that
	 * two processes do not wait for each other; were it otherwise, PostgreSQL would end one of them
	 * (40P01), and it would be repeated. set_config ends with the transaction: visits need not wait for
	 * the disk. */
	[STATEMENT_ADD_VISITS] = {
		"add_visits",
		"WITH mark AS ("
		" INSERT INTO visit_writers AS w (writer, batch, written) VALUES ($1, $2::bigint, $3::timestamptz)"
		" ON CONFLICT (writer) DO UPDATE SET batch = EXCLUDED.batch, written = EXCLUDED.written"
		" WHERE w.batch < EXCLUDED.batch RETURNING set_config('synchronous_commit', 'off', true)"
		") UPDATE shortenedurls l"
		" SET visits = l.visits + s.visits, lastaccessed = GREATEST(l.lastaccessed, s.last)"
		" FROM (SELECT * FROM unnest($4::text[], $5::bigint[], $6::timestamptz[]) AS a (id, visits, last)"
		" ORDER BY id COLLATE \"C\") s CROSS JOIN mark WHERE l.id = s.id",
		6,
		false,
		{ 0 },
	},
	[STATEMENT_FORGET_WRITERS] = {
		"forget_writers",
		"DELETE FROM visit_writers WHERE written < $1",
		1,
		false,
		{ 0 },
	},
	[STATEMENT_PING] = { "ping", "SELECT 1", 0, false, { 0 } },
};

/* Every statement finds its rows by key, one after the other: one plan fits all its executions, and making it
 * anew for each batch would be most of a look-up. So no plan may suit only a table that was small, or not
 * analysed yet, when it was made. Where a table has to be read from end to end after all, that counts as so
 * dear that it would be compiled first, for a quarter of a second. Timeouts that the role or the conninfo sets
 * are left alone. */
static const char setup[] =
	"SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),"
	" set_config('enable_mergejoin', 'off', false), set_config('enable_hashjoin', 'off', false),"
	" set_config('jit', 'off', false),"
	" CASE current_setting('lock_timeout') WHEN '0' THEN set_config('lock_timeout', $1, false) END,"
	" CASE current_setting('statement_timeout') WHEN '0' THEN set_config('statement_timeout', $2, false) END";

/* What --check asks: what preparing the statements does not show. */
static const char check[] =
	"SELECT CASE WHEN current_setting('transaction_read_only') = 'on' THEN 'it only reads'"
	" WHEN NOT (has_table_privilege('shortenedurls', 'SELECT') AND has_table_privilege('shortenedurls', 'INSERT')"
	" AND has_table_privilege('shortenedurls', 'UPDATE') AND has_table_privilege('visit_writers', 'SELECT')"
	" AND has_table_privilege('visit_writers', 'INSERT') AND has_table_privilege('visit_writers', 'UPDATE')"
	" AND has_table_privilege('visit_writers', 'DELETE'))"
	" THEN 'the role ' || current_user || ' may not read and write its tables' END";

enum visit_array {
	VISIT_IDS,
	VISIT_COUNTS,
	VISIT_TIMES,
	VISIT_ARRAYS,
};

/* One operation under way, with its parameters behind it in the same allocation. */
struct work {
	struct database_operation operation; /* first, so that one is found from the other */
	struct store *store;
	void *context;
	store_link_function *link_done;
	store_done_function *done;
	struct link link;
	struct database_array *arrays; /* VISIT_ARRAYS of them, owned; NULL where there are no visits */
	char time[DATABASE_NUMBER_SIZE];
	char texts[]; /* of the parameters */
};

struct store {
	struct loop *loop;
	struct database *database;
};

static struct database_settings settings_of(const struct config *config)
{
	return (struct database_settings){
		.conninfo = config->database,
		.statements = statements,
		.statements_count = sizeof statements / sizeof statements[0],
		.setup = setup,
		.check = check,
		.queue_timeout_ms = config->queue_timeout_ms,
		.queue_max = config->queue_max,
		.response_timeout_ms = config->database_timeout_ms,
	};
}

struct store *store_open(struct loop *loop, const struct config *config)
{
	struct database_settings settings = settings_of(config);
	struct store *store = calloc(1, sizeof *store);

	if (store == NULL)
		return NULL;
	store->database = database_open(loop, &settings);
	if (store->database == NULL) {
		free(store);
		return NULL;
	}
	store->loop = loop;
	loop_at_turn_end(loop, database_send, store->database);
	return store;
}

void store_close(struct store *store)
{
	if (store == NULL)
		return;
	loop_at_turn_end(store->loop, NULL, NULL);
	database_close(store->database);
	free(store);
}

bool store_is_connected(const struct store *store)
{
	return database_is_connected(store->database);
}

bool store_check(const struct config *config, char *problem, size_t problem_size)
{
	struct database_settings settings = settings_of(config);

	return database_check(&settings, problem, problem_size);
}

int64_t store_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static struct work *open_work(struct store *store, enum statement statement, size_t texts_size, void *context)
{
	struct work *work = malloc(sizeof *work + texts_size);

	if (work == NULL) {
		log_error("out of memory");
		return NULL;
	}
	memset(work, 0, sizeof *work);
	work->store = store;
	work->operation.statement = (int)statement;
	work->context = context;
	return work;
}

static void submit(struct store *store, struct database_operation *operation, enum database_lane lane,
		   database_done_function *done)
{
	operation->lane = lane;
	operation->done = done;
	database_submit(store->database, operation);
}

static struct work *work_of(struct database_operation *operation)
{
	return (struct work *)operation;
}

static void free_work(struct work *work)
{
	for (size_t i = 0; work->arrays != NULL && i < VISIT_ARRAYS; i++)
		database_array_close(&work->arrays[i]);
	free(work->arrays);
	free(work);
}

static void end_link(struct work *work, enum result result)
{
	work->link_done(work->context, result, result == RESULT_OK ? &work->link : NULL);
	free_work(work);
}

static void work_done(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct work *work = work_of(operation);

	(void)rows;
	(void)row;
	work->done(work->context, result);
	free_work(work);
}

static void start(struct work *work, enum database_lane lane, store_done_function *done)
{
	work->done = done;
	submit(work->store, &work->operation, lane, work_done);
}

static void link_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct work *work = work_of(operation);

	if (result == RESULT_OK && row < 0)
		result = RESULT_NOT_FOUND;
	if (result == RESULT_OK) {
		work->link.srcurl = PQgetvalue(rows, row, 1);
		work->link.srcurl_size = (size_t)PQgetlength(rows, row, 1);
	}
	end_link(work, result);
}

void store_find_link(struct store *store, const char *id, store_link_function *done, void *context)
{
	size_t id_size = strlen(id);
	struct work *work = open_work(store, STATEMENT_FIND_LINK, id_size + 1, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	memcpy(work->texts, id, id_size + 1);
	work->link.id = work->texts;
	work->link_done = done;
	work->operation.parameters[0] = (struct database_value){ work->link.id, id_size };
	submit(work->store, &work->operation, DATABASE_READ, link_found);
}

static void same_link_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)rows;
	if (result == RESULT_OK && row < 0)
		result = RESULT_TAKEN;
	end_link(work_of(operation), result);
}

/* The id may be taken by this very link, when an earlier try was cut off. */
static void link_inserted(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct work *work = work_of(operation);

	(void)rows;
	(void)row;
	if (result != RESULT_TAKEN) {
		end_link(work, result);
		return;
	}
	work->operation.statement = STATEMENT_FIND_SAME_LINK;
	submit(work->store, &work->operation, DATABASE_READ, same_link_found);
}

void store_insert_link(struct store *store, const char *id, const char *srcurl, size_t srcurl_size,
		       int64_t created_us, store_link_function *done, void *context)
{
	size_t id_size = strlen(id);
	struct work *work = open_work(store, STATEMENT_INSERT_LINK, id_size + 1 + srcurl_size + 1, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	char *stored_url = work->texts + id_size + 1;
	memcpy(work->texts, id, id_size + 1);
	memcpy(stored_url, srcurl, srcurl_size);
	stored_url[srcurl_size] = '\0';
	work->link = (struct link){ .id = work->texts, .srcurl = stored_url, .srcurl_size = srcurl_size };
	work->link_done = done;
	work->operation.parameters[0] = (struct database_value){ work->link.id, id_size };
	work->operation.parameters[1] = (struct database_value){ work->link.srcurl, srcurl_size };
	work->operation.parameters[2] = database_value_encode_time(created_us, work->time);
	submit(work->store, &work->operation, DATABASE_WRITE, link_inserted);
}

static void add_visit(struct database_array arrays[VISIT_ARRAYS], const struct visit *visit)
{
	char number[DATABASE_NUMBER_SIZE];

	database_array_add(&arrays[VISIT_IDS], (struct database_value){ visit->id, strlen(visit->id) });
	database_array_add(&arrays[VISIT_COUNTS], database_value_encode_number(visit->count, number));
	database_array_add(&arrays[VISIT_TIMES], database_value_encode_time(visit->last_us, number));
}

/* Makes the arrays parameters of the statement, behind those that it has; false when memory was short. */
static bool add_visits(struct work *work, const struct visit visits[], size_t visits_count)
{
	static const enum database_type types[VISIT_ARRAYS] = {
		[VISIT_IDS] = DATABASE_TEXT,
		[VISIT_COUNTS] = DATABASE_BIGINT,
		[VISIT_TIMES] = DATABASE_TIMESTAMPTZ,
	};
	struct database_value *parameters = work->operation.parameters + 3;
	bool is_whole = true;

	work->arrays = calloc(VISIT_ARRAYS, sizeof *work->arrays);
	if (work->arrays == NULL)
		return false;
	for (size_t i = 0; i < VISIT_ARRAYS; i++)
		database_array_start(&work->arrays[i], types[i]);
	for (size_t i = 0; i < visits_count; i++)
		add_visit(work->arrays, &visits[i]);
	for (size_t i = 0; i < VISIT_ARRAYS; i++) {
		parameters[i] = database_array_end(&work->arrays[i]);
		is_whole = is_whole && parameters[i].bytes != NULL;
	}
	return is_whole;
}

void store_add_visits(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		      size_t visits_count, store_done_function *done, void *context)
{
	size_t writer_size = strlen(writer);
	struct work *work = open_work(store, STATEMENT_ADD_VISITS, writer_size + DATABASE_NUMBER_SIZE, context);

	if (work == NULL || !add_visits(work, visits, visits_count)) {
		done(context, RESULT_UNAVAILABLE);
		if (work != NULL)
			free_work(work);
		return;
	}
	memcpy(work->texts, writer, writer_size);
	work->operation.parameters[0] = (struct database_value){ work->texts, writer_size };
	work->operation.parameters[1] = database_value_encode_number(batch, work->texts + writer_size);
	work->operation.parameters[2] = database_value_encode_time(visits[0].last_us, work->time);
	start(work, DATABASE_LATE, done);
}

void store_forget_writers(struct store *store, int64_t before_us, store_done_function *done, void *context)
{
	struct work *work = open_work(store, STATEMENT_FORGET_WRITERS, 0, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	work->operation.parameters[0] = database_value_encode_time(before_us, work->time);
	start(work, DATABASE_LATE, done);
}

void store_ping(struct store *store, store_done_function *done, void *context)
{
	struct work *work = open_work(store, STATEMENT_PING, 0, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	start(work, DATABASE_READ, done);
}
