#ifndef VERB_H
#define VERB_H

#include "config.h"

/* The exit status when the command line is wrong; EXIT_SUCCESS and EXIT_FAILURE are the others. */
#define VERB_USAGE 2

/* What shortenctl can be told to do. A file has the verbs of its noun, with their help. */
struct verb {
	const char *name; /* one word or two: "key add" */
	const char *arguments;
	const char *summary; /* for the list of all verbs */
	const char *help;    /* what stands below the usage line: what it does, its options, examples */
	/* argv[0] is the last word of the name. Returns the exit status, having said on standard error why it is not
	 * EXIT_SUCCESS. Standard output is flushed by the caller. */
	int (*run)(const struct config *config, int argc, char *argv[]);
};

extern const struct verb KEY_ADD_VERB, KEY_LIST_VERB, KEY_REVOKE_VERB;
extern const struct verb LINK_ADD_VERB, LINK_EDIT_VERB, LINK_DELETE_VERB, LINK_SHOW_VERB, LINK_LIST_VERB;
extern const struct verb IMPORT_VERB, EXPORT_VERB, PRUNE_VERB, MIGRATE_VERB, STATUS_VERB;

#endif
