/* GET /: the page with the form. GET /app/style.css: how the pages look. GET /api/openapi.json: what the API does. */
#include "answer.h"
#include "handle.h"
#include "pages.h"

void handle_home(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_page(request, &(struct http_response){ .status = 200 }, PAGE_HOME, NULL, 0);
}

static void answer_file(struct http_request *request, enum page page, const char *content_type)
{
	struct http_response response = { .status = 200, .content_type = content_type, .cache_control = "max-age=3600" };

	response.body = pages_find(page, &response.body_size);
	http_answer(request, &response);
}

void handle_style(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_file(request, PAGE_STYLE, "text/css");
}

void handle_openapi(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_file(request, PAGE_OPENAPI, "application/json");
}
