#ifndef ANSWER_H
#define ANSWER_H

#include "http.h"
#include "pages.h"

/* The answers that more than one handler gives. Each sends the one answer of the request. */

/* An error: {"errMsg": message}, or a page with the same sentence for a browser. */
void answer_error(struct http_request *request, int status, const char *message);

/* As answer_error, with the Allow that 405 must have. */
void answer_not_allowed(struct http_request *request, unsigned methods);

/* 401 with a WWW-Authenticate (RFC 9110 section 11.6.1), which is borrowed. */
void answer_unauthorized(struct http_request *request, const char *challenge, const char *message);

/* 503 with Retry-After, for what may pass. */
void answer_unavailable(struct http_request *request, const char *message);

/* A body or a query that cannot be parsed: 400 with this sentence; 503 where there is none, as memory was short. */
void answer_unparsed(struct http_request *request, const char *problem);

/* A page with these values, and {{base}}, the path below which all paths of this service lie. The rest
 * of the response is the caller's. */
void answer_page(struct http_request *request, struct http_response *response, enum page page,
		 const struct page_value values[], size_t values_count);

/* JSON that is there already, with a Location or NULL. */
void answer_json(struct http_request *request, int status, const char *location, const char *json, size_t json_size);

/* What became of a request for one link, as everybody says it who manages links; not for RESULT_OK and
 * RESULT_TAKEN. */
void answer_result(struct http_request *request, enum result result);

/* What is wrong with a body before anybody has looked into it: 413 or 400. False where nothing is; otherwise the
 * request is answered. */
bool answer_bad_body(struct http_request *request);

/* Plain text, status 200. */
void answer_text(struct http_request *request, const char *text);

#endif
