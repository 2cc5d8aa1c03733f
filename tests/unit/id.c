/* Tests ids. modules: id */
#include "id.h"

#include "tap.h"

#define IDS_COUNT 100000
#define ALPHABET_SIZE 64
#define ID_64 "0123456789012345678901234567890123456789012345678901234567890123"

static const struct {
	bool is_valid;
	const char *text;
	size_t text_size;
} ids[] = {
	{ true, "a", 1 },
	{ true, "AZaz09_-__", 10 },
	{ true, ID_64, 64 },
	{ true, "abc/def", 3 },
	{ false, "", 0 },
	{ false, ID_64 "4", 65 },
	{ false, "abc/def", 7 },
	{ false, "a.b", 3 },
	{ false, "a b", 3 },
	{ false, "a%62", 4 },
	{ false, "a\0b", 3 },
	{ false, "\xc3\xa4", 2 },
	{ false, "@", 1 },
	{ false, "[", 1 },
	{ false, "`", 1 },
	{ false, "{", 1 },
	{ false, ":", 1 },
	{ false, "\x7f", 1 },
};

static char generated[IDS_COUNT][ID_SIZE + 1];

static int compare_ids(const void *one, const void *other)
{
	return strcmp(one, other);
}

static size_t count_duplicates(void)
{
	size_t count = 0;

	qsort(generated, IDS_COUNT, sizeof(generated[0]), compare_ids);
	for (size_t i = 1; i < IDS_COUNT; i++)
		count += strcmp(generated[i - 1], generated[i]) == 0;
	return count;
}

/* Each character is expected at each place as often as any other. The limit is 7 standard deviations off,
 * so that chance fails this test once in hundreds of millions of runs. */
static bool is_even(size_t place)
{
	long counts[256] = { 0 };
	long expected = IDS_COUNT / ALPHABET_SIZE;
	int characters = 0;

	for (size_t i = 0; i < IDS_COUNT; i++)
		counts[(unsigned char)generated[i][place]]++;
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		if (counts[i] == 0)
			continue;
		characters++;
		if (labs(counts[i] - expected) > 7L * 40)
			return false;
	}
	return characters == ALPHABET_SIZE;
}

int main(void)
{
	size_t valid_count = 0;

	for (size_t i = 0; i < COUNT_OF(ids); i++)
		is_int(id_is_valid(tap_copy_to_edge(ids[i].text, ids[i].text_size), ids[i].text_size), ids[i].is_valid,
		       "whether id %zu is valid: %.*s", i, (int)ids[i].text_size, ids[i].text);
	memset(generated, 'x', sizeof(generated));
	for (size_t i = 0; i < IDS_COUNT; i++) {
		id_generate(generated[i]);
		valid_count += strlen(generated[i]) == ID_SIZE && id_is_valid(generated[i], ID_SIZE);
	}
	is_int(valid_count, IDS_COUNT, "generated ids are valid");
	is_int(count_duplicates(), 0, "generated ids differ");
	for (size_t place = 0; place < ID_SIZE; place++)
		ok(is_even(place), "every character is as frequent as any other at place %zu", place);
	return tap_done();
}
