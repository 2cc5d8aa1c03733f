/* Takes URLs apart, checks them and writes them as Location. */
#include "url.h"

#include <string.h>
#include <strings.h>

#include "percent.h"
#include "url_host.h"
#include "utf8.h"

#define PORT_MAX 65535

/* The offset of the first of the marks in the text; its size where there is none. */
static size_t find_any(const char *text, size_t text_size, const char *marks)
{
	for (size_t i = 0; i < text_size; i++)
		if (text[i] != '\0' && strchr(marks, text[i]) != NULL)
			return i;
	return text_size;
}

static size_t scheme_size(const char *text, size_t text_size)
{
	static const char *const schemes[] = { "http://", "https://" };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t size = strlen(schemes[i]);
		if (text_size >= size && strncasecmp(text, schemes[i], size) == 0)
			return size;
	}
	return 0;
}

/* The text is valid UTF-8, where U+0080 to U+009F are the byte C2 and one of 80 to 9F. */
static bool has_control(const char *text, size_t text_size)
{
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < text_size; i++) {
		if (bytes[i] < 0x20 || bytes[i] == 0x7F)
			return true;
		if (bytes[i] == 0xC2 && bytes[i + 1] <= 0x9F)
			return true;
	}
	return false;
}

/* The part is empty, or a colon and then the port; -1 where no digit follows. */
static bool parse_port(struct url_part part, int *port)
{
	int value = 0;

	for (size_t i = 1; i < part.size; i++) {
		if (part.start[i] < '0' || part.start[i] > '9')
			return false;
		value = value * 10 + (part.start[i] - '0');
		if (value > PORT_MAX)
			return false;
	}
	*port = part.size > 1 ? value : -1;
	return true;
}

/* Finds the user info before the last @, as browsers do, and returns what follows it. */
static struct url_part split_user(struct url_part authority, struct url_part *user)
{
	const char *at_sign = memrchr(authority.start, '@', authority.size);

	if (at_sign == NULL)
		return authority;
	*user = (struct url_part){ authority.start, (size_t)(at_sign - authority.start) };
	return (struct url_part){ at_sign + 1, authority.size - user->size - 1 };
}

/* An IPv6 literal has colons of its own, so there the host goes up to the bracket. */
static size_t host_size(struct url_part host_and_port)
{
	if (host_and_port.size == 0 || host_and_port.start[0] != '[')
		return find_any(host_and_port.start, host_and_port.size, ":");
	size_t bracket = find_any(host_and_port.start, host_and_port.size, "]");
	return bracket == host_and_port.size ? bracket : bracket + 1;
}

static enum url_error read_authority(struct url_part authority, struct url *url)
{
	if (memchr(authority.start, '\\', authority.size) != NULL)
		return URL_BAD_HOST;
	struct url_part host_and_port = split_user(authority, &url->user);
	size_t size = host_size(host_and_port);
	url->host = (struct url_part){ host_and_port.start, size };
	if (size == 0)
		return URL_NO_HOST;
	struct url_part port = { host_and_port.start + size, host_and_port.size - size };
	if (port.size > 0 && port.start[0] != ':')
		return URL_BAD_HOST;
	if (!url_host_read(url->host, url->host_name))
		return URL_BAD_HOST;
	if (!parse_port(port, &url->port))
		return URL_BAD_PORT;
	return URL_VALID;
}

enum url_error url_parse(const char *text, size_t text_size, struct url *url)
{
	*url = (struct url){ .text = { text, text_size }, .port = -1 };
	if (text_size > URL_SIZE_MAX)
		return URL_TOO_LONG;
	size_t start = scheme_size(text, text_size);
	if (start == 0)
		return URL_BAD_SCHEME;
	if (utf8_find_invalid(text, text_size) < text_size)
		return URL_BAD_ENCODING;
	if (has_control(text, text_size))
		return URL_CONTROL;
	url->is_https = start == strlen("https://");
	struct url_part authority = { text + start, find_any(text + start, text_size - start, "/?#") };
	url->rest = (struct url_part){ authority.start + authority.size, text_size - start - authority.size };
	return read_authority(authority, url);
}

/* A shortener is reached over both schemes, so their default ports count as one. */
static int comparable_port(const struct url *url)
{
	return url->port == -1 || url->port == 443 ? 80 : url->port;
}

/* Browsers and servers see no separator in an encoded slash, and NUL would end our text. */
static bool is_seen_through(int byte)
{
	return byte > 0 && byte != '/' && byte != '\\';
}

