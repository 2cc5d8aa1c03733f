#ifndef IMPORT_COPY_H
#define IMPORT_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "ctl_database.h"
#include "import_link.h"

/* Sends links to a temporary table, import_links, by COPY in PostgreSQL's binary format, and from there into the
 * table of links. All of it stands in one transaction. Functions that fail have said why. */

/* Begins the transaction and the COPY. */
bool import_copy_start(struct ctl_database *database) MUST_CHECK;

/* Sends the link under one of its slugs; only the first one has its visits. `now_us` is when it was made, where the
 * file does not say. */
bool import_copy_put(struct ctl_database *database, const struct import_link *link, size_t slug, int64_t line,
		     int64_t now_us) MUST_CHECK;

/* Ends the COPY. */
bool import_copy_end(struct ctl_database *database) MUST_CHECK;

/* Gives all of it up. */
void import_copy_abort(struct ctl_database *database);

/* A link that cannot come in, as its id belongs to another one. */
typedef void import_copy_refused(void *context, int64_t line, const char *id, bool is_deleted);

struct import_copy_counts {
	long long imported;
	long long refused;
};

/* Makes the links that are not there yet, and names those whose ids belong to others, in the order of their lines.
 * A dry run makes nothing, and counts the same. Ends the transaction. */
bool import_copy_finish(struct ctl_database *database, bool is_dry, import_copy_refused *refused, void *context,
			struct import_copy_counts *counts) MUST_CHECK;

#endif
