/* Appends the query of a visitor to a Location. */
#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A # would start a fragment. All else that is printable ASCII goes through, as it does for the URL of a link. */
static char *write_query(char *end, const char *query)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *query != '\0'; query++) {
		unsigned char byte = (unsigned char)*query;

		if (byte > 0x20 && byte < 0x7f && byte != '#') {
			*end++ = *query;
			continue;
		}
		*end++ = '%';
		*end++ = digits[byte >> 4];
		*end++ = digits[byte & 15];
	}
	return end;
}

/* What has to stand between the Location without its fragment and the query. */
static const char *separator(const char *location, size_t location_size)
{
	const char *question = memchr(location, '?', location_size);
	char last = location[location_size - 1];

	if (question == NULL)
		return "?";
	return last == '?' || last == '&' ? "" : "&";
}

char *forward_query(const char *location, size_t location_size, const char *query, size_t *forwarded_size)
{
	char *forwarded = malloc(location_size + 1 + 3 * strlen(query) + 1);
	const char *fragment = memchr(location, '#', location_size);
	size_t head_size = fragment != NULL ? (size_t)(fragment - location) : location_size;

	if (forwarded == NULL)
		return NULL;
	memcpy(forwarded, location, head_size);
	char *end = forwarded + head_size;
	if (*query != '\0') {
		end = stpcpy(end, separator(location, head_size));
		end = write_query(end, query);
	}
	memcpy(end, location + head_size, location_size - head_size);
	end += location_size - head_size;
	*end = '\0';
	*forwarded_size = (size_t)(end - forwarded);
	return forwarded;
}
