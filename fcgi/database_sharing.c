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
static bool write_arrays(struct database_sharing *sharing, const struct database_statement *statement,
			 const struct database_operation *first,
			 struct database_value values[DATABASE_PARAMETERS_MAX])
{
	for (int i = 0; i < statement->parameters_count; i++) {
		struct database_array *array = &sharing->arrays[i];

		database_array_start(array, statement->types[i]);
		for (const struct database_operation *operation = first; operation != NULL; operation = operation->next)
			database_array_add(array, operation->parameters[i]);
		values[i] = database_array_end(array);
		if (values[i].bytes == NULL)
			return false;
	}
	return true;
}

/* All parameters in binary form; of the results, texts are the same in both forms. */
static bool send_values(PGconn *conn, const struct database_statement *statement, const struct database_value values[])
{
	const char *bytes[DATABASE_PARAMETERS_MAX];
	int sizes[DATABASE_PARAMETERS_MAX];
	int formats[DATABASE_PARAMETERS_MAX];

	for (int i = 0; i < statement->parameters_count; i++) {
		bytes[i] = values[i].bytes;
		sizes[i] = (int)values[i].size;
		formats[i] = 1;
	}
	return PQsendQueryPrepared(conn, statement->name, statement->parameters_count, bytes, sizes, formats, 0) == 1;
}

bool database_sharing_send(struct database_sharing *sharing, PGconn *conn, const struct database_statement *statement,
			   const struct database_operation *first)
{
	struct database_value arrays[DATABASE_PARAMETERS_MAX];

	if (!statement->is_shared)
		return send_values(conn, statement, first->parameters);
	return write_arrays(sharing, statement, first, arrays) && send_values(conn, statement, arrays);
}

/* As strcmp does, for the key need not end in NUL. */
static int compare(const char *text, size_t size, struct database_value key)
{
	int order = memcmp(text, key.bytes, size < key.size ? size : key.size);

	if (order != 0)
		return order;
	return (size > key.size) - (size < key.size);
}

/* Among rows that are ordered by their first column, the key. */
static int search_row(const PGresult *rows, struct database_value key)
{
	int low = 0;
	int high = PQntuples(rows);

	while (low < high) {
		int middle = low + (high - low) / 2;
		int order = compare(PQgetvalue(rows, middle, 0), (size_t)PQgetlength(rows, middle, 0), key);

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
