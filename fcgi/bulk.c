/* Makes many links of one request: each element gets its own answer. */
#include "bulk.h"

#include <stdio.h>
#include <stdlib.h>

#include "answer.h"
#include "json_answer.h"
#include "link_input.h"
#include "log.h"
#include "text_stream.h"

#define TEXT_OF(number) TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number) #number

struct bulk;

struct element {
	struct bulk *bulk;
	char *text; /* owned; NULL when memory was short */
	size_t text_size;
};

struct bulk {
	struct http_request *request;
	const struct create_kind *kind;
	size_t pending; /* elements without an answer, and one while they are being read */
	size_t count;
	struct element elements[];
};

static void free_bulk(struct bulk *bulk)
{
	for (size_t i = 0; i < bulk->count; i++)
		free(bulk->elements[i].text);
	free(bulk);
}

static bool write_elements(FILE *file, const struct bulk *bulk)
{
	bool is_whole = true;

	for (size_t i = 0; i < bulk->count; i++) {
		const struct element *element = &bulk->elements[i];

		is_whole = is_whole && element->text != NULL;
		fputc(i == 0 ? '[' : ',', file);
		if (element->text != NULL)
			fwrite(element->text, 1, element->text_size, file);
	}
	fputc(']', file);
	return is_whole;
}

/* An answer that lacks something would be worse than none: asked again, the links are made again. */
static void answer(struct bulk *bulk)
{
	struct text_stream stream;
	FILE *file = text_stream_open(&stream);
	bool has_all = file != NULL && write_elements(file, bulk);

	if (text_stream_close(&stream) && has_all)
		answer_json(bulk->request, 200, NULL, stream.text, stream.text_size);
	else
		answer_unavailable(bulk->request, "Failed to shorten");
	free(stream.text);
	free_bulk(bulk);
}

static void end_element(struct bulk *bulk)
{
	bulk->pending--;
	if (bulk->pending == 0)
		answer(bulk);
}

static void fail(struct element *element, int status, const char *message)
{
	element->text = json_answer_error_status(status, message, &element->text_size);
	end_element(element->bulk);
}

static void made(void *context, enum result result, const struct link *link, bool is_reused)
{
	struct element *element = context;
	struct bulk *bulk = element->bulk;
	char taken[CREATE_ANSWER_TAKEN_SIZE];

	switch (result) {
	case RESULT_OK:
		element->text = bulk->kind->write_element(bulk->request->service->config, link, is_reused, &element->text_size);
		end_element(bulk);
		return;
	case RESULT_TAKEN:
		create_answer_write_taken(link->id, taken);
		fail(element, 409, taken);
		return;
	case RESULT_UNAVAILABLE:
		fail(element, 503, "Failed to shorten");
		return;
	case RESULT_NOT_FOUND:
	case RESULT_GONE:
	case RESULT_CONFLICT:
	case RESULT_FAILED:
		fail(element, 500, "Failed to shorten");
		return;
	}
}

static void start_element(struct element *element, const char *owner, const struct json_value *value)
{
	const struct service *service = element->bulk->request->service;
	char problem[LINK_INPUT_PROBLEM_SIZE];
	struct link_input input;
	bool may_have_options = *owner != '\0' || service->config->anonymous == CONFIG_ANONYMOUS_FULL;
	int status = link_input_read_new(&input, links_rules(service->links), &(struct link_source){ .json = value },
					 may_have_options, problem);

	if (status != 0) {
		fail(element, status, problem);
		return;
	}
	input.wish.owner = owner;
	input.wish.wants_json = element->bulk->kind->is_managed;
	creation_start(service->store, &input.wish, made, element);
}

static struct bulk *open_bulk(struct http_request *request, const struct create_kind *kind, size_t count)
{
	struct bulk *bulk = calloc(1, sizeof *bulk + count * sizeof *bulk->elements);

	if (bulk == NULL) {
		log_error("out of memory");
		return NULL;
	}
	bulk->request = request;
	bulk->kind = kind;
	bulk->count = count;
	bulk->pending = count + 1;
	for (size_t i = 0; i < count; i++)
		bulk->elements[i].bulk = bulk;
	return bulk;
}

void bulk_start(struct http_request *request, const struct create_kind *kind, const char *owner,
		const struct json_value *array)
{
	size_t count = json_value_count(array);

	if (count == 0 || count > BULK_MAX) {
		answer_error(request, 400, "An array must hold 1 to " TEXT_OF(BULK_MAX) " links");
		return;
	}
	struct bulk *bulk = open_bulk(request, kind, count);
	if (bulk == NULL) {
		answer_unavailable(request, "Failed to shorten");
		return;
	}
	for (size_t i = 0; i < count; i++)
		start_element(&bulk->elements[i], owner, json_value_element(array, i));
	end_element(bulk);
}
