#ifndef IMPORT_LINK_H
#define IMPORT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv.h"
#include "link_rules.h"

/* A link as a row of a file has it, checked by the rules of the service. */

/* At Bitly one link may have several short URLs. */
#define IMPORT_SLUGS_MAX 10

/* A piece of the record, which need not end with a NUL. */
struct import_text {
	const char *start; /* NULL: none */
	size_t size;
};

struct import_link {
	struct import_text slugs[IMPORT_SLUGS_MAX];
	size_t slugs_count;
	struct import_text srcurl;
	struct import_text title;
	struct import_text tags[LINK_TAGS_MAX];
	size_t tags_count;
	struct import_text owner;
	int64_t created_us; /* times may be LINK_NO_TIME */
	int64_t last_accessed_us;
	int64_t valid_from_us;
	int64_t expires_us;
	int64_t deleted_us;
	int64_t visits;
	int64_t max_visits; /* 0: any number */
	int redirect_status; /* 0: none */
	bool forwards_query;
	bool is_enabled;
	char cleaned_title[LINK_TITLE_MAX * 4 + 1]; /* where title points when it had to be changed */
};

/* What a column of a file means. */
enum import_field {
	IMPORT_SLUG,      /* as it is */
	IMPORT_SLUGS,     /* short URLs, several; they come before the one of IMPORT_SHORT_URL */
	IMPORT_SHORT_URL, /* its last part is the slug; where there is IMPORT_SLUG too, that counts */
	IMPORT_SRCURL,
	IMPORT_CREATED,
	IMPORT_LAST_ACCESSED,
	IMPORT_VISITS,
	IMPORT_TITLE,
	IMPORT_TAGS,
	IMPORT_VALID_FROM,
	IMPORT_EXPIRES,
	IMPORT_MAX_VISITS,
	IMPORT_REDIRECT_STATUS,
	IMPORT_FORWARD_QUERY,
	IMPORT_ENABLED,
	IMPORT_BANNED, /* true: disabled */
	IMPORT_DELETED,
	IMPORT_OWNER,
	IMPORT_PASSWORD,  /* itself, or whether there is one */
	IMPORT_PROTECTED, /* whether there is a password */
	IMPORT_FIELDS_COUNT,
};

/* Checks the values of a row and fills the link, which borrows from them. A value whose start is NULL is absent. In
 * our own export everything must be as it was exported, but the URL may be any that the parser takes: the rules for
 * new ones, and the base URL, may have been others when the link was made. With others (`is_own` false) the URL must
 * be one that may be shortened today, times may have other forms, titles are cleaned of control characters and cut to
 * their limit, NULL means empty, and a password is refused. Returns NULL, or a sentence
 * that says what is wrong, static or in `problem`. */
const char *import_link_read(const struct import_text values[IMPORT_FIELDS_COUNT], bool is_own,
			     const struct link_rules *rules, struct import_link *link,
			     char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

#endif
