#ifndef URL_HOST_H
#define URL_HOST_H

#include <stdbool.h>

#include "result.h"
#include "url_part.h"

/* The host of a URL. Part of url; nobody else includes this. The host is valid UTF-8 without control
 * characters, and not empty. */

bool url_host_is_ascii(struct url_part host);

/* Writes a host that is not ASCII as it goes into the DNS (UTS 46, non-transitional, as browsers do).
 * False where it cannot; what it may hold besides letters is not checked here. */
bool url_host_encode(struct url_part host, char ascii[URL_HOST_MAX + 1]) MUST_CHECK;

/* Checks the host and writes it for comparing: ASCII, lower case, no final dot; an IP literal, or what
 * browsers take for one, in its canonical form. False where no host can be like this. */
bool url_host_read(struct url_part host, char host_name[URL_HOST_MAX + 1]) MUST_CHECK;

/* Releases what is kept for hosts that are not ASCII. */
void url_host_close(void);

#endif
