/* Knows the names of HTTP: methods, statuses, media types and percent-coding. */
#include "http.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "percent.h"

static const struct {
	enum http_method method;
	const char *name;
} methods_table[] = {
	{ HTTP_GET, "GET" },       { HTTP_HEAD, "HEAD" },     { HTTP_POST, "POST" },       { HTTP_PUT, "PUT" },
	{ HTTP_PATCH, "PATCH" },   { HTTP_DELETE, "DELETE" }, { HTTP_OPTIONS, "OPTIONS" },
};

#define METHODS_COUNT (sizeof(methods_table) / sizeof(methods_table[0]))

static const struct {
	int status;
	const char *phrase;
} statuses[] = {
	{ 200, "OK" },
	{ 201, "Created" },
	{ 204, "No Content" },
	{ 301, "Moved Permanently" },
	{ 302, "Found" },
	{ 303, "See Other" },
	{ 304, "Not Modified" },
	{ 307, "Temporary Redirect" },
	{ 308, "Permanent Redirect" },
	{ 400, "Bad Request" },
	{ 401, "Unauthorized" },
	{ 403, "Forbidden" },
	{ 404, "Not Found" },
	{ 405, "Method Not Allowed" },
	{ 406, "Not Acceptable" },
	{ 408, "Request Timeout" },
	{ 409, "Conflict" },
	{ 410, "Gone" },
	{ 411, "Length Required" },
	{ 412, "Precondition Failed" },
	{ 413, "Content Too Large" },
	{ 414, "URI Too Long" },
	{ 415, "Unsupported Media Type" },
	{ 422, "Unprocessable Content" },
	{ 429, "Too Many Requests" },
	{ 431, "Request Header Fields Too Large" },
	{ 500, "Internal Server Error" },
	{ 501, "Not Implemented" },
	{ 503, "Service Unavailable" },
};

#define STATUSES_COUNT (sizeof(statuses) / sizeof(statuses[0]))

/* Quality values in thousandths, RFC 9110 section 12.4.2. */
#define QUALITY_MAX 1000
#define QUALITY_BAD (-1)

struct span {
	const char *start;
	size_t size;
};

void http_answer(struct http_request *request, const struct http_response *response)
{
	request->answer(request, response);
}

/* Methods are case-sensitive, RFC 9110 section 9.1. */
enum http_method http_parse_method(const char *name)
{
	for (size_t i = 0; i < METHODS_COUNT; i++)
		if (strcmp(name, methods_table[i].name) == 0)
			return methods_table[i].method;
	return HTTP_OTHER;
}

void http_write_methods(unsigned methods, char list[HTTP_METHODS_MAX])
{
	char *end = list;

	for (size_t i = 0; i < METHODS_COUNT; i++) {
		if ((methods & methods_table[i].method) == 0)
			continue;
		if (end != list)
			end = stpncpy(end, ", ", (size_t)(list + HTTP_METHODS_MAX - end));
		end = stpncpy(end, methods_table[i].name, (size_t)(list + HTTP_METHODS_MAX - end));
	}
	*end = '\0';
}

const char *http_status_phrase(int status)
{
	for (size_t i = 0; i < STATUSES_COUNT; i++)
		if (statuses[i].status == status)
			return statuses[i].phrase;
	return "";
}

/* Cuts off and returns what stands before the separator. One inside a quoted string does not count. */
static struct span take_until(struct span *text, char separator)
{
	bool is_quoted = false;
	size_t i = 0;

	for (; i < text->size && (is_quoted || text->start[i] != separator); i++) {
		if (text->start[i] == '"')
			is_quoted = !is_quoted;
		if (is_quoted && text->start[i] == '\\' && i + 1 < text->size)
			i++;
	}
	struct span taken = { text->start, i };
	size_t taken_size = i < text->size ? i + 1 : i;
	*text = (struct span){ text->start + taken_size, text->size - taken_size };
	return taken;
}

static bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static struct span trim(struct span text)
{
	while (text.size > 0 && is_blank(text.start[0])) {
		text.start++;
		text.size--;
	}
	while (text.size > 0 && is_blank(text.start[text.size - 1]))
		text.size--;
	return text;
}

static bool is_equal(struct span text, const char *name, size_t name_size)
{
	return text.size == name_size && strncasecmp(text.start, name, name_size) == 0;
}

/* How closely a range names a media type: 3 by itself, 2 by its type, 1 by any, 0 not at all. */
static int range_rank(struct span range, const char *media_type)
{
	size_t type_size = strcspn(media_type, "/") + 1;

	if (is_equal(range, media_type, strlen(media_type)))
		return 3;
	if (is_equal(range, "*/*", strlen("*/*")))
		return 1;
	if (range.size != type_size + 1 || range.start[type_size] != '*')
		return 0;
	range.size--;
	return is_equal(range, media_type, type_size) ? 2 : 0;
}

/* Parses 0, 1, 0.5, 0.123 or 1.000. */
static int parse_quality(struct span text)
{
	static const int weights[] = { 1000, 0, 100, 10, 1 };
	int quality = 0;

	if (text.size == 0 || text.size > sizeof(weights) / sizeof(weights[0]))
		return QUALITY_BAD;
	if (text.size > 1 && text.start[1] != '.')
		return QUALITY_BAD;
	for (size_t i = 0; i < text.size; i++) {
		if (i != 1 && !isdigit((unsigned char)text.start[i]))
			return QUALITY_BAD;
		quality += (text.start[i] - '0') * weights[i];
	}
	return quality > QUALITY_MAX ? QUALITY_BAD : quality;
}

/* The quality among the parameters of a range; parameters of other names are not looked at. */
static int find_quality(struct span parameters)
{
	while (parameters.size > 0) {
		struct span value = take_until(&parameters, ';');
		struct span name = trim(take_until(&value, '='));
		if (is_equal(name, "q", 1))
			return parse_quality(trim(value));
	}
	return QUALITY_MAX;
}

/* The quality that an Accept field gives to a media type, 0 where it does not name it. */
static int accept_quality(const char *accept, const char *media_type)
{
	struct span ranges = { accept, strlen(accept) };
	int best_rank = 0;
	int best_quality = 0;

	while (ranges.size > 0) {
		struct span parameters = take_until(&ranges, ',');
		int rank = range_rank(trim(take_until(&parameters, ';')), media_type);
		int quality = find_quality(parameters);

		if (rank == 0 || quality == QUALITY_BAD || rank < best_rank)
			continue;
		if (rank > best_rank || quality > best_quality)
			best_quality = quality;
		best_rank = rank;
	}
	return best_quality;
}

bool http_prefers_html(const char *accept)
{
	return accept_quality(accept, "text/html") > accept_quality(accept, "application/json");
}

bool http_is_media_type(const char *content_type, const char *media_type)
{
	struct span text = { content_type, strlen(content_type) };

	return is_equal(trim(take_until(&text, ';')), media_type, strlen(media_type));
}

const char *http_find_query(const char *target)
{
	const char *question = strchr(target, '?');

	return question != NULL ? question + 1 : "";
}

bool http_percent_decode(const char *text, size_t text_size, bool plus_is_blank, char *decoded, size_t *decoded_size)
{
	size_t size = 0;

	for (size_t i = 0; i < text_size; i++) {
		if (text[i] != '%') {
			decoded[size++] = (char)(plus_is_blank && text[i] == '+' ? ' ' : text[i]);
			continue;
		}
		int byte = percent_parse_triplet(text + i, text_size - i);
		if (byte < 0)
			return false;
		decoded[size++] = (char)byte;
		i += 2;
	}
	decoded[size] = '\0';
	*decoded_size = size;
	return true;
}
