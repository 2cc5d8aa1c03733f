#ifndef RESULT_H
#define RESULT_H

/* What can become of an operation on stored links. Whoever turns these into HTTP statuses does so in
 * one switch without default, so that the compiler names the place that a new outcome forgets. */
enum result {
	RESULT_OK,
	RESULT_NOT_FOUND,
	RESULT_TAKEN,       /* the id belongs to another link */
	RESULT_GONE,        /* the link has ended, or was deleted */
	RESULT_CONFLICT,    /* the change does not fit what is stored */
	RESULT_UNAVAILABLE, /* the database does not answer now; the same request may succeed later */
	RESULT_FAILED,      /* the database refused, and would refuse again */
};

#define MUST_CHECK __attribute__((warn_unused_result))

#endif
