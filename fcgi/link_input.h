#ifndef LINK_INPUT_H
#define LINK_INPUT_H

#include "creation.h"
#include "form_body.h"
#include "json_body.h"
#include "link_rules.h"
#include "store_manage.h"

/* Reads what clients say of a link: a JSON object, or a form with the same names. */

#define LINK_INPUT_PROBLEM_SIZE 400

/* Where the members are: one of the two. */
struct link_source {
	const struct json_value *json;
	const struct form_body *form; /* NULL: json it is */
};

/* What was read. It points into itself and into the source: borrowed for as long as both are there. */
struct link_input {
	struct creation_wish wish;
	unsigned changes; /* of an edit: enum store_change */
	bool is_enabled;
	char slug[ID_MAX + 1];
	char title[LINK_TITLE_MAX * 4 + 1];
	size_t tags_given; /* equal ones too */
	char tags[LINK_TAGS_MAX][LINK_TAG_MAX * 4 + 1];
};

/* Each returns the status that the request is to be answered with, 0 where all is well, and writes the sentence into
 * `problem`. */

/* A link to be made: `srcUrl`, and options, which need may_have_options (401), but for `reuse`. */
int link_input_read_new(struct link_input *input, const struct link_rules *rules, const struct link_source *source,
			bool may_have_options, char problem[LINK_INPUT_PROBLEM_SIZE]) MUST_CHECK;

/* A change of a link, JSON: null removes what can be without. */
int link_input_read_edit(struct link_input *input, const struct link_rules *rules, const struct json_value *json,
			 char problem[LINK_INPUT_PROBLEM_SIZE]) MUST_CHECK;

#endif
