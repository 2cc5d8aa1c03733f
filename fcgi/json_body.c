/* Reads the JSON that clients send, as strictly as RFC 8259, and writes the JSON of the small answers. */
#include "json_body.h"

#include "utf8.h"

#include <ctype.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

static const char problem_encoding[] = "The body is not valid UTF-8";
static const char problem_control[] = "The body must not contain NUL or other raw control characters";
static const char problem_surrogate[] = "The body must not contain half of a surrogate pair";
static const char problem_twice[] = "The body names a member twice";
static const char problem_deep[] = "The body is nested more than " TEXT_OF(JSON_BODY_DEPTH_MAX) " levels deep";
static const char problem_invalid[] = "The body is not valid JSON";
static const char problem_memory[] = "The body cannot be read for want of memory; a smaller one may pass";

struct json_body {
	struct json_object *value; /* owned; NULL is the JSON value null */
};

/* The scan refuses what json-c lets through: it looks at each token by itself, and leaves it to json-c
 * to refuse what is wrong with their order. */
struct scan {
	const char *at;
	const char *end;
	int depth;
	size_t members_count;
};

/* The four hexadecimal digits of a \u escape; -1 where they are not there. */
static long parse_unit(const struct scan *scan)
{
	char digits[5] = "";

	if (scan->end - scan->at < 4)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)scan->at[i]))
			return -1;
		digits[i] = scan->at[i];
	}
	return strtol(digits, NULL, 16);
}

static bool is_high_surrogate(long unit)
{
	return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(long unit)
{
	return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* Stands behind a high surrogate, and passes the low one that has to follow. */
static const char *low_surrogate_problem(struct scan *scan)
{
	if (scan->end - scan->at < 2 || memcmp(scan->at, "\\u", 2) != 0)
		return problem_surrogate;
	scan->at += 2;
	long unit = parse_unit(scan);
	if (unit < 0)
		return problem_invalid;
	if (!is_low_surrogate(unit))
		return problem_surrogate;
	scan->at += 4;
	return NULL;
}

static const char *unit_problem(struct scan *scan)
{
	long unit = parse_unit(scan);

	if (unit < 0)
		return problem_invalid;
	if (unit == 0)
		return problem_control;
	if (is_low_surrogate(unit))
		return problem_surrogate;
	scan->at += 4;
	return is_high_surrogate(unit) ? low_surrogate_problem(scan) : NULL;
}

/* Stands behind a backslash. */
static const char *escape_problem(struct scan *scan)
{
	if (scan->at == scan->end)
		return problem_invalid;
	char escape = *scan->at++;
	if (escape == '\0' || strchr("\"\\/bfnrtu", escape) == NULL)
		return problem_invalid;
	return escape == 'u' ? unit_problem(scan) : NULL;
}

static const char *string_problem(struct scan *scan)
{
	const char *problem = NULL;

	scan->at++;
	while (scan->at < scan->end && problem == NULL) {
		unsigned char character = (unsigned char)*scan->at++;
		if (character == '"')
			return NULL;
		if (character < 0x20)
			return problem_control;
		if (character == '\\')
			problem = escape_problem(scan);
	}
	return problem != NULL ? problem : problem_invalid;
}

/* Passes digits and returns how many there were. */
static size_t skip_digits(struct scan *scan)
{
	const char *start = scan->at;

	while (scan->at < scan->end && isdigit((unsigned char)*scan->at))
		scan->at++;
	return (size_t)(scan->at - start);
}

static bool skip_one_of(struct scan *scan, const char *characters)
{
	if (scan->at == scan->end || *scan->at == '\0' || strchr(characters, *scan->at) == NULL)
		return false;
	scan->at++;
	return true;
}

/* json-c takes a number with letters or signs behind it for something else than we do. */
static bool is_at_delimiter(const struct scan *scan)
{
	return scan->at == scan->end || strchr(" \t\n\r,]}", *scan->at) != NULL;
}

static const char *number_problem(struct scan *scan)
{
	skip_one_of(scan, "-");
	if (!skip_one_of(scan, "0") && skip_digits(scan) == 0)
		return problem_invalid;
	if (skip_one_of(scan, ".") && skip_digits(scan) == 0)
		return problem_invalid;
	if (skip_one_of(scan, "eE")) {
		skip_one_of(scan, "+-");
		if (skip_digits(scan) == 0)
			return problem_invalid;
	}
	return is_at_delimiter(scan) ? NULL : problem_invalid;
}

/* json-c knows these in any case, and NaN and Infinity besides. */
static const char *literal_problem(struct scan *scan)
{
	static const char *const literals[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
		size_t size = strlen(literals[i]);
		if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, literals[i], size) != 0)
			continue;
		scan->at += size;
		return NULL;
	}
	return problem_invalid;
}

static const char *mark_problem(struct scan *scan)
{
	unsigned char mark = (unsigned char)*scan->at++;

	switch (mark) {
	case '{':
	case '[':
		return ++scan->depth > JSON_BODY_DEPTH_MAX ? problem_deep : NULL;
	case '}':
	case ']':
		scan->depth--;
		return NULL;
	case ':':
		scan->members_count++;
		return NULL;
	case ',':
	case ' ':
	case '\t':
	case '\n':
	case '\r':
		return NULL;
	default:
		return mark < 0x20 ? problem_control : problem_invalid;
	}
}

