#ifndef DATABASE_ARRAY_H
#define DATABASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/* Texts written as one array literal (PostgreSQL manual, section 8.15.2). Start with { 0 }. */
struct database_array {
	char *text; /* owned, freed by database_array_close; NULL before the first start */
	size_t size;
	size_t room;
	bool is_short_of_memory;
};

/* Empties it, and keeps its memory. */
void database_array_start(struct database_array *array);

void database_array_add(struct database_array *array, const char *element);

/* The literal: borrowed until the array is started again or closed. NULL when memory was short. */
const char *database_array_end(struct database_array *array) MUST_CHECK;

void database_array_close(struct database_array *array);

#endif
