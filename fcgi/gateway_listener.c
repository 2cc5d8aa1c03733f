/* Accepts connections, and leaves some to the other processes of the pool. */
#include "gateway_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway_rank.h"
#include "log.h"

/* No queue of a socket is longer: net.core.somaxconn is 4096. */
#define QUEUE_MAX 4096

/* How long to leave the listening socket alone when descriptors are short or there is no room. */
#define PAUSE_MS 100

/* Taken in a turn, so that requests are read in between. */
#define ACCEPTED_MAX 16

/* A process leaves a connection for so long to each of those before it, which take it at once if they can. */
#define LEAVE_MS 10

/* No more than so many of them are waited for. */
#define LEAVE_RANKS_MAX 3

/* A process that has many already is the last to take one. */
#define LEAVE_WHEN_CROWDED_MS (LEAVE_MS * (LEAVE_RANKS_MAX + 1))

static bool is_full(const struct gateway_listener *listener)
{
	return listener->connections_count >= listener->settings.connections_max;
}

/* EPOLLEXCLUSIVE would wake one process alone, which may be the one that leaves the connection to the others. As
 * it is, those who are not the first are woken, and look away for a while: a hundred times a second at the most. */
static void listen_again(struct gateway_listener *listener)
{
	if (listener->is_watched || listener->is_closed || is_full(listener))
		return;
	listener->is_watched = loop_watch(listener->loop, &listener->watch, EPOLLIN);
	if (!listener->is_watched)
		loop_set_timer(listener->timer, PAUSE_MS);
}

static void stop_listening(struct gateway_listener *listener)
{
	if (listener->is_watched)
		loop_unwatch(listener->loop, &listener->watch);
	listener->is_watched = false;
}

static void pause_listening(struct gateway_listener *listener, int64_t pause_ms)
{
	stop_listening(listener);
	loop_set_timer(listener->timer, pause_ms);
}

/* Another process of the pool may have been faster, or the peer has gone: both are no failure. A lack
 * of descriptors passes when a connection ends. */
static void accept_failed(struct gateway_listener *listener, int error)
{
	if (error == EAGAIN || error == ECONNABORTED || error == EINTR)
		return;
	if (!listener->is_short)
		log_warning("cannot accept a connection: %s", strerror(error));
	listener->is_short = true;
	pause_listening(listener, PAUSE_MS);
}

static bool accept_one(struct gateway_listener *listener)
{
	int descriptor = accept4(listener->watch.descriptor, NULL, NULL, SOCK_CLOEXEC);

	if (descriptor < 0) {
		accept_failed(listener, errno);
		return false;
	}
	listener->is_short = false;
	listener->connections_count++;
	if (is_full(listener))
		pause_listening(listener, PAUSE_MS);
	listener->settings.accepted(listener->settings.context, descriptor);
	return true;
}

/* Up to how many connections it takes another one at once. */
static size_t own_share(const struct gateway_listener *listener)
{
	return listener->rank == 0 ? GATEWAY_LISTENER_CROWD_MIN : 0;
}

static bool is_crowded(const struct gateway_listener *listener)
{
	return listener->connections_count >= GATEWAY_LISTENER_CROWD_MIN;
}

static int leave_ms(const struct gateway_listener *listener)
{
	if (is_crowded(listener))
		return LEAVE_WHEN_CROWDED_MS;
	return LEAVE_MS * (listener->rank < LEAVE_RANKS_MAX ? listener->rank : LEAVE_RANKS_MAX);
}

static bool has_room(const struct gateway_listener *listener)
{
	return listener->connections_count < listener->takes_until && !is_full(listener);
}

static void accept_several(struct gateway_listener *listener)
{
	for (int i = 0; i < ACCEPTED_MAX && has_room(listener); i++) {
		if (!accept_one(listener)) {
			listener->takes_until = own_share(listener);
			return;
		}
	}
}

