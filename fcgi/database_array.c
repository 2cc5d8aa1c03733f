/* Writes texts as a PostgreSQL array literal. */
#include "database_array.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MIN 4096

/* What one large batch needed is not kept for all the small ones after it. */
#define ROOM_KEPT_MAX ((size_t)256 << 10)

static bool make_room(struct database_array *array, size_t wanted)
{
	size_t room = array->room > 0 ? array->room : ROOM_MIN;
	char *text;

	if (array->size + wanted <= array->room)
		return true;
	while (room < array->size + wanted)
		room *= 2;
	text = realloc(array->text, room);
	if (text == NULL) {
		array->is_short_of_memory = true;
		return false;
	}
	array->text = text;
	array->room = room;
	return true;
}

void database_array_start(struct database_array *array)
{
	if (array->room > ROOM_KEPT_MAX)
		database_array_close(array);
	array->size = 0;
	array->is_short_of_memory = false;
	if (make_room(array, 1))
		array->text[array->size++] = '{';
}

/* Every element is quoted: NULL without quotes would be no text. */
void database_array_add(struct database_array *array, const char *element)
{
	size_t element_size = strlen(element);
	char *end;

	/* At the worst a backslash before each byte; two quotes, a comma. */
	if (array->is_short_of_memory || !make_room(array, 2 * element_size + 3))
		return;
	end = array->text + array->size;
	if (array->size > 1)
		*end++ = ',';
	*end++ = '"';
	for (; *element != '\0'; element++) {
		if (*element == '"' || *element == '\\')
			*end++ = '\\';
		*end++ = *element;
	}
	*end++ = '"';
	array->size = (size_t)(end - array->text);
}

const char *database_array_end(struct database_array *array)
{
	if (array->is_short_of_memory || !make_room(array, 2))
		return NULL;
	memcpy(array->text + array->size, "}", 2);
	return array->text;
}

void database_array_close(struct database_array *array)
{
	free(array->text);
	*array = (struct database_array){ 0 };
}
