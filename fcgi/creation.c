/* Makes one link: chooses its id, tries again when that is taken, or finds an equal link. */
#include "creation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "log.h"
#include "store.h"
#include "store_manage.h"
#include "text_stream.h"

/* With 60 random bits a second collision in a row means that something else is wrong. */
#define ID_ATTEMPTS_MAX 5

/* Each round that is lost to another request makes a link that the next round finds, unless it has ended by then. */
#define CLAIM_ATTEMPTS_MAX 10

struct creation {
	struct store *store;
	creation_made_function *done;
	void *context;
	struct creation_wish wish; /* its texts are copies in `texts` */
	int64_t created_us;
	int attempts;
	char id[ID_MAX + 1];
	char mark[ID_SIZE + 1];
	unsigned char hash[DIGEST_SIZE];
	char texts[];
};

static void end(struct creation *creation, enum result result, const struct link *link, bool is_reused)
{
	creation->done(creation->context, result, link, is_reused);
	free(creation);
}

static struct store_new_link new_link(const struct creation *creation)
{
	return (struct store_new_link){
		.id = creation->id,
		.srcurl = creation->wish.srcurl,
		.srcurl_size = creation->wish.srcurl_size,
		.created_us = creation->created_us,
		.owner = creation->wish.owner,
		.mark = creation->mark,
		.options = &creation->wish.options,
	};
}

/* ---- a new link */

static void insert(struct creation *creation);

static void inserted(void *context, enum result result, const struct link *link)
{
	struct creation *creation = context;

	if (result == RESULT_TAKEN && ++creation->attempts < ID_ATTEMPTS_MAX)
		insert(creation);
	else
		end(creation, result == RESULT_TAKEN ? RESULT_UNAVAILABLE : result, link, false);
}

static void insert(struct creation *creation)
{
	struct store_new_link link = new_link(creation);

	id_generate(creation->id);
	if (creation->wish.has_options || creation->wish.wants_json)
		store_add_link(creation->store, &link, inserted, creation);
	else
		store_insert_link(creation->store, link.id, link.srcurl, link.srcurl_size, link.created_us, link.owner,
				  inserted, creation);
}

/* ---- a link with a slug */

static void end_taken(struct creation *creation)
{
	const struct link link = { .id = creation->id };

	end(creation, RESULT_TAKEN, &link, false);
}

static void same_slug_found(void *context, enum result result, const struct link *link, const char *claimed)
{
	(void)claimed;
	if (result == RESULT_NOT_FOUND)
		end_taken(context);
	else
		end(context, result, link, true);
}

static void slug_inserted(void *context, enum result result, const struct link *link)
{
	struct creation *creation = context;
	struct store_new_link wished = new_link(creation);

	if (result == RESULT_TAKEN && creation->wish.may_reuse)
		store_find_equal_link(creation->store, &wished, creation->id, creation->hash, same_slug_found, creation);
	else if (result == RESULT_TAKEN)
		end_taken(creation);
	else
		end(creation, result, link, false);
}

static void insert_slug(struct creation *creation)
{
	struct store_new_link link = new_link(creation);

	store_add_link(creation->store, &link, slug_inserted, creation);
}

/* ---- a link that may be there */

static void find_equal(struct creation *creation);

static void claimed(void *context, enum result result, const struct link *link)
{
	struct creation *creation = context;

	if (result != RESULT_NOT_FOUND && result != RESULT_TAKEN)
		end(creation, result, link, false);
	else if (++creation->attempts < CLAIM_ATTEMPTS_MAX)
		find_equal(creation);
	else
		end(creation, RESULT_UNAVAILABLE, NULL, false);
}

static void equal_found(void *context, enum result result, const struct link *link, const char *claim)
{
	struct creation *creation = context;
	struct store_new_link wished = new_link(creation);

	if (result != RESULT_NOT_FOUND) {
		end(creation, result, link, true);
		return;
	}
	id_generate(creation->id);
	store_claim_link(creation->store, &wished, creation->hash, claim, claimed, creation);
}

