/* Writes values as a PostgreSQL array. */
#include "database_array.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 4096

/* What one large batch needed is not kept for all the small ones after it. */
#define ROOM_KEPT_MAX ((size_t)256 << 10)

#define HEADER_SIZE 20
#define HEADER_COUNT 12 /* where the number of elements stands in it */

static bool make_room(struct database_array *array, size_t wanted)
{
	size_t room = array->room > 0 ? array->room : ROOM_MIN;
	char *bytes;

	if (array->size + wanted <= array->room)
		return true;
	while (room < array->size + wanted)
		room *= 2;
	bytes = realloc(array->bytes, room);
	if (bytes == NULL) {
		array->is_short_of_memory = true;
		return false;
	}
	array->bytes = bytes;
	array->room = room;
	return true;
}

static void write_number(char *bytes, size_t number)
{
	uint32_t big_endian = htobe32((uint32_t)number);

	memcpy(bytes, &big_endian, sizeof big_endian);
}

void database_array_start(struct database_array *array, enum database_type type)
{
	const size_t header[HEADER_SIZE / 4] = { 1, 0, (size_t)type, 0, 1 };

	if (array->room > ROOM_KEPT_MAX)
		database_array_close(array);
	array->size = 0;
	array->count = 0;
	array->is_short_of_memory = false;
	if (!make_room(array, HEADER_SIZE))
		return;
	for (size_t i = 0; i < HEADER_SIZE / 4; i++)
		write_number(array->bytes + 4 * i, header[i]);
	array->size = HEADER_SIZE;
}

void database_array_add(struct database_array *array, struct database_value value)
{
	if (array->is_short_of_memory || !make_room(array, 4 + value.size))
		return;
	write_number(array->bytes + array->size, value.size);
	memcpy(array->bytes + array->size + 4, value.bytes, value.size);
	array->size += 4 + value.size;
	array->count++;
}

struct database_value database_array_end(struct database_array *array)
{
	if (array->is_short_of_memory)
		return (struct database_value){ NULL, 0 };
	write_number(array->bytes + HEADER_COUNT, array->count);
	return (struct database_value){ array->bytes, array->size };
}

void database_array_close(struct database_array *array)
{
	free(array->bytes);
	*array = (struct database_array){ 0 };
}
