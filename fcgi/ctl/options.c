/* Takes command lines apart. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "say.h"

static bool find_spec(const struct options_spec *specs, size_t specs_count, const char *name, size_t name_size, size_t *spec)
{
	for (*spec = 0; *spec < specs_count; (*spec)++)
		if (strlen(specs[*spec].name) == name_size && memcmp(specs[*spec].name, name, name_size) == 0)
			return true;
	return false;
}

static enum options_result take_value(struct options *options, const struct options_spec *spec, const char *equals,
				      const char **value)
{
	*value = equals != NULL ? equals + 1 : "";
	if (!spec->has_value && equals != NULL) {
		say_usage(options->verb, "--%s takes no value", spec->name);
		return OPTIONS_BAD;
	}
	if (!spec->has_value || equals != NULL)
		return OPTIONS_OPTION;
	if (options->index >= options->argc) {
		say_usage(options->verb, "--%s needs a value", spec->name);
		return OPTIONS_BAD;
	}
	*value = options->argv[options->index++];
	return OPTIONS_OPTION;
}

enum options_result options_next(struct options *options, const struct options_spec *specs, size_t specs_count,
				 size_t *spec, const char **value)
{
	if (options->index >= options->argc)
		return OPTIONS_END;
	const char *word = options->argv[options->index++];
	if (options->is_behind_dashes || strncmp(word, "--", 2) != 0) {
		*value = word;
		return OPTIONS_ARGUMENT;
	}
	if (strcmp(word, "--") == 0) {
		options->is_behind_dashes = true;
		return options_next(options, specs, specs_count, spec, value);
	}
	size_t name_size = strcspn(word + 2, "=");
	if (!find_spec(specs, specs_count, word + 2, name_size, spec)) {
		say_usage(options->verb, "There is no option --%.*s", (int)name_size, word + 2);
		return OPTIONS_BAD;
	}
	return take_value(options, &specs[*spec], word[2 + name_size] == '=' ? word + 2 + name_size : NULL, value);
}

bool options_take_arguments(struct options *options, size_t count, const char *wanted, const char **arguments)
{
	size_t found = 0;
	size_t spec;
	const char *value;

	for (;;) {
		switch (options_next(options, NULL, 0, &spec, &value)) {
		case OPTIONS_ARGUMENT:
			if (found < count)
				arguments[found] = value;
			found++;
			break;
		case OPTIONS_END:
			if (found != count)
				say_usage(options->verb, "Wanted: %s", wanted);
			return found == count;
		case OPTIONS_OPTION:
		case OPTIONS_BAD:
			return false;
		}
	}
}

bool options_parse_number(const char *text, long long minimum, long long maximum, long long *number)
{
	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
		return false;
	errno = 0;
	*number = strtoll(text, NULL, 10);
	return errno == 0 && *number >= minimum && *number <= maximum;
}
