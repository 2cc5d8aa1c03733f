/* Fuzzes what clients say of a link: what is accepted keeps to the rules, and is read again from JSON that this file
 * writes of it. Input: j, f (JSON or a form for a new link), J, F (the same without a key) or e (an edit), and the
 * body. modules: link_input link_member link_rules rfc3339 json_body memory_reserve json_scan form_body http
 * modules: percent url url_host utf8 id; max_len: 3000 */
#include "link_input.h"

#include "fuzz.h"
#include "rfc3339.h"
#include "utf8.h"

#define URL_MAX_CHARACTERS 60

static struct link_rules rules;
static const char *refused;

static bool is_blank(char character)
{
	return character == ' ' || (character >= '\t' && character <= '\r');
}

static bool is_trimmed(const char *text, size_t size)
{
	return size > 0 && !is_blank(text[0]) && !is_blank(text[size - 1]);
}

static void check_url(const char *srcurl, size_t size)
{
	struct url url;

	must(is_trimmed(srcurl, size) && utf8_count_characters(srcurl, size) <= URL_MAX_CHARACTERS);
	must(url_parse(srcurl, size, &url) == URL_VALID && !url_is_below(&url, &rules.base));
}

static void check_text(const char *text, size_t characters_max)
{
	size_t size = strlen(text);

	must(is_trimmed(text, size) && utf8_find_invalid(text, size) == size && !fuzz_has_control(text, size));
	must(utf8_count_characters(text, size) <= characters_max);
}

static void check_time(int64_t time_us)
{
	char text[RFC3339_TIME_SIZE + 1];
	int64_t again = -1;

	if (time_us == LINK_NO_TIME)
		return;
	rfc3339_write_time(time_us, text);
	must(rfc3339_parse_time(text, strlen(text), &again) && again == time_us);
}

static void check_options(const struct link_options *options)
{
	if (options->title != NULL)
		check_text(options->title, 500);
	must(options->tags_count <= 20);
	for (size_t i = 0; i < options->tags_count; i++) {
		check_text(options->tags[i], 64);
		must(strchr(options->tags[i], ',') == NULL);
		for (size_t j = 0; j < i; j++)
			must(strcmp(options->tags[i], options->tags[j]) != 0);
	}
	check_time(options->valid_from_us);
	check_time(options->expires_us);
	if (options->valid_from_us != LINK_NO_TIME && options->expires_us != LINK_NO_TIME)
		must(options->valid_from_us < options->expires_us);
	must(options->max_visits >= 0 && options->max_visits <= 1000000000);
	must(options->redirect_status == 0 || options->redirect_status == 301 || options->redirect_status == 302 ||
	     options->redirect_status == 307 || options->redirect_status == 308);
}

static bool has_options(const struct creation_wish *wish)
{
	const struct link_options *options = &wish->options;

	return wish->slug != NULL || options->title != NULL || options->tags_count > 0 || options->valid_from_us != LINK_NO_TIME ||
	       options->expires_us != LINK_NO_TIME || options->max_visits != 0 || options->redirect_status != 0 ||
	       options->forwards_query;
}

static void write_text(FILE *file, const char *text, size_t size)
{
	fputc('"', file);
	for (size_t i = 0; i < size; i++)
		if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20)
			fprintf(file, "\\u%04x", (unsigned)text[i]);
		else
			fputc(text[i], file);
	fputc('"', file);
}

static void write_time(FILE *file, const char *name, int64_t time_us)
{
	char text[RFC3339_TIME_SIZE + 1];

	if (time_us == LINK_NO_TIME)
		return;
	rfc3339_write_time(time_us, text);
	fprintf(file, ",\"%s\":\"%s\"", name, text);
}

static void write_wish(FILE *file, const struct creation_wish *wish)
{
	const struct link_options *options = &wish->options;

	fputs("{\"srcUrl\":", file);
	write_text(file, wish->srcurl, wish->srcurl_size);
	if (wish->slug != NULL)
		fprintf(file, ",\"slug\":\"%s\"", wish->slug);
	if (options->title != NULL) {
		fputs(",\"title\":", file);
		write_text(file, options->title, strlen(options->title));
	}
	for (size_t i = 0; i < options->tags_count; i++) {
		fputs(i == 0 ? ",\"tags\":[" : ",", file);
		write_text(file, options->tags[i], strlen(options->tags[i]));
	}
	fputs(options->tags_count > 0 ? "]" : "", file);
	write_time(file, "validFrom", options->valid_from_us);
	write_time(file, "expires", options->expires_us);
	if (options->max_visits > 0)
		fprintf(file, ",\"maxVisits\":%lld", (long long)options->max_visits);
	if (options->redirect_status > 0)
		fprintf(file, ",\"redirectStatus\":%d", options->redirect_status);
	fprintf(file, ",\"forwardQuery\":%s,\"reuse\":%s}", options->forwards_query ? "true" : "false",
		wish->may_reuse ? "true" : "false");
}

