#ifndef JSON_BODY_H
#define JSON_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/* A JSON body is UTF-8 (RFC 8259), at most JSON_BODY_DEPTH_MAX levels deep. */
#define JSON_BODY_DEPTH_MAX 8

struct json_body;

/* Parses a body. Returns it (owned, freed by json_body_free) or NULL with one sentence for the client
 * in *problem (static). Refused: invalid UTF-8, NUL (raw or \u0000), raw control characters in strings,
 * unpaired surrogates, anything after the value, duplicate names at any depth, and all that json-c
 * takes but RFC 8259 does not: single quotes, comments, NaN, Infinity, 00, `1.`. Any JSON value is a
 * body, not only objects. */
struct json_body *json_body_parse(const char *text, size_t text_size, const char **problem)
	MUST_CHECK;
void json_body_free(struct json_body *body);

bool json_body_is_object(const struct json_body *body);

enum json_body_member {
	JSON_BODY_ABSENT, /* no such member, or null, or the body is no object */
	JSON_BODY_STRING,
	JSON_BODY_OTHER,  /* of another type */
};

/* Finds a member of the object. After JSON_BODY_STRING *value and *value_size are set: borrowed until
 * json_body_free, with a NUL behind it and none inside. */
enum json_body_member json_body_find_string(const struct json_body *body, const char *name, const char **value,
					    size_t *value_size);

/* The name of the first member that is not among the `names_count` names; NULL where there is none.
 * Borrowed until json_body_free. */
const char *json_body_find_unknown(const struct json_body *body, const char *const names[], size_t names_count);

/* Each writes one answer without white space and without \/ escapes. The text is owned by the caller,
 * freed by free(3); *text_size is its size without the NUL. NULL when memory is short.
 * The strings must be valid UTF-8. */
char *json_body_write_link(const char *srcurl, const char *shortened_url, size_t *text_size);
char *json_body_write_error(const char *message, size_t *text_size);

#endif
