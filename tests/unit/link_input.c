/* Tests the reading of what clients say of a link.
 * modules: link_input link_member link_rules rfc3339 json_body memory_reserve json_scan form_body http percent url url_host utf8 id */
#include "link_input.h"

#include "rfc3339.h"
#include "tap.h"

#define MISSING "Parameter 'srcUrl' is missing"
#define STRING(name) "Parameter '" name "' must be a string"
#define NO_NULL(name) "Parameter '" name "' must not be null"
#define SCHEME "Parameter 'srcUrl' must start with http:// or https://"
#define LONG_URL "Parameter 'srcUrl' must not be more than 40 characters"
#define CIRCLE "Parameter 'srcUrl' must not be a URL of this service, which would lead in a circle"
#define NEEDS_KEY "Options need a key, as in Authorization: Bearer KEY"
#define BAD_SLUG "Parameter 'slug' must be 1 to 64 characters of A-Za-z0-9_-"
#define RESERVED "Parameter 'slug' must not be 'api', which is a path of this service"
#define LONG_TITLE "Parameter 'title' must not be more than 500 characters"
#define CONTROL_TITLE "Parameter 'title' must not contain control characters"
#define NO_TAGS "Parameter 'tags' must be an array of strings"
#define BAD_TAG_SIZE "Parameter 'tags' must hold tags of 1 to 64 characters"
#define BAD_TAG "Parameter 'tags' must hold tags without commas and control characters"
#define MANY_TAGS "Parameter 'tags' must not hold more than 20 tags"
#define TIME(name) "Parameter '" name "' must be a time with an offset, such as 2026-12-31T23:59:59+01:00"
#define BAD_TIMES "Parameter 'validFrom' must be before 'expires'"
#define BAD_MAX_VISITS "Parameter 'maxVisits' must be a whole number from 1 to 1000000000"
#define BAD_STATUS "Parameter 'redirectStatus' must be 301, 302, 307 or 308"
#define BOOLEAN(name) "Parameter '" name "' must be true or false"
#define UNKNOWN(name) \
	"Parameter '" name "' is unknown; what can be given is srcUrl, slug, title, tags, validFrom, expires, maxVisits," \
	" redirectStatus, forwardQuery, reuse"
#define UNKNOWN_EDIT(name) \
	"Parameter '" name "' is unknown; what can be given is srcUrl, title, tags, validFrom, expires, maxVisits," \
	" redirectStatus, forwardQuery, enabled"

#define TEN(c) c c c c c c c c c c
#define SIXTY_FOUR(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) c c c c
#define HUNDRED(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c) TEN(c)
#define FIVE_HUNDRED(c) HUNDRED(c) HUNDRED(c) HUNDRED(c) HUNDRED(c) HUNDRED(c)
#define SMILE "\xf0\x9f\x98\x80"
#define TAGS_A_TO_S \
	"\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\",\"l\",\"m\",\"n\",\"o\",\"p\",\"q\",\"r\",\"s\""

/* A body with a good URL and one more member, and what is read of it. */
#define WITH(member) "{\"srcUrl\":\"http://a/\"," member "}"
#define READ(rest) "http://a/" rest " options"

/* `expected` is what is read, in the words of describe, where the status is 0, else the sentence. */
struct row {
	int status;
	const char *expected;
	const char *text;
};

