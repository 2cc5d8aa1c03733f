#ifndef FUZZ_H
#define FUZZ_H

/* What the fuzzers share: libFuzzer calls LLVMFuzzerTestOneInput with one input after the other, and a fuzzer calls
 * must() for what has to be true of each. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_UNUSED __attribute__((unused))

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* must(condition) is what makes an input a finding. */
#define must(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

FUZZ_UNUSED static _Noreturn void fuzz_fail(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

/* Memory of exactly this size, so that the address sanitizer sees what is read behind it. Freed by free(3). */
FUZZ_UNUSED static void *fuzz_allocate(size_t size)
{
	/* A block of no bytes is one here. NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
	void *memory = calloc(1, size);

	must(memory != NULL || size == 0);
	return memory;
}

/* A copy of a text with a NUL behind it, up to the first NUL inside. Freed by free(3). */
FUZZ_UNUSED static char *fuzz_copy_text(const char *text, size_t text_size)
{
	size_t size = strnlen(text, text_size);
	char *copy = fuzz_allocate(size + 1);

	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

/* Where an input has several parts, each but the last is a line, so that seeds can be read and written by hand. */
struct fuzz_input {
	const char *at;
	const char *end;
};

FUZZ_UNUSED static struct fuzz_input fuzz_start(const uint8_t *data, size_t size)
{
	const char *start = (const char *)data;

	return (struct fuzz_input){ start, start + size };
}

FUZZ_UNUSED static size_t fuzz_size_left(const struct fuzz_input *input)
{
	return (size_t)(input->end - input->at);
}

/* Takes the next line, as fuzz_copy_text. */
FUZZ_UNUSED static char *fuzz_take_line(struct fuzz_input *input)
{
	const char *newline = input->at == input->end ? NULL : memchr(input->at, '\n', fuzz_size_left(input));
	const char *end = newline != NULL ? newline : input->end;
	char *line = fuzz_copy_text(input->at, (size_t)(end - input->at));

	input->at = newline != NULL ? newline + 1 : input->end;
	return line;
}

/* Takes all that is left, as fuzz_copy_text. */
FUZZ_UNUSED static char *fuzz_take_rest(struct fuzz_input *input)
{
	char *rest = fuzz_copy_text(input->at, fuzz_size_left(input));

	input->at = input->end;
	return rest;
}

FUZZ_UNUSED static bool fuzz_is_equal(const char *text, size_t text_size, const char *other, size_t other_size)
{
	return text_size == other_size && (text_size == 0 || memcmp(text, other, text_size) == 0);
}

FUZZ_UNUSED static bool fuzz_is_printable(char character)
{
	return character > 0x20 && character < 0x7f;
}

FUZZ_UNUSED static bool fuzz_is_all_printable(const char *text, size_t text_size)
{
	for (size_t i = 0; i < text_size; i++)
		if (!fuzz_is_printable(text[i]))
			return false;
	return true;
}

/* C0, DEL and C1 in valid UTF-8. */
FUZZ_UNUSED static bool fuzz_has_control(const char *text, size_t text_size)
{
	for (size_t i = 0; i < text_size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte < 0x20 || byte == 0x7f)
			return true;
		if (byte == 0xc2 && i + 1 < text_size && (unsigned char)text[i + 1] < 0xa0)
			return true;
	}
	return false;
}

/* The value of a hexadecimal digit; -1 where it is none. */
FUZZ_UNUSED static int fuzz_hex_value(char digit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = digit == '\0' ? NULL : strchr(digits, digit);

	return found == NULL ? -1 : (int)((found - digits) % 16);
}

/* Decodes %XX, and + to a blank where plus_is_blank; -1 at a % without two digits, otherwise the size. As simple as it
 * can be, to compare with. */
FUZZ_UNUSED static long fuzz_percent_decode(const char *text, size_t text_size, bool plus_is_blank, char *decoded)
{
	long size = 0;

	for (size_t i = 0; i < text_size; i++) {
		int high = text_size - i > 2 ? fuzz_hex_value(text[i + 1]) : -1;
		int low = text_size - i > 2 ? fuzz_hex_value(text[i + 2]) : -1;

		if (text[i] == '%' && (high < 0 || low < 0))
			return -1;
		if (text[i] == '%') {
			decoded[size++] = (char)(high * 16 + low);
			i += 2;
		} else if (text[i] == '+' && plus_is_blank) {
			decoded[size++] = ' ';
		} else {
			decoded[size++] = text[i];
		}
	}
	return size;
}

/* Percent-encodes what may not stand in a URL, and `also`; returns the size. `encoded` has room for three times the
 * text. */
FUZZ_UNUSED static size_t fuzz_percent_encode(const char *text, size_t text_size, char also, char *encoded)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t size = 0;

	for (size_t i = 0; i < text_size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (fuzz_is_printable(text[i]) && text[i] != also) {
			encoded[size++] = text[i];
			continue;
		}
		encoded[size++] = '%';
		encoded[size++] = digits[byte / 16];
		encoded[size++] = digits[byte % 16];
	}
	return size;
}

#endif
