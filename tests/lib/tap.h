#ifndef TAP_H
#define TAP_H

/* What a unit test in C needs to speak TAP. A test ends with `return tap_done();`, which prints the plan. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TAP_UNUSED __attribute__((unused))

/* The largest copy that tap_copy_to_edge makes. */
#define TAP_EDGE_MAX 131072

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ok(condition, "name %s", …) */
#define ok(condition, ...) tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)

/* is_int(got, expected, "name %s", …) compares numbers, is_text two texts of which either may be NULL. */
#define is_int(got, expected, ...) tap_is_int((long long)(got), (long long)(expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_text(got, expected, ...) tap_is_text((got), (expected), __FILE__, __LINE__, __VA_ARGS__)

static int tap_count;
static int tap_failures;

/* Control characters and # would break the line of TAP, and long inputs would hide it. */
__attribute__((format(printf, 1, 0))) static void tap_print_name(const char *format, va_list arguments)
{
	char name[120];

	vsnprintf(name, sizeof(name), format, arguments);
	for (char *at = name; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7F || *at == '#')
			*at = '?';
	printf("%s\n", name);
}

__attribute__((format(printf, 4, 0))) static bool tap_report(bool passed, const char *file, int line,
							     const char *format, va_list arguments)
{
	tap_count++;
	printf("%s %d - ", passed ? "ok" : "not ok", tap_count);
	tap_print_name(format, arguments);
	if (passed)
		return true;
	tap_failures++;
	printf("# at %s line %d\n", file, line);
	return false;
}

TAP_UNUSED __attribute__((format(printf, 4, 5))) static bool tap_ok(bool passed, const char *file, int line,
								    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tap_report(passed, file, line, format, arguments);
	va_end(arguments);
	return passed;
}

TAP_UNUSED __attribute__((format(printf, 5, 6))) static bool tap_is_int(long long got, long long expected,
									const char *file, int line, const char *format,
									...)
{
	va_list arguments;

	va_start(arguments, format);
	bool passed = tap_report(got == expected, file, line, format, arguments);
	va_end(arguments);
	if (!passed)
		printf("#      got: %lld\n# expected: %lld\n", got, expected);
	return passed;
}

TAP_UNUSED __attribute__((format(printf, 5, 6))) static bool tap_is_text(const char *got, const char *expected,
									 const char *file, int line, const char *format,
									 ...)
{
	va_list arguments;
	bool is_same = got == NULL || expected == NULL ? got == expected : strcmp(got, expected) == 0;

	va_start(arguments, format);
	bool passed = tap_report(is_same, file, line, format, arguments);
	va_end(arguments);
	if (!passed)
		printf("#      got: %s\n# expected: %s\n", got == NULL ? "NULL" : got,
		       expected == NULL ? "NULL" : expected);
	return passed;
}

static void tap_bail_out(const char *reason)
{
	printf("Bail out! %s\n", reason);
	exit(EXIT_FAILURE);
}

/* Maps room for the copies with a page behind it that cannot be read. */
static char *tap_map_edge(void)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, TAP_EDGE_MAX + page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + TAP_EDGE_MAX, page_size, PROT_NONE) != 0)
		tap_bail_out("no memory for the edge");
	return pages + TAP_EDGE_MAX;
}

/* Returns a copy, valid until the next call, that ends right before an unreadable page: whoever reads
 * one byte too many crashes. It has no NUL. */
TAP_UNUSED static const char *tap_copy_to_edge(const char *text, size_t text_size)
{
	static char *edge;

	if (edge == NULL)
		edge = tap_map_edge();
	if (text_size > TAP_EDGE_MAX)
		tap_bail_out("the text is longer than TAP_EDGE_MAX");
	return memcpy(edge - text_size, text, text_size);
}

/* Prints the plan and returns the exit status. */
static int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
