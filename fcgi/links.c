/* What a link is: the rules for URLs and ids, and the counting of visits. */
#include "links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "log.h"
#include "url.h"
#include "utf8.h"
#include "visit_writer.h"

/* With 60 random bits a second collision in a row means that something else is wrong. */
#define ID_ATTEMPTS_MAX 5

struct links {
	struct store *store;
	const struct config *config;
	struct visit_writer *writer;
	struct url base;
};

/* A link that is being created. */
struct creation {
	struct links *links;
	store_link_function *done;
	void *context;
	int64_t created_us;
	int attempts;
	size_t srcurl_size;
	char srcurl[];
};

struct links *links_open(struct loop *loop, struct store *store, const struct config *config)
{
	struct links *links = calloc(1, sizeof *links);

	if (links == NULL)
		return NULL;
	links->store = store;
	links->config = config;
	links->writer = visit_writer_open(loop, store);
	if (links->writer != NULL && url_parse(config->base_url, strlen(config->base_url), &links->base) == URL_VALID)
		return links;
	links_close(links);
	return NULL;
}

void links_close(struct links *links)
{
	if (links == NULL)
		return;
	visit_writer_close(links->writer);
	free(links);
}

/* ASCII white space of the WHATWG (tab, line feed, form feed, carriage return, blank) and vertical tab. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

const char *links_trim_url(const char *srcurl, size_t *srcurl_size)
{
	size_t size = *srcurl_size;

	while (size > 0 && is_space(srcurl[size - 1]))
		size--;
	while (size > 0 && is_space(*srcurl)) {
		srcurl++;
		size--;
	}
	*srcurl_size = size;
	return srcurl;
}

static const char *sentence_of(enum url_error error)
{
	switch (error) {
	case URL_VALID:
		break;
	case URL_BAD_SCHEME:
		return "Parameter 'srcUrl' must start with http:// or https://";
	case URL_BAD_ENCODING:
		return "Parameter 'srcUrl' must be valid UTF-8";
	case URL_CONTROL:
		return "Parameter 'srcUrl' must not contain control characters; they can be percent-encoded";
	case URL_NO_HOST:
		return "Parameter 'srcUrl' must name a host, as in https://example.com/";
	case URL_BAD_HOST:
		return "Parameter 'srcUrl' must name a valid host, as in https://example.com/";
	case URL_BAD_PORT:
		return "Parameter 'srcUrl' must have a port from 0 to 65535, or none";
	case URL_TOO_LONG:
		return "Parameter 'srcUrl' is too long";
	}
	return NULL;
}

const char *links_url_problem(const struct links *links, const char *srcurl, size_t srcurl_size,
			      char problem[LINKS_PROBLEM_SIZE])
{
	struct url url;

	if (srcurl_size == 0)
		return "Parameter 'srcUrl' is missing";
	if (utf8_count_characters(srcurl, srcurl_size) > (size_t)links->config->max_url_characters) {
		snprintf(problem, LINKS_PROBLEM_SIZE, "Parameter 'srcUrl' must not be more than %ld characters",
			 links->config->max_url_characters);
		return problem;
	}
	const char *sentence = sentence_of(url_parse(srcurl, srcurl_size, &url));
	if (sentence == NULL && url_is_below(&url, &links->base))
		return "Parameter 'srcUrl' must not be a URL of this service, which would lead in a circle";
	return sentence;
}

static void insert(struct creation *creation);

static void inserted(void *context, enum result result, const struct link *link)
{
	struct creation *creation = context;

	if (result == RESULT_TAKEN && ++creation->attempts < ID_ATTEMPTS_MAX) {
		insert(creation);
		return;
	}
	creation->done(creation->context, result, link);
	free(creation);
}

static void insert(struct creation *creation)
{
	char id[ID_SIZE + 1];

	id_generate(id);
	store_insert_link(creation->links->store, id, creation->srcurl, creation->srcurl_size, creation->created_us,
			  inserted, creation);
}

void links_create(struct links *links, const char *srcurl, size_t srcurl_size, store_link_function *done, void *context)
{
	struct creation *creation = malloc(sizeof *creation + srcurl_size);

	if (creation == NULL) {
		done(context, RESULT_UNAVAILABLE, NULL);
		return;
	}
	*creation = (struct creation){
		.links = links,
		.done = done,
		.context = context,
		.created_us = store_now_us(),
		.srcurl_size = srcurl_size,
	};
	memcpy(creation->srcurl, srcurl, srcurl_size);
	insert(creation);
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

void links_visit(struct links *links, const char *id)
{
	visit_writer_count(links->writer, id);
}

void links_write_visits(struct links *links, loop_function *done, void *context)
{
	visit_writer_flush(links->writer, done, context);
}
