/* Reads each member of a link that clients can give: one table row each. */
#include "link_member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfc3339.h"

static link_read_function read_srcurl, read_slug, read_title, read_tags, read_valid_from, read_expires, read_max_visits,
	read_redirect_status, read_forwards_query, read_is_enabled, read_may_reuse;

const struct link_member LINK_MEMBERS[LINK_MEMBERS_COUNT] = {
	{ "srcUrl", read_srcurl, STORE_CHANGE_SRCURL, true, false, true },
	{ "slug", read_slug, 0, true, false, false },
	{ "title", read_title, STORE_CHANGE_TITLE, true, true, false },
	{ "tags", read_tags, STORE_CHANGE_TAGS, true, true, false },
	{ "validFrom", read_valid_from, STORE_CHANGE_VALID_FROM, true, true, false },
	{ "expires", read_expires, STORE_CHANGE_EXPIRES, true, true, false },
	{ "maxVisits", read_max_visits, STORE_CHANGE_MAX_VISITS, true, true, false },
	{ "redirectStatus", read_redirect_status, STORE_CHANGE_REDIRECT_STATUS, true, true, false },
	{ "forwardQuery", read_forwards_query, STORE_CHANGE_FORWARDS_QUERY, true, false, false },
	{ "reuse", read_may_reuse, 0, true, false, true },
	{ "enabled", read_is_enabled, STORE_CHANGE_IS_ENABLED, false, false, false },
};

static const char *must_be(char problem[LINK_RULES_PROBLEM_SIZE], const char *name, const char *what)
{
	snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter '%s' must be %s", name, what);
	return problem;
}

/* Copies a trimmed text that the rules have accepted, so that it fits. */
static const char *copy(char *target, const char *text, size_t text_size)
{
	memcpy(target, text, text_size);
	target[text_size] = '\0';
	return target;
}

static const char *read_srcurl(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
			       char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t size = value->text_size;

	if (value->type != JSON_TYPE_STRING)
		return must_be(problem, value->name, "a string");
	const char *text = link_rules_trim(value->text, &size);
	input->wish.srcurl = text;
	input->wish.srcurl_size = size;
	return link_rules_url_problem(rules, text, size, problem);
}

static const char *read_slug(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
			     char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	if (value->type != JSON_TYPE_STRING)
		return must_be(problem, value->name, "a string");
	const char *sentence = link_rules_slug_problem(value->text, value->text_size, problem);
	if (sentence == NULL)
		input->wish.slug = copy(input->slug, value->text, value->text_size);
	return sentence;
}

static const char *read_title(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
			      char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t size = value->text_size;

	(void)rules;
	if (value->type != JSON_TYPE_STRING)
		return must_be(problem, value->name, "a string");
	const char *title = link_rules_trim(value->text, &size);
	const char *sentence = link_rules_title_problem(title, size, problem);
	if (sentence == NULL && size > 0)
		input->wish.options.title = copy(input->title, title, size);
	return sentence;
}

/* Equal ones count once. */
static const char *add_tag(struct link_input *input, const char *text, size_t text_size,
			   char problem[LINK_RULES_PROBLEM_SIZE])
{
	struct link_options *options = &input->wish.options;
	const char *tag = link_rules_trim(text, &text_size);
	const char *sentence = link_rules_tag_problem(tag, text_size, problem);

	if (sentence != NULL)
		return sentence;
	if (input->tags_given++ == LINK_TAGS_MAX) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "Parameter 'tags' must not hold more than %d tags", LINK_TAGS_MAX);
		return problem;
	}
	for (size_t i = 0; i < options->tags_count; i++)
		if (strlen(options->tags[i]) == text_size && memcmp(options->tags[i], tag, text_size) == 0)
			return NULL;
	options->tags[options->tags_count] = copy(input->tags[options->tags_count], tag, text_size);
	options->tags_count++;
	return NULL;
}

/* In a form they stand in one field, with commas between them. */
static const char *read_form_tags(struct link_input *input, const char *text, size_t text_size,
				  char problem[LINK_RULES_PROBLEM_SIZE])
{
	const char *end = text + text_size;
	const char *sentence = NULL;

	while (text < end && sentence == NULL) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *tag_end = comma != NULL ? comma : end;

		sentence = add_tag(input, text, (size_t)(tag_end - text), problem);
		text = tag_end + 1;
	}
	return sentence;
}

