#ifndef VISIT_WRITER_H
#define VISIT_WRITER_H

#include "loop.h"
#include "result.h"
#include "store.h"

/* Counts visits in memory and writes them to the store again and again. */
struct visit_writer;

/* What is written. */
enum visit_writer_kind {
	VISIT_WRITER_COUNTS, /* the visits of each link, about once a second */
	VISIT_WRITER_DAYS,   /* what lists and statistics show, every five seconds, at leisure */
};

/* What is stored is then counted in `next`, unless that is NULL; it is borrowed until this one is closed. */
struct visit_writer *visit_writer_open(struct loop *loop, struct store *store, enum visit_writer_kind kind,
				       struct visit_writer *next) MUST_CHECK;

/* What is not written yet is lost, with a line in the log. Accepts NULL. */
void visit_writer_close(struct visit_writer *writer);

void visit_writer_count(struct visit_writer *writer, const struct visit *visit);

/* Writes all now, trying again while the database is away. `written` is called when nothing is left. */
void visit_writer_flush(struct visit_writer *writer, loop_function *written, void *context);

#endif
