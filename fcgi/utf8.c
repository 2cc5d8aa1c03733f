/* Checks UTF-8 and counts its characters. */
#include "utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WORD_SIZE sizeof(uint64_t)

static bool is_word_ascii(const char *text)
{
	uint64_t word;

	memcpy(&word, text, WORD_SIZE);
	return (word & UINT64_C(0x8080808080808080)) == 0;
}

static size_t lead_size(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xC2 && lead <= 0xDF)
		return 2;
	if (lead >= 0xE0 && lead <= 0xEF)
		return 3;
	if (lead >= 0xF0 && lead <= 0xF4)
		return 4;
	return 0;
}

/* Overlong forms, surrogates and what is above U+10FFFF all show in the second byte. */
static bool is_second_byte(unsigned char lead, unsigned char second)
{
	unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
	unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;

	return second >= low && second <= high;
}

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

/* The size of the sequence that starts here; 0 where none does. */
static size_t sequence_size(const unsigned char *text, size_t text_size)
{
	size_t size = lead_size(text[0]);

	if (size > text_size)
		return 0;
	if (size >= 2 && !is_second_byte(text[0], text[1]))
		return 0;
	for (size_t i = 2; i < size; i++)
		if (!is_continuation(text[i]))
			return 0;
	return size;
}

size_t utf8_find_invalid(const char *text, size_t text_size)
{
	size_t offset = 0;

	while (offset < text_size) {
		if (text_size - offset >= WORD_SIZE && is_word_ascii(text + offset)) {
			offset += WORD_SIZE;
			continue;
		}
		size_t size = sequence_size((const unsigned char *)text + offset, text_size - offset);
		if (size == 0)
			return offset;
		offset += size;
	}
	return text_size;
}

size_t utf8_count_characters(const char *text, size_t text_size)
{
	size_t count = 0;

	for (size_t i = 0; i < text_size; i++)
		count += !is_continuation((unsigned char)text[i]);
	return count;
}
