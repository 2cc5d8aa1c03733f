/* Turns FastCGI requests into struct http_request and writes struct http_response back. */
#include "gateway.h"

#include <errno.h>
#include <fcgiapp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "gateway_body.h"
#include "gateway_listener.h"
#include "gateway_peer.h"
#include "gateway_reserve.h"
#include "gateway_response.h"
#include "log.h"

/* libfcgi reads and writes blocking; a web server that stops in the middle of a record gets this long. */
#define PEER_TIMEOUT_S 2

/* A web server lets go of an idle connection as soon as it sees that it should. One that is stopped, or busy, or does
 * not know what is meant gets so many looks; what it sends meanwhile is still served. */
#define LOOK_MS 100
#define LOOKS_MAX 20

struct connection {
	struct http_request request; /* first, so that one is found from the other */
	struct gateway *gateway;
	struct connection *next;
	struct connection **link; /* what points to this one: the list's head or its predecessor's next */
	struct loop_watch watch;
	FCGX_Request fcgi;
	struct gateway_body body;
	struct gateway_peer peer;
	int looks_count; /* at this connection while it was idle and to be let go of */
	bool is_watched;
	bool is_pending; /* a request is read and not answered */
	bool is_gone;    /* the web server closed it while the answer was pending */
};

struct gateway {
	struct loop *loop;
	struct gateway_settings settings;
	struct gateway_listener listener;
	bool is_draining;
	struct loop_timer *timer; /* looks at idle connections while draining */
	struct connection *connections;
	loop_function *drained;
	void *drained_context;
};

/* These two fields stand below the line "Don't use anything below here" of fcgiapp.h. They have had
 * this meaning since 1997, and the library cannot be driven by events without them. tests/unit/gateway.c
 * holds it against the installed library. */
static void attach_descriptor(FCGX_Request *fcgi, int descriptor)
{
	fcgi->ipcFd = descriptor;
	/* Otherwise FCGX_Accept_r would begin by closing it. BEGIN_REQUEST overwrites it. */
	fcgi->keepConnection = 1;
	/* Behind a broken record FCGX_Accept_r closes it. If it were not detached, it would first read all that the peer has
	 * to say, for as long as the peer goes on. */
	FCGX_Detach(fcgi);
}

static bool is_kept(const FCGX_Request *fcgi)
{
	return fcgi->keepConnection != 0;
}

/* The descriptor is closed already. */
static void free_connection(struct connection *connection)
{
	struct gateway *gateway = connection->gateway;

	if (connection->is_watched)
		loop_forget(gateway->loop, &connection->watch);
	*connection->link = connection->next;
	if (connection->next != NULL)
		connection->next->link = connection->link;
	gateway_body_clear(&connection->body);
	free(connection);
	gateway_listener_release(&gateway->listener);
	/* Not at once: whoever has just answered may have more to do. */
	if (gateway->is_draining && gateway->connections == NULL)
		loop_set_timer(gateway->timer, 0);
}

/* FCGX_Finish_r would linger for up to two seconds before it closes, and stop the loop. */
static void close_connection(struct connection *connection)
{
	FCGX_Free(&connection->fcgi, 0);
	close(connection->watch.descriptor);
	free_connection(connection);
}

static void wait_for_request(struct connection *connection)
{
	if (!connection->is_watched)
		connection->is_watched = loop_watch(connection->gateway->loop, &connection->watch, EPOLLIN | EPOLLRDHUP);
	if (!connection->is_watched)
		close_connection(connection);
}

static bool is_last(const struct connection *connection)
{
	const struct gateway *gateway = connection->gateway;

	return is_kept(&connection->fcgi) && (gateway->is_draining || gateway_listener_is_wanted(&gateway->listener));
}

/* Writes the response and says whether the connection can take another request. */
static bool write_response(struct connection *connection, const struct http_response *response)
{
	bool has_body = connection->request.method != HTTP_HEAD;
	bool is_written = false;

	if (connection->is_gone)
		return false;
	gateway_peer_start(&connection->peer);
	if (is_last(connection))
		gateway_response_write_last(&connection->fcgi, &connection->peer, response, has_body);
	else
		is_written = gateway_response_write(&connection->fcgi, response, has_body);
	gateway_peer_stop();
	return is_written && is_kept(&connection->fcgi);
}

