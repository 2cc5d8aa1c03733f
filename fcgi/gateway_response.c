/* Writes a struct http_response as FastCGI records. */
#include "gateway_response.h"

#include <fcgiapp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LET_GO_SIZE 8

static void put(FCGX_Stream *out, const char *name, const char *value)
{
	if (value == NULL)
		return;
	FCGX_PutS(name, out);
	FCGX_PutS(value, out);
	FCGX_PutStr("\r\n", 2, out);
}

static void put_number(FCGX_Stream *out, const char *name, size_t value)
{
	char number[24];

	snprintf(number, sizeof number, "%zu", value);
	put(out, name, number);
}

static void put_header(FCGX_Stream *out, const struct http_response *response)
{
	char status[64];

	snprintf(status, sizeof status, "%d %s", response->status, http_status_phrase(response->status));
	put(out, "Status: ", status);
	put(out, "Content-Type: ", response->content_type);
	/* A 204 has no length (RFC 9110 section 8.6). */
	if (response->status != 204)
		put_number(out, "Content-Length: ", response->body_size);
	put(out, "Location: ", response->location);
	put(out, "Cache-Control: ", response->cache_control);
	put(out, "Allow: ", response->allow);
	put(out, "WWW-Authenticate: ", response->www_authenticate);
	if (response->retry_after_s > 0)
		put_number(out, "Retry-After: ", (size_t)response->retry_after_s);
	put(out, "Vary: ", response->varies_by_accept ? "Accept" : NULL);
	put(out, "Content-Security-Policy: ", response->content_security_policy);
	put(out, "X-Content-Type-Options: ", "nosniff");
	FCGX_PutStr("\r\n", 2, out);
}

bool gateway_response_write(FCGX_Request *fcgi, const struct http_response *response, bool has_body)
{
	put_header(fcgi->out, response);
	if (has_body && response->body_size > 0)
		FCGX_PutStr(response->body, (int)response->body_size, fcgi->out);
	/* Closing the error stream first leaves END_REQUEST to the other, so that all goes out in one write. */
	FCGX_FClose(fcgi->err);
	return FCGX_FClose(fcgi->out) == 0;
}

/* In one system call, so that the web server reads the end of the request together with what follows. */
static void send_file(int descriptor, int file)
{
	struct stat status;
	void *bytes;

	if (fstat(file, &status) != 0 || status.st_size == 0)
		return;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		return;
	/* A peer that has gone gets nothing, and the connection is closed next anyway. */
	ssize_t sent = send(descriptor, bytes, (size_t)status.st_size, MSG_NOSIGNAL);
	(void)sent;
	munmap(bytes, (size_t)status.st_size);
}

/* FastCGI has no word for "I shall close this connection", and a request that nginx sends on it in that
 * moment would be lost: nginx does not repeat a POST. But nginx keeps a connection only when nothing
 * follows END_REQUEST, and as long as nothing comes on it, so one more record, of an empty error stream, makes it let
 * go. In front of an answer this record says nothing. */
static void make_let_go(unsigned char record[LET_GO_SIZE], unsigned id)
{
	const unsigned char header[LET_GO_SIZE] = { 1, 7, (unsigned char)(id >> 8), (unsigned char)id };

	memcpy(record, header, sizeof header);
}

void gateway_response_write_let_go(int descriptor, unsigned id)
{
	unsigned char record[LET_GO_SIZE];

	make_let_go(record, id);
	ssize_t sent = send(descriptor, record, sizeof record, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* A peer that has gone, or has not read for long, is closed anyway. */
	(void)sent;
}

/* libfcgi writes nothing behind END_REQUEST; so it writes to memory here. */
bool gateway_response_write_last(FCGX_Request *fcgi, unsigned id, const struct http_response *response, bool has_body)
{
	unsigned char record[LET_GO_SIZE];
	int connection = fcgi->ipcFd;
	int memory = memfd_create("response", MFD_CLOEXEC);

	if (memory >= 0)
		fcgi->ipcFd = memory;
	bool is_written = gateway_response_write(fcgi, response, has_body);
	fcgi->ipcFd = connection;
	if (memory < 0)
		return !is_written;
	make_let_go(record, id);
	if (is_written && write(memory, record, sizeof record) == sizeof record)
		send_file(connection, memory);
	close(memory);
	return true;
}
