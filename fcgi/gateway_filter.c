/* Lets only those records of a FastCGI request through that libfcgi can be trusted with. */
#include "gateway_filter.h"

#include <string.h>

enum { VERSION = 1, BEGIN_REQUEST = 1, PARAMS = 4, STDIN = 5, BEGIN_REQUEST_SIZE = 8 };

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void break_off(struct gateway_filter *filter)
{
	filter->part = GATEWAY_FILTER_BROKEN;
}

/* ---- names and values */

static void length_ended(struct gateway_filter *filter)
{
	if (filter->length > GATEWAY_FILTER_OVERHEAD_MAX)
		break_off(filter);
	filter->pair_left += filter->length;
	filter->length = 0;
	filter->has_name_length = !filter->has_name_length;
}

/* One byte below 128, or four bytes with the highest bit set (section 3.4). */
static void take_length_byte(struct gateway_filter *filter, unsigned char byte)
{
	if (filter->length_left == 0 && byte >= 0x80) {
		filter->length = byte & 0x7Fu;
		filter->length_left = 3;
		return;
	}
	filter->length = filter->length << 8 | byte;
	if (filter->length_left > 0)
		filter->length_left--;
	if (filter->length_left == 0)
		length_ended(filter);
}

static bool is_between_pairs(const struct gateway_filter *filter)
{
	return filter->length_left == 0 && !filter->has_name_length && filter->pair_left == 0;
}

/* Most pairs have short lengths and came whole. Returns the size of all those at the beginning. */
static size_t skip_short_pairs(const unsigned char *bytes, size_t size)
{
	size_t at = 0;

	while (size - at >= 2 && bytes[at] < 0x80 && bytes[at + 1] < 0x80) {
		size_t pair_size = (size_t)2 + bytes[at] + bytes[at + 1];

		if (pair_size > size - at)
			break;
		at += pair_size;
	}
	return at;
}

/* Both lengths stand before the name. */
static bool is_at_length(const struct gateway_filter *filter)
{
	return filter->length_left > 0 || filter->has_name_length || filter->pair_left == 0;
}

static void take_pairs(struct gateway_filter *filter, const unsigned char *bytes, size_t size)
{
	size_t at = 0;

	while (at < size && filter->part != GATEWAY_FILTER_BROKEN) {
		if (is_between_pairs(filter))
			at += skip_short_pairs(bytes + at, size - at);
		if (at < size && is_at_length(filter)) {
			take_length_byte(filter, bytes[at++]);
			continue;
		}
		size_t skipped = smaller(filter->pair_left, size - at);

		filter->pair_left -= skipped;
		at += skipped;
	}
}

/* ---- records */

/* libfcgi forgets the padding when the stream changes, and would take it for records. */
static bool has_place(struct gateway_filter *filter, unsigned type)
{
	size_t size = filter->content_left;
	bool is_padded = filter->padding_left > 0;

	switch (filter->part) {
	case GATEWAY_FILTER_BEGIN:
		filter->part = GATEWAY_FILTER_PARAMETERS;
		return type == BEGIN_REQUEST && size == BEGIN_REQUEST_SIZE && !is_padded;
	case GATEWAY_FILTER_PARAMETERS:
		if (size == 0)
			filter->part = GATEWAY_FILTER_BODY;
		return type == PARAMS && (size > 0 || (is_between_pairs(filter) && !is_padded));
	case GATEWAY_FILTER_BODY:
		if (size == 0)
			filter->part = GATEWAY_FILTER_END;
		return type == STDIN;
	case GATEWAY_FILTER_END:
	case GATEWAY_FILTER_BROKEN:
		break;
	}
	return false;
}

/* Records with the id 0 are about the connection: FCGI_GET_VALUES, and types that libfcgi does not know. */
static void header_ended(struct gateway_filter *filter)
{
	const unsigned char *header = filter->header;
	unsigned id = (unsigned)header[2] << 8 | header[3];

	if (filter->part == GATEWAY_FILTER_BEGIN)
		filter->id = id;
	filter->header_size = 0;
	filter->content_left = (size_t)header[4] << 8 | header[5];
	filter->padding_left = header[6];
	filter->holds_pairs = filter->part == GATEWAY_FILTER_PARAMETERS;
	filter->overhead += GATEWAY_FILTER_HEADER_SIZE + filter->padding_left;
	if (filter->part != GATEWAY_FILTER_BODY)
		filter->overhead += filter->content_left;
	if (header[0] != VERSION || id == 0 || id != filter->id || filter->overhead > GATEWAY_FILTER_OVERHEAD_MAX ||
	    !has_place(filter, header[1]))
		break_off(filter);
}

/* Takes as much as belongs together and returns how much that was. */
static size_t take_some(struct gateway_filter *filter, const unsigned char *bytes, size_t size)
{
	size_t taken;

	if (filter->content_left > 0) {
		taken = smaller(filter->content_left, size);
		filter->content_left -= taken;
		if (filter->holds_pairs)
			take_pairs(filter, bytes, taken);
		return taken;
	}
	if (filter->padding_left > 0) {
		taken = smaller(filter->padding_left, size);
		filter->padding_left -= taken;
		return taken;
	}
	taken = smaller(GATEWAY_FILTER_HEADER_SIZE - filter->header_size, size);
	memcpy(filter->header + filter->header_size, bytes, taken);
	filter->header_size += taken;
	if (filter->header_size == GATEWAY_FILTER_HEADER_SIZE)
		header_ended(filter);
	return taken;
}

bool gateway_filter_take(struct gateway_filter *filter, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	const unsigned char *end = at + size;

	while (at < end && filter->part != GATEWAY_FILTER_END && filter->part != GATEWAY_FILTER_BROKEN)
		at += take_some(filter, at, (size_t)(end - at));
	return filter->part != GATEWAY_FILTER_BROKEN;
}
