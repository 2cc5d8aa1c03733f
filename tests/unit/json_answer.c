/* Tests the writing of small answers. modules: json_answer */
#include "json_answer.h"

#include <json-c/json.h>

#include "tap.h"

#define SHORTENED "http://test.short/abcdefghij"
#define SENTENCE "Parameter 'srcUrl' must start with http:// or https://"

static void test_written(char *text, size_t text_size, const char *expected)
{
	is_text(text, expected, "writes %s", expected);
	is_int(text_size, strlen(expected), "size of %s", expected);
	free(text);
}

/* json-c wrote these answers for years: no byte of them changes. */
static void test_link(const char *srcurl)
{
	size_t size = 0;
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "srcUrl", json_object_new_string(srcurl));
	json_object_object_add(object, "shortenedUrl", json_object_new_string(SHORTENED));
	char *text = json_answer_link(srcurl, SHORTENED, &size);
	test_written(text, size, json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

static void test_characters(void)
{
	for (int character = 1; character < 0x80; character++) {
		char text[] = { 'a', (char)character, 'b', (char)character, '\0' };

		test_link(text);
	}
	test_link("");
	test_link("\\");
	test_link("\xc2\x80\xc3\xa4\xe2\x80\xa8\xe2\x80\xa9\xef\xbf\xbf\xf0\x9f\x98\x80");
}

static void test_members(void)
{
	size_t size = 0;
	char *text = json_answer_link("http://a.example/?q=\"\x01", SHORTENED, &size);

	test_written(text, size, "{\"srcUrl\":\"http://a.example/?q=\\\"\\u0001\",\"shortenedUrl\":\"" SHORTENED "\"}");
	text = json_answer_link_status(200, "a\n", SHORTENED, &size);
	test_written(text, size, "{\"status\":200,\"srcUrl\":\"a\\n\",\"shortenedUrl\":\"" SHORTENED "\"}");
	text = json_answer_error(SENTENCE, &size);
	test_written(text, size, "{\"errMsg\":\"" SENTENCE "\"}");
	text = json_answer_error_status(400, SENTENCE, &size);
	test_written(text, size, "{\"status\":400,\"errMsg\":\"" SENTENCE "\"}");
}

int main(void)
{
	test_characters();
	test_members();
	return tap_done();
}
