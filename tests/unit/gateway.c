/* The gateway against the installed libfcgi: a raw FastCGI client and the loop in one process.
 * modules: gateway gateway_body gateway_filter gateway_listener gateway_rank gateway_peer gateway_reserve memory_reserve gateway_response http percent loop log */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "gateway.h"
#include "gateway_listener.h"
#include "gateway_rank.h"
#include "tap.h"

enum { BEGIN = 1, ABORT = 2, PARAMS = 4, INPUT = 5, KEEP = 1 };

#define CONNECTIONS_MAX 300
#define BODY_MAX 1000

static struct loop *loop;
static struct gateway *gateway;
static char socket_path[] = "/tmp/gateway-XXXXXX";
static int listener;

/* What the handler saw last, and what it does. */
static struct http_request *held;
static bool is_holding;
static int received;
static char seen_target[64];
static size_t seen_body_size;
static bool seen_short, seen_large;

static void answer_hello(struct http_request *request)
{
	http_answer(request, &(struct http_response){
				     .status = 200, .content_type = "text/plain", .body = "Hello", .body_size = 5 });
}

static void handle(void *context, struct http_request *request)
{
	(void)context;
	received++;
	snprintf(seen_target, sizeof seen_target, "%s", request->target);
	seen_body_size = request->body_size;
	seen_short = request->is_body_short;
	seen_large = request->is_body_too_large;
	if (is_holding)
		held = request;
	else
		answer_hello(request);
}

static int listen_on(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	unlink(path);
	if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0 || listen(descriptor, 512) != 0)
		perror(path);
	return descriptor;
}

static void turn(void)
{
	for (int i = 0; i < 4; i++)
		loop_turn(loop, 0);
}

/* -1 when nobody listens. */
static int try_to_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
	if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
		return descriptor;
	close(descriptor);
	return -1;
}

static int connect_client(void)
{
	int descriptor = try_to_connect();

	if (descriptor < 0)
		perror("connect");
	fcntl(descriptor, F_SETFL, O_NONBLOCK);
	return descriptor;
}

static bool is_able = true;

static bool can_serve(void *context)
{
	(void)context;
	return is_able;
}

static void open_gateway(size_t connections_max)
{
	struct gateway_settings settings = { listener, connections_max, BODY_MAX, handle, can_serve, NULL };

	gateway = gateway_open(loop, &settings);
}

struct bytes {
	unsigned char data[70000];
	size_t size;
};

static void add_record(struct bytes *bytes, int type, const void *content, size_t size)
{
	unsigned char header[8] = { 1, (unsigned char)type, 0, 1, (unsigned char)(size >> 8), (unsigned char)size, 0, 0 };

	memcpy(bytes->data + bytes->size, header, sizeof header);
	if (size > 0)
		memcpy(bytes->data + bytes->size + sizeof header, content, size);
	bytes->size += sizeof header + size;
}

static size_t add_pair(unsigned char *at, const char *name, const char *value)
{
	size_t name_size = strlen(name);
	size_t value_size = strlen(value);

	at[0] = (unsigned char)name_size;
	at[1] = (unsigned char)value_size;
	memcpy(at + 2, name, name_size);
	memcpy(at + 2 + name_size, value, value_size);
	return 2 + name_size + value_size;
}

/* A whole request. `length` is CONTENT_LENGTH as sent; NULL leaves it out. */
static void make_request(struct bytes *bytes, int flags, const char *method, const char *target, const char *length,
			 const char *body)
{
	unsigned char begin[8] = { 0, 1, (unsigned char)flags };
	unsigned char pairs[512];
	size_t size = add_pair(pairs, "REQUEST_METHOD", method);

	bytes->size = 0;
	size += add_pair(pairs + size, "REQUEST_URI", target);
	if (length != NULL)
		size += add_pair(pairs + size, "CONTENT_LENGTH", length);
	add_record(bytes, BEGIN, begin, sizeof begin);
	add_record(bytes, PARAMS, pairs, size);
	add_record(bytes, PARAMS, NULL, 0);
	if (*body != '\0')
		add_record(bytes, INPUT, body, strlen(body));
	add_record(bytes, INPUT, NULL, 0);
}

static void send_bytes(int client, const struct bytes *bytes)
{
	if (write(client, bytes->data, bytes->size) != (ssize_t)bytes->size)
		perror("write");
}

