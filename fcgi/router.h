#ifndef ROUTER_H
#define ROUTER_H

#include "handle.h"

/* Gives a request to the handler of its method and path, or answers 404, 405 or 400 itself. `service`
 * is a struct service, borrowed until the request is answered. */
void router_dispatch(void *service, struct http_request *request);

#endif
