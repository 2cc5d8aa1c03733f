#ifndef BASE_URL_H
#define BASE_URL_H

#include <stdbool.h>

#include "config.h"
#include "result.h"

/* The base URL, where shortenctl cannot do without: the default of the responders is for tests, and short URLs that
 * begin with it would lead nowhere. */

/* What is said where it is missing; to be compared by address. */
extern const char base_url_missing[];

/* NULL when the environment has it, otherwise base_url_missing. */
const char *base_url_problem(void) MUST_CHECK;

/* The id that an argument names: the argument itself, or what stands behind the base URL. False when it is a URL and
 * there is no base URL; it was said. */
bool base_url_find_id(const struct config *config, const char *argument, const char **id) MUST_CHECK;

#endif
