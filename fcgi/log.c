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
		log_error("cannot open the log %s: %s", target, strerror(errno));
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
	char line[LINE_SIZE + 80];
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
	if (is_syslog)
		syslog(levels[level].priority, "%s", text);
	else
		write_line(level, text);
}
