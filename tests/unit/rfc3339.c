/* Tests the reading and writing of times and dates. modules: rfc3339 */
#include "rfc3339.h"

#include <time.h>

#include "tap.h"

#define TEXT(literal) (literal), sizeof(literal) - 1
#define SECONDS(seconds) (INT64_C(seconds) * 1000000)

static const struct {
	int64_t time_us;
	const char *written; /* what rfc3339_write_time makes of it again */
	const char *text;
	size_t text_size;
} times[] = {
	{ 0, "1970-01-01T00:00:00.000000Z", TEXT("1970-01-01T00:00:00Z") },
	{ 0, "1970-01-01T00:00:00.000000Z", TEXT("1970-01-01T23:59:00+23:59") },
	{ 0, "1970-01-01T00:00:00.000000Z", TEXT("1969-12-31T00:01:00-23:59") },
	{ 0, "1970-01-01T00:00:00.000000Z", TEXT("1969-12-31T23:59:60Z") },
	{ 1, "1970-01-01T00:00:00.000001Z", TEXT("1970-01-01T00:00:00.000001Z") },
	{ 0, "1970-01-01T00:00:00.000000Z", TEXT("1970-01-01T00:00:00.0000009Z") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30T12:00:00Z") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30t12:00:00z") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30 12:00:00Z") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30T12:00:00+00:00") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30T12:00:00-00:00") },
	{ SECONDS(1796040000) + 500000, "2026-11-30T12:00:00.500000Z", TEXT("2026-11-30t15:00:00.5+03:00") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30T17:45:00+05:45") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-11-30T08:30:00-03:30") },
	{ SECONDS(1796040000), "2026-11-30T12:00:00.000000Z", TEXT("2026-12-01T02:00:00+14:00") },
	{ SECONDS(1796040000) + 123456, "2026-11-30T12:00:00.123456Z", TEXT("2026-11-30T12:00:00.123456Z") },
	{ SECONDS(1796040000) + 123456, "2026-11-30T12:00:00.123456Z", TEXT("2026-11-30T12:00:00.123456999Z") },
	{ SECONDS(1796040000) + 120000, "2026-11-30T12:00:00.120000Z", TEXT("2026-11-30T12:00:00.12Z") },
	{ SECONDS(1796040000) + 999999, "2026-11-30T12:00:00.999999Z",
	  TEXT("2026-11-30T12:00:00.99999999999999999999999999999999Z") },
	{ SECONDS(1483228799), "2016-12-31T23:59:59.000000Z", TEXT("2016-12-31T23:59:59Z") },
	{ SECONDS(1483228800), "2017-01-01T00:00:00.000000Z", TEXT("2016-12-31T23:59:60Z") },
	{ SECONDS(1483228800) + 500000, "2017-01-01T00:00:00.500000Z", TEXT("2016-12-31T23:59:60.5Z") },
	{ SECONDS(951782400), "2000-02-29T00:00:00.000000Z", TEXT("2000-02-29T00:00:00Z") },
	{ SECONDS(951868800), "2000-03-01T00:00:00.000000Z", TEXT("2000-03-01T00:00:00Z") },
	{ SECONDS(1709164800), "2024-02-29T00:00:00.000000Z", TEXT("2024-02-29T00:00:00Z") },
	{ SECONDS(1767225599), "2025-12-31T23:59:59.000000Z", TEXT("2025-12-31T23:59:59Z") },
	{ SECONDS(1767225600), "2026-01-01T00:00:00.000000Z", TEXT("2026-01-01T00:00:00Z") },
	{ SECONDS(4107542400), "2100-03-01T00:00:00.000000Z", TEXT("2100-03-01T00:00:00Z") },
	{ SECONDS(253402300799) + 999999, "9999-12-31T23:59:59.999999Z", TEXT("9999-12-31T23:59:59.999999Z") },
	{ SECONDS(253402300799) + 999999, "9999-12-31T23:59:59.999999Z", TEXT("9999-12-31T23:59:59.9999999Z") },
	{ SECONDS(253402300799), "9999-12-31T23:59:59.000000Z", TEXT("9999-12-31T22:59:59-01:00") },
};

