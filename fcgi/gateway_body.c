/* Reads the body of a FastCGI request to the end of its stream. */
#include "gateway_body.h"

#include <errno.h>
#include <fcgiapp.h>
#include <stdio.h>
#include <stdlib.h>

/* What is read of a body that is too large, so that the web server gets to read the answer. */
#define DISCARDED_MAX ((size_t)64 << 20)

#define CHUNK_SIZE 8192

/* -1: absent; -2: no number. Both servers send digits only. */
static long long parse_length(const char *text)
{
	char *end;
	long long length;

	if (*text == '\0')
		return -1;
	errno = 0;
	length = strtoll(text, &end, 10);
	return errno == 0 && *end == '\0' && *text >= '0' && *text <= '9' ? length : -2;
}

/* Returns how many bytes were left. */
static size_t discard_rest(FCGX_Stream *in)
{
	char chunk[CHUNK_SIZE];
	size_t discarded = 0;
	int size;

	while (discarded < DISCARDED_MAX && (size = FCGX_GetStr(chunk, sizeof chunk, in)) > 0)
		discarded += (size_t)size;
	return discarded;
}

static bool is_at_end(FCGX_Stream *in)
{
	int first = FCGX_GetChar(in);

	if (first != EOF)
		FCGX_UnGetChar(first, in);
	return first == EOF;
}

static bool read_text(struct gateway_body *body, FCGX_Stream *in, size_t wanted)
{
	body->text = malloc(wanted + 1);
	if (body->text == NULL)
		return false;
	body->size = (size_t)FCGX_GetStr(body->text, (int)wanted, in);
	body->text[body->size] = '\0';
	return true;
}

void gateway_body_clear(struct gateway_body *body)
{
	free(body->text);
	body->text = NULL;
	body->size = 0;
}

bool gateway_body_read(struct gateway_body *body, FCGX_Stream *in, const char *content_length, size_t size_max)
{
	long long length = parse_length(content_length);
	size_t wanted = length < 0 || (size_t)length > size_max ? size_max : (size_t)length;

	*body = (struct gateway_body){ 0 };
	/* Read all the same, so that the web server gets to read the answer. */
	body->is_lost = !is_at_end(in) && !read_text(body, in, wanted);
	size_t discarded = discard_rest(in);
	size_t received = body->size + discarded;
	if (FCGX_GetError(in) != 0 || discarded >= DISCARDED_MAX) {
		gateway_body_clear(body);
		return false;
	}
	body->is_too_large = received > size_max || (length > 0 && (size_t)length > size_max);
	body->is_short = length != -1 && (length < 0 || (size_t)length != received);
	if (body->is_too_large || body->is_short)
		gateway_body_clear(body);
	return true;
}
