/* Tests texts that are written with stdio, and what becomes of them when memory runs out. modules: text_stream */
#include "text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tap.h"

static void test_text(size_t size)
{
	struct text_stream stream;
	FILE *file = text_stream_open(&stream);

	if (file == NULL)
		tap_bail_out("no memory for a text");
	for (size_t i = 0; i < size; i++)
		fputc('a' + (int)(i % 26), file);
	ok(text_stream_close(&stream), "a text of %zu bytes", size);
	ok(stream.text_size == size && stream.text[size] == '\0', "has its size, and a NUL behind it");
	size_t same = 0;
	while (same < size && stream.text[same] == 'a' + (char)(same % 26))
		same++;
	ok(same == size, "and is what was written");
	free(stream.text);
}

static void test_no_file(void)
{
	struct text_stream stream = { 0 };

	ok(!text_stream_close(&stream) && stream.text == NULL, "without a file there is no text");
}

/* The sanitizer cannot do without memory itself. */
#if !defined(__SANITIZE_ADDRESS__)
/* In little pieces and in large ones, with something small at the end, when there is memory again. */
static void test_no_memory(size_t piece_size)
{
	static char piece[1 << 16];
	struct rlimit before;
	struct text_stream stream;
	FILE *file = text_stream_open(&stream);

	if (file == NULL || getrlimit(RLIMIT_AS, &before) != 0 || setrlimit(RLIMIT_AS, &(struct rlimit){ 0, before.rlim_max }) != 0)
		tap_bail_out("no limit can be set");
	memset(piece, 'x', sizeof piece);
	for (size_t i = 0; i < (size_t)1 << 25; i += piece_size)
		fwrite(piece, 1, piece_size, file);
	setrlimit(RLIMIT_AS, &before);
	fputc('!', file);
	ok(!text_stream_close(&stream) && stream.text == NULL && stream.text_size == 0, "want of memory, pieces of %zu: there is no text",
	   piece_size);
}
#endif

int main(void)
{
	static const size_t sizes[] = { 0, 1, 1022, 1023, 1024, 1025, 4096, 100000, 3000000 };

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		test_text(sizes[i]);
	test_no_file();
#if !defined(__SANITIZE_ADDRESS__)
	test_no_memory(10);
	test_no_memory(1 << 16);
#endif
	return tap_done();
}
