/* GET /ID: sends the visitor to the link's URL and counts the visit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "forward.h"
#include "handle.h"
#include "log.h"
#include "pages.h"
#include "robots.h"
#include "url.h"

#define ENDED "This link has ended"
#define FAILED "The link cannot be looked up"
#define UNAVAILABLE "The link cannot be looked up now, please try again"

/* The longest Location with the query of a visitor in it. Web servers keep the header of an answer in a buffer,
 * which has room for any URL, but not for any URL and any query. */
#define LOCATION_MAX ((size_t)16384)

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

static int status_of(const struct http_request *request, const struct link *link)
{
	return link->redirect_status != 0 ? link->redirect_status : (int)request->service->config->redirect_status;
}

/* A browser may keep a permanent redirect, but not beyond the end of the link. It must ask again for a temporary
 * one, and for one that is limited, or its visits would not be counted. No shared cache may keep either. */
static void write_cache_control(const struct http_request *request, const struct link *link, char *text, size_t text_size)
{
	int status = status_of(request, link);
	long max_age_s = request->service->config->redirect_max_age_s;

	if ((status != 301 && status != 308) || link->is_limited)
		max_age_s = 0;
	else if (link->seconds_left >= 0 && link->seconds_left < max_age_s)
		max_age_s = (long)link->seconds_left;
	snprintf(text, text_size, "private, max-age=%ld", max_age_s);
}

static void redirect(struct http_request *request, const struct link *link, const char *location, size_t location_size)
{
	char cache_control[48];
	struct http_response response = {
		.status = status_of(request, link),
		.content_type = "text/html; charset=utf-8",
		.content_security_policy = PAGES_SECURITY_POLICY,
		.location = location,
		.cache_control = cache_control,
	};
	char *body = write_body(location, location_size, &response.body_size);

	write_cache_control(request, link, cache_control, sizeof cache_control);
	response.body = body;
	http_answer(request, &response);
	free(body);
}

static bool is_robot(const struct http_request *request)
{
	return robots_is_prefetch(request->sec_purpose, request->purpose) || robots_is_robot(request->user_agent);
}

/* ---- a link that is limited in the number of its visits */

/* One visit that is being used up. */
struct use {
	struct http_request *request;
	struct link link; /* a copy, without its texts */
	size_t location_size;
	char location[];
};

static void used(void *context, enum result result)
{
	struct use *use = context;

	switch (result) {
	case RESULT_OK:
		redirect(use->request, &use->link, use->location, use->location_size);
		break;
	case RESULT_GONE:
	case RESULT_NOT_FOUND:
	case RESULT_TAKEN:
	case RESULT_CONFLICT:
		answer_error(use->request, 410, ENDED);
		break;
	case RESULT_UNAVAILABLE:
		answer_unavailable(use->request, UNAVAILABLE);
		break;
	case RESULT_FAILED:
		answer_error(use->request, 500, FAILED);
		break;
	}
	free(use);
}

static void use_up(struct http_request *request, const struct link *link, const char *location, size_t location_size)
{
	struct use *use = malloc(sizeof *use + location_size + 1);

	if (use == NULL) {
		log_error("out of memory");
		answer_unavailable(request, UNAVAILABLE);
		return;
	}
	*use = (struct use){ .request = request, .link = *link, .location_size = location_size };
	use->link.id = NULL;
	use->link.srcurl = NULL;
	memcpy(use->location, location, location_size + 1);
	links_use(request->service->links, link->id, used, use);
}

/* ---- any link */

/* The visit is counted first: the answer may be what the end of the process waits for. */
static void visit(struct http_request *request, const struct link *link, const char *location, size_t location_size)
{
	struct links *links = request->service->links;
	bool is_counted = request->method == HTTP_GET;
	bool is_by_robot = is_counted && is_robot(request);

	if (is_counted && !is_by_robot && link->is_limited) {
		use_up(request, link, location, location_size);
		return;
	}
	if (is_by_robot)
		links_visit_by_robot(links, link->id);
	else if (is_counted)
		links_visit(links, link->id);
	redirect(request, link, location, location_size);
}

static void visit_with_query(struct http_request *request, const struct link *link, const char *location,
			     size_t location_size)
{
	char *forwarded = forward_query(location, location_size, http_find_query(request->target), &location_size);

	if (forwarded == NULL)
		answer_unavailable(request, UNAVAILABLE);
	else if (location_size > LOCATION_MAX)
		answer_error(request, 414, "The query is too long for this link");
	else
		visit(request, link, forwarded, location_size);
	free(forwarded);
}

static void follow(struct http_request *request, const struct link *link)
{
	char location[URL_LOCATION_MAX + 1];
	size_t location_size = url_write_location(link->srcurl, link->srcurl_size, location);

	if (location_size == 0) {
		log_error("the link %s holds a URL that is none", link->id);
		answer_error(request, 404, "This link leads nowhere");
	} else if (link->forwards_query && *http_find_query(request->target) != '\0') {
		visit_with_query(request, link, location, location_size);
	} else {
		visit(request, link, location, location_size);
	}
}

static void look_at(struct http_request *request, const struct link *link)
{
	switch (link->state) {
	case LINK_ALIVE:
		follow(request, link);
		return;
	case LINK_EARLY:
		answer_error(request, 404, "This link is not valid yet");
		return;
	case LINK_ENDED:
		answer_error(request, 410, ENDED);
		return;
	}
}

static void found(void *context, enum result result, const struct link *link)
{
	struct http_request *request = context;

	switch (result) {
	case RESULT_OK:
		look_at(request, link);
		return;
	case RESULT_NOT_FOUND:
	case RESULT_TAKEN:
	case RESULT_GONE:
	case RESULT_CONFLICT:
		answer_error(request, 404, "There is no such link; was it copied whole?");
		return;
	case RESULT_UNAVAILABLE:
		answer_unavailable(request, UNAVAILABLE);
		return;
	case RESULT_FAILED:
		answer_error(request, 500, FAILED);
		return;
	}
}

void handle_redirect(struct http_request *request, const char *path, size_t path_size)
{
	links_find(request->service->links, path, path_size, found, request);
}
