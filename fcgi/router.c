/* Finds the handler of a request: one table of paths and methods. */
#include "router.h"

#include <string.h>

#include "answer.h"
#include "id.h"

/* No known path is longer, percent-encoded or not. */
#define PATH_MAX_SIZE ((size_t)3 * (ID_MAX + 1))

#define READING (HTTP_GET | HTTP_HEAD)

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
};

/* Whatever can be an id leads to its link. */
static const struct route redirect = { NULL, READING, handle_redirect };

static const struct route *find_route(const char *path, size_t path_size)
{
	for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++)
		if (strlen(routes[i].path) == path_size && memcmp(routes[i].path, path, path_size) == 0)
			return &routes[i];
	return id_is_valid(path, path_size) ? &redirect : NULL;
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

static void dispatch(struct http_request *request, const char *path, size_t path_size)
{
	/* An id with a slash behind it is the same link, as people type it so. */
	size_t id_size = path_size > 1 && path[path_size - 1] == '/' ? path_size - 1 : path_size;
	const struct route *route = find_route(path, path_size);

	if (route == NULL && id_size < path_size && id_is_valid(path, id_size)) {
		route = &redirect;
		path_size = id_size;
	}
	if (route == NULL)
		answer_error(request, 404, "There is nothing at this path; was the link copied whole?");
	else if ((route->methods & request->method) == 0)
		answer_not_allowed(request, route->methods);
	else
		route->handle(request, path, path_size);
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
		dispatch(request, decoded, decoded_size);
}
