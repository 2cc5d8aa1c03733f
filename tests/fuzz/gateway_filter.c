/* Fuzzes the filter of FastCGI records, with libfcgi behind it: what passes is read as what it says, in whatever pieces
 * it comes. Input: a byte for the size of the pieces, and what the web server sends.
 * modules: gateway_filter gateway_body; max_len: 600 */
#include "gateway_filter.h"

#include <fcgiapp.h>
#include <fcgios.h>
#include <fcntl.h>
#include <unistd.h>

#include "fuzz.h"
#include "gateway_body.h"

#define INPUT_MAX 4096
#define BODY_MAX 100

enum { BEGIN_REQUEST = 1, PARAMS = 4, STDIN = 5, ROLES = 3 };

static struct {
	struct gateway_filter filter;
	const unsigned char *at;
	const unsigned char *end;
	size_t piece;
	bool has_failed;
} source;

static size_t next_size(size_t size)
{
	size_t left = (size_t)(source.end - source.at);

	if (size > source.piece)
		size = source.piece;
	return size < left ? size : left;
}

/* As the gateway does it: libfcgi reads through this, and sees nothing that does not pass. */
int OS_Read(int fd, char *buf, size_t len)
{
	size_t size = next_size(len);

	(void)fd;
	if (size > 0)
		memcpy(buf, source.at, size);
	source.at += size;
	source.has_failed = source.has_failed || size == 0 || !gateway_filter_take(&source.filter, buf, size);
	return source.has_failed ? 0 : (int)size;
}

static void start(const uint8_t *data, size_t size, size_t piece)
{
	memset(&source, 0, sizeof source);
	source.at = data;
	source.end = data + size;
	source.piece = piece;
}

/* What the records say: their parameters and their body, one behind the other. */
struct said {
	unsigned role;
	unsigned char parameters[INPUT_MAX];
	size_t parameters_size;
	unsigned char body[INPUT_MAX];
	size_t body_size;
};

/* The records are those of a whole request, for they have passed. */
static void collect(const uint8_t *at, const uint8_t *end, struct said *said)
{
	bool is_over = false;

	said->parameters_size = said->body_size = 0;
	while (!is_over) {
		must(end - at >= 8 && at[0] == 1);
		size_t size = (size_t)at[4] * 256 + at[5];
		const uint8_t *content = at + 8;
		/* The padding of the last one may be still to come. */
		is_over = at[1] == STDIN && size == 0;
		must(is_over || (size_t)(end - content) >= size + at[6]);

		if (at[1] == BEGIN_REQUEST) {
			must(size == 8);
			said->role = content[0] * 256U + content[1];
		} else if (at[1] == PARAMS) {
			memcpy(said->parameters + said->parameters_size, content, size);
			said->parameters_size += size;
		} else {
			must(at[1] == STDIN);
			memcpy(said->body + said->body_size, content, size);
			said->body_size += size;
		}
		at = is_over ? end : content + size + at[6];
	}
}

static size_t take_length(const unsigned char **at, const unsigned char *end)
{
	const unsigned char *bytes = *at;

	must(end - bytes >= (bytes[0] < 128 ? 1 : 4));
	if (bytes[0] < 128) {
		*at += 1;
		return bytes[0];
	}
	*at += 4;
	return (size_t)(bytes[0] & 127) << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* The first of libfcgi's parameters is its own. */
static void check_parameters(const struct said *said, char **envp)
{
	const unsigned char *at = said->parameters;
	const unsigned char *end = at + said->parameters_size;
	char pair[INPUT_MAX + 2];

	must(strncmp(*envp++, "FCGI_ROLE=", strlen("FCGI_ROLE=")) == 0);
	while (at < end) {
		size_t name_size = take_length(&at, end);
		size_t value_size = take_length(&at, end);

		must((size_t)(end - at) >= name_size + value_size);
		snprintf(pair, sizeof pair, "%.*s=%.*s", (int)name_size, (const char *)at, (int)value_size,
			 (const char *)at + name_size);
		/* What a name or a value has behind a NUL is there, but nobody sees it. */
		if (memchr(at, '\0', name_size + value_size) == NULL)
			must(*envp != NULL && strcmp(*envp, pair) == 0);
		must(*envp++ != NULL);
		at += name_size + value_size;
	}
	must(*envp == NULL);
}

static void check_body(const struct said *said, const struct gateway_body *body, const char *content_length)
{
	char *end = NULL;
	long long length = strtoll(content_length, &end, 10);
	bool is_number = *content_length >= '0' && *content_length <= '9' && *end == '\0';

	must(body->is_too_large == (said->body_size > BODY_MAX || (is_number && length > BODY_MAX)));
	if (*content_length == '\0')
		must(!body->is_short);
	else
		must(body->is_short == (!is_number || (size_t)length != said->body_size));
	if (body->is_too_large || body->is_short)
		must(body->size == 0);
	else
		must(fuzz_is_equal(body->text, body->size, (const char *)said->body, said->body_size));
}

static void check_request(FCGX_Request *request, const struct said *said, bool is_whole)
{
	struct gateway_body body;
	const char *length = FCGX_GetParam("CONTENT_LENGTH", request->envp);

	must(!is_whole || said->role <= ROLES);
	if (is_whole)
		check_parameters(said, request->envp);
	bool is_read = gateway_body_read(&body, request->in, length != NULL ? length : "", BODY_MAX);
	must(is_read || !is_whole);
	if (is_whole)
		check_body(said, &body, length != NULL ? length : "");
	gateway_body_clear(&body);
}

/* Whatever passes, libfcgi takes it, and whole requests as what they are. */
static void run_libfcgi(const struct said *said, bool is_whole)
{
	FCGX_Request request;

	must(FCGX_InitRequest(&request, -1, 0) == 0);
	request.ipcFd = open("/dev/null", O_WRONLY);
	request.keepConnection = 1;
	must(request.ipcFd >= 0);
	if (FCGX_Accept_r(&request) >= 0)
		check_request(&request, said, is_whole);
	else
		must(!is_whole || said->role < 1 || said->role > ROLES);
	FCGX_Free(&request, 1);
}

/* Passes or not, whatever the pieces; and what is broken stays so. */
static enum gateway_filter_part take_all(const uint8_t *data, size_t size, size_t piece)
{
	bool passes = true;

	start(data, size, piece);
	for (size_t taken; (taken = next_size(size)) > 0; source.at += taken) {
		bool passes_too = gateway_filter_take(&source.filter, source.at, taken);

		must(passes || !passes_too);
		passes = passes_too;
	}
	must(passes == (source.filter.part != GATEWAY_FILTER_BROKEN));
	return source.filter.part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct said said;
	static bool is_initialised;

	if (size == 0 || size > INPUT_MAX)
		return 0;
	if (!is_initialised)
		must(setenv("LIBFCGI_OS_CLOSE_POLL_TIMEOUT", "0", 1) == 0 && FCGX_Init() == 0);
	is_initialised = true;
	size_t piece = data[0] % 64U + 1;
	enum gateway_filter_part part = take_all(data + 1, size - 1, SIZE_MAX);
	must(take_all(data + 1, size - 1, piece) == part && take_all(data + 1, size - 1, 1) == part);
	if (part == GATEWAY_FILTER_END)
		collect(data + 1, data + size, &said);
	start(data + 1, size - 1, piece);
	run_libfcgi(&said, part == GATEWAY_FILTER_END);
	return 0;
}
