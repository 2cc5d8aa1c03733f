#ifndef LOG_H
#define LOG_H

#include <stdbool.h>

#include "result.h"

/* One line an event. To standard error and files: "2026-01-31T12:00:00Z shorten.fcgi[PID] error: text". */
enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

/* `target` is "stderr", "syslog" or the absolute path of a file, which is appended to (borrowed until
 * log_close). False when the file cannot be opened; the log then stays on standard error. */
bool log_open(const char *target, enum log_level level) MUST_CHECK;
void log_close(void);

/* Opens the file again, after it has been moved away by logrotate(8). */
void log_reopen(void);

/* A printf(3) format. Control characters are written as '?', so that no input makes a second line; a line
 * longer than 1,023 bytes is cut. */
void log_event(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_event(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_event(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...) log_event(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_event(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
