/* Carries an operation of the store through the database: parameters out, and back to whoever asked. */
#include "store_work.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"

const struct database_value STORE_NULL = { NULL, 0 };

struct database_value store_work_text(const char *text)
{
	return text == NULL ? STORE_NULL : (struct database_value){ text, strlen(text) };
}

struct database_value store_work_boolean(bool value)
{
	return (struct database_value){ value ? "\1" : "\0", 1 };
}

static size_t count_bytes(const struct database_value values[], size_t values_count)
{
	size_t size = 0;

	for (size_t i = 0; i < values_count; i++)
		size += values[i].size + 1;
	return size;
}

static void copy_values(struct store_work *work, const struct database_value values[], size_t values_count)
{
	char *end = work->bytes;

	for (size_t i = 0; i < values_count; i++) {
		if (values[i].bytes == NULL)
			continue;
		memcpy(end, values[i].bytes, values[i].size);
		end[values[i].size] = '\0';
		work->operation.parameters[i] = (struct database_value){ end, values[i].size };
		end += values[i].size + 1;
	}
}

struct store_work *store_work_open(struct store *store, int statement, const struct database_value values[],
				   size_t values_count, void *context)
{
	struct store_work *work = malloc(sizeof *work + count_bytes(values, values_count));

	if (work == NULL) {
		log_error("out of memory");
		return NULL;
	}
	memset(work, 0, sizeof *work);
	work->store = store;
	work->context = context;
	work->operation.statement = statement;
	copy_values(work, values, values_count);
	return work;
}

struct store_work *store_work_of(struct database_operation *operation)
{
	return (struct store_work *)operation;
}

void store_work_submit(struct store_work *work, enum database_lane lane, database_done_function *done)
{
	work->operation.lane = lane;
	work->operation.done = done;
	database_submit(work->store->database, &work->operation);
}
