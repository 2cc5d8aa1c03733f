#ifndef LINK_RULES_H
#define LINK_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"
#include "url.h"

/* What a link may be: one place for the limits of its URL and its options, whoever makes or changes it. Each
 * function that ends in _problem returns NULL when the value is good, otherwise a sentence for the client, which
 * is written into `problem` or static. Texts are valid UTF-8 without NUL inside; sizes are bytes. */

#define LINK_RULES_PROBLEM_SIZE 200
#define LINK_TITLE_MAX 500 /* characters */
#define LINK_TAGS_MAX 20
#define LINK_TAG_MAX 64 /* characters */
#define LINK_MAX_VISITS_MAX INT64_C(1000000000)

/* A time that is not set. */
#define LINK_NO_TIME INT64_MIN

/* What a link has besides its URL. { .valid_from_us = LINK_NO_TIME, .expires_us = LINK_NO_TIME }: none. Texts are
 * borrowed from whoever filled it, with a NUL behind them. */
struct link_options {
	const char *title; /* NULL: none */
	const char *tags[LINK_TAGS_MAX];
	size_t tags_count;
	int64_t valid_from_us; /* microseconds since 1970 */
	int64_t expires_us;
	int64_t max_visits;  /* 0: any number */
	int redirect_status; /* 0: what the setting says */
	bool forwards_query;
};

struct link_rules {
	long max_url_characters;
	struct url base; /* of this service: a link to below it would lead in a circle */
};

/* False when base_url is no URL; it is borrowed for as long as the rules are used. */
bool link_rules_load(struct link_rules *rules, const char *base_url, long max_url_characters) MUST_CHECK;

/* Trims ASCII white space at both ends; *size is changed and the new start returned. */
const char *link_rules_trim(const char *text, size_t *text_size);

/* `srcurl` is trimmed. */
const char *link_rules_url_problem(const struct link_rules *rules, const char *srcurl, size_t srcurl_size,
				   char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

/* 1 to ID_MAX characters of the alphabet of ids, and no path of this service. */
const char *link_rules_slug_problem(const char *slug, size_t slug_size, char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

/* `title` is trimmed; an empty one is good, and means none. */
const char *link_rules_title_problem(const char *title, size_t title_size, char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

/* One tag, trimmed. A comma is what separates tags in forms and in files. */
const char *link_rules_tag_problem(const char *tag, size_t tag_size, char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;

const char *link_rules_max_visits_problem(int64_t max_visits, char problem[LINK_RULES_PROBLEM_SIZE]) MUST_CHECK;
const char *link_rules_redirect_status_problem(int64_t status) MUST_CHECK;

/* The times together; each may be LINK_NO_TIME. */
const char *link_rules_times_problem(int64_t valid_from_us, int64_t expires_us) MUST_CHECK;

#endif
