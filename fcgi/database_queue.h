#ifndef DATABASE_QUEUE_H
#define DATABASE_QUEUE_H

struct database_operation;

/* Operations in a line, linked through themselves. Part of database; nobody else includes this. Empty: { 0 }. */
struct database_queue {
	struct database_operation *first;
	struct database_operation *last;
};

void database_queue_push(struct database_queue *queue, struct database_operation *operation);

/* Takes the first one off a queue that is not empty. */
struct database_operation *database_queue_pop(struct database_queue *queue);

/* Moves all that stands in `behind` to the end of the queue. */
void database_queue_append(struct database_queue *queue, struct database_queue *behind);

#endif