static void answer(struct http_request *request, const struct http_response *response)
{
	struct connection *connection = (struct connection *)request;
	bool is_reusable = write_response(connection, response);

	gateway_body_clear(&connection->body);
	connection->is_pending = false;
	if (!is_reusable) {
		close_connection(connection);
		return;
	}
	FCGX_Free(&connection->fcgi, 0);
	wait_for_request(connection);
}

static const char *parameter(const struct connection *connection, const char *name)
{
	const char *value = FCGX_GetParam(name, connection->fcgi.envp);

	return value != NULL ? value : "";
}

static void fill_request(struct connection *connection)
{
	const struct gateway_body *body = &connection->body;

	connection->request = (struct http_request){
		.method = http_parse_method(parameter(connection, "REQUEST_METHOD")),
		.target = parameter(connection, "REQUEST_URI"),
		.content_type = parameter(connection, "CONTENT_TYPE"),
		.accept = parameter(connection, "HTTP_ACCEPT"),
		.authorization = parameter(connection, "HTTP_AUTHORIZATION"),
		.user_agent = parameter(connection, "HTTP_USER_AGENT"),
		.sec_purpose = parameter(connection, "HTTP_SEC_PURPOSE"),
		.purpose = parameter(connection, "HTTP_PURPOSE"),
		.body = body->text != NULL ? body->text : "",
		.body_size = body->size,
		.is_body_too_large = body->is_too_large,
		.is_body_lost = body->is_lost,
		.is_body_short = body->is_short,
		.answer = answer,
	};
}

static bool read_parameters(struct connection *connection)
{
	attach_descriptor(&connection->fcgi, connection->watch.descriptor);
	gateway_peer_begin(&connection->peer);
	gateway_peer_start(&connection->peer);
	int result = FCGX_Accept_r(&connection->fcgi);
	gateway_peer_stop();
	return result >= 0;
}

static bool read_body(struct connection *connection)
{
	gateway_peer_start(&connection->peer);
	bool is_whole = gateway_body_read(&connection->body, connection->fcgi.in, parameter(connection, "CONTENT_LENGTH"),
					  connection->gateway->settings.body_max);
	gateway_peer_stop();
	return is_whole;
}

/* The whole body is read before the handler starts, to the end of its stream: what stayed in the
 * socket would be taken for the next request. */
static void read_request(struct connection *connection)
{
	struct gateway *gateway = connection->gateway;

	if (!gateway_reserve_is_there()) {
		close_connection(connection);
		return;
	}
	if (!read_parameters(connection)) {
		/* libfcgi has closed the descriptor itself. */
		free_connection(connection);
		return;
	}
	if (!read_body(connection)) {
		close_connection(connection);
		return;
	}
	fill_request(connection);
	connection->looks_count = 0;
	connection->is_pending = true;
	gateway->settings.received(gateway->settings.context, &connection->request);
}

