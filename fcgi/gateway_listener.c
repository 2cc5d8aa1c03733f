/* Accepts connections, and leaves some to the other processes of the pool. */
#include "gateway_listener.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"

/* No queue of a socket is longer: net.core.somaxconn is 4096. */
#define QUEUE_MAX 4096

/* How long to leave the listening socket alone when descriptors are short. */
#define PAUSE_MS 100

/* A process without work leaves a connection to the others for so long; one with more than enough for a little
 * longer, so that it gets none while there is one without. */
#define LEAVE_WHEN_IDLE_MS 5
#define LEAVE_WHEN_CROWDED_MS 8

/* From so many connections on, more would not make batches much cheaper. */
#define CROWD_MIN 48

/* Without a connection, and without a new one for so long, a process is without work. Where a web server opens
 * one for each request, or has a socket for each process, only the first request after this waits. */
#define IDLE_MS 60000

static void listen_again(struct gateway_listener *listener)
{
	if (listener->is_watched || listener->is_closed || listener->connections_count >= listener->settings.connections_max)
		return;
	listener->is_watched = loop_watch(listener->loop, &listener->watch, EPOLLIN | EPOLLEXCLUSIVE);
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
	listener->accepted_ms = loop_now_ms();
	listener->connections_count++;
	if (listener->connections_count >= listener->settings.connections_max)
		stop_listening(listener);
	listener->settings.accepted(listener->settings.context, descriptor);
	return true;
}

/* How long to leave a connection to others, 0 for not at all. Who is in the midst of a burst of them goes on, so
 * that nothing is ever left for long when there are many. */
static int64_t leave_ms(const struct gateway_listener *listener)
{
	int64_t quiet_ms = loop_now_ms() - listener->accepted_ms;

	if (listener->connections_count == 0)
		return quiet_ms > IDLE_MS ? LEAVE_WHEN_IDLE_MS : 0;
	if (listener->connections_count >= CROWD_MIN)
		return quiet_ms > LEAVE_WHEN_CROWDED_MS ? LEAVE_WHEN_CROWDED_MS : 0;
	return 0;
}

/* One in a turn, so that the other processes of the pool get their share of a burst. */
static void listener_ready(void *context, uint32_t events)
{
	struct gateway_listener *listener = context;
	int64_t pause_ms = leave_ms(listener);

	(void)events;
	listener->is_leaving = pause_ms > 0;
	if (listener->is_leaving)
		pause_listening(listener, pause_ms);
	else
		accept_one(listener);
}

static void timer_expired(void *context)
{
	struct gateway_listener *listener = context;

	if (listener->is_closed)
		return;
	if (listener->is_leaving)
		accept_one(listener);
	listener->is_leaving = false;
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
	listener->watch = (struct loop_watch){ settings->descriptor, listener_ready, listener };
	listener->timer = loop_open_timer(loop, timer_expired, listener);
	if (listener->timer != NULL && make_nonblocking(settings->descriptor))
		listen_again(listener);
	return listener->is_watched;
}

void gateway_listener_release(struct gateway_listener *listener)
{
	listener->connections_count--;
	if (!listener->is_leaving)
		listen_again(listener);
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
	listener->is_closed = true;
	loop_close_timer(listener->timer);
	listener->timer = NULL;
}
