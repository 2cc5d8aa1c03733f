#ifndef KEYS_H
#define KEYS_H

#include "store_link.h"

/* Tells whether a key of the API is good. What is known is kept for half a second, so that most requests cost no round
 * trip, and a revoked key is refused within a second. Only digests are kept. */
struct keys;

struct keys *keys_open(struct store *store) MUST_CHECK;
void keys_close(struct keys *keys);

/* Calls `done` with the id of the key, from inside this call where it is known. RESULT_NOT_FOUND: it is none, or it
 * was revoked. */
void keys_check(struct keys *keys, const char *key, size_t key_size, store_key_function *done, void *context);

#endif
