/* Tests SHA-256 by known answers, and the comparing of digests. modules: digest */
#include "digest.h"

#include "tap.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

/* The first three are the examples of NIST; a text of 55 bytes is the longest that fits into one block. */
static const struct {
	const char *digest;
	const char *text;
	size_t text_size;
} digests[] = {
	{ "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", TEXT("") },
	{ "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", TEXT("abc") },
	{ "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	  TEXT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") },
	{ "f34d5a0f80c0cbf84c8c0b90218c22637abd199965249da736a20143c8c9c9d9",
	  TEXT("0123456789012345678901234567890123456789012345678901234") },
	{ "2022a6bdcd9838f4dce4492c1b4e3f35689ee927d308430b4c0a9a756e403c95", TEXT("AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-AbCdE") },
	{ "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", TEXT("\0") },
};

#define HEX_SIZE ((size_t)DIGEST_SIZE * 2)

static void encode_hex(const unsigned char digest[DIGEST_SIZE], char hex[HEX_SIZE + 1])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < DIGEST_SIZE; i++) {
		hex[i * 2] = digits[digest[i] >> 4];
		hex[i * 2 + 1] = digits[digest[i] & 15];
	}
	hex[HEX_SIZE] = '\0';
}

static void test_digest(size_t i)
{
	unsigned char digest[DIGEST_SIZE] = { 0 };
	char hex[HEX_SIZE + 1];

	ok(digest_write(tap_copy_to_edge(digests[i].text, digests[i].text_size), digests[i].text_size, digest),
	   "makes a digest of %zu bytes", digests[i].text_size);
	encode_hex(digest, hex);
	is_text(hex, digests[i].digest, "digest of %zu bytes", digests[i].text_size);
}

static void test_equality(void)
{
	unsigned char a[DIGEST_SIZE] = { 0 };
	unsigned char b[DIGEST_SIZE] = { 0 };
	size_t equal_count = 0;

	ok(digest_is_equal(a, b), "digests of the same bytes are equal");
	ok(digest_is_equal(a, a), "a digest is equal to itself");
	for (size_t bit = 0; bit < (size_t)DIGEST_SIZE * 8; bit++) {
		b[bit / 8] = (unsigned char)(1U << bit % 8);
		equal_count += digest_is_equal(a, b);
		b[bit / 8] = 0;
	}
	is_int(equal_count, 0, "digests that differ in one bit, whichever, are not equal");
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(digests); i++)
		test_digest(i);
	test_equality();
	return tap_done();
}
