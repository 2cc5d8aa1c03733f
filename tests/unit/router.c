/* Tests which handler gets a request, and with what; the handlers are this file's own.
 * modules: router answer json_answer http percent id utf8 pages text_stream */
#include "router.h"

#include "handlers.h"
#include "tap.h"

#define NOTHING "There is nothing at this path; was the link copied whole?"
#define BAD_PERCENT "The path has a % without two hexadecimal digits behind it"

#define TEN(c) c c c c c c c c c c
#define SIXTY_FOUR(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) c c c c

/* What came of the request: "NAME PATH" of the handler that got it, or "STATUS ALLOW" of the answer. */
static char outcome[512];
static int outcomes_count;
static char body[4096];
static const struct service *seen_service;

static void record(const struct http_request *request, const char *name, const char *path, size_t path_size)
{
	outcomes_count++;
	seen_service = request->service;
	snprintf(outcome, sizeof outcome, "%s %.*s", name, (int)path_size, path);
}

#define HANDLER(name) \
	void handle_##name(struct http_request *request, const char *path, size_t path_size) \
	{ \
		record(request, #name, path, path_size); \
	}

EACH_HANDLER(HANDLER)

static void answer(struct http_request *request, const struct http_response *response)
{
	(void)request;
	outcomes_count++;
	snprintf(outcome, sizeof outcome, "%d%s%s", response->status, response->allow != NULL ? " " : "",
		 response->allow != NULL ? response->allow : "");
	snprintf(body, sizeof body, "%.*s", (int)response->body_size, response->body);
}

/* Sends a request through the router; returns what came of it until the next call. */
static const char *route(const char *base_path, enum http_method method, const char *target)
{
	struct config config = { .base_path = base_path };
	struct service service = { .config = &config };
	struct http_request request = {
		.method = method,
		.target = target,
		.accept = "",
		.answer = answer,
	};

	outcomes_count = 0;
	snprintf(outcome, sizeof outcome, "nothing");
	seen_service = &service;
	router_dispatch(&service, &request);
	is_int(outcomes_count, 1, "one answer or handler: %s", target);
	ok(seen_service == &service, "the handler gets the service");
	return outcome;
}

/* Each path with each method: the handler, or NULL where the method is not allowed. */
static const struct {
	const char *target;
	const char *get;
	const char *post;
	const char *patch;
	const char *delete;
	const char *others;
} routes[] = {
	{ "/", "home ", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/shorten", NULL, "shorten shorten", NULL, NULL, "405 POST" },
	{ "/hello", "hello hello", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/healthz", "healthz healthz", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/readyz", "readyz readyz", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/app/style.css", "style app/style.css", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/api/openapi.json", "openapi api/openapi.json", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/api/links", "links_list api/links", "links_add api/links", NULL, NULL, "405 GET, HEAD, POST" },
	{ "/api/links/aB3_-", "link_show aB3_-", NULL, "link_edit aB3_-", "link_delete aB3_-", "405 GET, HEAD, PATCH, DELETE" },
	{ "/api/links/aB3_-/visits", "link_visits aB3_-", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/aB3_-", "redirect aB3_-", NULL, NULL, NULL, "405 GET, HEAD" },
	{ "/aB3_-/", "redirect aB3_-", NULL, NULL, NULL, "405 GET, HEAD" },
};

static void test_methods(void)
{
	for (size_t i = 0; i < COUNT_OF(routes); i++) {
		const struct {
			enum http_method method;
			const char *expected;
		} columns[] = {
			{ HTTP_GET, routes[i].get },	 { HTTP_HEAD, routes[i].get },	     { HTTP_POST, routes[i].post },
			{ HTTP_PATCH, routes[i].patch }, { HTTP_DELETE, routes[i].delete }, { HTTP_PUT, NULL },
			{ HTTP_OPTIONS, NULL },		 { HTTP_OTHER, NULL },
		};

		for (size_t j = 0; j < COUNT_OF(columns); j++)
			is_text(route("/", columns[j].method, routes[i].target),
				columns[j].expected != NULL ? columns[j].expected : routes[i].others, "%s, method %d",
				routes[i].target, columns[j].method);
	}
}

/* What comes of GET. */
static const struct {
	const char *expected;
	const char *base_path;
	const char *target;
} paths[] = {
	/* the query is no part of the path */
	{ "home ", "/", "/?a" },
	{ "hello hello", "/", "/hello?" },
	{ "redirect abc", "/", "/abc?x=/../&y=%zz" },
	{ "links_list api/links", "/", "/api/links?after=a/b" },
	{ "404", "/", "/a/b?c" },
	/* ids that look like routes, and routes that look like ids */
	{ "redirect Hello", "/", "/Hello" },
	{ "redirect hell", "/", "/hell" },
	{ "redirect helloo", "/", "/helloo" },
	{ "405 POST", "/", "/shorten" },
	{ "redirect shorten", "/", "/shorten/" },
	{ "redirect hello", "/", "/hello/" },
	{ "redirect api", "/", "/api" },
	{ "redirect api", "/", "/api/" },
	{ "redirect app", "/", "/app" },
	{ "redirect metrics", "/", "/metrics" },
	{ "redirect ID", "/", "/ID" },
	{ "redirect I", "/", "/I" },
	{ "link_show ID", "/", "/api/links/ID" },
	{ "link_show links", "/", "/api/links/links" },
	{ "link_show visits", "/", "/api/links/visits" },
	{ "link_visits visits", "/", "/api/links/visits/visits" },
	{ "link_show openapi", "/", "/api/links/openapi" },
	{ "redirect -", "/", "/-" },
	{ "redirect _", "/", "/_" },
	{ "redirect " SIXTY_FOUR("a"), "/", "/" SIXTY_FOUR("a") },
	{ "redirect " SIXTY_FOUR("a"), "/", "/" SIXTY_FOUR("a") "/" },
	{ "link_visits " SIXTY_FOUR("a"), "/", "/api/links/" SIXTY_FOUR("a") "/visits" },
	{ "404", "/", "/" SIXTY_FOUR("a") "a" },
	{ "404", "/", "/" SIXTY_FOUR("a") "a/" },
	{ "404", "/", "/api/links/" SIXTY_FOUR("a") "a" },
	{ "404", "/", "/api/links/" SIXTY_FOUR("a") "a/visits" },
	/* slashes too many, or none */
	{ "404", "/", "//" },
	{ "404", "/", "//abc" },
	{ "404", "/", "/abc//" },
	{ "404", "/", "/abc/d" },
	{ "404", "/", "/api/links/" },
	{ "404", "/", "/api/links//" },
	{ "404", "/", "/api/links//visits" },
	{ "404", "/", "/api//links" },
	{ "404", "/", "/api/links/abc/" },
	{ "404", "/", "/api/links/abc/visits/" },
	{ "404", "/", "/api/links/abc/visitsx" },
	{ "404", "/", "/api/links/abc/x/visits" },
	{ "404", "/", "/api/linksx" },
	{ "404", "/", "/api/link/abc" },
	{ "404", "/", "/api/openapi.json/" },
	{ "404", "/", "/api/openapi" },
	{ "404", "/", "/app/style.css/" },
	{ "404", "/", "/app/x" },
	{ "404", "/", "/api/../hello" },
	{ "404", "/", "/./hello" },
	{ "home ", "/", "" },
	{ "redirect abc", "/", "abc" },
	{ "404", "/", "*" },
	{ "404", "/", "http://test.short/abc" },
	/* percent-encoded */
	{ "hello hello", "/", "/h%65llo" },
	{ "links_list api/links", "/", "/%61pi%2Flinks" },
	{ "redirect abc", "/", "/%61%62%63" },
	{ "redirect abc", "/", "/abc%2F" },
	{ "link_show a-b", "/", "/api/links/a%2Db" },
	{ "404", "/", "/a%20b" },
	{ "404", "/", "/a+b" },
	{ "404", "/", "/a%2Bb" },
	{ "404", "/", "/abc%3Fd" },
	{ "404", "/", "/abc%00" },
	{ "404", "/", "/%00" },
	{ "404", "/", "/hello%00" },
	{ "404", "/", "/api/links/a%00" },
	{ "404", "/", "/%C3%A4" },
	{ "404", "/", "/\xc3\xa4" },
	{ "404", "/", "/abc%2561" },
	{ "400", "/", "/abc%" },
	{ "400", "/", "/abc%4" },
	{ "400", "/", "/%zz" },
	{ "400", "/", "/a%4?1" },
	/* the longest of all paths, encoded from end to end, and what is longer than any */
	{ "link_visits " SIXTY_FOUR("a"), "/", "/%61%70%69%2F%6C%69%6E%6B%73%2F" SIXTY_FOUR("%61") "%2F%76%69%73%69%74%73" },
	{ "404", "/", "/" TEN(TEN("%61")) },
	{ "404", "/", "/" TEN(TEN("aaaaaaaaaa")) },
	{ "404", "/", "/" TEN(TEN("%zz")) },
	/* a base path: given by the web server, or left out */
	{ "home ", "/s/", "/s/" },
	{ "home ", "/s/", "/" },
	{ "home ", "/s/", "/s/?a" },
	{ "hello hello", "/s/", "/s/hello" },
	{ "hello hello", "/s/", "/hello" },
	{ "redirect abc", "/s/", "/s/abc" },
	{ "redirect abc", "/s/", "/abc/" },
	{ "link_visits abc", "/s/t/", "/s/t/api/links/abc/visits" },
	{ "link_visits abc", "/s/t/", "/api/links/abc/visits" },
	{ "redirect sabc", "/s/", "/sabc" },
	{ "404", "/s/", "/s/s/abc" },
	{ "404", "/s/t/", "/s/abc" },
	{ "404", "/s/", "/S/abc" },
};

static void test_paths(void)
{
	for (size_t i = 0; i < COUNT_OF(paths); i++)
		is_text(route(paths[i].base_path, HTTP_GET, paths[i].target), paths[i].expected, "GET %s below %s",
			paths[i].target, paths[i].base_path);
}

/* Methods look at the same path as GET does. */
static void test_ids_with_methods(void)
{
	is_text(route("/s/", HTTP_DELETE, "/s/api/links/%61-b?x"), "link_delete a-b", "DELETE");
	is_text(route("/s/", HTTP_PATCH, "/api/links/visits"), "link_edit visits", "PATCH of an id like a route");
	is_text(route("/s/", HTTP_POST, "/s/api/links?x"), "links_add api/links", "POST");
	is_text(route("/", HTTP_POST, "/shorten/"), "405 GET, HEAD", "POST with a slash too many");
	is_text(route("/", HTTP_DELETE, "/hello"), "405 GET, HEAD", "DELETE of a route that looks like an id");
	is_text(route("/", HTTP_POST, "/no/such/path"), "404", "POST to nowhere");
	is_text(route("/", HTTP_OTHER, "/api/links/a.b"), "404", "any method, where the id cannot be one");
}

static void test_sentences(void)
{
	route("/", HTTP_GET, "/a/b");
	is_text(body, "{\"errMsg\":\"" NOTHING "\"}", "404 says what may be wrong");
	route("/", HTTP_GET, "/%");
	is_text(body, "{\"errMsg\":\"" BAD_PERCENT "\"}", "400 too");
	route("/", HTTP_PUT, "/api/links/abc");
	is_text(body, "{\"errMsg\":\"This path answers GET, HEAD, PATCH, DELETE only\"}", "405 says what is allowed");
}

int main(void)
{
	test_methods();
	test_paths();
	test_ids_with_methods();
	test_sentences();
	return tap_done();
}
