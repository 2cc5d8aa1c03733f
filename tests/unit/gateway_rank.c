/* The ranks of processes that share a listening socket.
 * modules: gateway_rank */
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gateway_rank.h"
#include "tap.h"

/* More than there are ranks. */
#define PROCESSES (GATEWAY_RANK_LAST + 2)

static int listener;

/* A process that asks for a better rank whenever it gets a byte, and answers with what it has. */
struct process {
	pid_t pid;
	int channel;
};

static void ask_whenever_told(int channel)
{
	int rank = GATEWAY_RANK_LAST;
	char byte;

	while (read(channel, &byte, 1) == 1) {
		rank = gateway_rank_improve(listener, rank);
		byte = (char)rank;
		if (write(channel, &byte, 1) != 1)
			break;
	}
}

static struct process start_process(void)
{
	struct process process = { 0 };
	int channels[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, channels) != 0)
		perror("socketpair");
	process.pid = fork();
	if (process.pid == 0) {
		close(channels[1]);
		ask_whenever_told(channels[0]);
		_exit(0);
	}
	close(channels[0]);
	process.channel = channels[1];
	return process;
}

static int ask_rank(const struct process *process)
{
	char byte = 0;

	if (write(process->channel, &byte, 1) != 1 || read(process->channel, &byte, 1) != 1)
		return -1;
	return byte;
}

static void end_process(const struct process *process)
{
	/* Later ones have copies of its channel, so that closing this end would not be enough. */
	kill(process->pid, SIGKILL);
	waitpid(process->pid, NULL, 0);
	close(process->channel);
}

static void test_pool(void)
{
	struct process processes[PROCESSES];

	for (int i = 0; i < PROCESSES; i++)
		processes[i] = start_process();
	for (int i = 0; i < PROCESSES; i++)
		is_int(ask_rank(&processes[i]), i < GATEWAY_RANK_LAST ? i : GATEWAY_RANK_LAST, "the rank of process %d", i);
	for (int i = 0; i < PROCESSES; i++)
		is_int(ask_rank(&processes[i]), i < GATEWAY_RANK_LAST ? i : GATEWAY_RANK_LAST, "process %d keeps it", i);
	is_int(gateway_rank_improve(listener, GATEWAY_RANK_LAST), GATEWAY_RANK_LAST, "there is none left here");
	ok(!gateway_rank_is_alone(listener), "and this process is not alone");

	end_process(&processes[0]);
	is_int(ask_rank(&processes[5]), 0, "who asks first gets the rank of one that has ended");
	is_int(ask_rank(&processes[2]), 2, "and nobody else");
	is_int(ask_rank(&processes[6]), 5, "what that one had is free");
	is_int(ask_rank(&processes[PROCESSES - 1]), 6, "also for who came too late before");
	for (int i = 1; i < PROCESSES; i++)
		end_process(&processes[i]);
	ok(gateway_rank_is_alone(listener), "when all have ended, this process is alone");
}

static void test_alone(void)
{
	struct process process;

	is_int(gateway_rank_improve(listener, GATEWAY_RANK_LAST), 0, "a process that is alone has the first rank");
	is_int(gateway_rank_improve(listener, 0), 0, "and keeps it");
	ok(gateway_rank_is_alone(listener), "its own rank is not that of another");
	process = start_process();
	is_int(ask_rank(&process), 1, "the rank of a second one");
	gateway_rank_give_back(listener, GATEWAY_RANK_LAST);
	is_int(ask_rank(&process), 1, "the last rank is nobody's to give back");
	gateway_rank_give_back(listener, 0);
	is_int(ask_rank(&process), 0, "but a real one is free then");
	end_process(&process);
}

static void test_refused(void)
{
	is_int(gateway_rank_improve(-1, GATEWAY_RANK_LAST), 0, "where there are no locks, everybody is the first");
	ok(gateway_rank_is_alone(-1), "and alone");
}

int main(void)
{
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	test_pool();
	test_alone();
	test_refused();
	close(listener);
	return tap_done();
}
