#ifndef STORE_KEYS_H
#define STORE_KEYS_H

#include "digest.h"
#include "store_link.h"

/* Finds the key with this SHA-256 that is not revoked, and gives its id; RESULT_NOT_FOUND when there is none. Notes
 * at most once a minute that it was used. */
void store_find_key(struct store *store, const unsigned char hash[DIGEST_SIZE], store_key_function *done,
		    void *context);

#endif
