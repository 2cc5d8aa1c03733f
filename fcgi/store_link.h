#ifndef STORE_LINK_H
#define STORE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

/* What the operations of the store give back. */

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

typedef void store_link_function(void *context, enum result result, const struct link *link);
typedef void store_done_function(void *context, enum result result);

/* `text` is NULL unless RESULT_OK; borrowed for the call. */
typedef void store_text_function(void *context, enum result result, const char *text, size_t text_size);

/* `claimed` is borrowed for the call; see store_find_equal_link. */
typedef void store_equal_function(void *context, enum result result, const struct link *link, const char *claimed);

/* `id` is NULL unless RESULT_OK; borrowed for the call. */
typedef void store_key_function(void *context, enum result result, const char *id);

/* Orders of a list. */
enum store_sort {
	STORE_SORT_CREATED,       /* the newest first */
	STORE_SORT_VISITS,        /* the most visited first */
	STORE_SORT_LAST_ACCESSED, /* the latest first */
	STORE_SORTS,
};

#endif
