/* Tests the reading of forms. modules: form_body http percent utf8 */
#include "form_body.h"

#include "tap.h"

#define BAD_PERCENT "The form or query has a % without two hexadecimal digits behind it; a plain % is %25"
#define BAD_CONTROL "The form or query must not contain NUL"
#define BAD_ENCODING "The form or query is not valid UTF-8"
#define BAD_TWICE "The form or query names a field twice"
#define BAD_MANY "The form or query has more than 64 fields"

#define TEXT(literal) (literal), sizeof(literal) - 1

static const struct {
	const char *text;
	size_t text_size;
	const char *value;   /* of the field srcUrl; NULL: there is none */
	const char *unknown; /* the first field that is neither srcUrl nor slug */
} forms[] = {
	{ TEXT(""), NULL, NULL },
	{ TEXT("&"), NULL, NULL },
	{ TEXT("&&&"), NULL, NULL },
	{ TEXT("="), NULL, "" },
	{ TEXT("=x"), NULL, "" },
	{ TEXT("srcUrl"), "", NULL },
	{ TEXT("srcUrl="), "", NULL },
	{ TEXT("srcUrl=a"), "a", NULL },
	{ TEXT("srcUrl=a&"), "a", NULL },
	{ TEXT("&&srcUrl=a&&slug=b"), "a", NULL },
	{ TEXT("slug=b&srcUrl=a=b=c"), "a=b=c", NULL },
	{ TEXT("srcUrl=http%3A%2F%2Fa.example%2F%3Fq%3D1%26r+s%2B"), "http://a.example/?q=1&r s+", NULL },
	{ TEXT("src%55rl=a"), "a", NULL },
	{ TEXT("srcUrl=k%C3%A4the"), "k\xc3\xa4the", NULL },
	{ TEXT("srcUrl=k\xc3\xa4the"), "k\xc3\xa4the", NULL },
	{ TEXT("srcUrl=%0D%0A"), "\r\n", NULL },
	{ TEXT("srcurl=a"), NULL, "srcurl" },
	{ TEXT("slug=b&srcUrl=a&titel=c&x"), "a", "titel" },
};

static const struct {
	const char *text;
	size_t text_size;
	const char *problem;
} refused[] = {
	{ TEXT("srcUrl=%"), BAD_PERCENT },
	{ TEXT("srcUrl=%4"), BAD_PERCENT },
	{ TEXT("srcUrl=%zz"), BAD_PERCENT },
	{ TEXT("%=a"), BAD_PERCENT },
	{ TEXT("a=%4&1=2"), BAD_PERCENT },
	{ TEXT("srcUrl=a%00"), BAD_CONTROL },
	{ TEXT("srcUrl=a\0b"), BAD_CONTROL },
	{ TEXT("srcUrl%00x=a"), BAD_CONTROL },
	{ TEXT("srcUrl=%C0%AF"), BAD_ENCODING },
	{ TEXT("srcUrl=\xff"), BAD_ENCODING },
	{ TEXT("%FF=a"), BAD_ENCODING },
	{ TEXT("srcUrl=%C3&x=%A4"), BAD_ENCODING },
	{ TEXT("srcUrl=a&srcUrl=a"), BAD_TWICE },
	{ TEXT("srcUrl=a&slug=b&src%55rl"), BAD_TWICE },
	{ TEXT("=&="), BAD_TWICE },
};

static void test_form(size_t i)
{
	static const char *const names[] = { "srcUrl", "slug" };
	const char *text = tap_copy_to_edge(forms[i].text, forms[i].text_size);
	const char *problem = "unset";
	size_t size = 0;
	struct form_body *form = form_body_parse(text, forms[i].text_size, &problem);

	is_text(problem, NULL, "no problem with %s", forms[i].text);
	if (form == NULL)
		return;
	const char *value = form_body_find(form, "srcUrl", &size);
	is_text(value, forms[i].value, "srcUrl in %s", forms[i].text);
	is_int(size, value == NULL ? 0 : strlen(value), "size of srcUrl in %s", forms[i].text);
	is_text(form_body_find_unknown(form, names, COUNT_OF(names)), forms[i].unknown, "unknown field in %s",
		forms[i].text);
	form_body_free(form);
}

static void test_refused(const char *text, size_t text_size, const char *expected)
{
	const char *problem = NULL;
	struct form_body *form = form_body_parse(tap_copy_to_edge(text, text_size), text_size, &problem);

	ok(form == NULL, "refuses %s", text);
	is_text(problem, expected, "problem with %s", text);
	form_body_free(form);
}

/* The shortest fields take the most room for NULs compared with the text. */
static void test_number_of_fields(void)
{
	static const char fields[] = "0&1&2&3&4&5&6&7&8&9&A&B&C&D&E&F&G&H&I&J&K&L&M&N&O&P&Q&R&S&T&U&V&"
				     "W&X&Y&Z&a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u&v&w&x&y&z&_&-&.";
	const char *problem = NULL;
	size_t size_of_64 = strlen(fields) - strlen("&.");
	struct form_body *form = form_body_parse(tap_copy_to_edge(fields, size_of_64), size_of_64, &problem);

	ok(form != NULL, "takes 64 fields");
	form_body_free(form);
	test_refused(fields, strlen(fields), BAD_MANY);
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(forms); i++)
		test_form(i);
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		test_refused(refused[i].text, refused[i].text_size, refused[i].problem);
	test_number_of_fields();
	form_body_free(NULL);
	return tap_done();
}
