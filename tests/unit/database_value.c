/* Numbers and times in PostgreSQL's binary form, byte by byte.
 * modules: database_value */
#include "database_value.h"
#include "tap.h"

struct row {
	const char *name;
	int64_t from;
	unsigned char bytes[DATABASE_NUMBER_SIZE];
};

/* encode(int8send(-2), 'hex') and the like. */
static const struct row numbers[] = {
	{ "0", 0, { 0 } },
	{ "1", 1, { 0, 0, 0, 0, 0, 0, 0, 1 } },
	{ "-1", -1, { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF } },
	{ "-2", -2, { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE } },
	{ "256", 256, { 0, 0, 0, 0, 0, 0, 1, 0 } },
	{ "each byte another", 0x0102030405060708, { 1, 2, 3, 4, 5, 6, 7, 8 } },
	{ "beyond 32 bits", INT64_C(1) << 32, { 0, 0, 0, 1, 0, 0, 0, 0 } },
	{ "the largest", INT64_MAX, { 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF } },
	{ "the smallest", INT64_MIN, { 0x80, 0, 0, 0, 0, 0, 0, 0 } },
};

/* encode(timestamptz_send('2026-01-01 12:00:00.123456+00'), 'hex') and the like. */
static const struct row times[] = {
	{ "2000-01-01", INT64_C(946684800000000), { 0 } },
	{ "the microsecond behind it", INT64_C(946684800000001), { 0, 0, 0, 0, 0, 0, 0, 1 } },
	{ "the one before it", INT64_C(946684799999999), { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF } },
	{ "1970-01-01", 0, { 0xFF, 0xFC, 0xA2, 0xFE, 0xC4, 0xC8, 0x20, 0x00 } },
	{ "the microsecond before 1970", -1, { 0xFF, 0xFC, 0xA2, 0xFE, 0xC4, 0xC8, 0x1F, 0xFF } },
	{ "2026-01-01 12:00:00.123456", INT64_C(1767268800123456), { 0x00, 0x02, 0xEA, 0x51, 0x19, 0xD5, 0xF2, 0x40 } },
	{ "9999-12-31 23:59:59.999999", INT64_C(253402300799999999), { 0x03, 0x80, 0xE7, 0x0B, 0x91, 0x3B, 0x7F, 0xFF } },
};

typedef struct database_value encode_function(int64_t from, char bytes[DATABASE_NUMBER_SIZE]);

static void test_rows(encode_function *encode, const struct row rows[], size_t rows_count)
{
	for (size_t i = 0; i < rows_count; i++) {
		char bytes[DATABASE_NUMBER_SIZE + 1];

		bytes[DATABASE_NUMBER_SIZE] = 'x';
		struct database_value value = encode(rows[i].from, bytes);
		ok(value.bytes == bytes && value.size == DATABASE_NUMBER_SIZE && bytes[DATABASE_NUMBER_SIZE] == 'x',
		   "%s: in the caller's bytes", rows[i].name);
		ok(memcmp(bytes, rows[i].bytes, DATABASE_NUMBER_SIZE) == 0, "%s: as PostgreSQL writes it", rows[i].name);
	}
}

int main(void)
{
	test_rows(database_value_encode_number, numbers, COUNT_OF(numbers));
	test_rows(database_value_encode_time, times, COUNT_OF(times));
	return tap_done();
}