static const struct {
	const char *text;
	size_t text_size;
} no_times[] = {
	{ TEXT("") },
	{ TEXT("2026") },
	{ TEXT("2026-11-30") },
	{ TEXT("2026-11-30T") },
	{ TEXT("2026-11-30Z") },
	{ TEXT("2026-11-30T12Z") },
	{ TEXT("2026-11-30T12:00Z") },
	{ TEXT("2026-11-30T12:00:00") },
	{ TEXT("2026-11-30T12:00:00.5") },
	{ TEXT("2026-11-30T12:00:00.Z") },
	{ TEXT("2026-11-30T12:00:00.+01:00") },
	{ TEXT("2026-11-30T12:00:00,5Z") },
	{ TEXT("2026-11-30T12:00:00.5.5Z") },
	{ TEXT("2026-11-30T12:00:00.5aZ") },
	{ TEXT("2026-11-30T12:00:00 Z") },
	{ TEXT("2026-11-30T12:00:00Z ") },
	{ TEXT(" 2026-11-30T12:00:00Z") },
	{ TEXT("2026-11-30T12:00:00ZZ") },
	{ TEXT("2026-11-30T12:00:00Z\0") },
	{ TEXT("2026-11-30\0" "12:00:00Z") },
	{ TEXT("2026-11-30T12:00:00\0") },
	{ TEXT("2026-11-30T12:00:00UTC") },
	{ TEXT("2026-11-30T12:00:00+0100") },
	{ TEXT("2026-11-30T12:00:00+01") },
	{ TEXT("2026-11-30T12:00:00+1:00") },
	{ TEXT("2026-11-30T12:00:00+01:0") },
	{ TEXT("2026-11-30T12:00:00+01:") },
	{ TEXT("2026-11-30T12:00:00+") },
	{ TEXT("2026-11-30T12:00:00-") },
	{ TEXT("2026-11-30T12:00:00+24:00") },
	{ TEXT("2026-11-30T12:00:00-24:00") },
	{ TEXT("2026-11-30T12:00:00+23:60") },
	{ TEXT("2026-11-30T12:00:00+01:00Z") },
	{ TEXT("2026-11-30T12:00:00+-1:00") },
	{ TEXT("2026-11-30T12:00:00-+1:00") },
	{ TEXT("2026-11-30T12:00:00\xe2\x88\x92" "01:00") },
	{ TEXT("2026-11-30T24:00:00Z") },
	{ TEXT("2026-11-30T12:60:00Z") },
	{ TEXT("2026-11-30T12:00:61Z") },
	{ TEXT("2026-11-30T1:00:00Z") },
	{ TEXT("2026-11-30T012:00:00Z") },
	{ TEXT("2026-11-30T12-00-00Z") },
	{ TEXT("2026-11-30T120000Z") },
	{ TEXT("20261130T120000Z") },
	{ TEXT("2026-11-30_12:00:00Z") },
	{ TEXT("2026-11-30  12:00:00Z") },
	{ TEXT("2026-11-30T-1:00:00Z") },
	{ TEXT("2026-11-30T+1:00:00Z") },
	{ TEXT("2026-11-30T 1:00:00Z") },
	{ TEXT("2026/11/30T12:00:00Z") },
	{ TEXT("30.11.2026T12:00:00Z") },
	{ TEXT("2026-00-30T12:00:00Z") },
	{ TEXT("2026-13-30T12:00:00Z") },
	{ TEXT("2026-11-00T12:00:00Z") },
	{ TEXT("2026-11-31T12:00:00Z") },
	{ TEXT("2026-02-29T12:00:00Z") },
	{ TEXT("2100-02-29T12:00:00Z") },
	{ TEXT("026-11-30T12:00:00Z") },
	{ TEXT("12026-11-30T12:00:00Z") },
	{ TEXT("-026-11-30T12:00:00Z") },
	{ TEXT("+2026-11-30T12:00:00Z") },
	{ TEXT("2026-11-3\xd9\xa0T12:00:00Z") },
	{ TEXT("1969-12-31T23:59:59.999999Z") },
	{ TEXT("1970-01-01T00:00:00+00:01") },
	{ TEXT("0000-01-01T00:00:00Z") },
	{ TEXT("0000-02-29T00:00:00Z") },
	{ TEXT("9999-12-31T23:59:60Z") },
	{ TEXT("9999-12-31T23:59:59-00:01") },
	{ TEXT("10000-01-01T00:00:00Z") },
	{ TEXT("now") },
	{ TEXT("infinity") },
	{ TEXT("1796040000") },
};

static const struct {
	int64_t days;
	const char *text;
	size_t text_size;
} dates[] = {
	{ 0, TEXT("1970-01-01") },
	{ 364, TEXT("1970-12-31") },
	{ 365, TEXT("1971-01-01") },
	{ 11016, TEXT("2000-02-29") },
	{ 20787, TEXT("2026-11-30") },
	{ 47540, TEXT("2100-02-28") },
	{ 47541, TEXT("2100-03-01") },
	{ 2932896, TEXT("9999-12-31") },
};

