/* Keeps some memory back, so that a request can be read, and refused, when there is no other. */
#include "gateway_reserve.h"

#include <stdlib.h>

#include "memory_reserve.h"

/* Two buffers of 8 KiB and the parameters, of which lighttpd sends 64 KiB at most. Less than malloc would map by
 * itself, so that what is freed stays with the process. */
#define RESERVE_SIZE ((size_t)96 << 10)

static void *reserve;

bool gateway_reserve_is_there(void)
{
	if (reserve == NULL)
		reserve = malloc(RESERVE_SIZE);
	if (memory_reserve_is_there(RESERVE_SIZE))
		return true;
	bool was_there = reserve != NULL;

	free(reserve);
	reserve = NULL;
	return was_there;
}
