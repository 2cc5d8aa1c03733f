/* Writes sentences and counts for people, safe for their terminals. */
#include "say.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "verb.h"

#define TEXT_MAX 2000

/* C1 controls are two bytes in UTF-8, C2 80 to C2 9F. */
void say_text(FILE *file, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;
		bool is_c1 = byte == 0xc2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0;

		putc(byte < 0x20 || byte == 0x7f || is_c1 ? '?' : byte, file);
		text += is_c1;
	}
}

__attribute__((format(printf, 1, 0))) static void say_arguments(const char *format, va_list arguments)
{
	char text[TEXT_MAX];

	if (vsnprintf(text, sizeof text, format, arguments) < 0)
		text[0] = '\0';
	fputs("shortenctl: ", stderr);
	say_text(stderr, text);
}

void say_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_arguments(format, arguments);
	va_end(arguments);
	putc('\n', stderr);
}

int say_usage(const char *verb, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_arguments(format, arguments);
	va_end(arguments);
	fprintf(stderr, "; see: shortenctl %s%s--help\n", verb, *verb != '\0' ? " " : "");
	return VERB_USAGE;
}

const char *say_rule(const char *problem)
{
	static const char word[] = "Parameter ";

	return strncmp(problem, word, sizeof word - 1) == 0 ? problem + sizeof word - 1 : problem;
}

void say_count(FILE *file, long long count, const char *one, const char *many)
{
	fprintf(file, "%lld %s", count, count == 1 ? one : many);
}

/* Why standard output cannot be written, where that is known: stdio remembers only that it cannot. */
static int write_errno;

void say_write(const void *bytes, size_t bytes_size)
{
	if (ferror(stdout))
		return;
	errno = 0;
	if (fwrite(bytes, 1, bytes_size, stdout) < bytes_size)
		write_errno = errno;
}

static bool has_reader_gone(void)
{
	struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return write_errno == EPIPE || (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0);
}

bool say_flush(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	if (write_errno == 0)
		write_errno = errno;
	if (!has_reader_gone())
		say_error("Standard output cannot be written%s%s", write_errno != 0 ? ": " : "",
			  write_errno != 0 ? strerror(write_errno) : "");
	return false;
}
