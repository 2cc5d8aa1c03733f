#ifndef ANSWER_H
#define ANSWER_H

#include "http.h"
#include "pages.h"

/* The answers that more than one handler gives. Each sends the one answer of the request. */

/* An error: {"errMsg": message}, or a page with the same sentence for a browser. */
void answer_error(struct http_request *request, int status, const char *message);

/* As answer_error, with the Allow that 405 must have. */
void answer_not_allowed(struct http_request *request, unsigned methods);

/* 503 with Retry-After, for what may pass. */
void answer_unavailable(struct http_request *request, const char *message);

/* A page with these values, and {{base}}, the path below which all paths of this service lie. The rest
 * of the response is the caller's. */
void answer_page(struct http_request *request, struct http_response *response, enum page page,
		 const struct page_value values[], size_t values_count);

/* Plain text, status 200. */
void answer_text(struct http_request *request, const char *text);

#endif
