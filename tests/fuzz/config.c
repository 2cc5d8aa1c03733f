/* Fuzzes the settings: what is accepted keeps to what the help says. Input: variables of the environment, one a line.
 * modules: config url percent url_host utf8 log; max_len: 2600 */
#include "config.h"

#include "fuzz.h"
#include "url.h"

#define VARIABLES_MAX 32

static const struct {
	const char *name;
	size_t offset;
	long fallback;
	long minimum;
	long maximum;
} numbers[] = {
	{ "SHORTEN_MAX_URL=", offsetof(struct config, max_url_characters), 250, 10, 2048 },
	{ "SHORTEN_MAX_BODY=", offsetof(struct config, max_body_size), 65536, 256, 16777216 },
	{ "SHORTEN_REDIRECT_STATUS=", offsetof(struct config, redirect_status), 302, 301, 308 },
	{ "SHORTEN_REDIRECT_MAX_AGE=", offsetof(struct config, redirect_max_age_s), 3600, 0, 31536000 },
	{ "SHORTEN_QUEUE_TIMEOUT_MS=", offsetof(struct config, queue_timeout_ms), 2000, 10, 60000 },
	{ "SHORTEN_QUEUE_MAX=", offsetof(struct config, queue_max), 10000, 1, 1000000 },
	{ "SHORTEN_DATABASE_TIMEOUT_MS=", offsetof(struct config, database_timeout_ms), 5000, 100, 600000 },
	{ "SHORTEN_CONNECTIONS_MAX=", offsetof(struct config, connections_max), 4096, 1, 100000 },
};

/* What the last variable of this name says; `fallback` where there is none. */
static const char *find_last(char *const environment[], const char *name, const char *fallback)
{
	const char *value = fallback;

	for (; *environment != NULL; environment++)
		if (strncmp(*environment, name, strlen(name)) == 0)
			value = *environment + strlen(name);
	return value;
}

static void check_numbers(const struct config *config, char *const environment[])
{
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		const char *text = find_last(environment, numbers[i].name, NULL);
		long number;

		memcpy(&number, (const char *)config + numbers[i].offset, sizeof number);
		must(number >= numbers[i].minimum && number <= numbers[i].maximum);
		must(number == (text == NULL ? numbers[i].fallback : strtol(text, NULL, 10)));
		must(text == NULL || strspn(text, "0123456789") == strlen(text));
	}
	must(config->redirect_status == 301 || config->redirect_status == 302 || config->redirect_status == 307 ||
	     config->redirect_status == 308);
}

static void check_choices(const struct config *config, char *const environment[])
{
	static const char *const levels[] = { "error", "warning", "info", "debug" };
	static const char *const anonymous[] = { "plain", "full", "off" };

	must((unsigned)config->log_level < COUNT_OF(levels) && (unsigned)config->anonymous < COUNT_OF(anonymous));
	must(strcmp(find_last(environment, "SHORTEN_LOG_LEVEL=", "info"), levels[config->log_level]) == 0);
	must(strcmp(find_last(environment, "SHORTEN_ANONYMOUS=", "plain"), anonymous[config->anonymous]) == 0);
}

/* With an id behind it, it is a URL of this service, and goes into a Location and into a page as it is. */
static void check_base_url(const struct config *config)
{
	char text[URL_CHARACTERS_MAX + 8];
	char location[URL_LOCATION_MAX + 1];
	struct url url;
	struct url base;
	size_t size = strlen(config->base_url);

	must(size <= URL_CHARACTERS_MAX && config->base_url[size - 1] == '/');
	must(fuzz_is_all_printable(config->base_url, size) && strpbrk(config->base_url, "?#\"<>\\") == NULL);
	must(*config->base_path == '/' && config->base_path > config->base_url && config->base_path < config->base_url + size);
	must(url_parse(config->base_url, size, &base) == URL_VALID);
	must(base.user.start == NULL && base.rest.start == config->base_path);
	int text_size = snprintf(text, sizeof text, "%sabc", config->base_url);
	must(url_parse(text, (size_t)text_size, &url) == URL_VALID && url_is_below(&url, &base));
	must(url_write_location(text, (size_t)text_size, location) == (size_t)text_size && strcmp(location, text) == 0);
}

static void check_texts(const struct config *config, char *const environment[])
{
	must(strcmp(config->database, find_last(environment, "SHORTEN_DATABASE=", "")) == 0);
	must(strcmp(config->base_url, find_last(environment, "SHORTEN_BASE_URL=", "http://test.short/")) == 0);
	must(strcmp(config->log, find_last(environment, "SHORTEN_LOG=", "stderr")) == 0);
	must(*config->log == '/' || strcmp(config->log, "stderr") == 0 || strcmp(config->log, "syslog") == 0);
}

/* Refused is only what begins with SHORTEN_, and the sentence begins with a name of the environment, however much of it
 * there is room for. */
static void check_problem(char *const environment[], const char *problem)
{
	size_t name_size = strcspn(problem, " ");

	must(strncmp(problem, "SHORTEN_", strlen("SHORTEN_")) == 0);
	while (*environment != NULL && strncmp(problem, *environment, name_size) != 0)
		environment++;
	must(*environment != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	char *environment[VARIABLES_MAX + 1] = { NULL };
	size_t count = 0;
	char *problem = fuzz_allocate(300);
	struct config config;

	while (input.at < input.end && count < VARIABLES_MAX)
		environment[count++] = fuzz_take_line(&input);
	*problem = '\0';
	if (config_load(&config, environment, problem, 300)) {
		must(*problem == '\0');
		check_numbers(&config, environment);
		check_choices(&config, environment);
		check_texts(&config, environment);
		check_base_url(&config);
	} else {
		must(memchr(problem, '\0', 300) != NULL);
		check_problem(environment, problem);
	}
	free(problem);
	while (count > 0)
		free(environment[--count]);
	return 0;
}
