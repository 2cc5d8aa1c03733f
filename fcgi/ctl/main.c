/* Starts shortenctl: finds the verb that the command line names, and runs it or shows its help. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "say.h"
#include "verb.h"

#define PROBLEM_SIZE 4096

static const struct verb *const verbs[] = {
	&KEY_ADD_VERB,	&KEY_LIST_VERB,	  &KEY_REVOKE_VERB, &LINK_ADD_VERB, &LINK_SHOW_VERB,
	&LINK_EDIT_VERB, &LINK_DELETE_VERB, &LINK_LIST_VERB,  &IMPORT_VERB,   &EXPORT_VERB,
	&PRUNE_VERB,	&MIGRATE_VERB,	  &STATUS_VERB,
};

#define VERBS_COUNT (sizeof verbs / sizeof verbs[0])

static void write_usage(const struct verb *verb)
{
	printf("Usage: shortenctl %s%s%s\n", verb->name, *verb->arguments != '\0' ? " " : "", verb->arguments);
}

static void write_verb_help(const struct verb *verb)
{
	write_usage(verb);
	printf("\n%s", verb->help);
}

/* Those whose name begins with the word, or all. */
static void write_overview(const char *noun)
{
	size_t size = strlen(noun);

	for (size_t i = 0; i < VERBS_COUNT; i++)
		if (strncmp(verbs[i]->name, noun, size) == 0)
			printf("  %-12s %s\n", verbs[i]->name, verbs[i]->summary);
}

static void write_help(void)
{
	printf("Usage: shortenctl VERB [OPTION]... [ARGUMENT]...\n\nManages a URL shortener from the command line.\n\n");
	write_overview("");
	printf("\n`shortenctl VERB --help` says more. The exit status is 0 when all went well, 1 when something did not,\n"
	       "2 when the command line is wrong.\n\n"
	       "From the environment, as shorten.fcgi has them:\n"
	       "  SHORTEN_DATABASE  the database, a connection string or URI; or else libpq's PG... variables\n"
	       "  SHORTEN_BASE_URL  what short URLs begin with; needed by what makes, shows or imports links\n"
	       "  SHORTEN_MAX_URL   the longest URL that may be shortened, in characters\n");
}

/* How many words of the command line the name has, 1 or 2; 0 when it is another. */
static int match(const struct verb *verb, int argc, char *argv[])
{
	const char *blank = strchr(verb->name, ' ');
	size_t size = blank != NULL ? (size_t)(blank - verb->name) : strlen(verb->name);

	if (argc < 2 || strlen(argv[1]) != size || memcmp(verb->name, argv[1], size) != 0)
		return 0;
	if (blank == NULL)
		return 1;
	return argc > 2 && strcmp(blank + 1, argv[2]) == 0 ? 2 : 0;
}

static bool is_noun(const char *word)
{
	size_t size = strlen(word);

	for (size_t i = 0; i < VERBS_COUNT; i++)
		if (strncmp(verbs[i]->name, word, size) == 0 && verbs[i]->name[size] == ' ')
			return true;
	return false;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Behind "--" stand arguments. */
static bool asks_for_help(int argc, char *argv[])
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_help(argv[i]))
			return true;
	return false;
}

static int run(const struct verb *verb, int argc, char *argv[])
{
	struct config config;
	char problem[PROBLEM_SIZE];

	if (asks_for_help(argc, argv)) {
		write_verb_help(verb);
		return EXIT_SUCCESS;
	}
	if (!config_load(&config, environ, problem, sizeof problem)) {
		say_error("%s", problem);
		return EXIT_FAILURE;
	}
	return verb->run(&config, argc, argv);
}

static int show_noun(const char *noun, int argc, char *argv[])
{
	if (argc > 0 && !is_help(argv[0]))
		return say_usage(noun, "There is no verb %s %s", noun, argv[0]);
	if (argc == 0)
		return say_usage(noun, "What is to be done with a %s?", noun);
	printf("Usage: shortenctl %s VERB [OPTION]... [ARGUMENT]...\n\n", noun);
	write_overview(noun);
	return EXIT_SUCCESS;
}

static int dispatch(int argc, char *argv[])
{
	if (argc < 2)
		return say_usage("", "What is to be done?");
	for (size_t i = 0; i < VERBS_COUNT; i++) {
		int words = match(verbs[i], argc, argv);

		if (words > 0)
			return run(verbs[i], argc - words, argv + words);
	}
	if (is_noun(argv[1]))
		return show_noun(argv[1], argc - 2, argv + 2);
	if (strcmp(argv[1], "--version") == 0) {
		printf("shortenctl %s\n", SHORTEN_VERSION);
		return EXIT_SUCCESS;
	}
	if (!is_help(argv[1]))
		return say_usage("", "There is no verb %s", argv[1]);
	write_help();
	return EXIT_SUCCESS;
}

int main(int argc, char *argv[])
{
	int status = dispatch(argc, argv);

	if (!say_flush() && status == EXIT_SUCCESS)
		return EXIT_FAILURE;
	return status;
}
