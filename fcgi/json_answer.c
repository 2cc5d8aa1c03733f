/* Writes the JSON of the small answers. */
#include "json_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything is written twice: without a text first, to know its size. */
struct pen {
	char *text;
	size_t size;
};

static void put(struct pen *pen, const char *bytes, size_t size)
{
	if (pen->text != NULL)
		memcpy(pen->text + pen->size, bytes, size);
	pen->size += size;
}

static void put_text(struct pen *pen, const char *text)
{
	put(pen, text, strlen(text));
}

/* RFC 8259 section 7: what must not stand in a string as it is. */
static void put_escaped(struct pen *pen, unsigned char character)
{
	static const char characters[] = "\"\\\b\f\n\r\t";
	static const char escapes[] = "\"\\bfnrt";
	const char *found = strchr(characters, character);

	if (found != NULL) {
		put(pen, (const char[]){ '\\', escapes[found - characters] }, 2);
	} else {
		char unit[8];

		put(pen, unit, (size_t)snprintf(unit, sizeof unit, "\\u%04x", character));
	}
}

/* How many bytes of the text may stand in a string as they are. */
static size_t plain_size(const char *text)
{
	size_t size = 0;

	while ((unsigned char)text[size] >= 0x20 && text[size] != '"' && text[size] != '\\')
		size++;
	return size;
}

static void put_string(struct pen *pen, const char *text)
{
	put_text(pen, "\"");
	for (;;) {
		size_t size = plain_size(text);

		put(pen, text, size);
		text += size;
		if (*text == '\0')
			break;
		put_escaped(pen, (unsigned char)*text++);
	}
	put_text(pen, "\"");
}

struct member {
	const char *name; /* in need of no escapes */
	const char *value;
};

/* No answer has the status 0. */
static void put_object(struct pen *pen, int status, const struct member members[], size_t members_count)
{
	put_text(pen, "{");
	if (status != 0) {
		char number[32];

		put(pen, number, (size_t)snprintf(number, sizeof number, "\"status\":%d,", status));
	}
	for (size_t i = 0; i < members_count; i++) {
		put_text(pen, i == 0 ? "\"" : ",\"");
		put_text(pen, members[i].name);
		put_text(pen, "\":");
		put_string(pen, members[i].value);
	}
	put_text(pen, "}");
}

static char *write_object(int status, const struct member members[], size_t members_count, size_t *text_size)
{
	struct pen pen = { .text = NULL };

	put_object(&pen, status, members, members_count);
	pen.text = malloc(pen.size + 1);
	if (pen.text == NULL)
		return NULL;
	*text_size = pen.size;
	pen.size = 0;
	put_object(&pen, status, members, members_count);
	pen.text[pen.size] = '\0';
	return pen.text;
}

char *json_answer_link_status(int status, const char *srcurl, const char *shortened_url, size_t *text_size)
{
	const struct member members[] = { { "srcUrl", srcurl }, { "shortenedUrl", shortened_url } };

	return write_object(status, members, 2, text_size);
}

char *json_answer_link(const char *srcurl, const char *shortened_url, size_t *text_size)
{
	return json_answer_link_status(0, srcurl, shortened_url, text_size);
}

char *json_answer_error_status(int status, const char *message, size_t *text_size)
{
	const struct member members[] = { { "errMsg", message } };

	return write_object(status, members, 1, text_size);
}

char *json_answer_error(const char *message, size_t *text_size)
{
	return json_answer_error_status(0, message, text_size);
}
