/* Tests the reading of CSV. modules: ctl/csv */
#include "ctl/csv.h"

#include "tap.h"

/* A text that is handed out in pieces of a size. */
struct source {
	const char *text;
	size_t size;
	size_t used;
	size_t piece;
	bool fails_at_end;
};

static ssize_t read_source(void *context, char *bytes, size_t size)
{
	struct source *source = context;
	size_t left = source->size - source->used;

	if (left == 0 && source->fails_at_end)
		return -1;
	if (size > source->piece)
		size = source->piece;
	if (size > left)
		size = left;
	memcpy(bytes, source->text + source->used, size);
	source->used += size;
	return (ssize_t)size;
}

/* Writes what was read: fields in brackets behind the lines of a record, "1-1[a][b]", or the problem. */
static void describe(struct source *source, char *text, size_t text_size)
{
	struct csv_reader *reader = csv_open(read_source, source);
	struct csv_record record;
	const char *problem = NULL;
	FILE *file = fmemopen(text, text_size, "w");
	enum csv_result result;

	if (reader == NULL || file == NULL)
		exit(EXIT_FAILURE);
	while ((result = csv_read(reader, &record, &problem)) == CSV_RECORD || result == CSV_BAD_RECORD) {
		fprintf(file, "%lld-%lld", record.line, record.last_line);
		for (size_t i = 0; result == CSV_RECORD && i < record.fields_count; i++)
			fprintf(file, "[%s]", record.fields[i].text);
		if (result == CSV_BAD_RECORD)
			fprintf(file, "!%.8s", problem);
		fputc(' ', file);
	}
	fputs(result == CSV_END ? "." : "?", file);
	fputc('\0', file);
	fclose(file);
	csv_close(reader);
}

#define TEXT(literal) (literal), sizeof(literal) - 1
#define MARK "\xef\xbb\xbf"
#define BEHIND "!Somethin"
#define ENDS "!The file"
#define NUL_INSIDE "!A field "

static const struct {
	const char *text;
	size_t text_size;
	const char *expected;
} files[] = {
	{ TEXT(""), "." },
	{ TEXT("\n\r\n\n"), "." },
	{ TEXT("a"), "1-1[a] ." },
	{ TEXT("a\n"), "1-1[a] ." },
	{ TEXT("a\r\n"), "1-1[a] ." },
	{ TEXT("a\r"), "1-1[a] ." },
	{ TEXT("a,b\nc,d\n"), "1-1[a][b] 2-2[c][d] ." },
	{ TEXT("a,b\r\nc,d"), "1-1[a][b] 2-2[c][d] ." },
	{ TEXT("a,b\n\n\r\nc,d"), "1-1[a][b] 4-4[c][d] ." },
	{ TEXT(",\n"), "1-1[][] ." },
	{ TEXT(",,a,"), "1-1[][][a][] ." },
	{ TEXT(" a , b "), "1-1[ a ][ b ] ." },
	{ TEXT("\"\",\"\""), "1-1[][] ." },
	{ TEXT("\"a\",\"b\"\n"), "1-1[a][b] ." },
	{ TEXT("\"a,b\",c"), "1-1[a,b][c] ." },
	{ TEXT("\"a\"\"b\",\"\"\"\",\"\"\"\"\"\""), "1-1[a\"b][\"][\"\"] ." },
	{ TEXT("\"a\nb\r\nc\rd\",e\nf\n"), "1-3[a\nb\r\nc\rd][e] 4-4[f] ." },
	{ TEXT("a\"b,c\"\"d\n"), "1-1[a\"b][c\"\"d] ." },
	{ TEXT(" \"a\",b\n"), "1-1[ \"a\"][b] ." },
	{ TEXT("a\rb,c\r\rd\n"), "1-1[a\rb][c\r\rd] ." },
	{ TEXT("\\.\n\\,\\\"\n"), "1-1[\\.] 2-2[\\][\\\"] ." },
	{ TEXT("'a,b'"), "1-1['a][b'] ." },
	{ TEXT(MARK "a,b\n"), "1-1[a][b] ." },
	{ TEXT(MARK "\"a\",b\n"), "1-1[a][b] ." },
	{ TEXT(MARK), "." },
	{ TEXT("\xef\xbb"), "1-1[\xef\xbb] ." },
	{ TEXT("a," MARK "b\n"), "1-1[a][" MARK "b] ." },
	/* Separators: the first line decides. */
	{ TEXT("a;b\n1,2;3\n"), "1-1[a][b] 2-2[1,2][3] ." },
	{ TEXT("a\tb,c\td\n"), "1-1[a][b,c][d] ." },
	{ TEXT("a,b;c\n"), "1-1[a][b;c] ." },
	{ TEXT("\"a;;;b\",c\n"), "1-1[a;;;b][c] ." },
	{ TEXT("a;\"b,,,\n,,\"\n"), "1-2[a][b,,,\n,,] ." },
	{ TEXT("a\nb;c\n"), "1-1[a] 2-2[b;c] ." },
	{ TEXT("name,one;two;three\n1;2;3\n"), "1-1[name,one][two][three] 2-2[1][2][3] ." },
	/* Bad records; what follows is read. */
	{ TEXT("\"a\"b,c\nd\n"), "1-1" BEHIND " 2-2[d] ." },
	{ TEXT("\"a\" ,c\nd\n"), "1-1" BEHIND " 2-2[d] ." },
	{ TEXT("x\n\"a\nb\"c,\"d\ne\"\nf\n"), "1-1[x] 2-4" BEHIND " 5-5[f] ." },
	{ TEXT("x\n\"a,b\nc\n"), "1-1[x] 2-3" ENDS " ." },
	{ TEXT("x\n\"a,b"), "1-1[x] 2-2" ENDS " ." },
	{ TEXT("\""), "1-1" ENDS " ." },
	{ TEXT("\"\"\""), "1-1" ENDS " ." },
	{ TEXT("a\0b,c\nd\n"), "1-1" NUL_INSIDE " 2-2[d] ." },
	{ TEXT("\"\0\"\nd\n"), "1-1" NUL_INSIDE " 2-2[d] ." },
};

