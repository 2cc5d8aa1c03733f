/* POST /api/links: makes links and gives them back whole. GET /api/links: a page of links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "answer.h"
#include "create.h"
#include "form_body.h"
#include "store_manage.h"
#include "utf8.h"

/* ---- POST */

static void answer_taken(struct http_request *request, const char *slug)
{
	char message[CREATE_ANSWER_TAKEN_SIZE];

	create_answer_write_taken(slug, message);
	answer_error(request, 409, message);
}

static void made(void *context, enum result result, const struct link *link, bool is_reused)
{
	struct http_request *request = context;
	char location[CREATE_ANSWER_URL_SIZE + 16];

	if (result == RESULT_TAKEN) {
		answer_taken(request, link->id);
		return;
	}
	if (result != RESULT_OK) {
		answer_result(request, result);
		return;
	}
	snprintf(location, sizeof location, "%sapi/links/%s", request->service->config->base_url, link->id);
	answer_json(request, is_reused ? 200 : 201, location, link->json, link->json_size);
}

/* The JSON of the link is an object already, so that only the status has to be put into it. */
static char *write_element(const struct config *config, const struct link *link, bool is_reused, size_t *text_size)
{
	char *text = NULL;
	int size = asprintf(&text, "{\"status\":%d,%.*s", is_reused ? 200 : 201, (int)link->json_size - 1, link->json + 1);

	(void)config;
	if (size < 0)
		return NULL;
	*text_size = (size_t)size;
	return text;
}

static const struct create_kind kind = {
	.is_managed = true,
	.wrong_type = "Content-Type must be application/json",
	.made = made,
	.write_element = write_element,
};

static void add_allowed(struct http_request *request, const char *owner, const char *id)
{
	(void)id;
	create_links(request, &kind, owner);
}

void handle_links_add(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	access_check(request, true, "", 0, add_allowed);
}

/* ---- GET */

#define PAGE_DEFAULT 50
#define PAGE_MAX 500
#define SEARCH_MAX 200 /* characters */

static const char *const names[] = { "search", "tag", "sort", "limit", "after" };

static const char *const sorts[] = {
	[STORE_SORT_CREATED] = "created",
	[STORE_SORT_VISITS] = "visits",
	[STORE_SORT_LAST_ACCESSED] = "lastAccessed",
};

/* Without a value a parameter counts as absent. */
static const char *find(const struct form_body *query, const char *name)
{
	size_t size;
	const char *value = form_body_find(query, name, &size);

	return value != NULL && size > 0 ? value : NULL;
}

static bool read_sort(const char *text, enum store_sort *sort)
{
	for (*sort = 0; *sort < STORE_SORTS; ++*sort)
		if (strcmp(sorts[*sort], text) == 0)
			return true;
	return false;
}

static bool read_limit(const char *text, long *limit)
{
	if (strlen(text) > 4 || strspn(text, "0123456789") != strlen(text))
		return false;
	*limit = strtol(text, NULL, 10);
	return *limit >= 1 && *limit <= PAGE_MAX;
}

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

/* NULL, or a sentence. The texts are borrowed from the query. */
static const char *read_list(const struct form_body *query, struct store_list *list)
{
	const char *sort = find(query, "sort");
	const char *limit = find(query, "limit");

	if (form_body_find_unknown(query, names, sizeof names / sizeof names[0]) != NULL)
		return "The query can hold search, tag, sort, limit and after";
	list->search = find(query, "search");
	list->tag = find(query, "tag");
	list->after = find(query, "after");
	if (list->search != NULL && utf8_count_characters(list->search, strlen(list->search)) > SEARCH_MAX)
		return "Parameter 'search' must not be more than " TEXT_OF(SEARCH_MAX) " characters";
	if (sort != NULL && !read_sort(sort, &list->sort))
		return "Parameter 'sort' must be created, visits or lastAccessed";
	if (limit != NULL && !read_limit(limit, &list->page_max))
		return "Parameter 'limit' must be a whole number from 1 to " TEXT_OF(PAGE_MAX);
	if (list->after != NULL && !store_is_cursor(list->sort, list->after))
		return "Parameter 'after' must be the 'next' of a page in the same order";
	return NULL;
}

static void listed(void *context, enum result result, const char *text, size_t text_size)
{
	if (result == RESULT_OK)
		answer_json(context, 200, NULL, text, text_size);
	else
		answer_result(context, result);
}

static void list_allowed(struct http_request *request, const char *owner, const char *id)
{
	struct store_list list = { .sort = STORE_SORT_CREATED, .page_max = PAGE_DEFAULT };
	const char *query_text = http_find_query(request->target);
	const char *problem;
	struct form_body *query = form_body_parse(query_text, strlen(query_text), &problem);

	(void)owner;
	(void)id;
	if (query != NULL)
		problem = read_list(query, &list);
	if (query == NULL || problem != NULL)
		answer_unparsed(request, problem);
	else
		store_list_links(request->service->store, &list, listed, request);
	form_body_free(query);
}

void handle_links_list(struct http_request *request, const char *path, size_t path_size)
{
	(void)path;
	(void)path_size;
	access_check(request, true, "", 0, list_allowed);
}