static const struct row bodies[] = {
	{ 0, "http://a/", "{\"srcUrl\":\"http://a/\"}" },
	{ 0, "http://a/ b", "{\"srcUrl\":\" \\t\\r\\n\\fhttp://a/ b \\n\"}" },
	{ 0, "http://a/" TEN("x") TEN("x") TEN("x") "x", "{\"srcUrl\":\" http://a/" TEN("x") TEN("x") TEN("x") "x \"}" },
	{ 400, LONG_URL, "{\"srcUrl\":\"http://a/" TEN("x") TEN("x") TEN("x") "xx\"}" },
	{ 400, MISSING, "{}" },
	{ 400, MISSING, "[]" },
	{ 400, MISSING, "\"http://a/\"" },
	{ 400, MISSING, "null" },
	{ 400, MISSING, "7" },
	{ 400, MISSING, "{\"srcurl\":\"http://a/\"}" },
	{ 400, MISSING, "{\"srcUrl\":null}" },
	{ 400, MISSING, "{\"srcUrl\":\"\"}" },
	{ 400, MISSING, "{\"srcUrl\":\" \\n\"}" },
	{ 400, STRING("srcUrl"), "{\"srcUrl\":7}" },
	{ 400, STRING("srcUrl"), "{\"srcUrl\":false}" },
	{ 400, STRING("srcUrl"), "{\"srcUrl\":[\"http://a/\"]}" },
	{ 400, STRING("srcUrl"), "{\"srcUrl\":{}}" },
	{ 400, SCHEME, "{\"srcUrl\":\"ftp://a/\"}" },
	{ 400, CIRCLE, "{\"srcUrl\":\"http://test.short/abc\"}" },

	{ 0, READ(" slug=a"), WITH("\"slug\":\"a\"") },
	{ 0, READ(" slug=" SIXTY_FOUR("-")), WITH("\"slug\":\"" SIXTY_FOUR("-") "\"") },
	{ 400, BAD_SLUG, WITH("\"slug\":\"" SIXTY_FOUR("-") "-\"") },
	{ 400, BAD_SLUG, WITH("\"slug\":\"\"") },
	{ 400, BAD_SLUG, WITH("\"slug\":\" a\"") },
	{ 400, BAD_SLUG, WITH("\"slug\":\"a\\u00e4\"") },
	{ 400, RESERVED, WITH("\"slug\":\"api\"") },
	{ 400, STRING("slug"), WITH("\"slug\":1") },
	{ 400, STRING("slug"), WITH("\"slug\":[\"a\"]") },
	{ 400, STRING("slug"), WITH("\"slug\":true") },

	{ 0, READ(" title=\"a\" \\ \xc3\xa4"), WITH("\"title\":\" \\\"a\\\" \\\\ \\u00e4\\n\"") },
	{ 0, READ(""), WITH("\"title\":\"\"") },
	{ 0, READ(""), WITH("\"title\":\" \\t\"") },
	{ 0, READ(" title=" FIVE_HUNDRED(SMILE)), WITH("\"title\":\" " FIVE_HUNDRED(SMILE) " \"") },
	{ 400, LONG_TITLE, WITH("\"title\":\"" FIVE_HUNDRED(SMILE) "x\"") },
	{ 400, CONTROL_TITLE, WITH("\"title\":\"a\\nb\"") },
	{ 400, STRING("title"), WITH("\"title\":1") },
	{ 400, STRING("title"), WITH("\"title\":{}") },

	{ 0, READ(""), WITH("\"tags\":[]") },
	{ 0, READ(" tag=a"), WITH("\"tags\":[\"a\"]") },
	{ 0, READ(" tag=b tag=A tag=a tag=a b tag=\"{}\\NULL"),
	  WITH("\"tags\":[\"b\",\"A\",\"a\",\" b\",\"a\",\"b \",\"a b\",\"\\\"{}\\\\NULL\"]") },
	{ 0, READ(" tag=" SIXTY_FOUR(SMILE)), WITH("\"tags\":[\" " SIXTY_FOUR(SMILE) " \"]") },
	{ 0, READ(" tag=a tag=b tag=c tag=d tag=e tag=f tag=g tag=h tag=i tag=j tag=k tag=l tag=m tag=n tag=o tag=p tag=q tag=r"
		  " tag=s tag=t"), WITH("\"tags\":[" TAGS_A_TO_S ",\"t\"]") },
	{ 400, MANY_TAGS, WITH("\"tags\":[" TAGS_A_TO_S ",\"t\",\"a\"]") },
	{ 400, MANY_TAGS, WITH("\"tags\":[" TAGS_A_TO_S ",\"t\",\"u\"]") },
	{ 400, BAD_TAG_SIZE, WITH("\"tags\":[\"" SIXTY_FOUR(SMILE) "a\"]") },
	{ 400, BAD_TAG_SIZE, WITH("\"tags\":[\"a\",\"\"]") },
	{ 400, BAD_TAG_SIZE, WITH("\"tags\":[\" \"]") },
	{ 400, BAD_TAG, WITH("\"tags\":[\"a,b\"]") },
	{ 400, BAD_TAG, WITH("\"tags\":[\"a\\u0001b\"]") },
	{ 400, NO_TAGS, WITH("\"tags\":\"a\"") },
	{ 400, NO_TAGS, WITH("\"tags\":{\"a\":1}") },
	{ 400, NO_TAGS, WITH("\"tags\":false") },
	{ 400, NO_TAGS, WITH("\"tags\":[\"a\",1]") },
	{ 400, NO_TAGS, WITH("\"tags\":[null]") },
	{ 400, NO_TAGS, WITH("\"tags\":[[\"a\"]]") },

	{ 0, READ(" from=2026-11-30T12:00:00.500000Z"), WITH("\"validFrom\":\"2026-11-30T13:00:00.5+01:00\"") },
	{ 0, READ(" from=1970-01-01T00:00:00.000000Z"), WITH("\"validFrom\":\"1970-01-01T00:00:00Z\"") },
	{ 0, READ(" until=9999-12-31T23:59:59.999999Z"), WITH("\"expires\":\"9999-12-31T23:59:59.999999Z\"") },
	{ 0, READ(" until=2001-01-01T00:00:00.000000Z"), WITH("\"expires\":\"2001-01-01T00:00:00Z\"") },
	{ 0, READ(" from=2026-01-01T00:00:00.000000Z until=2026-01-01T00:00:00.000001Z"),
	  WITH("\"expires\":\"2026-01-01T01:00:00.000001+01:00\",\"validFrom\":\"2026-01-01T00:00:00Z\"") },
	{ 400, BAD_TIMES, WITH("\"expires\":\"2026-01-01T01:00:00+01:00\",\"validFrom\":\"2026-01-01T00:00:00Z\"") },
	{ 400, BAD_TIMES, WITH("\"expires\":\"2026-01-01T00:00:00Z\",\"validFrom\":\"2026-01-01T00:00:01Z\"") },
	{ 400, TIME("validFrom"), WITH("\"validFrom\":\"\"") },
	{ 400, TIME("validFrom"), WITH("\"validFrom\":\"2026-11-30T12:00:00\"") },
	{ 400, TIME("validFrom"), WITH("\"validFrom\":\" 2026-11-30T12:00:00Z\"") },
	{ 400, TIME("validFrom"), WITH("\"validFrom\":\"1969-12-31T23:59:59Z\"") },
	{ 400, TIME("validFrom"), WITH("\"validFrom\":1796040000") },
	{ 400, TIME("expires"), WITH("\"expires\":\"2026-11-30\"") },
	{ 400, TIME("expires"), WITH("\"expires\":\"9999-12-31T23:59:59-00:01\"") },
	{ 400, TIME("expires"), WITH("\"expires\":true") },
	{ 400, TIME("expires"), WITH("\"expires\":[\"2026-11-30T12:00:00Z\"]") },

	{ 0, READ(" visits=1"), WITH("\"maxVisits\":1") },
	{ 0, READ(" visits=1000000000"), WITH("\"maxVisits\":1000000000") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":1000000001") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":0") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":-0") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":-1") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":4294967297") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":18446744073709551617") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":-18446744073709551615") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":5.0") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":1e1") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":\"5\"") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":true") },
	{ 400, BAD_MAX_VISITS, WITH("\"maxVisits\":[5]") },

	{ 0, READ(" status=301"), WITH("\"redirectStatus\":301") },
	{ 0, READ(" status=302"), WITH("\"redirectStatus\":302") },
	{ 0, READ(" status=307"), WITH("\"redirectStatus\":307") },
	{ 0, READ(" status=308"), WITH("\"redirectStatus\":308") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":300") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":303") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":309") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":0") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":-301") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":4294967597") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":301.0") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":\"301\"") },
	{ 400, BAD_STATUS, WITH("\"redirectStatus\":false") },

	{ 0, READ(" query"), WITH("\"forwardQuery\":true") },
	{ 0, READ(""), WITH("\"forwardQuery\":false") },
	{ 400, BOOLEAN("forwardQuery"), WITH("\"forwardQuery\":\"true\"") },
	{ 400, BOOLEAN("forwardQuery"), WITH("\"forwardQuery\":1") },
	{ 400, BOOLEAN("forwardQuery"), WITH("\"forwardQuery\":[]") },

	/* no option, for it says nothing of the link */
	{ 0, "http://a/ reuse", WITH("\"reuse\":true") },
	{ 0, "http://a/", WITH("\"reuse\":false") },
	{ 0, "http://a/ title=a options reuse", WITH("\"reuse\":true,\"title\":\"a\"") },
	{ 400, BOOLEAN("reuse"), WITH("\"reuse\":\"false\"") },
	{ 400, BOOLEAN("reuse"), WITH("\"reuse\":0") },

	{ 0, "http://a/", WITH("\"slug\":null,\"title\":null,\"tags\":null,\"validFrom\":null,\"expires\":null,\"maxVisits\":null,"
			       "\"redirectStatus\":null,\"forwardQuery\":null,\"reuse\":null") },
	{ 0, "http://a/ slug=s title=t tag=a tag=b from=2026-01-01T00:00:00.000000Z until=2027-01-01T00:00:00.000000Z visits=7"
	     " status=307 query options reuse",
	  WITH("\"slug\":\"s\",\"title\":\"t\",\"tags\":[\"a\",\"b\"],\"validFrom\":\"2026-01-01T00:00:00Z\","
	       "\"expires\":\"2027-01-01T00:00:00Z\",\"maxVisits\":7,\"redirectStatus\":307,\"forwardQuery\":true,\"reuse\":true") },

	{ 400, UNKNOWN("titel"), WITH("\"titel\":\"a\"") },
	{ 400, UNKNOWN("Title"), WITH("\"Title\":null") },
	{ 400, UNKNOWN(""), WITH("\"\":1") },
	{ 400, UNKNOWN("enabled"), WITH("\"enabled\":false") },
	{ 400, UNKNOWN("id"), WITH("\"id\":\"a\"") },
	{ 400, UNKNOWN("%s%n"), WITH("\"%s%n\":\"a\"") },
	{ 400, UNKNOWN(SIXTY_FOUR("x")), WITH("\"" SIXTY_FOUR("x") "\":1") },
	{ 400, UNKNOWN(SIXTY_FOUR("x")), WITH("\"" SIXTY_FOUR("x") "y\":1") },
	/* cut between two characters: after 63 bytes, as the next one has two */
	{ 400, UNKNOWN("x" TEN("\xc3\xa4") TEN("\xc3\xa4") TEN("\xc3\xa4") "\xc3\xa4"),
	  WITH("\"x" TEN("\xc3\xa4") TEN("\xc3\xa4") TEN("\xc3\xa4") "\xc3\xa4\xc3\xa4\":1") },
};

