/* The loop: who is called, and who is not any more.
 * modules: loop log */
#include <signal.h>
#include <sys/epoll.h>

#include "loop.h"
#include "tap.h"

static struct loop *loop;

struct end {
	struct loop_watch watch;
	struct end *other; /* which it unwatches when it is called */
	int called;
};

static void ready(void *context, uint32_t events)
{
	struct end *end = context;

	(void)events;
	end->called++;
	if (end->other != NULL)
		loop_unwatch(loop, &end->other->watch);
}

static void open_end(struct end *end, int pipe_ends[2], struct end *other)
{
	if (pipe(pipe_ends) != 0)
		perror("pipe");
	*end = (struct end){ { pipe_ends[0], ready, end }, other, 0 };
	ok(loop_watch(loop, &end->watch, EPOLLIN), "watch");
	if (write(pipe_ends[1], "x", 1) != 1)
		perror("write");
}

static void close_pipe(const int pipe_ends[2])
{
	close(pipe_ends[0]);
	close(pipe_ends[1]);
}

/* Both have an event in the same turn, and whichever comes first takes the other away. */
static void test_unwatched_in_the_same_turn(void)
{
	struct end a;
	struct end b;
	int pipe_a[2];
	int pipe_b[2];

	open_end(&a, pipe_a, &b);
	open_end(&b, pipe_b, &a);
	loop_turn(loop, 1000);
	is_int(a.called + b.called, 1, "what is unwatched in a turn is not called in it");
	loop_turn(loop, 0);
	is_int(a.called + b.called, 2, "and the one that stayed is called again: level-triggered");
	loop_unwatch(loop, a.called == 0 ? &b.watch : &a.watch);
	loop_turn(loop, 0);
	is_int(a.called + b.called, 2, "until it is unwatched too");
	close_pipe(pipe_a);
	close_pipe(pipe_b);
}

static void count(void *context)
{
	++*(int *)context;
}

static void test_timer(void)
{
	int expired = 0;
	struct loop_timer *timer = loop_open_timer(loop, count, &expired);
	int64_t start_ms = loop_now_ms();

	loop_set_timer(timer, 20);
	ok(loop_is_timer_set(timer), "a timer is set");
	while (expired == 0 && loop_now_ms() < start_ms + 5000)
		loop_turn(loop, 100);
	ok(loop_now_ms() - start_ms >= 19, "and expires not before its time");
	ok(!loop_is_timer_set(timer), "and is not set any more");
	loop_turn(loop, 30);
	is_int(expired, 1, "it expires once");
	loop_set_timer(timer, 0);
	loop_turn(loop, 1000);
	is_int(expired, 2, "no delay means at once");
	loop_set_timer(timer, 1);
	loop_stop_timer(timer);
	loop_turn(loop, 20);
	is_int(expired, 2, "a stopped one does not expire");
	loop_close_timer(timer);
	loop_close_timer(NULL);
}

static int seen_signal;

static void signal_received(void *context, int signal_number)
{
	(void)context;
	seen_signal = signal_number;
}

static void test_signals(void)
{
	static const int signals[] = { SIGTERM, SIGHUP, 0 };

	ok(loop_watch_signals(loop, signals, signal_received, NULL), "signals are watched");
	kill(getpid(), SIGHUP);
	loop_turn(loop, 1000);
	is_int(seen_signal, SIGHUP, "and delivered");
}

static void test_turn_end(void)
{
	int ended = 0;

	loop_at_turn_end(loop, count, &ended);
	loop_turn(loop, 0);
	loop_turn(loop, 0);
	is_int(ended, 2, "each turn has its end");
}

int main(void)
{
	loop = loop_open();
	test_unwatched_in_the_same_turn();
	test_timer();
	test_signals();
	test_turn_end();
	loop_close(loop);
	return tap_done();
}
