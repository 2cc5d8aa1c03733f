#ifndef DATABASE_SETTINGS_H
#define DATABASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "database_value.h"

#define DATABASE_PARAMETERS_MAX 15

/* One statement that the database prepares on every connect.
 *
 * A statement with is_shared runs once for many operations, which costs the server a fraction of what
 * they cost one by one: each of its parameters is an array, with an element for each operation. The
 * first parameter is the key of an operation; rows, if any, begin with the key they belong to, are ordered
 * by it as bytes, and there is at most one for each key. When one operation fails, the statement must. */
struct database_statement {
	const char *name;
	const char *text;
	int parameters_count;
	bool is_shared;
	enum database_type types[DATABASE_PARAMETERS_MAX]; /* of the elements, where it is shared */
};

/* The texts and the table are borrowed for as long as the database is open. */
struct database_settings {
	const char *conninfo;
	const struct database_statement *statements;
	size_t statements_count;
	const char *setup; /* a query before all others, which sets lock_timeout and statement_timeout to $1 and $2,
			    * milliseconds as text, and what else the statements need */
	const char *check; /* a query for --check: NULL when the database can be used, else what is wrong with it */
	long queue_timeout_ms;
	long queue_max;
	long response_timeout_ms;
};

#endif
