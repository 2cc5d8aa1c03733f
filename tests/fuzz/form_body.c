/* Fuzzes the reading of forms against a second, simple decoder.
 * modules: form_body http percent utf8; max_len: 1024 */
#include "form_body.h"

#include "fuzz.h"
#include "utf8.h"

#define TEXT_MAX 1024

struct text {
	char bytes[TEXT_MAX + 1];
	long size; /* -1: it cannot be decoded */
};

static struct text names[FORM_BODY_FIELDS_MAX];
static struct text values[FORM_BODY_FIELDS_MAX];

/* False where a text of a form has to be refused. */
static bool decode(struct text *text, const char *start, size_t size)
{
	text->size = fuzz_percent_decode(start, size, true, text->bytes);
	if (text->size < 0 || memchr(text->bytes, '\0', (size_t)text->size) != NULL)
		return false;
	text->bytes[text->size] = '\0';
	return utf8_find_invalid(text->bytes, (size_t)text->size) == (size_t)text->size;
}

static bool is_there(const char *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i].bytes, name) == 0)
			return true;
	return false;
}

/* The number of fields; -1 where the form has to be refused. */
static int decode_form(char *form)
{
	int count = 0;

	for (char *pair = strtok(form, "&"); pair != NULL; pair = strtok(NULL, "&")) {
		char *equals = strchr(pair, '=');
		char *value = equals != NULL ? equals + 1 : pair + strlen(pair);
		size_t name_size = equals != NULL ? (size_t)(equals - pair) : strlen(pair);

		if (count == FORM_BODY_FIELDS_MAX || !decode(&names[count], pair, name_size) ||
		    !decode(&values[count], value, strlen(value)) || is_there(names[count].bytes, (size_t)count))
			return -1;
		count++;
	}
	return count;
}

static void check_fields(const struct form_body *form, size_t count)
{
	const char *known[FORM_BODY_FIELDS_MAX] = { NULL };
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		const char *value = form_body_find(form, names[i].bytes, &size);

		must(value != NULL && fuzz_is_equal(value, size, values[i].bytes, (size_t)values[i].size));
		must(value[size] == '\0');
		const char *unknown = form_body_find_unknown(form, known, i);
		must(unknown != NULL && strcmp(unknown, names[i].bytes) == 0);
		known[i] = names[i].bytes;
	}
	must(form_body_find_unknown(form, known, count) == NULL);
	if (!is_there("no such name", count))
		must(form_body_find(form, "no such name", &size) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > TEXT_MAX)
		return 0;
	struct fuzz_input input = fuzz_start(data, size);
	const char *problem = "unset";
	bool has_nul = size > 0 && memchr(input.at, '\0', size) != NULL;
	struct form_body *form = form_body_parse(input.at, size, &problem);
	char *text = fuzz_take_rest(&input);
	int count = has_nul ? -1 : decode_form(text);

	must((form == NULL) == (problem != NULL) && (form == NULL) == (count < 0));
	if (form != NULL)
		check_fields(form, (size_t)count);
	form_body_free(form);
	free(text);
	return 0;
}
