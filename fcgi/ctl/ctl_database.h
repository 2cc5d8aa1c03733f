#ifndef CTL_DATABASE_H
#define CTL_DATABASE_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"
#include "result.h"

/* PostgreSQL, one call at a time: what is asked for is there when the function returns. The only door of shortenctl
 * to libpq. Functions that fail have said why in one sentence, unless they were interrupted (see below). */

struct ctl_database;
struct ctl_rows;

/* Connects to the database of the settings. NULL when that cannot be done. */
struct ctl_database *ctl_database_open(const struct config *config) MUST_CHECK;
void ctl_database_close(struct ctl_database *database);

/* "shorten on /run/postgresql as shorten, PostgreSQL 15.4": without a password, cut to `size`. */
void ctl_database_describe(struct ctl_database *database, char *text, size_t size);

/* Runs one statement; parameters are texts, NULL for NULL. The rows belong to the caller. NULL when it failed. */
struct ctl_rows *ctl_database_query(struct ctl_database *database, const char *sql, size_t parameters_count,
				    const char *const parameters[]) MUST_CHECK;

/* The same for a statement without rows or parameters; *changed, which may be NULL, is how many rows it changed. */
bool ctl_database_run(struct ctl_database *database, const char *sql, long long *changed) MUST_CHECK;

size_t ctl_rows_count(const struct ctl_rows *rows);
size_t ctl_rows_columns(const struct ctl_rows *rows);
/* Borrowed from the rows; NULL for NULL. */
const char *ctl_rows_text(const struct ctl_rows *rows, size_t row, size_t column);
/* A boolean; false for NULL. */
bool ctl_rows_is_true(const struct ctl_rows *rows, size_t row, size_t column);
/* A whole number; 0 for NULL. */
long long ctl_rows_number(const struct ctl_rows *rows, size_t row, size_t column);
void ctl_rows_free(struct ctl_rows *rows);

/* Runs a query with many rows and hands each over as a result of one row, which is gone afterwards. */
typedef void ctl_database_row(void *context, const struct ctl_rows *rows);
bool ctl_database_each_row(struct ctl_database *database, const char *sql, ctl_database_row *row, void *context) MUST_CHECK;

/* COPY … TO STDOUT; what comes is handed to the function piece by piece. */
typedef void ctl_database_piece(const void *bytes, size_t bytes_size);
bool ctl_database_copy_out(struct ctl_database *database, const char *sql, ctl_database_piece *take) MUST_CHECK;

/* COPY … FROM STDIN: start, put any number of pieces, then end; or abort, of which nothing is said. */
bool ctl_database_start_copy_in(struct ctl_database *database, const char *sql) MUST_CHECK;
bool ctl_database_put_copy(struct ctl_database *database, const void *bytes, size_t bytes_size) MUST_CHECK;
bool ctl_database_end_copy_in(struct ctl_database *database) MUST_CHECK;
void ctl_database_abort_copy_in(struct ctl_database *database);

/* From now on SIGINT, SIGTERM and SIGHUP cancel the statement that is running, instead of ending the process. */
void ctl_database_catch_signals(struct ctl_database *database);
/* Whether one has come. To say so is left to the caller, who knows what was done until then. */
bool ctl_database_is_interrupted(void);

#endif
