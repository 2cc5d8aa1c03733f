#ifndef MEMORY_RESERVE_H
#define MEMORY_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/* For libraries that do not notice, or do not survive, that an allocation fails: whether all that they are going to
 * allocate will be there, `size` bytes in small blocks (with 16 bytes for the head of each). That is for certain only
 * until anybody else allocates; and glibc's malloc(3) is meant, and one thread. Costs no system call as a rule. */
bool memory_reserve_is_there(size_t size) MUST_CHECK;

#endif
