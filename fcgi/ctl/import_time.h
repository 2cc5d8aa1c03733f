#ifndef IMPORT_TIME_H
#define IMPORT_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/* Parses the times that other shorteners export, into microseconds since 1970: 2024-05-01T12:00:00+02:00,
 * 2024-05-01 12:00:00.5+02, 2024-05-01 12:00 UTC, 2024-05-01T12:00:00+0200, 2024-05-01, and seconds or milliseconds
 * since 1970 (9 or 10, 12 or 13 digits). Without an offset it is UTC. `text` is trimmed. False when it is none. */
bool import_time_parse(const char *text, size_t text_size, int64_t *time_us) MUST_CHECK;

#endif
