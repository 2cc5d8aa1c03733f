/* Operations on stored links for those who manage them. */
#include "store_manage.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "database_array.h"
#include "store.h"
#include "store_work.h"

/* Values that need memory of their own until they are copied. */
struct scratch {
	struct database_array tags;
	char numbers[6][DATABASE_NUMBER_SIZE];
	size_t numbers_count;
};

static struct database_value number(struct scratch *scratch, int64_t value)
{
	return database_value_encode_number(value, scratch->numbers[scratch->numbers_count++]);
}

/* 0 is the number of an option that is not given. */
static struct database_value optional_number(struct scratch *scratch, int64_t value)
{
	return value == 0 ? STORE_NULL : number(scratch, value);
}

static struct database_value time_value(struct scratch *scratch, int64_t time_us)
{
	return database_value_encode_time(time_us, scratch->numbers[scratch->numbers_count++]);
}

static struct database_value optional_time(struct scratch *scratch, int64_t time_us)
{
	return time_us == LINK_NO_TIME ? STORE_NULL : time_value(scratch, time_us);
}

static struct database_value tags_value(struct scratch *scratch, const struct link_options *options)
{
	database_array_start(&scratch->tags, DATABASE_TEXT);
	for (size_t i = 0; i < options->tags_count; i++)
		database_array_add(&scratch->tags, store_work_text(options->tags[i]));
	return database_array_end(&scratch->tags);
}

/* A claim is locked before the link that it makes. */
enum key_rank {
	KEY_OF_CLAIM,
	KEY_OF_LINK,
};

/* All these statements have the id of the link as their second parameter. */
static void submit_keyed(struct store_work *work, database_done_function *done)
{
	work->operation.key = work->operation.parameters[1];
	work->operation.key_rank = KEY_OF_LINK;
	store_work_submit(work, DATABASE_KEYED, done);
}

#define OPTIONS_COUNT 7

/* In the order in which all statements have them. False when memory was short. */
static bool write_options(struct scratch *scratch, const struct link_options *options,
			  struct database_value values[OPTIONS_COUNT])
{
	values[0] = store_work_text(options->title);
	values[1] = tags_value(scratch, options);
	values[2] = optional_time(scratch, options->valid_from_us);
	values[3] = optional_time(scratch, options->expires_us);
	values[4] = optional_number(scratch, options->max_visits);
	values[5] = optional_number(scratch, options->redirect_status);
	values[6] = store_work_boolean(options->forwards_query);
	return values[1].bytes != NULL;
}

/* The first columns of a row are id, srcurl and JSON. */
static void read_link(struct link *link, const PGresult *rows, int row)
{
	*link = (struct link){
		.id = PQgetvalue(rows, row, 0),
		.srcurl = PQgetvalue(rows, row, 1),
		.srcurl_size = (size_t)PQgetlength(rows, row, 1),
		.json = PQgetvalue(rows, row, 2),
		.json_size = (size_t)PQgetlength(rows, row, 2),
		.seconds_left = -1,
	};
}

static void end_link(struct database_operation *operation, enum result result, enum result no_row,
		     const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	if (result == RESULT_OK && row < 0)
		result = no_row;
	if (result == RESULT_OK)
		read_link(&work->link, rows, row);
	work->done.link(work->context, result, result == RESULT_OK ? &work->link : NULL);
	free(work);
}

static void made_link_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	end_link(operation, result, RESULT_TAKEN, rows, row);
}

/* The first parameters of both statements are the same. */
static void link_added(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	if (result != RESULT_OK || row >= 0) {
		end_link(operation, result, RESULT_TAKEN, rows, row);
		return;
	}
	operation->statement = STORE_FIND_MADE_LINK;
	store_work_submit(store_work_of(operation), DATABASE_READ, made_link_found);
}

static void link_claimed(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	end_link(operation, result, RESULT_NOT_FOUND, rows, row);
}

#define NEW_LINK_COUNT 13
#define CLAIM_COUNT 2

