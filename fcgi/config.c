/* Reads the settings from the environment: one table row each. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "url.h"

#define PREFIX "SHORTEN_"
#define PREFIX_SIZE (sizeof PREFIX - 1)

enum kind {
	KIND_TEXT,
	KIND_NUMBER,
	KIND_CHOICE,
};

/* Returns what a valid value would be, or NULL when it is valid. */
typedef const char *check_function(const char *value);

static check_function log_problem, level_problem, anonymous_problem, status_problem, base_url_problem;

struct setting {
	const char *name; /* behind SHORTEN_ */
	enum kind kind;
	size_t offset;
	const char *fallback;
	long minimum;
	long maximum;
	check_function *check;
	const char *help;
	const char *const *choices; /* names of an enum's values, from 0, and NULL */
};

static const char *const levels[] = {
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_WARNING] = "warning",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
	[LOG_LEVEL_DEBUG + 1] = NULL,
};

static const char *const anonymous_choices[] = {
	[CONFIG_ANONYMOUS_PLAIN] = "plain",
	[CONFIG_ANONYMOUS_FULL] = "full",
	[CONFIG_ANONYMOUS_OFF] = "off",
	[CONFIG_ANONYMOUS_OFF + 1] = NULL,
};

#define TEXT(name, member, fallback, check, help) \
	{ name, KIND_TEXT, offsetof(struct config, member), fallback, 0, 0, check, help, NULL }
#define NUMBER(name, member, fallback, minimum, maximum, check, help) \
	{ name, KIND_NUMBER, offsetof(struct config, member), fallback, minimum, maximum, check, help, NULL }
#define CHOICE(name, member, fallback, choices, check, help) \
	{ name, KIND_CHOICE, offsetof(struct config, member), fallback, 0, 0, check, help, choices }

static const struct setting settings[] = {
	TEXT("DATABASE", database, "", NULL, "conninfo or URI of PostgreSQL; empty: libpq's PG… variables"),
	TEXT("BASE_URL", base_url, "http://test.short/", base_url_problem, "what a short URL starts with; ends with /"),
	NUMBER("MAX_URL", max_url_characters, "250", 10, URL_CHARACTERS_MAX, NULL, "longest srcUrl, in characters"),
	NUMBER("MAX_BODY", max_body_size, "65536", 256, 16777216, NULL, "largest request body, in bytes"),
	CHOICE("ANONYMOUS", anonymous, "plain", anonymous_choices, anonymous_problem,
	       "what can be done without a key; plain: links without options, full: with all, off: nothing"),
	NUMBER("REDIRECT_STATUS", redirect_status, "302", 301, 308, status_problem, "301, 302, 307 or 308"),
	NUMBER("REDIRECT_MAX_AGE", redirect_max_age_s, "3600", 0, 31536000, NULL,
	       "how long a 301 or 308 may be cached, in seconds"),
	NUMBER("QUEUE_TIMEOUT_MS", queue_timeout_ms, "2000", 10, 60000, NULL,
	       "how long a request waits for the database before it gets 503"),
	NUMBER("QUEUE_MAX", queue_max, "10000", 1, 1000000, NULL,
	       "how many operations of a process wait; further ones get 503 at once"),
	NUMBER("DATABASE_TIMEOUT_MS", database_timeout_ms, "5000", 100, 600000, NULL,
	       "how long the database may be silent before the connection is given up"),
	NUMBER("CONNECTIONS_MAX", connections_max, "4096", 1, 100000, NULL,
	       "connections from the web server to one process"),
	TEXT("LOG", log, "stderr", log_problem, "stderr, syslog or the absolute path of a file"),
	CHOICE("LOG_LEVEL", log_level, "info", levels, level_problem, "error, warning, info or debug"),
};

#define SETTINGS_COUNT (sizeof settings / sizeof settings[0])

/* The number of a name; that of the NULL behind them where it is none of them. */
static int find_choice(const char *const choices[], const char *name)
{
	int choice = 0;

	while (choices[choice] != NULL && strcmp(choices[choice], name) != 0)
		choice++;
	return choice;
}

static const char *level_problem(const char *value)
{
	return levels[find_choice(levels, value)] != NULL ? NULL : "error, warning, info or debug";
}

static const char *anonymous_problem(const char *value)
{
	return anonymous_choices[find_choice(anonymous_choices, value)] != NULL ? NULL : "plain, full or off";
}

static const char *log_problem(const char *value)
{
	if (strcmp(value, "stderr") == 0 || strcmp(value, "syslog") == 0 || value[0] == '/')
		return NULL;
	return "stderr, syslog or the absolute path of a file";
}

