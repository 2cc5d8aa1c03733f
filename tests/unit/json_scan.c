/* Tests the check of the tokens of JSON by itself. modules: json_scan utf8 */
#include "json_scan.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

static const struct {
	size_t members_count;
	const char *text;
	size_t text_size;
} scanned[] = {
	{ 0, TEXT("") },
	{ 0, TEXT(" \t\r\n") },
	{ 0, TEXT("[1,-0.5e+10,\"a\",true,false,null]") },
	{ 1, TEXT("{\"a\":1}") },
	{ 2, TEXT("{\"a\":1,\"a\":2}") },
	{ 3, TEXT("{\"a\":{\"b\":{\"c\":\":::\"}}}") },
	{ 1, TEXT("{\"a:b\\\":\":\"c:d\\\\\"}") },
	{ 0, TEXT("[[[[[[[[]]]]]]]]") },
	{ 0, TEXT("[[[[[[[[]]]]]]]],[[[[[[[[]]]]]]]]") },
	{ 8, TEXT("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}") },
	/* Right tokens in a wrong order. */
	{ 0, TEXT("]}") },
	{ 2, TEXT("::") },
	{ 0, TEXT("{,}") },
	{ 0, TEXT("1 2") },
	{ 0, TEXT("\"a\"\"b\"") },
};

static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} refused[] = {
	{ "The body is not valid UTF-8", TEXT("\"\xff\"") },
	{ "The body is not valid UTF-8", TEXT("[[[[[[[[[\xc3") },
	{ "The body must not contain NUL or other raw control characters", TEXT("\0") },
	{ "The body must not contain NUL or other raw control characters", TEXT("\"\x1f\"") },
	{ "The body must not contain NUL or other raw control characters", TEXT("\"\\u0000\"") },
	{ "The body must not contain half of a surrogate pair", TEXT("\"\\ud800\"") },
	{ "The body must not contain half of a surrogate pair", TEXT("\"\\udc00\"") },
	{ "The body is nested more than 8 levels deep", TEXT("[[[[[[[[[") },
	{ "The body is nested more than 8 levels deep", TEXT("[{[{[{[{[") },
	{ "The body is not valid JSON", TEXT("'a'") },
	{ "The body is not valid JSON", TEXT("/**/") },
	{ "The body is not valid JSON", TEXT("NaN") },
	{ "The body is not valid JSON", TEXT("Infinity") },
	{ "The body is not valid JSON", TEXT("-Infinity") },
	{ "The body is not valid JSON", TEXT("00") },
	{ "The body is not valid JSON", TEXT("1.") },
	{ "The body is not valid JSON", TEXT("1e") },
	{ "The body is not valid JSON", TEXT("1\"") },
	{ "The body is not valid JSON", TEXT("-") },
	{ "The body is not valid JSON", TEXT("True") },
	{ "The body is not valid JSON", TEXT("\"") },
	{ "The body is not valid JSON", TEXT("\"\\") },
	{ "The body is not valid JSON", TEXT("\"\\a\"") },
	{ "The body is not valid JSON", TEXT("\"\\u00") },
	{ "The body is not valid JSON", TEXT("\x7f") },
};

/* An array with the item so many times, and one comma less. */
static void test_many(const char *item, size_t count, const char *problem)
{
	const size_t item_size = strlen(item);
	char *text = malloc(count * (item_size + 1) + 1);
	size_t size = 0;
	struct json_scan_counts counts;

	if (text == NULL)
		tap_bail_out("no memory for a long text");
	for (size_t i = 0; i < count; i++) {
		text[size++] = i == 0 ? '[' : ',';
		memcpy(text + size, item, item_size);
		size += item_size;
	}
	text[size++] = ']';
	is_text(json_scan_problem(text, size, &counts), problem, "%zu times %s", count, item);
	free(text);
}

/* The array around them counts as well. */
static void test_limits(void)
{
	static const char too_many[] = "The body has too many values; make several requests of it";

	test_many("{}", JSON_SCAN_CONTAINERS_MAX - 1, NULL);
	test_many("{}", JSON_SCAN_CONTAINERS_MAX, too_many);
	test_many("[]", JSON_SCAN_CONTAINERS_MAX - 1, NULL);
	test_many("[]", JSON_SCAN_CONTAINERS_MAX, too_many);
	test_many("1", JSON_SCAN_COMMAS_MAX + 1, NULL);
	test_many("1", JSON_SCAN_COMMAS_MAX + 2, too_many);
	test_many("\"{[,\"", JSON_SCAN_CONTAINERS_MAX + 10, NULL);
}

int main(void)
{
	struct json_scan_counts counts;

	for (size_t i = 0; i < COUNT_OF(scanned); i++) {
		const char *text = tap_copy_to_edge(scanned[i].text, scanned[i].text_size);
		is_text(json_scan_problem(text, scanned[i].text_size, &counts), NULL, "no problem with %s",
			scanned[i].text);
		is_int(counts.members, scanned[i].members_count, "members of %s", scanned[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		const char *text = tap_copy_to_edge(refused[i].text, refused[i].text_size);
		is_text(json_scan_problem(text, refused[i].text_size, &counts), refused[i].problem,
			"problem with %zu: %s", i, refused[i].text);
	}
	test_limits();
	return tap_done();
}
