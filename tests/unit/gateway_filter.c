/* The filter of FastCGI records: what passes and what does not, in one piece and byte by byte.
 * modules: gateway_filter */
#include "gateway_filter.h"
#include "tap.h"

#define BEGIN "\1\1\0\1\0\10\0\0" "\0\1\0\0\0\0\0\0"
#define PARAMS_END "\1\4\0\1\0\0\0\0"
#define STDIN_END "\1\5\0\1\0\0\0\0"
#define AB "\1\4\0\1\0\4\0\0" "\1\1ab"

/* The same with the id 2. */
#define BEGIN_2 "\1\1\0\2\0\10\0\0" "\0\1\0\0\0\0\0\0"
#define AB_2 "\1\4\0\2\0\4\0\0" "\1\1ab"

#define ROW(passes, bytes, name) { bytes, sizeof(bytes) - 1, passes, name }

static const struct row {
	const char *bytes;
	size_t size;
	bool passes;
	const char *name;
} rows[] = {
	ROW(true, "", "nothing"),
	ROW(true, BEGIN AB PARAMS_END STDIN_END, "a whole request"),
	ROW(true, BEGIN PARAMS_END STDIN_END, "without parameters"),
	ROW(true, BEGIN AB PARAMS_END "\1\5\0\1\0\3\0\0" "abc" STDIN_END, "with a body"),
	ROW(true, BEGIN AB PARAMS_END "\1\5\0\1\0\3\5\0" "abc12345" STDIN_END, "with padding"),
	ROW(true, BEGIN "\1\4\0\1\0\4\7\0" "\1\1ab1234567" PARAMS_END "\1\5\0\1\0\0\7\0" "1234567", "with padding elsewhere"),
	ROW(false, "\1\1\0\1\0\10\10\0" "\0\1\0\0\0\0\0\0" "12345678", "padding behind BEGIN_REQUEST"),
	ROW(false, BEGIN AB "\1\4\0\1\0\0\10\0" "12345678", "padding behind the end of the parameters"),
	ROW(true, BEGIN AB PARAMS_END STDIN_END "\1\11\0\0\0\0\0\0", "what follows a request is not looked at"),
	ROW(true, BEGIN "\1\4\0\1\0\1\0\0" "\1" "\1\4\0\1\0\3\0\0" "\1ab" PARAMS_END STDIN_END, "a pair in two records"),
	ROW(true, BEGIN "\1\4\0\1\0\12\0\0" "\200\0\0\1" "\200\0\0\1" "ab" PARAMS_END STDIN_END, "long lengths"),
	ROW(true, BEGIN "\1\4\0\1\0\4\0\0" "\0\0\0\0" PARAMS_END STDIN_END, "empty names and values"),
	ROW(true, BEGIN "\1\4\0\1\0\10\0\0" "\200\17\377\377\200\20\0\0", "the longest lengths"),
	ROW(true, BEGIN_2 AB_2 "\1\4\0\2\0\0\0\0", "another id"),
	ROW(false, "\0\1\0\1\0\10\0\0", "version 0"),
	ROW(false, "\2\1\0\1\0\10\0\0", "version 2"),
	ROW(false, "GET / HTTP/1.0\r\n\r\n", "HTTP"),
	ROW(false, AB, "parameters first"),
	ROW(false, STDIN_END, "a body first"),
	ROW(false, "\1\1\0\0\0\10\0\0", "the id 0"),
	ROW(false, "\1\1\0\1\0\7\0\0", "BEGIN_REQUEST too short"),
	ROW(false, "\1\1\0\1\0\11\0\0", "BEGIN_REQUEST too long"),
	ROW(false, BEGIN BEGIN, "BEGIN_REQUEST twice"),
	ROW(false, BEGIN BEGIN_2, "BEGIN_REQUEST with another id"),
	ROW(false, BEGIN AB_2, "parameters with another id"),
	ROW(false, BEGIN AB PARAMS_END "\1\5\0\2\0\0\0\0", "a body with another id"),
	ROW(false, BEGIN "\1\11\0\0\0\0\0\0", "FCGI_GET_VALUES"),
	ROW(false, "\1\11\0\0\0\0\0\0", "FCGI_GET_VALUES first"),
	ROW(false, BEGIN AB PARAMS_END "\1\11\0\0\0\0\0\0", "FCGI_GET_VALUES instead of a body"),
	ROW(false, BEGIN "\1\143\0\0\0\0\0\0", "an unknown type about the connection"),
	ROW(false, BEGIN "\1\143\0\1\0\0\0\0", "an unknown type"),
	ROW(false, BEGIN "\1\2\0\1\0\0\0\0", "ABORT_REQUEST among the parameters"),
	ROW(false, BEGIN AB PARAMS_END "\1\2\0\1\0\0\0\0", "ABORT_REQUEST instead of a body"),
	ROW(false, BEGIN STDIN_END, "the end of the body before that of the parameters"),
	ROW(false, BEGIN "\1\5\0\1\0\3\0\0", "a body before the end of the parameters"),
	ROW(false, BEGIN AB PARAMS_END AB, "parameters behind their end"),
	ROW(false, BEGIN AB PARAMS_END PARAMS_END, "the end of the parameters twice"),
	ROW(false, BEGIN "\1\4\0\1\0\1\0\0" "\1" PARAMS_END, "the parameters end before the second length"),
	ROW(false, BEGIN "\1\4\0\1\0\2\0\0" "\1\200" PARAMS_END, "the parameters end within a length"),
	ROW(false, BEGIN "\1\4\0\1\0\2\0\0" "\1\1" PARAMS_END, "the parameters end before a name"),
	ROW(false, BEGIN "\1\4\0\1\0\3\0\0" "\1\1a" PARAMS_END, "the parameters end before a value"),
	ROW(false, BEGIN "\1\4\0\1\0\4\0\0" "\200\20\0\1", "a name too long"),
	ROW(false, BEGIN "\1\4\0\1\0\5\0\0" "\1\200\20\0\1", "a value too long"),
	ROW(false, BEGIN "\1\4\0\1\0\10\0\0" "\377\377\377\377\377\377\377\377", "lengths of INT_MAX"),
	ROW(false, BEGIN "\1\4\0\1\0\10\0\0" "\300\0\0\0\300\0\0\0", "lengths with a sum past INT_MAX"),
	ROW(false, BEGIN "\1\4\0\1\0\14\0\0" "\1\1ab\300\0\0\0\300\0\0\0", "the same in the second pair"),
};