static void find_equal(struct creation *creation)
{
	struct store_new_link wished = new_link(creation);

	store_find_equal_link(creation->store, &wished, "", creation->hash, equal_found, creation);
}

/* With the length before each text no two wishes are written alike. */
static void write_text(FILE *file, const char *text)
{
	if (text == NULL)
		fputs("-;", file);
	else
		fprintf(file, "%zu:%s;", strlen(text), text);
}

static int compare_texts(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Their order does not matter. */
static void write_tags(FILE *file, const struct link_options *options)
{
	const char *tags[LINK_TAGS_MAX];

	memcpy(tags, options->tags, sizeof tags);
	qsort(tags, options->tags_count, sizeof tags[0], compare_texts);
	for (size_t i = 0; i < options->tags_count; i++)
		write_text(file, tags[i]);
}

static void write_wish(FILE *file, const struct creation_wish *wish)
{
	const struct link_options *options = &wish->options;

	write_text(file, wish->owner);
	write_text(file, wish->srcurl);
	write_text(file, options->title);
	write_tags(file, options);
	fprintf(file, "%" PRId64 ";%" PRId64 ";%" PRId64 ";%d;%d", options->valid_from_us, options->expires_us,
		options->max_visits, options->redirect_status, options->forwards_query);
}

static bool write_hash(struct creation *creation)
{
	struct text_stream stream;
	FILE *file = text_stream_open(&stream);

	if (file != NULL)
		write_wish(file, &creation->wish);
	if (!text_stream_close(&stream))
		return false;
	bool is_written = digest_write(stream.text, stream.text_size, creation->hash);
	free(stream.text);
	return is_written;
}

/* ---- the copy of the wish */

static size_t size_of(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

static size_t count_texts(const struct creation_wish *wish)
{
	size_t size = wish->srcurl_size + 1 + size_of(wish->owner) + size_of(wish->options.title);

	for (size_t i = 0; i < wish->options.tags_count; i++)
		size += size_of(wish->options.tags[i]);
	return size;
}

static const char *copy_text(char **at, const char *text, size_t text_size)
{
	char *copy = *at;

	memcpy(copy, text, text_size);
	copy[text_size] = '\0';
	*at += text_size + 1;
	return copy;
}

static void copy_wish(struct creation *creation, const struct creation_wish *wish)
{
	struct link_options *options = &creation->wish.options;
	char *at = creation->texts;

	creation->wish = *wish;
	creation->wish.srcurl = copy_text(&at, wish->srcurl, wish->srcurl_size);
	creation->wish.owner = copy_text(&at, wish->owner, strlen(wish->owner));
	if (options->title != NULL)
		options->title = copy_text(&at, options->title, strlen(options->title));
	for (size_t i = 0; i < options->tags_count; i++)
		options->tags[i] = copy_text(&at, options->tags[i], strlen(options->tags[i]));
	if (wish->slug != NULL)
		memcpy(creation->id, wish->slug, strlen(wish->slug) + 1);
}

static struct creation *open_creation(struct store *store, const struct creation_wish *wish, creation_made_function *done,
				      void *context)
{
	struct creation *creation = malloc(sizeof *creation + count_texts(wish));

	if (creation == NULL) {
		log_error("out of memory");
		return NULL;
	}
	creation->store = store;
	creation->done = done;
	creation->context = context;
	creation->created_us = store_now_us();
	creation->attempts = 0;
	copy_wish(creation, wish);
	return creation;
}

void creation_start(struct store *store, const struct creation_wish *wish, creation_made_function *done, void *context)
{
	struct creation *creation = open_creation(store, wish, done, context);

	if (creation == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL, false);
		return;
	}
	if (!wish->has_options && !wish->wants_json && !wish->may_reuse && wish->slug == NULL) {
		insert(creation);
		return;
	}
	id_generate(creation->mark);
	if (wish->may_reuse && !write_hash(creation))
		end(creation, RESULT_UNAVAILABLE, NULL, false);
	else if (wish->slug != NULL)
		insert_slug(creation);
	else if (wish->may_reuse)
		find_equal(creation);
	else
		insert(creation);
}
