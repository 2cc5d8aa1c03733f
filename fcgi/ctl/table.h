#ifndef TABLE_H
#define TABLE_H

#include "ctl_database.h"

/* Writes rows to standard output as an aligned table, with the names of the columns above. The last column is not
 * filled up. NULL and empty values are shown as "-". */
void table_write(const struct ctl_rows *rows, const char *const names[]);

#endif
