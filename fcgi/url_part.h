#ifndef URL_PART_H
#define URL_PART_H

#include <stddef.h>

/* The longest host name in the DNS, RFC 1035 section 2.3.4, with room for the final dot. */
#define URL_HOST_MAX 254

/* The longest URL that any setting allows, in characters and in bytes of UTF-8, and the longest
 * Location it can become: each byte of UTF-8 takes three when percent-encoded, and the punycode of a
 * host may be longer than that. */
#define URL_CHARACTERS_MAX 2048
#define URL_SIZE_MAX ((size_t)URL_CHARACTERS_MAX * 4)
#define URL_LOCATION_MAX (URL_SIZE_MAX * 3 + URL_HOST_MAX)

struct url_part {
	const char *start; /* borrowed from the parsed text */
	size_t size;
};

#endif