/* What is wrong is found in this order: each row mends what the row before it has named. */
static const struct row order[] = {
	{ 400, MISSING, "{\"x\":1,\"slug\":1}" },
	{ 400, SCHEME, "{\"reuse\":1,\"slug\":1,\"x\":1,\"srcUrl\":\"a\"}" },
	{ 400, UNKNOWN("x"), "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,\"validFrom\":1,"
			     "\"tags\":1,\"title\":1,\"slug\":1,\"x\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, STRING("slug"), "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,\"validFrom\":1,"
			       "\"tags\":1,\"title\":1,\"slug\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, STRING("title"), "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,"
				"\"validFrom\":1,\"tags\":1,\"title\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, NO_TAGS, "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,\"validFrom\":1,"
			"\"tags\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, TIME("validFrom"), "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,"
				  "\"validFrom\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, TIME("expires"), "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"expires\":1,"
				"\"srcUrl\":\"http://a/\"}" },
	{ 400, BAD_MAX_VISITS, "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"maxVisits\":0,\"srcUrl\":\"http://a/\"}" },
	{ 400, BAD_STATUS, "{\"reuse\":1,\"forwardQuery\":1,\"redirectStatus\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, BOOLEAN("forwardQuery"), "{\"reuse\":1,\"forwardQuery\":1,\"srcUrl\":\"http://a/\"}" },
	{ 400, BOOLEAN("reuse"), "{\"reuse\":1,\"srcUrl\":\"http://a/\"}" },
};

/* Where options need a key and there is none. */
static const struct row without_key[] = {
	{ 0, "http://a/", "{\"srcUrl\":\"http://a/\"}" },
	{ 0, "http://a/ reuse", WITH("\"reuse\":true") },
	{ 0, "http://a/", WITH("\"reuse\":null,\"slug\":null,\"tags\":null") },
	{ 400, BOOLEAN("reuse"), WITH("\"reuse\":1") },
	{ 400, MISSING, "{\"slug\":\"a\"}" },
	{ 400, SCHEME, "{\"srcUrl\":\"a\",\"slug\":\"a\"}" },
	{ 400, UNKNOWN("x"), WITH("\"slug\":\"a\",\"x\":1") },
	{ 400, UNKNOWN("enabled"), WITH("\"enabled\":true") },
	{ 401, NEEDS_KEY, WITH("\"slug\":\"a\"") },
	{ 401, NEEDS_KEY, WITH("\"slug\":7") },
	{ 401, NEEDS_KEY, WITH("\"title\":\"\"") },
	{ 401, NEEDS_KEY, WITH("\"tags\":[]") },
	{ 401, NEEDS_KEY, WITH("\"validFrom\":\"2026-01-01T00:00:00Z\"") },
	{ 401, NEEDS_KEY, WITH("\"expires\":0") },
	{ 401, NEEDS_KEY, WITH("\"maxVisits\":1") },
	{ 401, NEEDS_KEY, WITH("\"redirectStatus\":301") },
	{ 401, NEEDS_KEY, WITH("\"forwardQuery\":false") },
	{ 401, NEEDS_KEY, WITH("\"reuse\":7,\"forwardQuery\":false") },
};

#define FIELD(field) "srcUrl=http%3A//a/&" field

static const struct row forms[] = {
	{ 0, "http://a/", "srcUrl=http://a/" },
	{ 0, "http://a/ b", "srcUrl=+http://a/+b%0A" },
	{ 400, MISSING, "" },
	{ 400, MISSING, "srcUrl" },
	{ 400, MISSING, "srcUrl=" },
	{ 400, MISSING, "srcUrl=+" },
	{ 400, SCHEME, "srcUrl=a&x=1" },
	{ 400, UNKNOWN("x"), FIELD("x=&slug=!") },
	{ 400, UNKNOWN("enabled"), FIELD("enabled=true") },
	{ 0, READ(" slug=a"), FIELD("slug=a") },
	{ 400, BAD_SLUG, FIELD("slug=+a") },
	{ 0, READ(" title=a & \xc3\xa4"), FIELD("title=+a+%26+%C3%A4+") },
	{ 0, READ(""), FIELD("title=+") },
	{ 400, CONTROL_TITLE, FIELD("title=a%09b") },
	{ 0, READ(" tag=a tag=b c tag=d"), FIELD("tags=a,b+c+,+d,a") },
	{ 400, BAD_TAG_SIZE, FIELD("tags=a,,b") },
	{ 400, BAD_TAG_SIZE, FIELD("tags=,a") },
	{ 400, BAD_TAG_SIZE, FIELD("tags=+") },
	{ 400, BAD_TAG, FIELD("tags=a%0Ab") },
	{ 400, MANY_TAGS, FIELD("tags=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u") },
	{ 0, READ(" from=2026-11-30T11:00:00.000000Z"), FIELD("validFrom=2026-11-30T12:00:00%2B01:00") },
	{ 400, TIME("expires"), FIELD("expires=2026-11-30") },
	{ 400, BAD_TIMES, FIELD("expires=2026-01-01T00:00:00Z&validFrom=2026-01-01T00:00:00Z") },
	{ 0, READ(" visits=5"), FIELD("maxVisits=5") },
	{ 0, READ(" visits=1000000000"), FIELD("maxVisits=1000000000") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=1000000001") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=0") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=-5") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=5.0") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=0x5") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=+5") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=%2B5") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=5+") },
	{ 400, BAD_MAX_VISITS, FIELD("maxVisits=18446744073709551621") },
	{ 0, READ(" status=308"), FIELD("redirectStatus=308") },
	{ 400, BAD_STATUS, FIELD("redirectStatus=303") },
	{ 400, BAD_STATUS, FIELD("redirectStatus=found") },
	{ 0, READ(" query"), FIELD("forwardQuery=true") },
	{ 0, READ(""), FIELD("forwardQuery=false") },
	{ 400, BOOLEAN("forwardQuery"), FIELD("forwardQuery=on") },
	{ 400, BOOLEAN("forwardQuery"), FIELD("forwardQuery=True") },
	{ 400, BOOLEAN("forwardQuery"), FIELD("forwardQuery=1") },
	{ 0, "http://a/ reuse", FIELD("reuse=true") },
	{ 400, BOOLEAN("reuse"), FIELD("reuse=yes") },
	/* what a page sends of fields that nobody has filled */
	{ 0, "http://a/", FIELD("slug=&title=&tags=&validFrom=&expires=&maxVisits=&redirectStatus=&forwardQuery=&reuse=") },
};

