/* Preloaded into a responder by soak.t: at each SIGUSR2 it writes how many bytes of the heap are in use into the file
 * IN_USE.PID, where IN_USE is a variable of the environment. What a process has of the system's memory says less:
 * of what was freed glibc keeps some, more or less of it by chance. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[256];

/* Not safe while the process is in malloc(3) itself: it is asked when it has nothing to do. */
static void write_in_use(int signal_number)
{
	char text[32];
	struct mallinfo2 info = mallinfo2();
	int size = snprintf(text, sizeof text, "%zu\n", info.uordblks + info.hblkhd);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	(void)signal_number;
	if (file < 0)
		return;
	if (write(file, text, (size_t)size) != size)
		unlink(path);
	close(file);
}

/* spawn-fcgi and sh, which have it too, are the responder in the end, or never asked. */
__attribute__((constructor)) static void begin(void)
{
	const char *prefix = getenv("IN_USE");
	const struct sigaction action = { .sa_handler = write_in_use, .sa_flags = SA_RESTART };
	int size = snprintf(path, sizeof path, "%s.%ld", prefix != NULL ? prefix : "", (long)getpid());

	if (prefix != NULL && size > 0 && (size_t)size < sizeof path)
		sigaction(SIGUSR2, &action, NULL);
}
