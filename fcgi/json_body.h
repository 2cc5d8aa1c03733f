#ifndef JSON_BODY_H
#define JSON_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

struct json_body;

/* Parses a body. Returns it (owned, freed by json_body_free) or NULL with one sentence for the client
 * in *problem (static); without a sentence where memory was short, and there never is a part of a body. A body is
 * UTF-8 (RFC 8259), at most JSON_SCAN_DEPTH_MAX levels deep. Refused: what json_scan_problem finds, anything after the
 * value, and duplicate names at any depth. Any JSON value is a body, not only objects. */
struct json_body *json_body_parse(const char *text, size_t text_size, const char **problem)
	MUST_CHECK;
void json_body_free(struct json_body *body);

/* A value at any level of a body: borrowed until json_body_free. NULL is the JSON value null, and stands also
 * for a value that is not there: only the type tells them apart. */
struct json_value;

enum json_value_type {
	JSON_TYPE_ABSENT, /* only json_body_find says so */
	JSON_TYPE_NULL,
	JSON_TYPE_BOOLEAN,
	JSON_TYPE_INTEGER, /* written without fraction and exponent, and from -INT64_MAX to INT64_MAX */
	JSON_TYPE_NUMBER,  /* any other number: 5.0, 1e1, 99999999999999999999 */
	JSON_TYPE_STRING,
	JSON_TYPE_ARRAY,
	JSON_TYPE_OBJECT,
};

const struct json_value *json_body_root(const struct json_body *body);

/* Never JSON_TYPE_ABSENT: NULL is taken for null. */
enum json_value_type json_value_type(const struct json_value *value);

/* Finds a member of an object and returns its type. *value is always set: NULL where the member is null, and
 * where there is none or `object` is no object (JSON_TYPE_ABSENT). */
enum json_value_type json_body_find(const struct json_value *object, const char *name,
				    const struct json_value **value);

/* The name of the first member of `object` that is not among the `names_count` names; NULL where there is none
 * or `object` is no object. Borrowed until json_body_free. */
const char *json_body_find_unknown(const struct json_value *object, const char *const names[],
				      size_t names_count);

/* What a value holds; each asks for a value of its own type. A string is borrowed until json_body_free, with a
 * NUL behind it and none inside; *text_size is its size without that. */
const char *json_value_string(const struct json_value *string, size_t *text_size);
int64_t json_value_integer(const struct json_value *integer);
bool json_value_boolean(const struct json_value *boolean);

/* How many elements an array has, or members an object; none has any other value. */
size_t json_value_count(const struct json_value *value);

/* An element of an array, counted from 0. One that is null, and one beyond the end or of what is no array, is NULL. */
const struct json_value *json_value_element(const struct json_value *array, size_t i);

#endif
