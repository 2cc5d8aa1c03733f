#ifndef SAY_H
#define SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "result.h"

/* What shortenctl says to people. */

/* Writes "shortenctl: ", the text and a line feed to standard error. Control characters of the text become '?', so
 * that nothing from a file or a database acts on the terminal. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a wrong command line; names the help of the verb ("key add"; "" for shortenctl itself) and returns
 * VERB_USAGE. */
int say_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The sentence of link_rules without the word "Parameter " that it has for clients of the service. */
const char *say_rule(const char *problem);

/* Writes text with '?' for control characters. */
void say_text(FILE *file, const char *text);

/* Writes "1 link", "2 links", "0 rows". */
void say_count(FILE *file, long long count, const char *one, const char *many);

/* Writes bytes to standard output; say_flush tells whether that went well. */
void say_write(const void *bytes, size_t bytes_size);

/* Flushes standard output. False when not all of it could be written; it says so unless the reader has gone. */
bool say_flush(void) MUST_CHECK;

#endif
