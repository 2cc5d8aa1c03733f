#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Takes a command line apart: --name VALUE, --name=VALUE, --flag and arguments, in any order. There are no short
 * options, so that an id may begin with '-'; one that begins with two goes behind "--". */

struct options_spec {
	const char *name; /* without the two '-' */
	bool has_value;
};

struct options {
	const char *verb; /* for what is said about mistakes */
	int argc;
	char **argv;
	int index; /* of the next word; 1 at first */
	bool is_behind_dashes;
};

enum options_result {
	OPTIONS_OPTION,   /* *spec is its index, *value its value; of one that has none "" */
	OPTIONS_ARGUMENT, /* *value */
	OPTIONS_END,
	OPTIONS_BAD, /* an unknown option, a missing or an unwanted value; it was said */
};

/* The next option or argument. Values are borrowed from argv. */
enum options_result options_next(struct options *options, const struct options_spec *specs, size_t specs_count,
				 size_t *spec, const char **value);

/* For verbs without options: takes exactly `count` arguments. False when there are more or fewer, or options; it
 * was said. `wanted` names them. */
bool options_take_arguments(struct options *options, size_t count, const char *wanted, const char **arguments);

/* Parses a whole number in decimal digits, without a sign; false when it is none, or outside the bounds. */
bool options_parse_number(const char *text, long long minimum, long long maximum, long long *number);

#endif
