#ifndef VISIT_WRITER_H
#define VISIT_WRITER_H

#include "loop.h"
#include "result.h"
#include "store.h"

/* Counts visits in memory and writes them to the store about once a second. */
struct visit_writer;

struct visit_writer *visit_writer_open(struct loop *loop, struct store *store) MUST_CHECK;

/* What is not written yet is lost, with a line in the log. Accepts NULL. */
void visit_writer_close(struct visit_writer *writer);

void visit_writer_count(struct visit_writer *writer, const char *id);

/* Writes all now, trying again while the database is away. `written` is called when nothing is left. */
void visit_writer_flush(struct visit_writer *writer, loop_function *written, void *context);

#endif
