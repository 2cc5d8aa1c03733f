/* Fuzzes which handler gets a request, against a list of paths. Input: method, base path and Accept in a line each, and
 * the target. modules: router answer json_answer http percent id json_body memory_reserve json_scan utf8 pages text_stream; max_len: 512 */
#include "router.h"

#include "fuzz.h"
#include "handlers.h"
#include "json_body.h"

/* What came of the request: a handler with its path, or an answer. */
static struct {
	int count;
	const char *handler; /* NULL: it was answered */
	char path[512];
	int status;
	char allow[HTTP_METHODS_MAX + 1];
	bool is_json;
} outcome;

#define HANDLER(name) \
	void handle_##name(struct http_request *request, const char *path, size_t path_size) \
	{ \
		(void)request; \
		outcome.count++; \
		outcome.handler = #name; \
		snprintf(outcome.path, sizeof outcome.path, "%.*s", (int)path_size, path); \
	}

EACH_HANDLER(HANDLER)

static void check_json(const struct http_response *response)
{
	const char *problem = "unset";
	const struct json_value *message;
	struct json_body *body = json_body_parse(response->body, response->body_size, &problem);

	must(body != NULL && json_value_count(json_body_root(body)) == 1);
	must(json_body_find(json_body_root(body), "errMsg", &message) == JSON_TYPE_STRING);
	json_body_free(body);
}

static void answer(struct http_request *request, const struct http_response *response)
{
	outcome.count++;
	outcome.status = response->status;
	outcome.is_json = strcmp(response->content_type, "application/json") == 0;
	must(outcome.is_json == !http_prefers_html(request->accept));
	must(outcome.is_json || response->content_security_policy != NULL);
	if (response->allow != NULL)
		snprintf(outcome.allow, sizeof outcome.allow, "%s", response->allow);
	if (outcome.is_json)
		check_json(response);
}

/* What the README says of each path; ID is any id, or what the path has in its place. */
static const struct expected {
	const char *path;
	unsigned method;
	const char *handler;
} table[] = {
	{ "", HTTP_GET | HTTP_HEAD, "home" },
	{ "shorten", HTTP_POST, "shorten" },
	{ "hello", HTTP_GET | HTTP_HEAD, "hello" },
	{ "healthz", HTTP_GET | HTTP_HEAD, "healthz" },
	{ "readyz", HTTP_GET | HTTP_HEAD, "readyz" },
	{ "app/style.css", HTTP_GET | HTTP_HEAD, "style" },
	{ "api/openapi.json", HTTP_GET | HTTP_HEAD, "openapi" },
	{ "api/links", HTTP_GET | HTTP_HEAD, "links_list" },
	{ "api/links", HTTP_POST, "links_add" },
	{ "api/links/ID", HTTP_GET | HTTP_HEAD, "link_show" },
	{ "api/links/ID", HTTP_PATCH, "link_edit" },
	{ "api/links/ID", HTTP_DELETE, "link_delete" },
	{ "api/links/ID/visits", HTTP_GET | HTTP_HEAD, "link_visits" },
	{ "ID", HTTP_GET | HTTP_HEAD, "redirect" },
	{ "ID/", HTTP_GET | HTTP_HEAD, "redirect" },
};

/* The path with ID in the place of its id, which is copied; the path itself where it has none. */
static void split_id(const char *path, char plain[512], char id[512])
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
	static const char links[] = "api/links/";
	size_t head_size = strncmp(path, links, strlen(links)) == 0 ? strlen(links) : 0;
	size_t id_size = strspn(path + head_size, alphabet);

	snprintf(plain, 512, "%s", path);
	snprintf(id, 512, "%s", path);
	for (size_t i = 0; head_size == 0 && i < COUNT_OF(table); i++)
		if (strcmp(table[i].path, path) == 0 && strstr(path, "ID") == NULL)
			return;
	if (id_size < 1 || id_size > 64)
		return;
	snprintf(plain, 512, "%.*sID%s", (int)head_size, path, path + head_size + id_size);
	snprintf(id, 512, "%.*s", (int)id_size, path + head_size);
}

/* What the table says of a path below the base. */
static void check_path(const char *path, unsigned method)
{
	char plain[512];
	char id[512];
	const struct expected *found = NULL;
	unsigned methods = 0;
	char allow[HTTP_METHODS_MAX];

	split_id(path, plain, id);
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		if (strcmp(table[i].path, plain) != 0)
			continue;
		methods |= table[i].method;
		if ((table[i].method & method) != 0)
			found = &table[i];
	}
	http_write_methods(methods, allow);
	if (found != NULL)
		must(outcome.handler != NULL && strcmp(outcome.handler, found->handler) == 0 && strcmp(outcome.path, id) == 0);
	else if (methods != 0)
		must(outcome.handler == NULL && outcome.status == 405 && strcmp(outcome.allow, allow) == 0);
	else
		must(outcome.handler == NULL && outcome.status == 404);
}

static void check(const char *base_path, unsigned method, const char *target)
{
	char path[512];
	size_t base_size = strlen(base_path);
	size_t size = strcspn(target, "?");

	if (size < base_size || strncmp(target, base_path, base_size) != 0)
		base_size = *target == '/';
	long decoded_size = fuzz_percent_decode(target + base_size, size - base_size, false, path);
	must(outcome.count == 1);
	/* No path that is known is longer. */
	if (size - base_size > (size_t)3 * 96)
		must(outcome.handler == NULL && outcome.status == 404);
	else if (decoded_size < 0)
		must(outcome.handler == NULL && outcome.status == 400);
	else if (memchr(path, '\0', (size_t)decoded_size) != NULL)
		must(outcome.handler == NULL && outcome.status == 404);
	else {
		path[decoded_size] = '\0';
		check_path(path, method);
	}
}

/* As config has it: from slash to slash. */
static char *make_base_path(const char *line)
{
	size_t size = strlen(line);
	char *base_path = fuzz_allocate(size + 3);

	snprintf(base_path, size + 3, "/%s%s", line, size > 0 ? "/" : "");
	return base_path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 500)
		return 0;
	struct fuzz_input input = fuzz_start(data, size);
	char *method = fuzz_take_line(&input);
	char *base_line = fuzz_take_line(&input);
	char *accept = fuzz_take_line(&input);
	char *target = fuzz_take_rest(&input);
	char *base_path = make_base_path(base_line);
	struct config config = { .base_path = base_path };
	struct service service = { .config = &config };
	struct http_request request = {
		.method = http_parse_method(method),
		.target = target,
		.accept = accept,
		.answer = answer,
	};

	memset(&outcome, 0, sizeof outcome);
	router_dispatch(&service, &request);
	must(request.service == &service);
	check(base_path, request.method, target);
	free(base_path);
	free(target);
	free(accept);
	free(base_line);
	free(method);
	return 0;
}
