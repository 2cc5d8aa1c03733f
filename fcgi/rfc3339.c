/* Reads and writes times and dates as text, by arithmetic alone: the time zone of the process plays no part. */
#include "rfc3339.h"

#include <string.h>

#define US_PER_SECOND INT64_C(1000000)
#define SECONDS_PER_DAY INT64_C(86400)
#define US_PER_DAY (SECONDS_PER_DAY * US_PER_SECOND)

#define YEAR_MIN 1970
#define YEAR_MAX 9999

/* 9999-12-31. */
#define DAYS_MAX INT64_C(2932896)
#define TIME_MAX_US ((DAYS_MAX + 1) * US_PER_DAY - 1)

/* 400 years of the Gregorian calendar, after which it repeats itself. */
#define DAYS_PER_CYCLE INT64_C(146097)

struct reader {
	const char *at;
	const char *end;
};

static bool read_digit(struct reader *reader, int *digit)
{
	if (reader->at == reader->end || *reader->at < '0' || *reader->at > '9')
		return false;
	*digit = *reader->at++ - '0';
	return true;
}

/* Reads a number of exactly so many digits. */
static bool read_number(struct reader *reader, int digits_count, int min, int max, int *number)
{
	int digit;

	*number = 0;
	for (int i = 0; i < digits_count; i++) {
		if (!read_digit(reader, &digit))
			return false;
		*number = *number * 10 + digit;
	}
	return *number >= min && *number <= max;
}

static bool read_one_of(struct reader *reader, const char *marks)
{
	if (reader->at == reader->end || memchr(marks, *reader->at, strlen(marks)) == NULL)
		return false;
	reader->at++;
	return true;
}

static bool is_leap_year(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int count_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month - 1] + (month == 2 && is_leap_year(year));
}

/* The days from 1970-01-01 to the first of January of a year, which may be before it. */
static int64_t days_before_year(int year)
{
	/* Of the years before this one, the leap years make the difference. 400 years more keep the divisions
	 * among positive numbers. */
	int64_t before = (int64_t)year + 399;

	return before * 365 + before / 4 - before / 100 + before / 400 - DAYS_PER_CYCLE - 719162;
}

/* Any year of four digits: what a time says in its own offset may be the year before YEAR_MIN. */
static bool read_date(struct reader *reader, int64_t *days)
{
	int year;
	int month;
	int day;

	if (!read_number(reader, 4, 0, YEAR_MAX, &year) || !read_one_of(reader, "-"))
		return false;
	if (!read_number(reader, 2, 1, 12, &month) || !read_one_of(reader, "-"))
		return false;
	if (!read_number(reader, 2, 1, count_days(year, month), &day))
		return false;
	*days = days_before_year(year) + day - 1;
	for (int earlier = 1; earlier < month; earlier++)
		*days += count_days(year, earlier);
	return true;
}

static bool read_clock(struct reader *reader, int *seconds)
{
	int hour;
	int minute;
	int second;

	if (!read_number(reader, 2, 0, 23, &hour) || !read_one_of(reader, ":"))
		return false;
	if (!read_number(reader, 2, 0, 59, &minute) || !read_one_of(reader, ":"))
		return false;
	if (!read_number(reader, 2, 0, 60, &second))
		return false;
	*seconds = hour * 3600 + minute * 60 + second;
	return true;
}

/* The fraction need not be there, but its point must not stand alone. */
static bool read_fraction(struct reader *reader, int64_t *us)
{
	int digit;

	*us = 0;
	if (!read_one_of(reader, "."))
		return true;
	if (!read_digit(reader, &digit))
		return false;
	int64_t unit = US_PER_SECOND;
	do {
		unit /= 10;
		*us += digit * unit;
	} while (read_digit(reader, &digit));
	return true;
}

static bool read_offset(struct reader *reader, int *seconds)
{
	int hours;
	int minutes;

	*seconds = 0;
	if (read_one_of(reader, "Zz"))
		return true;
	int sign = read_one_of(reader, "+") ? 1 : -1;
	if (sign < 0 && !read_one_of(reader, "-"))
		return false;
	if (!read_number(reader, 2, 0, 23, &hours) || !read_one_of(reader, ":"))
		return false;
	if (!read_number(reader, 2, 0, 59, &minutes))
		return false;
	*seconds = sign * (hours * 3600 + minutes * 60);
	return true;
}

bool rfc3339_parse_time(const char *text, size_t text_size, int64_t *time_us)
{
	struct reader reader = { .at = text, .end = text + text_size };
	int64_t days;
	int seconds;
	int64_t us;
	int offset;

	if (!read_date(&reader, &days) || !read_one_of(&reader, "Tt ") || !read_clock(&reader, &seconds))
		return false;
	if (!read_fraction(&reader, &us) || !read_offset(&reader, &offset) || reader.at != reader.end)
		return false;
	*time_us = (days * SECONDS_PER_DAY + seconds - offset) * US_PER_SECOND + us;
	return *time_us >= 0 && *time_us <= TIME_MAX_US;
}

bool rfc3339_parse_date(const char *text, size_t text_size, int64_t *days)
{
	struct reader reader = { .at = text, .end = text + text_size };

	return read_date(&reader, days) && reader.at == reader.end && *days >= 0;
}

static int64_t clamp(int64_t number, int64_t max)
{
	if (number < 0)
		return 0;
	return number > max ? max : number;
}

/* Writes a number with its leading zeros, and the mark behind it; returns what follows them. */
static char *write_number(char *text, int digits_count, int64_t number, char mark)
{
	for (int i = digits_count - 1; i >= 0; i--) {
		text[i] = (char)('0' + number % 10);
		number /= 10;
	}
	text[digits_count] = mark;
	return text + digits_count + 1;
}

/* Days within the years that can be written. */
static char *write_date(char *text, int64_t days, char mark)
{
	/* By the average length of a year this is the right one or, near its ends, the one after it. */
	int year = (int)(YEAR_MIN + 1 + days * 400 / DAYS_PER_CYCLE);
	int month = 1;

	while (days_before_year(year) > days)
		year--;
	int day = (int)(days - days_before_year(year)) + 1;
	while (day > count_days(year, month))
		day -= count_days(year, month++);
	text = write_number(text, 4, year, '-');
	text = write_number(text, 2, month, '-');
	return write_number(text, 2, day, mark);
}

void rfc3339_write_time(int64_t time_us, char text[RFC3339_TIME_SIZE + 1])
{
	int64_t us = clamp(time_us, TIME_MAX_US);
	int64_t seconds = us % US_PER_DAY / US_PER_SECOND;

	text = write_date(text, us / US_PER_DAY, 'T');
	text = write_number(text, 2, seconds / 3600, ':');
	text = write_number(text, 2, seconds / 60 % 60, ':');
	text = write_number(text, 2, seconds % 60, '.');
	text = write_number(text, 6, us % US_PER_SECOND, 'Z');
	*text = '\0';
}

void rfc3339_write_date(int64_t days, char text[RFC3339_DATE_SIZE + 1])
{
	write_date(text, clamp(days, DAYS_MAX), '\0');
}
