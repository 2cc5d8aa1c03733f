/* GET /healthz: this process lives. GET /readyz: the database answers too. */
#include "answer.h"
#include "handle.h"

void handle_healthz(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	answer_text(request, "ok\n");
}

static void pinged(void *context, enum result result)
{
	struct http_request *request = context;

	if (result == RESULT_OK)
		answer_text(request, "ok\n");
	else
		answer_unavailable(request, "The database does not answer");
}

void handle_readyz(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	store_ping(request->service->store, pinged, request);
}