static void send_request(int client, int flags, const char *method, const char *target, const char *length,
			 const char *body)
{
	static struct bytes bytes;

	make_request(&bytes, flags, method, target, length, body);
	send_bytes(client, &bytes);
}

static void send_get(int client, int flags, const char *target)
{
	send_request(client, flags, "GET", target, "0", "");
}

struct response {
	char text[4096]; /* of the output stream */
	bool is_ended;   /* END_REQUEST came */
	bool has_more;   /* records behind it */
	bool is_closed;
};

static void take_record(struct response *response, const unsigned char *record, size_t size)
{
	size_t text_size = strlen(response->text);

	if (response->is_ended)
		response->has_more = true;
	if (record[1] == 3)
		response->is_ended = true;
	if (record[1] == 6 && text_size + size < sizeof response->text) {
		memcpy(response->text + text_size, record + 8, size);
		response->text[text_size + size] = '\0';
	}
}

static void read_response(int client, struct response *response)
{
	static unsigned char data[65536];
	size_t size = 0;
	ssize_t count;

	memset(response, 0, sizeof *response);
	while ((count = read(client, data + size, sizeof data - size)) > 0)
		size += (size_t)count;
	response->is_closed = count == 0 || (count < 0 && errno != EAGAIN);
	for (size_t at = 0; at + 8 <= size;) {
		size_t content = (size_t)data[at + 4] << 8 | data[at + 5];

		take_record(response, data + at, content);
		at += 8 + content + data[at + 6];
	}
}

static bool is_hello(const struct response *response)
{
	return strstr(response->text, "Status: 200 OK\r\n") == response->text &&
	       strstr(response->text, "\r\nX-Content-Type-Options: nosniff\r\n") != NULL &&
	       strstr(response->text, "\r\n\r\nHello") != NULL && response->is_ended;
}

/* Sends a GET and lets the loop answer it. */
static bool get(int client, int flags, struct response *response)
{
	send_get(client, flags, "/get");
	turn();
	read_response(client, response);
	return is_hello(response);
}

static void test_kept_and_closed(void)
{
	struct response response;
	int client = connect_client();

	ok(get(client, KEEP, &response) && !response.is_closed, "a kept connection stays open");
	ok(!response.has_more, "and nothing follows the response");
	is_text(seen_target, "/get", "the target arrives");
	ok(get(client, KEEP, &response) && !response.is_closed, "a second request on it is answered");
	send_request(client, KEEP, "POST", "/post", "5", "12345");
	turn();
	read_response(client, &response);
	ok(is_hello(&response) && seen_body_size == 5, "a third one with a body too");
	ok(get(client, KEEP, &response), "and a fourth: the end of the body was read");
	ok(get(client, 0, &response) && response.is_closed, "a connection that is not kept is closed");
	close(client);
}

static void test_head(void)
{
	struct response response;
	int client = connect_client();

	send_request(client, 0, "HEAD", "/head", "0", "");
	turn();
	read_response(client, &response);
	ok(strstr(response.text, "Content-Length: 5\r\n") != NULL, "HEAD gets the length");
	ok(strstr(response.text, "Hello") == NULL, "but no body");
	close(client);
}

static void test_bodies(void)
{
	static const struct {
		const char *length;
		const char *body;
		size_t size;
		bool is_short, is_large;
	} rows[] = {
		{ "0", "", 0, false, false },    { "", "", 0, false, false },     { NULL, "", 0, false, false },
		{ NULL, "abc", 3, false, false }, { "3", "abc", 3, false, false }, { "4", "abc", 0, true, false },
		{ "2", "abc", 0, true, false },   { "0", "abc", 0, true, false },  { "x", "abc", 0, true, false },
		{ "-1", "abc", 0, true, false },  { "3 ", "abc", 0, true, false }, { "1001", "", 0, true, true },
		{ "99999999999999999999", "abc", 0, true, false },
	};
	struct response response;
	int client = connect_client();

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		send_request(client, KEEP, "POST", "/", rows[i].length, rows[i].body);
		turn();
		read_response(client, &response);
		ok(is_hello(&response) && seen_body_size == rows[i].size && seen_short == rows[i].is_short &&
			   seen_large == rows[i].is_large,
		   "length '%s', body '%s'", rows[i].length != NULL ? rows[i].length : "absent", rows[i].body);
	}
	close(client);
}

