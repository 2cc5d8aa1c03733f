/* The log: one line an event, whatever is in it, and no flood.
 * modules: log */
#include <fcntl.h>
#include <sys/stat.h>

#include "log.h"
#include "tap.h"

static char path[] = "/tmp/log-XXXXXX";
static char text[200000];

/* What was written since the last call. */
static const char *read_log(void)
{
	static off_t offset;
	int descriptor = open(path, O_RDONLY);
	ssize_t size = pread(descriptor, text, sizeof text - 1, offset);

	close(descriptor);
	if (size < 0)
		size = 0;
	text[size] = '\0';
	offset += size;
	return text;
}

static size_t count_lines(const char *lines)
{
	size_t count = 0;

	for (; *lines != '\0'; lines++)
		count += *lines == '\n';
	return count;
}

static void test_lines(void)
{
	log_info("%s", "plain");
	ok(strstr(read_log(), " info: plain\n") != NULL, "a line");
	log_info("a\nb\r\x1b\x7f");
	ok(strstr(read_log(), " info: a?b???\n") != NULL, "no control characters: %s", text);
	log_debug("debug");
	is_text(read_log(), "", "nothing below the level");
	log_info("%5000d", 1);
	is_int(count_lines(read_log()), 1, "a long one is one line");
	ok(strlen(text) < 1200, "and is cut");
}

static void test_flood(void)
{
	for (int i = 0; i < 1000; i++) {
		log_error("the disk is full");
		log_error("and another thing");
	}
	is_int(count_lines(read_log()), 2, "two errors a thousand times are two lines");
	for (int i = 0; i < 100; i++)
		log_error("error %d", i);
	is_int(count_lines(read_log()), 100, "a hundred errors are a hundred");
	log_error("the disk is full");
	is_int(count_lines(read_log()), 1, "one that is long gone is written again");
	for (int i = 0; i < 3; i++)
		log_info("the same");
	is_int(count_lines(read_log()), 3, "what is no failure is always written");
}

static void test_reopen(void)
{
	unlink(path);
	log_reopen();
	log_info("afterwards");
	int descriptor = open(path, O_RDONLY);
	ok(descriptor >= 0, "a log that was moved away is made anew");
	ssize_t size = read(descriptor, text, sizeof text - 1);
	close(descriptor);
	text[size > 0 ? size : 0] = '\0';
	ok(strstr(text, "afterwards") != NULL, "and gets the lines");
}

int main(void)
{
	int made = mkstemp(path);

	if (made >= 0)
		close(made);
	ok(log_open(path, LOG_LEVEL_INFO), "a file is opened");
	test_lines();
	test_flood();
	test_reopen();
	log_close();
	unlink(path);
	ok(!log_open("/nowhere/at/all", LOG_LEVEL_ERROR), "one that cannot be opened is said");
	log_close();
	return tap_done();
}
