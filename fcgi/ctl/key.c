/* Makes, lists and revokes the keys of the API. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "ctl_database.h"
#include "digest.h"
#include "id.h"
#include "link_rules.h"
#include "options.h"
#include "say.h"
#include "table.h"
#include "utf8.h"
#include "verb.h"

#define KEY_RANDOM_SIZE 32
#define KEY_SIZE 43 /* base64url (RFC 4648 section 5) without padding */
#define KEY_LABEL_MAX 100
#define HEX_SIZE ((size_t)DIGEST_SIZE * 2)

/* Collisions of 60 random bits are next to impossible; this many in a row mean something else. */
#define TRIES 5

static void fill_random(unsigned char bytes[KEY_RANDOM_SIZE])
{
	size_t size = 0;

	while (size < KEY_RANDOM_SIZE) {
		ssize_t got = getrandom(bytes + size, KEY_RANDOM_SIZE - size, 0);
		if (got < 0 && errno != EINTR)
			err(EXIT_FAILURE, "the kernel gives no random bytes");
		if (got > 0)
			size += (size_t)got;
	}
}

/* 256 bits are 42 characters of 6 bits, and one of the 4 that are left. */
static void write_key(char key[KEY_SIZE + 1])
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	unsigned char bytes[KEY_RANDOM_SIZE + 1] = { 0 };

	fill_random(bytes);
	for (size_t i = 0; i < KEY_SIZE; i++) {
		size_t bit = i * 6;
		unsigned int pair = (unsigned int)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];

		key[i] = alphabet[pair >> (10 - bit % 8) & 63];
	}
	key[KEY_SIZE] = '\0';
}

