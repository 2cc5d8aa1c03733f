#ifndef ROBOTS_H
#define ROBOTS_H

#include <stdbool.h>

/* Whether a User-Agent is that of a known robot: a crawler, or a program that looks at links to show a preview. In any
 * case of letters; "" is none. */
bool robots_is_robot(const char *user_agent);

/* Whether Sec-Purpose or Purpose say that a browser fetches ahead, for nobody to see yet. */
bool robots_is_prefetch(const char *sec_purpose, const char *purpose);

#endif
