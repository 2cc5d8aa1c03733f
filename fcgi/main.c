/* Starts the program, wires its parts, stops it. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"
#include "gateway.h"
#include "handle.h"
#include "keys.h"
#include "links.h"
#include "log.h"
#include "loop.h"
#include "router.h"
#include "store.h"
#include "url.h"

/* What a stop may take: the requests in hand, and the visits not yet written. */
#define STOP_TIMEOUT_MS 5000

#define PROBLEM_SIZE 512

/* What the program itself needs: standard ones, log, loop, timers, signals, the database, two to spare. */
#define DESCRIPTORS_KEPT 16

struct program {
	struct config config;
	struct loop *loop;
	struct store *store;
	struct links *links;
	struct keys *keys;
	struct gateway *gateway;
	struct service service;
	struct loop_timer *stop_timer;
	bool is_stopping;
};

static void write_help(FILE *file)
{
	fputs("shorten.fcgi is a URL shortener: a FastCGI responder that keeps its links in PostgreSQL.\n"
	      "\n"
	      "It takes its listening socket as descriptor 0, from spawn-fcgi, lighttpd, multiwatch or systemd:\n"
	      "  spawn-fcgi -s /run/shorten/fcgi.sock -F 4 -- /usr/local/bin/shorten.fcgi\n"
	      "\n"
	      "  --check    says whether the settings are good and the database can be used; exit status 0 or 1\n"
	      "  --help     this text\n"
	      "  --version  the version\n"
	      "\n"
	      "Settings, from the environment:\n",
	      file);
	config_write_help(file);
}

static void stop_now(void *context)
{
	struct program *program = context;

	loop_stop(program->loop);
}

static void drained(void *context)
{
	struct program *program = context;

	links_write_visits(program->links, stop_now, program);
}

static void stop(struct program *program)
{
	program->is_stopping = true;
	loop_set_timer(program->stop_timer, STOP_TIMEOUT_MS);
	gateway_drain(program->gateway, drained, program);
}

static void signal_received(void *context, int signal_number)
{
	struct program *program = context;

	if (signal_number == SIGHUP)
		log_reopen();
	else if (program->is_stopping)
		stop_now(program);
	else
		stop(program);
}

static bool is_able(void *context)
{
	const struct service *service = context;

	return store_is_connected(service->store);
}

static bool open_parts(struct program *program)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGUSR1, SIGHUP, 0 };
	const struct config *config = &program->config;

	program->loop = loop_open();
	if (program->loop == NULL || !loop_watch_signals(program->loop, signals, signal_received, program))
		return false;
	program->stop_timer = loop_open_timer(program->loop, stop_now, program);
	program->store = store_open(program->loop, config);
	if (program->stop_timer == NULL || program->store == NULL)
		return false;
	program->links = links_open(program->loop, program->store, config);
	program->keys = keys_open(program->store);
	if (program->links == NULL || program->keys == NULL)
		return false;
	program->service = (struct service){ config, program->links, program->store, program->keys };
	program->gateway = gateway_open(program->loop, &(struct gateway_settings){
							       .listen_descriptor = STDIN_FILENO,
							       .connections_max = (size_t)config->connections_max,
							       .body_max = (size_t)config->max_body_size,
							       .received = router_dispatch,
							       .is_able = is_able,
							       .context = &program->service,
						       });
	return program->gateway != NULL;
}

/* The store goes first: it gives back what it has not done, and those requests are still answered. */
static void close_parts(struct program *program)
{
	store_close(program->store);
	gateway_close(program->gateway);
	links_close(program->links);
	keys_close(program->keys);
	loop_close_timer(program->stop_timer);
	loop_close(program->loop);
	url_close();
	log_close();
}

static bool is_listening_socket(int descriptor)
{
	int is_listening = 0;
	socklen_t size = sizeof is_listening;

	return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0 && is_listening;
}

/* A web server may start its children without them; then the database's socket would get the number of
 * standard error, and every line of the log would go to the database. */