static const char *read_tags(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
			     char problem[LINK_RULES_PROBLEM_SIZE])
{
	const char *sentence = NULL;

	(void)rules;
	if (value->is_in_form)
		return read_form_tags(input, value->text, value->text_size, problem);
	if (value->type != JSON_TYPE_ARRAY)
		return must_be(problem, value->name, "an array of strings");
	for (size_t i = 0; i < json_value_count(value->json) && sentence == NULL; i++) {
		const struct json_value *tag = json_value_element(value->json, i);
		size_t size;

		if (json_value_type(tag) != JSON_TYPE_STRING)
			return must_be(problem, value->name, "an array of strings");
		const char *text = json_value_string(tag, &size);
		sentence = add_tag(input, text, size, problem);
	}
	return sentence;
}

/* In a form a + that was not encoded has become a blank. */
static bool parse_form_time(const char *text, size_t text_size, int64_t *time_us)
{
	static const size_t offset_size = sizeof "+01:00" - 1;
	char time[48];

	if (text_size >= sizeof time || text_size < offset_size)
		return false;
	copy(time, text, text_size);
	if (time[text_size - offset_size] == ' ')
		time[text_size - offset_size] = '+';
	return rfc3339_parse_time(time, text_size, time_us);
}

static const char *read_time(const struct link_value *value, int64_t *time_us, char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (value->type == JSON_TYPE_STRING && rfc3339_parse_time(value->text, value->text_size, time_us))
		return NULL;
	if (value->is_in_form && parse_form_time(value->text, value->text_size, time_us))
		return NULL;
	return must_be(problem, value->name, "a time with an offset, such as 2026-12-31T23:59:59+01:00");
}

static const char *read_valid_from(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	return read_time(value, &input->wish.options.valid_from_us, problem);
}

static const char *read_expires(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
				char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	return read_time(value, &input->wish.options.expires_us, problem);
}

/* -1 where it is no whole number; none that is negative is good for anything here. */
static int64_t read_integer(const struct link_value *value)
{
	if (value->type == JSON_TYPE_INTEGER)
		return json_value_integer(value->json);
	if (!value->is_in_form || value->text_size == 0 || value->text_size > 18 ||
	    strspn(value->text, "0123456789") != value->text_size)
		return -1;
	return strtoll(value->text, NULL, 10);
}

static const char *read_max_visits(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	input->wish.options.max_visits = read_integer(value);
	return link_rules_max_visits_problem(input->wish.options.max_visits, problem);
}

static const char *read_redirect_status(struct link_input *input, const struct link_rules *rules,
					const struct link_value *value, char problem[LINK_RULES_PROBLEM_SIZE])
{
	int64_t status = read_integer(value);
	const char *sentence = link_rules_redirect_status_problem(status);

	(void)rules;
	(void)problem;
	if (sentence == NULL)
		input->wish.options.redirect_status = (int)status;
	return sentence;
}

static const char *read_boolean(const struct link_value *value, bool *boolean, char problem[LINK_RULES_PROBLEM_SIZE])
{
	bool is_true = value->is_in_form && strcmp(value->text, "true") == 0;
	bool is_false = value->is_in_form && strcmp(value->text, "false") == 0;

	if (value->type != JSON_TYPE_BOOLEAN && !is_true && !is_false)
		return must_be(problem, value->name, "true or false");
	*boolean = value->is_in_form ? is_true : json_value_boolean(value->json);
	return NULL;
}

static const char *read_forwards_query(struct link_input *input, const struct link_rules *rules,
				       const struct link_value *value, char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	return read_boolean(value, &input->wish.options.forwards_query, problem);
}

static const char *read_may_reuse(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
				  char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	return read_boolean(value, &input->wish.may_reuse, problem);
}

static const char *read_is_enabled(struct link_input *input, const struct link_rules *rules, const struct link_value *value,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	return read_boolean(value, &input->is_enabled, problem);
}

struct link_value link_member_find(const struct link_source *source, const char *name)
{
	struct link_value value = { .name = name, .is_in_form = source->form != NULL };

	if (source->form != NULL) {
		value.text = form_body_find(source->form, name, &value.text_size);
		value.type = value.text != NULL && value.text_size > 0 ? JSON_TYPE_STRING : JSON_TYPE_ABSENT;
		return value;
	}
	value.type = json_body_find(source->json, name, &value.json);
	if (value.type == JSON_TYPE_STRING)
		value.text = json_value_string(value.json, &value.text_size);
	return value;
}