/* Who cannot serve is behind all others, but not behind those that cannot either. */
static void update_rank(struct gateway_listener *listener)
{
	int descriptor = listener->watch.descriptor;

	if (listener->settings.is_able(listener->settings.context)) {
		listener->rank = gateway_rank_improve(descriptor, listener->rank);
	} else {
		gateway_rank_give_back(descriptor, listener->rank);
		listener->rank = GATEWAY_RANK_LAST;
		listener->takes_until = 0;
	}
	if (listener->takes_until < own_share(listener))
		listener->takes_until = own_share(listener);
}

static void listener_ready(void *context, uint32_t events)
{
	struct gateway_listener *listener = context;

	(void)events;
	update_rank(listener);
	if (listener->connections_count >= listener->takes_until) {
		if (!gateway_rank_is_alone(listener->watch.descriptor)) {
			listener->is_leaving = true;
			pause_listening(listener, leave_ms(listener));
			return;
		}
		listener->takes_until = listener->settings.connections_max;
	}
	accept_several(listener);
}

/* What is in the queue has been left to others for long enough: they have many, too, or are stuck. */
static void take_leftovers(struct gateway_listener *listener)
{
	listener->is_leaving = false;
	listener->takes_until = is_crowded(listener) ? listener->settings.connections_max : GATEWAY_LISTENER_CROWD_MIN;
	accept_several(listener);
}

static bool has_queue(const struct gateway_listener *listener)
{
	struct pollfd queue = { .fd = listener->watch.descriptor, .events = POLLIN };

	return poll(&queue, 1, 0) == 1;
}

/* At one moment there may be one that another process is about to take. */
static void look_for_queue(struct gateway_listener *listener)
{
	bool has_one = (listener->is_short || is_full(listener)) && has_queue(listener);

	listener->is_wanted = has_one && listener->had_queue;
	listener->had_queue = has_one;
	if (listener->is_wanted)
		listener->settings.crowded(listener->settings.context);
}

static void timer_expired(void *context)
{
	struct gateway_listener *listener = context;

	if (listener->is_closed)
		return;
	if (listener->is_leaving)
		take_leftovers(listener);
	look_for_queue(listener);
	if (loop_is_timer_set(listener->timer))
		return;
	if (is_full(listener))
		loop_set_timer(listener->timer, PAUSE_MS);
	else
		listen_again(listener);
}

static bool make_nonblocking(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);

	return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

bool gateway_listener_open(struct gateway_listener *listener, struct loop *loop,
			   const struct gateway_listener_settings *settings)
{
	listener->loop = loop;
	listener->settings = *settings;
	listener->rank = gateway_rank_improve(settings->descriptor, GATEWAY_RANK_LAST);
	listener->takes_until = own_share(listener);
	listener->watch = (struct loop_watch){ settings->descriptor, listener_ready, listener };
	listener->timer = loop_open_timer(loop, timer_expired, listener);
	if (listener->timer != NULL && make_nonblocking(settings->descriptor))
		listen_again(listener);
	return listener->is_watched;
}

void gateway_listener_release(struct gateway_listener *listener)
{
	listener->connections_count--;
	if (listener->connections_count < own_share(listener))
		listener->is_leaving = false;
	if (!listener->is_leaving)
		listen_again(listener);
}

bool gateway_listener_is_wanted(const struct gateway_listener *listener)
{
	return !listener->is_closed && listener->is_wanted && is_full(listener);
}

void gateway_listener_drain(struct gateway_listener *listener)
{
	stop_listening(listener);
	loop_stop_timer(listener->timer);
	listener->is_closed = true;
	for (int i = 0; i < QUEUE_MAX && accept_one(listener); i++)
		;
	loop_stop_timer(listener->timer);
	close(listener->watch.descriptor);
}

void gateway_listener_close(struct gateway_listener *listener)
{
	stop_listening(listener);
	if (!listener->is_closed)
		gateway_rank_give_back(listener->watch.descriptor, listener->rank);
	listener->is_closed = true;
	loop_close_timer(listener->timer);
	listener->timer = NULL;
}
