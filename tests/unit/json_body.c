/* Tests the reading and writing of JSON. modules: json_body utf8 */
#include "json_body.h"

#include "tap.h"

#define BAD_ENCODING "The body is not valid UTF-8"
#define BAD_CONTROL "The body must not contain NUL or other raw control characters"
#define BAD_SURROGATE "The body must not contain half of a surrogate pair"
#define BAD_TWICE "The body names a member twice"
#define BAD_DEPTH "The body is nested more than 8 levels deep"
#define BAD_JSON "The body is not valid JSON"

#define TEXT(literal) (literal), sizeof(literal) - 1

static const struct {
	const char *text;
	size_t text_size;
	bool is_object;
	enum json_body_member member; /* of the member srcUrl */
	const char *value;            /* of the member srcUrl */
	const char *unknown;          /* the first member that is neither srcUrl nor slug */
} bodies[] = {
	{ TEXT("{}"), true, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT(" \t\r\n{ } \t\r\n"), true, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("{\"srcUrl\":\"a\"}"), true, JSON_BODY_STRING, "a", NULL },
	{ TEXT("{\"srcUrl\":\"\"}"), true, JSON_BODY_STRING, "", NULL },
	{ TEXT("{\"srcUrl\":null}"), true, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("{\"srcUrl\":12}"), true, JSON_BODY_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":true}"), true, JSON_BODY_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":[\"a\"]}"), true, JSON_BODY_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":{\"srcUrl\":\"a\"}}"), true, JSON_BODY_OTHER, NULL, NULL },
	{ TEXT("{\"slug\":\"b\",\"srcUrl\":\"a:b,{c}[d]\"}"), true, JSON_BODY_STRING, "a:b,{c}[d]", NULL },
	{ TEXT("{\"src\\u0055rl\":\"\\u00e4\"}"), true, JSON_BODY_STRING, "\xc3\xa4", NULL },
	{ TEXT("{\"srcUrl\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u000A\"}"), true, JSON_BODY_STRING, "\"\\/\b\f\n\r\t\n",
	  NULL },
	{ TEXT("{\"srcUrl\":\"\\uD83d\\ude00 \xf0\x9f\x98\x80 \\uFFFF\\uD7FF\\uE000\"}"), true, JSON_BODY_STRING,
	  "\xf0\x9f\x98\x80 \xf0\x9f\x98\x80 \xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80", NULL },
	{ TEXT("{\"srcUrl\":\"\x7f'/*NaN\"}"), true, JSON_BODY_STRING, "\x7f'/*NaN", NULL },
	{ TEXT("{\"srcUrl\":\"a\",\"titel\":1,\"x\":2}"), true, JSON_BODY_STRING, "a", "titel" },
	{ TEXT("{\"srcurl\":\"a\"}"), true, JSON_BODY_ABSENT, NULL, "srcurl" },
	{ TEXT("{\"\":\"a\"}"), true, JSON_BODY_ABSENT, NULL, "" },
	{ TEXT("{\"slug\":{\"a\":[{\"b\":1},{\"b\":2}],\"b\":{\"a\":1}}}"), true, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("{\"slug\":[0,-0,1,-1,1.5,-0.5e10,1E+2,1e-2,10,true,false,null]}"), true, JSON_BODY_ABSENT, NULL,
	  NULL },
	{ TEXT("[]"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("[{\"srcUrl\":\"a\"},{\"srcUrl\":\"a\"}]"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("123"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("-0.5e1 "), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("99999999999999999999999"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("1e999"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("\"\""), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("\"srcUrl:\""), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("true"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT(" null"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("[[[[[[[[]]]]]]]]"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("[[[[[[[[1,\"a\",null]]]]]]]]"), false, JSON_BODY_ABSENT, NULL, NULL },
	{ TEXT("{\"slug\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}"), true, JSON_BODY_ABSENT, NULL,
	  NULL },
	{ TEXT("[[],[[]],[[[]]],[],[],[],[],[],[]]"), false, JSON_BODY_ABSENT, NULL, NULL },
};

static const struct {
	const char *problem;
	const char *text;
	size_t text_size;
} refused[] = {
	{ BAD_JSON, TEXT("") },
	{ BAD_JSON, TEXT(" \n") },
	{ BAD_JSON, TEXT("x") },
	{ BAD_JSON, TEXT("srcUrl=http://a.example/") },
	{ BAD_JSON, TEXT("{") },
	{ BAD_JSON, TEXT("}") },
	{ BAD_JSON, TEXT("]]]][[[[") },
	{ BAD_JSON, TEXT("[}") },
	{ BAD_JSON, TEXT("{\"a\"}") },
	{ BAD_JSON, TEXT("{\"a\":}") },
	{ BAD_JSON, TEXT("{\"a\":1") },
	{ BAD_JSON, TEXT("{\"a\":1,}") },
	{ BAD_JSON, TEXT("{,}") },
	{ BAD_JSON, TEXT("{\"a\"::1}") },
	{ BAD_JSON, TEXT("{a:1}") },
	{ BAD_JSON, TEXT("{1:1}") },
	{ BAD_JSON, TEXT("{null:1}") },
	{ BAD_JSON, TEXT("{'a':1}") },
	{ BAD_JSON, TEXT("{\"a\":'b'}") },
	{ BAD_JSON, TEXT("{\"a\" 1}") },
	{ BAD_JSON, TEXT("{\"a\":1 \"b\":2}") },
	{ BAD_JSON, TEXT("[1,]") },
	{ BAD_JSON, TEXT("[,1]") },
	{ BAD_JSON, TEXT("[,]") },
	{ BAD_JSON, TEXT("[1 2]") },
	{ BAD_JSON, TEXT("[1,,2]") },
	{ BAD_JSON, TEXT("[1:2]") },
	{ BAD_JSON, TEXT("[1\"a\"]") },
	{ BAD_JSON, TEXT("[\"a\"\"b\"]") },
	{ BAD_JSON, TEXT("[\"a\"1]") },
	{ BAD_JSON, TEXT("[[]1]") },
	{ BAD_JSON, TEXT("{} {}") },
	{ BAD_JSON, TEXT("{}x") },
	{ BAD_JSON, TEXT("{},") },
	{ BAD_JSON, TEXT("{}]") },
	{ BAD_JSON, TEXT("1 2") },
	{ BAD_JSON, TEXT("1,") },
	{ BAD_JSON, TEXT("\"a\" 1") },
	{ BAD_JSON, TEXT("null null") },
	{ BAD_JSON, TEXT("{\"a\":1}/* x */") },
	{ BAD_JSON, TEXT("// x\n{}") },
	{ BAD_JSON, TEXT("NaN") },
	{ BAD_JSON, TEXT("[NaN]") },
	{ BAD_JSON, TEXT("Infinity") },
	{ BAD_JSON, TEXT("-Infinity") },
	{ BAD_JSON, TEXT("-") },
	{ BAD_JSON, TEXT("[-]") },
	{ BAD_JSON, TEXT("00") },
	{ BAD_JSON, TEXT("-01") },
	{ BAD_JSON, TEXT("01") },
	{ BAD_JSON, TEXT("1.") },
	{ BAD_JSON, TEXT("[1.]") },
	{ BAD_JSON, TEXT(".5") },
	{ BAD_JSON, TEXT("+1") },
	{ BAD_JSON, TEXT("1e") },
	{ BAD_JSON, TEXT("1e+") },
	{ BAD_JSON, TEXT("1.e1") },
	{ BAD_JSON, TEXT("1e1.5") },
	{ BAD_JSON, TEXT("1-2") },
	{ BAD_JSON, TEXT("0x10") },
	{ BAD_JSON, TEXT("1a") },
	{ BAD_JSON, TEXT("True") },
	{ BAD_JSON, TEXT("TRUE") },
	{ BAD_JSON, TEXT("tru") },
	{ BAD_JSON, TEXT("truefalse") },
	{ BAD_JSON, TEXT("[nullx]") },
	{ BAD_JSON, TEXT("Null") },
	{ BAD_JSON, TEXT("\"") },
	{ BAD_JSON, TEXT("\"abc") },
	{ BAD_JSON, TEXT("\"\\") },
	{ BAD_JSON, TEXT("\"\\\"") },
	{ BAD_JSON, TEXT("\"\\x\"") },
	{ BAD_JSON, TEXT("\"\\'\"") },
	{ BAD_JSON, TEXT("\"\\u12\"") },
	{ BAD_JSON, TEXT("\"\\u12g4\"") },
	{ BAD_JSON, TEXT("\"\\u-123\"") },
	{ BAD_JSON, TEXT("\"\\u 123\"") },
	{ BAD_JSON, TEXT("\"\\u123") },
	{ BAD_JSON, TEXT("\"\\u1234") },
	{ BAD_JSON, TEXT("\"\\uD83D\\uDE0\"") },
	{ BAD_JSON, TEXT("\xef\xbb\xbf{}") },
	{ BAD_JSON, TEXT("{}\xc2\xa0") },
	{ BAD_JSON, TEXT("\x7f") },
	{ BAD_CONTROL, TEXT("{}\0") },
	{ BAD_CONTROL, TEXT("{}\0garbage") },
	{ BAD_CONTROL, TEXT("1\0") },
	{ BAD_CONTROL, TEXT("\0") },
	{ BAD_CONTROL, TEXT("{}\v") },
	{ BAD_CONTROL, TEXT("{}\f") },
	{ BAD_CONTROL, TEXT("{\"a\":\"b\0c\"}") },
	{ BAD_CONTROL, TEXT("{\"a\":\"b\nc\"}") },
	{ BAD_CONTROL, TEXT("{\"a\":\"b\tc\"}") },
	{ BAD_CONTROL, TEXT("{\"a\x01\":\"b\"}") },
	{ BAD_CONTROL, TEXT("{\"a\":\"\x1f\"}") },
	{ BAD_CONTROL, TEXT("{\"a\":\"b\\u0000\"}") },
	{ BAD_CONTROL, TEXT("{\"srcUrl\\u0000zz\":\"b\"}") },
	{ BAD_SURROGATE, TEXT("\"\\ud800\"") },
	{ BAD_SURROGATE, TEXT("\"\\udbffabcdef\"") },
	{ BAD_SURROGATE, TEXT("\"\\udc00\"") },
	{ BAD_SURROGATE, TEXT("\"\\udfff\"") },
	{ BAD_SURROGATE, TEXT("\"\\udfff\\ud800\"") },
	{ BAD_SURROGATE, TEXT("\"\\ud83d\\ud83d\"") },
	{ BAD_SURROGATE, TEXT("\"\\ud83d\\u0041\"") },
	{ BAD_SURROGATE, TEXT("\"\\ud83d\\n\"") },
	{ BAD_SURROGATE, TEXT("{\"\\ud83d\":1}") },
	{ BAD_SURROGATE, TEXT("\"\\ud83d") },
	{ BAD_ENCODING, TEXT("\xff") },
	{ BAD_ENCODING, TEXT("{\"a\":\"\xc0\xaf\"}") },
	{ BAD_ENCODING, TEXT("{\"a\":\"\xed\xa0\x80\"}") },
	{ BAD_ENCODING, TEXT("{\"a\":\"\xf7\xbf\xbf\xbf\"}") },
	{ BAD_ENCODING, TEXT("{\"a\":\"\xc3\"}") },
	{ BAD_TWICE, TEXT("{\"a\":1,\"a\":2}") },
	{ BAD_TWICE, TEXT("{\"a\":1,\"b\":2,\"\\u0061\":1}") },
	{ BAD_TWICE, TEXT("{\"a\":null,\"a\":null}") },
	{ BAD_TWICE, TEXT("{\"\":1,\"\":2}") },
	{ BAD_TWICE, TEXT("{\"a\":{\"b\":1},\"a\":1}") },
	{ BAD_TWICE, TEXT("{\"a\":[0,[{\"b\":1,\"b\":2}]]}") },
	{ BAD_DEPTH, TEXT("[[[[[[[[[]]]]]]]]]") },
	{ BAD_DEPTH, TEXT("[[[[[[[[[1]]]]]]]]]") },
	{ BAD_DEPTH, TEXT("{\"a\":[{\"a\":[{\"a\":[{\"a\":[{}]}]}]}]}") },
	{ BAD_DEPTH, TEXT("[[[[[[[[[") },
};

static void test_body(size_t i)
{
	static const char *const names[] = { "srcUrl", "slug" };
	const char *text = tap_copy_to_edge(bodies[i].text, bodies[i].text_size);
	const char *problem = "unset";
	const char *value = NULL;
	size_t size = 0;
	struct json_body *body = json_body_parse(text, bodies[i].text_size, &problem);

	is_text(problem, NULL, "no problem with %s", bodies[i].text);
	if (body == NULL)
		return;
	is_int(json_body_is_object(body), bodies[i].is_object, "whether an object: %s", bodies[i].text);
	is_int(json_body_find_string(body, "srcUrl", &value, &size), bodies[i].member, "srcUrl in %s", bodies[i].text);
	is_text(value, bodies[i].value, "value of srcUrl in %s", bodies[i].text);
	is_int(size, value == NULL ? 0 : strlen(value), "size of srcUrl in %s", bodies[i].text);
	is_text(json_body_find_unknown(body, names, COUNT_OF(names)), bodies[i].unknown, "unknown member of %s",
		bodies[i].text);
	json_body_free(body);
}

static void test_refused(size_t i)
{
	const char *text = tap_copy_to_edge(refused[i].text, refused[i].text_size);
	const char *problem = NULL;
	struct json_body *body = json_body_parse(text, refused[i].text_size, &problem);

	ok(body == NULL, "refuses %zu: %s", i, refused[i].text);
	is_text(problem, refused[i].problem, "problem with %zu: %s", i, refused[i].text);
	json_body_free(body);
}

/* Whatever a text is cut to, reading it ends without reading past it. */
static void test_cut_texts(void)
{
	static const char text[] =
		"{\"srcUrl\":\"\\ud83d\\ude00\xf0\x9f\x98\x80\",\"a\":[-1.5e+3,true,null,{\"b\":\"\\n\"}]}";
	size_t refused_count = 0;

	for (size_t size = 0; size < strlen(text); size++) {
		const char *problem;
		struct json_body *body = json_body_parse(tap_copy_to_edge(text, size), size, &problem);
		refused_count += body == NULL;
		json_body_free(body);
	}
	is_int(refused_count, strlen(text), "every beginning of a body is refused");
}

static void test_writing(void)
{
	size_t size = 0;
	char *text = json_body_write_link("http://a.example/?q=\"\\\x01\x7f\xc3\xa4", "http://test.short/abcdefghij",
					  &size);

	is_text(text,
		"{\"srcUrl\":\"http://a.example/?q=\\\"\\\\\\u0001\x7f\xc3\xa4\","
		"\"shortenedUrl\":\"http://test.short/abcdefghij\"}",
		"writes a link");
	is_int(size, text == NULL ? 0 : strlen(text), "size of a link");
	free(text);
	text = json_body_write_error("Parameter 'srcUrl' must start with http:// or https://", &size);
	is_text(text, "{\"errMsg\":\"Parameter 'srcUrl' must start with http:// or https://\"}", "writes an error");
	is_int(size, text == NULL ? 0 : strlen(text), "size of an error");
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(bodies); i++)
		test_body(i);
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		test_refused(i);
	test_cut_texts();
	test_writing();
	json_body_free(NULL);
	return tap_done();
}
