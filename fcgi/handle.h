#ifndef HANDLE_H
#define HANDLE_H

#include "config.h"
#include "http.h"
#include "keys.h"
#include "links.h"
#include "store.h"

/* What every handler works with. */
struct service {
	const struct config *config;
	struct links *links;
	struct store *store;
	struct keys *keys;
};

/* The endpoints; each answers its request exactly once, now or later. `path` is the request's path below the base
 * URL, percent-decoded, without the leading slash, or where the route has an ID in it that id, which is valid;
 * borrowed for the call. */
typedef void handle_function(struct http_request *request, const char *path, size_t path_size);

handle_function handle_home;
handle_function handle_style;
handle_function handle_hello;
handle_function handle_healthz;
handle_function handle_readyz;
handle_function handle_shorten;
handle_function handle_redirect;
handle_function handle_openapi;
handle_function handle_links_list;
handle_function handle_links_add;
handle_function handle_link_show;
handle_function handle_link_edit;
handle_function handle_link_delete;
handle_function handle_link_visits;

#endif
