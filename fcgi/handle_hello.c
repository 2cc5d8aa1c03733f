/* GET /hello: the greeting that measures everything but the database. */
#include "answer.h"
#include "handle.h"

void handle_hello(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_text(request, "Hello World!");
}
