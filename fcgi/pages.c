/* Fills the HTML pages of www/; every value is escaped. */
#include "pages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_stream.h"

const char PAGES_SECURITY_POLICY[] = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
				     "frame-ancestors 'none'";

/* The linker makes these from the files, see the Makefile. */
#define DECLARE_FILE(name) extern const char _binary_fcgi_www_##name##_start[], _binary_fcgi_www_##name##_end[]
#define FILE_BYTES(name) { _binary_fcgi_www_##name##_start, _binary_fcgi_www_##name##_end }

DECLARE_FILE(home_html);
DECLARE_FILE(error_html);
DECLARE_FILE(created_html);
DECLARE_FILE(style_css);
DECLARE_FILE(openapi_json);

static const struct {
	const char *start;
	const char *end;
} files[] = {
	[PAGE_HOME] = FILE_BYTES(home_html),
	[PAGE_ERROR] = FILE_BYTES(error_html),
	[PAGE_CREATED] = FILE_BYTES(created_html),
	[PAGE_STYLE] = FILE_BYTES(style_css),
	[PAGE_OPENAPI] = FILE_BYTES(openapi_json),
};

const char *pages_find(enum page page, size_t *page_size)
{
	*page_size = (size_t)(files[page].end - files[page].start);
	return files[page].start;
}

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

size_t pages_escape(const char *text, size_t text_size, char *escaped)
{
	char *end = escaped;

	for (size_t i = 0; i < text_size; i++) {
		const char *entity = entity_of(text[i]);

		if (entity == NULL) {
			*end++ = text[i];
			continue;
		}
		size_t size = strlen(entity);
		memcpy(end, entity, size);
		end += size;
	}
	*end = '\0';
	return (size_t)(end - escaped);
}

static void write_escaped(FILE *file, const char *text)
{
	for (; *text != '\0'; text++) {
		const char *entity = entity_of(*text);

		if (entity != NULL)
			fputs(entity, file);
		else
			fputc(*text, file);
	}
}

static void write_value(FILE *file, const char *name, size_t name_size, const struct page_value values[],
			size_t values_count)
{
	for (size_t i = 0; i < values_count; i++)
		if (strlen(values[i].name) == name_size && memcmp(values[i].name, name, name_size) == 0)
			write_escaped(file, values[i].value);
}

static void write_page(FILE *file, enum page page, const struct page_value values[], size_t values_count)
{
	const char *at = files[page].start;
	const char *end = files[page].end;
	const char *open;

	while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL) {
		const char *name = open + 2;
		const char *close = memmem(name, (size_t)(end - name), "}}", 2);

		if (close == NULL)
			break;
		fwrite(at, 1, (size_t)(open - at), file);
		write_value(file, name, (size_t)(close - name), values, values_count);
		at = close + 2;
	}
	fwrite(at, 1, (size_t)(end - at), file);
}

char *pages_write(enum page page, const struct page_value values[], size_t values_count, size_t *page_size)
{
	struct text_stream stream;
	FILE *file = text_stream_open(&stream);

	if (file != NULL)
		write_page(file, page, values, values_count);
	*page_size = 0;
	if (!text_stream_close(&stream))
		return NULL;
	*page_size = stream.text_size;
	return stream.text;
}
