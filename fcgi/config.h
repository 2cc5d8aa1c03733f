#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "log.h"
#include "result.h"

/* What may be done without a key. */
enum config_anonymous {
	CONFIG_ANONYMOUS_PLAIN, /* make links without options */
	CONFIG_ANONYMOUS_FULL,  /* make links with any options */
	CONFIG_ANONYMOUS_OFF,   /* make none */
};

/* The settings of the process, read once from the environment. Texts are borrowed from it. */
struct config {
	const char *database;       /* conninfo or URI; "" leaves it to libpq's PG… variables */
	const char *base_url;       /* ends with / */
	const char *base_path;      /* the path of base_url, from its first slash */
	long max_url_characters;
	long max_body_size;
	enum config_anonymous anonymous;
	long redirect_status;       /* 301, 302, 307 or 308 */
	long redirect_max_age_s;    /* how long 301 and 308 may be cached */
	long queue_timeout_ms;      /* an operation waits this long for the database */
	long queue_max;             /* operations waiting */
	long database_timeout_ms;   /* the database may be silent this long with work in hand */
	long connections_max;       /* from the web server */
	const char *log;
	enum log_level log_level;
};

/* Reads SHORTEN_… from `environment` (a NULL-terminated array as environ(7)). False when a value is
 * bad or a SHORTEN_ name is unknown: then `problem` holds a sentence that names it. */
bool config_load(struct config *config, char *const environment[], char *problem, size_t problem_size) MUST_CHECK;

/* Writes the table of settings, one a line: name, default, meaning. */
void config_write_help(FILE *file);

#endif
