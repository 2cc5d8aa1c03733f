/* What a link may be: the limits of its URL and its options. */
#include "link_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "id.h"
#include "utf8.h"

/* Paths of this service, now or later. */
static const char *const reserved[] = { "shorten", "hello", "api", "app", "healthz", "readyz", "metrics" };

bool link_rules_load(struct link_rules *rules, const char *base_url, long max_url_characters)
{
	rules->max_url_characters = max_url_characters;
	return url_parse(base_url, strlen(base_url), &rules->base) == URL_VALID;
}

/* ASCII white space of the WHATWG (tab, line feed, form feed, carriage return, blank) and vertical tab. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *link_rules_trim(const char *text, size_t *text_size)
{
	size_t size = *text_size;

	while (size > 0 && is_space(text[size - 1]))
		size--;
	while (size > 0 && is_space(*text)) {
		text++;
		size--;
	}
	*text_size = size;
	return text;
}

static const char *sentence_of(enum url_error error)
{
	switch (error) {
	case URL_VALID:
		break;
	case URL_BAD_SCHEME:
		return "Parameter 'srcUrl' must start with http:// or https://";
	case URL_BAD_ENCODING:
		return "Parameter 'srcUrl' must be valid UTF-8";
	case URL_CONTROL:
		return "Parameter 'srcUrl' must not contain control characters; they can be percent-encoded";
	case URL_NO_HOST:
		return "Parameter 'srcUrl' must name a host, as in https://example.com/";
	case URL_BAD_HOST:
		return "Parameter 'srcUrl' must name a valid host, as in https://example.com/";
	case URL_BAD_PORT:
		return "Parameter 'srcUrl' must have a port from 0 to 65535, or none";
	case URL_TOO_LONG:
		return "Parameter 'srcUrl' is too long";
	}
	return NULL;
}

static const char *too_long(char problem[LINK_RULES_PROBLEM_SIZE], const char *name, long characters_max)
{
	snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter '%s' must not be more than %ld characters", name,
		 characters_max);
	return problem;
}

const char *link_rules_url_problem(const struct link_rules *rules, const char *srcurl, size_t srcurl_size,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	struct url url;

	if (srcurl_size == 0)
		return "Parameter 'srcUrl' is missing";
	if (utf8_count_characters(srcurl, srcurl_size) > (size_t)rules->max_url_characters)
		return too_long(problem, "srcUrl", rules->max_url_characters);
	const char *sentence = sentence_of(url_parse(srcurl, srcurl_size, &url));
	if (sentence == NULL && url_is_below(&url, &rules->base))
		return "Parameter 'srcUrl' must not be a URL of this service, which would lead in a circle";
	return sentence;
}

static bool is_reserved(const char *slug, size_t slug_size)
{
	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
		if (strlen(reserved[i]) == slug_size && memcmp(reserved[i], slug, slug_size) == 0)
			return true;
	return false;
}

const char *link_rules_slug_problem(const char *slug, size_t slug_size, char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (!id_is_valid(slug, slug_size)) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter 'slug' must be 1 to %d characters of A-Za-z0-9_-",
			 ID_MAX);
		return problem;
	}
	if (is_reserved(slug, slug_size)) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter 'slug' must not be '%.*s', which is a path of this service",
			 (int)slug_size, slug);
		return problem;
	}
	return NULL;
}

/* C0, DEL, and C1, which UTF-8 writes as C2 80 to C2 9F. */
static bool has_control(const char *text, size_t text_size)
{
	for (size_t i = 0; i < text_size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte < 0x20 || byte == 0x7f)
			return true;
		if (byte == 0xc2 && i + 1 < text_size && (unsigned char)text[i + 1] < 0xa0)
			return true;
	}
	return false;
}

const char *link_rules_title_problem(const char *title, size_t title_size, char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (utf8_count_characters(title, title_size) > LINK_TITLE_MAX)
		return too_long(problem, "title", LINK_TITLE_MAX);
	return has_control(title, title_size) ? "Parameter 'title' must not contain control characters" : NULL;
}

const char *link_rules_tag_problem(const char *tag, size_t tag_size, char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t characters = utf8_count_characters(tag, tag_size);

	if (characters == 0 || characters > LINK_TAG_MAX) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter 'tags' must hold tags of 1 to %d characters",
			 LINK_TAG_MAX);
		return problem;
	}
	if (has_control(tag, tag_size) || memchr(tag, ',', tag_size) != NULL)
		return "Parameter 'tags' must hold tags without commas and control characters";
	return NULL;
}

const char *link_rules_max_visits_problem(int64_t max_visits, char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (max_visits >= 1 && max_visits <= LINK_MAX_VISITS_MAX)
		return NULL;
	snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter 'maxVisits' must be a whole number from 1 to %" PRId64,
		 LINK_MAX_VISITS_MAX);
	return problem;
}

const char *link_rules_redirect_status_problem(int64_t status)
{
	if (status == 301 || status == 302 || status == 307 || status == 308)
		return NULL;
	return "Parameter 'redirectStatus' must be 301, 302, 307 or 308";
}

const char *link_rules_times_problem(int64_t valid_from_us, int64_t expires_us)
{
	if (valid_from_us == LINK_NO_TIME || expires_us == LINK_NO_TIME || valid_from_us < expires_us)
		return NULL;
	return "Parameter 'validFrom' must be before 'expires'";
}