static void open_standard_descriptors(void)
{
	int descriptor;

	do
		descriptor = open("/dev/null", O_RDWR);
	while (descriptor >= 0 && descriptor <= STDERR_FILENO);
	if (descriptor > STDERR_FILENO)
		close(descriptor);
}

/* Connections need descriptors; the usual soft limit of 1024 is there for select(2), not used here. Where
 * the limit is lower than what is set, fewer connections leave some for the database and the log. */
static void fit_descriptor_limit(struct config *config)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)config->connections_max + DESCRIPTORS_KEPT)
		return;
	config->connections_max = limit.rlim_cur > DESCRIPTORS_KEPT ? (long)limit.rlim_cur - DESCRIPTORS_KEPT : 1;
	log_warning("at most %ld connections, as no more descriptors are allowed", config->connections_max);
}

/* libfcgi frees two blocks of 8 KiB with every request, and glibc answers each such free by tidying up
 * all small ones it has kept for quick use. Without these fast bins there is nothing to tidy; its other
 * cache, of each thread, serves the small ones as quickly. */
static void tune_memory(void)
{
	mallopt(M_MXFAST, 0);
}

/* When it is woken, a responder does not interrupt who is at work, which often is the web server with more
 * requests to come: so they arrive together and share a batch (sched(7)). An idle processor starts at once. */
static void tune_scheduling(void)
{
	const struct sched_param priority = { 0 };

	/* Where it is forbidden, it is only slower. */
	sched_setscheduler(0, SCHED_BATCH, &priority);
}

static int run(struct program *program)
{
	if (!is_listening_socket(STDIN_FILENO)) {
		log_error("descriptor 0 is no listening socket; start with spawn-fcgi, --help says how");
		return EXIT_FAILURE;
	}
	fit_descriptor_limit(&program->config);
	tune_memory();
	tune_scheduling();
	bool is_open = open_parts(program);
	if (is_open) {
		log_info("started, version " SHORTEN_VERSION);
		loop_run(program->loop);
		log_info("stopped");
	}
	close_parts(program);
	return is_open ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int check(const struct config *config)
{
	char problem[PROBLEM_SIZE];

	if (!log_open(config->log, config->log_level))
		return EXIT_FAILURE;
	if (store_check(config, problem, sizeof problem)) {
		puts("The settings are good and the database can be used.");
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "shorten.fcgi: the database cannot be used: %s\n", problem);
	return EXIT_FAILURE;
}

/* Under spawn-fcgi and lighttpd standard error goes nowhere, and the log that was asked for is not there. */
static int fail_start(const char *problem)
{
	if (log_open("syslog", LOG_LEVEL_ERROR))
		log_error("%s", problem);
	return EXIT_FAILURE;
}

static int start(bool is_check)
{
	static struct program program;
	const struct config *config = &program.config;
	char problem[PROBLEM_SIZE];

	if (!config_load(&program.config, environ, problem, sizeof problem)) {
		fprintf(stderr, "shorten.fcgi: %s\n", problem);
		return is_check ? EXIT_FAILURE : fail_start(problem);
	}
	if (is_check)
		return check(config);
	if (!log_open(config->log, config->log_level))
		return fail_start("the log that SHORTEN_LOG names cannot be opened");
	return run(&program);
}

int main(int argc, char *argv[])
{
	const char *option = argc > 1 ? argv[1] : "";

	open_standard_descriptors();
	if (argc <= 1)
		return start(false);
	if (argc == 2 && strcmp(option, "--check") == 0)
		return start(true);
	if (argc == 2 && strcmp(option, "--version") == 0) {
		puts("shorten.fcgi " SHORTEN_VERSION);
		return EXIT_SUCCESS;
	}
	bool is_help = argc == 2 && strcmp(option, "--help") == 0;
	write_help(is_help ? stdout : stderr);
	return is_help ? EXIT_SUCCESS : EXIT_FAILURE;
}