static void test_body_limit(void)
{
	static const size_t sizes[] = { BODY_MAX - 1, BODY_MAX, BODY_MAX + 1, (size_t)BODY_MAX * 20 };
	static char body[BODY_MAX * 20 + 1];
	struct response response;
	int client = connect_client();

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		bool fits = sizes[i] <= BODY_MAX;
		char length[24];

		memset(body, 'x', sizes[i]);
		body[sizes[i]] = '\0';
		snprintf(length, sizeof length, "%zu", sizes[i]);
		send_request(client, KEEP, "POST", "/", length, body);
		turn();
		read_response(client, &response);
		ok(is_hello(&response) && seen_large == !fits && seen_body_size == (fits ? sizes[i] : 0) && !seen_short,
		   "a body of %zu bytes where %d fit", sizes[i], BODY_MAX);
		ok(get(client, KEEP, &response), "and the connection is good for the next request");
	}
	close(client);
}

static void test_peer_gone(void)
{
	struct response response;
	int client = connect_client();
	int other = connect_client();

	ok(get(client, KEEP, &response), "one request first, so that the connection is watched");
	is_holding = true;
	send_get(client, KEEP, "/gone");
	turn();
	is_holding = false;
	close(client);
	turn();
	ok(get(other, KEEP, &response), "others are served while an answer is pending and its peer has gone");
	answer_hello(held);
	turn();
	ok(get(other, KEEP, &response), "and after the answer that nobody takes");
	is_holding = true;
	client = connect_client();
	send_get(client, 0, "/gone");
	turn();
	is_holding = false;
	close(client);
	answer_hello(held);
	ok(get(other, KEEP, &response), "the same when the loop did not hear of it");
	close(other);
}

static void test_pending(void)
{
	struct response response;
	int client = connect_client();

	is_holding = true;
	send_get(client, KEEP, "/later");
	turn();
	is_holding = false;
	read_response(client, &response);
	ok(response.text[0] == '\0' && !response.is_closed, "a request may be answered later");
	answer_hello(held);
	read_response(client, &response);
	ok(is_hello(&response) && !response.is_closed, "and the connection is kept then");
	close(client);
	turn();
}

static void test_idle_connections(void)
{
	static int clients[200];
	struct response response;
	int served = 0;

	for (size_t i = 0; i < COUNT_OF(clients); i++) {
		clients[i] = connect_client();
		served += get(clients[i], KEEP, &response) ? 1 : 0;
	}
	is_int(served, 200, "200 connections are opened and kept");
	int other = connect_client();
	ok(get(other, KEEP, &response), "a further one is served while they are idle");
	close(other);
	served = 0;
	for (size_t i = 0; i < COUNT_OF(clients); i++)
		served += get(clients[i], KEEP, &response) && !response.is_closed ? 1 : 0;
	is_int(served, 200, "each of them is still good");
	for (size_t i = 0; i < COUNT_OF(clients); i++)
		close(clients[i]);
	turn();
}

static void test_silent_connection(void)
{
	struct response response;
	int silent = connect_client();
	int client = connect_client();
	int64_t start_ms = loop_now_ms();

	turn();
	ok(get(client, KEEP, &response), "a connection that says nothing stops nobody");
	ok(loop_now_ms() - start_ms < 1000, "not even for a second");
	close(silent);
	close(client);
	turn();
}

/* The peer ends its connection behind every byte of a request. */
static void test_cut_requests(void)
{
	static struct bytes bytes;
	struct response response;
	int answered = 0;

	make_request(&bytes, KEEP, "POST", "/cut", "5", "12345");
	size_t whole = bytes.size;
	received = 0;
	for (bytes.size = 0; bytes.size < whole; bytes.size++) {
		int client = connect_client();

		send_bytes(client, &bytes);
		shutdown(client, SHUT_WR);
		turn();
		read_response(client, &response);
		answered += response.text[0] != '\0' || !response.is_closed;
		close(client);
	}
	is_int(received, 0, "no request that was cut off reaches a handler");
	is_int(answered, 0, "each such connection is closed without an answer");
	bytes.size = whole;
	int client = connect_client();
	send_bytes(client, &bytes);
	shutdown(client, SHUT_WR);
	turn();
	read_response(client, &response);
	ok(is_hello(&response), "a whole one is answered, though its peer has nothing more to say");
	close(client);
}

