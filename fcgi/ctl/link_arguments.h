#ifndef LINK_ARGUMENTS_H
#define LINK_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "id.h"
#include "link_rules.h"
#include "options.h"
#include "rfc3339.h"

/* What a command line says of a link, checked by the rules of the service. */

enum link_field {
	LINK_SRCURL,
	LINK_SLUG,
	LINK_TITLE,
	LINK_TAGS,
	LINK_VALID_FROM,
	LINK_EXPIRES,
	LINK_MAX_VISITS,
	LINK_REDIRECT_STATUS,
	LINK_FORWARD_QUERY,
	LINK_ENABLED,
	LINK_FIELDS_COUNT,
};

/* Longest texts: every character has at most 4 bytes. */
#define LINK_TITLE_SIZE (LINK_TITLE_MAX * 4)
#define LINK_TAGS_SIZE (LINK_TAGS_MAX * (LINK_TAG_MAX * 4 + 1))

struct link_arguments {
	bool is_given[LINK_FIELDS_COUNT];
	/* As the database takes them, NULL: none. They point into argv or into the arrays below. */
	const char *values[LINK_FIELDS_COUNT];
	const char *id; /* borrowed from argv; NULL unless the verb takes one */
	char srcurl[URL_SIZE_MAX + 1];
	char title[LINK_TITLE_SIZE + 1];
	char tags[LINK_TAGS_SIZE + 1]; /* with commas between them */
	size_t tags_count;
	int64_t times_us[2]; /* of validFrom and expires */
	char times[2][RFC3339_TIME_SIZE + 1];
};

/* Reads the options of a link and the one argument, which is the URL or, for edits, the id. Edits have more options.
 * False when something is wrong; it was said, and *status is what to exit with. */
bool link_arguments_read(struct link_arguments *arguments, const struct config *config, struct options *options,
			 bool is_edit, int *status);

#endif
