#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "csv.h"
#include "import_link.h"

/* The files that can be imported, and which of their columns mean what. */

struct import_format;

#define IMPORT_FORMATS_HELP "auto, shorten, shlink, yourls, kutt or bitly"

/* A format, and at which place of a row each of its fields stands. */
struct import_columns {
	const struct import_format *format; /* static */
	bool is_own;
	size_t count; /* of columns in the header line */
	/* 0: there is no such column, otherwise its place, from 1. */
	size_t places[IMPORT_FIELDS_COUNT];
};

/* Whether there is such a format, or it is "auto". */
bool import_formats_is_known(const char *name);

/* Finds out what the columns mean. Names have no case, and only their letters and digits count: "Long URL" is long_url
 * and longUrl. NULL, or a sentence when the header line is none of the format `name`, or of any when it is "auto". */
const char *import_formats_read_header(const char *name, const struct csv_record *header,
				       struct import_columns *columns) MUST_CHECK;

/* The name for people: "Shlink". */
const char *import_formats_title(const struct import_columns *columns);

/* Whether the column at this place, from 1, means anything. */
bool import_formats_uses(const struct import_columns *columns, size_t place);

/* The values of a row, to be given to import_link_read. NULL, or a sentence when it has more or fewer fields than the
 * header line. */
const char *import_formats_read_row(const struct import_columns *columns, const struct csv_record *record,
				    struct import_text values[IMPORT_FIELDS_COUNT], char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

#endif
