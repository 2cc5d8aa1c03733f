/* Reads what is percent-encoded in URLs, paths and forms. */
#include "percent.h"

#include <ctype.h>
#include <stdlib.h>

int percent_parse_triplet(const char *text, size_t text_size)
{
	if (text_size < 3 || text[0] != '%')
		return -1;
	if (!isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2]))
		return -1;
	char digits[3] = { text[1], text[2], '\0' };
	return (int)strtol(digits, NULL, 16);
}
