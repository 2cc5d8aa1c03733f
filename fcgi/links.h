#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "loop.h"
#include "result.h"
#include "store.h"

/* What a link is: the rules for URLs and ids, and the counting of visits. */
struct links;

/* The longest sentence that links_url_problem writes, with its NUL. */
#define LINKS_PROBLEM_SIZE 160

struct links *links_open(struct loop *loop, struct store *store, const struct config *config) MUST_CHECK;
void links_close(struct links *links);

/* Trims ASCII white space at both ends; *size is changed and the new start returned. */
const char *links_trim_url(const char *srcurl, size_t *srcurl_size);

/* NULL when this URL, trimmed, may be shortened; otherwise a sentence for the client, written into
 * `problem` or static. */
const char *links_url_problem(const struct links *links, const char *srcurl, size_t srcurl_size,
			      char problem[LINKS_PROBLEM_SIZE]) MUST_CHECK;

/* Stores a link under a new random id. The URL is one that links_url_problem accepts; it is copied. */
void links_create(struct links *links, const char *srcurl, size_t srcurl_size, store_link_function *done, void *context);

/* Finds the link with this id, which need not be valid. */
void links_find(struct links *links, const char *id, size_t id_size, store_link_function *done, void *context);

/* Counts a visit; it is written within about a second. */
void links_visit(struct links *links, const char *id);

/* Writes all visits now; `done` is called when they are stored, at once where there are none. */
void links_write_visits(struct links *links, loop_function *done, void *context);

#endif
