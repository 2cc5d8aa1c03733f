/* Tells errors of PostgreSQL apart by their SQLSTATE, never by their text, which is translated. */
#include "database_error.h"

#include <stddef.h>
#include <string.h>

/* The first row that matches decides; a prefix of two characters is a class. */
static const struct {
	const char *prefix;
	enum database_error error;
} rows[] = {
	{ "08", DATABASE_ERROR_CONNECTION },
	{ "57P01", DATABASE_ERROR_CONNECTION }, /* admin_shutdown */
	{ "57P02", DATABASE_ERROR_CONNECTION }, /* crash_shutdown */
	{ "57P03", DATABASE_ERROR_CONNECTION }, /* cannot_connect_now */
	{ "57P05", DATABASE_ERROR_CONNECTION }, /* idle_session_timeout */
	{ "25006", DATABASE_ERROR_USELESS }, /* read_only_sql_transaction: an old primary */
	{ "26000", DATABASE_ERROR_USELESS }, /* the prepared statement is gone: a pooler */
	{ "0A000", DATABASE_ERROR_USELESS }, /* cached plan must not change result type: a migration */
	{ "23505", DATABASE_ERROR_TAKEN },      /* unique_violation */
	{ "40", DATABASE_ERROR_CONFLICT },
	{ "55P03", DATABASE_ERROR_LOCKED }, /* lock_not_available: lock_timeout */
	{ "53", DATABASE_ERROR_PASSING }, /* insufficient resources: disk full, too many connections */
	{ "55", DATABASE_ERROR_PASSING }, /* object not in prerequisite state */
	{ "57", DATABASE_ERROR_PASSING }, /* query_canceled: statement_timeout */
	{ "58", DATABASE_ERROR_PASSING }, /* system error: input and output */
	{ "XX", DATABASE_ERROR_PASSING }, /* internal error */
};

enum database_error database_error_classify(const char *state)
{
	if (state == NULL)
		return DATABASE_ERROR_CONNECTION;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strncmp(state, rows[i].prefix, strlen(rows[i].prefix)) == 0)
			return rows[i].error;
	return DATABASE_ERROR_REFUSED;
}
