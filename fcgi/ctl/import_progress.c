/* Shows how far an import is, on a terminal. */
#include "import_progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL_MS 100

/* Between two looks at the clock. */
#define INTERVAL_ROWS 256

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void import_progress_start(struct import_progress *progress)
{
	progress->is_terminal = isatty(STDERR_FILENO) == 1;
	progress->shown_ms = 0;
}

void import_progress_show(struct import_progress *progress, long long rows, long long made)
{
	if (!progress->is_terminal)
		return;
	fprintf(stderr, "\r\033[K%lld rows read", rows);
	if (made != IMPORT_PROGRESS_NOT_MADE)
		fprintf(stderr, ", %lld links made", made);
	fflush(stderr);
	progress->shown_ms = now_ms();
}

void import_progress_count(struct import_progress *progress, long long rows)
{
	if (progress->is_terminal && rows % INTERVAL_ROWS == 0 && now_ms() - progress->shown_ms >= INTERVAL_MS)
		import_progress_show(progress, rows, IMPORT_PROGRESS_NOT_MADE);
}

void import_progress_wipe(const struct import_progress *progress)
{
	if (progress->is_terminal)
		fputs("\r\033[K", stderr);
}
