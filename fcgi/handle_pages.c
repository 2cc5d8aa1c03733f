/* GET /: the page with the form. GET /app/style.css: how the pages look. */
#include "answer.h"
#include "handle.h"
#include "pages.h"

void handle_home(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_page(request, &(struct http_response){ .status = 200 }, PAGE_HOME, NULL, 0);
}

void handle_style(struct http_request *request, const char *path, size_t path_size)
{
	struct http_response response = { .status = 200, .content_type = "text/css", .cache_control = "max-age=3600" };

	(void)path;
	(void)path_size;
	response.body = pages_find(PAGE_STYLE, &response.body_size);
	http_answer(request, &response);
}
