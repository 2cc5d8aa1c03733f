/* Tells whether a key of the API is good, and remembers that for half a second. */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "id.h"
#include "log.h"
#include "loop.h"
#include "store_keys.h"

/* 256 bits as base64url, without padding. */
#define KEY_SIZE 43

#define LIFETIME_MS 500

/* More keys than that in half a second are looked up again. */
#define KNOWN_MAX 64

struct known {
	unsigned char digest[DIGEST_SIZE];
	char id[ID_MAX + 1];
	int64_t until_ms;
};

struct keys {
	struct store *store;
	struct known known[KNOWN_MAX];
	size_t next; /* the one to be overwritten */
};

/* A key that is being looked up. */
struct lookup {
	struct keys *keys;
	store_key_function *done;
	void *context;
	int64_t started_ms;
	unsigned char digest[DIGEST_SIZE];
};

struct keys *keys_open(struct store *store)
{
	struct keys *keys = calloc(1, sizeof *keys);

	if (keys != NULL)
		keys->store = store;
	return keys;
}

void keys_close(struct keys *keys)
{
	free(keys);
}

/* All are compared, and each in constant time: how long it takes says nothing about a key. */
static const struct known *find_known(const struct keys *keys, const unsigned char digest[DIGEST_SIZE])
{
	const struct known *found = NULL;
	int64_t now_ms = loop_now_ms();

	for (size_t i = 0; i < KNOWN_MAX; i++)
		if (digest_is_equal(keys->known[i].digest, digest) && keys->known[i].until_ms > now_ms)
			found = &keys->known[i];
	return found;
}

/* Valid from when it was asked for, not from when the answer came. */
static void remember(struct keys *keys, const struct lookup *lookup, const char *id)
{
	struct known *known = &keys->known[keys->next];

	if (strlen(id) > ID_MAX)
		return;
	memcpy(known->digest, lookup->digest, DIGEST_SIZE);
	memcpy(known->id, id, strlen(id) + 1);
	known->until_ms = lookup->started_ms + LIFETIME_MS;
	keys->next = (keys->next + 1) % KNOWN_MAX;
}

static void key_found(void *context, enum result result, const char *id)
{
	struct lookup *lookup = context;

	if (result == RESULT_OK)
		remember(lookup->keys, lookup, id);
	lookup->done(lookup->context, result, id);
	free(lookup);
}

static void look_up(struct keys *keys, const unsigned char digest[DIGEST_SIZE], store_key_function *done, void *context)
{
	struct lookup *lookup = malloc(sizeof *lookup);

	if (lookup == NULL) {
		log_error("out of memory");
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	*lookup = (struct lookup){ .keys = keys, .done = done, .context = context, .started_ms = loop_now_ms() };
	memcpy(lookup->digest, digest, DIGEST_SIZE);
	store_find_key(keys->store, digest, key_found, lookup);
}

void keys_check(struct keys *keys, const char *key, size_t key_size, store_key_function *done, void *context)
{
	unsigned char digest[DIGEST_SIZE];

	if (key_size != KEY_SIZE) {
		done(context, RESULT_NOT_FOUND, NULL);
		return;
	}
	if (!digest_write(key, key_size, digest)) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	const struct known *known = find_known(keys, digest);
	if (known != NULL)
		done(context, RESULT_OK, known->id);
	else
		look_up(keys, digest, done, context);
}
