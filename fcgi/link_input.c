/* Reads what clients say of a link: a JSON object, or a form with the same names. */
#include "link_input.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

#define MISSING "Parameter 'srcUrl' is missing"
#define NEEDS_KEY "Options need a key, as in Authorization: Bearer KEY"

/* How much of an unknown name is given back. */
#define NAME_SHOWN_MAX 64

static bool is_given(const struct link_value *value)
{
	return value->type != JSON_TYPE_ABSENT && value->type != JSON_TYPE_NULL;
}

static bool is_allowed(const struct link_member *member, bool is_edit)
{
	return is_edit ? member->change != 0 : member->is_for_new;
}

static const char *find_unknown(const struct link_source *source, bool is_edit)
{
	const char *names[LINK_MEMBERS_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < LINK_MEMBERS_COUNT; i++)
		if (is_allowed(&LINK_MEMBERS[i], is_edit))
			names[count++] = LINK_MEMBERS[i].name;
	return source->form != NULL ? form_body_find_unknown(source->form, names, count) :
				      json_body_find_unknown(source->json, names, count);
}

/* Only whole characters, where the name is cut. */
static int unknown_problem(const char *name, bool is_edit, char problem[LINK_INPUT_PROBLEM_SIZE])
{
	size_t size = utf8_find_invalid(name, strnlen(name, NAME_SHOWN_MAX));
	FILE *file = fmemopen(problem, LINK_INPUT_PROBLEM_SIZE, "w");
	const char *separator = "";

	if (file == NULL) {
		snprintf(problem, LINK_INPUT_PROBLEM_SIZE, "Parameter '%.*s' is unknown", (int)size, name);
		return 400;
	}
	fprintf(file, "Parameter '%.*s' is unknown; what can be given is ", (int)size, name);
	for (size_t i = 0; i < LINK_MEMBERS_COUNT; i++) {
		if (!is_allowed(&LINK_MEMBERS[i], is_edit))
			continue;
		fprintf(file, "%s%s", separator, LINK_MEMBERS[i].name);
		separator = ", ";
	}
	fclose(file);
	return 400;
}

static int fail(char problem[LINK_INPUT_PROBLEM_SIZE], int status, const char *sentence)
{
	if (sentence != problem)
		snprintf(problem, LINK_INPUT_PROBLEM_SIZE, "%s", sentence);
	return status;
}

static const char *null_problem(const char *name, char problem[LINK_INPUT_PROBLEM_SIZE])
{
	snprintf(problem, LINK_INPUT_PROBLEM_SIZE, "Parameter '%s' must not be null", name);
	return problem;
}

static int check_times(const struct link_input *input, char problem[LINK_INPUT_PROBLEM_SIZE])
{
	const struct link_options *options = &input->wish.options;
	const char *sentence = link_rules_times_problem(options->valid_from_us, options->expires_us);

	return sentence == NULL ? 0 : fail(problem, 400, sentence);
}

static void clear(struct link_input *input)
{
	input->wish = (struct creation_wish){
		.owner = "",
		.options = { .valid_from_us = LINK_NO_TIME, .expires_us = LINK_NO_TIME },
	};
	input->changes = 0;
	input->tags_given = 0;
	input->is_enabled = true;
}

static bool is_option_forbidden(const struct link_source *source)
{
	for (size_t i = 0; i < LINK_MEMBERS_COUNT; i++) {
		struct link_value value = link_member_find(source, LINK_MEMBERS[i].name);

		if (!LINK_MEMBERS[i].needs_no_key && is_given(&value))
			return true;
	}
	return false;
}

static int read_options(struct link_input *input, const struct link_rules *rules, const struct link_source *source,
			char problem[LINK_INPUT_PROBLEM_SIZE])
{
	for (size_t i = 1; i < LINK_MEMBERS_COUNT; i++) {
		struct link_value value = link_member_find(source, LINK_MEMBERS[i].name);

		if (!LINK_MEMBERS[i].is_for_new || !is_given(&value))
			continue;
		const char *sentence = LINK_MEMBERS[i].read(input, rules, &value, problem);
		if (sentence != NULL)
			return fail(problem, 400, sentence);
		if (!LINK_MEMBERS[i].needs_no_key)
			input->wish.has_options = true;
	}
	return check_times(input, problem);
}

int link_input_read_new(struct link_input *input, const struct link_rules *rules, const struct link_source *source,
			bool may_have_options, char problem[LINK_INPUT_PROBLEM_SIZE])
{
	struct link_value srcurl = link_member_find(source, "srcUrl");

	clear(input);
	if (!is_given(&srcurl))
		return fail(problem, 400, MISSING);
	const char *sentence = LINK_MEMBERS[0].read(input, rules, &srcurl, problem);
	if (sentence != NULL)
		return fail(problem, 400, sentence);
	const char *unknown = find_unknown(source, false);
	if (unknown != NULL)
		return unknown_problem(unknown, false, problem);
	/* Most links have no options. */
	if (source->form == NULL && json_value_count(source->json) == 1)
		return 0;
	if (!may_have_options && is_option_forbidden(source))
		return fail(problem, 401, NEEDS_KEY);
	return read_options(input, rules, source, problem);
}

int link_input_read_edit(struct link_input *input, const struct link_rules *rules, const struct json_value *json,
			 char problem[LINK_INPUT_PROBLEM_SIZE])
{
	const struct link_source source = { .json = json };
	const char *unknown = find_unknown(&source, true);

	clear(input);
	if (unknown != NULL)
		return unknown_problem(unknown, true, problem);
	for (size_t i = 0; i < LINK_MEMBERS_COUNT; i++) {
		struct link_value value = link_member_find(&source, LINK_MEMBERS[i].name);
		const char *sentence = NULL;

		if (value.type == JSON_TYPE_ABSENT)
			continue;
		if (value.type != JSON_TYPE_NULL)
			sentence = LINK_MEMBERS[i].read(input, rules, &value, problem);
		else if (!LINK_MEMBERS[i].can_be_removed)
			sentence = null_problem(value.name, problem);
		if (sentence != NULL)
			return fail(problem, 400, sentence);
		input->changes |= LINK_MEMBERS[i].change;
	}
	return check_times(input, problem);
}
