/* Fuzzes the check of URLs, and the Locations made of them. Input: a URL, and a base in the next line.
 * modules: url percent url_host utf8; max_len: 1024 */
#include "url.h"

#include <strings.h>

#include "fuzz.h"
#include "utf8.h"

static char location[URL_LOCATION_MAX + 1];
static char location_again[URL_LOCATION_MAX + 1];
static char expected[URL_LOCATION_MAX + 1];

static bool is_inside(struct url_part part, const char *text, size_t text_size)
{
	return part.start >= text && part.size <= text_size && (size_t)(part.start - text) <= text_size - part.size;
}

/* The parts lie one behind the other, with nothing but their separators between them. */
static void check_parts(const struct url *url, const char *text, size_t size)
{
	const char *end = text + size;
	const char *host_end = url->host.start + url->host.size;

	must(url->text.start == text && url->text.size == size);
	must(strncasecmp(text, url->is_https ? "https://" : "http://", url->is_https ? 8 : 7) == 0);
	must(is_inside(url->host, text, size) && url->host.size > 0);
	must(is_inside(url->rest, text, size) && url->rest.start + url->rest.size == end);
	must(host_end <= url->rest.start && (host_end == url->rest.start || *host_end == ':'));
	must(url->rest.size == 0 || strchr("/?#", *url->rest.start) != NULL);
	must(url->port >= -1 && url->port <= 65535);
	const char *start = text + (url->is_https ? 8 : 7);
	must(url->user.start == NULL || (url->user.start == start && url->user.start[url->user.size] == '@'));
	must(url->host.start == (url->user.start == NULL ? start : start + url->user.size + 1));
}

