#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"

/* The event loop of the process: level-triggered epoll(7), with signals as signalfd(2) and timers as
 * timerfd_create(2). One thread; every callback runs to its end before the next one starts. */
struct loop;

/* `events` are epoll's bits. A callback may unwatch or close anything, itself included: what a
 * watch would still have got in this turn is dropped when it is unwatched. */
typedef void loop_ready_function(void *context, uint32_t events);
typedef void loop_function(void *context);
typedef void loop_signal_function(void *context, int signal_number);

/* One watched descriptor. Lives in its owner's struct, which must outlive the watching. */
struct loop_watch {
	int descriptor;
	loop_ready_function *ready;
	void *context;
};

struct loop_timer;

/* Returns NULL, with a line in the log, when the kernel refuses. */
struct loop *loop_open(void) MUST_CHECK;
void loop_close(struct loop *loop);

/* Starts watching; false, with a line in the log, when the kernel refuses. The three members of `watch`
 * are set by the caller before. */
bool loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events) MUST_CHECK;
bool loop_rewatch(struct loop *loop, struct loop_watch *watch, uint32_t events) MUST_CHECK;

/* Stops watching, before the descriptor is closed. */
void loop_unwatch(struct loop *loop, struct loop_watch *watch);

/* For a descriptor that the caller closes at once, which ends the watching in the kernel too: only
 * drops what it would still get in this turn, and saves the system call. */
void loop_forget(struct loop *loop, const struct loop_watch *watch);

/* A timer that calls `expired` once, some time after it is set. loop_close_timer accepts NULL. */
struct loop_timer *loop_open_timer(struct loop *loop, loop_function *expired, void *context) MUST_CHECK;
void loop_set_timer(struct loop_timer *timer, int64_t delay_ms); /* 0 means as soon as possible */
void loop_stop_timer(struct loop_timer *timer);
bool loop_is_timer_set(const struct loop_timer *timer);
void loop_close_timer(struct loop_timer *timer);

/* Blocks these signals (a list that ends with 0) for the process and delivers them to the callback. */
bool loop_watch_signals(struct loop *loop, const int signals[], loop_signal_function *received, void *context) MUST_CHECK;

/* Called at the end of each turn, when all its events have been delivered. One function a loop. */
void loop_at_turn_end(struct loop *loop, loop_function *turn_end, void *context);

/* Waits for events and delivers them, once: one turn. `timeout_ms` as in epoll_wait(2), -1 for ever. */
void loop_turn(struct loop *loop, int timeout_ms);

/* Turns until loop_stop is called. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t loop_now_ms(void);

#endif
