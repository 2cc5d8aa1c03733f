/* Tests the check of UTF-8. modules: utf8 */
#include "utf8.h"

#include "tap.h"

/* A text in a table, NULs included. */
#define TEXT(literal) (literal), sizeof(literal) - 1

static const struct {
	size_t characters;
	const char *text;
	size_t text_size;
} valid_texts[] = {
	{ 0, TEXT("") },
	{ 1, TEXT("a") },
	{ 3, TEXT("a\0b") },
	{ 16, TEXT("exactly 16 bytes") },
	{ 1, TEXT("\x7f") },
	{ 1, TEXT("\xc2\x80") },
	{ 1, TEXT("\xdf\xbf") },
	{ 1, TEXT("\xe0\xa0\x80") },
	{ 1, TEXT("\xed\x9f\xbf") },
	{ 1, TEXT("\xee\x80\x80") },
	{ 1, TEXT("\xef\xbf\xbf") },
	{ 1, TEXT("\xf0\x90\x80\x80") },
	{ 1, TEXT("\xf4\x8f\xbf\xbf") },
	{ 16, TEXT("k\xc3\xa4the-kollwitz/\xf0\x9f\x98\x80") },
	{ 10, TEXT("1234567\xe6\x97\xa5" "89") },
};

static const struct {
	size_t offset;
	const char *text;
	size_t text_size;
} invalid_texts[] = {
	{ 0, TEXT("\x80") },
	{ 0, TEXT("\xbf" "a") },
	{ 0, TEXT("\xc0\xaf") },
	{ 0, TEXT("\xc1\xbf") },
	{ 0, TEXT("\xe0\x9f\xbf") },
	{ 0, TEXT("\xed\xa0\x80") },
	{ 0, TEXT("\xed\xbf\xbf") },
	{ 0, TEXT("\xf0\x8f\xbf\xbf") },
	{ 0, TEXT("\xf4\x90\x80\x80") },
	{ 0, TEXT("\xf5\x80\x80\x80") },
	{ 0, TEXT("\xf7\xbf\xbf\xbf") },
	{ 0, TEXT("\xff") },
	{ 0, TEXT("\xc3") },
	{ 0, TEXT("\xe6\x97") },
	{ 0, TEXT("\xf0\x9f\x98") },
	{ 0, TEXT("\xc3" "a") },
	{ 0, TEXT("\xe6\x97" "a") },
	{ 0, TEXT("\xf0\x9f\x98" "a") },
	{ 1, TEXT("a\xff") },
	{ 8, TEXT("12345678\xff") },
	{ 9, TEXT("123456789\xc3") },
	{ 10, TEXT("12345678\xc3\xa4\xa4") },
	{ 7, TEXT("1234567\xff" "12345678") },
};

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(valid_texts); i++) {
		size_t size = valid_texts[i].text_size;
		const char *text = tap_copy_to_edge(valid_texts[i].text, size);
		is_int(utf8_find_invalid(text, size), size, "valid text %zu is valid", i);
		is_int(utf8_count_characters(text, size), valid_texts[i].characters, "characters of text %zu", i);
	}
	for (size_t i = 0; i < COUNT_OF(invalid_texts); i++) {
		size_t size = invalid_texts[i].text_size;
		const char *text = tap_copy_to_edge(invalid_texts[i].text, size);
		is_int(utf8_find_invalid(text, size), invalid_texts[i].offset, "offset in invalid text %zu", i);
	}
	return tap_done();
}