static bool write_hash(const char key[KEY_SIZE + 1], char hex[HEX_SIZE + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char digest[DIGEST_SIZE];

	if (!digest_write(key, KEY_SIZE, digest)) {
		say_error("There is no memory left");
		return false;
	}
	for (size_t i = 0; i < DIGEST_SIZE; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	hex[HEX_SIZE] = '\0';
	return true;
}

/* Titles of links have the same rules but for their length. */
static const char *label_problem(const char *label)
{
	char problem[LINK_RULES_PROBLEM_SIZE];
	size_t size = strlen(label);

	if (utf8_find_invalid(label, size) < size)
		return "A label must be valid UTF-8";
	if (size == 0 || utf8_count_characters(label, size) > KEY_LABEL_MAX)
		return "A label must have 1 to 100 characters";
	if (link_rules_title_problem(label, size, problem) != NULL)
		return "A label must not contain control characters";
	return NULL;
}

/* An id that begins with '-' would have to stand behind "--" now and then. */
static void generate_id(char id[ID_SIZE + 1])
{
	do
		id_generate(id);
	while (id[0] == '-');
}

static bool insert(struct ctl_database *database, const char *label, const char *hash, char id[ID_SIZE + 1])
{
	for (int i = 0; i < TRIES; i++) {
		generate_id(id);
		struct ctl_rows *rows = ctl_database_query(
			database,
			"INSERT INTO api_keys (id, hash, label, created) VALUES ($1, decode($2, 'hex'), $3, now())"
			" ON CONFLICT DO NOTHING RETURNING id",
			3, (const char *const[]){ id, hash, label });
		bool is_failed = rows == NULL;
		bool is_made = !is_failed && ctl_rows_count(rows) == 1;

		ctl_rows_free(rows);
		if (is_failed || is_made)
			return is_made;
	}
	say_error("No free id was found");
	return false;
}

/* Allowed, but `key revoke` then wants an id. */
static void warn_of_others(struct ctl_database *database, const char *label, const char *id)
{
	struct ctl_rows *rows = ctl_database_query(
		database, "SELECT id FROM api_keys WHERE label = $1 AND id <> $2 AND revoked IS NULL ORDER BY created, id LIMIT 1",
		2, (const char *const[]){ label, id });

	if (rows != NULL && ctl_rows_count(rows) > 0)
		say_error("There is another key with this label: %s", ctl_rows_text(rows, 0, 0));
	ctl_rows_free(rows);
}

/* The key goes to standard output alone, so that a script can take it. */
static int add_key(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = KEY_ADD_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	char key[KEY_SIZE + 1];
	char hash[HEX_SIZE + 1];
	char id[ID_SIZE + 1];
	const char *label;

	if (!options_take_arguments(&options, 1, "a label", &label))
		return VERB_USAGE;
	const char *problem = label_problem(label);
	if (problem != NULL)
		return say_usage(options.verb, "%s", problem);
	write_key(key);
	struct ctl_database *database = write_hash(key, hash) ? ctl_database_open(config) : NULL;
	bool is_made = database != NULL && insert(database, label, hash, id);
	if (is_made)
		warn_of_others(database, label, id);
	ctl_database_close(database);
	if (!is_made)
		return EXIT_FAILURE;
	printf("%s\n", key);
	fputs("The key '", stderr);
	say_text(stderr, label);
	fprintf(stderr, "' is made; its id is %s. It is shown this once. Requests send it as: Authorization: Bearer KEY\n", id);
	return EXIT_SUCCESS;
}

#define TIME(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

static int list_keys(const struct config *config, int argc, char *argv[])
{
	static const char *const names[] = { "ID", "LABEL", "CREATED", "LAST USED", "REVOKED" };
	struct options options = { .verb = KEY_LIST_VERB.name, .argc = argc, .argv = argv, .index = 1 };

	if (!options_take_arguments(&options, 0, "no argument", NULL))
		return VERB_USAGE;
	struct ctl_database *database = ctl_database_open(config);
	struct ctl_rows *rows = database == NULL ? NULL : ctl_database_query(
		database, "SELECT id, label, " TIME("created") ", " TIME("lastused") ", " TIME("revoked")
		" FROM api_keys ORDER BY created, id", 0, NULL);
	if (rows != NULL)
		table_write(rows, names);
	int status = rows != NULL ? EXIT_SUCCESS : EXIT_FAILURE;
	ctl_rows_free(rows);
	ctl_database_close(database);
	return status;
}

/* Keys of that id or, where none has it, of that label; those that still work come first. */
#define FIND_KEYS \
	"SELECT id, label, revoked IS NOT NULL, " TIME("revoked") " FROM api_keys" \
	" WHERE id = $1 OR (label = $1 AND NOT EXISTS (SELECT FROM api_keys WHERE id = $1))" \
	" ORDER BY revoked IS NOT NULL, revoked DESC"

static int revoke_found(struct ctl_database *database, const struct ctl_rows *keys, const char *name)
{
	if (ctl_rows_count(keys) == 0) {
		say_error("There is no key with the id or label '%s'", name);
		return EXIT_FAILURE;
	}
	const char *id = ctl_rows_text(keys, 0, 0);
	const char *label = ctl_rows_text(keys, 0, 1);
	if (ctl_rows_is_true(keys, 0, 2)) {
		fputs("The key '", stdout);
		say_text(stdout, label);
		printf("' (%s) was revoked already, at %s UTC.\n", id, ctl_rows_text(keys, 0, 3));
		return EXIT_SUCCESS;
	}
	if (ctl_rows_count(keys) > 1 && !ctl_rows_is_true(keys, 1, 2)) {
		say_error("Several keys have the label '%s'; give an id, such as %s or %s", label, id, ctl_rows_text(keys, 1, 0));
		return EXIT_FAILURE;
	}
	struct ctl_rows *rows = ctl_database_query(
		database, "UPDATE api_keys SET revoked = COALESCE(revoked, now()) WHERE id = $1 RETURNING id", 1, &id);
	if (rows == NULL)
		return EXIT_FAILURE;
	ctl_rows_free(rows);
	fputs("The key '", stdout);
	say_text(stdout, label);
	printf("' (%s) is revoked; within a second no request is accepted with it.\n", id);
	return EXIT_SUCCESS;
}

static int revoke_key(const struct config *config, int argc, char *argv[])
{
	struct options options = { .verb = KEY_REVOKE_VERB.name, .argc = argc, .argv = argv, .index = 1 };
	const char *name;

	if (!options_take_arguments(&options, 1, "the id or the label of a key", &name))
		return VERB_USAGE;
	struct ctl_database *database = ctl_database_open(config);
	struct ctl_rows *keys = database == NULL ? NULL : ctl_database_query(database, FIND_KEYS, 1, &name);
	int status = keys == NULL ? EXIT_FAILURE : revoke_found(database, keys, name);

	ctl_rows_free(keys);
	ctl_database_close(database);
	return status;
}

const struct verb KEY_ADD_VERB = {
	"key add",
	"LABEL",
	"makes a key of the API and prints it, once",
	"Makes a key with which requests may make and manage links. LABEL says what or whom it is for: 1 to 100\n"
	"characters. The key goes to standard output, everything else to standard error. The database keeps only\n"
	"its SHA-256: a key that is lost cannot be shown again; revoke it and make another.\n\n"
	"Examples:\n"
	"  shortenctl key add 'newsletter'\n"
	"  KEY=$(shortenctl key add backup) && curl -H \"Authorization: Bearer $KEY\" https://example.com/api/links\n",
	add_key,
};

const struct verb KEY_LIST_VERB = {
	"key list",
	"",
	"lists the keys",
	"Prints a table of all keys: id, label, when each was made, last used and revoked, in UTC. The last use is\n"
	"noted to the minute. The keys themselves cannot be shown.\n\n"
	"Example:\n"
	"  shortenctl key list\n",
	list_keys,
};

const struct verb KEY_REVOKE_VERB = {
	"key revoke",
	"ID|LABEL",
	"makes a key useless",
	"Revokes the key with that id or, if no other key that works has it, that label. Within a second no request\n"
	"is accepted with it. Its links stay. Revoking it again is harmless.\n\n"
	"Examples:\n"
	"  shortenctl key revoke newsletter\n"
	"  shortenctl key revoke V1StGXR8_Z\n",
	revoke_key,
};
