/* Texts in memory that are written with stdio, and are whole or not at all. */
#include "text_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 1024

/* There is always room for a NUL. */
static bool make_room(struct text_stream *stream, size_t size)
{
	size_t room = stream->room > 0 ? stream->room : ROOM_MIN;

	while (room - stream->text_size <= size)
		room *= 2;
	char *text = room > stream->room ? realloc(stream->text, room) : stream->text;
	if (text == NULL)
		return false;
	stream->text = text;
	stream->room = room;
	return true;
}

/* See fopencookie(3): 0 makes the file remember an error. */
static ssize_t append(void *cookie, const char *bytes, size_t size)
{
	struct text_stream *stream = cookie;

	if (!make_room(stream, size)) {
		errno = ENOMEM;
		return 0;
	}
	memcpy(stream->text + stream->text_size, bytes, size);
	stream->text_size += size;
	return (ssize_t)size;
}

FILE *text_stream_open(struct text_stream *stream)
{
	*stream = (struct text_stream){ 0 };
	stream->file = fopencookie(stream, "w", (cookie_io_functions_t){ .write = append });
	return stream->file;
}

bool text_stream_close(struct text_stream *stream)
{
	if (stream->file == NULL)
		return false;
	bool is_whole = fflush(stream->file) == 0 && ferror(stream->file) == 0;
	is_whole = fclose(stream->file) == 0 && is_whole && make_room(stream, 0);
	if (is_whole) {
		stream->text[stream->text_size] = '\0';
		return true;
	}
	free(stream->text);
	stream->text = NULL;
	stream->text_size = 0;
	return false;
}
