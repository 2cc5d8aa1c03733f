#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

/* SHA-256 (FIPS 180-4), and comparing in constant time: the only module that knows libcrypto. */

#define DIGEST_SIZE 32

/* False when libcrypto fails, for want of memory. */
bool digest_write(const void *bytes, size_t bytes_size, unsigned char digest[DIGEST_SIZE]) MUST_CHECK;

/* Whether two digests are equal, in a time that does not tell where they differ. */
bool digest_is_equal(const unsigned char a[DIGEST_SIZE], const unsigned char b[DIGEST_SIZE]);

#endif
