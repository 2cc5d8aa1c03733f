/* Writes rows as an aligned table. */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "say.h"
#include "utf8.h"

#define COLUMNS_MAX 16
#define GAP 2

static const char *cell(const struct ctl_rows *rows, size_t row, size_t column)
{
	const char *text = ctl_rows_text(rows, row, column);

	return text != NULL && *text != '\0' ? text : "-";
}

static size_t width_of(const char *text)
{
	return utf8_count_characters(text, strlen(text));
}

static void measure(const struct ctl_rows *rows, const char *const names[], size_t widths[COLUMNS_MAX])
{
	for (size_t column = 0; column < ctl_rows_columns(rows) && column < COLUMNS_MAX; column++) {
		widths[column] = width_of(names[column]);
		for (size_t row = 0; row < ctl_rows_count(rows); row++) {
			size_t width = width_of(cell(rows, row, column));

			if (width > widths[column])
				widths[column] = width;
		}
	}
}

static void write_cell(const char *text, size_t width, bool is_last)
{
	say_text(stdout, text);
	if (is_last)
		putchar('\n');
	else
		printf("%*s", (int)(width - width_of(text)) + GAP, "");
}

void table_write(const struct ctl_rows *rows, const char *const names[])
{
	size_t widths[COLUMNS_MAX] = { 0 };
	size_t columns = ctl_rows_columns(rows);

	measure(rows, names, widths);
	for (size_t column = 0; column < columns; column++)
		write_cell(names[column], widths[column], column + 1 == columns);
	for (size_t row = 0; row < ctl_rows_count(rows); row++)
		for (size_t column = 0; column < columns; column++)
			write_cell(cell(rows, row, column), widths[column], column + 1 == columns);
}
