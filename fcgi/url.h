#ifndef URL_H
#define URL_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"
#include "url_part.h"

enum url_error {
	URL_VALID,
	URL_BAD_SCHEME,   /* neither http:// nor https://, in any case */
	URL_BAD_ENCODING, /* not valid UTF-8 (RFC 3629: no overlong forms, no surrogates) */
	URL_CONTROL,      /* a raw control character: C0, DEL or C1; percent-encoded ones are fine */
	URL_NO_HOST,
	URL_BAD_HOST,     /* characters or labels that no host can have, or a bad IP literal */
	URL_BAD_PORT,     /* not digits only, or over 65535; an empty port is valid */
	URL_TOO_LONG,     /* more than URL_SIZE_MAX bytes */
};

/* A URL taken apart. The parts point into the text that was parsed and live as long as it does. */
struct url {
	struct url_part text;
	struct url_part user;      /* before the last @ of the authority; start is NULL where there is none */
	struct url_part host;      /* as written, brackets included */
	struct url_part rest;      /* path, query and fragment as written; may be empty */
	bool is_https;
	int port;                  /* -1 where none is written or it is empty */
	/* For comparing: ASCII, lower case, no final dot; an IP address in its canonical form, without brackets. */
	char host_name[URL_HOST_MAX + 1];
};

/* Takes `text` apart and checks it; the one parser for checking and for use. `text` needs no NUL and
 * is not trimmed here. The authority ends at the first / ? or #, and a backslash inside it is refused,
 * because browsers end it there (WHATWG URL) and others do not. `url` is valid only after URL_VALID. */
enum url_error url_parse(const char *text, size_t text_size, struct url *url) MUST_CHECK;

/* Whether `url` leads below `base`: same host and port, whatever the scheme, user info or case, and a
 * path that starts with that of base, or is it without its final slash. The default ports of both schemes
 * count as the same port. Percent-encoded characters, except the slash, and dot segments in the path are
 * seen through, and a backslash is a slash, as browsers have it. */
bool url_is_below(const struct url *url, const struct url *base);

/* Writes the Location for a URL that url_parse has accepted, with its NUL, and returns its size in bytes
 * without the NUL. Printable ASCII is copied byte for byte and not checked again. Otherwise blanks become
 * %20, non-ASCII outside the host percent-encoded UTF-8, and a non-ASCII host its punycode (UTS 46,
 * non-transitional); 0 and an empty Location when url_parse would refuse it. Applying it to its own
 * result changes nothing. */
size_t url_write_location(const char *text, size_t text_size, char location[URL_LOCATION_MAX + 1]);

/* Releases what the parser keeps for hosts that are not ASCII. */
void url_close(void);

#endif
