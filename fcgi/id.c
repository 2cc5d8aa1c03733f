/* Makes new random ids and tells what can be one. */
#include "id.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

/* 64 characters, so that 6 bits of a random byte choose one without bias. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
_Static_assert(sizeof(alphabet) - 1 == 64, "6 bits choose one of 64 characters");

#define IDS_PER_REFILL 50

/* A forked copy of this process would give out the same ids; no part of the program forks. */
static unsigned char randomness[ID_SIZE * IDS_PER_REFILL];
static size_t randomness_used = sizeof(randomness);

static void refill(void)
{
	size_t size = 0;

	while (size < sizeof(randomness)) {
		ssize_t got = getrandom(randomness + size, sizeof(randomness) - size, 0);
		if (got < 0 && errno != EINTR)
			err(EXIT_FAILURE, "the kernel gives no random bytes");
		if (got > 0)
			size += (size_t)got;
	}
	randomness_used = 0;
}

void id_generate(char id[ID_SIZE + 1])
{
	if (randomness_used == sizeof(randomness))
		refill();
	for (size_t i = 0; i < ID_SIZE; i++)
		id[i] = alphabet[randomness[randomness_used + i] & 63];
	id[ID_SIZE] = '\0';
	randomness_used += ID_SIZE;
}

static bool is_id_character(char character)
{
	return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
	       (character >= '0' && character <= '9') || character == '_' || character == '-';
}

bool id_is_valid(const char *text, size_t text_size)
{
	if (text_size == 0 || text_size > ID_MAX)
		return false;
	for (size_t i = 0; i < text_size; i++)
		if (!is_id_character(text[i]))
			return false;
	return true;
}
