#ifndef GATEWAY_READER_H
#define GATEWAY_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "gateway_filter.h"

/* Reads from a connection for libfcgi: what the filter does not let through, and what comes too slowly, ends it. Part
 * of gateway; nobody else includes this. */

/* All zero for a new connection. */
struct gateway_reader {
	struct gateway_filter filter;
	unsigned reads_count;  /* of this request */
	int64_t read_since_ms; /* the time of the second one */
	bool has_failed;       /* for good */
};

/* At the beginning of each request. */
void gateway_reader_begin(struct gateway_reader *reader);

/* Until gateway_reader_stop all that libfcgi reads goes through this one: it has no name for a connection but its
 * descriptor. */
void gateway_reader_start(struct gateway_reader *reader);
void gateway_reader_stop(void);

/* The id of the last request that came. Before the first it is 1, which web servers use that have one request a
 * connection. */
unsigned gateway_reader_id(const struct gateway_reader *reader);

#endif
