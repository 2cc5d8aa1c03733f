# Sends the bytes of standard input to a server as they are and prints the bytes that come back.
# Usage: perl raw.pl http:PORT|fcgi:SOCKET <bytes
# Ends when the server closes the connection, when the answer is complete, or after 5 s of silence.
# It does not close its own side first: nginx takes that for a client that has gone.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;

my ($kind, $address) = $ARGV[0] =~ /^(http|fcgi):(.+)/ or die "Usage: raw.pl http:PORT|fcgi:SOCKET\n";
my $socket = $kind eq 'http'
	? IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $address)
	: IO::Socket::UNIX->new(Peer => $address);
die "cannot connect to $address: $!\n" unless $socket;

local $SIG{PIPE} = 'IGNORE';
binmode $_ for \*STDIN, \*STDOUT, $socket;
$socket->autoflush(1);
my $sent = do { local $/; <STDIN> };
my $is_head = $sent =~ /\AHEAD / && $sent =~ /\A(?:[^\r\n]+\r\n)+\r\n\z/;
print $socket $sent;

sub is_complete {
	my ($answer) = @_;
	return 0 if $kind eq 'fcgi' or $answer !~ /\r\n\r\n/;
	my ($head, $body) = split /\r\n\r\n/, $answer, 2;
	return 1 if $is_head;
	return $head =~ /^Content-Length: *(\d+)/mi && length $body >= $1;
}

my $answer = '';
my $select = IO::Select->new($socket);
while (!is_complete($answer) and $select->can_read(5)) {
	last unless sysread $socket, $answer, 65536, length $answer;
}
print $answer;
