/* Reads what a command line says of a link. */
#include "link_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base_url.h"
#include "say.h"
#include "utf8.h"
#include "verb.h"

/* Who checks a value: returns a sentence, or NULL and has set arguments->values. */
typedef const char *read_function(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
				  char problem[LINK_RULES_PROBLEM_SIZE]);

static read_function read_srcurl, read_slug, read_title, read_tag, read_valid_from, read_expires, read_max_visits,
	read_redirect_status;

/* An option, the field it sets, and how: by its value, or to a fixed one. */
struct link_option {
	struct options_spec spec;
	enum link_field field;
	read_function *read;
	const char *fixed;
};

/* Those for edits alone come last. */
static const struct link_option link_options[] = {
	{ { "slug", true }, LINK_SLUG, read_slug, NULL },
	{ { "title", true }, LINK_TITLE, read_title, NULL },
	{ { "tag", true }, LINK_TAGS, read_tag, NULL },
	{ { "valid-from", true }, LINK_VALID_FROM, read_valid_from, NULL },
	{ { "expires", true }, LINK_EXPIRES, read_expires, NULL },
	{ { "max-visits", true }, LINK_MAX_VISITS, read_max_visits, NULL },
	{ { "redirect-status", true }, LINK_REDIRECT_STATUS, read_redirect_status, NULL },
	{ { "forward-query", false }, LINK_FORWARD_QUERY, NULL, "true" },
	{ { "url", true }, LINK_SRCURL, read_srcurl, NULL },
	{ { "no-title", false }, LINK_TITLE, NULL, NULL },
	{ { "no-tags", false }, LINK_TAGS, NULL, "" },
	{ { "no-valid-from", false }, LINK_VALID_FROM, NULL, NULL },
	{ { "no-expires", false }, LINK_EXPIRES, NULL, NULL },
	{ { "no-max-visits", false }, LINK_MAX_VISITS, NULL, NULL },
	{ { "no-redirect-status", false }, LINK_REDIRECT_STATUS, NULL, NULL },
	{ { "no-forward-query", false }, LINK_FORWARD_QUERY, NULL, "false" },
	{ { "enable", false }, LINK_ENABLED, NULL, "true" },
	{ { "disable", false }, LINK_ENABLED, NULL, "false" },
};

#define LINK_OPTIONS_COUNT (sizeof link_options / sizeof link_options[0])
#define NEW_LINK_OPTIONS_COUNT 8

/* Trims, cuts nothing: what is too long for the array is too long for the rules. */
static void copy_trimmed(const char *value, char *text, size_t text_size)
{
	size_t size = strlen(value);
	const char *start = link_rules_trim(value, &size);

	if (size >= text_size)
		size = text_size - 1;
	memcpy(text, start, size);
	text[size] = '\0';
}

static const char *read_srcurl(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
			       char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t size = strlen(value);
	const char *start = link_rules_trim(value, &size);

	const char *sentence = base_url_problem();
	if (sentence == NULL)
		sentence = link_rules_url_problem(rules, start, size, problem);
	if (sentence != NULL)
		return sentence;
	copy_trimmed(value, arguments->srcurl, sizeof arguments->srcurl);
	arguments->values[LINK_SRCURL] = arguments->srcurl;
	return NULL;
}

static const char *read_slug(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
			     char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	arguments->values[LINK_SLUG] = value;
	return link_rules_slug_problem(value, strlen(value), problem);
}

static const char *read_title(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
			      char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t size = strlen(value);
	const char *start = link_rules_trim(value, &size);

	(void)rules;
	const char *sentence = link_rules_title_problem(start, size, problem);
	if (sentence != NULL)
		return sentence;
	copy_trimmed(value, arguments->title, sizeof arguments->title);
	arguments->values[LINK_TITLE] = size > 0 ? arguments->title : NULL;
	return NULL;
}

static bool has_tag(const char *tags, const char *tag, size_t tag_size)
{
	while (*tags != '\0') {
		size_t size = strcspn(tags, ",");

		if (size == tag_size && memcmp(tags, tag, size) == 0)
			return true;
		tags += size + (tags[size] == ',');
	}
	return false;
}

/* --tag may be given several times; an empty one stands for none. */
static const char *read_tag(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
			    char problem[LINK_RULES_PROBLEM_SIZE])
{
	size_t size = strlen(value);
	const char *tag = link_rules_trim(value, &size);

	(void)rules;
	arguments->values[LINK_TAGS] = arguments->tags;
	if (size == 0 || has_tag(arguments->tags, tag, size))
		return NULL;
	const char *sentence = link_rules_tag_problem(tag, size, problem);
	if (sentence != NULL)
		return sentence;
	if (arguments->tags_count == LINK_TAGS_MAX)
		return "'tags' must hold at most 20 tags";
	size_t end = strlen(arguments->tags);
	if (arguments->tags_count++ > 0)
		arguments->tags[end++] = ',';
	memcpy(arguments->tags + end, tag, size);
	arguments->tags[end + size] = '\0';
	return NULL;
}

static const char *read_time(struct link_arguments *arguments, enum link_field field, const char *value,
			     const char *problem)
{
	size_t i = field == LINK_EXPIRES;
	size_t size = strlen(value);
	const char *start = link_rules_trim(value, &size);

	arguments->times_us[i] = LINK_NO_TIME;
	arguments->values[field] = NULL;
	if (size == 0)
		return NULL;
	if (!rfc3339_parse_time(start, size, &arguments->times_us[i]))
		return problem;
	rfc3339_write_time(arguments->times_us[i], arguments->times[i]);
	arguments->values[field] = arguments->times[i];
	return NULL;
}

