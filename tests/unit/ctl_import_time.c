/* Tests the times that other shorteners export. modules: ctl/import_time rfc3339 */
#include "ctl/import_time.h"

#include "tap.h"

#define NOON INT64_C(1714564800000000) /* 2024-05-01T12:00:00Z */
#define SECOND INT64_C(1000000)

static const struct {
	const char *text;
	int64_t time_us;
} times[] = {
	{ "2024-05-01T12:00:00Z", NOON },
	{ "2024-05-01t12:00:00z", NOON },
	{ "2024-05-01 12:00:00", NOON },
	{ "2024-05-01T12:00:00", NOON },
	{ "2024-05-01 12:00", NOON },
	{ "2024-05-01", NOON - INT64_C(43200) * SECOND },
	{ "2024-05-01 12:00:00Z", NOON },
	{ "2024-05-01 12:00:00 UTC", NOON },
	{ "2024-05-01 12:00 GMT", NOON },
	{ "2024-05-01T12:00:00.000Z", NOON },
	{ "2024-05-01 12:00:00.5", NOON + SECOND / 2 },
	{ "2024-05-01 12:00:00.123456+00", NOON + 123456 },
	{ "2024-05-01T12:00:00+00:00", NOON },
	{ "2024-05-01T12:00:00+0000", NOON },
	{ "2024-05-01 14:00:00+02", NOON },
	{ "2024-05-01 14:00:00 +0200", NOON },
	{ "2024-05-01T07:00:00-05:00", NOON },
	{ "2024-05-01T17:30:00+0530", NOON },
	{ "2024-02-29", INT64_C(1709164800) * SECOND },
	{ "1970-01-01", 0 },
	{ "1714564800", NOON },
	{ "999999999", INT64_C(999999999) * SECOND },
	{ "1714564800250", NOON + SECOND / 4 },
	{ "100000000000", INT64_C(100000000) * SECOND },
};

static const char *const none[] = {
	"",
	" ",
	"now",
	"2024",
	"2024-05",
	"2024-5-1",
	"2024-05-01T",
	"2024-05-01 ",
	"2024-05-01x12:00:00",
	"2024-05-01 12",
	"2024-05-01 12:0",
	"2024-05-01 12:00:0",
	"2024-05-01 12:00:00x",
	"2024-05-01 12:00:00 PM",
	"2024-05-01 12:00:00+",
	"2024-05-01 12:00:00+1",
	"2024-05-01 12:00:00+123",
	"2024-05-01 12:00:00+01:",
	"2024-05-01 12:00:00+01:0",
	"2024-05-01 12:00:00+01:000",
	"2024-05-01 12:00:00+01000",
	"2024-05-01 12:00:00+24:00",
	"2024-05-01 24:00:00",
	"2024-05-01 12:60",
	"2023-02-29",
	"2024-13-01",
	"0000-00-00 00:00:00",
	"1969-12-31",
	"-2024-05-01",
	"01/05/2024",
	"May 1, 2024",
	"12345678",
	"12345678901",
	"12345678901234",
	"-1714564800",
	"1714564800.5",
	"2024-05-01 12:00:00.00000000000000000000000000000000000000000000000000000000000",
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		int64_t time_us = -1;
		size_t size = strlen(times[i].text);

		ok(import_time_parse(tap_copy_to_edge(times[i].text, size), size, &time_us), "a time: %s", times[i].text);
		is_int(time_us, times[i].time_us, "the time: %s", times[i].text);
	}
	for (size_t i = 0; i < COUNT_OF(none); i++) {
		int64_t time_us = -1;
		size_t size = strlen(none[i]);

		ok(!import_time_parse(tap_copy_to_edge(none[i], size), size, &time_us), "none: %s", none[i]);
	}
	int64_t time_us;
	ok(!import_time_parse("2024-05-01\0", 11, &time_us), "none: a NUL");
	return tap_done();
}
