/* Knows the columns of the files that can be imported. */
#include "import_formats.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS_MAX 24
#define NAME_MAX_SIZE 40

struct column {
	const char *name; /* letters and digits only, small; NULL behind the last one */
	enum import_field field;
};

struct import_format {
	const char *name;
	const char *title;
	bool is_own;
	const char *missing; /* the sentence for a header line that has not what is needed */
	struct column columns[COLUMNS_MAX];
};

/* Where a file has several columns for one field, the one that stands first here counts. */
static const struct import_format formats[] = {
	{ "shorten", "shortenctl", true,
	  "The header line of an export of shortenctl names id and srcUrl",
	  { { "id", IMPORT_SLUG },
	    { "srcurl", IMPORT_SRCURL },
	    { "created", IMPORT_CREATED },
	    { "lastaccessed", IMPORT_LAST_ACCESSED },
	    { "visits", IMPORT_VISITS },
	    { "title", IMPORT_TITLE },
	    { "tags", IMPORT_TAGS },
	    { "validfrom", IMPORT_VALID_FROM },
	    { "expires", IMPORT_EXPIRES },
	    { "maxvisits", IMPORT_MAX_VISITS },
	    { "redirectstatus", IMPORT_REDIRECT_STATUS },
	    { "forwardquery", IMPORT_FORWARD_QUERY },
	    { "enabled", IMPORT_ENABLED },
	    { "deleted", IMPORT_DELETED },
	    { "owner", IMPORT_OWNER } } },
	{ "yourls", "YOURLS", false,
	  "The header line of an export of YOURLS names keyword and url, or source and target",
	  { { "keyword", IMPORT_SLUG },
	    { "source", IMPORT_SHORT_URL },
	    { "shorturl", IMPORT_SHORT_URL },
	    { "url", IMPORT_SRCURL },
	    { "target", IMPORT_SRCURL },
	    { "title", IMPORT_TITLE },
	    { "timestamp", IMPORT_CREATED },
	    { "clicks", IMPORT_VISITS },
	    { "hits", IMPORT_VISITS } } },
	{ "kutt", "Kutt", false,
	  "The header line of an export of Kutt names address and target, or link and target",
	  { { "address", IMPORT_SLUG },
	    { "link", IMPORT_SHORT_URL },
	    { "target", IMPORT_SRCURL },
	    { "description", IMPORT_TITLE },
	    { "createdat", IMPORT_CREATED },
	    { "expirein", IMPORT_EXPIRES },
	    { "visitcount", IMPORT_VISITS },
	    { "banned", IMPORT_BANNED },
	    { "password", IMPORT_PASSWORD },
	    { "isprotected", IMPORT_PROTECTED } } },
	{ "bitly", "Bitly", false,
	  "The header line of an export of Bitly names bitlink or link, and long_url or Destination URL",
	  { { "customlink", IMPORT_SLUGS },
	    { "customlinks", IMPORT_SLUGS },
	    { "custombitlink", IMPORT_SLUGS },
	    { "custombitlinks", IMPORT_SLUGS },
	    { "bitlink", IMPORT_SHORT_URL },
	    { "link", IMPORT_SHORT_URL },
	    { "id", IMPORT_SHORT_URL },
	    { "longurl", IMPORT_SRCURL },
	    { "destinationurl", IMPORT_SRCURL },
	    { "destination", IMPORT_SRCURL },
	    { "title", IMPORT_TITLE },
	    { "tags", IMPORT_TAGS },
	    { "created", IMPORT_CREATED },
	    { "createdat", IMPORT_CREATED },
	    { "datecreated", IMPORT_CREATED },
	    { "clicks", IMPORT_VISITS },
	    { "totalclicks", IMPORT_VISITS },
	    { "engagements", IMPORT_VISITS },
	    { "totalengagements", IMPORT_VISITS } } },
	{ "shlink", "Shlink", false,
	  "The header line of an export of Shlink names shortCode or shortUrl, and longUrl",
	  { { "shortcode", IMPORT_SLUG },
	    { "shorturl", IMPORT_SHORT_URL },
	    { "longurl", IMPORT_SRCURL },
	    { "title", IMPORT_TITLE },
	    { "tags", IMPORT_TAGS },
	    { "createdat", IMPORT_CREATED },
	    { "datecreated", IMPORT_CREATED },
	    { "visits", IMPORT_VISITS },
	    { "visitscount", IMPORT_VISITS },
	    { "validsince", IMPORT_VALID_FROM },
	    { "validuntil", IMPORT_EXPIRES },
	    { "maxvisits", IMPORT_MAX_VISITS },
	    { "forwardquery", IMPORT_FORWARD_QUERY } } },
};

