/* Reads CSV record by record. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE 65536

/* What csv_next returns where there is no byte. */
#define NOTHING (-1)

struct csv_reader {
	csv_read_function *read;
	void *context;
	char buffer[BUFFER_SIZE];
	size_t used; /* bytes of the buffer that are taken */
	size_t filled;
	bool is_started;
	bool is_failed;
	int separator;
	long long line; /* of the next byte */
	int last;       /* byte that was taken */
	const char *problem; /* of this record, the first one */
	struct csv_field fields[CSV_FIELDS_MAX];
	size_t fields_count;
	char text[CSV_RECORD_MAX + CSV_FIELDS_MAX]; /* the fields, a NUL behind each */
	size_t text_size;
	size_t field_start;
};

struct csv_reader *csv_open(csv_read_function *read, void *context)
{
	struct csv_reader *reader = malloc(sizeof *reader);

	if (reader == NULL)
		return NULL;
	reader->read = read;
	reader->context = context;
	reader->used = reader->filled = 0;
	reader->is_started = reader->is_failed = false;
	reader->separator = ',';
	reader->line = 1;
	reader->last = NOTHING;
	return reader;
}

void csv_close(struct csv_reader *reader)
{
	free(reader);
}

/* Behind what the buffer holds. */
static ssize_t read_more(struct csv_reader *reader)
{
	ssize_t got = reader->read(reader->context, reader->buffer + reader->filled, BUFFER_SIZE - reader->filled);

	reader->filled += got > 0 ? (size_t)got : 0;
	return got;
}

static bool fill(struct csv_reader *reader)
{
	reader->used = reader->filled = 0;
	ssize_t got = reader->is_failed ? 0 : read_more(reader);
	if (got < 0)
		reader->is_failed = true;
	return got > 0;
}

static int peek(struct csv_reader *reader)
{
	if (reader->used == reader->filled && !fill(reader))
		return NOTHING;
	return (unsigned char)reader->buffer[reader->used];
}

static int next(struct csv_reader *reader)
{
	int byte = peek(reader);

	if (byte == NOTHING)
		return NOTHING;
	reader->used++;
	reader->line += byte == '\n';
	reader->last = byte;
	return byte;
}

/* The first line alone counts, and of that what is not quoted; what lies outside the first buffer does not matter. */
static int find_separator(const char *text, size_t text_size)
{
	static const char candidates[] = ",;\t";
	size_t counts[sizeof candidates] = { 0 };
	size_t best = 0;
	bool is_quoted = false;

	for (size_t i = 0; i < text_size && (is_quoted || text[i] != '\n'); i++) {
		const char *candidate = text[i] != '\0' ? strchr(candidates, text[i]) : NULL;

		is_quoted ^= text[i] == '"';
		if (candidate != NULL && !is_quoted)
			counts[candidate - candidates]++;
	}
	for (size_t i = 1; candidates[i] != '\0'; i++)
		if (counts[i] > counts[best])
			best = i;
	return candidates[best];
}

/* The first buffer is filled before anything is taken from it, for a pipe may give the first line in pieces. A source
 * that fails here will be asked again, behind what it has given. */
static void start(struct csv_reader *reader)
{
	static const char mark[] = "\xef\xbb\xbf";

	reader->is_started = true;
	while (reader->filled < BUFFER_SIZE && read_more(reader) > 0)
		;
	if (reader->filled >= sizeof mark - 1 && memcmp(reader->buffer, mark, sizeof mark - 1) == 0)
		reader->used = sizeof mark - 1;
	reader->separator = find_separator(reader->buffer + reader->used, reader->filled - reader->used);
}

static void spoil(struct csv_reader *reader, const char *problem)
{
	if (reader->problem == NULL)
		reader->problem = problem;
}

static void add(struct csv_reader *reader, int byte)
{
	if (byte == '\0')
		spoil(reader, "A field must not contain NUL");
	else if (reader->text_size - reader->field_start >= CSV_FIELD_MAX)
		spoil(reader, "A field is longer than 65,536 bytes, or its quotes are never closed");
	else if (reader->text_size - reader->fields_count >= CSV_RECORD_MAX)
		spoil(reader, "The fields of the row are longer than 262,144 bytes");
	else
		reader->text[reader->text_size++] = (char)byte;
}

/* The array has room for a NUL behind each field. */
static void end_field(struct csv_reader *reader)
{
	if (reader->fields_count == CSV_FIELDS_MAX) {
		spoil(reader, "The row has more than 256 fields");
		return;
	}
	reader->fields[reader->fields_count].text = reader->text + reader->field_start;
	reader->fields[reader->fields_count].size = reader->text_size - reader->field_start;
	reader->fields_count++;
	reader->text[reader->text_size++] = '\0';
	reader->field_start = reader->text_size;
}

/* Behind the first quote. Two quotes stand for one. */
static void read_quoted(struct csv_reader *reader)
{
	for (;;) {
		int byte = next(reader);

		if (byte == NOTHING) {
			spoil(reader, "The file ends inside quotes");
			return;
		}
		if (byte == '"' && peek(reader) != '"')
			return;
		if (byte == '"')
			next(reader);
		add(reader, byte);
	}
}

/* Up to the end of the field, which it takes. False when the record ends there, too. */
static bool read_plain(struct csv_reader *reader, bool is_behind_quotes)
{
	for (;;) {
		int byte = next(reader);

		if (byte == '\r' && (peek(reader) == '\n' || peek(reader) == NOTHING))
			byte = next(reader);
		if (byte == reader->separator)
			return true;
		if (byte == '\n' || byte == NOTHING)
			return false;
		if (is_behind_quotes)
			spoil(reader, "Something stands behind the closing quote of a field; a quote inside is written twice");
		add(reader, byte);
	}
}

static bool read_field(struct csv_reader *reader)
{
	bool is_quoted = peek(reader) == '"';

	if (is_quoted) {
		next(reader);
		read_quoted(reader);
	}
	bool has_more = read_plain(reader, is_quoted);
	end_field(reader);
	return has_more;
}

static bool is_blank(const struct csv_reader *reader)
{
	return reader->fields_count == 1 && reader->fields[0].size == 0;
}

static void read_fields(struct csv_reader *reader)
{
	reader->problem = NULL;
	reader->fields_count = reader->text_size = reader->field_start = 0;
	bool has_more;
	do
		has_more = read_field(reader);
	while (has_more);
}

enum csv_result csv_read(struct csv_reader *reader, struct csv_record *record, const char **problem)
{
	if (!reader->is_started)
		start(reader);
	do {
		if (peek(reader) == NOTHING)
			return reader->is_failed ? CSV_UNREADABLE : CSV_END;
		record->line = reader->line;
		read_fields(reader);
	} while (is_blank(reader) && reader->problem == NULL);
	if (reader->is_failed)
		return CSV_UNREADABLE;
	record->last_line = reader->line - (reader->last == '\n');
	*problem = reader->problem;
	if (*problem != NULL)
		return CSV_BAD_RECORD;
	record->fields = reader->fields;
	record->fields_count = reader->fields_count;
	return CSV_RECORD;
}
