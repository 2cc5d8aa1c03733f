/* Asks for memory on behalf of libraries that cannot do without. */
#include "memory_reserve.h"

#include <stdlib.h>

/* malloc maps what is larger than M_MMAP_THRESHOLD (mallopt(3)) by itself, and gives it back at once. Small blocks have
 * to be found elsewhere then, and there it asks for M_TOP_PAD more than it needs. */
#define MAPPED_MIN ((size_t)128 << 10)
#define TOP_PAD ((size_t)128 << 10)
#define PAGE_SIZE_MAX ((size_t)64 << 10)

bool memory_reserve_is_there(size_t size)
{
	/* The compiler knows that nobody would miss such a block, and would leave it out. */
	void *volatile block = malloc(size < MAPPED_MIN ? size : size + TOP_PAD + PAGE_SIZE_MAX);

	free(block);
	return block != NULL;
}
