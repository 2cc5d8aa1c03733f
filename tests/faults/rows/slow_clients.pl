# Clients that take their time, on many connections.
#
# Usage: perl slow_clients.pl PORT FILE COUNT KEY TARGET
#
# Until FILE exists, COUNT connections of each of these kinds:
#   head      sends a byte a second of the head of a request
#   body      sends the head of POST /shorten, and a byte a second of the body
#   list      asks for a page of 500 links, and reads nothing
#   redirect  asks for TARGET 300 times at once, and reads nothing
# Prints how many there are, when all have begun. In the end prints how many of each kind the web server has cut off, or
# has given no answer of the right status where they have asked for one.
use strict;
use warnings;
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_RCVBUF);
use Time::HiRes qw(sleep);

die "Usage: slow_clients.pl PORT FILE COUNT KEY TARGET\n" unless @ARGV == 5;
my ($port, $file, $count, $key, $target) = @ARGV;
my $parent = getppid;
$| = 1;
$SIG{PIPE} = 'IGNORE';

my %kinds = (
	head => { slow => "GET /hello HTTP/1.1\r\nHost: a\r\nX-Slow: " . 'x' x 1000 },
	body => {
		fast => "POST /shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
		slow => '{"srcUrl":"' . 'x' x 989,
	},
	list => {
		status => 200,
		fast => "GET /api/links?limit=500 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $key\r\n\r\n",
	},
	redirect => { status => 302, fast => "GET $target HTTP/1.1\r\nHost: a\r\n\r\n" x 300 },
);

# A small buffer, so that what is not read stays with the web server.
sub begin {
	my ($kind) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 10)
		or die "port $port: $!\n";
	setsockopt $socket, SOL_SOCKET, SO_RCVBUF, 4096;
	$socket->blocking(0);
	syswrite $socket, $kinds{$kind}{fast} // '';
	return { kind => $kind, socket => $socket, slow => $kinds{$kind}{slow} // '', status => $kinds{$kind}{status} };
}

# A byte, where the kind still has one to send.
sub go_on {
	my ($client) = @_;
	return 1 if $client->{slow} eq '';
	return defined syswrite $client->{socket}, substr $client->{slow}, 0, 1, '';
}

# The first bytes that have lain there all the time.
sub is_answered {
	my ($client) = @_;
	return 1 unless $client->{status};
	my $start = "";
	return sysread($client->{socket}, $start, 12) && $start eq "HTTP/1.1 $client->{status}";
}

my @clients = map { my $kind = $_; map { begin($kind) } 1 .. $count } sort keys %kinds;
my %failed;
print scalar(@clients), "\n";
until (-e $file or getppid != $parent) {
	@clients = grep { go_on($_) or !++$failed{ $_->{kind} } } @clients;
	sleep 1;
}
is_answered($_) or $failed{ $_->{kind} }++ for @clients;
print join(' ', map { "$_ " . ($failed{$_} // 0) } sort keys %kinds), "\n";
