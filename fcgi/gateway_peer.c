/* Stands between libfcgi and its sockets. */
#include "gateway_peer.h"

#include <errno.h>
#include <fcgios.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "loop.h"

/* A peer that stops again and again gets this long for a request, and as long for its answer, from the second call on. */
#define PACE_LIMIT_MS 4000

#define LET_GO_SIZE 8

/* The connection that libfcgi is at. */
static struct gateway_peer *current;

void gateway_peer_begin(struct gateway_peer *peer)
{
	peer->filter = (struct gateway_filter){ 0 };
	peer->reading = (struct gateway_pace){ 0 };
	peer->writing = (struct gateway_pace){ 0 };
}

void gateway_peer_start(struct gateway_peer *peer)
{
	current = peer;
}

void gateway_peer_stop(void)
{
	current = NULL;
}

/* FastCGI has no word for "I shall close this connection", and a request that nginx sends on it in that
 * moment would be lost: nginx does not repeat a POST. But nginx keeps a connection only when nothing
 * follows END_REQUEST, and as long as nothing comes on it, so one more record, of an empty error stream, makes it let
 * go. In front of an answer this record says nothing. Its id is that of the last request, which they would use again;
 * before the first one it is 1, which web servers use that have one request a connection. */
static void make_let_go(unsigned char record[LET_GO_SIZE], const struct gateway_peer *peer)
{
	unsigned id = peer->filter.id != 0 ? peer->filter.id : 1;
	const unsigned char header[LET_GO_SIZE] = { 1, 7, (unsigned char)(id >> 8), (unsigned char)id };

	memcpy(record, header, sizeof header);
}

void gateway_peer_let_go(const struct gateway_peer *peer, int descriptor)
{
	unsigned char record[LET_GO_SIZE];

	make_let_go(record, peer);
	ssize_t sent = send(descriptor, record, sizeof record, MSG_NOSIGNAL | MSG_DONTWAIT);
	/* A peer that has gone, or has not read for long, is closed anyway. */
	(void)sent;
}

void gateway_peer_let_go_behind(struct gateway_peer *peer)
{
	peer->is_to_let_go = true;
}

/* One that is late gets what is there already: it may be this process that was held up. Most requests, and most
 * answers, are one call, which needs no clock. */
static int waiting(struct gateway_pace *pace)
{
	if (pace->calls_count++ == 0)
		return 0;
	if (pace->calls_count == 2)
		pace->since_ms = loop_now_ms();
	return loop_now_ms() - pace->since_ms > PACE_LIMIT_MS ? MSG_DONTWAIT : 0;
}

/* Once it has failed it fails at once: libfcgi may go on behind an error, and would wait again. */
static ssize_t fail(struct gateway_peer *peer, ssize_t result)
{
	if (peer->has_failed)
		errno = EPROTO;
	peer->has_failed = true;
	return result;
}

static ssize_t read_some(struct gateway_peer *peer, int descriptor, char *buffer, size_t size)
{
	ssize_t count;

	if (peer->has_failed)
		return fail(peer, -1);
	do
		count = recv(descriptor, buffer, size, waiting(&peer->reading));
	while (count < 0 && errno == EINTR);
	if (count > 0 && gateway_filter_take(&peer->filter, buffer, (size_t)count))
		return count;
	return fail(peer, count < 0 ? -1 : 0);
}

static ssize_t send_with_let_go(const struct gateway_peer *peer, int descriptor, char *buffer, size_t size, int flags)
{
	unsigned char record[LET_GO_SIZE];
	struct iovec parts[] = { { buffer, size }, { record, sizeof record } };

	make_let_go(record, peer);
	ssize_t count = sendmsg(descriptor, &(struct msghdr){ .msg_iov = parts, .msg_iovlen = 2 }, flags);
	return count > (ssize_t)size ? (ssize_t)size : count;
}

static ssize_t write_some(struct gateway_peer *peer, int descriptor, char *buffer, size_t size)
{
	ssize_t count;

	if (peer->has_failed)
		return fail(peer, -1);
	do {
		int flags = MSG_NOSIGNAL | waiting(&peer->writing);

		count = peer->is_to_let_go ? send_with_let_go(peer, descriptor, buffer, size, flags) :
					     send(descriptor, buffer, size, flags);
	} while (count < 0 && errno == EINTR);
	return count < 0 ? fail(peer, -1) : count;
}

/* libfcgi reads and writes through these functions. It brings some of its own, but the linker prefers the program's: so
 * what it could not bear is held up without another system call. A library built with -Bsymbolic would call its own:
 * tests/unit/gateway.c holds this against the installed one. */
int OS_Read(int fd, char *buf, size_t len)
{
	return (int)(current != NULL ? read_some(current, fd, buf, len) : read(fd, buf, len));
}

int OS_Write(int fd, char *buf, size_t len)
{
	return (int)(current != NULL ? write_some(current, fd, buf, len) : write(fd, buf, len));
}
