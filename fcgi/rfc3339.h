#ifndef RFC3339_H
#define RFC3339_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/* Times as text (RFC 3339 section 5.6: date-time), with an offset always: 2026-11-30T12:00:00Z,
 * 2026-11-30t15:00:00.5+03:00. */

/* The size of what rfc3339_write_time writes: 2026-11-30T12:00:00.000000Z, without the NUL. */
#define RFC3339_TIME_SIZE 27

/* The size of a date: 2026-11-30. */
#define RFC3339_DATE_SIZE 10

/* Parses a time into microseconds since 1970; `text` needs no NUL. False when it is none: no offset, a day that the
 * month has not, an hour over 23, an offset over 23:59, a year before 1970 or after 9999 (in UTC). Second 60 is
 * taken for the second after it. Digits behind the microseconds are cut off. T and Z may be small, and a blank may
 * stand for T. */
bool rfc3339_parse_time(const char *text, size_t text_size, int64_t *time_us) MUST_CHECK;

/* Writes a time in UTC, with its NUL; times outside the years 1970 to 9999 are taken for the nearest. */
void rfc3339_write_time(int64_t time_us, char text[RFC3339_TIME_SIZE + 1]);

/* Parses a date, 2026-11-30, into days since 1970; false when it is none, as above. */
bool rfc3339_parse_date(const char *text, size_t text_size, int64_t *days) MUST_CHECK;

/* Writes a date, with its NUL. */
void rfc3339_write_date(int64_t days, char text[RFC3339_DATE_SIZE + 1]);

#endif
