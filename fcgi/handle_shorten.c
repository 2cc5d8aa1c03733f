/* POST /shorten: makes a short URL of a long one. */
#include <stdlib.h>

#include "access.h"
#include "answer.h"
#include "create.h"
#include "json_answer.h"

static void answer_created_page(struct http_request *request, struct http_response *response,
				const struct link *link, const char *short_url)
{
	const struct page_value values[] = { { "shortenedUrl", short_url }, { "srcUrl", link->srcurl } };

	answer_page(request, response, PAGE_CREATED, values, sizeof values / sizeof values[0]);
}

static void answer_created(struct http_request *request, const struct link *link)
{
	char short_url[CREATE_ANSWER_URL_SIZE];
	struct http_response response = { .status = 200, .cache_control = "no-store", .varies_by_accept = true };

	create_answer_write_short_url(request->service->config, link->id, short_url);
	if (http_prefers_html(request->accept)) {
		answer_created_page(request, &response, link, short_url);
		return;
	}
	response.content_type = "application/json";
	char *body = json_answer_link(link->srcurl, short_url, &response.body_size);
	response.body = body;
	if (body != NULL)
		http_answer(request, &response);
	else
		answer_unavailable(request, "Failed to shorten");
	free(body);
}

static void made(void *context, enum result result, const struct link *link, bool is_reused)
{
	struct http_request *request = context;
	char taken[CREATE_ANSWER_TAKEN_SIZE];

	(void)is_reused;
	switch (result) {
	case RESULT_OK:
		answer_created(request, link);
		return;
	case RESULT_TAKEN:
		create_answer_write_taken(link->id, taken);
		answer_error(request, 409, taken);
		return;
	case RESULT_UNAVAILABLE:
		answer_unavailable(request, "Failed to shorten");
		return;
	case RESULT_FAILED:
	case RESULT_NOT_FOUND:
	case RESULT_GONE:
	case RESULT_CONFLICT:
		answer_error(request, 500, "Failed to shorten");
		return;
	}
}

static char *write_element(const struct config *config, const struct link *link, bool is_reused, size_t *text_size)
{
	char short_url[CREATE_ANSWER_URL_SIZE];

	(void)is_reused;
	create_answer_write_short_url(config, link->id, short_url);
	return json_answer_link_status(200, link->srcurl, short_url, text_size);
}

static const struct create_kind kind = {
	.takes_forms = true,
	.wrong_type = "Content-Type must be application/json or application/x-www-form-urlencoded",
	.made = made,
	.write_element = write_element,
};

static void allowed(struct http_request *request, const char *owner, const char *id)
{
	(void)id;
	create_links(request, &kind, owner);
}

void handle_shorten(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	access_check(request, request->service->config->anonymous == CONFIG_ANONYMOUS_OFF, "", 0, allowed);
}
