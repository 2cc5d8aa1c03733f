/* Stands between libfcgi and the sockets that it reads from. */
#include "gateway_reader.h"

#include <errno.h>
#include <fcgios.h>
#include <stddef.h>
#include <unistd.h>

#include "loop.h"

/* A peer that stops again and again gets this long for a request, from the second read on. */
#define REQUEST_TIMEOUT_MS 4000

/* The connection from which libfcgi is reading. */
static struct gateway_reader *current;

void gateway_reader_begin(struct gateway_reader *reader)
{
	reader->filter = (struct gateway_filter){ 0 };
	reader->reads_count = 0;
}

void gateway_reader_start(struct gateway_reader *reader)
{
	current = reader;
}

void gateway_reader_stop(void)
{
	current = NULL;
}

unsigned gateway_reader_id(const struct gateway_reader *reader)
{
	return reader->filter.id != 0 ? reader->filter.id : 1;
}

/* Most requests come in one read, which needs no clock. */
static bool is_late(struct gateway_reader *reader)
{
	if (reader->reads_count++ == 0)
		return false;
	if (reader->reads_count == 2)
		reader->read_since_ms = loop_now_ms();
	return loop_now_ms() - reader->read_since_ms > REQUEST_TIMEOUT_MS;
}

/* Once it has failed it fails at once: libfcgi may read on behind an error, and would wait again. */
static ssize_t read_some(struct gateway_reader *reader, int descriptor, char *buffer, size_t size)
{
	ssize_t count = -1;

	errno = EPROTO;
	if (!reader->has_failed && !is_late(reader))
		count = read(descriptor, buffer, size);
	if (count > 0 && gateway_filter_take(&reader->filter, buffer, (size_t)count))
		return count;
	reader->has_failed = true;
	return count < 0 ? -1 : 0;
}

/* libfcgi reads through this function. It brings one of its own, but the linker prefers the program's: so what it could
 * not bear is held up without another system call. A library built with -Bsymbolic would call its own:
 * tests/unit/gateway.c holds this against the installed one. */
int OS_Read(int fd, char *buf, size_t len)
{
	return (int)(current != NULL ? read_some(current, fd, buf, len) : read(fd, buf, len));
}