static const struct row forms_without_key[] = {
	{ 0, "http://a/ reuse", FIELD("reuse=true&slug=&title") },
	{ 401, NEEDS_KEY, FIELD("slug=a") },
	{ 401, NEEDS_KEY, FIELD("maxVisits=x") },
	{ 400, UNKNOWN("x"), FIELD("x=&slug=a") },
};

static const struct row edits[] = {
	{ 0, "changes=0", "{}" },
	{ 0, "http://a/ b changes=1", "{\"srcUrl\":\" http://a/ b\"}" },
	{ 400, MISSING, "{\"srcUrl\":\"\"}" },
	{ 400, SCHEME, "{\"srcUrl\":\"a\"}" },
	{ 400, CIRCLE, "{\"srcUrl\":\"https://TEST.short\"}" },
	{ 400, STRING("srcUrl"), "{\"srcUrl\":1}" },
	{ 400, NO_NULL("srcUrl"), "{\"srcUrl\":null}" },
	{ 0, "title=a changes=2", "{\"title\":\" a\"}" },
	{ 0, "changes=2", "{\"title\":\"\"}" },
	{ 0, "changes=2", "{\"title\":null}" },
	{ 400, STRING("title"), "{\"title\":1}" },
	{ 0, "tag=b tag=a changes=4", "{\"tags\":[\"b\",\"a\",\"b\"]}" },
	{ 0, "changes=4", "{\"tags\":[]}" },
	{ 0, "changes=4", "{\"tags\":null}" },
	{ 400, NO_TAGS, "{\"tags\":\"a\"}" },
	{ 0, "from=2026-01-01T00:00:00.000000Z changes=8", "{\"validFrom\":\"2026-01-01T00:00:00Z\"}" },
	{ 0, "changes=8", "{\"validFrom\":null}" },
	{ 400, TIME("validFrom"), "{\"validFrom\":0}" },
	{ 0, "until=2026-01-01T00:00:00.000000Z changes=16", "{\"expires\":\"2026-01-01T00:00:00Z\"}" },
	{ 0, "changes=16", "{\"expires\":null}" },
	{ 400, TIME("expires"), "{\"expires\":\"\"}" },
	{ 400, BAD_TIMES, "{\"expires\":\"2026-01-01T00:00:00Z\",\"validFrom\":\"2026-01-01T00:00:00Z\"}" },
	{ 0, "until=2026-01-01T00:00:00.000000Z changes=24", "{\"expires\":\"2026-01-01T00:00:00Z\",\"validFrom\":null}" },
	{ 0, "visits=5 changes=32", "{\"maxVisits\":5}" },
	{ 0, "changes=32", "{\"maxVisits\":null}" },
	{ 400, BAD_MAX_VISITS, "{\"maxVisits\":0}" },
	{ 0, "status=301 changes=64", "{\"redirectStatus\":301}" },
	{ 0, "changes=64", "{\"redirectStatus\":null}" },
	{ 400, BAD_STATUS, "{\"redirectStatus\":\"301\"}" },
	{ 0, "query changes=128", "{\"forwardQuery\":true}" },
	{ 0, "changes=128", "{\"forwardQuery\":false}" },
	{ 400, NO_NULL("forwardQuery"), "{\"forwardQuery\":null}" },
	{ 400, BOOLEAN("forwardQuery"), "{\"forwardQuery\":0}" },
	{ 0, "changes=256", "{\"enabled\":true}" },
	{ 0, "disabled changes=256", "{\"enabled\":false}" },
	{ 400, NO_NULL("enabled"), "{\"enabled\":null}" },
	{ 400, BOOLEAN("enabled"), "{\"enabled\":\"true\"}" },
	{ 0, "http://a/ title=t tag=a from=2026-01-01T00:00:00.000000Z until=2027-01-01T00:00:00.000000Z visits=7 status=302"
	     " query disabled changes=511",
	  WITH("\"title\":\"t\",\"tags\":[\"a\"],\"validFrom\":\"2026-01-01T00:00:00Z\",\"expires\":\"2027-01-01T00:00:00Z\","
	       "\"maxVisits\":7,\"redirectStatus\":302,\"forwardQuery\":true,\"enabled\":false") },
	{ 400, UNKNOWN_EDIT("slug"), "{\"slug\":null}" },
	{ 400, UNKNOWN_EDIT("id"), "{\"id\":\"a\"}" },
	{ 400, UNKNOWN_EDIT("reuse"), "{\"reuse\":true}" },
	{ 400, UNKNOWN_EDIT("visits"), "{\"title\":1,\"visits\":0}" },
	{ 400, STRING("title"), "{\"enabled\":null,\"title\":1}" },
};

