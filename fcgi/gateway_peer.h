#ifndef GATEWAY_PEER_H
#define GATEWAY_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "gateway_filter.h"

/* The other end of a connection, as libfcgi gets to see it: what the filter does not let through ends the connection,
 * and so does a peer that sends or takes too slowly. Part of gateway; nobody else includes this. */

struct gateway_pace {
	unsigned calls_count;
	int64_t since_ms; /* the time of the second one */
};

/* All zero for a new connection. */
struct gateway_peer {
	struct gateway_filter filter;
	struct gateway_pace reading; /* of this request */
	struct gateway_pace writing; /* of its answer */
	bool is_to_let_go;
	bool has_failed; /* for good */
};

/* At the beginning of each request. */
void gateway_peer_begin(struct gateway_peer *peer);

/* Until gateway_peer_stop all that libfcgi reads and writes goes through this one: it has no name for a connection but
 * its descriptor. */
void gateway_peer_start(struct gateway_peer *peer);
void gateway_peer_stop(void);

/* Asks the web server to close a connection that it keeps, by a record that no request awaits; never waits. nginx
 * closes it, or, where it has just taken it for a request, skips the record and gets its answer. Others may do nothing. */
void gateway_peer_let_go(const struct gateway_peer *peer, int descriptor);

/* The same, in one system call with what libfcgi writes next, so that the web server reads both at once. */
void gateway_peer_let_go_behind(struct gateway_peer *peer);

#endif
