/* Waits for descriptors, timers and signals, and calls whoever asked. */
#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define EVENTS_MAX 64

struct loop {
	int epoll;
	bool is_stopped;
	struct epoll_event events[EVENTS_MAX]; /* of the turn under way */
	int events_count;
	int events_next;
	loop_function *turn_end;
	void *turn_end_context;
	struct loop_watch signal_watch;
	loop_signal_function *signal_received;
	void *signal_context;
};

struct loop_timer {
	struct loop *loop;
	struct loop_watch watch;
	loop_function *expired;
	void *context;
	bool is_set;
};

struct loop *loop_open(void)
{
	struct loop *loop = calloc(1, sizeof *loop);

	if (loop == NULL)
		return NULL;
	loop->signal_watch.descriptor = -1;
	loop->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll >= 0)
		return loop;
	log_error("no event loop: epoll_create1: %s", strerror(errno));
	free(loop);
	return NULL;
}

void loop_close(struct loop *loop)
{
	if (loop == NULL)
		return;
	if (loop->signal_watch.descriptor >= 0)
		close(loop->signal_watch.descriptor);
	close(loop->epoll);
	free(loop);
}

static bool control(struct loop *loop, int operation, struct loop_watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	if (epoll_ctl(loop->epoll, operation, watch->descriptor, &event) == 0)
		return true;
	log_error("cannot watch descriptor %d: %s", watch->descriptor, strerror(errno));
	return false;
}

bool loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	return control(loop, EPOLL_CTL_ADD, watch, events);
}

bool loop_rewatch(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	return control(loop, EPOLL_CTL_MOD, watch, events);
}

void loop_forget(struct loop *loop, const struct loop_watch *watch)
{
	for (int i = loop->events_next; i < loop->events_count; i++)
		if (loop->events[i].data.ptr == watch)
			loop->events[i].data.ptr = NULL;
}

void loop_unwatch(struct loop *loop, struct loop_watch *watch)
{
	epoll_ctl(loop->epoll, EPOLL_CTL_DEL, watch->descriptor, NULL);
	loop_forget(loop, watch);
}

static void timer_ready(void *context, uint32_t events)
{
	struct loop_timer *timer = context;
	uint64_t expirations;

	(void)events;
	/* Nothing to read: the timer was set anew in this turn, after its event had been taken. */
	if (read(timer->watch.descriptor, &expirations, sizeof expirations) != (ssize_t)sizeof expirations)
		return;
	timer->is_set = false;
	timer->expired(timer->context);
}

struct loop_timer *loop_open_timer(struct loop *loop, loop_function *expired, void *context)
{
	struct loop_timer *timer = calloc(1, sizeof *timer);

	if (timer == NULL)
		return NULL;
	timer->loop = loop;
	timer->expired = expired;
	timer->context = context;
	timer->watch.ready = timer_ready;
	timer->watch.context = timer;
	timer->watch.descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer->watch.descriptor < 0) {
		log_error("no timer: timerfd_create: %s", strerror(errno));
		free(timer);
		return NULL;
	}
	if (loop_watch(loop, &timer->watch, EPOLLIN))
		return timer;
	close(timer->watch.descriptor);
	free(timer);
	return NULL;
}

static void arm(struct loop_timer *timer, int64_t delay_ns)
{
	struct itimerspec when = { .it_value = { .tv_sec = delay_ns / 1000000000, .tv_nsec = delay_ns % 1000000000 } };

	timer->is_set = delay_ns > 0;
	/* Fails only for a bad descriptor or a bad time, and neither can be here. */
	timerfd_settime(timer->watch.descriptor, 0, &when, NULL);
}

void loop_set_timer(struct loop_timer *timer, int64_t delay_ms)
{
	/* A zero would stop the timer. */
	arm(timer, delay_ms > 0 ? delay_ms * 1000000 : 1);
}

void loop_stop_timer(struct loop_timer *timer)
{
	arm(timer, 0);
}

bool loop_is_timer_set(const struct loop_timer *timer)
{
	return timer->is_set;
}

void loop_close_timer(struct loop_timer *timer)
{
	if (timer == NULL)
		return;
	loop_unwatch(timer->loop, &timer->watch);
	close(timer->watch.descriptor);
	free(timer);
}

static void signals_ready(void *context, uint32_t events)
{
	struct loop *loop = context;
	struct signalfd_siginfo information;

	(void)events;
	if (read(loop->signal_watch.descriptor, &information, sizeof information) == (ssize_t)sizeof information)
		loop->signal_received(loop->signal_context, (int)information.ssi_signo);
}

bool loop_watch_signals(struct loop *loop, const int signals[], loop_signal_function *received, void *context)
{
	sigset_t set;

	sigemptyset(&set);
	for (; *signals != 0; signals++)
		sigaddset(&set, *signals);
	sigprocmask(SIG_BLOCK, &set, NULL);
	loop->signal_received = received;
	loop->signal_context = context;
	loop->signal_watch = (struct loop_watch){
		.descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC),
		.ready = signals_ready,
		.context = loop,
	};
	if (loop->signal_watch.descriptor >= 0)
		return loop_watch(loop, &loop->signal_watch, EPOLLIN);
	log_error("no signals: signalfd: %s", strerror(errno));
	return false;
}

void loop_at_turn_end(struct loop *loop, loop_function *turn_end, void *context)
{
	loop->turn_end = turn_end;
	loop->turn_end_context = context;
}

void loop_turn(struct loop *loop, int timeout_ms)
{
	int count = epoll_wait(loop->epoll, loop->events, EVENTS_MAX, timeout_ms);

	loop->events_count = count > 0 ? count : 0;
	for (loop->events_next = 0; loop->events_next < loop->events_count;) {
		const struct epoll_event *event = &loop->events[loop->events_next++];
		struct loop_watch *watch = event->data.ptr;

		if (watch != NULL)
			watch->ready(watch->context, event->events);
	}
	if (loop->turn_end != NULL)
		loop->turn_end(loop->turn_end_context);
}

void loop_run(struct loop *loop)
{
	while (!loop->is_stopped)
		loop_turn(loop, -1);
}

void loop_stop(struct loop *loop)
{
	loop->is_stopped = true;
}

int64_t loop_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
