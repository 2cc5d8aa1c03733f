/* Tests how the query of a visitor is appended to a Location. modules: forward */
#include "forward.h"

#include "tap.h"

static const struct {
	const char *forwarded;
	const char *location;
	const char *query;
} rows[] = {
	/* what stands between the two */
	{ "http://a.example/?b=1", "http://a.example/", "b=1" },
	{ "http://a.example?b=1", "http://a.example", "b=1" },
	{ "http://a.example/?a=0&b=1", "http://a.example/?a=0", "b=1" },
	{ "http://a.example/?b=1", "http://a.example/?", "b=1" },
	{ "http://a.example/?a=0&b=1", "http://a.example/?a=0&", "b=1" },
	{ "http://a.example/?&b=1", "http://a.example/?&", "b=1" },
	{ "http://a.example/?a=0&&b=1", "http://a.example/?a=0&&", "b=1" },
	{ "http://a.example/?a=?b=1", "http://a.example/?a=?", "b=1" },
	{ "http://a.example/&?b=1", "http://a.example/&", "b=1" },
	/* before the fragment, in which ? and & mean nothing */
	{ "http://a.example/?b=1#c", "http://a.example/#c", "b=1" },
	{ "http://a.example/?a=0&b=1#c", "http://a.example/?a=0#c", "b=1" },
	{ "http://a.example/?b=1#c", "http://a.example/?#c", "b=1" },
	{ "http://a.example/?a&b=1#c", "http://a.example/?a&#c", "b=1" },
	{ "http://a.example/?b=1#c?d", "http://a.example/#c?d", "b=1" },
	{ "http://a.example/?b=1#c&", "http://a.example/#c&", "b=1" },
	{ "http://a.example/?b=1#c#d", "http://a.example/#c#d", "b=1" },
	{ "http://a.example/?b=1#", "http://a.example/#", "b=1" },
	/* an empty query changes nothing */
	{ "http://a.example/", "http://a.example/", "" },
	{ "http://a.example/?", "http://a.example/?", "" },
	{ "http://a.example/?a=0&", "http://a.example/?a=0&", "" },
	{ "http://a.example/?a=0#c", "http://a.example/?a=0#c", "" },
	/* what the Location holds stays, encoded or not */
	{ "http://u:p@a.example:8080/%2f%zz%?a=%20+&a=1&b=1#%C3", "http://u:p@a.example:8080/%2f%zz%?a=%20+&a=1#%C3", "b=1" },
	/* so does the query, where it can */
	{ "http://a.example/?%20+%zz%&&==", "http://a.example/", "%20+%zz%&&==" },
	{ "http://a.example/??", "http://a.example/", "?" },
	{ "http://a.example/?&", "http://a.example/", "&" },
	{ "http://a.example/?a&&b", "http://a.example/?a", "&b" },
	{ "http://a.example/?!\"$'()*,-./:;<=>@[\\]^_`{|}~", "http://a.example/", "!\"$'()*,-./:;<=>@[\\]^_`{|}~" },
	/* what may not stand there is encoded, a byte at a time */
	{ "http://a.example/?a%23b%23", "http://a.example/", "a#b#" },
	{ "http://a.example/?%23#c", "http://a.example/#c", "#" },
	{ "http://a.example/?a%20b%20", "http://a.example/", "a b " },
	{ "http://a.example/?%0D%0ASet-Cookie:%20a", "http://a.example/", "\r\nSet-Cookie: a" },
	{ "http://a.example/?%01%09%1F%7F!~", "http://a.example/", "\x01\t\x1f\x7f!~" },
	{ "http://a.example/?%C3%A4%80%FF", "http://a.example/", "\xc3\xa4\x80\xff" },
};

static void test_rows(void)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		size_t location_size = strlen(rows[i].location);
		size_t forwarded_size = 0;
		char *forwarded = forward_query(tap_copy_to_edge(rows[i].location, location_size), location_size,
						rows[i].query, &forwarded_size);

		is_text(forwarded, rows[i].forwarded, "%s with %s", rows[i].location, rows[i].query);
		is_int(forwarded_size, strlen(rows[i].forwarded), "and its size");
		free(forwarded);
	}
}

/* Each byte but NUL, against a list of those that go through. */
static void test_bytes(void)
{
	static const char kept[] = "!\"$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
				   "abcdefghijklmnopqrstuvwxyz{|}~";
	int right = 0;

	for (int byte = 1; byte < 256; byte++) {
		const char query[] = { (char)byte, '\0' };
		char expected[32];
		size_t size;

		snprintf(expected, sizeof expected, strchr(kept, byte) != NULL ? "http://a/?%c" : "http://a/?%%%02X", byte);
		char *forwarded = forward_query("http://a/", 9, query, &size);
		right += forwarded != NULL && strcmp(forwarded, expected) == 0;
		free(forwarded);
	}
	is_int(right, 255, "every byte is kept or encoded as it should be");
}

/* When every byte takes three. */
static void test_growth(void)
{
	static char query[8193];
	size_t size = 0;

	memset(query, '\xff', sizeof query - 1);
	char *forwarded = forward_query("http://a/?b#c", 13, query, &size);
	is_int(size, 14 + 3 * (sizeof query - 1), "a long query has all the room it needs");
	is_int(forwarded != NULL ? strlen(forwarded) : 0, size, "and ends where it should");
	ok(forwarded != NULL && strcmp(forwarded + size - 5, "%FF#c") == 0, "with the fragment");
	free(forwarded);
}

int main(void)
{
	test_rows();
	test_bytes();
	test_growth();
	return tap_done();
}
