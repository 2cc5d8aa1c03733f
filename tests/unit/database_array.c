/* Array literals of PostgreSQL: each element comes back as it was.
 * modules: database_array */
#include "database_array.h"
#include "tap.h"

static void test_literals(void)
{
	static const struct {
		const char *elements[3];
		const char *literal;
	} rows[] = {
		{ { NULL }, "{}" },
		{ { "" }, "{\"\"}" },
		{ { "a" }, "{\"a\"}" },
		{ { "a", "b" }, "{\"a\",\"b\"}" },
		{ { "NULL", "{}", "a,b" }, "{\"NULL\",\"{}\",\"a,b\"}" },
		{ { "\"", "\\", "\\\"" }, "{\"\\\"\",\"\\\\\",\"\\\\\\\"\"}" },
		{ { " ", "\xC3\xA4", "'" }, "{\" \",\"\xC3\xA4\",\"'\"}" },
	};
	struct database_array array = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		database_array_start(&array);
		for (size_t k = 0; k < COUNT_OF(rows[i].elements) && rows[i].elements[k] != NULL; k++)
			database_array_add(&array, rows[i].elements[k]);
		is_text(database_array_end(&array), rows[i].literal, "%s", rows[i].literal);
	}
	database_array_close(&array);
}

/* Every byte that must be escaped, past several sizes of the memory. */
static void test_growth(void)
{
	enum { SIZE = 9000 };
	static char element[SIZE + 1];
	struct database_array array = { 0 };
	bool is_whole = true;

	memset(element, '"', SIZE);
	database_array_start(&array);
	for (int i = 0; i < 3; i++)
		database_array_add(&array, element);
	const char *literal = database_array_end(&array);
	is_int(strlen(literal), 3 * (2 * SIZE + 2) + 2 + 2, "three elements of nothing but quotes");
	for (int i = 0; i < SIZE; i++)
		is_whole = is_whole && literal[2 + 2 * i] == '\\' && literal[3 + 2 * i] == '"';
	ok(is_whole, "each with its backslash");
	database_array_close(&array);
	database_array_close(&array);
}

int main(void)
{
	test_literals();
	test_growth();
	return tap_done();
}
