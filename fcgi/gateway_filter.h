#ifndef GATEWAY_FILTER_H
#define GATEWAY_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/* Watches the bytes of a FastCGI request on their way to libfcgi 2.4.2, which trusts them: it aborts when a
 * FCGI_GET_VALUES record has four names, or when the lengths of a name and its value have a sum past INT_MAX, allocates
 * whatever a length says, and reads on behind an error. Part of gateway; nobody else includes this.
 *
 * What passes is what lighttpd and nginx send: BEGIN_REQUEST, PARAMS to their empty record, STDIN to its empty record,
 * all with the same id (FastCGI specification 1.0, sections 3 to 5). A second request on a busy connection does not:
 * libfcgi answers it CANT_MPX_CONN, but skips parameters of the first one then. */

/* All that is not body: headers of records, padding, parameters. lighttpd sends 64 KiB of parameters at most, nginx
 * what large_client_header_buffers allow: 32 KiB by default. */
#define GATEWAY_FILTER_OVERHEAD_MAX ((size_t)1 << 20)

#define GATEWAY_FILTER_HEADER_SIZE 8

enum gateway_filter_part {
	GATEWAY_FILTER_BEGIN,
	GATEWAY_FILTER_PARAMETERS,
	GATEWAY_FILTER_BODY,
	GATEWAY_FILTER_END,   /* what follows is not looked at: libfcgi does not read it either */
	GATEWAY_FILTER_BROKEN,
};

/* All zero before the first byte. */
struct gateway_filter {
	enum gateway_filter_part part; /* what is expected */
	unsigned id;
	unsigned char header[GATEWAY_FILTER_HEADER_SIZE];
	size_t header_size;
	size_t content_left, padding_left; /* of the record at hand */
	bool holds_pairs;                  /* the record at hand does */
	size_t overhead;
	uint32_t length;      /* of a name or a value, as far as it has come */
	int length_left;      /* bytes that it still lacks */
	bool has_name_length; /* the next length is that of the value */
	size_t pair_left;     /* bytes of name and value that are still to come */
};

/* Takes what was read. False, and from then on always, when libfcgi must not see it. */
bool gateway_filter_take(struct gateway_filter *filter, const void *bytes, size_t size) MUST_CHECK;

#endif
