/* Parts of SQL that are the same wherever they stand. */
#ifndef STORE_SQL_H
#define STORE_SQL_H

/* What is searched of the link `l`, which is a name. sql/migrate makes the index of it, and PostgreSQL knows that it
 * is the same by its very form. No part can hold the newline. The id is compared by bytes, and the rest would be with
 * it, so that letters beyond ASCII had no case. */
#define STORE_TEXT_OF(l) "(" l ".id || E'\\n' || " l ".srcurl || E'\\n' || COALESCE(" l ".title, '') COLLATE \"default\")"

#endif
