/* Knows whether there is a base URL, and takes it off short URLs. */
#include "base_url.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

const char base_url_missing[] =
	"SHORTEN_BASE_URL is not set; it is what short URLs begin with, as the responders have it";

const char *base_url_problem(void)
{
	return getenv("SHORTEN_BASE_URL") == NULL ? base_url_missing : NULL;
}

/* No id has a colon. A URL of another service stays as it is, and no link is found. */
bool base_url_find_id(const struct config *config, const char *argument, const char **id)
{
	size_t size = strlen(config->base_url);

	*id = argument;
	if (strstr(argument, "://") == NULL)
		return true;
	if (base_url_problem() != NULL) {
		say_error("%s", base_url_missing);
		return false;
	}
	if (strncmp(argument, config->base_url, size) == 0)
		*id = argument + size;
	return true;
}
