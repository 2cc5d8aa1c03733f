# Many connections at once, most of which say nothing.
#
# Usage: perl overload_connections.pl PORT FILE COUNT ASKING
#
# Opens COUNT connections and keeps them until FILE exists; ASKING of them ask for /hello once a second. One that
# is closed is opened again. Prints "open COUNT" when all are there for the first time, and in the end how many answers
# were right, how many were not, and how many connections could not be opened, or were closed before an answer.
use strict;
use warnings;
use IO::Select;
use Socket;
use Time::HiRes qw(sleep time);

die "Usage: overload_connections.pl PORT FILE COUNT ASKING\n" unless @ARGV == 4;
my ($port, $file, $count, $asking) = @ARGV;
my $parent = getppid;
my ($right, $wrong, $failed) = (0, 0, 0);
$| = 1;
$SIG{PIPE} = 'IGNORE';

# IO::Socket would take half a minute for all of them.
sub connect_to {
	my $socket;
	my $is_open = socket($socket, PF_INET, SOCK_STREAM, 0) && connect $socket, pack_sockaddr_in($port, INADDR_LOOPBACK);
	$failed++ unless $is_open;
	return $is_open ? $socket : undef;
}

sub is_closed {
	my ($socket) = @_;
	return !$socket || IO::Select->new($socket)->can_read(0);
}

# What is asked is read before it is asked again: within a second, or later.
sub ask {
	my ($socket) = @_;
	return unless $socket;
	syswrite $socket, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
	my $answer = '';
	if (!IO::Select->new($socket)->can_read(10) or !sysread $socket, $answer, 65536) {
		$failed++;
	} elsif ($answer =~ m{^HTTP/1.1 200 .*Hello World!\z}s) {
		$right++;
	} else {
		$wrong++;
	}
}

my @sockets;
for (1 .. $count) {
	push @sockets, connect_to();
	# Not faster than the queue of the web server's socket is emptied.
	sleep 0.01 if $_ % 50 == 0;
}
print "open ", scalar(grep { $_ } @sockets), "\n";
until (-e $file or getppid != $parent) {
	my $next = time + 1;
	for my $i (0 .. $asking - 1) {
		$sockets[$i] = connect_to() if is_closed($sockets[$i]);
		ask($sockets[$i]);
	}
	my $left = $next - time;
	sleep $left if $left > 0;
}
my $closed = grep { is_closed($_) } @sockets;
print "right $right wrong $wrong failed $failed closed $closed\n";
