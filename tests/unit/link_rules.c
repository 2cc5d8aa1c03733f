/* Tests the limits of a link's URL and options. modules: link_rules id url url_host utf8 percent */
#include "link_rules.h"

#include "tap.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

#define MISSING "Parameter 'srcUrl' is missing"
#define LONG_URL "Parameter 'srcUrl' must not be more than 40 characters"
#define SCHEME "Parameter 'srcUrl' must start with http:// or https://"
#define ENCODING "Parameter 'srcUrl' must be valid UTF-8"
#define CONTROL "Parameter 'srcUrl' must not contain control characters; they can be percent-encoded"
#define NO_HOST "Parameter 'srcUrl' must name a host, as in https://example.com/"
#define BAD_HOST "Parameter 'srcUrl' must name a valid host, as in https://example.com/"
#define BAD_PORT "Parameter 'srcUrl' must have a port from 0 to 65535, or none"
#define CIRCLE "Parameter 'srcUrl' must not be a URL of this service, which would lead in a circle"
#define BAD_SLUG "Parameter 'slug' must be 1 to 64 characters of A-Za-z0-9_-"
#define RESERVED(slug) "Parameter 'slug' must not be '" slug "', which is a path of this service"
#define LONG_TITLE "Parameter 'title' must not be more than 500 characters"
#define CONTROL_TITLE "Parameter 'title' must not contain control characters"
#define BAD_TAG_SIZE "Parameter 'tags' must hold tags of 1 to 64 characters"
#define BAD_TAG "Parameter 'tags' must hold tags without commas and control characters"
#define BAD_MAX_VISITS "Parameter 'maxVisits' must be a whole number from 1 to 1000000000"
#define BAD_STATUS "Parameter 'redirectStatus' must be 301, 302, 307 or 308"
#define BAD_TIMES "Parameter 'validFrom' must be before 'expires'"

/* 10, 40, 50 and 500 of a character. */
#define TEN(c) c c c c c c c c c c
#define FORTY(c) TEN(c) TEN(c) TEN(c) TEN(c)
#define FIFTY(c) FORTY(c) TEN(c)
#define HUNDREDS(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c) FIFTY(c)
#define SIXTY_FOUR(c) FIFTY(c) TEN(c) c c c c
#define A_UMLAUT "\xc3\xa4"
#define SMILE "\xf0\x9f\x98\x80"

static const struct {
	const char *trimmed;
	const char *text;
	size_t text_size;
} trims[] = {
	{ "", TEXT("") },
	{ "", TEXT(" ") },
	{ "", TEXT(" \t\n\v\f\r ") },
	{ "a", TEXT("a") },
	{ "a", TEXT(" a") },
	{ "a", TEXT("a ") },
	{ "a", TEXT("\t\n\v\f\r a \t\n\v\f\r") },
	{ "a  b", TEXT("  a  b  ") },
	{ "\x08" "a\x0e", TEXT("\x08" "a\x0e") },
	{ "\xc2\xa0" "a", TEXT(" \xc2\xa0" "a") },
};

/* The base is https://test.short/s/, and 40 characters the limit. */
static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} urls[] = {
	{ NULL, TEXT("https://a.example/") },
	{ NULL, TEXT("HTTP://a.example?b#c") },
	{ NULL, TEXT("http://a.example/" TEN("a") TEN("b") "cde") },
	{ LONG_URL, TEXT("http://a.example/" TEN("a") TEN("b") "cdef") },
	{ NULL, TEXT("http://a.example/" TEN(SMILE) TEN(A_UMLAUT) SMILE SMILE SMILE) },
	{ LONG_URL, TEXT("http://a.example/" TEN(SMILE) TEN(A_UMLAUT) SMILE SMILE SMILE SMILE) },
	{ LONG_URL, TEXT(FORTY("x") "x") },
	{ MISSING, TEXT("") },
	{ SCHEME, TEXT("a.example") },
	{ SCHEME, TEXT("javascript:alert(1)") },
	{ ENCODING, TEXT("http://a.example/\xff") },
	{ CONTROL, TEXT("http://a.example/\n") },
	{ CONTROL, TEXT("http://a.example/\xc2\x80") },
	{ NO_HOST, TEXT("http://") },
	{ NO_HOST, TEXT("http:///a") },
	{ BAD_HOST, TEXT("http://a b/") },
	{ BAD_PORT, TEXT("http://a.example:65536/") },
	{ CIRCLE, TEXT("https://test.short/s/abc") },
	{ CIRCLE, TEXT("http://TEST.short/s") },
	{ NULL, TEXT("https://test.short/other") },
	{ NULL, TEXT("https://a.test.short/s/abc") },
};