/* A child writes, as libfcgi waits for the rest of a request once it has begun. */
static void test_split_request(void)
{
	static struct bytes bytes;
	struct response response;
	int client = connect_client();

	make_request(&bytes, KEEP, "POST", "/split", "5", "12345");
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < bytes.size; i++)
			if (write(client, bytes.data + i, 1) != 1)
				_exit(1);
		_exit(0);
	}
	received = 0;
	for (int i = 0; i < 1000 && received == 0; i++)
		loop_turn(loop, 10);
	waitpid(child, NULL, 0);
	turn();
	read_response(client, &response);
	ok(is_hello(&response) && seen_body_size == 5, "a request that comes byte by byte is answered");
	close(client);
	turn();
}

static void test_broken_records(void)
{
	static const unsigned char noise[] = "GET / HTTP/1.0\r\n\r\n";
	static struct bytes bytes;
	struct response response;
	int client = connect_client();

	if (write(client, noise, sizeof noise) < 0)
		perror("write");
	turn();
	read_response(client, &response);
	ok(response.is_closed, "what is no FastCGI is closed");
	close(client);
	client = connect_client();
	make_request(&bytes, KEEP, "GET", "/", "5", "");
	bytes.size -= 8;
	add_record(&bytes, ABORT, NULL, 0);
	send_bytes(client, &bytes);
	turn();
	read_response(client, &response);
	ok(response.is_closed, "an aborted request is closed");
	close(client);
	client = connect_client();
	ok(get(client, 0, &response), "and the next request is served");
	close(client);
}

/* With four names of values, or lengths with a sum past INT_MAX, libfcgi 2.4.2 ends the process. */
static void test_deadly_records(void)
{
	static const unsigned char begin[8] = { 0, 1 };
	static const unsigned char values[] = "\xF\0FCGI_MPXS_CONNS\xF\0FCGI_MPXS_CONNS\xF\0FCGI_MPXS_CONNS\xF\0FCGI_MPXS_CONNS";
	static const unsigned char lengths[8] = { 0xC0, 0, 0, 0, 0xC0, 0, 0, 0 };
	static const struct {
		int type;
		const unsigned char *content;
		size_t size;
		const char *name;
	} rows[] = {
		{ 9, values, sizeof values - 1, "four names of values" },
		{ PARAMS, lengths, sizeof lengths, "lengths that do not fit" },
	};
	static struct bytes bytes;
	struct response response;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		int client = connect_client();

		bytes.size = 0;
		add_record(&bytes, BEGIN, begin, sizeof begin);
		add_record(&bytes, rows[i].type, rows[i].content, rows[i].size);
		if (rows[i].type == 9)
			bytes.data[16 + 3] = 0;
		send_bytes(client, &bytes);
		turn();
		read_response(client, &response);
		ok(response.is_closed, "%s: the connection is closed", rows[i].name);
		close(client);
	}
	int client = connect_client();
	ok(get(client, 0, &response), "and the next request is served");
	close(client);
}

static int count_descriptors(void)
{
	int count = 0;

	for (int i = 0; i < 1024; i++)
		count += fcntl(i, F_GETFD) >= 0;
	return count;
}

static void test_limit(void)
{
	struct response response;
	int clients[3];

	gateway_close(gateway);
	open_gateway(2);
	for (int i = 0; i < 3; i++)
		clients[i] = connect_client();
	ok(get(clients[0], KEEP, &response) && get(clients[1], KEEP, &response), "two connections where two may be");
	send_get(clients[2], KEEP, "/third");
	response.text[0] = '\0';
	for (int64_t end_ms = loop_now_ms() + 5000; response.text[0] == '\0' && loop_now_ms() < end_ms;) {
		turn();
		read_response(clients[2], &response);
	}
	ok(is_hello(&response), "a third is served");
	read_response(clients[0], &response);
	bool has_ended = response.is_closed;
	read_response(clients[1], &response);
	ok(has_ended || response.is_closed, "in the place of one that was idle");
	close(clients[0]);
	close(clients[1]);
	close(clients[2]);
	turn();
	gateway_close(gateway);
	open_gateway(CONNECTIONS_MAX);
}

static bool is_drained;