static const struct {
	const char *text;
	size_t text_size;
} no_dates[] = {
	{ TEXT("") },
	{ TEXT("2026-11") },
	{ TEXT("2026-11-3") },
	{ TEXT("2026-11-300") },
	{ TEXT("2026-11-30 ") },
	{ TEXT(" 2026-11-30") },
	{ TEXT("2026-11-30\0") },
	{ TEXT("2026-11-30T00:00:00Z") },
	{ TEXT("2026-1-30") },
	{ TEXT("20261130") },
	{ TEXT("2026/11/30") },
	{ TEXT("2026-11-31") },
	{ TEXT("2026-11-00") },
	{ TEXT("2026-13-01") },
	{ TEXT("2026-00-01") },
	{ TEXT("2025-02-29") },
	{ TEXT("2100-02-29") },
	{ TEXT("1969-12-31") },
	{ TEXT("0000-01-01") },
	{ TEXT("10000-01-01") },
	{ TEXT("today") },
};

/* Times outside the years 1970 to 9999 are taken for the nearest. */
static const struct {
	int64_t time_us;
	const char *text;
} written_times[] = {
	{ -1, "1970-01-01T00:00:00.000000Z" },
	{ INT64_MIN, "1970-01-01T00:00:00.000000Z" },
	{ SECONDS(253402300800), "9999-12-31T23:59:59.999999Z" },
	{ INT64_MAX, "9999-12-31T23:59:59.999999Z" },
};

static const struct {
	int64_t days;
	const char *text;
} written_dates[] = {
	{ -1, "1970-01-01" },
	{ INT64_MIN, "1970-01-01" },
	{ 2932897, "9999-12-31" },
	{ INT64_MAX, "9999-12-31" },
};

static void test_times(void)
{
	char text[RFC3339_TIME_SIZE + 1];

	for (size_t i = 0; i < COUNT_OF(times); i++) {
		int64_t time_us = -1;
		ok(rfc3339_parse_time(tap_copy_to_edge(times[i].text, times[i].text_size), times[i].text_size,
				      &time_us),
		   "takes %s", times[i].text);
		is_int(time_us, times[i].time_us, "time of %s", times[i].text);
		rfc3339_write_time(time_us, text);
		is_text(text, times[i].written, "writes %s", times[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(no_times); i++) {
		int64_t time_us;
		ok(!rfc3339_parse_time(tap_copy_to_edge(no_times[i].text, no_times[i].text_size),
				       no_times[i].text_size, &time_us),
		   "refuses time %zu: %s", i, no_times[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(written_times); i++) {
		rfc3339_write_time(written_times[i].time_us, text);
		is_text(text, written_times[i].text, "the nearest to %lld", (long long)written_times[i].time_us);
	}
}

static void test_dates(void)
{
	char text[RFC3339_DATE_SIZE + 1];

	for (size_t i = 0; i < COUNT_OF(dates); i++) {
		int64_t days = -1;
		ok(rfc3339_parse_date(tap_copy_to_edge(dates[i].text, dates[i].text_size), dates[i].text_size, &days),
		   "takes %s", dates[i].text);
		is_int(days, dates[i].days, "days of %s", dates[i].text);
		rfc3339_write_date(days, text);
		is_text(text, dates[i].text, "writes %s", dates[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(no_dates); i++) {
		int64_t days;
		ok(!rfc3339_parse_date(tap_copy_to_edge(no_dates[i].text, no_dates[i].text_size),
				       no_dates[i].text_size, &days),
		   "refuses date %zu: %s", i, no_dates[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(written_dates); i++) {
		rfc3339_write_date(written_dates[i].days, text);
		is_text(text, written_dates[i].text, "the nearest to day %lld", (long long)written_dates[i].days);
	}
}

/* Whatever a time is cut to, reading it ends without reading past it. */
static void test_cut_times(void)
{
	static const char text[] = "2026-11-30T12:00:00.123456+01:00";
	size_t taken_count = 0;

	for (size_t size = 0; size < strlen(text); size++) {
		int64_t time_us;
		taken_count += rfc3339_parse_time(tap_copy_to_edge(text, size), size, &time_us);
	}
	is_int(taken_count, 0, "no beginning of a time is one");
}

/* The C library's calendar says the same of every day. */
static void test_every_day(void)
{
	int64_t wrong_count = 0;

	for (int64_t day = 0; day <= 2932896; day++) {
		time_t seconds = (time_t)(day * 86400);
		struct tm tm;
		char expected[32] = "";
		char text[RFC3339_DATE_SIZE + 1];
		int64_t days = -1;

		gmtime_r(&seconds, &tm);
		strftime(expected, sizeof(expected), "%Y-%m-%d", &tm);
		rfc3339_write_date(day, text);
		bool is_read = rfc3339_parse_date(text, RFC3339_DATE_SIZE, &days);
		wrong_count += strcmp(text, expected) != 0 || !is_read || days != day;
	}
	is_int(wrong_count, 0, "every day is written and read as the C library has it");
}

int main(void)
{
	/* A time zone that would show wherever it played a part. */
	setenv("TZ", "Pacific/Chatham", 1);
	tzset();
	test_times();
	test_dates();
	test_cut_times();
	test_every_day();
	return tap_done();
}
