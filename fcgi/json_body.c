/* Reads the JSON that clients send, as strictly as RFC 8259. */
#include "json_body.h"

#include "json_scan.h"
#include "memory_reserve.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char problem_twice[] = "The body names a member twice";
static const char problem_invalid[] = "The body is not valid JSON";
/* Known by its address; nobody else gets to see it. */
static const char problem_memory[] = "";

struct json_body {
	struct json_object *value; /* owned; NULL is the JSON value null */
};

/* json-c waits for what may follow a number until it sees the NUL, which comes by itself here because
 * the text need not have one. The NUL is the end also for a text that is complete without it. */
static const char *tokener_problem(struct json_tokener *tokener, const char *text, size_t text_size,
				   struct json_object **value)
{
	*value = json_tokener_parse_ex(tokener, text, (int)text_size);
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		*value = json_tokener_parse_ex(tokener, "", 1);
	else if (json_tokener_get_error(tokener) == json_tokener_success && json_tokener_get_parse_end(tokener) != text_size)
		/* Without memory json-c stops, and says nothing. */
		return memchr(text, '\0', text_size) == NULL ? problem_memory : problem_invalid;
	return json_tokener_get_error(tokener) == json_tokener_success ? NULL : problem_invalid;
}

/* The scan has counted the levels, so json-c gets one more than it can need: for scalars it counts one. */
static const char *value_problem(const char *text, size_t text_size, struct json_object **value)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_SCAN_DEPTH_MAX + 2);

	if (tokener == NULL)
		return problem_memory;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	const char *problem = tokener_problem(tokener, text, text_size, value);
	json_tokener_free(tokener);
	return problem;
}

/* The members of a value at all its levels, of which there are at most JSON_SCAN_DEPTH_MAX. */
static size_t count_members(struct json_object *value)
{
	size_t count = 0;

	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, name, member)
		{
			(void)name;
			count += 1 + count_members(member);
		}
	}
	if (json_object_is_type(value, json_type_array))
		for (size_t i = 0; i < json_object_array_length(value); i++)
			count += count_members(json_object_array_get_idx(value, i));
	return count;
}

/* Where json-c has no memory for a part of a text or for a member, it goes on without it and says nothing; without
 * the copy of a name it ends the process. So it only starts with as much as it can need in all. Blocks that grow
 * are counted with all their smaller ones. */
static size_t needed_size(const struct json_scan_counts *counts, size_t text_size)
{
	static const size_t tokener_size = 4096;   /* with its stack and its locale */
	static const size_t container_size = 1024; /* an object begins with a table of 16 members */
	static const size_t member_size = 320;     /* in tables that double; and its name, twice */
	static const size_t value_size = 160;      /* with its place in an array that doubles */
	static const size_t character_size = 6;    /* 4 in a buffer that doubles, 2 in names or strings */

	return tokener_size + counts->containers * container_size + counts->members * member_size +
	       (counts->containers + counts->commas + 1) * value_size + text_size * character_size;
}

/* Of members with one name json-c keeps the last, so there are fewer than the text names. */
static const char *body_problem(const char *text, size_t text_size, struct json_object **value)
{
	struct json_scan_counts counts;

	/* The tokener takes the size as an int. */
	if (text_size > INT_MAX)
		return problem_memory;
	const char *problem = json_scan_problem(text, text_size, &counts);
	if (problem != NULL)
		return problem;
	if (!memory_reserve_is_there(needed_size(&counts, text_size)))
		return problem_memory;
	problem = value_problem(text, text_size, value);
	if (problem != NULL)
		return problem;
	return count_members(*value) == counts.members ? NULL : problem_twice;
}

struct json_body *json_body_parse(const char *text, size_t text_size, const char **problem)
{
	struct json_object *value = NULL;
	struct json_body *body = NULL;

	*problem = body_problem(text, text_size, &value);
	if (*problem == NULL)
		body = malloc(sizeof(*body));
	if (body == NULL)
		json_object_put(value);
	else
		body->value = value;
	if (*problem == problem_memory)
		*problem = NULL;
	return body;
}

void json_body_free(struct json_body *body)
{
	if (body == NULL)
		return;
	json_object_put(body->value);
	free(body);
}

/* A json_value is json-c's object under a name that does not give json-c away. json-c has NULL for null too, and
 * its functions that only read take pointers to what is not const. */
static struct json_object *object_of(const struct json_value *value)
{
	return (struct json_object *)value;
}

static const struct json_value *value_of(const struct json_object *object)
{
	return (const struct json_value *)object;
}

const struct json_value *json_body_root(const struct json_body *body)
{
	return value_of(body->value);
}

/* json-c clamps what does not fit: above to what only an unsigned integer holds, below to INT64_MIN, which is
 * why that itself counts as too large. */
static bool is_clamped(const struct json_object *integer)
{
	return json_object_get_uint64(integer) > INT64_MAX || json_object_get_int64(integer) == INT64_MIN;
}

enum json_value_type json_value_type(const struct json_value *value)
{
	const struct json_object *object = object_of(value);

	switch (json_object_get_type(object)) {
	case json_type_null:
		return JSON_TYPE_NULL;
	case json_type_boolean:
		return JSON_TYPE_BOOLEAN;
	case json_type_double:
		return JSON_TYPE_NUMBER;
	case json_type_int:
		return is_clamped(object) ? JSON_TYPE_NUMBER : JSON_TYPE_INTEGER;
	case json_type_object:
		return JSON_TYPE_OBJECT;
	case json_type_array:
		return JSON_TYPE_ARRAY;
	case json_type_string:
		return JSON_TYPE_STRING;
	}
	return JSON_TYPE_NULL;
}

static bool is_object(const struct json_value *value)
{
	return json_object_is_type(object_of(value), json_type_object);
}

enum json_value_type json_body_find(const struct json_value *object, const char *name,
				    const struct json_value **value)
{
	struct json_object *member = NULL;
	bool is_there = json_object_object_get_ex(object_of(object), name, &member);

	*value = value_of(member);
	return is_there ? json_value_type(*value) : JSON_TYPE_ABSENT;
}

static bool is_among(const char *name, const char *const names[], size_t names_count)
{
	for (size_t i = 0; i < names_count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *json_body_find_unknown(const struct json_value *object, const char *const names[], size_t names_count)
{
	if (!is_object(object))
		return NULL;
	json_object_object_foreach(object_of(object), name, member)
	{
		(void)member;
		if (!is_among(name, names, names_count))
			return name;
	}
	return NULL;
}

const char *json_value_string(const struct json_value *string, size_t *text_size)
{
	*text_size = (size_t)json_object_get_string_len(object_of(string));
	return json_object_get_string(object_of(string));
}

int64_t json_value_integer(const struct json_value *integer)
{
	return json_object_get_int64(object_of(integer));
}

bool json_value_boolean(const struct json_value *boolean)
{
	return json_object_get_boolean(object_of(boolean));
}

size_t json_value_count(const struct json_value *value)
{
	if (is_object(value))
		return (size_t)json_object_object_length(object_of(value));
	if (json_object_is_type(object_of(value), json_type_array))
		return json_object_array_length(object_of(value));
	return 0;
}

const struct json_value *json_value_element(const struct json_value *array, size_t i)
{
	if (is_object(array) || i >= json_value_count(array))
		return NULL;
	return value_of(json_object_array_get_idx(object_of(array), i));
}
