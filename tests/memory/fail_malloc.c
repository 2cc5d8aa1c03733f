/* Preloaded into a responder by tests of faults: from the first SIGUSR2 to the next one, one of FAIL_MALLOC allocations
 * of the program's own fails, at random. FAIL_MALLOC is a variable of the environment. With a limit for all
 * memory, by contrast, what is small hardly ever fails: large blocks meet that first.
 * What libraries allocate is spared: libfcgi ends the process where it gets none, json-c loses members, and libcrypto
 * reads through NULL. For the first two the program asks whether there will be enough (memory_reserve.h). */
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own, under names that nobody replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

struct range {
	uintptr_t from;
	uintptr_t until;
};

static volatile sig_atomic_t is_on;
static uint32_t one_of;
static uint32_t state;
static struct range program;

static bool is_in(const struct range *range, const void *caller)
{
	return (uintptr_t)caller >= range->from && (uintptr_t)caller < range->until;
}

static bool is_to_fail(const void *caller)
{
	if (!is_on || !is_in(&program, caller))
		return false;
	state = state * 1664525 + 1013904223;
	if ((state >> 8) % one_of != 0)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return is_to_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_to_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return is_to_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

static void toggle(int signal_number)
{
	(void)signal_number;
	is_on = !is_on;
}

static void set_range(struct range *range, const struct dl_phdr_info *object)
{
	range->from = UINTPTR_MAX;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		uintptr_t from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;

		if (object->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		range->from = from < range->from ? from : range->from;
		range->until = from + object->dlpi_phdr[i].p_memsz;
	}
}

/* The program itself has no name there: dl_iterate_phdr(3). */
static int note_object(struct dl_phdr_info *object, size_t size, void *context)
{
	(void)size;
	(void)context;
	if (object->dlpi_name[0] == '\0' && program.until == 0)
		set_range(&program, object);
	return 0;
}

/* spawn-fcgi and sh, which have it too, are the responder in the end, or get no signal. */
__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAIL_MALLOC");
	const struct sigaction action = { .sa_handler = toggle, .sa_flags = SA_RESTART };

	one_of = text != NULL ? (uint32_t)strtoul(text, NULL, 10) : 0;
	state = (uint32_t)getpid();
	dl_iterate_phdr(note_object, NULL);
	if (one_of > 0)
		sigaction(SIGUSR2, &action, NULL);
}
