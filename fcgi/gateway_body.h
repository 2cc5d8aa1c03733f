#ifndef GATEWAY_BODY_H
#define GATEWAY_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

struct FCGX_Stream;

/* The body of a request. Part of gateway; nobody else includes this. */
struct gateway_body {
	char *text; /* owned, with a NUL behind it; NULL where there is none */
	size_t size;
	bool is_too_large;
	bool is_lost; /* there was no memory for it */
	bool is_short; /* not as many bytes as Content-Length says, or that is no number */
};

/* Reads to the end of the stream. `content_length` is the parameter, "" where there is none. False when
 * the connection broke, or sends on and on: then there is nobody to answer. */
bool gateway_body_read(struct gateway_body *body, struct FCGX_Stream *in, const char *content_length,
		       size_t size_max) MUST_CHECK;

void gateway_body_clear(struct gateway_body *body);

#endif
