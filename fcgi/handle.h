#ifndef HANDLE_H
#define HANDLE_H

#include "config.h"
#include "http.h"
#include "links.h"
#include "store.h"

/* What every handler works with. */
struct service {
	const struct config *config;
	struct links *links;
	struct store *store;
};

/* The endpoints; each answers its request exactly once, now or later. `path` is the request's path
 * below the base URL, percent-decoded, without the leading slash; borrowed for the call. */
typedef void handle_function(struct http_request *request, const char *path, size_t path_size);

handle_function handle_home;
handle_function handle_style;
handle_function handle_hello;
handle_function handle_healthz;
handle_function handle_readyz;
handle_function handle_shorten;
handle_function handle_redirect;

#endif
