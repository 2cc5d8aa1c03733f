/* Writes a struct http_response as FastCGI records. */
#include "gateway_response.h"

#include <fcgiapp.h>
#include <stdio.h>

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

static void put_response(FCGX_Stream *out, const struct http_response *response, bool has_body)
{
	put_header(out, response);
	if (has_body && response->body_size > 0)
		FCGX_PutStr(response->body, (int)response->body_size, out);
}

/* Closing the error stream first leaves END_REQUEST to the other, so that all goes out in one write. */
static bool end_request(FCGX_Request *fcgi)
{
	FCGX_FClose(fcgi->err);
	return FCGX_FClose(fcgi->out) == 0;
}

bool gateway_response_write(FCGX_Request *fcgi, const struct http_response *response, bool has_body)
{
	put_response(fcgi->out, response, has_body);
	return end_request(fcgi);
}

/* Flushed before, so that END_REQUEST goes out by itself and no write but its own is followed by something. */
void gateway_response_write_last(FCGX_Request *fcgi, struct gateway_peer *peer, const struct http_response *response,
				 bool has_body)
{
	put_response(fcgi->out, response, has_body);
	FCGX_FFlush(fcgi->out);
	gateway_peer_let_go_behind(peer);
	/* The connection is closed next, whether or not the peer has gone. */
	bool is_ended = end_request(fcgi);
	(void)is_ended;
}