/* The work of a statement that makes a link, with parameters of its own behind those of the link. */
static struct store_work *open_new_link(struct store *store, enum store_statement statement,
					const struct store_new_link *link, const struct database_value claim[CLAIM_COUNT],
					void *context)
{
	struct scratch scratch = { 0 };
	struct store_work *work = NULL;
	struct database_value values[NEW_LINK_COUNT + CLAIM_COUNT] = {
		store->base_url,
		store_work_text(link->id),
		store_work_text(link->mark),
		{ link->srcurl, link->srcurl_size },
		time_value(&scratch, link->created_us),
		store_work_text(link->owner),
	};

	if (claim != NULL)
		memcpy(values + NEW_LINK_COUNT, claim, CLAIM_COUNT * sizeof *claim);
	if (write_options(&scratch, link->options, values + 6))
		work = store_work_open(store, (int)statement, values, NEW_LINK_COUNT + (claim != NULL ? CLAIM_COUNT : 0),
				       context);
	database_array_close(&scratch.tags);
	return work;
}

void store_add_link(struct store *store, const struct store_new_link *link, store_link_function *done, void *context)
{
	struct store_work *work = open_new_link(store, STORE_ADD_LINK, link, NULL, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	work->done.link = done;
	submit_keyed(work, link_added);
}

void store_claim_link(struct store *store, const struct store_new_link *link, const unsigned char hash[DIGEST_SIZE],
		      const char *claimed, store_link_function *done, void *context)
{
	const struct database_value claim[CLAIM_COUNT] = {
		{ (const char *)hash, DIGEST_SIZE },
		store_work_text(claimed),
	};
	struct store_work *work = open_new_link(store, STORE_CLAIM_LINK, link, claim, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	work->done.link = done;
	work->operation.key = work->operation.parameters[NEW_LINK_COUNT];
	work->operation.key_rank = KEY_OF_CLAIM;
	store_work_submit(work, DATABASE_KEYED, link_claimed);
}

static void equal_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);
	const char *claimed = NULL;

	if (result == RESULT_OK && (row < 0 || PQgetisnull(rows, row, 0))) {
		result = RESULT_NOT_FOUND;
		claimed = row < 0 ? "" : PQgetvalue(rows, row, 3);
	}
	if (result == RESULT_OK)
		read_link(&work->link, rows, row);
	work->done.equal(work->context, result, result == RESULT_OK ? &work->link : NULL, claimed);
	free(work);
}

void store_find_equal_link(struct store *store, const struct store_new_link *link, const char *slug,
			   const unsigned char hash[DIGEST_SIZE], store_equal_function *done, void *context)
{
	struct scratch scratch = { 0 };
	struct store_work *work = NULL;
	struct database_value values[5 + OPTIONS_COUNT] = {
		store->base_url,
		*slug == '\0' ? (struct database_value){ (const char *)hash, DIGEST_SIZE } : STORE_NULL,
		store_work_text(slug),
		{ link->srcurl, link->srcurl_size },
		store_work_text(link->owner),
	};

	if (write_options(&scratch, link->options, values + 5))
		work = store_work_open(store, STORE_FIND_EQUAL_LINK, values, 5 + OPTIONS_COUNT, context);
	database_array_close(&scratch.tags);
	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL, NULL);
		return;
	}
	work->done.equal = done;
	store_work_submit(work, DATABASE_READ, equal_found);
}

static void end_done(struct database_operation *operation, enum result result, enum result no_row, int row)
{
	struct store_work *work = store_work_of(operation);

	work->done.done(work->context, result == RESULT_OK && row < 0 ? no_row : result);
	free(work);
}

static void use_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)rows;
	end_done(operation, result, RESULT_GONE, row);
}

/* A mark that is taken is that of an earlier try, which was cut off. */
static void link_used(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)rows;
	if (result != RESULT_OK || row >= 0) {
		end_done(operation, result == RESULT_TAKEN ? RESULT_OK : result, RESULT_OK, row);
		return;
	}
	operation->statement = STORE_FIND_USE;
	store_work_submit(store_work_of(operation), DATABASE_READ, use_found);
}

