#ifndef FORM_BODY_H
#define FORM_BODY_H

#include <stddef.h>

#include "result.h"

/* A body of type application/x-www-form-urlencoded, as browsers and `curl -d` send it; the query of a request is
 * written in the same way. */
struct form_body;

/* More fields than any form of ours has; without a bound, looking for equal names would take long. */
#define FORM_BODY_FIELDS_MAX 64

/* Parses a form (WHATWG URL, application/x-www-form-urlencoded parsing). Returns it (owned, freed by
 * form_body_free) or NULL with one sentence for the client in *problem (static), which is NULL when memory was short.
 * Refused: a % without
 * two hexadecimal digits, NUL, invalid UTF-8, a name that occurs twice, and more than
 * FORM_BODY_FIELDS_MAX fields. Empty pairs are skipped. */
struct form_body *form_body_parse(const char *text, size_t text_size, const char **problem)
	MUST_CHECK;
void form_body_free(struct form_body *form);

/* The value of a field, or NULL. Borrowed until form_body_free, with a NUL behind it. */
const char *form_body_find(const struct form_body *form, const char *name, size_t *value_size);

/* The name of the first field that is not among the names; NULL where there is none. Borrowed. */
const char *form_body_find_unknown(const struct form_body *form, const char *const names[], size_t names_count);

#endif