/* As another process of the pool would take it. */
static bool is_left_to_others(void)
{
	int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);

	if (descriptor >= 0)
		close(descriptor);
	return descriptor >= 0;
}

static pid_t start_process(void (*run)(int ready))
{
	int ready[2];
	char byte;

	if (pipe(ready) != 0)
		perror("pipe");
	pid_t pid = fork();
	if (pid == 0) {
		run(ready[1]);
		_exit(1);
	}
	close(ready[1]);
	ok(read(ready[0], &byte, 1) == 1, "another process is ready");
	close(ready[0]);
	return pid;
}

static void say_ready(int ready)
{
	if (write(ready, "", 1) != 1)
		_exit(1);
}

/* A process of the pool that has the next rank, and takes no connection. */
static void be_stuck(int ready)
{
	gateway_rank_improve(listener, GATEWAY_RANK_LAST);
	say_ready(ready);
	pause();
}

/* One that serves. */
static void serve(int ready)
{
	loop = loop_open();
	is_able = true;
	open_gateway(CONNECTIONS_MAX);
	loop_turn(loop, 0);
	say_ready(ready);
	loop_run(loop);
}

/* A client that asks when the others sleep, and ends well when it has an answer. */
static void ask(int ready)
{
	static const struct timespec soon = { .tv_nsec = 50000000 };
	struct response response = { 0 };

	say_ready(ready);
	nanosleep(&soon, NULL);
	int client = connect_client();
	struct pollfd wait = { .fd = client, .events = POLLIN };
	send_get(client, KEEP, "/asked");
	if (poll(&wait, 1, 5000) == 1)
		read_response(client, &response);
	_exit(is_hello(&response) ? 0 : 1);
}

