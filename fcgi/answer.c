/* The answers that more than one handler gives. */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"
#include "json_answer.h"

#define RETRY_AFTER_S 2

#define VALUES_MAX 8

/* When there is no memory for the body, the status alone has to say it. */
static void send(struct http_request *request, struct http_response *response, char *body)
{
	response->body = body != NULL ? body : "";
	http_answer(request, response);
	free(body);
}

void answer_page(struct http_request *request, struct http_response *response, enum page page,
		 const struct page_value values[], size_t values_count)
{
	struct page_value all[VALUES_MAX] = { { "base", request->service->config->base_path } };
	size_t count = 1;
	char *body;

	for (size_t i = 0; i < values_count && count < VALUES_MAX; i++)
		all[count++] = values[i];
	response->content_type = "text/html; charset=utf-8";
	response->content_security_policy = PAGES_SECURITY_POLICY;
	body = pages_write(page, all, count, &response->body_size);
	send(request, response, body);
}

static void answer_problem_page(struct http_request *request, struct http_response *response, const char *message)
{
	char title[64];
	const struct page_value values[] = { { "status", title }, { "message", message } };

	snprintf(title, sizeof title, "%d %s", response->status, http_status_phrase(response->status));
	answer_page(request, response, PAGE_ERROR, values, sizeof values / sizeof values[0]);
}

static void answer_problem(struct http_request *request, struct http_response *response, const char *message)
{
	response->cache_control = "no-store";
	response->varies_by_accept = true;
	if (http_prefers_html(request->accept)) {
		answer_problem_page(request, response, message);
		return;
	}
	response->content_type = "application/json";
	char *body = json_answer_error(message, &response->body_size);
	send(request, response, body);
}

void answer_error(struct http_request *request, int status, const char *message)
{
	answer_problem(request, &(struct http_response){ .status = status }, message);
}

void answer_not_allowed(struct http_request *request, unsigned methods)
{
	char list[HTTP_METHODS_MAX];
	char message[HTTP_METHODS_MAX + 64];

	http_write_methods(methods, list);
	snprintf(message, sizeof message, "This path answers %s only", list);
	answer_problem(request, &(struct http_response){ .status = 405, .allow = list }, message);
}

void answer_unauthorized(struct http_request *request, const char *challenge, const char *message)
{
	answer_problem(request, &(struct http_response){ .status = 401, .www_authenticate = challenge }, message);
}

void answer_unavailable(struct http_request *request, const char *message)
{
	answer_problem(request, &(struct http_response){ .status = 503, .retry_after_s = RETRY_AFTER_S }, message);
}

void answer_unparsed(struct http_request *request, const char *problem)
{
	if (problem != NULL)
		answer_error(request, 400, problem);
	else
		answer_unavailable(request, "There is not enough memory for this now, please try again, or with less");
}

void answer_json(struct http_request *request, int status, const char *location, const char *json, size_t json_size)
{
	http_answer(request, &(struct http_response){
				     .status = status,
				     .content_type = "application/json",
				     .cache_control = "no-store",
				     .location = location,
				     .body = json,
				     .body_size = json_size,
			     });
}

void answer_result(struct http_request *request, enum result result)
{
	switch (result) {
	case RESULT_OK:
	case RESULT_TAKEN:
	case RESULT_FAILED:
		answer_error(request, 500, "The database has refused this");
		return;
	case RESULT_NOT_FOUND:
		answer_error(request, 404, "There is no link with this id");
		return;
	case RESULT_GONE:
		answer_error(request, 410, "This link was deleted");
		return;
	case RESULT_CONFLICT:
		answer_error(request, 400, "Parameter 'validFrom' must be before 'expires', and one of them is set already");
		return;
	case RESULT_UNAVAILABLE:
		answer_unavailable(request, "The database does not answer now, please try again");
		return;
	}
}

static void answer_too_large(struct http_request *request)
{
	char message[80];

	snprintf(message, sizeof message, "The body must not be more than %ld bytes",
		 request->service->config->max_body_size);
	answer_error(request, 413, message);
}

bool answer_bad_body(struct http_request *request)
{
	if (request->is_body_too_large) {
		answer_too_large(request);
		return true;
	}
	if (request->is_body_lost) {
		answer_unavailable(request, "Failed to shorten");
		return true;
	}
	if (request->is_body_short) {
		answer_error(request, 400, "The body must have as many bytes as Content-Length says");
		return true;
	}
	return false;
}

void answer_text(struct http_request *request, const char *text)
{
	http_answer(request, &(struct http_response){
				     .status = 200,
				     .content_type = "text/plain",
				     .body = text,
				     .body_size = strlen(text),
			     });
}
