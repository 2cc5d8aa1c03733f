/* Writes counted visits to the store again and again, in batches that are safe to repeat. */
#include "visit_writer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "id.h"
#include "log.h"
#include "visits.h"

#define RETRY_MS 200

/* A statement holds up the redirects behind it for a few milliseconds, not more. */
#define BATCH_MAX 250

typedef void store_function(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
			    size_t visits_count, store_done_function *done, void *context);

static const struct kind {
	store_function *store;
	const char *name;
	int64_t interval_ms;
	int64_t pause_ms; /* between the batches of one interval */
	size_t batch_max;
} kinds[] = {
	[VISIT_WRITER_COUNTS] = { store_add_visits, "visits", 1000, 0, BATCH_MAX },
	/* Each row costs several times as much, and nobody waits for it: it gets a tenth of the time. */
	[VISIT_WRITER_DAYS] = { store_add_days, "statistics", 5000, 50, 100 },
};

/* A process that has not written for this long will not repeat a batch. */
#define WRITER_LIFETIME_US (INT64_C(7) * 24 * 3600 * 1000000)

struct visit_writer {
	struct store *store;
	const struct kind *kind;
	struct visit_writer *next; /* borrowed; NULL: none */
	struct visits *counting; /* what is being visited now */
	struct visits *writing;  /* what the timer found, taken batch by batch */
	struct loop_timer *timer;
	char name[ID_SIZE + 1]; /* random: the database remembers the last batch of each writer */
	int64_t batch_number;
	struct visit batch[BATCH_MAX]; /* repeated as it is until it is known to be stored */
	size_t batch_count;
	bool is_under_way;
	bool has_forgotten;
	loop_function *written;
	void *written_context;
};

static bool is_empty(const struct visit_writer *writer)
{
	return writer->batch_count == 0 && visits_is_empty(writer->writing) && visits_is_empty(writer->counting);
}

static void batch_stored(void *context, enum result result);

static void swap(struct visit_writer *writer)
{
	struct visits *counting = writer->writing;

	writer->writing = writer->counting;
	writer->counting = counting;
}

/* Takes the next batch, unless the last one has to be repeated. */
static bool take_batch(struct visit_writer *writer)
{
	if (writer->batch_count > 0)
		return true;
	writer->batch_count = visits_take(writer->writing, writer->batch, writer->kind->batch_max);
	if (writer->batch_count == 0)
		return false;
	writer->batch_number++;
	return true;
}

static void write_batch(struct visit_writer *writer)
{
	if (writer->is_under_way)
		return;
	if (visits_is_empty(writer->writing) && writer->batch_count == 0)
		swap(writer);
	if (!take_batch(writer))
		return;
	writer->is_under_way = true;
	writer->kind->store(writer->store, writer->name, writer->batch_number, writer->batch, writer->batch_count,
			    batch_stored, writer);
}

static void writers_forgotten(void *context, enum result result)
{
	struct visit_writer *writer = context;

	writer->has_forgotten = result == RESULT_OK;
}

/* Once a process, when the database is known to be there. */
static void forget_writers(struct visit_writer *writer)
{
	if (writer->has_forgotten)
		return;
	writer->has_forgotten = true;
	store_forget_writers(writer->store, store_now_us() - WRITER_LIFETIME_US, writers_forgotten, writer);
}

static void end_flush(struct visit_writer *writer)
{
	loop_function *written = writer->written;

	writer->written = NULL;
	if (written != NULL)
		written(writer->written_context);
}

/* What the timer found is written without a pause; what has come since waits for the next second. */
static void continue_writing(struct visit_writer *writer)
{
	if (is_empty(writer))
		end_flush(writer);
	else if (writer->written == NULL && visits_is_empty(writer->writing))
		loop_set_timer(writer->timer, writer->kind->interval_ms);
	else if (writer->written == NULL && writer->kind->pause_ms > 0)
		loop_set_timer(writer->timer, writer->kind->pause_ms);
	else
		write_batch(writer);
}

static void pass_on(struct visit_writer *writer)
{
	for (size_t i = 0; i < writer->batch_count && writer->next != NULL; i++)
		visit_writer_count(writer->next, &writer->batch[i]);
}

static void batch_stored(void *context, enum result result)
{
	struct visit_writer *writer = context;

	writer->is_under_way = false;
	if (result == RESULT_OK) {
		pass_on(writer);
		writer->batch_count = 0;
		forget_writers(writer);
		continue_writing(writer);
		return;
	}
	/* Even when PostgreSQL refused it: nothing in a batch can be wrong by itself, so that the reason is
	 * outside, such as a missing permission, and passes. */
	loop_set_timer(writer->timer, writer->written != NULL ? RETRY_MS : writer->kind->interval_ms);
}

static void timer_expired(void *context)
{
	write_batch(context);
}

struct visit_writer *visit_writer_open(struct loop *loop, struct store *store, enum visit_writer_kind kind,
				       struct visit_writer *next)
{
	struct visit_writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL)
		return NULL;
	writer->store = store;
	writer->kind = &kinds[kind];
	writer->next = next;
	id_generate(writer->name);
	writer->counting = visits_open();
	writer->writing = visits_open();
	writer->timer = loop_open_timer(loop, timer_expired, writer);
	if (writer->counting != NULL && writer->writing != NULL && writer->timer != NULL)
		return writer;
	visit_writer_close(writer);
	return NULL;
}

void visit_writer_close(struct visit_writer *writer)
{
	if (writer == NULL)
		return;
	if (writer->counting != NULL && writer->writing != NULL && !is_empty(writer))
		log_error("%s are lost: they could not be written in time", writer->kind->name);
	visits_close(writer->counting);
	visits_close(writer->writing);
	loop_close_timer(writer->timer);
	free(writer);
}

void visit_writer_count(struct visit_writer *writer, const struct visit *visit)
{
	if (!visits_add(writer->counting, visit))
		log_error("%s are lost: the database has taken none for too long, or memory is short", writer->kind->name);
	if (!writer->is_under_way && !loop_is_timer_set(writer->timer))
		loop_set_timer(writer->timer, writer->kind->interval_ms);
}

void visit_writer_flush(struct visit_writer *writer, loop_function *written, void *context)
{
	writer->written = written;
	writer->written_context = context;
	if (is_empty(writer))
		end_flush(writer);
	else
		write_batch(writer);
}