static void link_deleted(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)rows;
	end_done(operation, result, RESULT_NOT_FOUND, row);
}

static void start_done(struct store_work *work, database_done_function *ended, store_done_function *done, void *context)
{
	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	work->done.done = done;
	submit_keyed(work, ended);
}

void store_use_link(struct store *store, const char *id, const char *mark, store_done_function *done, void *context)
{
	struct scratch scratch = { 0 };
	const struct database_value values[] = {
		store_work_text(mark),
		store_work_text(id),
		time_value(&scratch, store_now_us()),
	};

	start_done(store_work_open(store, STORE_USE_LINK, values, 3, context), link_used, done, context);
}

void store_delete_link(struct store *store, const char *id, store_done_function *done, void *context)
{
	struct scratch scratch = { 0 };
	const struct database_value values[] = {
		time_value(&scratch, store_now_us()),
		store_work_text(id),
	};

	start_done(store_work_open(store, STORE_DELETE_LINK, values, 2, context), link_deleted, done, context);
}

/* Rows whose first column says whether the link was deleted, and whose second is the text. */
static void text_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);
	const char *text = NULL;
	size_t text_size = 0;

	if (result == RESULT_OK && row < 0)
		result = RESULT_NOT_FOUND;
	if (result == RESULT_OK && *PQgetvalue(rows, row, 0) == 't')
		result = RESULT_GONE;
	if (result == RESULT_OK) {
		text = PQgetvalue(rows, row, 1);
		text_size = (size_t)PQgetlength(rows, row, 1);
	}
	work->done.text(work->context, result, text, text_size);
	free(work);
}

static void start_text(struct store_work *work, enum database_lane lane, database_done_function *ended,
		       store_text_function *done, void *context)
{
	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL, 0);
		return;
	}
	work->done.text = done;
	if (lane == DATABASE_KEYED)
		submit_keyed(work, ended);
	else
		store_work_submit(work, lane, ended);
}

void store_show_link(struct store *store, const char *id, store_text_function *done, void *context)
{
	const struct database_value values[] = { store->base_url, store_work_text(id) };

	start_text(store_work_open(store, STORE_SHOW_LINK, values, 2, context), DATABASE_READ, text_found, done, context);
}

void store_count_visits(struct store *store, const char *id, const char *from, const char *to,
			store_text_function *done, void *context)
{
	const struct database_value values[] = { store_work_text(id), store_work_text(from), store_work_text(to) };

	start_text(store_work_open(store, STORE_COUNT_VISITS, values, 3, context), DATABASE_READ, text_found, done, context);
}

/* Where nothing was changed although the link is there and alive, its times did not fit. */
static void link_left(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	if (result == RESULT_OK && row >= 0 && *PQgetvalue(rows, row, 0) == 'f') {
		work->done.text(work->context, RESULT_CONFLICT, NULL, 0);
		free(work);
		return;
	}
	text_found(operation, result, rows, row);
}

/* The first parameters of both statements are the same. */
static void link_edited(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	if (result != RESULT_OK || row >= 0) {
		text_found(operation, result, rows, row);
		return;
	}
	operation->statement = STORE_SHOW_LINK;
	store_work_submit(work, DATABASE_READ, link_left);
}

void store_edit_link(struct store *store, const char *id, const struct store_edit *edit, store_text_function *done,
		     void *context)
{
	struct scratch scratch = { 0 };
	struct store_work *work = NULL;
	struct database_value values[5 + OPTIONS_COUNT] = {
		store->base_url,
		store_work_text(id),
		number(&scratch, edit->changes),
		{ edit->srcurl, edit->srcurl_size },
	};

	values[4 + OPTIONS_COUNT] = store_work_boolean(edit->is_enabled);
	if (write_options(&scratch, &edit->options, values + 4))
		work = store_work_open(store, STORE_EDIT_LINK, values, 5 + OPTIONS_COUNT, context);
	database_array_close(&scratch.tags);
	start_text(work, DATABASE_KEYED, link_edited, done, context);
}
