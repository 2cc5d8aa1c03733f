/* Checks and normalises the host of a URL: names of the DNS, IPv4 and IPv6 addresses. */
#include "url_host.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <unicode/uidna.h>

/* The longest label and the longest name without its final dot, RFC 1035 section 2.3.4. */
#define LABEL_MAX 63
#define HOST_NAME_SIZE_MAX (URL_HOST_MAX - 1)

/* Punycode takes a time that grows with the square of the size, so a host that cannot become a name of
 * HOST_NAME_SIZE_MAX characters, of at most four bytes each, is not tried. */
#define UNICODE_HOST_SIZE_MAX ((size_t)HOST_NAME_SIZE_MAX * 4)

#define IPV4_PARTS_MAX 4

/* Opened when the first host that is not ASCII comes, because most processes see none for long. */
static UIDNA *idna;

bool url_host_is_ascii(struct url_part host)
{
	for (size_t i = 0; i < host.size; i++)
		if ((unsigned char)host.start[i] >= 0x80)
			return false;
	return true;
}

/* The error bits that browsers ignore: WHATWG URL has CheckHyphens=false. */
static bool has_idna_error(const UIDNAInfo *info)
{
	static const uint32_t ignored =
		UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

	return (info->errors & ~ignored) != 0;
}

bool url_host_encode(struct url_part host, char ascii[URL_HOST_MAX + 1])
{
	UErrorCode error = U_ZERO_ERROR;
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;

	if (host.size > UNICODE_HOST_SIZE_MAX)
		return false;
	if (idna == NULL)
		idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII,
				       &error);
	if (idna == NULL)
		return false;
	int32_t size = uidna_nameToASCII_UTF8(idna, host.start, (int32_t)host.size, ascii, URL_HOST_MAX, &info, &error);
	if (U_FAILURE(error) || has_idna_error(&info))
		return false;
	ascii[size] = '\0';
	return true;
}

/* Writes the host as it goes into the DNS; what UTS 46 made of it is not checked here. */
static bool encode_host(struct url_part host, char ascii[URL_HOST_MAX + 1])
{
	if (!url_host_is_ascii(host))
		return url_host_encode(host, ascii);
	if (host.size > URL_HOST_MAX)
		return false;
	memcpy(ascii, host.start, host.size);
	ascii[host.size] = '\0';
	return true;
}

static bool is_host_character(char character)
{
	return isalnum((unsigned char)character) || character == '-' || character == '_' || character == '.';
}

/* Whether this is a name in the DNS: dots between labels of 1 to LABEL_MAX characters. */
static bool is_host_name(const char *name)
{
	size_t label_size = 0;

	if (strlen(name) > HOST_NAME_SIZE_MAX)
		return false;
	for (; *name != '\0'; name++) {
		if (!is_host_character(*name))
			return false;
		if (*name == '.' && label_size == 0)
			return false;
		label_size = *name == '.' ? 0 : label_size + 1;
		if (label_size > LABEL_MAX)
			return false;
	}
	return label_size > 0;
}

/* Names are compared in lower case and without the final dot. */
static void normalise_name(char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < size; i++)
		name[i] = (char)tolower((unsigned char)name[i]);
	if (size > 0 && name[size - 1] == '.')
		name[size - 1] = '\0';
}

static unsigned digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return (unsigned)(digit - '0');
	if (digit >= 'a' && digit <= 'f')
		return (unsigned)(digit - 'a') + 10;
	return UINT8_MAX;
}

/* Follows the IPv4 number parser of WHATWG URL: 0x is hexadecimal and means 0 by itself, a leading 0 is
 * octal. The text is in lower case. A number over 32 bits stays over 32 bits. */
static bool parse_ipv4_part(const char *text, size_t text_size, uint64_t *value)
{
	unsigned base = 10;
	size_t i = 0;

	if (text_size >= 2 && text[0] == '0') {
		base = text[1] == 'x' ? 16 : 8;
		i = text[1] == 'x' ? 2 : 1;
	}
	*value = 0;
	for (; i < text_size; i++) {
		unsigned digit = digit_value(text[i]);
		if (digit >= base)
			return false;
		if (*value <= UINT32_MAX)
			*value = *value * base + digit;
	}
	return true;
}

/* Browsers take a host whose last label is a number for an IPv4 address ("ends in a number"). */
static bool is_ipv4(const char *name)
{
	const char *dot = strrchr(name, '.');
	const char *label = dot == NULL ? name : dot + 1;
	uint64_t ignored;

	return strspn(label, "0123456789") == strlen(label) || parse_ipv4_part(label, strlen(label), &ignored);
}

/* Follows the IPv4 parser of WHATWG URL, where the last part fills all the bytes that are left. */
static bool parse_ipv4(const char *name, uint32_t *address)
{
	uint64_t value = 0;
	uint64_t part = 0;
	unsigned parts = 0;

	for (;;) {
		size_t size = strcspn(name, ".");
		if (++parts > IPV4_PARTS_MAX || !parse_ipv4_part(name, size, &part))
			return false;
		if (name[size] == '\0')
			break;
		if (part > UINT8_MAX)
			return false;
		value = value << 8 | part;
		name += size + 1;
	}
	unsigned bits_left = 8 * (IPV4_PARTS_MAX + 1 - parts);
	if (part >> bits_left != 0)
		return false;
	*address = (uint32_t)(value << bits_left | part);
	return true;
}

static bool read_ipv4(const char *name, char host_name[URL_HOST_MAX + 1])
{
	uint32_t address;

	if (!parse_ipv4(name, &address))
		return false;
	struct in_addr network_address = { .s_addr = htonl(address) };
	return inet_ntop(AF_INET, &network_address, host_name, URL_HOST_MAX + 1) != NULL;
}

/* The host begins with a bracket. inet_pton refuses zone ids, as browsers do. */
static bool read_ipv6(struct url_part host, char host_name[URL_HOST_MAX + 1])
{
	char literal[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (host.size < 2 || host.size - 2 >= sizeof(literal) || host.start[host.size - 1] != ']')
		return false;
	memcpy(literal, host.start + 1, host.size - 2);
	literal[host.size - 2] = '\0';
	if (inet_pton(AF_INET6, literal, &address) != 1)
		return false;
	/* An IPv4 address in the clothes of IPv6 (RFC 4291 section 2.5.5.2) leads to the same host. */
	if (IN6_IS_ADDR_V4MAPPED(&address))
		return inet_ntop(AF_INET, &address.s6_addr[12], host_name, URL_HOST_MAX + 1) != NULL;
	return inet_ntop(AF_INET6, &address, host_name, URL_HOST_MAX + 1) != NULL;
}

bool url_host_read(struct url_part host, char host_name[URL_HOST_MAX + 1])
{
	char name[URL_HOST_MAX + 1] = "";

	if (host.start[0] == '[')
		return read_ipv6(host, host_name);
	if (!encode_host(host, name))
		return false;
	normalise_name(name);
	if (!is_host_name(name))
		return false;
	if (is_ipv4(name))
		return read_ipv4(name, host_name);
	memcpy(host_name, name, sizeof(name));
	return true;
}

void url_host_close(void)
{
	uidna_close(idna);
	idna = NULL;
}
