/* What is done with links: they are followed, and their visits counted. */
#include "links.h"

#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "store_manage.h"
#include "visit_writer.h"

struct links {
	struct store *store;
	struct link_rules rules;
	struct visit_writer *counts;
	struct visit_writer *days;
	loop_function *written;
	void *written_context;
};

/* A use of a limited link, under way. */
struct use {
	struct links *links;
	store_done_function *done;
	void *context;
	char id[ID_MAX + 1];
};

struct links *links_open(struct loop *loop, struct store *store, const struct config *config)
{
	struct links *links = calloc(1, sizeof *links);

	if (links == NULL)
		return NULL;
	links->store = store;
	links->days = visit_writer_open(loop, store, VISIT_WRITER_DAYS, NULL);
	links->counts = visit_writer_open(loop, store, VISIT_WRITER_COUNTS, links->days);
	if (links->counts != NULL && links->days != NULL &&
	    link_rules_load(&links->rules, config->base_url, config->max_url_characters))
		return links;
	links_close(links);
	return NULL;
}

void links_close(struct links *links)
{
	if (links == NULL)
		return;
	visit_writer_close(links->counts);
	visit_writer_close(links->days);
	free(links);
}

const struct link_rules *links_rules(const struct links *links)
{
	return &links->rules;
}

void links_find(struct links *links, const char *id, size_t id_size, store_link_function *done, void *context)
{
	char text[ID_MAX + 1];

	if (!id_is_valid(id, id_size)) {
		done(context, RESULT_NOT_FOUND, NULL);
		return;
	}
	memcpy(text, id, id_size);
	text[id_size] = '\0';
	store_find_link(links->store, text, done, context);
}

static struct visit visit_of(const char *id)
{
	struct visit visit = { .last_us = store_now_us() };

	memcpy(visit.id, id, strlen(id) + 1);
	return visit;
}

void links_visit(struct links *links, const char *id)
{
	struct visit visit = visit_of(id);

	visit.count = 1;
	visit_writer_count(links->counts, &visit);
}

void links_visit_by_robot(struct links *links, const char *id)
{
	struct visit visit = visit_of(id);

	visit.robots_count = 1;
	visit_writer_count(links->days, &visit);
}

/* The link has its visit already; lists and statistics get it here. */
static void used(void *context, enum result result)
{
	struct use *use = context;
	struct visit visit = visit_of(use->id);

	visit.count = 1;
	if (result == RESULT_OK)
		visit_writer_count(use->links->days, &visit);
	use->done(use->context, result);
	free(use);
}

void links_use(struct links *links, const char *id, store_done_function *done, void *context)
{
	char mark[ID_SIZE + 1];
	struct use *use = malloc(sizeof *use);

	if (use == NULL) {
		done(context, RESULT_UNAVAILABLE);
		return;
	}
	*use = (struct use){ .links = links, .done = done, .context = context };
	memcpy(use->id, id, strlen(id) + 1);
	id_generate(mark);
	store_use_link(links->store, use->id, mark, used, use);
}

static void counts_written(void *context)
{
	struct links *links = context;

	visit_writer_flush(links->days, links->written, links->written_context);
}

void links_write_visits(struct links *links, loop_function *done, void *context)
{
	links->written = done;
	links->written_context = context;
	visit_writer_flush(links->counts, counts_written, links);
}
