/* Fuzzes what is read of header fields, and percent-decoding against a second, simple decoder. Input: method, Accept,
 * Content-Type and target in a line each, and a text. modules: http percent; max_len: 512 */
#include "http.h"

#include <ctype.h>
#include <strings.h>

#include "fuzz.h"

#define TEXT_MAX 512

static void check_method(const char *name)
{
	enum http_method method = http_parse_method(name);
	char list[HTTP_METHODS_MAX];

	http_write_methods(method, list);
	must(method == HTTP_OTHER ? *list == '\0' : strcmp(list, name) == 0);
}

static char *write_capitals(const char *text)
{
	char *capitals = fuzz_copy_text(text, strlen(text));

	for (char *at = capitals; *at != '\0'; at++)
		*at = (char)toupper((unsigned char)*at);
	return capitals;
}

static char *append(const char *text, const char *end)
{
	size_t size = strlen(text) + strlen(end) + 1;
	char *appended = fuzz_allocate(size);

	snprintf(appended, size, "%s%s", text, end);
	return appended;
}

/* Letters have no case, an empty range says nothing, and HTML has to be named to be preferred. */
static void check_accept(const char *accept)
{
	char *capitals = write_capitals(accept);
	char *with_nothing = append(accept, " ,");
	char *with_json = append(accept, ", application/json");
	bool is_html = http_prefers_html(accept);

	must(http_prefers_html(capitals) == is_html);
	if (strchr(accept, '"') == NULL) {
		must(http_prefers_html(with_nothing) == is_html);
		must(!http_prefers_html(with_json));
	}
	if (is_html)
		must(strcasestr(accept, "text/") != NULL || strstr(accept, "*/*") != NULL);
	free(with_json);
	free(with_nothing);
	free(capitals);
}

/* It is the type alone, whatever its parameters. */
static void check_content_type(const char *content_type)
{
	static const char json[] = "application/json";
	char *capitals = write_capitals(content_type);
	char *with_parameter = append(content_type, "; x=y");
	bool is_json = http_is_media_type(content_type, json);

	must(http_is_media_type(capitals, json) == is_json);
	if (strchr(content_type, '"') == NULL)
		must(http_is_media_type(with_parameter, json) == is_json);
	if (is_json) {
		size_t start = strspn(content_type, " \t");
		size_t end = start + strlen(json);

		must(strncasecmp(content_type + start, json, strlen(json)) == 0);
		must(strchr("; \t", content_type[end]) != NULL);
	}
	free(with_parameter);
	free(capitals);
}

static void check_query(const char *target)
{
	const char *query = http_find_query(target);
	const char *question = strchr(target, '?');

	must(question == NULL ? *query == '\0' : query == question + 1);
}

static void check_decoding(const char *text, size_t size, bool plus_is_blank)
{
	char expected[TEXT_MAX];
	long expected_size = fuzz_percent_decode(text, size, plus_is_blank, expected);
	char *bare = fuzz_allocate(size);
	char *decoded = fuzz_allocate(size + 1);
	size_t decoded_size = 0;

	memcpy(bare, text, size);
	must(http_percent_decode(bare, size, plus_is_blank, decoded, &decoded_size) == (expected_size >= 0));
	if (expected_size >= 0) {
		must(fuzz_is_equal(decoded, decoded_size, expected, (size_t)expected_size) && decoded[decoded_size] == '\0');
		memcpy(decoded, text, size);
		must(http_percent_decode(decoded, size, plus_is_blank, decoded, &decoded_size));
		must(fuzz_is_equal(decoded, decoded_size, expected, (size_t)expected_size) && decoded[decoded_size] == '\0');
	}
	free(decoded);
	free(bare);
}

/* What was encoded is there again. */
static void check_encoded(const char *text, size_t size)
{
	char encoded[TEXT_MAX * 3];
	char decoded[TEXT_MAX * 3 + 1];
	size_t encoded_size = fuzz_percent_encode(text, size, '%', encoded);
	size_t decoded_size = 0;

	must(http_percent_decode(encoded, encoded_size, false, decoded, &decoded_size));
	must(fuzz_is_equal(decoded, decoded_size, text, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > TEXT_MAX)
		return 0;
	struct fuzz_input input = fuzz_start(data, size);
	char *method = fuzz_take_line(&input);
	char *accept = fuzz_take_line(&input);
	char *content_type = fuzz_take_line(&input);
	char *target = fuzz_take_line(&input);

	check_method(method);
	check_accept(accept);
	check_content_type(content_type);
	check_query(target);
	check_decoding(input.at, fuzz_size_left(&input), false);
	check_decoding(input.at, fuzz_size_left(&input), true);
	check_encoded(input.at, fuzz_size_left(&input));
	free(target);
	free(content_type);
	free(accept);
	free(method);
	return 0;
}
