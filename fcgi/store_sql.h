/* Parts of SQL that are the same wherever they stand. */
#ifndef STORE_SQL_H
#define STORE_SQL_H

/* What is searched of the link `l`, which is a name. sql/migrate makes the index of it, and PostgreSQL knows that it
 * is the same by its very form. A newline between the parts, as none is let into them. Without the last words the
 * collation "C" of the id would hold for all of it, and letters beyond ASCII would have no case. */
#define STORE_TEXT_OF(l) "(" l ".id || E'\\n' || " l ".srcurl || E'\\n' || COALESCE(" l ".title, '') COLLATE \"default\")"

#endif