/* In reads of `step` bytes. */
static bool passes(const struct row *row, size_t step)
{
	struct gateway_filter filter = { 0 };
	bool is_good = true;

	for (size_t at = 0; at < row->size; at += step) {
		size_t size = row->size - at < step ? row->size - at : step;

		is_good = gateway_filter_take(&filter, row->bytes + at, size);
	}
	return is_good;
}

static void test_rows(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int agreeing = 0;

		for (size_t step = 1; step <= 16; step++)
			agreeing += passes(&rows[i], step) == rows[i].passes;
		is_int(agreeing, 16, "%s: %s, in reads of 1 to 16 bytes", rows[i].name, rows[i].passes ? "passes" : "does not");
		ok(passes(&rows[i], rows[i].size + 1) == rows[i].passes, "%s: in one read", rows[i].name);
	}
}

static bool take_record(struct gateway_filter *filter, unsigned char type, size_t size)
{
	static unsigned char record[8 + 65535];

	memset(record, 0, sizeof record);
	record[0] = 1;
	record[1] = type;
	record[3] = 1;
	record[4] = (unsigned char)(size >> 8);
	record[5] = (unsigned char)size;
	return gateway_filter_take(filter, record, 8 + size);
}

#define COUNTED_MAX 200000

/* How many records of this type and size pass. */
static int count_records(const char *start, size_t start_size, unsigned char type, size_t size)
{
	struct gateway_filter filter = { 0 };
	int count = 0;

	if (!gateway_filter_take(&filter, start, start_size))
		return -1;
	while (count < COUNTED_MAX && take_record(&filter, type, size))
		count++;
	return count;
}

static void test_overhead(void)
{
	static const char parameters[] = BEGIN;
	static const char body[] = BEGIN PARAMS_END;

	is_int(count_records(parameters, sizeof parameters - 1, 4, 65528), 15, "parameters have a limit");
	is_int(count_records(body, sizeof body - 1, 5, 1), 131069, "and the headers of a body in crumbs");
	is_int(count_records(body, sizeof body - 1, 5, 800), 131069, "whatever they hold: the body itself has none here");
}

int main(void)
{
	test_rows();
	test_overhead();
	return tap_done();
}
