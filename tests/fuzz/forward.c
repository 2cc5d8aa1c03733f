/* Fuzzes how a visitor's query is appended to a Location. Input: what stands behind http://a in the Location, in a
 * line, and the query. modules: forward; max_len: 700 */
#include "forward.h"

#include "fuzz.h"

#define TEXT_MAX 700

/* Behind a Location without its fragment. */
static const char *separator(const char *head, size_t head_size)
{
	if (memchr(head, '?', head_size) == NULL)
		return "?";
	return strchr("?&", head[head_size - 1]) != NULL ? "" : "&";
}

/* The Location comes first and its fragment last, as they were; between them is the query, encoded where it must be. */
static void check(const char *location, const char *query, const char *forwarded, size_t forwarded_size)
{
	char encoded[TEXT_MAX * 3];
	size_t encoded_size = fuzz_percent_encode(query, strlen(query), '#', encoded);
	size_t head_size = strcspn(location, "#");
	size_t tail_size = strlen(location) - head_size;

	must(strlen(forwarded) == forwarded_size && fuzz_is_all_printable(forwarded, forwarded_size));
	must(forwarded_size >= head_size + tail_size && memcmp(forwarded, location, head_size) == 0);
	must(strcmp(forwarded + forwarded_size - tail_size, location + head_size) == 0);
	if (*query == '\0') {
		must(forwarded_size == head_size + tail_size);
		return;
	}
	const char *middle = forwarded + head_size;
	const char *mark = separator(location, head_size);
	size_t middle_size = forwarded_size - head_size - tail_size;
	must(middle_size == strlen(mark) + encoded_size && memcmp(middle, mark, strlen(mark)) == 0);
	must(memcmp(middle + strlen(mark), encoded, encoded_size) == 0);
	must(memchr(middle, '#', middle_size) == NULL && strcspn(forwarded, "?") <= head_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > TEXT_MAX)
		return 0;
	struct fuzz_input input = fuzz_start(data, size);
	char *line = fuzz_take_line(&input);
	char *query = fuzz_take_rest(&input);
	size_t location_size = strlen("http://a") + strlen(line);
	char *location = fuzz_allocate(location_size + 1);
	size_t forwarded_size = 0;

	snprintf(location, location_size + 1, "http://a%s", line);
	/* Nothing else is a Location. */
	if (fuzz_is_all_printable(line, strlen(line))) {
		char *bare = fuzz_allocate(location_size);
		memcpy(bare, location, location_size);
		char *forwarded = forward_query(bare, location_size, query, &forwarded_size);
		must(forwarded != NULL);
		check(location, query, forwarded, forwarded_size);
		free(forwarded);
		free(bare);
	}
	free(location);
	free(query);
	free(line);
	return 0;
}
