#ifndef FORWARD_H
#define FORWARD_H

#include <stddef.h>

#include "result.h"

/* Appends the query of a visitor, as it came, to that of a Location, before the fragment: byte for byte, but what
 * may not stand in a Location, and a #, is percent-encoded. What the Location holds stays as it is and comes first.
 * An empty query changes nothing. Returns the new Location with its NUL: owned by the caller, freed by free(3); NULL
 * when memory is short. */
char *forward_query(const char *location, size_t location_size, const char *query, size_t *forwarded_size) MUST_CHECK;

#endif
