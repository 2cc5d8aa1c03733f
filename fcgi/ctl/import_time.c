/* Parses the times that other shorteners export. */
#include "import_time.h"

#include <stdio.h>
#include <string.h>

#include "rfc3339.h"

#define DIGITS "0123456789"
#define TIME_MAX 48

/* How far digits reach from here, at most `maximum`. */
static size_t count_digits(const char *text, size_t maximum)
{
	size_t count = strspn(text, DIGITS);

	return count < maximum ? count : maximum;
}

static bool parse_epoch(const char *text, size_t size, int64_t *time_us)
{
	int64_t number = 0;
	bool is_seconds = size == 9 || size == 10;

	if (text[strspn(text, DIGITS)] != '\0' || (!is_seconds && size != 12 && size != 13))
		return false;
	for (; *text != '\0'; text++)
		number = number * 10 + (*text - '0');
	*time_us = number * (is_seconds ? 1000000 : 1000);
	return true;
}

/* +02, +0200, +02:00, Z, UTC, GMT or nothing, as RFC 3339 has it. False when it is none of them. */
static bool write_offset(const char *text, char offset[7])
{
	static const char *const utc[] = { "", "Z", "z", "UTC", "GMT" };

	for (size_t i = 0; i < sizeof utc / sizeof utc[0]; i++) {
		if (strcmp(text, utc[i]) != 0)
			continue;
		memcpy(offset, "Z", sizeof "Z");
		return true;
	}
	if ((*text != '+' && *text != '-') || count_digits(text + 1, 4) < 2)
		return false;
	const char *minutes = text + 3 + (text[3] == ':');
	if (text[3] != '\0' && (count_digits(minutes, 3) != 2 || minutes[2] != '\0'))
		return false;
	return snprintf(offset, 7, "%.3s:%.2s", text, text[3] != '\0' ? minutes : "00") == 6;
}

/* Of "12:00", "12:00:00" and "12:00:00.5", how far it reaches; 0 when it is none. */
static size_t clock_size(const char *text)
{
	if (count_digits(text, 3) != 2 || text[2] != ':' || count_digits(text + 3, 3) != 2)
		return 0;
	if (text[5] != ':')
		return 5;
	if (count_digits(text + 6, 3) != 2)
		return 0;
	return text[8] == '.' ? 9 + strspn(text + 9, DIGITS) : 8;
}

/* The text ends with a NUL here. Whether the numbers are a time is for rfc3339 to say. */
static bool parse(const char *text, int64_t *time_us)
{
	char whole[TIME_MAX];
	char offset[7] = "Z";
	const char *clock = "00:00:00";
	size_t size = 8;

	if (strspn(text, DIGITS "-") != 10)
		return false;
	if (text[10] != '\0') {
		clock = text + 11;
		size = clock_size(clock);
		const char *rest = clock + size;
		if ((text[10] != ' ' && text[10] != 'T' && text[10] != 't') || size == 0 || !write_offset(rest + (*rest == ' '), offset))
			return false;
	}
	int whole_size = snprintf(whole, sizeof whole, "%.10sT%.*s%s%s", text, (int)size, clock, size == 5 ? ":00" : "", offset);
	return whole_size > 0 && (size_t)whole_size < sizeof whole && rfc3339_parse_time(whole, (size_t)whole_size, time_us);
}

bool import_time_parse(const char *text, size_t text_size, int64_t *time_us)
{
	char copy[TIME_MAX];

	if (text_size >= sizeof copy)
		return false;
	memcpy(copy, text, text_size);
	copy[text_size] = '\0';
	if (strlen(copy) != text_size)
		return false;
	return parse_epoch(copy, text_size, time_us) || parse(copy, time_us);
}
