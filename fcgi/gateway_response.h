#ifndef GATEWAY_RESPONSE_H
#define GATEWAY_RESPONSE_H

#include <stdbool.h>

#include "gateway_peer.h"
#include "http.h"
#include "result.h"

struct FCGX_Request; /* of fcgiapp.h */

/* Writes the response to a request and ends it on the wire. Part of gateway; nobody else includes this.
 * Without has_body only the header goes out, as HEAD wants it. False when the peer has gone. */
bool gateway_response_write(struct FCGX_Request *fcgi, const struct http_response *response, bool has_body) MUST_CHECK;

/* The same on a connection that the web server means to keep, so that it does not keep it. It still
 * has to be closed. */
void gateway_response_write_last(struct FCGX_Request *fcgi, struct gateway_peer *peer,
				 const struct http_response *response, bool has_body);

#endif
