/* GET /ID: sends the visitor to the link's URL and counts the visit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "handle.h"
#include "log.h"
#include "pages.h"
#include "url.h"

#define BODY_START "<!DOCTYPE html><title>Redirect</title><a href=\""
#define BODY_END "\">This link leads here</a>\n"

/* One line for the rare client that does not follow; NULL when memory is short. */
static char *write_body(const char *location, size_t location_size, size_t *body_size)
{
	char *body = malloc(sizeof BODY_START + location_size * PAGES_ESCAPE_GROWTH + sizeof BODY_END);
	size_t size = sizeof BODY_START - 1;

	*body_size = 0;
	if (body == NULL)
		return NULL;
	memcpy(body, BODY_START, size);
	size += pages_escape(location, location_size, body + size);
	memcpy(body + size, BODY_END, sizeof BODY_END);
	*body_size = size + sizeof BODY_END - 1;
	return body;
}

/* A browser may keep a permanent redirect, but must ask again for a temporary one, or its visits
 * would not be counted. No shared cache may keep either. */
static void write_cache_control(const struct config *config, char *text, size_t text_size)
{
	bool is_permanent = config->redirect_status == 301 || config->redirect_status == 308;

	snprintf(text, text_size, "private, max-age=%ld", is_permanent ? config->redirect_max_age_s : 0);
}

static void redirect(struct http_request *request, const char *location, size_t location_size)
{
	char cache_control[48];
	struct http_response response = {
		.status = (int)request->service->config->redirect_status,
		.content_type = "text/html; charset=utf-8",
		.content_security_policy = PAGES_SECURITY_POLICY,
		.location = location,
		.cache_control = cache_control,
	};
	char *body = write_body(location, location_size, &response.body_size);

	write_cache_control(request->service->config, cache_control, sizeof cache_control);
	response.body = body;
	http_answer(request, &response);
	free(body);
}

/* The visit is counted first: the answer may be what the end of the process waits for. */
static void follow(struct http_request *request, const struct link *link)
{
	char location[URL_LOCATION_MAX + 1];
	size_t location_size = url_write_location(link->srcurl, link->srcurl_size, location);

	if (location_size == 0) {
		log_error("the link %s holds a URL that is none", link->id);
		answer_error(request, 404, "This link leads nowhere");
		return;
	}
	if (request->method == HTTP_GET)
		links_visit(request->service->links, link->id);
	redirect(request, location, location_size);
}

static void found(void *context, enum result result, const struct link *link)
{
	struct http_request *request = context;

	switch (result) {
	case RESULT_OK:
		follow(request, link);
		return;
	case RESULT_NOT_FOUND:
	case RESULT_TAKEN:
		answer_error(request, 404, "There is no such link; was it copied whole?");
		return;
	case RESULT_UNAVAILABLE:
		answer_unavailable(request, "The link cannot be looked up now, please try again");
		return;
	case RESULT_FAILED:
		answer_error(request, 500, "The link cannot be looked up");
		return;
	}
}

void handle_redirect(struct http_request *request, const char *path, size_t path_size)
{
	links_find(request->service->links, path, path_size, found, request);
}
