/* Executes one statement for many operations: arrays of parameters out, a row for each back. */
#include "database_sharing.h"

#include <libpq-fe.h>
#include <string.h>

bool database_sharing_can_join(const struct database_statement *statement, const struct database_operation *first,
			       const struct database_operation *operation)
{
	if (operation == NULL || operation->is_alone || first->is_alone)
		return false;
	return statement->is_shared && operation->statement == first->statement;
}

/* One array for each parameter, one element for each operation. */
static bool write_arrays(struct database_sharing *sharing, const struct database_operation *first, int count,
			 const char *parameters[DATABASE_PARAMETERS_MAX])
{
	for (int i = 0; i < count; i++) {
		struct database_array *array = &sharing->arrays[i];

		database_array_start(array);
		for (const struct database_operation *operation = first; operation != NULL; operation = operation->next)
			database_array_add(array, operation->parameters[i]);
		parameters[i] = database_array_end(array);
		if (parameters[i] == NULL)
			return false;
	}
	return true;
}

bool database_sharing_send(struct database_sharing *sharing, PGconn *conn, const struct database_statement *statement,
			   const struct database_operation *first)
{
	const char *arrays[DATABASE_PARAMETERS_MAX];
	const char *const *parameters = first->parameters;

	if (statement->is_shared) {
		if (!write_arrays(sharing, first, statement->parameters_count, arrays))
			return false;
		parameters = arrays;
	}
	return PQsendQueryPrepared(conn, statement->name, statement->parameters_count, parameters, NULL, NULL, 0) == 1;
}

/* Among rows that are ordered by their first column, the key. */
static int search_row(const PGresult *rows, const char *key)
{
	int low = 0;
	int high = PQntuples(rows);

	while (low < high) {
		int middle = low + (high - low) / 2;
		int order = strcmp(PQgetvalue(rows, middle, 0), key);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int database_sharing_find_row(const struct database_statement *statement, const struct database_operation *operation,
			      const PGresult *rows)
{
	if (statement->is_shared)
		return search_row(rows, operation->parameters[0]);
	return PQntuples(rows) > 0 ? 0 : -1;
}

void database_sharing_close(struct database_sharing *sharing)
{
	for (int i = 0; i < DATABASE_PARAMETERS_MAX; i++)
		database_array_close(&sharing->arrays[i]);
}
