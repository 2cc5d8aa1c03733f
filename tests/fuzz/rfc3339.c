/* Fuzzes the reading and writing of times and dates, also of those that other shorteners export, against the C library.
 * modules: rfc3339 ctl/import_time; max_len: 80 */
#include "rfc3339.h"

#include <time.h>

#include "ctl/import_time.h"
#include "fuzz.h"

#define TIME_MAX_US INT64_C(253402300799999999)
#define US_PER_SECOND INT64_C(1000000)

/* What is written is read as the same, and is what is written of it again. */
static void check_written(int64_t time_us)
{
	char text[RFC3339_TIME_SIZE + 1];
	char text_again[RFC3339_TIME_SIZE + 1];
	int64_t again = -1;

	must(time_us >= 0 && time_us <= TIME_MAX_US);
	rfc3339_write_time(time_us, text);
	must(strlen(text) == RFC3339_TIME_SIZE && rfc3339_parse_time(text, RFC3339_TIME_SIZE, &again) && again == time_us);
	rfc3339_write_time(again, text_again);
	must(strcmp(text, text_again) == 0);
	must(import_time_parse(text, RFC3339_TIME_SIZE, &again) && again == time_us);
}

/* The seconds since 1970 in the way of the C library. */
static int64_t seconds_of(const char *text, const char *offset)
{
	struct tm tm = { 0 };
	int hours = 0;
	int minutes = 0;

	/* Digits, as the time was accepted. NOLINTNEXTLINE(cert-err34-c) */
	must(sscanf(text, "%4d-%2d-%2d%*c%2d:%2d:%2d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
		    &tm.tm_sec) == 6);
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	if (*offset == '+' || *offset == '-')
		/* NOLINTNEXTLINE(cert-err34-c) */
		must(sscanf(offset + 1, "%2d:%2d", &hours, &minutes) == 2);
	int64_t offset_s = hours * 3600 + minutes * 60;
	return timegm(&tm) - (*offset == '-' ? -offset_s : offset_s);
}

static void check_time(const char *text, size_t size, int64_t time_us)
{
	const char *offset = text + size - (text[size - 1] == 'Z' || text[size - 1] == 'z' ? 1 : 6);
	int64_t imported_us = -1;

	check_written(time_us);
	must(size >= strlen("1970-01-01T00:00:00Z") && text[size - 1] != ' ');
	must(time_us / US_PER_SECOND == seconds_of(text, offset));
	if (size < 48)
		must(import_time_parse(text, size, &imported_us) && imported_us == time_us);
}

static void check_date(const char *text, size_t size, int64_t days)
{
	char written[RFC3339_DATE_SIZE + 1];
	int64_t time_us = -1;

	rfc3339_write_date(days, written);
	must(fuzz_is_equal(text, size, written, RFC3339_DATE_SIZE));
	must(import_time_parse(text, size, &time_us) && time_us == days * 86400 * US_PER_SECOND);
}

/* Any number can be written, and is then a time. */
static void check_number(int64_t number)
{
	char text[RFC3339_TIME_SIZE + 1];
	char date[RFC3339_DATE_SIZE + 1];
	int64_t again = -1;

	rfc3339_write_time(number, text);
	must(rfc3339_parse_time(text, RFC3339_TIME_SIZE, &again));
	must(again == (number < 0 ? 0 : number > TIME_MAX_US ? TIME_MAX_US : number));
	rfc3339_write_date(number, date);
	must(rfc3339_parse_date(date, RFC3339_DATE_SIZE, &again));
	must(again == (number < 0 ? 0 : number > 2932896 ? 2932896 : number));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bare = fuzz_allocate(size);
	int64_t value = -1;

	if (size > 0)
		memcpy(bare, data, size);
	if (rfc3339_parse_time(bare, size, &value)) {
		char *text = fuzz_copy_text(bare, size);
		check_time(text, size, value);
		free(text);
	}
	if (rfc3339_parse_date(bare, size, &value))
		check_date(bare, size, value);
	if (import_time_parse(bare, size, &value))
		check_written(value);
	for (size_t i = 0; i + sizeof value <= size; i += sizeof value) {
		memcpy(&value, bare + i, sizeof value);
		check_number(value);
		check_number((int64_t)((uint64_t)value % (TIME_MAX_US + 1)));
		check_number((int64_t)((uint64_t)value % 2932897));
	}
	free(bare);
	return 0;
}
