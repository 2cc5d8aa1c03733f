/* Pages: every value is escaped, in text and in attributes.
 * modules: pages text_stream */
#include "pages.h"
#include "tap.h"

#define EVIL "<script>\"'&</script>"
#define ESCAPED "&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;"

static void test_escape(void)
{
	static const struct {
		const char *text;
		const char *escaped;
	} rows[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ EVIL, ESCAPED },
		{ "&amp;", "&amp;amp;" },
		{ "\xC3\xA4", "\xC3\xA4" },
		{ "{{status}}", "{{status}}" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char escaped[200];
		size_t size = pages_escape(rows[i].text, strlen(rows[i].text), escaped);

		is_text(escaped, rows[i].escaped, "escape %s", rows[i].text);
		is_int(size, strlen(rows[i].escaped), "its size");
	}
}

static void test_pages(void)
{
	const struct page_value values[] = { { "base", EVIL }, { "status", EVIL }, { "message", "{{status}}" },
					     { "shortenedUrl", EVIL }, { "srcUrl", EVIL } };
	static const enum page pages[] = { PAGE_HOME, PAGE_ERROR, PAGE_CREATED };

	for (size_t i = 0; i < COUNT_OF(pages); i++) {
		size_t size;
		char *page = pages_write(pages[i], values, COUNT_OF(values), &size);

		is_int(size, strlen(page), "the size of page %zu", i);
		ok(strstr(page, "<script") == NULL, "no value becomes markup");
		ok(strstr(page, ESCAPED) != NULL, "it is there, escaped");
		free(page);
	}
}

static void test_placeholders(void)
{
	const struct page_value values[] = { { "message", "{{status}}" } };
	size_t size;
	char *page = pages_write(PAGE_ERROR, values, 1, &size);

	ok(strstr(page, "<p>{{status}}</p>") != NULL, "a value is no template");
	ok(strstr(page, "<h1></h1>") != NULL, "what has no value is empty");
	free(page);
}

int main(void)
{
	test_escape();
	test_pages();
	test_placeholders();
	return tap_done();
}
