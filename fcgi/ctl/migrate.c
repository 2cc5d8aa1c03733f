/* Brings the tables up to date: runs sql/migrate. */
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "say.h"
#include "verb.h"

/* Where it lies, seen from the folder of this program: installed, or built in the checkout. */
static const char *const places[] = { "../share/shorten/sql/migrate", "../sql/migrate", "../../sql/migrate" };

/* Replaces this process; returns only when the script cannot be run. */
static void run_script(const char *folder)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		int size = snprintf(path, sizeof path, "%s/%s", folder, places[i]);

		if (size > 0 && (size_t)size < sizeof path && access(path, X_OK) == 0)
			execl(path, "migrate", (char *)NULL);
	}
}

static int migrate(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = MIGRATE_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	char program[PATH_MAX];

	(void)config;
	if (!options_take_arguments(&options, 0, "no argument", NULL))
		return VERB_USAGE;
	ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
	if (size > 0) {
		program[size] = '\0';
		run_script(dirname(program));
	}
	say_error("There is no sql/migrate beside this program, neither in ../share/shorten nor in a checkout");
	return EXIT_FAILURE;
}

const struct verb MIGRATE_VERB = {
	"migrate",
	"",
	"makes or updates the tables of the database",
	"Runs sql/migrate, which lies in ../share/shorten beside an installed shortenctl, or in the checkout. It\n"
	"applies the numbered files of sql/ that are not in yet, each in one transaction. Running it twice, or twice\n"
	"at once, is harmless. psql is needed.\n\n"
	"Example:\n"
	"  SHORTEN_DATABASE='dbname=shorten' shortenctl migrate\n",
	migrate,
};
