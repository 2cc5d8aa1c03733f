/* Arrays in PostgreSQL's binary form: what array_recv would read comes back as it was.
 * modules: database_array */
#include "database_array.h"
#include "tap.h"

#define HEADER_SIZE 20

static struct database_value value_of(const char *text)
{
	return (struct database_value){ text, strlen(text) };
}

static unsigned long number_at(const char *bytes)
{
	const unsigned char *at = (const unsigned char *)bytes;

	return (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 | (unsigned long)at[2] << 8 | at[3];
}

/* The bytes that a server sends for the same arrays: encode(array_send(ARRAY['a', '']), 'hex'). */
static void test_bytes(void)
{
	static const char two_texts[] = "\0\0\0\1"     /* one dimension */
					"\0\0\0\0"     /* no NULL */
					"\0\0\0\x19"   /* text */
					"\0\0\0\2"     /* two elements */
					"\0\0\0\1"     /* the first is number 1 */
					"\0\0\0\1a"    /* of one byte */
					"\0\0\0\0";    /* of none */
	static const char one_bigint[] = "\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0\1\0\0\0\1\0\0\0\x8\0\0\0\0\0\0\0\7";
	struct database_array array = { 0 };

	database_array_start(&array, DATABASE_TEXT);
	database_array_add(&array, value_of("a"));
	database_array_add(&array, value_of(""));
	struct database_value texts = database_array_end(&array);
	is_int(texts.size, sizeof two_texts - 1, "two texts: the size");
	ok(memcmp(texts.bytes, two_texts, texts.size) == 0, "two texts: the bytes");

	database_array_start(&array, DATABASE_BIGINT);
	database_array_add(&array, (struct database_value){ "\0\0\0\0\0\0\0\7", 8 });
	struct database_value bigint = database_array_end(&array);
	is_int(bigint.size, sizeof one_bigint - 1, "a bigint: the size");
	ok(memcmp(bigint.bytes, one_bigint, bigint.size) == 0, "a bigint: the bytes");

	database_array_start(&array, DATABASE_TIMESTAMPTZ);
	struct database_value empty = database_array_end(&array);
	is_int(empty.size, HEADER_SIZE, "no element: the header alone");
	is_int(number_at(empty.bytes + 8), 1184, "the number of timestamptz");
	is_int(number_at(empty.bytes + 12), 0, "no element: their number");
	database_array_close(&array);
}

/* Reads the element at the offset, moves the offset behind it; false when it is not this one. */
static bool take_element(struct database_value array, size_t *offset, struct database_value expected)
{
	if (array.size < *offset + 4 + expected.size || number_at(array.bytes + *offset) != expected.size)
		return false;
	bool is_same = memcmp(array.bytes + *offset + 4, expected.bytes, expected.size) == 0;
	*offset += 4 + expected.size;
	return is_same;
}

/* What means something in the text form means nothing here. */
static void test_elements(void)
{
	static const char *const elements[] = {
		"", "a", "\"", "\\", "\\\"", "NULL", "null", "{}", "{a,b}", ",", " ", "'", "\xC3\xA4", "\xF0\x9F\x98\x80", "\xFF",
		"\n\t\r", "$1", "",
	};
	struct database_array array = { 0 };
	size_t offset = HEADER_SIZE;

	database_array_start(&array, DATABASE_TEXT);
	for (size_t i = 0; i < COUNT_OF(elements); i++) {
		const char *edge = tap_copy_to_edge(elements[i], strlen(elements[i]));

		database_array_add(&array, (struct database_value){ edge, strlen(elements[i]) });
	}
	struct database_value value = database_array_end(&array);
	is_int(number_at(value.bytes + 12), COUNT_OF(elements), "the number of elements");
	for (size_t i = 0; i < COUNT_OF(elements); i++)
		ok(take_element(value, &offset, value_of(elements[i])), "element '%s'", elements[i]);
	is_int(offset, value.size, "and nothing behind them");
	database_array_close(&array);
}

/* Fills it with elements of 1, 2, 3, … bytes and looks whether all of them are there. */
static bool is_kept(struct database_array *array, size_t count)
{
	static char text[4096];
	size_t offset = HEADER_SIZE;
	bool is_right = true;

	database_array_start(array, DATABASE_TEXT);
	for (size_t i = 0; i < count; i++) {
		memset(text, (int)('a' + i % 26), i + 1);
		database_array_add(array, (struct database_value){ text, i + 1 });
	}
	struct database_value value = database_array_end(array);
	is_right = number_at(value.bytes) == 1 && number_at(value.bytes + 12) == count;
	for (size_t i = 0; i < count && is_right; i++) {
		memset(text, (int)('a' + i % 26), i + 1);
		is_right = take_element(value, &offset, (struct database_value){ text, i + 1 });
	}
	return is_right && offset == value.size;
}

/* Past several sizes of its memory: 3,000 elements are 4.5 MB. The memory of a large one is not kept. */
static void test_growth(void)
{
	static const size_t counts[] = { 3, 89, 90, 91, 180, 1000, 3, 3000, 1, 0, 200 };
	struct database_array array = { 0 };

	for (size_t i = 0; i < COUNT_OF(counts); i++)
		ok(is_kept(&array, counts[i]), "%zu elements, the last of as many bytes", counts[i]);
	ok(is_kept(&array, 3000), "a large one");
	size_t large_room = array.room;
	ok(is_kept(&array, 2), "and a small one");
	ok(array.room < large_room / 8, "in less memory");
	size_t small_room = array.room;
	ok(is_kept(&array, 3), "another small one");
	is_int(array.room, small_room, "in the same");
	database_array_close(&array);
	database_array_close(&array);
	ok(is_kept(&array, 5), "closed twice, it can be started again");
	database_array_close(&array);
}

/* The sanitizer ends the program where malloc would return NULL. */
static void test_no_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct database_array array = { 0 };

	database_array_start(&array, DATABASE_TEXT);
	database_array_add(&array, value_of("a"));
	/* More than there are addresses; the bytes are not looked at. */
	database_array_add(&array, (struct database_value){ "a", (size_t)1 << 56 });
	database_array_add(&array, value_of("b"));
	ok(database_array_end(&array).bytes == NULL, "no memory: there is no array");
	ok(is_kept(&array, 100), "no memory: the next one is as if nothing had been");
	database_array_close(&array);
#endif
}

int main(void)
{
	test_bytes();
	test_elements();
	test_growth();
	test_no_memory();
	return tap_done();
}
