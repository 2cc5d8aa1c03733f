/* Writes one line per event to standard error, syslog or a file. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define LINE_SIZE 1024

/* An error or warning with the same text is written once in so many seconds. */
#define REPEAT_S 10
#define RECENT_MAX 8

static const struct {
	const char *name;
	int priority;
} levels[] = {
	[LOG_LEVEL_ERROR] = { "error", LOG_ERR },
	[LOG_LEVEL_WARNING] = { "warning", LOG_WARNING },
	[LOG_LEVEL_INFO] = { "info", LOG_INFO },
	[LOG_LEVEL_DEBUG] = { "debug", LOG_DEBUG },
};

static const char *log_path;
static int log_descriptor = STDERR_FILENO;
static bool is_syslog;
static enum log_level level_max = LOG_LEVEL_INFO;

static int open_file(const char *path)
{
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
}

bool log_open(const char *target, enum log_level level)
{
	level_max = level;
	is_syslog = strcmp(target, "syslog") == 0;
	if (is_syslog)
		openlog("shorten.fcgi", LOG_PID, LOG_DAEMON);
	if (target[0] != '/')
		return true;
	int descriptor = open_file(target);
	if (descriptor < 0) {
		log_error("cannot open the log %s, which SHORTEN_LOG names: %s", target, strerror(errno));
		return false;
	}
	log_path = target;
	log_descriptor = descriptor;
	return true;
}

void log_close(void)
{
	if (is_syslog)
		closelog();
	if (log_path != NULL)
		close(log_descriptor);
	log_path = NULL;
	is_syslog = false;
	log_descriptor = STDERR_FILENO;
}

void log_reopen(void)
{
	if (log_path == NULL)
		return;
	int descriptor = open_file(log_path);
	if (descriptor < 0) {
		log_error("cannot open the log %s again: %s", log_path, strerror(errno));
		return;
	}
	close(log_descriptor);
	log_descriptor = descriptor;
}

static void mask_controls(char *text)
{
	for (; *text != '\0'; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void write_line(enum log_level level, const char *text)
{
	char line[LINE_SIZE + 120];
	char when[32];
	time_t now = time(NULL);
	struct tm utc;

	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	int size = snprintf(line, sizeof line, "%s shorten.fcgi[%ld] %s: %s\n", when, (long)getpid(),
			    levels[level].name, text);
	/* One write, so that lines of the pool's processes do not mix. Nobody can be told of a failure. */
	if (size > 0 && write(log_descriptor, line, (size_t)size) < 0)
		return;
}

/* Warnings and errors that were written lately. A full disk fails every request with the same text, and a
 * line for each would only fill it further. */
static struct {
	char text[LINE_SIZE];
	time_t written;
	unsigned long repeated; /* since then */
} recent[RECENT_MAX];

static size_t find_recent(const char *text)
{
	size_t oldest = 0;

	for (size_t i = 0; i < RECENT_MAX; i++) {
		if (strcmp(recent[i].text, text) == 0)
			return i;
		if (recent[i].written < recent[oldest].written)
			oldest = i;
	}
	recent[oldest].written = 0;
	recent[oldest].repeated = 0;
	return oldest;
}

static void write_text(enum log_level level, const char *text)
{
	if (is_syslog)
		syslog(levels[level].priority, "%s", text);
	else
		write_line(level, text);
}

/* A clock that is set back must not silence the log. */
static time_t monotonic_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	/* Never so small that an empty place counts as recent. */
	return now.tv_sec + REPEAT_S;
}

static void write_limited(enum log_level level, const char *text)
{
	size_t i = find_recent(text);
	time_t now = monotonic_seconds();
	char counted[LINE_SIZE + 40];

	if (recent[i].written + REPEAT_S > now) {
		recent[i].repeated++;
		return;
	}
	snprintf(counted, sizeof counted, "%s (%lu more since the last)", text, recent[i].repeated);
	write_text(level, recent[i].repeated > 0 ? counted : text);
	memcpy(recent[i].text, text, strlen(text) + 1);
	recent[i].written = now;
	recent[i].repeated = 0;
}

void log_event(enum log_level level, const char *format, ...)
{
	char text[LINE_SIZE];
	va_list arguments;

	if (level > level_max)
		return;
	va_start(arguments, format);
	int size = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (size < 0)
		return;
	mask_controls(text);
	if (level <= LOG_LEVEL_WARNING)
		write_limited(level, text);
	else
		write_text(level, text);
}
