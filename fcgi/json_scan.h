#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stddef.h>

#include "result.h"

/* The scan refuses what json-c lets through: it looks at each token by itself, and leaves it to json-c to refuse
 * what is wrong with their order. */

/* Levels of objects and arrays. */
#define JSON_SCAN_DEPTH_MAX 8

/* An object takes json-c 800 bytes, an array 400, though they be empty, and any other value some 64. These are more
 * than the longest array of links can have: 1,000 objects and as many arrays of tags, and about 35 values in each. */
#define JSON_SCAN_CONTAINERS_MAX 2100
#define JSON_SCAN_COMMAS_MAX 40000

/* What a text has outside strings. */
struct json_scan_counts {
	size_t containers; /* objects and arrays, at all levels */
	size_t members;    /* colons: one for each member that the text names */
	size_t commas;
};

/* Returns one sentence for the client (static), or NULL where the tokens of the text are those of RFC 8259.
 * Refused: invalid UTF-8, NUL (raw or \u0000), raw control characters in strings, unpaired surrogates, more
 * levels than JSON_SCAN_DEPTH_MAX, more objects, arrays and commas than above, and what no JSON has: single
 * quotes, comments, NaN, Infinity, 00, `1.`. *counts is of the whole text only where there is no problem. */
const char *json_scan_problem(const char *text, size_t text_size, struct json_scan_counts *counts) MUST_CHECK;

#endif
