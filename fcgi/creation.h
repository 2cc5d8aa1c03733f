#ifndef CREATION_H
#define CREATION_H

#include "link_rules.h"
#include "store_link.h"

/* A link that somebody asks for. Everything in it keeps to link_rules.h, and is copied. */
struct creation_wish {
	const char *srcurl; /* trimmed */
	size_t srcurl_size;
	const char *slug;  /* NULL: a random id */
	const char *owner; /* the id of a key, or "" */
	struct link_options options;
	bool has_options; /* one of them is given */
	bool may_reuse;   /* an equal link of this owner will do, if it was asked for in this way too */
	bool wants_json;  /* the whole link is given back */
};

/* `link` is NULL unless RESULT_OK, and RESULT_TAKEN, when it has the slug as its id and nothing else. is_reused: it
 * was there before. */
typedef void creation_made_function(void *context, enum result result, const struct link *link, bool is_reused);

/* Makes one link: chooses its id, tries again when that is taken, or finds an equal link. RESULT_TAKEN: the slug
 * belongs to another link. The other results as store.h has them. */
void creation_start(struct store *store, const struct creation_wish *wish, creation_made_function *done, void *context);

#endif
