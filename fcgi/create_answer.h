#ifndef CREATE_ANSWER_H
#define CREATE_ANSWER_H

#include "config.h"
#include "creation.h"
#include "id.h"
#include "url_part.h"

/* What is said of links that were asked for: what POST /shorten and POST /api/links have in common, and how they
 * differ. */

struct create_kind {
	bool is_managed;              /* needs a key, and gives back the whole link */
	bool takes_forms;
	const char *wrong_type;       /* the sentence of 415 */
	creation_made_function *made; /* answers for one link; its context is the request */
	/* One link as an element of the answer to many, with its status: owned by the caller, freed by free(3); NULL
	 * when memory is short. */
	char *(*write_element)(const struct config *config, const struct link *link, bool is_reused, size_t *text_size);
};

/* Writes the short URL of a link. */
#define CREATE_ANSWER_URL_SIZE (URL_CHARACTERS_MAX + ID_MAX + 1)
void create_answer_write_short_url(const struct config *config, const char *id, char text[CREATE_ANSWER_URL_SIZE]);

/* Writes the sentence for a slug that is taken. */
#define CREATE_ANSWER_TAKEN_SIZE (ID_MAX + 48)
void create_answer_write_taken(const char *slug, char text[CREATE_ANSWER_TAKEN_SIZE]);

#endif
