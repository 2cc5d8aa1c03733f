/* Tests that a body is whole or not at all, when memory has run out.
 * modules: json_body memory_reserve json_scan utf8 */
#include "json_body.h"

#include "tap.h"

/* The sanitizer cannot do without memory itself. */
#if !defined(__SANITIZE_ADDRESS__)

#include <sys/resource.h>
#include <sys/wait.h>

#define NAMES_MAX 200
#define BODY_MAX ((size_t)1 << 20)
#define BLOCK_SIZE 1000
#define LINK "{\"srcUrl\":\"https:\\/\\/a.example\\/\\u00e4\\ud83d\\ude00\\/%zu\",\"tags\":[\"\\/%zu\",\"b\"],\"reuse\":true}"

enum outcome {
	OUTCOME_WHOLE,
	OUTCOME_REFUSED,
	OUTCOME_WRONG,
};

struct block {
	struct block *next;
	char bytes[BLOCK_SIZE - sizeof(struct block *)];
};

static bool is_same(const struct json_value *a, const struct json_value *b);

static bool is_same_object(const struct json_value *a, const struct json_value *b)
{
	const char *names[NAMES_MAX];
	size_t count = 0;

	for (;;) {
		const struct json_value *a_member;
		const struct json_value *b_member;
		const char *name = json_body_find_unknown(a, names, count);

		if (name == NULL)
			return true;
		names[count++] = name;
		if (json_body_find(a, name, &a_member) != json_body_find(b, name, &b_member) || !is_same(a_member, b_member))
			return false;
	}
}

static bool is_same(const struct json_value *a, const struct json_value *b)
{
	size_t a_size = 0;
	size_t b_size = 0;

	if (json_value_type(a) != json_value_type(b) || json_value_count(a) != json_value_count(b))
		return false;
	if (json_value_type(a) == JSON_TYPE_OBJECT)
		return is_same_object(a, b);
	for (size_t i = 0; i < json_value_count(a); i++)
		if (!is_same(json_value_element(a, i), json_value_element(b, i)))
			return false;
	if (json_value_type(a) != JSON_TYPE_STRING)
		return true;
	const char *text = json_value_string(a, &a_size);
	return strcmp(text, json_value_string(b, &b_size)) == 0 && a_size == b_size;
}

static size_t process_size(void)
{
	char line[128];
	FILE *file = fopen("/proc/self/statm", "r");

	if (file == NULL || fgets(line, sizeof line, file) == NULL)
		tap_bail_out("no statm");
	fclose(file);
	return strtoul(line, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_memory(size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0)
		tap_bail_out("no limit");
	limit.rlim_cur = size > 0 ? size : limit.rlim_max;
	if (setrlimit(RLIMIT_AS, &limit) != 0)
		tap_bail_out("no limit can be set");
}

/* Takes all but so many blocks of what the heap has. */
static void take_blocks(size_t but_count)
{
	struct block *blocks = NULL;
	struct block *block;

	while ((block = malloc(sizeof *block)) != NULL) {
		block->next = blocks;
		blocks = block;
	}
	while (malloc(64) != NULL)
		;
	for (; but_count > 0 && blocks != NULL; but_count--) {
		block = blocks->next;
		free(blocks);
		blocks = block;
	}
}

/* In a process of its own. */
static enum outcome read_in_shortage(const char *text, size_t size, size_t room, size_t blocks_count)
{
	const char *problem = "unset";

	limit_memory(process_size() + room);
	if (blocks_count > 0)
		take_blocks(blocks_count);
	struct json_body *body = json_body_parse(text, size, &problem);
	limit_memory(0);
	if (body == NULL)
		return problem == NULL ? OUTCOME_REFUSED : OUTCOME_WRONG;
	struct json_body *whole = json_body_parse(text, size, &problem);
	return whole != NULL && is_same(json_body_root(body), json_body_root(whole)) ? OUTCOME_WHOLE : OUTCOME_WRONG;
}

static enum outcome outcome_of(const char *text, size_t size, size_t room, size_t blocks_count)
{
	int status = 0;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit((int)read_in_shortage(text, size, room, blocks_count));
	if (child < 0 || waitpid(child, &status, 0) != child)
		tap_bail_out("no process of its own");
	return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : OUTCOME_WRONG;
}

static void test_shortage(const char *name, const char *text, size_t size)
{
	size_t counts[OUTCOME_WRONG + 1] = { 0 };

	for (size_t blocks_count = 1; blocks_count < 20000; blocks_count += 1 + blocks_count / 8)
		counts[outcome_of(text, size, 0, blocks_count)]++;
	for (size_t room = 0; room < 24 * BODY_MAX; room += room / 8 + 65536)
		counts[outcome_of(text, size, room, 0)]++;
	is_int(counts[OUTCOME_WRONG], 0, "%s: none is wrong", name);
	ok(counts[OUTCOME_WHOLE] > 0, "%s: %zu times whole", name, counts[OUTCOME_WHOLE]);
	ok(counts[OUTCOME_REFUSED] > 0, "%s: %zu times refused", name, counts[OUTCOME_REFUSED]);
}

/* `item`, which may have a number in it, so many times between the two marks. */
static void test_many(const char *name, const char *marks, const char *item, size_t count)
{
	char *text = malloc(BODY_MAX);
	size_t size = 0;

	if (text == NULL)
		tap_bail_out("no memory for a body");
	text[size++] = marks[0];
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && marks[0] != '"')
			text[size++] = ',';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		size += (size_t)snprintf(text + size, BODY_MAX - size, item, i, i);
#pragma GCC diagnostic pop
	}
	text[size++] = marks[1];
	test_shortage(name, text, size);
	free(text);
}

static void test_bodies(void)
{
	test_many("a link", "[]", LINK, 1);
	test_many("links", "[]", LINK, 1000);
	test_many("an object", "{}", "\"\\u00e4\\/%zu\":\"\\t%zu\"", NAMES_MAX - 1);
	test_many("an array of numbers", "[]", "%zu", 20000);
	test_many("an array of objects", "[]", "{}", 2000);
	test_many("an array of arrays", "[]", "[[[]]]", 690);
	test_many("a string", "\"\"", "a\\/", 100000);
	test_many("a number", "[]", "1%0500zu", 1);
}
#endif

int main(void)
{
#if !defined(__SANITIZE_ADDRESS__)
	test_bodies();
#else
	ok(true, "not with the sanitizer");
#endif
	return tap_done();
}
