#ifndef DATABASE_VALUE_H
#define DATABASE_VALUE_H

#include <stddef.h>
#include <stdint.h>

/* The types of parameters, numbered as in PostgreSQL's pg_type (these are fixed). */
enum database_type {
	DATABASE_BIGINT = 20,
	DATABASE_TEXT = 25,
	DATABASE_TIMESTAMPTZ = 1184,
};

#define DATABASE_NUMBER_SIZE 8

/* A parameter in the binary form of its type, which costs the server a fraction of what reading text does
 * (PostgreSQL manual, section 55.2.3): a text or bytea is its bytes, without NUL; a boolean is the byte 0 or 1; for
 * numbers and times see below. */
struct database_value {
	const char *bytes; /* borrowed until the operation is done; NULL is the SQL NULL, not to be shared */
	size_t size;
};

/* A bigint: 8 bytes, the highest first. Returns the value in `bytes`. */
struct database_value database_value_encode_number(int64_t number, char bytes[DATABASE_NUMBER_SIZE]);

/* A timestamptz from microseconds since 1970: it counts them from 2000 on. */
struct database_value database_value_encode_time(int64_t time_us, char bytes[DATABASE_NUMBER_SIZE]);

#endif
