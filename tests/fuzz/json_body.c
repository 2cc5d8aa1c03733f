/* Fuzzes the reading of JSON against a grammar of this file's own, and what is read against itself, written and read
 * again. modules: json_body json_answer memory_reserve json_scan utf8; max_len: 700 */
#include "json_answer.h"
#include "json_body.h"

#include "fuzz.h"
#include "json_scan.h"
#include "utf8.h"

#define NAMES_MAX 256

/* RFC 8259, word for word. */
struct grammar {
	const char *at;
	const char *end;
	int depth;
	int depth_max;
	size_t members_count;
};

static bool is_value(struct grammar *grammar);

static bool take(struct grammar *grammar, const char *characters)
{
	if (grammar->at == grammar->end || *grammar->at == '\0' || strchr(characters, *grammar->at) == NULL)
		return false;
	grammar->at++;
	return true;
}

static void skip_blanks(struct grammar *grammar)
{
	while (take(grammar, " \t\n\r"))
		;
}

static bool is_word(struct grammar *grammar, const char *word)
{
	for (; *word != '\0'; word++)
		if (!take(grammar, (const char[]){ *word, '\0' }))
			return false;
	return true;
}

static bool is_hex_unit(struct grammar *grammar)
{
	for (int i = 0; i < 4; i++)
		if (!take(grammar, "0123456789abcdefABCDEF"))
			return false;
	return true;
}

static bool is_string(struct grammar *grammar)
{
	if (!take(grammar, "\""))
		return false;
	while (!take(grammar, "\"")) {
		if (grammar->at == grammar->end || (unsigned char)*grammar->at < 0x20)
			return false;
		if (!take(grammar, "\\"))
			grammar->at++;
		else if (take(grammar, "u") ? !is_hex_unit(grammar) : !take(grammar, "\"\\/bfnrt"))
			return false;
	}
	return true;
}

static bool is_digits(struct grammar *grammar)
{
	if (!take(grammar, "0123456789"))
		return false;
	while (take(grammar, "0123456789"))
		;
	return true;
}

static bool is_number(struct grammar *grammar)
{
	take(grammar, "-");
	if (!take(grammar, "0") && !is_digits(grammar))
		return false;
	if (take(grammar, ".") && !is_digits(grammar))
		return false;
	if (!take(grammar, "eE"))
		return true;
	take(grammar, "+-");
	return is_digits(grammar);
}

static bool is_member(struct grammar *grammar)
{
	skip_blanks(grammar);
	if (!is_string(grammar))
		return false;
	skip_blanks(grammar);
	grammar->members_count++;
	return take(grammar, ":") && is_value(grammar);
}

/* Behind the opening bracket. */
static bool is_list(struct grammar *grammar, const char *bracket, bool (*is_element)(struct grammar *grammar))
{
	if (++grammar->depth > grammar->depth_max)
		grammar->depth_max = grammar->depth;
	skip_blanks(grammar);
	if (!take(grammar, bracket)) {
		do {
			if (!is_element(grammar))
				return false;
		} while (take(grammar, ","));
		if (!take(grammar, bracket))
			return false;
	}
	grammar->depth--;
	return true;
}

static bool is_bare_value(struct grammar *grammar)
{
	if (grammar->at == grammar->end)
		return false;
	switch (*grammar->at) {
	case '{':
		grammar->at++;
		return is_list(grammar, "}", is_member);
	case '[':
		grammar->at++;
		return is_list(grammar, "]", is_value);
	case '"':
		return is_string(grammar);
	case 't':
		return is_word(grammar, "true");
	case 'f':
		return is_word(grammar, "false");
	case 'n':
		return is_word(grammar, "null");
	default:
		return is_number(grammar);
	}
}

static bool is_value(struct grammar *grammar)
{
	skip_blanks(grammar);
	if (!is_bare_value(grammar))
		return false;
	skip_blanks(grammar);
	return true;
}

/* The names of an object's members, one after the other. */
static size_t list_names(const struct json_value *object, const char *names[NAMES_MAX])
{
	size_t count = 0;

	while (count < NAMES_MAX) {
		const char *name = json_body_find_unknown(object, names, count);

		if (name == NULL)
			break;
		names[count++] = name;
	}
	return count;
}

static void write_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\')
			fprintf(file, "\\u%04x", (unsigned)*text);
		else
			fputc(*text, file);
	fputc('"', file);
}

/* Members that write_object has written. */
static size_t members_written;

static void write_value(FILE *file, const struct json_value *value);

