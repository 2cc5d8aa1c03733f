/* POST /shorten: makes a short URL of a long one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "form_body.h"
#include "handle.h"
#include "id.h"
#include "json_body.h"
#include "pages.h"
#include "url.h"
#include "utf8.h"

#define MISSING "Parameter 'srcUrl' is missing"

/* How much of an unknown name is given back. */
#define NAME_SHOWN_MAX 64

static const char *const names[] = { "srcUrl" };
static const size_t names_count = sizeof names / sizeof names[0];

static void answer_created_page(struct http_request *request, struct http_response *response,
				const struct link *link, const char *shortened_url)
{
	const struct page_value values[] = { { "shortenedUrl", shortened_url }, { "srcUrl", link->srcurl } };

	answer_page(request, response, PAGE_CREATED, values, sizeof values / sizeof values[0]);
}

static void answer_created(struct http_request *request, const struct link *link)
{
	char shortened_url[URL_CHARACTERS_MAX + ID_MAX + 1];
	struct http_response response = { .status = 200, .cache_control = "no-store", .varies_by_accept = true };

	snprintf(shortened_url, sizeof shortened_url, "%s%s", request->service->config->base_url, link->id);
	if (http_prefers_html(request->accept)) {
		answer_created_page(request, &response, link, shortened_url);
		return;
	}
	response.content_type = "application/json";
	char *body = json_body_write_link(link->srcurl, shortened_url, &response.body_size);
	response.body = body;
	if (body != NULL)
		http_answer(request, &response);
	else
		answer_unavailable(request, "Failed to shorten");
	free(body);
}

static void created(void *context, enum result result, const struct link *link)
{
	struct http_request *request = context;

	switch (result) {
	case RESULT_OK:
		answer_created(request, link);
		return;
	case RESULT_UNAVAILABLE:
	case RESULT_TAKEN:
		answer_unavailable(request, "Failed to shorten");
		return;
	case RESULT_FAILED:
	case RESULT_NOT_FOUND:
		answer_error(request, 500, "Failed to shorten");
		return;
	}
}

static void answer_unknown(struct http_request *request, const char *name)
{
	char message[NAME_SHOWN_MAX + 80];
	size_t size = strnlen(name, NAME_SHOWN_MAX);

	/* Only whole characters, where the name is cut. */
	size = utf8_find_invalid(name, size);
	snprintf(message, sizeof message, "Parameter '%.*s' is unknown; 'srcUrl' is what can be given", (int)size, name);
	answer_error(request, 400, message);
}

/* `unknown` is the name of a parameter that there is not, or NULL. */
static void shorten(struct http_request *request, const char *srcurl, size_t srcurl_size, const char *unknown)
{
	struct links *links = request->service->links;
	char text[LINKS_PROBLEM_SIZE];
	const char *trimmed = links_trim_url(srcurl, &srcurl_size);
	const char *problem = links_url_problem(links, trimmed, srcurl_size, text);

	if (problem != NULL)
		answer_error(request, 400, problem);
	else if (unknown != NULL)
		answer_unknown(request, unknown);
	else
		links_create(links, trimmed, srcurl_size, created, request);
}

static void shorten_json(struct http_request *request)
{
	const char *problem;
	const char *srcurl;
	size_t srcurl_size;
	struct json_body *body = json_body_parse(request->body, request->body_size, &problem);

	if (body == NULL) {
		answer_error(request, 400, problem);
		return;
	}
	switch (json_body_find_string(body, "srcUrl", &srcurl, &srcurl_size)) {
	case JSON_BODY_STRING:
		shorten(request, srcurl, srcurl_size, json_body_find_unknown(body, names, names_count));
		break;
	case JSON_BODY_ABSENT:
		answer_error(request, 400, MISSING);
		break;
	case JSON_BODY_OTHER:
		answer_error(request, 400, "Parameter 'srcUrl' must be a string");
		break;
	}
	json_body_free(body);
}

static void shorten_form(struct http_request *request)
{
	const char *problem;
	size_t srcurl_size = 0;
	struct form_body *form = form_body_parse(request->body, request->body_size, &problem);

	if (form == NULL) {
		answer_error(request, 400, problem);
		return;
	}
	const char *srcurl = form_body_find(form, "srcUrl", &srcurl_size);
	if (srcurl != NULL)
		shorten(request, srcurl, srcurl_size, form_body_find_unknown(form, names, names_count));
	else
		answer_error(request, 400, MISSING);
	form_body_free(form);
}

static bool is_blank(const char *text, size_t text_size)
{
	return strspn(text, " \t\r\n") == text_size;
}

static void answer_too_large(struct http_request *request)
{
	char message[80];

	snprintf(message, sizeof message, "The body must not be more than %ld bytes",
		 request->service->config->max_body_size);
	answer_error(request, 413, message);
}

void handle_shorten(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	if (request->is_body_too_large)
		answer_too_large(request);
	else if (request->is_body_short)
		answer_error(request, 400, "The body must have as many bytes as Content-Length says");
	else if (is_blank(request->body, request->body_size))
		answer_error(request, 400, MISSING);
	else if (http_is_media_type(request->content_type, "application/json"))
		shorten_json(request);
	else if (http_is_media_type(request->content_type, "application/x-www-form-urlencoded"))
		shorten_form(request);
	else
		answer_error(request, 415,
			     "Content-Type must be application/json or application/x-www-form-urlencoded");
}
