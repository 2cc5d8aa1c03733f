/* Finds the handler of a request: one table of paths and methods. */
#include "router.h"

#include <string.h>

#include "answer.h"
#include "id.h"

/* No known path is longer, percent-encoded or not. */
#define PATH_MAX_SIZE ((size_t)3 * (ID_MAX + 32))

#define READING (HTTP_GET | HTTP_HEAD)

/* An ID in a path stands for any id, and the handler gets it instead of the path. */
static const struct route {
	const char *path; /* below the base URL, without the leading slash */
	unsigned methods;
	handle_function *handle;
} routes[] = {
	{ "", READING, handle_home },
	{ "shorten", HTTP_POST, handle_shorten },
	{ "hello", READING, handle_hello },
	{ "healthz", READING, handle_healthz },
	{ "readyz", READING, handle_readyz },
	{ "app/style.css", READING, handle_style },
	{ "api/openapi.json", READING, handle_openapi },
	{ "api/links", READING, handle_links_list },
	{ "api/links", HTTP_POST, handle_links_add },
	{ "api/links/ID", READING, handle_link_show },
	{ "api/links/ID", HTTP_PATCH, handle_link_edit },
	{ "api/links/ID", HTTP_DELETE, handle_link_delete },
	{ "api/links/ID/visits", READING, handle_link_visits },
	/* Whatever can be an id leads to its link, unless it is a path of its own: so these come last. */
	{ "ID", READING, handle_redirect },
	/* As people type it so. */
	{ "ID/", READING, handle_redirect },
};

#define ROUTES_COUNT (sizeof routes / sizeof routes[0])

struct span {
	const char *start;
	size_t size;
};

/* Most paths are ids, and most ids show with their first character that they are no path of ours. */
static bool may_be_path_of(const struct route *route, struct span path)
{
	return *route->path == 'I' || path.size == 0 || *route->path == *path.start;
}

/* Whether the path is that of the route; `id` is what stands for ID in it, or else the whole path. */
static bool is_path_of(const struct route *route, struct span path, struct span *id)
{
	if (!may_be_path_of(route, path))
		return false;
	const char *mark = strstr(route->path, "ID");
	size_t head_size = mark != NULL ? (size_t)(mark - route->path) : strlen(route->path);
	size_t tail_size = mark != NULL ? strlen(mark + 2) : 0;

	*id = path;
	if (mark == NULL)
		return path.size == head_size && memcmp(path.start, route->path, head_size) == 0;
	if (path.size < head_size + tail_size || memcmp(path.start, route->path, head_size) != 0 ||
	    memcmp(path.start + path.size - tail_size, mark + 2, tail_size) != 0)
		return false;
	*id = (struct span){ path.start + head_size, path.size - head_size - tail_size };
	return id_is_valid(id->start, id->size);
}

/* A web server may pass the path with or without the part that belongs to the base URL. */
static const char *skip_base_path(const char *base_path, const char *path, size_t *path_size)
{
	size_t base_size = strlen(base_path);

	if (*path_size < base_size || memcmp(path, base_path, base_size) != 0)
		base_size = *path_size > 0 && *path == '/';
	*path_size -= base_size;
	return path + base_size;
}

/* The first path that fits is the one; of its rows the method chooses. */
static void dispatch(struct http_request *request, struct span path)
{
	const char *found = NULL;
	unsigned methods = 0;
	struct span id;

	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		if (found != NULL ? strcmp(found, routes[i].path) != 0 : !is_path_of(&routes[i], path, &id))
			continue;
		found = routes[i].path;
		methods |= routes[i].methods;
		if ((routes[i].methods & request->method) != 0) {
			routes[i].handle(request, id.start, id.size);
			return;
		}
	}
	if (found != NULL)
		answer_not_allowed(request, methods);
	else
		answer_error(request, 404, "There is nothing at this path; was the link copied whole?");
}

void router_dispatch(void *service, struct http_request *request)
{
	char decoded[PATH_MAX_SIZE + 1];
	size_t decoded_size;
	size_t raw_size = strcspn(request->target, "?");

	request->service = service;
	const char *raw = skip_base_path(request->service->config->base_path, request->target, &raw_size);
	if (raw_size > PATH_MAX_SIZE)
		answer_error(request, 404, "There is nothing at this path; was the link copied whole?");
	else if (!http_percent_decode(raw, raw_size, false, decoded, &decoded_size))
		answer_error(request, 400, "The path has a % without two hexadecimal digits behind it");
	else
		dispatch(request, (struct span){ decoded, decoded_size });
}
