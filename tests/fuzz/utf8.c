/* Fuzzes the check of UTF-8 and percent-encoded triplets against second, simple readers.
 * modules: utf8 percent; max_len: 128 */
#include "utf8.h"

#include "fuzz.h"
#include "percent.h"

/* The size of the character at the beginning, by its code point; 0 where there is none. */
static size_t character_size(const unsigned char *text, size_t size)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t wanted = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : text[0] >> 3 == 30 ? 4 : 0;
	uint32_t code_point = wanted == 1 ? text[0] : text[0] & (0x7FU >> wanted);

	if (wanted == 0 || wanted > size)
		return 0;
	for (size_t i = 1; i < wanted; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		code_point = code_point << 6 | (text[i] & 0x3FU);
	}
	if (code_point < smallest[wanted] || code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF))
		return 0;
	return wanted;
}

static size_t find_invalid(const unsigned char *text, size_t size, size_t *count)
{
	size_t offset = 0;

	for (*count = 0; offset < size; ++*count) {
		size_t taken = character_size(text + offset, size - offset);
		if (taken == 0)
			break;
		offset += taken;
	}
	return offset;
}

/* Wherever the text begins in memory, and whatever stands before it. */
static void check_utf8(const uint8_t *data, size_t size)
{
	size_t count = 0;
	size_t invalid = find_invalid(data, size, &count);

	for (size_t before = 0; before < 9; before++) {
		char *text = fuzz_allocate(before + size);

		memset(text, 'a', before);
		if (size > 0)
			memcpy(text + before, data, size);
		must(utf8_find_invalid(text, before + size) == before + invalid);
		must(utf8_find_invalid(text + before, size) == invalid);
		must(invalid < size || utf8_count_characters(text, before + size) == before + count);
		free(text);
	}
}

static void check_triplet(const uint8_t *data, size_t size)
{
	char *text = fuzz_allocate(size);
	int high = size > 2 ? fuzz_hex_value((char)data[1]) : -1;
	int low = size > 2 ? fuzz_hex_value((char)data[2]) : -1;
	bool is_triplet = size > 2 && data[0] == '%' && high >= 0 && low >= 0;

	memcpy(text, data, size);
	must(percent_parse_triplet(text, size) == (is_triplet ? high * 16 + low : -1));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_utf8(data, size);
	for (size_t i = 0; i < size; i++)
		for (size_t length = 1; length <= 4 && length <= size - i; length++)
			check_triplet(data + i, length);
	return 0;
}
