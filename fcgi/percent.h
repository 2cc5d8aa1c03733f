#ifndef PERCENT_H
#define PERCENT_H

#include <stddef.h>

/* The byte that a percent-encoded triplet stands for (RFC 3986 section 2.1); -1 where the text begins with
 * none. */
int percent_parse_triplet(const char *text, size_t text_size);

#endif
