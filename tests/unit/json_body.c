/* Tests the reading of JSON. modules: json_body memory_reserve json_scan utf8 */
#include "json_body.h"

#include "tap.h"

#define BAD_ENCODING "The body is not valid UTF-8"
#define BAD_CONTROL "The body must not contain NUL or other raw control characters"
#define BAD_SURROGATE "The body must not contain half of a surrogate pair"
#define BAD_TWICE "The body names a member twice"
#define BAD_DEPTH "The body is nested more than 8 levels deep"
#define BAD_JSON "The body is not valid JSON"

/* What a member of the body is. */
enum member {
	MEMBER_ABSENT, /* or null */
	MEMBER_STRING,
	MEMBER_OTHER,
};

#define TEXT(literal) (literal), sizeof(literal) - 1

static const struct {
	const char *text;
	size_t text_size;
	bool is_object;
	enum member member; /* of the member srcUrl */
	const char *value;            /* of the member srcUrl */
	const char *unknown;          /* the first member that is neither srcUrl nor slug */
} bodies[] = {
	{ TEXT("{}"), true, MEMBER_ABSENT, NULL, NULL },
	{ TEXT(" \t\r\n{ } \t\r\n"), true, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("{\"srcUrl\":\"a\"}"), true, MEMBER_STRING, "a", NULL },
	{ TEXT("{\"srcUrl\":\"\"}"), true, MEMBER_STRING, "", NULL },
	{ TEXT("{\"srcUrl\":null}"), true, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("{\"srcUrl\":12}"), true, MEMBER_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":true}"), true, MEMBER_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":[\"a\"]}"), true, MEMBER_OTHER, NULL, NULL },
	{ TEXT("{\"srcUrl\":{\"srcUrl\":\"a\"}}"), true, MEMBER_OTHER, NULL, NULL },
	{ TEXT("{\"slug\":\"b\",\"srcUrl\":\"a:b,{c}[d]\"}"), true, MEMBER_STRING, "a:b,{c}[d]", NULL },
	{ TEXT("{\"src\\u0055rl\":\"\\u00e4\"}"), true, MEMBER_STRING, "\xc3\xa4", NULL },
	{ TEXT("{\"srcUrl\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u000A\"}"), true, MEMBER_STRING, "\"\\/\b\f\n\r\t\n",
	  NULL },
	{ TEXT("{\"srcUrl\":\"\\uD83d\\ude00 \xf0\x9f\x98\x80 \\uFFFF\\uD7FF\\uE000\"}"), true, MEMBER_STRING,
	  "\xf0\x9f\x98\x80 \xf0\x9f\x98\x80 \xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80", NULL },
	{ TEXT("{\"srcUrl\":\"\x7f'/*NaN\"}"), true, MEMBER_STRING, "\x7f'/*NaN", NULL },
	{ TEXT("{\"srcUrl\":\"a\",\"titel\":1,\"x\":2}"), true, MEMBER_STRING, "a", "titel" },
	{ TEXT("{\"srcurl\":\"a\"}"), true, MEMBER_ABSENT, NULL, "srcurl" },
	{ TEXT("{\"\":\"a\"}"), true, MEMBER_ABSENT, NULL, "" },
	{ TEXT("{\"slug\":{\"a\":[{\"b\":1},{\"b\":2}],\"b\":{\"a\":1}}}"), true, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("{\"slug\":[0,-0,1,-1,1.5,-0.5e10,1E+2,1e-2,10,true,false,null]}"), true, MEMBER_ABSENT, NULL,
	  NULL },
	{ TEXT("[]"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("[{\"srcUrl\":\"a\"},{\"srcUrl\":\"a\"}]"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("123"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("-0.5e1 "), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("99999999999999999999999"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("1e999"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("\"\""), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("\"srcUrl:\""), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("true"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT(" null"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("[[[[[[[[]]]]]]]]"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("[[[[[[[[1,\"a\",null]]]]]]]]"), false, MEMBER_ABSENT, NULL, NULL },
	{ TEXT("{\"slug\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}"), true, MEMBER_ABSENT, NULL,
	  NULL },
	{ TEXT("[[],[[]],[[[]]],[],[],[],[],[],[]]"), false, MEMBER_ABSENT, NULL, NULL },
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

static enum member find_string(const struct json_body *body, const char *name, const char **text, size_t *size)
{
	const struct json_value *value;
	enum json_value_type type = json_body_find(json_body_root(body), name, &value);

	if (type == JSON_TYPE_ABSENT || type == JSON_TYPE_NULL)
		return MEMBER_ABSENT;
	if (type != JSON_TYPE_STRING)
		return MEMBER_OTHER;
	*text = json_value_string(value, size);
	return MEMBER_STRING;
}

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
	is_int(json_value_type(json_body_root(body)) == JSON_TYPE_OBJECT, bodies[i].is_object, "whether an object: %s", bodies[i].text);
	is_int(find_string(body, "srcUrl", &value, &size), bodies[i].member, "srcUrl in %s", bodies[i].text);
	is_text(value, bodies[i].value, "value of srcUrl in %s", bodies[i].text);
	is_int(size, value == NULL ? 0 : strlen(value), "size of srcUrl in %s", bodies[i].text);
	is_text(json_body_find_unknown(json_body_root(body), names, COUNT_OF(names)), bodies[i].unknown, "unknown member of %s",
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

/* The value of the member `a`. */
static const struct {
	const char *text;
	enum json_value_type type;
	int64_t integer; /* of an integer, or 1 for true; otherwise the elements or members */
	const char *string;
} values[] = {
	{ "{}", JSON_TYPE_ABSENT, 0, NULL },
	{ "{\"b\":1}", JSON_TYPE_ABSENT, 0, NULL },
	{ "{\"A\":1}", JSON_TYPE_ABSENT, 0, NULL },
	{ "{\"b\":{\"a\":1}}", JSON_TYPE_ABSENT, 0, NULL },
	{ "[]", JSON_TYPE_ABSENT, 0, NULL },
	{ "[{\"a\":1}]", JSON_TYPE_ABSENT, 0, NULL },
	{ "\"a\"", JSON_TYPE_ABSENT, 0, NULL },
	{ "1", JSON_TYPE_ABSENT, 0, NULL },
	{ "null", JSON_TYPE_ABSENT, 0, NULL },
	{ "{\"a\":null}", JSON_TYPE_NULL, 0, NULL },
	{ "{\"a\":true}", JSON_TYPE_BOOLEAN, 1, NULL },
	{ "{\"a\":false}", JSON_TYPE_BOOLEAN, 0, NULL },
	{ "{\"a\":0}", JSON_TYPE_INTEGER, 0, NULL },
	{ "{\"a\":-0}", JSON_TYPE_INTEGER, 0, NULL },
	{ "{\"a\":1}", JSON_TYPE_INTEGER, 1, NULL },
	{ "{\"a\":-1}", JSON_TYPE_INTEGER, -1, NULL },
	{ "{\"a\":1000000000}", JSON_TYPE_INTEGER, 1000000000, NULL },
	{ "{\"a\":9223372036854775807}", JSON_TYPE_INTEGER, INT64_MAX, NULL },
	{ "{\"a\":9223372036854775808}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":18446744073709551615}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":18446744073709551616}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":18446744073709551617}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":99999999999999999999999999999999999999999999}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":-9223372036854775807}", JSON_TYPE_INTEGER, -INT64_MAX, NULL },
	{ "{\"a\":-9223372036854775808}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":-9223372036854775809}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":-99999999999999999999999999999999999999999999}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":5.0}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":1e1}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":1E1}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":0.5}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":1e999}", JSON_TYPE_NUMBER, 0, NULL },
	{ "{\"a\":\"\"}", JSON_TYPE_STRING, 0, "" },
	{ "{\"a\":\"5\"}", JSON_TYPE_STRING, 0, "5" },
	{ "{\"a\":\"null\"}", JSON_TYPE_STRING, 0, "null" },
	{ "{\"a\":\"\\u00e4\xc3\xa4\"}", JSON_TYPE_STRING, 0, "\xc3\xa4\xc3\xa4" },
	{ "{\"\\u0061\":\"b\"}", JSON_TYPE_STRING, 0, "b" },
	{ "{\"a\":\"a string that is too long to lie in the value itself, whatever the library does\"}",
	  JSON_TYPE_STRING, 0, "a string that is too long to lie in the value itself, whatever the library does" },
	{ "{\"a\":[]}", JSON_TYPE_ARRAY, 0, NULL },
	{ "{\"a\":[null]}", JSON_TYPE_ARRAY, 1, NULL },
	{ "{\"a\":[1,[2,3],4]}", JSON_TYPE_ARRAY, 3, NULL },
	{ "{\"a\":{}}", JSON_TYPE_OBJECT, 0, NULL },
	{ "{\"a\":{\"b\":1,\"c\":[2,3,4]}}", JSON_TYPE_OBJECT, 2, NULL },
};

static void test_value(size_t i)
{
	const char *text = values[i].text;
	const char *problem;
	struct json_body *body = json_body_parse(tap_copy_to_edge(text, strlen(text)), strlen(text), &problem);
	const struct json_value *value = (const struct json_value *)text;
	const char *string = NULL;
	size_t size = 0;

	is_text(problem, NULL, "no problem with %s", text);
	if (body == NULL)
		return;
	enum json_value_type type = json_body_find(json_body_root(body), "a", &value);
	is_int(type, values[i].type, "type of a in %s", text);
	is_int(value == NULL, type == JSON_TYPE_ABSENT || type == JSON_TYPE_NULL, "whether a is NULL in %s", text);
	is_int(json_value_type(value), type == JSON_TYPE_ABSENT ? JSON_TYPE_NULL : type, "type by itself, %s", text);
	if (type == JSON_TYPE_STRING)
		string = json_value_string(value, &size);
	is_text(string, values[i].string, "string in %s", text);
	is_int(size, string == NULL ? 0 : strlen(string), "size of the string in %s", text);
	if (type == JSON_TYPE_INTEGER)
		is_int(json_value_integer(value), values[i].integer, "integer in %s", text);
	if (type == JSON_TYPE_BOOLEAN)
		is_int(json_value_boolean(value), values[i].integer, "boolean in %s", text);
	bool has_count = type == JSON_TYPE_ARRAY || type == JSON_TYPE_OBJECT;
	is_int(json_value_count(value), has_count ? values[i].integer : 0, "elements or members in %s", text);
	json_body_free(body);
}

static void test_elements(void)
{
	static const char text[] = "[1,null,\"b\",{\"c\":[true]}]";
	static const char *const names[] = { "b" };
	const char *problem;
	struct json_body *body = json_body_parse(text, strlen(text), &problem);
	size_t size;

	if (!ok(body != NULL, "reads an array"))
		return;
	const struct json_value *array = json_body_root(body);
	is_int(json_value_type(array), JSON_TYPE_ARRAY, "the root is an array");
	is_int(json_value_count(array), 4, "elements");
	is_int(json_value_integer(json_value_element(array, 0)), 1, "the first is an integer");
	ok(json_value_element(array, 1) == NULL, "null is NULL");
	is_text(json_value_string(json_value_element(array, 2), &size), "b", "the third is a string");
	ok(json_value_element(array, 4) == NULL, "nothing is beyond the end");
	ok(json_value_element(array, SIZE_MAX) == NULL, "nor far beyond it");
	const struct json_value *object = json_value_element(array, 3);
	const struct json_value *inner = NULL;
	is_int(json_body_find(object, "c", &inner), JSON_TYPE_ARRAY, "finds the member of an element");
	ok(json_value_boolean(json_value_element(inner, 0)), "true in it");
	ok(json_value_element(object, 0) == NULL, "an object has no elements");
	is_text(json_body_find_unknown(object, names, 1), "c", "unknown member of an element");
	is_text(json_body_find_unknown(object, names, 0), "c", "where no name is known");
	is_text(json_body_find_unknown(array, names, 1), NULL, "none in an array");
	is_text(json_body_find_unknown(NULL, names, 1), NULL, "none in null");
	is_int(json_body_find(NULL, "c", &inner), JSON_TYPE_ABSENT, "null has no members");
	json_body_free(body);
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(bodies); i++)
		test_body(i);
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		test_refused(i);
	for (size_t i = 0; i < COUNT_OF(values); i++)
		test_value(i);
	test_cut_texts();
	test_elements();
	json_body_free(NULL);
	return tap_done();
}
