#ifndef GATEWAY_H
#define GATEWAY_H

#include <stdbool.h>
#include <stddef.h>

#include "http.h"
#include "loop.h"
#include "result.h"

/* Turns FastCGI requests into struct http_request and writes struct http_response back: the only
 * module that knows libfcgi. Connections that the web server keeps open wait in the loop. A request is read, and its
 * answer written, without a turn of the loop: the web server has to send and take them in one go, and one that stops is
 * waited for, 2 s at a time and about 6 s in all. */
struct gateway;

typedef void gateway_request_function(void *context, struct http_request *request);

struct gateway_settings {
	int listen_descriptor; /* made non-blocking here; closed by gateway_drain, otherwise the caller's */
	size_t connections_max;
	size_t body_max;
	gateway_request_function *received;
	/* Whether requests can be served now. When not, other processes that share the socket get the connections. */
	bool (*is_able)(void *context);
	void *context;
};

/* NULL, with a line in the log, when the kernel or libfcgi refuses. One gateway a process. */
struct gateway *gateway_open(struct loop *loop, const struct gateway_settings *settings) MUST_CHECK;

/* Closes every connection; requests not answered yet are dropped, and must not be answered later. */
void gateway_close(struct gateway *gateway);

/* Takes what waits in the socket's queue, closes the socket, finishes the requests in hand and calls `drained`, from
 * the loop, when the last connection has gone. Idle connections are closed; on one in use the next answer is the
 * last. */
void gateway_drain(struct gateway *gateway, loop_function *drained, void *context);

#endif
