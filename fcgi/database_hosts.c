/* Takes the hosts of a conninfo one at a time. */
#include "database_hosts.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

enum list { LIST_HOST, LIST_HOSTADDR, LIST_PORT, LISTS_COUNT };

static const char *const keywords[LISTS_COUNT] = { "host", "hostaddr", "port" };

static const char *find_value(const PQconninfoOption *option, const char *keyword)
{
	for (; option != NULL && option->keyword != NULL; option++)
		if (strcmp(option->keyword, keyword) == 0)
			return option->val;
	return NULL;
}

static int count_elements(const char *list)
{
	int count = 1;

	for (; list != NULL && *list != '\0'; list++)
		count += *list == ',';
	return count;
}

/* The element of a list, owned by the caller; the only one of a list of one belongs to every host. */
static char *copy_element(const char *list, int index)
{
	if (list == NULL)
		return NULL;
	if (count_elements(list) == 1)
		index = 0;
	for (; index > 0 && strchr(list, ',') != NULL; index--)
		list = strchr(list, ',') + 1;
	return strndup(list, strcspn(list, ","));
}

static void choose(struct database_hosts *hosts)
{
	for (int i = 0; i < LISTS_COUNT; i++) {
		free(hosts->values[i]);
		hosts->values[i] = hosts->count > 1 ? copy_element(hosts->lists[i], hosts->current) : NULL;
	}
}

/* What the conninfo leaves out comes from libpq's own variables. */
static void read_lists(struct database_hosts *hosts, const PQconninfoOption *options, const PQconninfoOption *defaults)
{
	for (int i = 0; i < LISTS_COUNT; i++) {
		const char *value = find_value(options, keywords[i]);

		if (value == NULL || *value == '\0')
			value = find_value(defaults, keywords[i]);
		if (value != NULL && *value != '\0')
			hosts->lists[i] = strdup(value);
	}
	hosts->count = count_elements(hosts->lists[hosts->lists[LIST_HOSTADDR] != NULL ? LIST_HOSTADDR : LIST_HOST]);
	choose(hosts);
}

bool database_hosts_open(struct database_hosts *hosts, const char *conninfo)
{
	char *problem = NULL;
	PQconninfoOption *options = PQconninfoParse(conninfo, &problem);
	PQconninfoOption *defaults = PQconndefaults();
	bool is_valid = options != NULL;

	*hosts = (struct database_hosts){ .count = 1 };
	if (is_valid)
		read_lists(hosts, options, defaults);
	else
		log_error("SHORTEN_DATABASE is not valid: %.*s", (int)strcspn(problem != NULL ? problem : "", "\n"),
			  problem != NULL ? problem : "");
	PQconninfoFree(options);
	PQconninfoFree(defaults);
	PQfreemem(problem);
	return is_valid;
}

void database_hosts_close(struct database_hosts *hosts)
{
	for (int i = 0; i < LISTS_COUNT; i++) {
		free(hosts->lists[i]);
		free(hosts->values[i]);
		hosts->lists[i] = NULL;
		hosts->values[i] = NULL;
	}
}

bool database_hosts_advance(struct database_hosts *hosts)
{
	hosts->current = (hosts->current + 1) % hosts->count;
	choose(hosts);
	return hosts->current == 0;
}
