/* Reads the forms that browsers and `curl -d` send. */
#include "form_body.h"

#include "http.h"
#include "utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

static const char problem_percent[] = "The form or query has a % without two hexadecimal digits behind it; a plain % is %25";
static const char problem_control[] = "The form or query must not contain NUL";
static const char problem_encoding[] = "The form or query is not valid UTF-8";
static const char problem_twice[] = "The form or query names a field twice";
static const char problem_many[] = "The form or query has more than " TEXT_OF(FORM_BODY_FIELDS_MAX) " fields";

struct field {
	const char *name;  /* borrowed from the form's text, like the value */
	const char *value;
	size_t value_size;
};

struct form_body {
	size_t fields_count;
	struct field fields[FORM_BODY_FIELDS_MAX];
	size_t text_size;
	char text[]; /* the decoded names and values, each with its NUL */
};

static const struct field *find_field(const struct form_body *form, const char *name)
{
	for (size_t i = 0; i < form->fields_count; i++)
		if (strcmp(form->fields[i].name, name) == 0)
			return &form->fields[i];
	return NULL;
}

/* Decodes a name or a value to the end of the form's text. */
static const char *decode_problem(struct form_body *form, const char *text, size_t text_size, const char **decoded,
				  size_t *decoded_size)
{
	char *target = form->text + form->text_size;

	if (!http_percent_decode(text, text_size, true, target, decoded_size))
		return problem_percent;
	if (memchr(target, '\0', *decoded_size) != NULL)
		return problem_control;
	if (utf8_find_invalid(target, *decoded_size) < *decoded_size)
		return problem_encoding;
	*decoded = target;
	form->text_size += *decoded_size + 1;
	return NULL;
}

/* Takes in one name=value; a name without = has an empty value. */
static const char *pair_problem(struct form_body *form, const char *pair, size_t pair_size)
{
	const char *equals = memchr(pair, '=', pair_size);
	size_t name_size = equals == NULL ? pair_size : (size_t)(equals - pair);
	size_t value_start = equals == NULL ? pair_size : name_size + 1;
	struct field field;
	size_t ignored;

	if (form->fields_count == FORM_BODY_FIELDS_MAX)
		return problem_many;
	const char *problem = decode_problem(form, pair, name_size, &field.name, &ignored);
	if (problem != NULL)
		return problem;
	problem = decode_problem(form, pair + value_start, pair_size - value_start, &field.value, &field.value_size);
	if (problem != NULL)
		return problem;
	if (find_field(form, field.name) != NULL)
		return problem_twice;
	form->fields[form->fields_count++] = field;
	return NULL;
}

static const char *form_problem(struct form_body *form, const char *text, size_t text_size)
{
	while (text_size > 0) {
		const char *ampersand = memchr(text, '&', text_size);
		size_t pair_size = ampersand == NULL ? text_size : (size_t)(ampersand - text);
		const char *problem = pair_size == 0 ? NULL : pair_problem(form, text, pair_size);

		if (problem != NULL)
			return problem;
		size_t taken_size = ampersand == NULL ? pair_size : pair_size + 1;
		text += taken_size;
		text_size -= taken_size;
	}
	return NULL;
}

struct form_body *form_body_parse(const char *text, size_t text_size, const char **problem)
{
	/* Decoding makes nothing longer, and each field needs room for two NULs. */
	struct form_body *form = malloc(sizeof(*form) + text_size + (size_t)2 * FORM_BODY_FIELDS_MAX);

	*problem = NULL;
	if (form == NULL)
		return NULL;
	form->fields_count = 0;
	form->text_size = 0;
	*problem = form_problem(form, text, text_size);
	if (*problem == NULL)
		return form;
	form_body_free(form);
	return NULL;
}

void form_body_free(struct form_body *form)
{
	free(form);
}

const char *form_body_find(const struct form_body *form, const char *name, size_t *value_size)
{
	const struct field *field = find_field(form, name);

	if (field == NULL)
		return NULL;
	*value_size = field->value_size;
	return field->value;
}

static bool is_among(const char *name, const char *const names[], size_t names_count)
{
	for (size_t i = 0; i < names_count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *form_body_find_unknown(const struct form_body *form, const char *const names[], size_t names_count)
{
	for (size_t i = 0; i < form->fields_count; i++)
		if (!is_among(form->fields[i].name, names, names_count))
			return form->fields[i].name;
	return NULL;
}
