#ifndef VISITS_H
#define VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "id.h"
#include "result.h"

/* Visits that are counted but not yet written. Plain memory: it knows nothing of time or database. */
struct visits;

/* So many links are counted at most; about 9 MB. More are only there when the database takes none. */
#define VISITS_MAX 100000

struct visit {
	char id[ID_MAX + 1];
	int64_t count;
	int64_t robots_count; /* apart from the others */
	int64_t last_us;      /* the latest, microseconds since 1970 */
};

struct visits *visits_open(void) MUST_CHECK;
void visits_close(struct visits *visits);

/* Adds visits of one link; false when memory is short or too many links have been visited. */
bool visits_add(struct visits *visits, const struct visit *visit) MUST_CHECK;

bool visits_is_empty(const struct visits *visits);

/* Moves up to batch_max links with their visits into `batch`, ordered by id (as memcmp does), each id
 * once, and returns how many. */
size_t visits_take(struct visits *visits, struct visit batch[], size_t batch_max);

#endif
