/* Finds keys, and notes their use. */
#include "store_keys.h"

#include <libpq-fe.h>
#include <stdlib.h>

#include "store.h"
#include "store_work.h"

#define NOTED_AGAIN_US (INT64_C(60) * 1000000)

static void touched(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	(void)result;
	(void)rows;
	(void)row;
	free(store_work_of(operation));
}

/* Nobody waits for it, and nothing depends on it. */
static void touch(struct store *store, const char *id)
{
	char time[DATABASE_NUMBER_SIZE];
	const struct database_value values[] = {
		store_work_text(id),
		database_value_encode_time(store_now_us(), time),
	};
	struct store_work *work = store_work_open(store, STORE_TOUCH_KEY, values, 2, NULL);

	if (work != NULL)
		store_work_submit(work, DATABASE_LATE, touched);
}

static void key_found(struct database_operation *operation, enum result result, const PGresult *rows, int row)
{
	struct store_work *work = store_work_of(operation);

	if (result == RESULT_OK && row < 0)
		result = RESULT_NOT_FOUND;
	if (result == RESULT_OK && *PQgetvalue(rows, row, 1) == 't')
		touch(work->store, PQgetvalue(rows, row, 0));
	work->done.key(work->context, result, result == RESULT_OK ? PQgetvalue(rows, row, 0) : NULL);
	free(work);
}

void store_find_key(struct store *store, const unsigned char hash[DIGEST_SIZE], store_key_function *done,
		    void *context)
{
	char time[DATABASE_NUMBER_SIZE];
	const struct database_value values[] = {
		{ (const char *)hash, DIGEST_SIZE },
		database_value_encode_time(store_now_us() - NOTED_AGAIN_US, time),
	};
	struct store_work *work = store_work_open(store, STORE_FIND_KEY, values, 2, context);

	if (work == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	work->done.key = done;
	store_work_submit(work, DATABASE_READ, key_found);
}
