#ifndef STORE_H
#define STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "loop.h"
#include "result.h"
#include "visits.h"

/* Named operations on stored links: with store_manage.h and store_keys.h the only place that knows the SQL. Each
 * calls `done` exactly once, later, or with RESULT_UNAVAILABLE at once when memory is short. */
struct store;

/* By the clock of the database. */
enum link_state {
	LINK_ALIVE,
	LINK_EARLY, /* not valid yet */
	LINK_ENDED, /* expired, used up, disabled or deleted */
};

/* A stored link. Texts are borrowed for the call that gets it. */
struct link {
	const char *id;
	const char *srcurl;
	size_t srcurl_size;
	const char *json; /* the whole link, from operations of store_manage.h; otherwise NULL */
	size_t json_size;
	enum link_state state; /* this and what follows: from store_find_link */
	int redirect_status;   /* 0: what the setting says */
	bool forwards_query;
	bool is_limited;       /* in the number of its visits: store_use_link counts them */
	int64_t seconds_left;  /* whole ones, until it expires; -1: it does not */
};

/* The present, as times are stored: microseconds since 1970. */
int64_t store_now_us(void);

typedef void store_link_function(void *context, enum result result, const struct link *link);
typedef void store_done_function(void *context, enum result result);

/* `text` is NULL unless RESULT_OK; borrowed for the call. */
typedef void store_text_function(void *context, enum result result, const char *text, size_t text_size);

/* `claimed` is borrowed for the call; see store_find_equal_link. */
typedef void store_equal_function(void *context, enum result result, const struct link *link, const char *claimed);

/* `id` is NULL unless RESULT_OK; borrowed for the call. */
typedef void store_key_function(void *context, enum result result, const char *id);

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

/* Forgets writers that have been silent since before_us, and used visits that are older. */
void store_forget_writers(struct store *store, int64_t before_us, store_done_function *done, void *context);
void store_forget_uses(struct store *store, int64_t before_us, store_done_function *done, void *context);

/* Whether the database answers now. */
void store_ping(struct store *store, store_done_function *done, void *context);

#endif
