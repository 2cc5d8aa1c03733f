#ifndef LINK_INPUT_H
#define LINK_INPUT_H

#include "link_member.h"

/* Reads what clients say of a link: a JSON object, or a form with the same names. */

#define LINK_INPUT_PROBLEM_SIZE 400

/* Each returns the status that the request is to be answered with, 0 where all is well, and writes the sentence into
 * `problem`. */

/* A link to be made: `srcUrl`, and options, which need may_have_options (401), but for `reuse`. */
int link_input_read_new(struct link_input *input, const struct link_rules *rules, const struct link_source *source,
			bool may_have_options, char problem[LINK_INPUT_PROBLEM_SIZE]) MUST_CHECK;

/* A change of a link, JSON: null removes what can be without. */
int link_input_read_edit(struct link_input *input, const struct link_rules *rules, const struct json_value *json,
			 char problem[LINK_INPUT_PROBLEM_SIZE]) MUST_CHECK;

#endif
