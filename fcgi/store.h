#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "loop.h"
#include "result.h"
#include "store_link.h"
#include "visits.h"

/* Named operations on stored links: with store_manage.h and store_keys.h the only place that knows the SQL. Each
 * calls `done` exactly once, later, or with RESULT_UNAVAILABLE at once when memory is short. */

/* The present, as times are stored: microseconds since 1970. */
int64_t store_now_us(void);

struct store *store_open(struct loop *loop, const struct config *config) MUST_CHECK;
void store_close(struct store *store);

/* Whether there is a connection to the database now. */
bool store_is_connected(const struct store *store);

/* Whether the database can be reached and has the schema that the statements need; blocking. */
bool store_check(const struct config *config, char *problem, size_t problem_size) MUST_CHECK;

/* Finds a link by id, whatever its state: RESULT_NOT_FOUND when there is none. `link` is NULL unless RESULT_OK. */
void store_find_link(struct store *store, const char *id, store_link_function *done, void *context);

/* Inserts a link without options, created and last accessed at created_us (microseconds since 1970). RESULT_OK
 * when it is durably stored, by this call or by an earlier one that was cut off; RESULT_TAKEN when the id
 * belongs to another link. `link` is given back with RESULT_OK only. The id must be a random one: a taken one makes
 * the others of its batch run again. `owner` is the id of a key, or "". */
void store_insert_link(struct store *store, const char *id, const char *srcurl, size_t srcurl_size,
		       int64_t created_us, const char *owner, store_link_function *done, void *context);

/* Adds a batch of visits to the links they belong to, and remembers that this writer's batch of this
 * number is in, so that repeating the call counts nothing twice. `visits` is ordered by id, each id
 * once; it is copied. Visits of links that are gone are dropped. */
void store_add_visits(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		      size_t visits_count, store_done_function *done, void *context);

/* The same for what lists and statistics show: visits by day, and the order of links by their visits. */
void store_add_days(struct store *store, const char *writer, int64_t batch, const struct visit visits[],
		    size_t visits_count, store_done_function *done, void *context);

/* Forgets writers that have been silent since before_us. */
void store_forget_writers(struct store *store, int64_t before_us, store_done_function *done, void *context);

/* Whether the database answers now. */
void store_ping(struct store *store, store_done_function *done, void *context);

#endif