/* A name of the DNS or an address; and what it is compared as is the same when it is read again. */
static void check_host(const struct url *url)
{
	char text[URL_HOST_MAX + 16];
	struct url again;
	size_t size = strlen(url->host_name);
	bool is_ipv6 = strchr(url->host_name, ':') != NULL;

	must(size > 0 && size < URL_HOST_MAX && url->host_name[size - 1] != '.' && url->host_name[0] != '.');
	must(strspn(url->host_name, is_ipv6 ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789-_.") == size);
	must(strstr(url->host_name, "..") == NULL);
	snprintf(text, sizeof text, is_ipv6 ? "http://[%s]" : "http://%s", url->host_name);
	must(url_parse(text, strlen(text), &again) == URL_VALID);
	must(strcmp(again.host_name, url->host_name) == 0);
}

/* Capital letters change nothing. */
static void check_case(const struct url *url, const char *text, size_t size)
{
	char *capitals = fuzz_allocate(size);
	struct url again;

	memcpy(capitals, text, size);
	for (size_t i = (size_t)(url->host.start - text); i < (size_t)(url->rest.start - text); i++)
		if (capitals[i] >= 'a' && capitals[i] <= 'z')
			capitals[i] = (char)(capitals[i] - 'a' + 'A');
	must(url_parse(capitals, size, &again) == URL_VALID);
	must(strcmp(again.host_name, url->host_name) == 0 && again.port == url->port);
	must(url_is_below(&again, url) && url_is_below(url, &again));
	free(capitals);
}

/* A name may have a final dot, which makes no other host of it, but not two. */
static void check_final_dot(const struct url *url, const char *text, size_t size)
{
	size_t head_size = (size_t)(url->host.start - text) + url->host.size;
	char *dotted = fuzz_allocate(size + 1);
	struct url again;

	memcpy(dotted, text, head_size);
	dotted[head_size] = '.';
	memcpy(dotted + head_size + 1, text + head_size, size - head_size);
	enum url_error error = url_parse(dotted, size + 1, &again);
	if (error == URL_VALID)
		must(strcmp(again.host_name, url->host_name) == 0 && again.port == url->port && *url->host.start != '[');
	else if (fuzz_is_all_printable(url->host.start, url->host.size) && size < URL_SIZE_MAX)
		must(*url->host.start == '[' || text[head_size - 1] == '.');
	free(dotted);
}

/* Before and behind the host each byte is kept or encoded by itself; an ASCII host is kept whole. */
static void check_encoding(const struct url *url, size_t location_size)
{
	const char *text = url->text.start;
	const char *host_end = url->host.start + url->host.size;
	size_t head_size = fuzz_percent_encode(text, (size_t)(url->host.start - text), ' ', expected);

	must(location_size > head_size && memcmp(location, expected, head_size) == 0);
	size_t tail_size = fuzz_percent_encode(host_end, url->text.size - (size_t)(host_end - text), ' ', expected);
	must(location_size > head_size + tail_size);
	must(memcmp(location + location_size - tail_size, expected, tail_size) == 0);
	if (fuzz_is_all_printable(url->host.start, url->host.size))
		must(fuzz_is_equal(location + head_size, location_size - head_size - tail_size, url->host.start, url->host.size));
}

/* Printable, its own Location, and a URL of the same place. */
static void check_location(const struct url *url, const struct url *base, size_t size)
{
	struct url again;

	must(size > 0 && size <= URL_LOCATION_MAX && strlen(location) == size);
	must(fuzz_is_all_printable(location, size));
	must(url_write_location(location, size, location_again) == size);
	must(strcmp(location, location_again) == 0);
	check_encoding(url, size);
	if (size > URL_SIZE_MAX)
		return;
	must(url_parse(location, size, &again) == URL_VALID);
	must(strcmp(again.host_name, url->host_name) == 0);
	must(again.port == url->port && again.is_https == url->is_https);
	must(url_is_below(&again, base) == url_is_below(url, base));
	must(url_is_below(&again, url) && url_is_below(url, &again));
}

static bool is_below(const struct url *base, int base_size, const char *rest)
{
	char text[2048];
	struct url url;
	int size = snprintf(text, sizeof text, "%.*s%s", base_size, base->text.start, rest);

	must(url_parse(text, (size_t)size, &url) == URL_VALID);
	return url_is_below(&url, base);
}

/* Whatever stands behind the base is a URL of this service, however its path is written; an encoded slash is none. */
static void check_base(const struct url *base)
{
	int size = (int)base->text.size;
	size_t plain_size = strspn(base->rest.start, "/abcdefghijklmnopqrstuvwxyz");

	if (size > 1024 || base->text.start[size - 1] != '/' || strcspn(base->rest.start, "?#") < base->rest.size)
		return;
	must(is_below(base, size, "abc") && is_below(base, size, "") && is_below(base, size, "?a#b"));
	if (plain_size < base->rest.size || strstr(base->rest.start, "//") != NULL)
		return;
	must(is_below(base, size, "a/../b") && is_below(base, size, "%61/%2e%2E/b"));
	must(base->rest.size == 1 || !is_below(base, size - 1, "%2f"));
}

static void check_accepted(const char *text, size_t size, const struct url *url, const struct url *base)
{
	must(size <= URL_SIZE_MAX);
	must(utf8_find_invalid(text, size) == size && !fuzz_has_control(text, size));
	check_parts(url, text, size);
	check_host(url);
	check_case(url, text, size);
	check_final_dot(url, text, size);
	must(url_is_below(url, url));
	check_location(url, base, url_write_location(text, size, location));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char test_short[] = "http://test.short/";
	struct fuzz_input input = fuzz_start(data, size);
	struct url url;
	struct url base;

	/* As it is, with whatever bytes. */
	if (url_parse(input.at, size, &url) != URL_VALID)
		must(url_write_location(input.at, size, location) == 0 || fuzz_is_all_printable(input.at, size));
	char *text = fuzz_take_line(&input);
	char *base_text = fuzz_take_rest(&input);
	if (url_parse(base_text, strlen(base_text), &base) == URL_VALID)
		check_base(&base);
	else
		must(url_parse(test_short, strlen(test_short), &base) == URL_VALID);
	/* Without a NUL behind it. */
	size_t text_size = strlen(text);
	char *bare = fuzz_allocate(text_size);
	memcpy(bare, text, text_size);
	if (url_parse(bare, text_size, &url) == URL_VALID)
		check_accepted(bare, text_size, &url, &base);
	free(bare);
	free(base_text);
	free(text);
	return 0;
}
