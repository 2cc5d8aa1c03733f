/* Counts visits in memory until they are written. */
#include "visits.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 256

/* Visits are appended as they come, which is all that a redirect pays for. Equal ids are added up when
 * the array is full and when a batch is taken. */
struct visits {
	struct visit *entries; /* owned */
	size_t count;
	size_t room;
	bool is_merged; /* ordered by id, each id once */
};

struct visits *visits_open(void)
{
	struct visits *visits = calloc(1, sizeof *visits);

	if (visits != NULL)
		visits->is_merged = true;
	return visits;
}

void visits_close(struct visits *visits)
{
	if (visits == NULL)
		return;
	free(visits->entries);
	free(visits);
}

static int compare(const void *left, const void *right)
{
	const struct visit *a = left;
	const struct visit *b = right;

	return strcmp(a->id, b->id);
}

static void merge(struct visits *visits)
{
	struct visit *entries = visits->entries;
	size_t kept = 0;

	if (visits->is_merged)
		return;
	qsort(entries, visits->count, sizeof *entries, compare);
	for (size_t i = 1; i < visits->count; i++) {
		if (compare(&entries[kept], &entries[i]) != 0) {
			entries[++kept] = entries[i];
			continue;
		}
		entries[kept].count += entries[i].count;
		entries[kept].robots_count += entries[i].robots_count;
		if (entries[i].last_us > entries[kept].last_us)
			entries[kept].last_us = entries[i].last_us;
	}
	visits->count = kept + 1;
	visits->is_merged = true;
}

/* Twice the room only when adding up has not freed half of it, so that neither is done too often. */
static bool make_room(struct visits *visits)
{
	if (visits->count < visits->room)
		return true;
	merge(visits);
	if (visits->room > 0 && visits->count <= visits->room / 2)
		return true;
	size_t room = visits->room > 0 ? visits->room * 2 : ROOM_MIN;
	if (visits->count >= VISITS_MAX)
		return visits->count < visits->room;
	struct visit *entries = realloc(visits->entries, room * sizeof *entries);
	if (entries == NULL)
		return visits->count < visits->room;
	visits->entries = entries;
	visits->room = room;
	return true;
}

bool visits_add(struct visits *visits, const struct visit *visit)
{
	if (!make_room(visits))
		return false;
	visits->entries[visits->count++] = *visit;
	visits->is_merged = false;
	return true;
}

bool visits_is_empty(const struct visits *visits)
{
	return visits->count == 0;
}

size_t visits_take(struct visits *visits, struct visit batch[], size_t batch_max)
{
	if (visits->count == 0)
		return 0;
	merge(visits);
	/* From the end, which leaves the others where they are. */
	size_t taken = visits->count < batch_max ? visits->count : batch_max;
	visits->count -= taken;
	memcpy(batch, visits->entries + visits->count, taken * sizeof *batch);
	return taken;
}
