#ifndef TEXT_STREAM_H
#define TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "result.h"

/* A text that is written with stdio. open_memstream of glibc does the same, but says nothing when memory has run out:
 * the text would lack what came then. */
struct text_stream {
	FILE *file; /* NULL: there was no memory for it */
	char *text; /* owned, with a NUL behind it once it is closed */
	size_t text_size;
	size_t room;
};

/* Returns its file. The struct must stay where it is until it is closed. */
FILE *text_stream_open(struct text_stream *stream) MUST_CHECK;

/* True: all of the text is there, and the caller's to free. False, also where there is no file: it is NULL. */
bool text_stream_close(struct text_stream *stream) MUST_CHECK;

#endif
