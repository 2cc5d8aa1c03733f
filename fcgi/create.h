#ifndef CREATE_H
#define CREATE_H

#include "create_answer.h"
#include "handle.h"

/* Makes links of a request's body: what POST /shorten and POST /api/links share. */

/* Answers the request, at once or later. `owner` is copied. */
void create_links(struct http_request *request, const struct create_kind *kind, const char *owner);

#endif
