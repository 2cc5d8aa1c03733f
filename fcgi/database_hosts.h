#ifndef DATABASE_HOSTS_H
#define DATABASE_HOSTS_H

#include <stdbool.h>

#include "result.h"

/* The hosts of a conninfo, one at a time. libpq tries a list in its order and forgets how far it came
 * when an attempt is given up: a first host that is silent would be the only one ever tried. Part of
 * database; nobody else includes this. */
struct database_hosts {
	int count;      /* 1 where there is no list */
	int current;
	char *lists[3]; /* host, hostaddr, port: owned; NULL where there is none */
	char *values[3]; /* of the current host: owned; NULL where libpq shall use the conninfo's */
};

/* False, with a line in the log, when the conninfo is not valid or memory is short. */
bool database_hosts_open(struct database_hosts *hosts, const char *conninfo) MUST_CHECK;
void database_hosts_close(struct database_hosts *hosts);

/* Goes on to the next host; true when that is the first one again. */
bool database_hosts_advance(struct database_hosts *hosts);

#endif
