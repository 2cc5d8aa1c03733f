/* Checks the text of JSON as strictly as RFC 8259, token by token. */
#include "json_scan.h"

#include "utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

static const char problem_encoding[] = "The body is not valid UTF-8";
static const char problem_control[] = "The body must not contain NUL or other raw control characters";
static const char problem_surrogate[] = "The body must not contain half of a surrogate pair";
static const char problem_deep[] = "The body is nested more than " TEXT_OF(JSON_SCAN_DEPTH_MAX) " levels deep";
static const char problem_many[] = "The body has too many values; make several requests of it";
static const char problem_invalid[] = "The body is not valid JSON";

struct scan {
	const char *at;
	const char *end;
	int depth;
	struct json_scan_counts counts;
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
		if (++scan->counts.containers > JSON_SCAN_CONTAINERS_MAX)
			return problem_many;
		return ++scan->depth > JSON_SCAN_DEPTH_MAX ? problem_deep : NULL;
	case '}':
	case ']':
		scan->depth--;
		return NULL;
	case ':':
		scan->counts.members++;
		return NULL;
	case ',':
		return ++scan->counts.commas > JSON_SCAN_COMMAS_MAX ? problem_many : NULL;
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

const char *json_scan_problem(const char *text, size_t text_size, struct json_scan_counts *counts)
{
	struct scan scan = { .at = text, .end = text + text_size };
	const char *problem = NULL;

	if (utf8_find_invalid(text, text_size) < text_size)
		return problem_encoding;
	while (scan.at < scan.end && problem == NULL)
		problem = token_problem(&scan);
	*counts = scan.counts;
	return problem;
}
