#ifndef LINK_MEMBER_H
#define LINK_MEMBER_H

#include "creation.h"
#include "form_body.h"
#include "id.h"
#include "json_body.h"
#include "link_rules.h"
#include "store_manage.h"

/* The members of a link that clients can give, one table row each. Part of link_input, whose users see no more of it
 * than the first two structs. */

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

/* What one member holds. In a form all is text, and an empty field counts as none. */
struct link_value {
	const char *name;
	enum json_value_type type;
	const struct json_value *json;
	const char *text; /* of a string, and of any value in a form */
	size_t text_size;
	bool is_in_form;
};

/* Takes one member in. Returns NULL or a sentence, which may be written into `problem`. */
typedef const char *link_read_function(struct link_input *input, const struct link_rules *rules,
				       const struct link_value *value, char problem[LINK_RULES_PROBLEM_SIZE]);

struct link_member {
	const char *name;
	link_read_function *read;
	unsigned change; /* enum store_change; 0: cannot be changed */
	bool is_for_new;
	bool can_be_removed;
	bool needs_no_key;
};

/* The first one is srcUrl. */
#define LINK_MEMBERS_COUNT 11
extern const struct link_member LINK_MEMBERS[LINK_MEMBERS_COUNT];

struct link_value link_member_find(const struct link_source *source, const char *name);

#endif