static struct link_rules rules;

static void describe_time(FILE *file, const char *name, int64_t time_us)
{
	char text[RFC3339_TIME_SIZE + 1];

	if (time_us == LINK_NO_TIME)
		return;
	rfc3339_write_time(time_us, text);
	fprintf(file, " %s=%s", name, text);
}

static void describe_options(FILE *file, const struct link_options *options)
{
	if (options->title != NULL)
		fprintf(file, " title=%s", options->title);
	for (size_t i = 0; i < options->tags_count; i++)
		fprintf(file, " tag=%s", options->tags[i]);
	describe_time(file, "from", options->valid_from_us);
	describe_time(file, "until", options->expires_us);
	if (options->max_visits != 0)
		fprintf(file, " visits=%lld", (long long)options->max_visits);
	if (options->redirect_status != 0)
		fprintf(file, " status=%d", options->redirect_status);
	if (options->forwards_query)
		fprintf(file, " query");
}

/* What is not as it is by default, in words. Returned until the next call. */
static const char *describe(const struct link_input *input, bool is_edit)
{
	static char text[4096];
	const struct creation_wish *wish = &input->wish;
	FILE *file = fmemopen(text, sizeof text, "w");

	if (file == NULL)
		tap_bail_out("no memory for a text");
	if (wish->srcurl != NULL)
		fprintf(file, " %.*s", (int)wish->srcurl_size, wish->srcurl);
	if (wish->slug != NULL)
		fprintf(file, " slug=%s", wish->slug);
	describe_options(file, &wish->options);
	if (*wish->owner != '\0')
		fprintf(file, " owner=%s", wish->owner);
	fprintf(file, "%s%s%s%s", wish->has_options ? " options" : "", wish->may_reuse ? " reuse" : "",
		wish->wants_json ? " json" : "", input->is_enabled ? "" : " disabled");
	if (is_edit || input->changes != 0)
		fprintf(file, " changes=%u", input->changes);
	fclose(file);
	return text + 1;
}

