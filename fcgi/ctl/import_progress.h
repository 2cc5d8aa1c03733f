#ifndef IMPORT_PROGRESS_H
#define IMPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Shows on a terminal how far an import is: one line, written again and again. Nothing where standard error is none. */

struct import_progress {
	bool is_terminal;
	int64_t shown_ms; /* when it was shown last */
};

/* No links are made yet, or at all. */
#define IMPORT_PROGRESS_NOT_MADE (-1)

void import_progress_start(struct import_progress *progress);
void import_progress_show(struct import_progress *progress, long long rows, long long made);

/* The same while rows are read: only now and then. */
void import_progress_count(struct import_progress *progress, long long rows);

/* To be called before anything else is said. */
void import_progress_wipe(const struct import_progress *progress);

#endif
