#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/* The HTML pages: templates of fcgi/www/, whose placeholders {{name}} are filled with escaped values. */

enum page {
	PAGE_HOME,
	PAGE_ERROR,   /* {{status}} {{message}} */
	PAGE_CREATED, /* {{shortenedUrl}} {{srcUrl}} */
	PAGE_STYLE,   /* the style sheet, no placeholders */
	PAGE_OPENAPI, /* the description of the API, no placeholders */
};

/* Every page is served with this Content-Security-Policy: no script, no foreign content. */
extern const char PAGES_SECURITY_POLICY[];

struct page_value {
	const char *name;
	const char *value; /* UTF-8, not escaped */
};

/* Returns the page with each placeholder replaced by its escaped value, and unknown ones by nothing:
 * owned by the caller, freed by free(3). NULL when memory is short. */
char *pages_write(enum page page, const struct page_value values[], size_t values_count, size_t *page_size);

/* The bytes of a page that has no placeholders: static, without a NUL behind them. */
const char *pages_find(enum page page, size_t *page_size);

/* Escapes text for an HTML element or a quoted attribute: & < > " and '. `escaped` has room for
 * text_size * PAGES_ESCAPE_GROWTH + 1 bytes. Returns the size without the NUL. */
#define PAGES_ESCAPE_GROWTH 6
size_t pages_escape(const char *text, size_t text_size, char *escaped);

#endif