/* Nothing of what was read before may stay. */
static void soil(struct link_input *input)
{
	memset(input, 0x55, sizeof *input);
	input->is_enabled = false;
}

static void check(const struct row *row, int status, const struct link_input *input, bool is_edit, const char *problem)
{
	is_int(status, row->status, "status: %s", row->text);
	is_text(status == 0 ? describe(input, is_edit) : problem, row->expected, "%s", row->text);
}

static void test_json(const struct row list[], size_t count, bool is_edit, bool may_have_options)
{
	for (size_t i = 0; i < count; i++) {
		char problem[LINK_INPUT_PROBLEM_SIZE] = "";
		const char *json_problem;
		struct link_input input;
		struct json_body *body = json_body_parse(list[i].text, strlen(list[i].text), &json_problem);

		if (body == NULL)
			tap_bail_out(list[i].text);
		soil(&input);
		const struct json_value *root = json_body_root(body);
		int status = is_edit ? link_input_read_edit(&input, &rules, root, problem) :
				       link_input_read_new(&input, &rules, &(struct link_source){ .json = root },
							   may_have_options, problem);
		check(&list[i], status, &input, is_edit, problem);
		json_body_free(body);
	}
}

static void test_forms(const struct row list[], size_t count, bool may_have_options)
{
	for (size_t i = 0; i < count; i++) {
		char problem[LINK_INPUT_PROBLEM_SIZE] = "";
		const char *form_problem;
		struct link_input input;
		struct form_body *form = form_body_parse(list[i].text, strlen(list[i].text), &form_problem);

		if (form == NULL)
			tap_bail_out(list[i].text);
		soil(&input);
		int status = link_input_read_new(&input, &rules, &(struct link_source){ .form = form }, may_have_options,
						 problem);
		check(&list[i], status, &input, false, problem);
		form_body_free(form);
	}
}

int main(void)
{
	if (!link_rules_load(&rules, "http://test.short/", 40))
		tap_bail_out("the base is no URL");
	test_json(bodies, COUNT_OF(bodies), false, true);
	test_json(order, COUNT_OF(order), false, true);
	test_json(without_key, COUNT_OF(without_key), false, false);
	test_forms(forms, COUNT_OF(forms), true);
	test_forms(forms_without_key, COUNT_OF(forms_without_key), false);
	test_json(edits, COUNT_OF(edits), true, true);
	url_close();
	return tap_done();
}
