/* Fuzzes the reading of CSV: it is the same in whatever pieces the file comes, and what is written of it is read again.
 * Input: a letter for the size of the pieces, and the file. Behind ~, which takes long, ^A are many letters and ^B many
 * commas. modules: ctl/csv; max_len: 600 */
#include "ctl/csv.h"

#include "fuzz.h"

#define FILE_MAX 300000
#define LETTERS 21000
#define COMMAS 60

struct source {
	const char *at;
	size_t left;
	size_t piece;
};

static ssize_t read_source(void *context, char *bytes, size_t size)
{
	struct source *source = context;

	must(size > 0);
	if (size > source->piece)
		size = source->piece;
	if (size > source->left)
		size = source->left;
	memcpy(bytes, source->at, size);
	source->at += size;
	source->left -= size;
	return (ssize_t)size;
}

/* What the limits of csv.h are about would be too long for an input. */
static char *expand(struct fuzz_input input, bool is_expanded, size_t *size)
{
	static char text[FILE_MAX];

	for (*size = 0; input.at < input.end; input.at++) {
		int mark = is_expanded ? *input.at : 0;
		int byte = mark == 1 ? 'x' : mark == 2 ? ',' : *input.at;
		size_t count = mark == 1 ? LETTERS : mark == 2 ? COMMAS : 1;

		if (*size + count > sizeof text)
			break;
		memset(text + *size, byte, count);
		*size += count;
	}
	return text;
}

static void write_field(FILE *file, const struct csv_field *field)
{
	const char *at = field->text;
	const char *quote;

	must(strlen(field->text) == field->size && field->size <= CSV_FIELD_MAX);
	fputc('"', file);
	for (; (quote = strchr(at, '"')) != NULL; at = quote + 1) {
		fwrite(at, 1, (size_t)(quote + 1 - at), file);
		fputc('"', file);
	}
	fwrite(at, 1, strlen(at), file);
	fputc('"', file);
}

static void write_record(FILE *file, const struct csv_record *record)
{
	size_t size = 0;

	must(record->fields_count > 0 && record->fields_count <= CSV_FIELDS_MAX);
	must(record->fields_count > 1 || record->fields[0].size > 0);
	for (size_t i = 0; i < record->fields_count; i++) {
		fputs(i > 0 ? "," : "", file);
		write_field(file, &record->fields[i]);
		size += record->fields[i].size;
	}
	must(size <= CSV_RECORD_MAX);
	fputc('\n', file);
}

/* What was read, with commas and quotes; and apart from that the lines of each record and what is wrong with it. */
struct table {
	char *rows;
	size_t rows_size;
	char *notes;
	size_t notes_size;
	size_t bad_count;
};

static void read_table(const char *text, size_t size, size_t piece, struct table *table)
{
	struct source source = { text, size, piece };
	struct csv_reader *reader = csv_open(read_source, &source);
	struct csv_record record;
	const char *problem = NULL;
	enum csv_result result;
	long long line = 0;

	*table = (struct table){ .rows = NULL };
	FILE *rows = open_memstream(&table->rows, &table->rows_size);
	FILE *notes = open_memstream(&table->notes, &table->notes_size);
	must(reader != NULL && rows != NULL && notes != NULL);
	while ((result = csv_read(reader, &record, &problem)) == CSV_RECORD || result == CSV_BAD_RECORD) {
		must(record.line > line && record.last_line >= record.line);
		line = record.last_line;
		must((result == CSV_RECORD) == (problem == NULL));
		fprintf(notes, "%lld-%lld %s\n", record.line, record.last_line, problem != NULL ? problem : "");
		table->bad_count += problem != NULL;
		if (result == CSV_RECORD)
			write_record(rows, &record);
	}
	must(result == CSV_END && source.left == 0);
	fclose(rows);
	fclose(notes);
	csv_close(reader);
}

static void free_table(struct table *table)
{
	free(table->rows);
	free(table->notes);
}

static void check_pieces(const char *text, size_t size, size_t piece, const struct table *whole)
{
	struct table pieces;

	read_table(text, size, piece, &pieces);
	must(fuzz_is_equal(whole->rows, whole->rows_size, pieces.rows, pieces.rows_size));
	must(fuzz_is_equal(whole->notes, whole->notes_size, pieces.notes, pieces.notes_size));
	free_table(&pieces);
}

static void check_written(const struct table *table)
{
	struct table again;

	read_table(table->rows, table->rows_size, SIZE_MAX, &again);
	must(again.bad_count == 0 && fuzz_is_equal(table->rows, table->rows_size, again.rows, again.rows_size));
	free_table(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table whole;
	size_t text_size;

	if (size == 0)
		return 0;
	bool is_expanded = data[0] == '~';
	char *text = expand(fuzz_start(data + 1, size - 1), is_expanded, &text_size);
	read_table(text, text_size, SIZE_MAX, &whole);
	if (!is_expanded) {
		check_pieces(text, text_size, data[0] % 64U + 1, &whole);
		check_written(&whole);
	}
	free_table(&whole);
	return 0;
}
