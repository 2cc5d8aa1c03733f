/* Who may do what: reads the key that a request brings. */
#include "access.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "id.h"
#include "keys.h"
#include "log.h"

#define SCHEME "Bearer"
#define SCHEME_SIZE (sizeof SCHEME - 1)

struct check {
	struct http_request *request;
	access_function *allowed;
	char id[ID_MAX + 1];
};

static void checked(void *context, enum result result, const char *owner)
{
	struct check check = *(struct check *)context;

	free(context);
	switch (result) {
	case RESULT_OK:
		check.allowed(check.request, owner, check.id);
		return;
	case RESULT_NOT_FOUND:
	case RESULT_TAKEN:
	case RESULT_GONE:
	case RESULT_CONFLICT:
		answer_unauthorized(check.request, "Bearer error=\"invalid_token\"", "There is no such key; it may have been revoked");
		return;
	case RESULT_UNAVAILABLE:
		answer_unavailable(check.request, "The key cannot be checked now, please try again");
		return;
	case RESULT_FAILED:
		answer_error(check.request, 500, "The key cannot be checked");
		return;
	}
}

/* The key, without the blanks around it; NULL where none is given. */
static const char *find_key(const char *authorization, size_t *key_size)
{
	const char *key = authorization + SCHEME_SIZE;

	if (strncasecmp(authorization, SCHEME, SCHEME_SIZE) != 0 || (*key != ' ' && *key != '\0'))
		return NULL;
	key += strspn(key, " ");
	*key_size = strlen(key);
	while (*key_size > 0 && key[*key_size - 1] == ' ')
		--*key_size;
	return key;
}

/* A key alone, as it is often sent: overlooked, its link would belong to nobody. */
static bool is_without_scheme(const char *authorization)
{
	return *authorization != '\0' && strchr(authorization, ' ') == NULL;
}

void access_check(struct http_request *request, bool needs_key, const char *id, size_t id_size, access_function *allowed)
{
	size_t key_size;
	const char *key = find_key(request->authorization, &key_size);

	if (key == NULL && is_without_scheme(request->authorization)) {
		answer_unauthorized(request, "Bearer error=\"invalid_request\"", "Authorization must be Bearer and a key");
		return;
	}
	if (key == NULL && needs_key) {
		answer_unauthorized(request, "Bearer", "This needs a key, as in Authorization: Bearer KEY");
		return;
	}
	struct check *check = malloc(sizeof *check);
	if (check == NULL) {
		log_error("out of memory");
		answer_unavailable(request, "The key cannot be checked now, please try again");
		return;
	}
	*check = (struct check){ .request = request, .allowed = allowed };
	memcpy(check->id, id, id_size);
	if (key != NULL)
		keys_check(request->service->keys, key, key_size, checked, check);
	else
		checked(check, RESULT_OK, "");
}