static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} slugs[] = {
	{ NULL, TEXT("a") },
	{ NULL, TEXT("-") },
	{ NULL, TEXT("_") },
	{ NULL, TEXT("ABCXYZabcxyz0189_-") },
	{ NULL, TEXT(SIXTY_FOUR("a")) },
	{ BAD_SLUG, TEXT(SIXTY_FOUR("a") "a") },
	{ BAD_SLUG, TEXT("") },
	{ BAD_SLUG, TEXT("a b") },
	{ BAD_SLUG, TEXT("a/b") },
	{ BAD_SLUG, TEXT("a.b") },
	{ BAD_SLUG, TEXT("a\0") },
	{ BAD_SLUG, TEXT("%61") },
	{ BAD_SLUG, TEXT(A_UMLAUT) },
	{ RESERVED("shorten"), TEXT("shorten") },
	{ RESERVED("hello"), TEXT("hello") },
	{ RESERVED("api"), TEXT("api") },
	{ RESERVED("app"), TEXT("app") },
	{ RESERVED("healthz"), TEXT("healthz") },
	{ RESERVED("readyz"), TEXT("readyz") },
	{ RESERVED("metrics"), TEXT("metrics") },
	{ NULL, TEXT("Api") },
	{ NULL, TEXT("apis") },
	{ NULL, TEXT("ap") },
};

static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} titles[] = {
	{ NULL, TEXT("") },
	{ NULL, TEXT("A title, with a comma; \"quotes\" & <marks>") },
	{ NULL, TEXT(A_UMLAUT SMILE "\xc2\xa0\xc2\xbf\xe2\x80\x93") },
	{ NULL, TEXT(HUNDREDS("a")) },
	{ NULL, TEXT(HUNDREDS(SMILE)) },
	{ LONG_TITLE, TEXT(HUNDREDS("a") "a") },
	{ LONG_TITLE, TEXT(HUNDREDS(SMILE) SMILE) },
	{ CONTROL_TITLE, TEXT("a\nb") },
	{ CONTROL_TITLE, TEXT("a\tb") },
	{ CONTROL_TITLE, TEXT("\x01") },
	{ CONTROL_TITLE, TEXT("a\x1f") },
	{ CONTROL_TITLE, TEXT("a\x7f") },
	{ CONTROL_TITLE, TEXT("a\xc2\x80") },
	{ CONTROL_TITLE, TEXT("\xc2\x9f" "a") },
};

static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} tags[] = {
	{ NULL, TEXT("a") },
	{ NULL, TEXT("two words; and more: #1") },
	{ NULL, TEXT(SIXTY_FOUR("a")) },
	{ NULL, TEXT(SIXTY_FOUR(SMILE)) },
	{ BAD_TAG_SIZE, TEXT("") },
	{ BAD_TAG_SIZE, TEXT(SIXTY_FOUR("a") "a") },
	{ BAD_TAG_SIZE, TEXT(SIXTY_FOUR(SMILE) "a") },
	{ BAD_TAG, TEXT("a,b") },
	{ BAD_TAG, TEXT(",") },
	{ BAD_TAG, TEXT("a\nb") },
	{ BAD_TAG, TEXT("a\x7f") },
	{ BAD_TAG, TEXT("a\xc2\x85") },
};

static const struct {
	const char *problem;
	int64_t number;
} max_visits[] = {
	{ NULL, 1 },
	{ NULL, 2 },
	{ NULL, 999999999 },
	{ NULL, 1000000000 },
	{ BAD_MAX_VISITS, 1000000001 },
	{ BAD_MAX_VISITS, 0 },
	{ BAD_MAX_VISITS, -1 },
	{ BAD_MAX_VISITS, INT64_C(4294967297) },
	{ BAD_MAX_VISITS, INT64_MAX },
	{ BAD_MAX_VISITS, INT64_MIN },
};

static const struct {
	const char *problem;
	int64_t status;
} statuses[] = {
	{ BAD_STATUS, 300 },
	{ NULL, 301 },
	{ NULL, 302 },
	{ BAD_STATUS, 303 },
	{ BAD_STATUS, 304 },
	{ BAD_STATUS, 306 },
	{ NULL, 307 },
	{ NULL, 308 },
	{ BAD_STATUS, 309 },
	{ BAD_STATUS, 200 },
	{ BAD_STATUS, 0 },
	{ BAD_STATUS, -301 },
	{ BAD_STATUS, INT64_C(4294967296) + 301 },
	{ BAD_STATUS, INT64_MIN },
};

