/* Fuzzes the import of files: what is accepted keeps to the rules of links. Input: the name of a format in a line, and
 * the file. modules: ctl/csv ctl/import_formats ctl/import_link ctl/import_time
 * modules: link_rules id rfc3339 url url_host percent utf8; max_len: 1500 */
#include "ctl/import_formats.h"

#include "fuzz.h"
#include "id.h"
#include "utf8.h"

/* The largest that a time may be, 9999-12-31T23:59:59.999999Z. */
#define TIME_MAX_US INT64_C(253402300799999999)

static struct link_rules rules;

static ssize_t read_input(void *context, char *bytes, size_t size)
{
	struct fuzz_input *input = context;
	size_t taken = fuzz_size_left(input) < size ? fuzz_size_left(input) : size;

	if (taken > 0)
		memcpy(bytes, input->at, taken);
	input->at += taken;
	return (ssize_t)taken;
}

static bool is_blank(char character)
{
	return character == ' ' || (character >= '\t' && character <= '\r');
}

static void check_text(struct import_text text, size_t characters_max)
{
	must(text.size > 0 && !is_blank(text.start[0]) && !is_blank(text.start[text.size - 1]));
	must(utf8_find_invalid(text.start, text.size) == text.size && !fuzz_has_control(text.start, text.size));
	must(utf8_count_characters(text.start, text.size) <= characters_max);
}

static bool is_one_of(struct import_text text, const struct import_text others[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fuzz_is_equal(text.start, text.size, others[i].start, others[i].size))
			return true;
	return false;
}

static void check_url(const struct import_link *link, bool is_own)
{
	struct url url;
	bool is_emptied = link->deleted_us != LINK_NO_TIME && fuzz_is_equal(link->srcurl.start, link->srcurl.size, "-", 1);

	must(link->srcurl.start != NULL);
	if (is_emptied)
		return;
	must(url_parse(link->srcurl.start, link->srcurl.size, &url) == URL_VALID);
	must(is_own || (!url_is_below(&url, &rules.base) && utf8_count_characters(link->srcurl.start, link->srcurl.size) <= 60));
}

static void check_texts(const struct import_link *link)
{
	char problem[LINK_RULES_PROBLEM_SIZE];

	must(link->slugs_count > 0 && link->slugs_count <= IMPORT_SLUGS_MAX && link->tags_count <= LINK_TAGS_MAX);
	for (size_t i = 0; i < link->slugs_count; i++) {
		must(link_rules_slug_problem(link->slugs[i].start, link->slugs[i].size, problem) == NULL);
		must(!is_one_of(link->slugs[i], link->slugs, i));
	}
	for (size_t i = 0; i < link->tags_count; i++) {
		check_text(link->tags[i], LINK_TAG_MAX);
		must(memchr(link->tags[i].start, ',', link->tags[i].size) == NULL && !is_one_of(link->tags[i], link->tags, i));
	}
	if (link->title.start != NULL)
		check_text(link->title, LINK_TITLE_MAX);
	must(link->owner.start == NULL || id_is_valid(link->owner.start, link->owner.size));
}

static void check_numbers(const struct import_link *link)
{
	const int64_t times[] = { link->created_us, link->last_accessed_us, link->valid_from_us, link->expires_us,
				  link->deleted_us };

	for (size_t i = 0; i < COUNT_OF(times); i++)
		must(times[i] == LINK_NO_TIME || (times[i] >= 0 && times[i] <= TIME_MAX_US));
	must(link_rules_times_problem(link->valid_from_us, link->expires_us) == NULL);
	must(link->visits >= 0 && link->max_visits >= 0 && link->max_visits <= LINK_MAX_VISITS_MAX);
	must(link->redirect_status == 0 || link_rules_redirect_status_problem(link->redirect_status) == NULL);
}

/* Exactly as long as they are, so that nothing behind a value is looked at. */
static void bare_values(struct import_text values[IMPORT_FIELDS_COUNT])
{
	for (size_t i = 0; i < IMPORT_FIELDS_COUNT; i++) {
		char *bare = values[i].start == NULL ? NULL : fuzz_allocate(values[i].size);

		if (bare != NULL)
			memcpy(bare, values[i].start, values[i].size);
		values[i].start = bare;
	}
}

static void free_values(struct import_text values[IMPORT_FIELDS_COUNT])
{
	for (size_t i = 0; i < IMPORT_FIELDS_COUNT; i++)
		free((char *)values[i].start);
}

static void check_row(const struct import_columns *columns, const struct csv_record *record)
{
	static struct import_link link;
	struct import_text values[IMPORT_FIELDS_COUNT];
	char problem[LINK_RULES_PROBLEM_SIZE];

	if (import_formats_read_row(columns, record, values, problem) != NULL) {
		must(record->fields_count != columns->count && memchr(problem, '\0', sizeof problem) != NULL);
		return;
	}
	bare_values(values);
	/* Nothing of the row before may stay. */
	memset(&link, 0x55, sizeof link);
	const char *sentence = import_link_read(values, columns->is_own, &rules, &link, problem);
	if (sentence == NULL) {
		check_texts(&link);
		check_url(&link, columns->is_own);
		check_numbers(&link);
	} else {
		must(*sentence != '\0' && (sentence != problem || memchr(problem, '\0', sizeof problem) != NULL));
	}
	free_values(values);
}

static void check_file(const char *format, struct fuzz_input *input)
{
	struct csv_reader *reader = csv_open(read_input, input);
	struct import_columns columns;
	struct csv_record record;
	const char *problem = NULL;

	must(reader != NULL);
	if (csv_read(reader, &record, &problem) == CSV_RECORD && import_formats_read_header(format, &record, &columns) == NULL) {
		must(*import_formats_title(&columns) != '\0' && columns.count == record.fields_count);
		for (size_t i = 0; i < IMPORT_FIELDS_COUNT; i++)
			must(columns.places[i] <= columns.count);
		for (;;) {
			enum csv_result result = csv_read(reader, &record, &problem);

			if (result == CSV_END || result == CSV_UNREADABLE)
				break;
			if (result == CSV_RECORD)
				check_row(&columns, &record);
		}
	}
	csv_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	char *format = fuzz_take_line(&input);

	must(link_rules_load(&rules, "http://test.short/", 60));
	if (import_formats_is_known(format))
		check_file(format, &input);
	free(format);
	return 0;
}
