/* Keeps operations in a line. */
#include "database_queue.h"

#include <stddef.h>

#include "database_operation.h"

void database_queue_push(struct database_queue *queue, struct database_operation *operation)
{
	operation->next = NULL;
	if (queue->last != NULL)
		queue->last->next = operation;
	else
		queue->first = operation;
	queue->last = operation;
}

struct database_operation *database_queue_pop(struct database_queue *queue)
{
	struct database_operation *operation = queue->first;

	queue->first = operation->next;
	if (queue->first == NULL)
		queue->last = NULL;
	return operation;
}

void database_queue_append(struct database_queue *queue, struct database_queue *behind)
{
	if (behind->first == NULL)
		return;
	if (queue->last != NULL)
		queue->last->next = behind->first;
	else
		queue->first = behind->first;
	queue->last = behind->last;
	*behind = (struct database_queue){ 0 };
}
