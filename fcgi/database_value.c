/* Turns numbers and times into PostgreSQL's binary form. */
#include "database_value.h"

#include <endian.h>
#include <string.h>

/* From 1970-01-01 to 2000-01-01. */
#define EPOCH_US INT64_C(946684800000000)

struct database_value database_value_encode_number(int64_t number, char bytes[DATABASE_NUMBER_SIZE])
{
	uint64_t big_endian = htobe64((uint64_t)number);

	memcpy(bytes, &big_endian, sizeof big_endian);
	return (struct database_value){ bytes, sizeof big_endian };
}

struct database_value database_value_encode_time(int64_t time_us, char bytes[DATABASE_NUMBER_SIZE])
{
	return database_value_encode_number(time_us - EPOCH_US, bytes);
}