/* Reads the request that is there; waits when there is none yet. */
static void try_to_read_request(struct connection *connection)
{
	char byte;
	ssize_t size = recv(connection->watch.descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	if (size == 1)
		read_request(connection);
	else if (size < 0 && (errno == EAGAIN || errno == EINTR))
		wait_for_request(connection);
	else
		close_connection(connection);
}

/* A web server sends nothing before it has the answer: an event until then means that it has gone. */
static void connection_ready(void *context, uint32_t events)
{
	struct connection *connection = context;

	if (connection->is_pending) {
		connection->is_gone = true;
		loop_unwatch(connection->gateway->loop, &connection->watch);
		connection->is_watched = false;
		return;
	}
	if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
		try_to_read_request(connection);
	else
		read_request(connection);
}

static void set_timeouts(int descriptor)
{
	struct timeval timeout = { .tv_sec = PEER_TIMEOUT_S };

	/* They fail only for what is no socket. */
	setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
	setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

static bool is_able(void *context)
{
	struct gateway *gateway = context;

	return gateway->settings.is_able(gateway->settings.context);
}

static void open_connection(void *context, int descriptor)
{
	struct gateway *gateway = context;
	struct connection *connection = calloc(1, sizeof *connection);

	if (connection == NULL) {
		close(descriptor);
		gateway_listener_release(&gateway->listener);
		return;
	}
	set_timeouts(descriptor);
	FCGX_InitRequest(&connection->fcgi, -1, 0);
	connection->gateway = gateway;
	connection->watch = (struct loop_watch){ descriptor, connection_ready, connection };
	connection->next = gateway->connections;
	connection->link = &gateway->connections;
	if (connection->next != NULL)
		connection->next->link = &connection->next;
	gateway->connections = connection;
	try_to_read_request(connection);
}

/* To close it at once would cut off a request that the web server is about to send, and a POST is not sent again: so
 * the web server is to close it. A request that has arrived meanwhile is still served. */
static void let_go(struct connection *connection)
{
	char byte;

	if (recv(connection->watch.descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1) {
		/* An event of this turn would be about this very request, and be taken for the peer's end. */
		loop_forget(connection->gateway->loop, &connection->watch);
		read_request(connection);
		return;
	}
	connection->looks_count++;
	if (connection->looks_count == 1)
		gateway_peer_let_go(&connection->peer, connection->watch.descriptor);
	else if (connection->looks_count > LOOKS_MAX)
		close_connection(connection);
}

static void let_go_of_idle_connections(void *context)
{
	struct gateway *gateway = context;
	struct connection *next;

	for (struct connection *connection = gateway->connections; connection != NULL; connection = next) {
		next = connection->next;
		if (!connection->is_pending)
			let_go(connection);
	}
}

static void timer_expired(void *context)
{
	struct gateway *gateway = context;

	let_go_of_idle_connections(gateway);
	if (gateway->connections == NULL)
		gateway->drained(gateway->drained_context);
	else
		loop_set_timer(gateway->timer, LOOK_MS);
}

/* A library built with -Bsymbolic would read and write past gateway_peer, and nothing would hold up broken records. */
static bool uses_peer(void)
{
	struct gateway_peer peer = { 0 };
	FCGX_Request fcgi;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return true;
	close(ends[1]);
	FCGX_InitRequest(&fcgi, -1, 0);
	attach_descriptor(&fcgi, ends[0]);
	gateway_peer_start(&peer);
	/* It finds the end, and closes the descriptor. */
	FCGX_Accept_r(&fcgi);
	gateway_peer_stop();
	return peer.reading.calls_count > 0;
}

static bool init_library(void)
{
	if (FCGX_Init() != 0)
		return false;
	if (!uses_peer())
		log_error("libfcgi does its own reading, so malformed FastCGI records are not held up: use Debian's");
	return true;
}

struct gateway *gateway_open(struct loop *loop, const struct gateway_settings *settings)
{
	struct gateway *gateway = calloc(1, sizeof *gateway);

	if (gateway == NULL)
		return NULL;
	gateway->loop = loop;
	gateway->settings = *settings;
	gateway->timer = loop_open_timer(loop, timer_expired, gateway);
	if (gateway->timer != NULL && init_library() &&
	    gateway_listener_open(&gateway->listener, loop,
				  &(struct gateway_listener_settings){ settings->listen_descriptor, settings->connections_max,
								       is_able, open_connection, let_go_of_idle_connections, gateway }))
		return gateway;
	log_error("cannot listen on descriptor %d", settings->listen_descriptor);
	gateway_close(gateway);
	return NULL;
}

void gateway_close(struct gateway *gateway)
{
	if (gateway == NULL)
		return;
	gateway->is_draining = true;
	gateway_listener_close(&gateway->listener);
	struct connection *next;
	for (struct connection *connection = gateway->connections; connection != NULL; connection = next) {
		next = connection->next;
		close_connection(connection);
	}
	loop_close_timer(gateway->timer);
	free(gateway);
}

void gateway_drain(struct gateway *gateway, loop_function *drained, void *context)
{
	gateway->is_draining = true;
	gateway->drained = drained;
	gateway->drained_context = context;
	gateway_listener_drain(&gateway->listener);
	loop_set_timer(gateway->timer, 0);
}
