#ifndef BULK_H
#define BULK_H

#include "create_answer.h"
#include "handle.h"
#include "json_body.h"

#define BULK_MAX 1000

/* Makes a link of each element of an array of 1 to BULK_MAX, and answers with an array of what became of them, in their
 * order. Part of create; nobody else includes this. */
void bulk_start(struct http_request *request, const struct create_kind *kind, const char *owner,
		const struct json_value *array);

#endif
