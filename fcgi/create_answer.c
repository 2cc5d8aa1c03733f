/* What is said of links that were asked for. */
#include "create_answer.h"

#include <stdio.h>

void create_answer_write_short_url(const struct config *config, const char *id, char text[CREATE_ANSWER_URL_SIZE])
{
	snprintf(text, CREATE_ANSWER_URL_SIZE, "%s%s", config->base_url, id);
}

void create_answer_write_taken(const char *slug, char text[CREATE_ANSWER_TAKEN_SIZE])
{
	snprintf(text, CREATE_ANSWER_TAKEN_SIZE, "The slug '%s' is taken; choose another", slug);
}
