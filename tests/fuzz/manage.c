/* Fuzzes requests that manage links, up to the store, which is this file's own. Input: l, v, s, p or d (list, visits,
 * show, PATCH, DELETE), Authorization and the query in a line each, and the body.
 * modules: handle_link handle_links access answer json_answer link_input link_member link_rules rfc3339 json_body memory_reserve json_scan
 * modules: form_body http percent url url_host utf8 id pages text_stream; max_len: 1000 */
#include "handle.h"

#include <strings.h>

#include "create.h"
#include "fuzz.h"
#include "keys.h"
#include "links.h"
#include "rfc3339.h"
#include "store_manage.h"
#include "utf8.h"

static struct link_rules rules;
static int outcomes_count;
static int status; /* of the answer */
static int keys_count;
static bool is_known; /* the key */
static const char *authorization;

static void answer(struct http_request *request, const struct http_response *response)
{
	(void)request;
	outcomes_count++;
	status = response->status;
}

void log_event(enum log_level level, const char *format, ...)
{
	(void)level;
	(void)format;
}

/* What a key is made of is for keys to say; what is around it has to be off. */
void keys_check(struct keys *keys, const char *key, size_t key_size, store_key_function *done, void *context)
{
	(void)keys;
	keys_count++;
	must(strncasecmp(authorization, "Bearer", 6) == 0);
	must(key_size == 0 || (key[0] != ' ' && key[key_size - 1] != ' '));
	must(key + key_size <= authorization + strlen(authorization));
	is_known = fuzz_is_equal(key, key_size, "key", 3);
	done(context, is_known ? RESULT_OK : RESULT_NOT_FOUND, is_known ? "k1" : NULL);
}

const struct link_rules *links_rules(const struct links *links)
{
	(void)links;
	return &rules;
}

void create_links(struct http_request *request, const struct create_kind *kind, const char *owner)
{
	(void)request;
	(void)kind;
	(void)owner;
	must(false);
}

void create_answer_write_taken(const char *slug, char text[CREATE_ANSWER_TAKEN_SIZE])
{
	(void)slug;
	(void)text;
	must(false);
}

/* It does nothing for anybody without a key. */
static void reach_store(const char *id)
{
	must(is_known && strcmp(id, "aB3_-") == 0);
}

bool store_is_cursor(enum store_sort sort, const char *text)
{
	must(sort < STORE_SORTS && *text != '\0');
	return *text == "cva"[sort];
}

void store_list_links(struct store *store, const struct store_list *list, store_text_function *done, void *context)
{
	(void)store;
	must(is_known && list->page_max >= 1 && list->page_max <= 500 && list->sort < STORE_SORTS);
	must(list->search == NULL || (*list->search != '\0' && utf8_count_characters(list->search, strlen(list->search)) <= 200));
	must(list->tag == NULL || *list->tag != '\0');
	must(list->after == NULL || store_is_cursor(list->sort, list->after));
	done(context, RESULT_OK, "{}", 2);
}

void store_count_visits(struct store *store, const char *id, const char *from, const char *to, store_text_function *done,
			void *context)
{
	int64_t from_day = -1;
	int64_t to_day = -1;

	(void)store;
	reach_store(id);
	must(rfc3339_parse_date(from, strlen(from), &from_day) && rfc3339_parse_date(to, strlen(to), &to_day));
	must(from_day <= to_day && to_day - from_day < 3660);
	done(context, RESULT_OK, "{}", 2);
}

void store_show_link(struct store *store, const char *id, store_text_function *done, void *context)
{
	(void)store;
	reach_store(id);
	done(context, RESULT_OK, "{}", 2);
}

void store_edit_link(struct store *store, const char *id, const struct store_edit *edit, store_text_function *done, void *context)
{
	struct url url;

	(void)store;
	reach_store(id);
	must(edit->changes != 0);
	if ((edit->changes & STORE_CHANGE_SRCURL) != 0)
		must(url_parse(edit->srcurl, edit->srcurl_size, &url) == URL_VALID);
	done(context, RESULT_CONFLICT, NULL, 0);
}

void store_delete_link(struct store *store, const char *id, store_done_function *done, void *context)
{
	(void)store;
	reach_store(id);
	done(context, RESULT_OK);
}

static void handle(struct http_request *request, char kind)
{
	switch (kind) {
	case 'l':
		handle_links_list(request, "api/links", 9);
		break;
	case 'v':
		handle_link_visits(request, "aB3_-", 5);
		break;
	case 'p':
		handle_link_edit(request, "aB3_-", 5);
		break;
	case 'd':
		handle_link_delete(request, "aB3_-", 5);
		break;
	default:
		handle_link_show(request, "aB3_-", 5);
	}
}

/* One answer, never that the server is at fault; and without the key no other than that it is missing. */
static void check(void)
{
	must(outcomes_count == 1 && keys_count <= 1);
	must(status >= 200 && status < 500);
	must(is_known || status == 401);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = fuzz_start(data, size);
	char *kind = fuzz_take_line(&input);
	char *key = fuzz_take_line(&input);
	char *query = fuzz_take_line(&input);
	char *body = fuzz_take_rest(&input);
	const struct config config = { .base_url = "http://test.short/" };
	const struct service service = { .config = &config };
	struct http_request request = {
		.target = query,
		.content_type = "application/json",
		.accept = "",
		.authorization = key,
		.body = body,
		.body_size = strlen(body),
		.answer = answer,
		.service = &service,
	};

	must(link_rules_load(&rules, config.base_url, 250));
	outcomes_count = status = keys_count = 0;
	is_known = false;
	authorization = key;
	handle(&request, *kind);
	check();
	free(body);
	free(query);
	free(key);
	free(kind);
	return 0;
}
