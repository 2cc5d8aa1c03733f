#ifndef JSON_ANSWER_H
#define JSON_ANSWER_H

#include <stddef.h>

/* The JSON of the small answers. Each writes one answer without white space and without \/ escapes, byte for byte as
 * json-c does, but json-c says nothing when memory was too short for a part of it. The text is owned by the caller,
 * freed by free(3); *text_size is its size without the NUL. NULL when memory is short.
 * The strings must be valid UTF-8. */
char *json_answer_link(const char *srcurl, const char *shortened_url, size_t *text_size); /* {"srcUrl","shortenedUrl"} */
char *json_answer_error(const char *message, size_t *text_size);                          /* {"errMsg"} */

/* The same as elements of the answer to many at once, with the member "status" before the others. */
char *json_answer_link_status(int status, const char *srcurl, const char *shortened_url, size_t *text_size);
char *json_answer_error_status(int status, const char *message, size_t *text_size);

#endif
