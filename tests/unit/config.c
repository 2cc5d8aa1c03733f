/* Settings: defaults, good and bad values on both sides of each limit, unknown names.
 * modules: config url percent url_host utf8 log */
#include "config.h"
#include "tap.h"

static struct config config;
static char problem[300];

static bool load(const char *variable)
{
	static char text[3000]; /* the settings point into it */
	char *environment[] = { "HOME=/", text, "SHORTENED=no setting", NULL };

	snprintf(text, sizeof text, "%s", variable);
	return config_load(&config, environment, problem, sizeof problem);
}

static void test_defaults(void)
{
	ok(load("PATH=/bin"), "the defaults are valid");
	is_text(config.database, "", "database");
	is_text(config.base_url, "http://test.short/", "base URL");
	is_text(config.base_path, "/", "its path");
	is_int(config.max_url_characters, 250, "longest URL");
	is_int(config.max_body_size, 65536, "largest body");
	is_int(config.redirect_status, 302, "redirect status");
	is_int(config.queue_timeout_ms, 2000, "queue time-out");
	is_int(config.log_level, LOG_LEVEL_INFO, "log level");
	is_text(config.log, "stderr", "log");
}

static const struct {
	const char *variable;
	bool is_good;
} values[] = {
	{ "SHORTEN_DATABASE=", true },
	{ "SHORTEN_DATABASE=host=/tmp dbname=x", true },
	{ "SHORTEN_BASE_URL=https://s.example/", true },
	{ "SHORTEN_BASE_URL=https://s.example:8443/s/", true },
	{ "SHORTEN_BASE_URL=https://s.example", false },
	{ "SHORTEN_BASE_URL=https://s.example/s", false },
	{ "SHORTEN_BASE_URL=https://s.example/?a=/", false },
	{ "SHORTEN_BASE_URL=https://s.example/#/", false },
	{ "SHORTEN_BASE_URL=s.example/", false },
	{ "SHORTEN_BASE_URL=http://u:p@s.example/", false },
	{ "SHORTEN_BASE_URL=http://s.example/a/../", false },
	{ "SHORTEN_BASE_URL=http://s.example/\"<>/", false },
	{ "SHORTEN_BASE_URL=http://s.example/a b/", false },
	{ "SHORTEN_BASE_URL=http://s.example/\xc3\xbc/", false },
	{ "SHORTEN_BASE_URL=http://b\xc3\xbc" "cher.example/", false },
	{ "SHORTEN_BASE_URL=", false },
	{ "SHORTEN_BASE_URL=http://", false },
	{ "SHORTEN_MAX_URL=10", true },
	{ "SHORTEN_MAX_URL=9", false },
	{ "SHORTEN_MAX_URL=2048", true },
	{ "SHORTEN_MAX_URL=2049", false },
	{ "SHORTEN_MAX_URL=", false },
	{ "SHORTEN_MAX_URL=250x", false },
	{ "SHORTEN_MAX_URL= 250", false },
	{ "SHORTEN_MAX_URL=+250", false },
	{ "SHORTEN_MAX_URL=-250", false },
	{ "SHORTEN_MAX_URL=99999999999999999999", false },
	{ "SHORTEN_MAX_BODY=256", true },
	{ "SHORTEN_MAX_BODY=255", false },
	{ "SHORTEN_REDIRECT_STATUS=301", true },
	{ "SHORTEN_REDIRECT_STATUS=302", true },
	{ "SHORTEN_REDIRECT_STATUS=303", false },
	{ "SHORTEN_REDIRECT_STATUS=307", true },
	{ "SHORTEN_REDIRECT_STATUS=308", true },
	{ "SHORTEN_REDIRECT_STATUS=0302", false },
	{ "SHORTEN_LOG=syslog", true },
	{ "SHORTEN_LOG=/var/log/x", true },
	{ "SHORTEN_LOG=x.log", false },
	{ "SHORTEN_LOG_LEVEL=debug", true },
	{ "SHORTEN_LOG_LEVEL=error", true },
	{ "SHORTEN_LOG_LEVEL=DEBUG", false },
	{ "SHORTEN_BASEURL=http://x/", false },
	{ "SHORTEN_=", false },
	{ "SHORTEN_MAX_URLS=250", false },
	{ "SHORTEN_MAX=250", false },
};

static void test_values(void)
{
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		bool is_good = load(values[i].variable);
		size_t name_size = strcspn(values[i].variable, "=");

		ok(is_good == values[i].is_good, "%s", values[i].variable);
		if (!values[i].is_good)
			ok(strncmp(problem, values[i].variable, name_size) == 0, "is named: %s", problem);
	}
}

static void test_stored(void)
{
	ok(load("SHORTEN_BASE_URL=https://s.example/a/b/"), "a base URL with a path");
	is_text(config.base_path, "/a/b/", "its path is kept apart");
	ok(load("SHORTEN_LOG_LEVEL=warning"), "a level");
	is_int(config.log_level, LOG_LEVEL_WARNING, "is stored as such");
	is_int(config.max_url_characters, 250, "and the others have their defaults");
}

int main(void)
{
	test_defaults();
	test_values();
	test_stored();
	return tap_done();
}
