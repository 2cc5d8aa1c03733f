/* Makes links of a request's body: what POST /shorten and POST /api/links share. */
#include "create.h"

#include <string.h>

#include "access.h"
#include "answer.h"
#include "bulk.h"
#include "form_body.h"
#include "json_body.h"
#include "link_input.h"

#define MISSING "Parameter 'srcUrl' is missing"

static void create_one(struct http_request *request, const struct create_kind *kind, const char *owner,
		       const struct link_source *source)
{
	const struct service *service = request->service;
	char problem[LINK_INPUT_PROBLEM_SIZE];
	struct link_input input;
	bool may_have_options = *owner != '\0' || service->config->anonymous == CONFIG_ANONYMOUS_FULL;
	int status = link_input_read_new(&input, links_rules(service->links), source, may_have_options, problem);

	if (status == 401) {
		answer_unauthorized(request, "Bearer", problem);
	} else if (status != 0) {
		answer_error(request, status, problem);
	} else {
		input.wish.owner = owner;
		input.wish.wants_json = kind->is_managed;
		creation_start(service->store, &input.wish, kind->made, request);
	}
}

static void create_from_json(struct http_request *request, const struct create_kind *kind, const char *owner)
{
	const char *problem;
	struct json_body *body = json_body_parse(request->body, request->body_size, &problem);

	if (body == NULL) {
		answer_unparsed(request, problem);
		return;
	}
	const struct json_value *root = json_body_root(body);
	if (json_value_type(root) == JSON_TYPE_ARRAY)
		bulk_start(request, kind, owner, root);
	else
		create_one(request, kind, owner, &(struct link_source){ .json = root });
	json_body_free(body);
}

static void create_from_form(struct http_request *request, const struct create_kind *kind, const char *owner)
{
	const char *problem;
	struct form_body *form = form_body_parse(request->body, request->body_size, &problem);

	if (form == NULL) {
		answer_unparsed(request, problem);
		return;
	}
	create_one(request, kind, owner, &(struct link_source){ .form = form });
	form_body_free(form);
}

static bool is_blank(const char *text, size_t text_size)
{
	return strspn(text, " \t\r\n") == text_size;
}

void create_links(struct http_request *request, const struct create_kind *kind, const char *owner)
{
	if (answer_bad_body(request))
		return;
	if (is_blank(request->body, request->body_size))
		answer_error(request, 400, MISSING);
	else if (http_is_media_type(request->content_type, "application/json"))
		create_from_json(request, kind, owner);
	else if (kind->takes_forms && http_is_media_type(request->content_type, "application/x-www-form-urlencoded"))
		create_from_form(request, kind, owner);
	else
		answer_error(request, 415, kind->wrong_type);
}