static char *print_wish(const struct creation_wish *wish, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);

	must(file != NULL);
	write_wish(file, wish);
	must(fclose(file) == 0);
	return text;
}

/* What is written of it is read as the same. */
static void check_again(const struct creation_wish *wish)
{
	static struct link_input input;
	char problem[LINK_INPUT_PROBLEM_SIZE];
	const char *json_problem;
	size_t size = 0;
	size_t size_again = 0;
	char *text = print_wish(wish, &size);
	struct json_body *body = json_body_parse(text, size, &json_problem);

	must(body != NULL);
	memset(&input, 0x55, sizeof input);
	must(link_input_read_new(&input, &rules, &(struct link_source){ .json = json_body_root(body) }, true, problem) == 0);
	char *text_again = print_wish(&input.wish, &size_again);
	must(fuzz_is_equal(text, size, text_again, size_again));
	free(text_again);
	json_body_free(body);
	free(text);
}

static void check_problem(int status, const char *problem)
{
	must(status == 400 || status == 401);
	must(memchr(problem, '\0', LINK_INPUT_PROBLEM_SIZE) != NULL && utf8_find_invalid(problem, strlen(problem)) == strlen(problem));
	must(strncmp(problem, "Parameter '", strlen("Parameter '")) == 0 || (status == 401 && strncmp(problem, "Options", 7) == 0));
}

static void check_new(const struct link_source *source, bool may_have_options)
{
	static struct link_input input;
	char problem[LINK_INPUT_PROBLEM_SIZE] = "";

	/* Nothing of what was there before may stay. */
	memset(&input, 0x55, sizeof input);
	int status = link_input_read_new(&input, &rules, source, may_have_options, problem);
	if (status != 0) {
		check_problem(status, problem);
		must(may_have_options ? status == 400 : true);
		return;
	}
	check_url(input.wish.srcurl, input.wish.srcurl_size);
	must(input.wish.slug == NULL || id_is_valid(input.wish.slug, strlen(input.wish.slug)));
	must(input.wish.slug == NULL || strcmp(input.wish.slug, "api") != 0);
	must(*input.wish.owner == '\0' && input.changes == 0 && input.is_enabled);
	check_options(&input.wish.options);
	must(input.wish.has_options || !has_options(&input.wish));
	must(may_have_options || !input.wish.has_options);
	check_again(&input.wish);
}

/* What is given is changed, and nothing else. */
static void check_edit(const struct json_value *json)
{
	static const char *const names[] = { "srcUrl", "title", "tags", "validFrom", "expires", "maxVisits", "redirectStatus",
					     "forwardQuery", "enabled" };
	static struct link_input input;
	char problem[LINK_INPUT_PROBLEM_SIZE] = "";
	const struct json_value *member;
	size_t given = 0;

	memset(&input, 0x55, sizeof input);
	int status = link_input_read_edit(&input, &rules, json, problem);
	if (status != 0) {
		must(status == 400);
		check_problem(status, problem);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		bool is_given = json_body_find(json, names[i], &member) != JSON_TYPE_ABSENT;

		must(((input.changes >> i) & 1U) == is_given);
		given += is_given;
	}
	must(input.changes < 1U << COUNT_OF(names));
	must(json_value_type(json) != JSON_TYPE_OBJECT || given == json_value_count(json));
	if ((input.changes & STORE_CHANGE_SRCURL) != 0)
		check_url(input.wish.srcurl, input.wish.srcurl_size);
	must(input.wish.slug == NULL && !input.wish.may_reuse);
	check_options(&input.wish.options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	must(link_rules_load(&rules, "http://test.short/", URL_MAX_CHARACTERS));
	char kind = (char)data[0];
	const char *text = (const char *)data + 1;
	bool may_have_options = kind == 'j' || kind == 'f';
	if (kind == 'f' || kind == 'F') {
		struct form_body *form = form_body_parse(text, size - 1, &refused);
		if (form != NULL)
			check_new(&(struct link_source){ .form = form }, may_have_options);
		form_body_free(form);
		return 0;
	}
	struct json_body *body = json_body_parse(text, size - 1, &refused);
	if (body != NULL && kind == 'e')
		check_edit(json_body_root(body));
	else if (body != NULL)
		check_new(&(struct link_source){ .json = json_body_root(body) }, may_have_options);
	json_body_free(body);
	return 0;
}
