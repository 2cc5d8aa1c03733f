#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF. (json-c and
 * others check less, and PostgreSQL refuses what they let through.) */

/* The offset of the first byte that breaks UTF-8; text_size where all is valid. NUL is valid. */
size_t utf8_find_invalid(const char *text, size_t text_size);

/* The number of code points in valid UTF-8. */
size_t utf8_count_characters(const char *text, size_t text_size);

#endif
