#ifndef ACCESS_H
#define ACCESS_H

#include "handle.h"

/* Who may do what: reads Authorization: Bearer KEY (RFC 6750 section 2.1). */

/* `owner` is the id of the key, "" where none was given; `id` is that of the link, as it was given. Both are borrowed
 * for the call. */
typedef void access_function(struct http_request *request, const char *owner, const char *id);

/* Calls `allowed`, at once or later, or answers the request: 401 where a key is needed and none is given, and for
 * one that is not good even where none is needed. Other schemes than Bearer are not ours, and count as no key. `id`
 * is a valid id, or empty; it is copied. */
void access_check(struct http_request *request, bool needs_key, const char *id, size_t id_size, access_function *allowed);

#endif
