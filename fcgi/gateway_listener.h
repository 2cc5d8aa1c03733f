#ifndef GATEWAY_LISTENER_H
#define GATEWAY_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop.h"
#include "result.h"

/* From so many connections on, more would not make batches much cheaper: a process leaves new ones to the others. */
#define GATEWAY_LISTENER_CROWD_MIN 128

struct gateway_listener_settings {
	int descriptor;
	size_t connections_max;
	bool (*is_able)(void *context);                  /* whether requests can be served now */
	void (*accepted)(void *context, int descriptor); /* gets a connection, a blocking socket, which is its own now */
	void (*crowded)(void *context);                  /* no room, and somebody waits for it: to let go of what is idle */
	void *context;
};

/* Takes connections off a listening socket that the processes of a pool share, and says which of them takes
 * which: the first in rank that is able and has few, so that requests meet in few processes and share a batch there.
 * Part of gateway; nobody else includes this. Start with { 0 }. */
struct gateway_listener {
	struct loop *loop;
	struct gateway_listener_settings settings;
	struct loop_watch watch;
	struct loop_timer *timer; /* ends a pause, in which the socket is not watched */
	size_t connections_count; /* accepted and not released */
	size_t takes_until;       /* it has so many: what comes then it leaves to others */
	int rank;                 /* among the processes of the pool */
	bool is_watched;
	bool is_leaving; /* connections to other processes, until the timer expires */
	bool is_short;   /* of descriptors, and the log says so */
	bool had_queue;  /* somebody waited when there was no room, at the last look */
	bool is_wanted;  /* at the last two */
	bool is_closed;
};

/* False when the descriptor is no socket or memory is short. */
bool gateway_listener_open(struct gateway_listener *listener, struct loop *loop,
			   const struct gateway_listener_settings *settings) MUST_CHECK;

/* To be called when a connection has ended. */
void gateway_listener_release(struct gateway_listener *listener);

/* Whether there is no room and somebody waits for it: a connection that is kept would keep them out. */
bool gateway_listener_is_wanted(const struct gateway_listener *listener);

/* Accepts what is in the socket's queue already, and closes the socket. Where this process alone has it, as under
 * bin-path of lighttpd, the queue would be lost; who comes afterwards is refused and goes elsewhere. */
void gateway_listener_drain(struct gateway_listener *listener);

/* Leaves the socket open, which may be another's too. */
void gateway_listener_close(struct gateway_listener *listener);

#endif
