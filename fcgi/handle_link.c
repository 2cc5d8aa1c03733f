/* GET, PATCH and DELETE /api/links/ID: one link. GET /api/links/ID/visits: its visits by day. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "access.h"
#include "answer.h"
#include "form_body.h"
#include "json_body.h"
#include "link_input.h"
#include "rfc3339.h"
#include "store_manage.h"

static void found(void *context, enum result result, const char *text, size_t text_size)
{
	if (result == RESULT_OK)
		answer_json(context, 200, NULL, text, text_size);
	else
		answer_result(context, result);
}

/* ---- GET */

static void show_allowed(struct http_request *request, const char *owner, const char *id)
{
	(void)owner;
	store_show_link(request->service->store, id, found, request);
}

void handle_link_show(struct http_request *request, const char *id, size_t id_size)
{
	access_check(request, true, id, id_size, show_allowed);
}

/* ---- PATCH */

#define BODY_MISSING "The body must be an object with what is to be changed"

static void edit(struct http_request *request, const char *id, const struct link_input *input)
{
	const struct store_edit change = {
		.changes = input->changes,
		.srcurl = input->wish.srcurl,
		.srcurl_size = input->wish.srcurl_size,
		.options = input->wish.options,
		.is_enabled = input->is_enabled,
	};

	if (input->changes == 0)
		store_show_link(request->service->store, id, found, request);
	else
		store_edit_link(request->service->store, id, &change, found, request);
}

static void read_edit(struct http_request *request, const char *id, const struct json_value *json)
{
	char problem[LINK_INPUT_PROBLEM_SIZE];
	struct link_input input;

	if (json_value_type(json) != JSON_TYPE_OBJECT) {
		answer_error(request, 400, BODY_MISSING);
		return;
	}
	int status = link_input_read_edit(&input, links_rules(request->service->links), json, problem);
	if (status != 0)
		answer_error(request, status, problem);
	else
		edit(request, id, &input);
}

static void edit_allowed(struct http_request *request, const char *owner, const char *id)
{
	const char *problem;

	(void)owner;
	if (answer_bad_body(request))
		return;
	if (request->body_size == 0) {
		answer_error(request, 400, BODY_MISSING);
		return;
	}
	if (!http_is_media_type(request->content_type, "application/json") &&
	    !http_is_media_type(request->content_type, "application/merge-patch+json")) {
		answer_error(request, 415, "Content-Type must be application/json or application/merge-patch+json");
		return;
	}
	struct json_body *body = json_body_parse(request->body, request->body_size, &problem);
	if (body == NULL)
		answer_unparsed(request, problem);
	else
		read_edit(request, id, json_body_root(body));
	json_body_free(body);
}

void handle_link_edit(struct http_request *request, const char *id, size_t id_size)
{
	access_check(request, true, id, id_size, edit_allowed);
}

/* ---- DELETE */

static void deleted(void *context, enum result result)
{
	if (result == RESULT_OK)
		http_answer(context, &(struct http_response){ .status = 204, .cache_control = "no-store" });
	else
		answer_result(context, result);
}

static void delete_allowed(struct http_request *request, const char *owner, const char *id)
{
	(void)owner;
	store_delete_link(request->service->store, id, deleted, request);
}

void handle_link_delete(struct http_request *request, const char *id, size_t id_size)
{
	access_check(request, true, id, id_size, delete_allowed);
}

/* ---- GET …/visits */

#define DAYS_DEFAULT 30
#define DAYS_MAX 3660
#define DAY_S INT64_C(86400)

static const char *const names[] = { "from", "to", "by" };

/* An absent or empty one is `fallback`. */
static bool read_date(const struct form_body *query, const char *name, int64_t fallback, int64_t *day)
{
	size_t size = 0;
	const char *text = form_body_find(query, name, &size);

	*day = fallback;
	return text == NULL || size == 0 || rfc3339_parse_date(text, size, day);
}

static const char *read_range(const struct form_body *query, int64_t *from, int64_t *to)
{
	size_t size = 0;
	const char *by = form_body_find(query, "by", &size);

	if (form_body_find_unknown(query, names, sizeof names / sizeof names[0]) != NULL)
		return "The query can hold from, to and by";
	if (by != NULL && size > 0 && strcmp(by, "day") != 0)
		return "Parameter 'by' must be day";
	if (!read_date(query, "to", (int64_t)time(NULL) / DAY_S, to))
		return "Parameter 'to' must be a date such as 2026-12-31";
	if (!read_date(query, "from", *to - DAYS_DEFAULT + 1, from))
		return "Parameter 'from' must be a date such as 2026-12-31";
	if (*from > *to)
		return "Parameter 'from' must not be after 'to'";
	if (*to - *from >= DAYS_MAX)
		return "Parameters 'from' and 'to' must not be more than 3660 days apart";
	return NULL;
}

static void count(struct http_request *request, const char *id, int64_t from, int64_t to)
{
	char from_text[RFC3339_DATE_SIZE + 1];
	char to_text[RFC3339_DATE_SIZE + 1];

	rfc3339_write_date(from, from_text);
	rfc3339_write_date(to, to_text);
	store_count_visits(request->service->store, id, from_text, to_text, found, request);
}

static void visits_allowed(struct http_request *request, const char *owner, const char *id)
{
	const char *query_text = http_find_query(request->target);
	const char *problem;
	int64_t from = 0;
	int64_t to = 0;
	struct form_body *query = form_body_parse(query_text, strlen(query_text), &problem);

	(void)owner;
	if (query != NULL)
		problem = read_range(query, &from, &to);
	if (query == NULL || problem != NULL)
		answer_unparsed(request, problem);
	else
		count(request, id, from, to);
	form_body_free(query);
}

void handle_link_visits(struct http_request *request, const char *id, size_t id_size)
{
	access_check(request, true, id, id_size, visits_allowed);
}