#define FORMATS_COUNT (sizeof formats / sizeof formats[0])

bool import_formats_is_known(const char *name)
{
	for (size_t i = 0; i < FORMATS_COUNT; i++)
		if (strcmp(formats[i].name, name) == 0)
			return true;
	return strcmp(name, "auto") == 0;
}

/* Letters and digits, small; what is longer than any name is no name. */
static void write_plain_name(const struct csv_field *field, char name[NAME_MAX_SIZE + 1])
{
	size_t size = 0;

	for (size_t i = 0; i < field->size && size < NAME_MAX_SIZE; i++)
		if (isalnum((unsigned char)field->text[i]))
			name[size++] = (char)tolower((unsigned char)field->text[i]);
	name[size] = '\0';
}

static size_t find_place(const struct csv_record *header, const char *wanted)
{
	char name[NAME_MAX_SIZE + 1];

	for (size_t i = 0; i < header->fields_count; i++) {
		write_plain_name(&header->fields[i], name);
		if (strcmp(name, wanted) == 0)
			return i + 1;
	}
	return 0;
}

/* Whether the header line has what the format cannot do without. */
static bool read_columns(const struct import_format *format, const struct csv_record *header, struct import_columns *columns)
{
	*columns = (struct import_columns){ .format = format, .is_own = format->is_own, .count = header->fields_count };
	for (const struct column *column = format->columns; column->name != NULL; column++)
		if (columns->places[column->field] == 0)
			columns->places[column->field] = find_place(header, column->name);
	return columns->places[IMPORT_SRCURL] > 0 && (columns->places[IMPORT_SLUG] > 0 || columns->places[IMPORT_SLUGS] > 0 ||
						      columns->places[IMPORT_SHORT_URL] > 0);
}

const char *import_formats_read_header(const char *name, const struct csv_record *header,
				       struct import_columns *columns)
{
	bool is_any = strcmp(name, "auto") == 0;
	const char *missing = NULL;

	for (size_t i = 0; i < FORMATS_COUNT; i++) {
		if (!is_any && strcmp(formats[i].name, name) != 0)
			continue;
		if (read_columns(&formats[i], header, columns))
			return NULL;
		missing = formats[i].missing;
	}
	return is_any ? "The header line is that of no export of shortenctl, Shlink, YOURLS, Kutt or Bitly" : missing;
}

const char *import_formats_title(const struct import_columns *columns)
{
	return columns->format->title;
}

bool import_formats_uses(const struct import_columns *columns, size_t place)
{
	for (int field = 0; field < IMPORT_FIELDS_COUNT; field++)
		if (columns->places[field] == place)
			return true;
	return false;
}

const char *import_formats_read_row(const struct import_columns *columns, const struct csv_record *record,
				    struct import_text values[IMPORT_FIELDS_COUNT], char problem[LINK_RULES_PROBLEM_SIZE])
{
	if (record->fields_count != columns->count) {
		snprintf(problem, LINK_RULES_PROBLEM_SIZE, "The row has %zu fields, but the header line %zu", record->fields_count,
			 columns->count);
		return problem;
	}
	for (int field = 0; field < IMPORT_FIELDS_COUNT; field++) {
		size_t place = columns->places[field];

		values[field] = (struct import_text){ NULL, 0 };
		if (place > 0)
			values[field] = (struct import_text){ record->fields[place - 1].text, record->fields[place - 1].size };
	}
	return NULL;
}