static const char *token_problem(struct scan *scan)
{
	unsigned char first = (unsigned char)*scan->at;

	if (first == '"')
		return string_problem(scan);
	if (first == '-' || isdigit(first))
		return number_problem(scan);
	if (isalpha(first))
		return literal_problem(scan);
	return mark_problem(scan);
}

/* Counts the members that the text names, which are as many as it has colons outside strings. */
static const char *text_problem(const char *text, size_t text_size, size_t *members_count)
{
	struct scan scan = { .at = text, .end = text + text_size };
	const char *problem = NULL;

	/* The tokener takes the size as an int. */
	if (text_size > INT_MAX)
		return problem_memory;
	if (utf8_find_invalid(text, text_size) < text_size)
		return problem_encoding;
	while (scan.at < scan.end && problem == NULL)
		problem = token_problem(&scan);
	*members_count = scan.members_count;
	return problem;
}

/* json-c waits for what may follow a number until it sees the NUL, which comes by itself here because
 * the text need not have one. The NUL is the end also for a text that is complete without it. */
static const char *tokener_problem(struct json_tokener *tokener, const char *text, size_t text_size,
				   struct json_object **value)
{
	*value = json_tokener_parse_ex(tokener, text, (int)text_size);
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		*value = json_tokener_parse_ex(tokener, "", 1);
	else if (json_tokener_get_parse_end(tokener) != text_size)
		return problem_invalid;
	return json_tokener_get_error(tokener) == json_tokener_success ? NULL : problem_invalid;
}

/* The scan has counted the levels, so json-c gets one more than it can need: for scalars it counts one. */
static const char *value_problem(const char *text, size_t text_size, struct json_object **value)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_BODY_DEPTH_MAX + 2);

	if (tokener == NULL)
		return problem_memory;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	const char *problem = tokener_problem(tokener, text, text_size, value);
	json_tokener_free(tokener);
	return problem;
}

/* The members of a value at all its levels, of which there are at most JSON_BODY_DEPTH_MAX. */
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

/* Of members with one name json-c keeps the last, so there are fewer than the text names. */
static const char *body_problem(const char *text, size_t text_size, struct json_object **value)
{
	size_t members_count;
	const char *problem = text_problem(text, text_size, &members_count);

	if (problem != NULL)
		return problem;
	problem = value_problem(text, text_size, value);
	if (problem != NULL)
		return problem;
	return count_members(*value) == members_count ? NULL : problem_twice;
}

struct json_body *json_body_parse(const char *text, size_t text_size, const char **problem)
{
	struct json_object *value = NULL;
	struct json_body *body = NULL;

	*problem = body_problem(text, text_size, &value);
	if (*problem != NULL)
		goto out;
	body = malloc(sizeof(*body));
	if (body == NULL) {
		*problem = problem_memory;
		goto out;
	}
	body->value = value;
	value = NULL;
out:
	json_object_put(value);
	return body;
}

void json_body_free(struct json_body *body)
{
	if (body == NULL)
		return;
	json_object_put(body->value);
	free(body);
}

bool json_body_is_object(const struct json_body *body)
{
	return json_object_is_type(body->value, json_type_object);
}

enum json_body_member json_body_find_string(const struct json_body *body, const char *name, const char **value,
					    size_t *value_size)
{
	struct json_object *member = NULL;

	if (!json_body_is_object(body))
		return JSON_BODY_ABSENT;
	/* A member that is null is found as NULL. */
	if (!json_object_object_get_ex(body->value, name, &member) || member == NULL)
		return JSON_BODY_ABSENT;
	if (!json_object_is_type(member, json_type_string))
		return JSON_BODY_OTHER;
	*value = json_object_get_string(member);
	*value_size = (size_t)json_object_get_string_len(member);
	return JSON_BODY_STRING;
}

static bool is_among(const char *name, const char *const names[], size_t names_count)
{
	for (size_t i = 0; i < names_count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *json_body_find_unknown(const struct json_body *body, const char *const names[], size_t names_count)
{
	if (!json_body_is_object(body))
		return NULL;
	json_object_object_foreach(body->value, name, member)
	{
		(void)member;
		if (!is_among(name, names, names_count))
			return name;
	}
	return NULL;
}

/* Adds a string to an object that has no such member yet. */
static bool add_string(struct json_object *object, const char *name, const char *text)
{
	static const unsigned options = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;
	struct json_object *value = json_object_new_string(text);

	if (value == NULL)
		return false;
	if (json_object_object_add_ex(object, name, value, options) == 0)
		return true;
	json_object_put(value);
	return false;
}

static char *write_object(struct json_object *object, size_t *text_size)
{
	static const int options = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	const char *text = json_object_to_json_string_length(object, options, text_size);

	return text == NULL ? NULL : strdup(text);
}

char *json_body_write_link(const char *srcurl, const char *shortened_url, size_t *text_size)
{
	struct json_object *object = json_object_new_object();
	char *text = NULL;

	if (object != NULL && add_string(object, "srcUrl", srcurl) &&
	    add_string(object, "shortenedUrl", shortened_url))
		text = write_object(object, text_size);
	json_object_put(object);
	return text;
}

char *json_body_write_error(const char *message, size_t *text_size)
{
	struct json_object *object = json_object_new_object();
	char *text = NULL;

	if (object != NULL && add_string(object, "errMsg", message))
		text = write_object(object, text_size);
	json_object_put(object);
	return text;
}
