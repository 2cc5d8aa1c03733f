#ifndef STORE_MANAGE_H
#define STORE_MANAGE_H

#include "digest.h"
#include "link_rules.h"
#include "store_link.h"

/* Operations on stored links for those who manage them. As in store.h each calls `done` exactly once. */

/* A link to be made. Everything is copied. */
struct store_new_link {
	const char *id;
	const char *srcurl;
	size_t srcurl_size;
	int64_t created_us;
	const char *owner;   /* the id of a key, or "" */
	const char *mark;    /* random: tells a repetition from another's request */
	const struct link_options *options;
};

/* Makes a link with options, and gives it back with its JSON. RESULT_TAKEN when the id belongs to another, whether
 * that is alive or not; this disturbs nobody else's operations. */
void store_add_link(struct store *store, const struct store_new_link *link, store_link_function *done, void *context);

/* Finds the link that is like `link` and alive: the one with the id `slug`, or where that is "" the one that the
 * hash has been claimed for. RESULT_OK: `found` is it, with its JSON. RESULT_NOT_FOUND: there is none, and `claimed`
 * is what the claim holds, "" when it is not there yet. `claimed` is NULL with all other results. */
void store_find_equal_link(struct store *store, const struct store_new_link *link, const char *slug,
			   const unsigned char hash[DIGEST_SIZE], store_equal_function *done, void *context);

/* Makes the link under a claim: of all that claim one hash at a time, holding what it was said to hold, one gets it.
 * RESULT_OK: this one, the link is made. RESULT_NOT_FOUND: another one, nothing is made. RESULT_TAKEN: the id is
 * taken, nothing is made. */
void store_claim_link(struct store *store, const struct store_new_link *link, const unsigned char hash[DIGEST_SIZE],
		      const char *claimed, store_link_function *done, void *context);

/* Uses up one visit of a link that is limited, and counts it. RESULT_GONE when none is left or the link has ended;
 * `mark` is random. */
void store_use_link(struct store *store, const char *id, const char *mark, store_done_function *done, void *context);

/* The link as JSON; RESULT_NOT_FOUND, RESULT_GONE when it was deleted. */
void store_show_link(struct store *store, const char *id, store_text_function *done, void *context);

/* What a change changes: bits. */
enum store_change {
	STORE_CHANGE_SRCURL = 1,
	STORE_CHANGE_TITLE = 2,
	STORE_CHANGE_TAGS = 4,
	STORE_CHANGE_VALID_FROM = 8,
	STORE_CHANGE_EXPIRES = 16,
	STORE_CHANGE_MAX_VISITS = 32,
	STORE_CHANGE_REDIRECT_STATUS = 64,
	STORE_CHANGE_FORWARDS_QUERY = 128,
	STORE_CHANGE_IS_ENABLED = 256,
};

struct store_edit {
	unsigned changes;
	const char *srcurl;
	size_t srcurl_size;
	struct link_options options;
	bool is_enabled;
};

/* Changes a link and gives it back as JSON. RESULT_NOT_FOUND; RESULT_GONE when it was deleted; RESULT_CONFLICT when
 * validFrom would not be before expires, one of which may be stored already. Everything is copied. */
void store_edit_link(struct store *store, const char *id, const struct store_edit *edit, store_text_function *done,
		     void *context);

/* Deletes a link for good: its id stays taken. RESULT_OK also when it was deleted before; RESULT_NOT_FOUND. */
void store_delete_link(struct store *store, const char *id, store_done_function *done, void *context);

/* Visits by day, as JSON, from one date to another, both included: 2026-11-30. RESULT_NOT_FOUND, RESULT_GONE. */
void store_count_visits(struct store *store, const char *id, const char *from, const char *to,
			store_text_function *done, void *context);

/* The longest cursor, with its NUL. */
#define STORE_CURSOR_SIZE 112

struct store_list {
	enum store_sort sort;
	long page_max;
	const char *search; /* what srcurl, title or id contain, in any case; NULL: any */
	const char *tag;    /* NULL: any */
	const char *after;  /* a cursor that a page has ended with; NULL: from the beginning */
};

/* Whether a cursor is one of this order. */
bool store_is_cursor(enum store_sort sort, const char *cursor);

/* A page of links as JSON: {"links":[…],"next":"CURSOR"}, with null for the cursor of the last page. Where links are
 * searched or have a tag, a page may hold fewer than page_max, even none, and not be the last. */
void store_list_links(struct store *store, const struct store_list *list, store_text_function *done, void *context);

#endif