static void test_files(void)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 65536 };
	char text[1000];

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		for (size_t k = 0; k < COUNT_OF(pieces); k++) {
			struct source source = { files[i].text, files[i].text_size, 0, pieces[k], false };

			describe(&source, text, sizeof text);
			is_text(text, files[i].expected, "pieces of %zu: %s", pieces[k], files[i].text);
		}
	}
}

static void test_failure(void)
{
	char text[1000];
	struct source nothing = { "", 0, 0, 10, true };
	struct source something = { "a,b\nc,d", 7, 0, 10, true };

	describe(&nothing, text, sizeof text);
	is_text(text, "?", "a source that fails at once");
	describe(&something, text, sizeof text);
	is_text(text, "1-1[a][b] ?", "a source that fails inside a record");
}

/* What the one record with a field of this size becomes, and the one behind it. */
static void read_sizes(const char *quote, size_t field_size, size_t fields_count, const char *expected)
{
	size_t size = (field_size + 3) * fields_count + 10;
	char *file = malloc(size);
	char *text = malloc(size + 100);
	size_t end = 0;

	if (file == NULL || text == NULL)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < fields_count; i++) {
		end += (size_t)snprintf(file + end, size - end, "%s%s", i > 0 ? "," : "", quote);
		memset(file + end, 'x', field_size);
		end += field_size;
		end += (size_t)snprintf(file + end, size - end, "%s", quote);
	}
	end += (size_t)snprintf(file + end, size - end, "\nnext\n");
	struct source source = { file, end, 0, 65536, false };
	describe(&source, text, size + 100);
	const char *bad = strchr(text, '!');
	is_text(bad != NULL ? bad : "good", expected, "%zu fields of %zu bytes, quote %s", fields_count, field_size, quote);
	ok(strstr(text, " 2-2[next] .") != NULL, "the next record is read");
	free(file);
	free(text);
}

static void test_sizes(void)
{
	static const char *const quotes[] = { "", "\"" };

	for (size_t i = 0; i < COUNT_OF(quotes); i++) {
		read_sizes(quotes[i], CSV_FIELD_MAX, 1, "good");
		read_sizes(quotes[i], CSV_FIELD_MAX + 1, 1, "!A field  2-2[next] .");
		read_sizes(quotes[i], CSV_FIELD_MAX, 4, "good");
		read_sizes(quotes[i], CSV_FIELD_MAX, 5, "!The fiel 2-2[next] .");
		read_sizes(quotes[i], CSV_RECORD_MAX / 5, 5, "good");
		read_sizes(quotes[i], CSV_RECORD_MAX / 5 + 1, 5, "!The fiel 2-2[next] .");
		read_sizes(quotes[i], 1, CSV_FIELDS_MAX, "good");
		read_sizes(quotes[i], 1, CSV_FIELDS_MAX + 1, "!The row  2-2[next] .");
		read_sizes(quotes[i], CSV_FIELD_MAX, CSV_FIELDS_MAX + 1, "!The fiel 2-2[next] .");
	}
}

int main(void)
{
	test_files();
	test_failure();
	test_sizes();
	return tap_done();
}
