/* Makes SHA-256 digests and compares them, by libcrypto. */
#include "digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

bool digest_write(const void *bytes, size_t bytes_size, unsigned char digest[DIGEST_SIZE])
{
	return EVP_Digest(bytes, bytes_size, digest, NULL, EVP_sha256(), NULL) == 1;
}

bool digest_is_equal(const unsigned char a[DIGEST_SIZE], const unsigned char b[DIGEST_SIZE])
{
	return CRYPTO_memcmp(a, b, DIGEST_SIZE) == 0;
}
