/* Fuzzes who is a robot: letters have no case, and whoever is one stays one, whatever it says besides. Input:
 * User-Agent and Sec-Purpose in a line each, and Purpose. modules: robots; max_len: 300 */
#include "robots.h"

#include <ctype.h>

#include "fuzz.h"

static char *change_case(const char *text)
{
	char *changed = fuzz_copy_text(text, strlen(text));

	for (char *at = changed; *at != '\0'; at++)
		*at = (char)(isupper((unsigned char)*at) ? tolower((unsigned char)*at) : toupper((unsigned char)*at));
	return changed;
}

static char *join(const char *text, const char *separator, const char *other)
{
	size_t size = strlen(text) + strlen(separator) + strlen(other) + 1;
	char *joined = fuzz_allocate(size);

	snprintf(joined, size, "%s%s%s", text, separator, other);
	return joined;
}

static void check_robot(const char *user_agent)
{
	bool is_robot = robots_is_robot(user_agent);
	char *changed = change_case(user_agent);
	char *more = join(user_agent, " ", "(X11; Linux)");
	char *crawler = join(user_agent, " ", "Crawler");

	must(robots_is_robot(changed) == is_robot);
	must(robots_is_robot(more) == is_robot || !is_robot);
	must(robots_is_robot(crawler));
	must(strstr(user_agent, "://") == NULL || is_robot);
	free(crawler);
	free(more);
	free(changed);
}

static void check_prefetch(const char *sec_purpose, const char *purpose)
{
	bool is_prefetch = robots_is_prefetch(sec_purpose, purpose);
	char *changed = change_case(sec_purpose);
	char *joined = join(sec_purpose, ", ", purpose);
	char *ahead = join(sec_purpose, ";", "prefetch");

	must(robots_is_prefetch(changed, purpose) == is_prefetch && robots_is_prefetch(purpose, sec_purpose) == is_prefetch);
	must(robots_is_prefetch(joined, "") == is_prefetch);
	must(robots_is_prefetch("", ahead));
	free(ahead);
	free(joined);
	free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	char *user_agent = fuzz_take_line(&input);
	char *sec_purpose = fuzz_take_line(&input);
	char *purpose = fuzz_take_rest(&input);

	check_robot(user_agent);
	check_prefetch(sec_purpose, purpose);
	free(purpose);
	free(sec_purpose);
	free(user_agent);
	return 0;
}