static void find_rank(int ready)
{
	say_ready(ready);
	_exit(gateway_rank_improve(listener, GATEWAY_RANK_LAST));
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Without running the loop, in which this process would take it in the end. */
static bool is_taken_by_others(void)
{
	struct pollfd wait = { .fd = listener, .events = POLLIN };
	int64_t end_ms = loop_now_ms() + 5000;

	while (poll(&wait, 1, 0) == 1 && loop_now_ms() < end_ms)
		;
	return poll(&wait, 1, 0) == 0;
}

/* One turn, so that a timer that it has set is not served in it. */
static bool is_left(void)
{
	int descriptor = connect_client();

	loop_turn(loop, 1000);
	bool is_left = is_left_to_others();
	close(descriptor);
	return is_left;
}

static bool is_served(int client)
{
	struct response response = { 0 };

	send_get(client, KEEP, "/served");
	for (int i = 0; i < 100 && response.text[0] == '\0'; i++) {
		loop_turn(loop, 10);
		read_response(client, &response);
	}
	return is_hello(&response);
}

/* Served at once: before any pause is over that a process makes. */
static bool is_served_at_once(int client)
{
	struct response response = { 0 };

	send_get(client, KEEP, "/at-once");
	loop_turn(loop, 1000);
	loop_turn(loop, 0);
	read_response(client, &response);
	return is_hello(&response);
}

static void test_second_process(void)
{
	gateway_close(gateway);
	pid_t first = start_process(be_stuck);
	open_gateway(CONNECTIONS_MAX);
	pid_t third = start_process(be_stuck);

	ok(is_left(), "the second process leaves a connection to the first");
	int client = connect_client();
	ok(is_served(client), "one that nobody takes it serves itself");
	ok(is_left(), "and leaves the next one again, although it is at work");
	end_process(first);
	int next = connect_client();
	ok(is_served(next), "the first has ended");
	close(next);
	next = connect_client();
	ok(is_served_at_once(next), "then it is the first, and takes a connection at once");
	end_process(third);
	close(client);
	close(next);
	turn();
}

/* All of them sleep when the connection comes: the one that is to take it must be woken, too. */
static void test_other_is_woken(void)
{
	int status = 1;

	gateway_close(gateway);
	open_gateway(CONNECTIONS_MAX);
	pid_t second = start_process(serve);
	is_able = false;
	int received_before = received;
	pid_t client = start_process(ask);
	loop_turn(loop, 5000);
	waitpid(client, &status, 0);
	ok(status == 0 && received == received_before, "who is not able leaves a connection to one that is");
	end_process(second);
	waitpid(start_process(find_rank), &status, 0);
	is_int(WEXITSTATUS(status), 0, "and gives its rank to the others");
	turn();
	int alone = connect_client();
	ok(is_served(alone), "if there is any");
	is_able = true;
	close(alone);
	turn();
}

static void fill(int clients[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		clients[i] = connect_client();
	for (size_t i = 0; i < count; i++)
		loop_turn(loop, 0);
}

static void close_all(int clients[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(clients[i]);
	turn();
}

static void test_crowded_process(void)
{
	int clients[GATEWAY_LISTENER_CROWD_MIN];

	gateway_close(gateway);
	open_gateway(CONNECTIONS_MAX);
	pid_t second = start_process(be_stuck);
	fill(clients, COUNT_OF(clients));
	ok(!is_left_to_others(), "the first process takes a burst of connections at once");
	ok(is_left(), "one more it leaves to the others");
	/* The pause ends. */
	loop_turn(loop, 1000);
	int next = connect_client();
	loop_turn(loop, 1000);
	close(clients[0]);
	ok(is_served_at_once(next), "but takes it as soon as it has fewer");
	clients[0] = connect_client();
	ok(is_served(clients[0]), "or when nobody else has");
	end_process(second);
	second = start_process(serve);
	close(next);
	next = connect_client();
	ok(is_taken_by_others(), "one that serves takes it");
	end_process(second);
	close(next);
	next = connect_client();
	ok(is_served_at_once(next), "alone it takes all at once");
	close(next);
	close_all(clients, COUNT_OF(clients));
}

/* What the first one leaves is not all for the second. */
static void test_crowded_second(void)
{
	int clients[GATEWAY_LISTENER_CROWD_MIN + 1];

	gateway_close(gateway);
	pid_t first = start_process(be_stuck);
	open_gateway(CONNECTIONS_MAX);
	for (size_t i = 0; i < COUNT_OF(clients); i++)
		clients[i] = connect_client();
	ok(is_served(clients[0]), "the second process takes what is left");
	for (size_t i = 0; i < COUNT_OF(clients); i++)
		loop_turn(loop, 0);
	ok(is_left_to_others(), "until it has many, too");
	ok(!is_left_to_others(), "and no more than that");
	end_process(first);
	close_all(clients, COUNT_OF(clients));
}

static void drained(void *context)
{
	(void)context;
	is_drained = true;
}

static void test_drain(void)
{
	struct response response;
	int idle = connect_client();
	int busy = connect_client();

	get(idle, KEEP, &response);
	is_holding = true;
	send_get(busy, KEEP, "/busy");
	turn();
	is_holding = false;
	int late = connect_client();
	send_get(late, KEEP, "/late");
	gateway_drain(gateway, drained, NULL);
	read_response(late, &response);
	ok(is_hello(&response), "one that waits in the queue of the socket is served");
	ok(try_to_connect() < 0, "one that comes later is refused");
	for (int i = 0; i < 1000 && (read_response(idle, &response), !response.is_closed); i++)
		loop_turn(loop, 10);
	ok(response.is_closed && response.text[0] == '\0', "an idle connection is closed");
	ok(!is_drained, "a busy one is waited for");
	answer_hello(held);
	read_response(busy, &response);
	ok(is_hello(&response) && response.has_more && response.is_closed,
	   "the last answer tells the web server not to keep the connection");
	ok(!is_drained, "nothing is called from inside the answer");
	turn();
	ok(is_drained, "then it says that all is done");
	close(idle);
	close(busy);
	close(late);
}

int main(void)
{
	int made = mkstemp(socket_path);

	if (made >= 0)
		close(made);
	loop = loop_open();
	listener = listen_on(socket_path);
	open_gateway(CONNECTIONS_MAX);
	int descriptors = count_descriptors();
	test_kept_and_closed();
	test_head();
	test_bodies();
	test_body_limit();
	test_pending();
	test_peer_gone();
	test_idle_connections();
	test_silent_connection();
	test_cut_requests();
	test_split_request();
	test_broken_records();
	test_deadly_records();
	turn();
	is_int(count_descriptors(), descriptors, "no descriptor is left open");
	test_second_process();
	test_other_is_woken();
	test_crowded_process();
	test_crowded_second();
	test_limit();
	test_drain();
	gateway_close(gateway);
	loop_close(loop);
	unlink(socket_path);
	return tap_done();
}
