#ifndef ID_H
#define ID_H

#include <stdbool.h>
#include <stddef.h>

/* An id stands in the path of a short URL. Generated ones are nanoids: ID_SIZE characters of
 * A-Za-z0-9_-, which is 60 random bits. Ids chosen by people use the same alphabet, up to ID_MAX. */
#define ID_SIZE 10
#define ID_MAX 64

/* Writes a new random id and its NUL. The randomness is getrandom(2)'s, fetched for many ids at a
 * time. The process ends if the kernel has none to give: an id that can be guessed is worse. */
void id_generate(char id[ID_SIZE + 1]);

/* Whether these bytes can be an id: 1 to ID_MAX characters of the alphabet. `text` needs no NUL. */
bool id_is_valid(const char *text, size_t text_size);

#endif
