/* Tests what is kept back for libfcgi, when memory has run out. modules: gateway_reserve memory_reserve */
#include "gateway_reserve.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "tap.h"

/* The sanitizer cannot do without memory itself. */
#if !defined(__SANITIZE_ADDRESS__)
#define BLOCK_SIZE ((size_t)4 << 10)

/* Chained, to be freed again. */
struct block {
	struct block *next;
};

static struct block *take_all(void)
{
	struct block *blocks = NULL;
	struct block *block;

	while ((block = malloc(BLOCK_SIZE)) != NULL) {
		block->next = blocks;
		blocks = block;
	}
	return blocks;
}

static void give_back(struct block *blocks)
{
	while (blocks != NULL) {
		struct block *next = blocks->next;

		free(blocks);
		blocks = next;
	}
}

/* What libfcgi allocates before the body is read. */
static bool has_buffers(void)
{
	void *buffers[3] = { malloc(8192), malloc(8192), malloc((size_t)64 << 10) };
	bool has_all = buffers[0] != NULL && buffers[1] != NULL && buffers[2] != NULL;

	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
		free(buffers[i]);
	return has_all;
}

static void test_shortage(void)
{
	struct rlimit before;

	ok(gateway_reserve_is_there(), "at first it is there");
	if (getrlimit(RLIMIT_AS, &before) != 0 || setrlimit(RLIMIT_AS, &(struct rlimit){ 0, before.rlim_max }) != 0)
		tap_bail_out("no limit can be set");
	struct block *blocks = take_all();
	bool lacks_buffers = !has_buffers();
	bool is_there = gateway_reserve_is_there();
	bool suffices = has_buffers();
	struct block *rest = take_all();
	bool is_gone = !gateway_reserve_is_there();
	setrlimit(RLIMIT_AS, &before);
	give_back(rest);
	give_back(blocks);
	ok(lacks_buffers, "memory runs out");
	ok(is_there && suffices, "it is enough for libfcgi");
	ok(is_gone, "once it is used, it says so");
	ok(gateway_reserve_is_there(), "it comes back with memory");
}
#endif

int main(void)
{
#if !defined(__SANITIZE_ADDRESS__)
	test_shortage();
#endif
	ok(gateway_reserve_is_there(), "there is memory");
	return tap_done();
}
