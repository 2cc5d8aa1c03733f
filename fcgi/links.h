#ifndef LINKS_H
#define LINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "link_rules.h"
#include "loop.h"
#include "result.h"
#include "store.h"

/* What is done with links: they are followed, and their visits counted. */
struct links;

struct links *links_open(struct loop *loop, struct store *store, const struct config *config) MUST_CHECK;
void links_close(struct links *links);

/* Borrowed until links_close. */
const struct link_rules *links_rules(const struct links *links);

/* Finds the link with this id, which need not be valid, whatever its state. */
void links_find(struct links *links, const char *id, size_t id_size, store_link_function *done, void *context);

/* Counts a visit; it is written within about a second. */
void links_visit(struct links *links, const char *id);

/* Counts a visit of a robot, apart from the others. */
void links_visit_by_robot(struct links *links, const char *id);

/* Counts a visit of a link that is limited in their number, at once. RESULT_GONE: there is none left. */
void links_use(struct links *links, const char *id, store_done_function *done, void *context);

/* Writes all visits now; `done` is called when they are stored, at once where there are none. */
void links_write_visits(struct links *links, loop_function *done, void *context);

#endif