static void write_object(FILE *file, const struct json_value *object)
{
	const char *names[NAMES_MAX];
	size_t count = list_names(object, names);
	const struct json_value *member;

	must(count == json_value_count(object));
	members_written += count;
	fputc('{', file);
	for (size_t i = 0; i < count; i++) {
		must(utf8_find_invalid(names[i], strlen(names[i])) == strlen(names[i]));
		must(json_body_find(object, names[i], &member) != JSON_TYPE_ABSENT);
		fputs(i > 0 ? "," : "", file);
		write_text(file, names[i]);
		fputc(':', file);
		write_value(file, member);
	}
	fputc('}', file);
}

static void write_array(FILE *file, const struct json_value *array)
{
	fputc('[', file);
	for (size_t i = 0; i < json_value_count(array); i++) {
		fputs(i > 0 ? "," : "", file);
		write_value(file, json_value_element(array, i));
	}
	fputc(']', file);
	must(json_value_element(array, json_value_count(array)) == NULL);
}

static void write_string(FILE *file, const struct json_value *string)
{
	size_t size = 0;
	const char *text = json_value_string(string, &size);

	must(strlen(text) == size && utf8_find_invalid(text, size) == size);
	write_text(file, text);
}

/* Of a number that is no integer nothing but that is known. */
static void write_value(FILE *file, const struct json_value *value)
{
	switch (json_value_type(value)) {
	case JSON_TYPE_NULL:
		fputs("null", file);
		break;
	case JSON_TYPE_BOOLEAN:
		fputs(json_value_boolean(value) ? "true" : "false", file);
		break;
	case JSON_TYPE_INTEGER:
		fprintf(file, "%lld", (long long)json_value_integer(value));
		break;
	case JSON_TYPE_NUMBER:
		fputs("0.5", file);
		break;
	case JSON_TYPE_STRING:
		write_string(file, value);
		break;
	case JSON_TYPE_ARRAY:
		write_array(file, value);
		break;
	case JSON_TYPE_OBJECT:
		write_object(file, value);
		break;
	case JSON_TYPE_ABSENT:
		must(false);
	}
}

static char *write_body(const struct json_body *body, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);

	must(file != NULL);
	write_value(file, json_body_root(body));
	must(fclose(file) == 0);
	return text;
}

/* All that the text names is there, and what is written of it is read as the same. */
static void check_again(const struct json_body *body, size_t members_count)
{
	const char *problem = "unset";
	size_t size = 0;
	size_t size_again = 0;
	members_written = 0;
	char *text = write_body(body, &size);
	must(members_written == members_count);
	struct json_body *again = json_body_parse(text, size, &problem);

	must(again != NULL && problem == NULL);
	char *text_again = write_body(again, &size_again);
	must(fuzz_is_equal(text, size, text_again, size_again));
	json_body_free(again);
	free(text_again);
	free(text);
}

/* A text as a member of an answer. */
static void check_answer(const char *text)
{
	const char *problem = "unset";
	const struct json_value *member;
	size_t size = 0;
	size_t text_size = 0;
	char *answer = json_answer_link_status(201, text, text, &size);
	struct json_body *body = json_body_parse(answer, size, &problem);

	must(body != NULL && json_value_count(json_body_root(body)) == 3);
	must(json_body_find(json_body_root(body), "status", &member) == JSON_TYPE_INTEGER && json_value_integer(member) == 201);
	must(json_body_find(json_body_root(body), "srcUrl", &member) == JSON_TYPE_STRING);
	must(strcmp(json_value_string(member, &text_size), text) == 0 && text_size == strlen(text));
	must(json_body_find(json_body_root(body), "shortenedUrl", &member) == JSON_TYPE_STRING);
	must(strcmp(json_value_string(member, &text_size), text) == 0);
	json_body_free(body);
	free(answer);
}

/* What is more than grammar: names that come twice, and characters that no text of ours may hold. */
static bool may_be_refused(const char *text, size_t size, const struct grammar *grammar)
{
	return grammar->depth_max > JSON_SCAN_DEPTH_MAX || grammar->members_count > 1 || memmem(text, size, "\\u", 2) != NULL ||
	       utf8_find_invalid(text, size) < size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	struct grammar grammar = { .at = input.at, .end = input.end };
	const char *problem = "unset";
	struct json_scan_counts counts;
	bool is_json = is_value(&grammar) && grammar.at == grammar.end;
	const char *scanned = json_scan_problem(input.at, size, &counts);
	struct json_body *body = json_body_parse(input.at, size, &problem);

	must((body == NULL) == (problem != NULL));
	if (body == NULL) {
		must(!is_json || may_be_refused(input.at, size, &grammar));
	} else {
		must(is_json && scanned == NULL);
		must(grammar.depth_max <= JSON_SCAN_DEPTH_MAX && grammar.members_count == counts.members);
		check_again(body, counts.members);
	}
	json_body_free(body);
	char *text = fuzz_take_rest(&input);
	if (utf8_find_invalid(text, strlen(text)) == strlen(text))
		check_answer(text);
	free(text);
	return 0;
}
