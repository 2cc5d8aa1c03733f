/* Tests the names and codings of HTTP. modules: http percent */
#include "http.h"

#include "tap.h"

#define BROWSER "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

static const struct {
	const char *name;
	enum http_method method;
} methods[] = {
	{ "GET", HTTP_GET },	 { "HEAD", HTTP_HEAD },	      { "POST", HTTP_POST },	   { "PUT", HTTP_PUT },
	{ "PATCH", HTTP_PATCH }, { "DELETE", HTTP_DELETE },   { "OPTIONS", HTTP_OPTIONS }, { "get", HTTP_OTHER },
	{ "", HTTP_OTHER },	 { "GETX", HTTP_OTHER },      { "GE", HTTP_OTHER },	   { "TRACE", HTTP_OTHER },
};

static const struct {
	unsigned methods;
	const char *list;
} lists[] = {
	{ 0, "" },
	{ HTTP_POST, "POST" },
	{ HTTP_GET | HTTP_HEAD, "GET, HEAD" },
	{ HTTP_DELETE | HTTP_GET | HTTP_OTHER, "GET, DELETE" },
	{ 255, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" },
};

static const struct {
	int status;
	const char *phrase;
} statuses[] = {
	{ 200, "OK" }, { 302, "Found" }, { 410, "Gone" }, { 503, "Service Unavailable" },
	{ 999, "" },   { 0, "" },	      { -1, "" },
};

static const struct {
	bool prefers_html;
	const char *accept;
} accepts[] = {
	{ false, "" },
	{ false, " " },
	{ false, "*/*" },
	{ false, "application/json" },
	{ false, "application/json, text/plain, */*" },
	{ false, "text/html, application/json" },
	{ false, "text/html;q=0.5, application/json;q=0.5" },
	{ false, "text/html;q=0.4, application/json;q=0.5" },
	{ false, "text/html;q=0" },
	{ false, "text/html;q=0, */*" },
	{ false, "text/html;q=x" },
	{ false, "text/html;q=" },
	{ false, "text/html;q=1.5" },
	{ false, "text/html;q=2" },
	{ false, "text/html;q=0x5" },
	{ false, "text/html;q=1.0001" },
	{ false, "text/plain" },
	{ false, "text/htmlx" },
	{ false, "text/htm" },
	{ false, "text/plain;x=\", text/html,\"" },
	{ false, "text/plain;x=\"\\\", text/html,\"" },
	{ false, "text/plain;x=\"\\" },
	{ false, "text/html;q=0.001, */*;q=0.002" },
	{ false, "text/*;q=0.5, text/html;q=0.1, */*;q=0.2" },
	{ false, ",,;;,;q=1,=" },
	{ false, "*" },
	{ false, "text" },
	{ false, "text/" },
	{ false, "text/h" },
	{ false, "text/html; q=0" },
	{ false, "text/html;q=0.5-" },
	{ false, "*/html" },
	{ true, BROWSER },
	{ true, "text/html" },
	{ true, "TEXT/HTML" },
	{ true, "text/*" },
	{ true, "text/html;q=0.001" },
	{ true, "text/html ; Q=0.6 , application/json;q=0.599" },
	{ true, "text/html;level=1;q=0.6, application/json;q=0.5" },
	{ true, "text/html;q=1.000, application/json;q=0.999" },
	{ true, "text/html;q=1., application/json;q=0." },
	{ true, "*/*;q=0.5, text/*" },
	{ true, "text/html, application/json;q=0.9, */*" },
	{ true, "application/*;q=0.1, */*" },
	{ true, "*/*, application/json;q=0" },
	{ true, "text/html, text/html;q=0.1, application/json;q=0.5" },
	{ true, "text/html;q=, */*, application/json;q=0.5" },
	{ true, "text/html;q=05, */*, application/json;q=0.5" },
	{ true, ",\ttext/html\t," },
	{ true, "text/plain;x=\"\\\\\", text/html" },
};

static const struct {
	bool is_json;
	const char *content_type;
} content_types[] = {
	{ true, "application/json" },
	{ true, "Application/JSON" },
	{ true, "application/json; charset=utf-8" },
	{ true, " application/json ;x" },
	{ false, "" },
	{ false, "application/jsonp" },
	{ false, "application/jso" },
	{ false, "application/json, text/html" },
	{ false, "text/plain; application/json" },
};

/* The decoded text has the size that its literal has. */
#define DECODED(literal) (literal), sizeof(literal) - 1

static const struct {
	const char *text;
	bool plus_is_blank;
	const char *decoded; /* NULL: refused */
	size_t decoded_size;
} decodings[] = {
	{ "", false, DECODED("") },
	{ "abc", false, DECODED("abc") },
	{ "a+b", false, DECODED("a+b") },
	{ "a+b", true, DECODED("a b") },
	{ "a%2Bb", true, DECODED("a+b") },
	{ "%41%7a%7A", false, DECODED("Azz") },
	{ "%00%fF", false, DECODED("\0\xff") },
	{ "%2541", false, DECODED("%41") },
	{ "%", false, NULL, 0 },
	{ "a%4", false, NULL, 0 },
	{ "%4g", false, NULL, 0 },
	{ "%g4", false, NULL, 0 },
	{ "%-1", false, NULL, 0 },
	{ "% 1", false, NULL, 0 },
	{ "%%41", false, NULL, 0 },
};

static void test_decoding(size_t i)
{
	size_t text_size = strlen(decodings[i].text);
	char decoded[16] = "";
	size_t size = 0;
	const char *text = tap_copy_to_edge(decodings[i].text, text_size);
	bool is_decoded = http_percent_decode(text, text_size, decodings[i].plus_is_blank, decoded, &size);

	is_int(is_decoded, decodings[i].decoded != NULL, "whether it decodes: %s", decodings[i].text);
	if (decodings[i].decoded == NULL)
		return;
	is_int(size, decodings[i].decoded_size, "size decoded from %s", decodings[i].text);
	ok(memcmp(decoded, decodings[i].decoded, decodings[i].decoded_size + 1) == 0, "bytes decoded from %s",
	   decodings[i].text);
}

static void test_decoding_in_place(void)
{
	char text[] = "x%20y+%41";
	size_t size;

	ok(http_percent_decode(text, strlen(text), true, text, &size), "decodes in place");
	is_text(text, "x y A", "the text decoded in place");
	is_int(size, strlen(text), "the size decoded in place");
}

static const struct http_response *answered;

static void take_answer(struct http_request *request, const struct http_response *response)
{
	(void)request;
	answered = response;
}

static void test_answer(void)
{
	struct http_request request = { .answer = take_answer };
	struct http_response response = { .status = 200 };

	http_answer(&request, &response);
	ok(answered == &response, "an answer goes to the function of the request");
}

int main(void)
{
	char list[HTTP_METHODS_MAX];

	for (size_t i = 0; i < COUNT_OF(methods); i++)
		is_int(http_parse_method(methods[i].name), methods[i].method, "method %s", methods[i].name);
	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		http_write_methods(lists[i].methods, list);
		is_text(list, lists[i].list, "methods of %u", lists[i].methods);
	}
	for (size_t i = 0; i < COUNT_OF(statuses); i++)
		is_text(http_status_phrase(statuses[i].status), statuses[i].phrase, "phrase of %d", statuses[i].status);
	for (size_t i = 0; i < COUNT_OF(accepts); i++)
		is_int(http_prefers_html(accepts[i].accept), accepts[i].prefers_html, "whether HTML is preferred: %s",
		       accepts[i].accept);
	for (size_t i = 0; i < COUNT_OF(content_types); i++)
		is_int(http_is_media_type(content_types[i].content_type, "application/json"), content_types[i].is_json,
		       "whether JSON: %s", content_types[i].content_type);
	for (size_t i = 0; i < COUNT_OF(decodings); i++)
		test_decoding(i);
	test_decoding_in_place();
	test_answer();
	return tap_done();
}