#define TIME_PROBLEM(name) "'" name "' must be a time with an offset, such as 2026-12-31T23:59:59+01:00"

static const char *read_valid_from(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	(void)problem;
	return read_time(arguments, LINK_VALID_FROM, value, TIME_PROBLEM("validFrom"));
}

static const char *read_expires(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
				char problem[LINK_RULES_PROBLEM_SIZE])
{
	(void)rules;
	(void)problem;
	return read_time(arguments, LINK_EXPIRES, value, TIME_PROBLEM("expires"));
}

static const char *read_max_visits(struct link_arguments *arguments, const struct link_rules *rules, const char *value,
				   char problem[LINK_RULES_PROBLEM_SIZE])
{
	long long number = 0;

	(void)rules;
	arguments->values[LINK_MAX_VISITS] = *value != '\0' ? value : NULL;
	if (*value == '\0' || options_parse_number(value, 1, LINK_MAX_VISITS_MAX, &number))
		return NULL;
	return link_rules_max_visits_problem(0, problem);
}

static const char *read_redirect_status(struct link_arguments *arguments, const struct link_rules *rules,
					const char *value, char problem[LINK_RULES_PROBLEM_SIZE])
{
	long long number = 0;

	(void)rules;
	(void)problem;
	arguments->values[LINK_REDIRECT_STATUS] = *value != '\0' ? value : NULL;
	if (*value == '\0')
		return NULL;
	if (!options_parse_number(value, 0, 999, &number))
		number = 0;
	return link_rules_redirect_status_problem(number);
}

static const char *read_value(struct link_arguments *arguments, const struct link_rules *rules,
			      const struct link_option *option, const char *value, char problem[LINK_RULES_PROBLEM_SIZE])
{
	arguments->is_given[option->field] = true;
	if (option->read == NULL) {
		arguments->values[option->field] = option->fixed;
		return NULL;
	}
	if (utf8_find_invalid(value, strlen(value)) < strlen(value)) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "--%s must be valid UTF-8", option->spec.name);
		return problem;
	}
	return option->read(arguments, rules, value, problem);
}

static const char *read_argument(struct link_arguments *arguments, const struct link_rules *rules, bool is_edit,
				 const char *value, char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (arguments->id != NULL || arguments->is_given[LINK_SRCURL])
		return is_edit ? "There is more than one id" : "There is more than one URL";
	if (!is_edit)
		return read_value(arguments, rules, &link_options[NEW_LINK_OPTIONS_COUNT], value, problem);
	arguments->id = value;
	return NULL;
}

/* Returns what to exit with. */
static int say_problem(const struct options *options, const char *sentence)
{
	if (sentence != base_url_missing)
		return say_usage(options->verb, "%s", say_rule(sentence));
	say_error("%s", sentence);
	return EXIT_FAILURE;
}

/* Edits take --url but no --slug, which never changes. */
static bool read_all(struct link_arguments *arguments, const struct link_rules *rules, struct options *options, bool is_edit,
		     int *status)
{
	struct options_spec specs[LINK_OPTIONS_COUNT];
	char problem[LINK_RULES_PROBLEM_SIZE];
	size_t first = is_edit ? 1 : 0;
	size_t count = (is_edit ? LINK_OPTIONS_COUNT : NEW_LINK_OPTIONS_COUNT) - first;
	const char *value = "";
	const char *sentence = NULL;
	size_t spec = 0;

	for (size_t i = 0; i < count; i++)
		specs[i] = link_options[first + i].spec;
	for (;;) {
		switch (options_next(options, specs, count, &spec, &value)) {
		case OPTIONS_OPTION:
			sentence = read_value(arguments, rules, &link_options[first + spec], value, problem);
			break;
		case OPTIONS_ARGUMENT:
			sentence = read_argument(arguments, rules, is_edit, value, problem);
			break;
		case OPTIONS_END:
			return true;
		case OPTIONS_BAD:
			return false;
		}
		if (sentence != NULL) {
			*status = say_problem(options, sentence);
			return false;
		}
	}
}

bool link_arguments_read(struct link_arguments *arguments, const struct config *config, struct options *options,
			 bool is_edit, int *status)
{
	struct link_rules rules;

	*arguments = (struct link_arguments){ .times_us = { LINK_NO_TIME, LINK_NO_TIME } };
	arguments->values[LINK_TAGS] = "";
	*status = VERB_USAGE;
	if (!link_rules_load(&rules, config->base_url, config->max_url_characters)) {
		say_error("SHORTEN_BASE_URL is no URL");
		*status = EXIT_FAILURE;
		return false;
	}
	if (!read_all(arguments, &rules, options, is_edit, status))
		return false;
	if (is_edit ? arguments->id == NULL : !arguments->is_given[LINK_SRCURL]) {
		say_usage(options->verb, is_edit ? "Wanted: the id of a link" : "Wanted: a URL");
		return false;
	}
	const char *sentence = link_rules_times_problem(arguments->times_us[0], arguments->times_us[1]);
	if (sentence != NULL)
		say_usage(options->verb, "%s", say_rule(sentence));
	return sentence == NULL;
}
