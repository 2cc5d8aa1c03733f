/* Fuzzes what goes into pages: whatever a value is, it stays text. Input: two values, the first a line.
 * modules: pages text_stream; max_len: 512 */
#include "pages.h"

#include "fuzz.h"

static const struct {
	const char *entity;
	char character;
} entities[] = {
	{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' },
};

static size_t count(const char *text, size_t size, char character)
{
	size_t number = 0;

	for (size_t i = 0; i < size; i++)
		number += text[i] == character;
	return number;
}

/* What a browser makes of an escaped text, or false where that is no text alone. */
static bool unescape(const char *text, char *plain)
{
	while (*text != '\0') {
		size_t i = 0;

		if (strchr("<>\"'", *text) != NULL)
			return false;
		if (*text != '&') {
			*plain++ = *text++;
			continue;
		}
		while (i < COUNT_OF(entities) && strncmp(text, entities[i].entity, strlen(entities[i].entity)) != 0)
			i++;
		if (i == COUNT_OF(entities))
			return false;
		*plain++ = entities[i].character;
		text += strlen(entities[i].entity);
	}
	*plain = '\0';
	return true;
}

static char *escape(const char *text)
{
	size_t size = strlen(text);
	char *escaped = fuzz_allocate(size * PAGES_ESCAPE_GROWTH + 1);
	char *plain = fuzz_allocate(size * PAGES_ESCAPE_GROWTH + 1);
	size_t escaped_size = pages_escape(text, size, escaped);

	must(strlen(escaped) == escaped_size);
	must(unescape(escaped, plain) && strcmp(plain, text) == 0);
	free(plain);
	return escaped;
}

static char *write_page(const char *short_url, const char *srcurl, size_t *size)
{
	const struct page_value values[] = { { "shortenedUrl", short_url }, { "srcUrl", srcurl }, { "base", "/" } };
	char *page = pages_write(PAGE_CREATED, values, COUNT_OF(values), size);

	must(page != NULL);
	return page;
}

static void check_page(const char *short_url, const char *srcurl)
{
	size_t size = 0;
	size_t empty_size = 0;
	char *page = write_page(short_url, srcurl, &size);
	char *empty = write_page("", "", &empty_size);
	char *escaped_url = escape(short_url);
	char *escaped_srcurl = escape(srcurl);

	must(strlen(page) == size && strstr(page, escaped_url) != NULL && strstr(page, escaped_srcurl) != NULL);
	for (const char *mark = "<>\"'"; *mark != '\0'; mark++)
		must(count(page, size, *mark) == count(empty, empty_size, *mark));
	must((size - empty_size == 0) == (*short_url == '\0' && *srcurl == '\0'));
	free(escaped_srcurl);
	free(escaped_url);
	free(empty);
	free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	char *short_url = fuzz_take_line(&input);
	char *srcurl = fuzz_take_rest(&input);

	check_page(short_url, srcurl);
	free(srcurl);
	free(short_url);
	return 0;
}