/* Writes the path percent-decoded, without query and fragment; it always begins with a slash. */
static void decode_path(struct url_part rest, char path[URL_SIZE_MAX + 1])
{
	size_t rest_size = find_any(rest.start, rest.size, "?#");
	size_t size = 0;

	path[size++] = '/';
	for (size_t i = 1; i < rest_size; i++) {
		int byte = percent_parse_triplet(rest.start + i, rest_size - i);
		char plain = (char)(rest.start[i] == '\\' ? '/' : rest.start[i]);
		path[size++] = (char)(is_seen_through(byte) ? byte : plain);
		i += is_seen_through(byte) ? 2 : 0;
	}
	path[size] = '\0';
}

static bool is_dots(const char *segment, size_t segment_size, const char *dots)
{
	return segment_size == strlen(dots) && memcmp(segment, dots, segment_size) == 0;
}

/* The size of a path without its last segment; that of the root is 0. */
static size_t parent_size(const char *path, size_t path_size)
{
	const char *slash = memrchr(path, '/', path_size);

	return slash == NULL ? 0 : (size_t)(slash - path);
}

/* Removes dot segments, RFC 3986 section 5.2.4. The path begins with a slash. */
static void resolve_dots(char *path)
{
	const char *segment = path;
	size_t size = 0;

	while (*segment != '\0') {
		size_t segment_size = strcspn(segment + 1, "/");
		bool is_up = is_dots(segment + 1, segment_size, "..");
		bool is_kept = !is_up && !is_dots(segment + 1, segment_size, ".");
		size_t kept_size = is_kept ? segment_size + 1 : 0;

		memmove(path + size, segment, kept_size);
		size = is_up ? parent_size(path, size) : size + kept_size;
		segment += segment_size + 1;
		if (!is_kept && *segment == '\0')
			path[size++] = '/';
	}
	path[size] = '\0';
}

/* The base without its final slash is below the base as well: servers redirect the one to the other. */
static bool is_path_below(const char *path, const char *base)
{
	size_t base_size = strlen(base);

	if (strncmp(path, base, base_size) == 0)
		return true;
	return base[base_size - 1] == '/' && strlen(path) == base_size - 1 && strncmp(path, base, base_size - 1) == 0;
}

/* Apart from url_is_below, because most URLs have another host and need none of this. */
static __attribute__((noinline)) bool is_rest_below(struct url_part rest, struct url_part base_rest)
{
	char path[URL_SIZE_MAX + 1] = "";
	char base_path[URL_SIZE_MAX + 1] = "";

	decode_path(rest, path);
	resolve_dots(path);
	decode_path(base_rest, base_path);
	resolve_dots(base_path);
	return is_path_below(path, base_path);
}

bool url_is_below(const struct url *url, const struct url *base)
{
	if (strcmp(url->host_name, base->host_name) != 0)
		return false;
	if (comparable_port(url) != comparable_port(base))
		return false;
	return is_rest_below(url->rest, base->rest);
}

static bool is_printable(char character)
{
	return character > 0x20 && character < 0x7F;
}

static bool is_all_printable(const char *text, size_t text_size)
{
	for (size_t i = 0; i < text_size; i++)
		if (!is_printable(text[i]))
			return false;
	return true;
}

/* Each of these writes to `end` and returns the new end. */
static char *write_encoded(char *end, const char *text, size_t text_size)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < text_size; i++) {
		if (is_printable(text[i])) {
			*end++ = text[i];
			continue;
		}
		*end++ = '%';
		*end++ = digits[(unsigned char)text[i] >> 4];
		*end++ = digits[(unsigned char)text[i] & 15];
	}
	return end;
}

static char *write_host(char *end, struct url_part host)
{
	char ascii[URL_HOST_MAX + 1];

	if (url_host_is_ascii(host))
		return write_encoded(end, host.start, host.size);
	if (!url_host_encode(host, ascii))
		return NULL;
	return write_encoded(end, ascii, strlen(ascii));
}

size_t url_write_location(const char *text, size_t text_size, char location[URL_LOCATION_MAX + 1])
{
	struct url url;

	location[0] = '\0';
	if (text_size > URL_LOCATION_MAX)
		return 0;
	if (is_all_printable(text, text_size)) {
		memcpy(location, text, text_size);
		location[text_size] = '\0';
		return text_size;
	}
	if (url_parse(text, text_size, &url) != URL_VALID)
		return 0;
	const char *host_end = url.host.start + url.host.size;
	char *end = write_encoded(location, text, (size_t)(url.host.start - text));
	end = write_host(end, url.host);
	if (end == NULL)
		return 0;
	end = write_encoded(end, host_end, text_size - (size_t)(host_end - text));
	*end = '\0';
	return (size_t)(end - location);
}

void url_close(void)
{
	url_host_close();
}
