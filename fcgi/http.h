#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/* The request and the response: what travels between the gateway and the handlers. */

/* Bits, so that a route can name several. */
enum http_method {
	HTTP_GET = 1,
	HTTP_HEAD = 2,
	HTTP_POST = 4,
	HTTP_PUT = 8,
	HTTP_PATCH = 16,
	HTTP_DELETE = 32,
	HTTP_OPTIONS = 64,
	HTTP_OTHER = 128, /* a method that no route has */
};

/* The length of the longest list that http_write_methods makes. */
#define HTTP_METHODS_MAX 64

struct http_response {
	int status;
	const char *content_type;  /* NULL: no body type; every pointer here is borrowed for the call */
	const char *body;
	size_t body_size;          /* also of a body that HEAD leaves out */
	const char *location;      /* the header fields that are NULL are left out */
	const char *cache_control;
	const char *allow;
	const char *www_authenticate;
	const char *content_security_policy;
	int retry_after_s;         /* 0: left out */
	bool varies_by_accept;
};

struct http_request;
typedef void http_answer_function(struct http_request *request, const struct http_response *response);

struct service;

/* What a handler sees. All pointers are borrowed until the request is answered. Parameters that the
 * web server does not send are "". */
struct http_request {
	enum http_method method;
	const char *target;        /* REQUEST_URI: raw, with the query */
	const char *content_type;
	const char *accept;
	const char *authorization;
	const char *user_agent;
	const char *sec_purpose;
	const char *purpose;
	const char *body;          /* with a NUL behind it */
	size_t body_size;
	bool is_body_too_large;    /* it went over the limit: body is "" */
	bool is_body_lost;         /* for want of memory: body is "" */
	bool is_body_short;        /* fewer or more bytes came than Content-Length says: body is "" */
	http_answer_function *answer; /* set by the gateway; called through http_answer */
	const struct service *service; /* set by the router */
};

/* Sends the one answer of a request, at once or later. Afterwards the request is gone. */
void http_answer(struct http_request *request, const struct http_response *response);

enum http_method http_parse_method(const char *name);

/* Writes "GET, HEAD" for a set of methods, as Allow wants it (RFC 9110 section 10.2.1). */
void http_write_methods(unsigned methods, char list[HTTP_METHODS_MAX]);

/* The reason phrase of a status that this program answers (RFC 9110 section 15); "" of any other. */
const char *http_status_phrase(int status);

/* Whether an Accept field ranks text/html above application/json (RFC 9110 section 12.5.1): q-values
 * count, the most specific range decides, wildcards count for both, and a tie means JSON. So an
 * absent field, or curl's wildcard, means JSON, and what browsers send means HTML. */
bool http_prefers_html(const char *accept);

/* Whether a Content-Type field names this media type, in any case, whatever its parameters. */
bool http_is_media_type(const char *content_type, const char *media_type);

/* What stands behind the first ? of a target; "" where there is none. */
const char *http_find_query(const char *target);

/* Decodes %XX, and + to a blank where plus_is_blank. `decoded` has room for text_size bytes and a NUL;
 * it may be the same memory as `text`. Returns false at a % without two hexadecimal digits. The result
 * may hold any byte, NUL too. */
bool http_percent_decode(const char *text, size_t text_size, bool plus_is_blank, char *decoded, size_t *decoded_size)
	MUST_CHECK;

#endif
