#ifndef IMPORT_COPY_H
#define IMPORT_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "ctl_database.h"
#include "import_link.h"

/* Sends links to a temporary table, import_links, by COPY in PostgreSQL's binary format, and from there into the
 * table of links, in portions that are committed each by itself: whoever asks the service for an id that is being made
 * waits for the portion only. Functions that fail have said why, unless they were interrupted. */

/* Makes the temporary table and begins the COPY. */
bool import_copy_start(struct ctl_database *database) MUST_CHECK;

/* Where a link stands in the file. */
struct import_place {
	int64_t number; /* among those that are sent, from 0 */
	int64_t line;
};

/* Sends the link under one of its slugs; only the first one has its visits. `now_us` is when it was made, where the
 * file does not say. */
bool import_copy_put(struct ctl_database *database, const struct import_link *link, size_t slug,
		     struct import_place place, int64_t now_us) MUST_CHECK;

/* Ends the COPY. */
bool import_copy_end(struct ctl_database *database) MUST_CHECK;

/* Gives all of it up. */
void import_copy_abort(struct ctl_database *database);

struct import_copy_counts {
	long long imported;
	long long refused;
};

/* Who is told how it goes. */
struct import_copy_listener {
	void *context;
	/* A link that cannot come in, as its id belongs to another one. */
	void (*refused)(void *context, int64_t line, const char *id, bool is_deleted);
	/* A portion is committed. */
	void (*portion)(void *context, const struct import_copy_counts *counts);
};

/* Makes the links that are not there yet, and names those whose ids belong to others, in the order of their lines.
 * `total` is how many were sent. When it fails or is interrupted, the portions before stay, and *counts has them. */
bool import_copy_make(struct ctl_database *database, long long total, const struct import_copy_listener *listener,
		      struct import_copy_counts *counts) MUST_CHECK;

/* The same without making any. */
bool import_copy_try(struct ctl_database *database, const struct import_copy_listener *listener,
		     struct import_copy_counts *counts) MUST_CHECK;

#endif
