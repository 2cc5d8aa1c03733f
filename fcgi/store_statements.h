#ifndef STORE_STATEMENTS_H
#define STORE_STATEMENTS_H

#include <stddef.h>

#include "database_settings.h"
#include "store_link.h"

/* The SQL. Part of store; nobody else includes this. */

/* Each order of a list, of which enum store_sort tells, has a statement for each way to choose from it. */
#define STORE_FILTER_SEARCH 1
#define STORE_FILTER_TAG 2
#define STORE_FILTERS 4

enum store_statement {
	STORE_FIND_LINK,
	STORE_INSERT_LINK,
	STORE_FIND_SAME_LINK,
	STORE_ADD_VISITS,
	STORE_ADD_DAYS,
	STORE_FORGET_WRITERS,
	STORE_PING,
	STORE_ADD_LINK,
	STORE_FIND_MADE_LINK,
	STORE_FIND_EQUAL_LINK,
	STORE_CLAIM_LINK,
	STORE_USE_LINK,
	STORE_FIND_USE,
	STORE_SHOW_LINK,
	STORE_EDIT_LINK,
	STORE_DELETE_LINK,
	STORE_COUNT_VISITS,
	STORE_FIND_KEY,
	STORE_TOUCH_KEY,
	STORE_LIST, /* and those behind it: STORE_LIST + sort * STORE_FILTERS + filters */
	STORE_STATEMENTS = STORE_LIST + STORE_SORTS * STORE_FILTERS,
};

extern const struct database_statement STORE_STATEMENT_TABLE[STORE_STATEMENTS];

/* As struct database_settings has them. */
extern const char STORE_SETUP[];
extern const char STORE_CHECK[];

#endif