static const char *status_problem(const char *value)
{
	static const char *const statuses[] = { "301", "302", "307", "308" };

	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
		if (strcmp(statuses[i], value) == 0)
			return NULL;
	return "301, 302, 307 or 308";
}

/* It stands in every short URL, so it must be plain. A char beyond ASCII is below zero on some machines only. */
static bool is_base_url(const char *value, size_t size)
{
	struct url url;

	if (size > URL_CHARACTERS_MAX || url_parse(value, size, &url) != URL_VALID)
		return false;
	if (url.user.start != NULL || url.rest.size == 0 || value[size - 1] != '/' || strstr(value, "/.") != NULL)
		return false;
	for (size_t i = 0; i < size; i++)
		if (value[i] <= ' ' || value[i] >= 0x7f || strchr("?#\"<>\\^`{|}", value[i]) != NULL)
			return false;
	return true;
}

static const char *base_url_problem(const char *value)
{
	if (is_base_url(value, strlen(value)))
		return NULL;
	return "a URL such as https://example.com/ which ends with / and has neither user, query nor fragment";
}

static bool parse_number(const char *value, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(value, &end, 10);
	return errno == 0 && end != value && *end == '\0' && value[0] >= '0' && value[0] <= '9';
}

static bool store_number(struct config *config, const struct setting *setting, const char *value)
{
	long number;

	if (!parse_number(value, &number) || number < setting->minimum || number > setting->maximum)
		return false;
	memcpy((char *)config + setting->offset, &number, sizeof number);
	return true;
}

/* An enum has the size of an int (GCC manual, section 4.9; so does clang). */
_Static_assert(sizeof(enum log_level) == sizeof(int) && sizeof(enum config_anonymous) == sizeof(int), "");

static void store_choice(struct config *config, const struct setting *setting, const char *value)
{
	int choice = find_choice(setting->choices, value);

	memcpy((char *)config + setting->offset, &choice, sizeof choice);
}

static bool store(struct config *config, const struct setting *setting, const char *value)
{
	switch (setting->kind) {
	case KIND_TEXT:
		memcpy((char *)config + setting->offset, &value, sizeof value);
		return true;
	case KIND_NUMBER:
		return store_number(config, setting, value);
	case KIND_CHOICE:
		store_choice(config, setting, value);
		return true;
	}
	return false;
}

static bool read_setting(struct config *config, const struct setting *setting, const char *value, char *problem,
			 size_t problem_size)
{
	const char *wanted = setting->check != NULL ? setting->check(value) : NULL;

	if (wanted != NULL) {
		snprintf(problem, problem_size, PREFIX "%s is '%s' but must be %s", setting->name, value, wanted);
		return false;
	}
	if (store(config, setting, value))
		return true;
	snprintf(problem, problem_size, PREFIX "%s is '%s' but must be a number from %ld to %ld", setting->name, value,
		 setting->minimum, setting->maximum);
	return false;
}

static const struct setting *find_setting(const char *name, size_t name_size)
{
	for (size_t i = 0; i < SETTINGS_COUNT; i++)
		if (strlen(settings[i].name) == name_size && memcmp(settings[i].name, name, name_size) == 0)
			return &settings[i];
	return NULL;
}

static bool read_variable(struct config *config, const char *variable, char *problem, size_t problem_size)
{
	const char *name = variable + PREFIX_SIZE;
	const char *value = strchr(variable, '=');

	if (strncmp(variable, PREFIX, PREFIX_SIZE) != 0 || value == NULL)
		return true;
	const struct setting *setting = find_setting(name, (size_t)(value - name));
	if (setting != NULL)
		return read_setting(config, setting, value + 1, problem, problem_size);
	snprintf(problem, problem_size, "%.*s is not a setting; --help lists them", (int)(value - variable), variable);
	return false;
}

bool config_load(struct config *config, char *const environment[], char *problem, size_t problem_size)
{
	for (size_t i = 0; i < SETTINGS_COUNT; i++)
		if (!read_setting(config, &settings[i], settings[i].fallback, problem, problem_size))
			return false;
	for (; *environment != NULL; environment++)
		if (!read_variable(config, *environment, problem, problem_size))
			return false;
	config->base_path = strchr(strstr(config->base_url, "://") + 3, '/');
	return true;
}

void config_write_help(FILE *file)
{
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		const struct setting *setting = &settings[i];

		fprintf(file, "  " PREFIX "%-20s %s", setting->name, setting->help);
		if (setting->kind == KIND_NUMBER && setting->check == NULL)
			fprintf(file, "; %ld to %ld", setting->minimum, setting->maximum);
		fprintf(file, " (default: %s)\n", setting->fallback[0] != '\0' ? setting->fallback : "empty");
	}
}
