#ifndef DATABASE_ARRAY_H
#define DATABASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "database_value.h"
#include "result.h"

/* Values of one type as one array, in PostgreSQL's binary form: array_recv of arrayfuncs.c reads the number
 * of dimensions, whether there are NULLs, the type, the number of elements and the first subscript, each in
 * four bytes, and then each element behind its size. Start with { 0 }. */
struct database_array {
	char *bytes; /* owned, freed by database_array_close; NULL before the first start */
	size_t size;
	size_t room;
	unsigned int count;
	bool is_short_of_memory;
};

/* Empties it, and keeps its memory. */
void database_array_start(struct database_array *array, enum database_type type);

/* The value is copied. */
void database_array_add(struct database_array *array, struct database_value value);

/* The array as a value: borrowed until the array is started again or closed. Its bytes are NULL when memory
 * was short. */
struct database_value database_array_end(struct database_array *array) MUST_CHECK;

void database_array_close(struct database_array *array);

#endif
