/* What an SQLSTATE means.
 * modules: database_error */
#include "database_error.h"
#include "tap.h"

int main(void)
{
	static const struct {
		const char *state;
		enum database_error error;
	} rows[] = {
		{ NULL, DATABASE_ERROR_CONNECTION },    { "08006", DATABASE_ERROR_CONNECTION },
		{ "57P01", DATABASE_ERROR_CONNECTION }, { "57P03", DATABASE_ERROR_CONNECTION },
		{ "25006", DATABASE_ERROR_USELESS }, { "26000", DATABASE_ERROR_USELESS },
		{ "0A000", DATABASE_ERROR_USELESS }, { "40001", DATABASE_ERROR_CONFLICT },
		{ "40P01", DATABASE_ERROR_CONFLICT },   { "53100", DATABASE_ERROR_PASSING },
		{ "53300", DATABASE_ERROR_PASSING },    { "57014", DATABASE_ERROR_PASSING },
		{ "55P03", DATABASE_ERROR_LOCKED },    { "58030", DATABASE_ERROR_PASSING },
		{ "XX000", DATABASE_ERROR_PASSING },    { "23505", DATABASE_ERROR_TAKEN },
		{ "23514", DATABASE_ERROR_REFUSED },    { "22021", DATABASE_ERROR_REFUSED },
		{ "42P01", DATABASE_ERROR_REFUSED },    { "25P02", DATABASE_ERROR_REFUSED },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		is_int(database_error_classify(rows[i].state), rows[i].error, "%s",
		       rows[i].state != NULL ? rows[i].state : "none");
	return tap_done();
}