static const struct {
	const char *problem;
	int64_t valid_from_us;
	int64_t expires_us;
} times[] = {
	{ NULL, LINK_NO_TIME, LINK_NO_TIME },
	{ NULL, 5, LINK_NO_TIME },
	{ NULL, LINK_NO_TIME, 5 },
	{ NULL, LINK_NO_TIME, 0 },
	{ NULL, 5, 6 },
	{ NULL, 0, 1 },
	{ BAD_TIMES, 5, 5 },
	{ BAD_TIMES, 6, 5 },
	{ BAD_TIMES, 0, 0 },
	{ NULL, 0, INT64_C(253402300799999999) },
	{ BAD_TIMES, INT64_C(253402300799999999), 0 },
};

static void test_trims(void)
{
	for (size_t i = 0; i < COUNT_OF(trims); i++) {
		size_t size = trims[i].text_size;
		const char *trimmed = link_rules_trim(tap_copy_to_edge(trims[i].text, size), &size);
		ok(size == strlen(trims[i].trimmed) && memcmp(trimmed, trims[i].trimmed, size) == 0, "trims %zu: `%s`",
		   i, trims[i].text);
	}
	size_t size = 1;
	link_rules_trim(&"   "[1], &size);
	is_int(size, 0, "trims nothing beyond the text");
}

static void test_urls(void)
{
	char problem[LINK_RULES_PROBLEM_SIZE] = "";
	struct link_rules rules;

	ok(!link_rules_load(&rules, "test.short", 40), "a base that is no URL is refused");
	ok(link_rules_load(&rules, "https://test.short/s/", 40), "takes a base");
	for (size_t i = 0; i < COUNT_OF(urls); i++)
		is_text(link_rules_url_problem(&rules, tap_copy_to_edge(urls[i].text, urls[i].text_size),
					       urls[i].text_size, problem),
			urls[i].problem, "URL %zu: %s", i, urls[i].text);
	ok(link_rules_load(&rules, "https://test.short/", URL_CHARACTERS_MAX), "takes the highest limit");
	is_text(link_rules_url_problem(&rules, TEXT("http://a.example/" HUNDREDS("a")), problem), NULL,
		"URLs are as long as the limit says");
}

static void test_texts(void)
{
	char problem[LINK_RULES_PROBLEM_SIZE] = "";

	for (size_t i = 0; i < COUNT_OF(slugs); i++)
		is_text(link_rules_slug_problem(tap_copy_to_edge(slugs[i].text, slugs[i].text_size),
						slugs[i].text_size, problem),
			slugs[i].problem, "slug %zu: %s", i, slugs[i].text);
	for (size_t i = 0; i < COUNT_OF(titles); i++)
		is_text(link_rules_title_problem(tap_copy_to_edge(titles[i].text, titles[i].text_size),
						 titles[i].text_size, problem),
			titles[i].problem, "title %zu: %s", i, titles[i].text);
	for (size_t i = 0; i < COUNT_OF(tags); i++)
		is_text(link_rules_tag_problem(tap_copy_to_edge(tags[i].text, tags[i].text_size), tags[i].text_size,
					       problem),
			tags[i].problem, "tag %zu: %s", i, tags[i].text);
}

static void test_numbers(void)
{
	char problem[LINK_RULES_PROBLEM_SIZE] = "";

	for (size_t i = 0; i < COUNT_OF(max_visits); i++)
		is_text(link_rules_max_visits_problem(max_visits[i].number, problem), max_visits[i].problem,
			"maxVisits %lld", (long long)max_visits[i].number);
	for (size_t i = 0; i < COUNT_OF(statuses); i++)
		is_text(link_rules_redirect_status_problem(statuses[i].status), statuses[i].problem,
			"redirectStatus %lld", (long long)statuses[i].status);
	for (size_t i = 0; i < COUNT_OF(times); i++)
		is_text(link_rules_times_problem(times[i].valid_from_us, times[i].expires_us), times[i].problem,
			"times %zu", i);
}

int main(void)
{
	test_trims();
	test_urls();
	test_texts();
	test_numbers();
	url_close();
	return tap_done();
}
