#ifndef DATABASE_ERROR_H
#define DATABASE_ERROR_H

/* What an SQLSTATE means for the operation that met it (PostgreSQL manual, appendix A). */
enum database_error {
	DATABASE_ERROR_NONE,
	DATABASE_ERROR_CONNECTION, /* the connection is lost; on another it may succeed */
	DATABASE_ERROR_USELESS,    /* the connection lives, but cannot do this; another one may */
	DATABASE_ERROR_CONFLICT,   /* lost against another transaction; may succeed at once */
	DATABASE_ERROR_LOCKED,     /* waited too long for a lock; may succeed when it is free */
	DATABASE_ERROR_PASSING,    /* the server cannot now: time-outs, resources, input and output */
	DATABASE_ERROR_TAKEN,      /* a key is there already */
	DATABASE_ERROR_REFUSED,    /* would be refused again */
};

/* `state` is five characters, or NULL where libpq made the error itself: the connection then. */
enum database_error database_error_classify(const char *state);

#endif
