#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "result.h"

/* Reads CSV (RFC 4180) record by record, with a fixed amount of memory. The separator is the comma, the semicolon or
 * the tab, whichever the first line has most of. Lines end with LF or CRLF; blank ones are skipped, and so is a byte
 * order mark at the beginning. A field that does not begin with a quote is taken as it is, quotes inside included. Before
 * the first record 64 KiB are waited for, or the end: a pipe may give less than the first line at a time. */

#define CSV_FIELD_MAX 65536   /* bytes of a field */
#define CSV_RECORD_MAX 262144 /* bytes of all fields of a record */
#define CSV_FIELDS_MAX 256

struct csv_field {
	const char *text; /* borrowed until the next record is read; with a NUL behind it, and none inside */
	size_t size;
};

struct csv_record {
	const struct csv_field *fields;
	size_t fields_count;
	long long line;      /* on which it starts, from 1; line breaks inside quotes count */
	long long last_line; /* on which it ends */
};

enum csv_result {
	CSV_RECORD,
	CSV_BAD_RECORD, /* it has no fields; *problem says why; the next record can be read */
	CSV_END,
	CSV_UNREADABLE, /* the source has failed, errno is its own */
};

/* As read(2): the number of bytes, 0 at the end, -1 for a failure. */
typedef ssize_t csv_read_function(void *context, char *bytes, size_t size);

struct csv_reader;

/* NULL when there is no memory. */
struct csv_reader *csv_open(csv_read_function *read, void *context) MUST_CHECK;
void csv_close(struct csv_reader *reader);

enum csv_result csv_read(struct csv_reader *reader, struct csv_record *record, const char **problem) MUST_CHECK;

#endif
