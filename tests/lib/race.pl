# Many clients at the same moment, or one that does not stop asking, against a web server on 127.0.0.1.
#
# Usage: perl race.pl once PORT COUNT <REQUESTS >ANSWERS
#     COUNT clients connect and send all but the last byte of their request, then all of them the last one: the
#     first client sends the first line of the requests, and so on, and behind the last line comes the first
#     again. An answer is a line: STATUS LOCATION BODY with a tab between.
#
# Usage: perl race.pl watch PORT SECONDS <REQUEST >ANSWERS
#     One client sends the request again and again over a kept connection. An answer is a line: when it was sent,
#     when it was there (seconds since 1970), and STATUS LOCATION BODY, with a tab between.
#
# Requests are lines as those of bulk.pl, with its escapes; so are the bodies. No answer: status 000.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time);

my $LIMIT_S = 20;
local $SIG{PIPE} = 'IGNORE';

sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-Fa-f]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2} \/\/ "\\$2"/ge;
	return $text;
}

sub escape {
	my ($text) = @_;
	$text =~ s/\\/\\\\/g;
	$text =~ s/([^ -~])/sprintf '\\x%02X', ord $1/ge;
	return $text;
}

# The bytes of the request in a line.
sub request_of {
	my ($line, $connection) = @_;
	my (undef, $method, $target, $headers, $body) = map { unescape($_) } split /\t/, $line, -1;
	my $text = "$method $target HTTP/1.1\r\nHost: localhost\r\nConnection: $connection\r\n";
	$text .= "$_\r\n" for split /\n/, $headers // '';
	$text .= 'Content-Length: ' . length($body) . "\r\n" if defined $body;
	return "$text\r\n" . ($body // '');
}

sub read_requests {
	my ($connection) = @_;
	binmode STDIN;
	chomp(my @lines = <STDIN>);
	die "there is no request\n" unless @lines;
	return map { request_of($_, $connection) } @lines;
}

sub connect_to {
	my ($port) = @_;
	return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) || die "cannot connect to $port: $!\n";
}

# STATUS LOCATION BODY
sub show {
	my ($answer) = @_;
	my ($head, $body) = split /\r\n\r\n/, $answer, 2;
	my ($status) = ($head // '') =~ m{^HTTP/\S+ (\d+)};
	my ($location) = ($head // '') =~ /^Location: ([^\r\n]*)/mi;
	return join "\t", $status // '000', escape($location // ''), escape($body // '');
}

# Reads from all sockets until each of them is closed.
sub read_all {
	my ($sockets) = @_;
	my %answers = map { fileno($_) => '' } @$sockets;
	my $select = IO::Select->new(@$sockets);
	while ($select->count and my @ready = $select->can_read($LIMIT_S)) {
		for my $socket (@ready) {
			my $number = fileno $socket;
			$select->remove($socket) unless sysread $socket, $answers{$number}, 65536, length $answers{$number};
		}
	}
	return map { $answers{fileno $_} } @$sockets;
}

sub once {
	my ($port, $count) = @_;
	my @requests = read_requests('close');
	my @sockets = map { connect_to($port) } 1 .. $count;
	syswrite $sockets[$_], substr $requests[$_ % @requests], 0, -1 for 0 .. $#sockets;
	syswrite $sockets[$_], substr $requests[$_ % @requests], -1 for 0 .. $#sockets;
	print show($_), "\n" for read_all(\@sockets);
}

# One answer from a kept connection; what there is when it is not complete.
sub read_answer {
	my ($socket) = @_;
	my $answer = '';
	while (IO::Select->new($socket)->can_read($LIMIT_S) and sysread $socket, $answer, 65536, length $answer) {
		my ($head, $body) = split /\r\n\r\n/, $answer, 2;
		next unless defined $body;
		my ($length) = $head =~ /^Content-Length: *(\d+)/mi;
		last if length $body >= ($length // 0);
	}
	return $answer;
}

sub watch {
	my ($port, $seconds) = @_;
	my ($request) = read_requests('keep-alive');
	my $end = time + $seconds;
	my $socket;
	while (time < $end) {
		$socket //= connect_to($port);
		my $sent = time;
		syswrite $socket, $request;
		my $answer = read_answer($socket);
		printf "%.6f\t%.6f\t%s\n", $sent, time, show($answer);
		undef $socket if $answer eq '' or $answer =~ /^Connection: *close/mi;
	}
}

my ($action, @arguments) = @ARGV;
my %actions = (once => \&once, watch => \&watch);
($actions{$action // ''} // die "Usage: see the head of race.pl\n")->(@arguments);
