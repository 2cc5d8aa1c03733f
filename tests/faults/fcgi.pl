# Awkward FastCGI clients: many that stay, and one that is late.
#
# Usage: perl fcgi.pl hold SOCKET COUNT [TARGET]...
#   Opens COUNT kept connections and asks for a TARGET on each, the targets in turn, or for /hello; then all stay
#   open and idle until this program is killed. Prints the number of answers whenever it has changed.
# Usage: perl fcgi.pl late SOCKET PID
#   Opens a connection that the responder PID accepts, sends it SIGTERM, and only then the request.
# Usage: perl fcgi.pl meanwhile SOCKET PID
#   Sends a second request on a kept connection while the responder is stopped (SIGSTOP) and has SIGTERM
#   waiting already: it finds both at once.
# Usage: perl fcgi.pl idle SOCKET PID
#   Sends a second request on a kept connection after the responder has asked to be let go, and in the moment in which
#   it looks again: it finds its timer and the request at once.
# The last three print the status that the request gets, or 000.
use strict;
use warnings;
use IO::Select;
use IO::Socket::UNIX;
use Time::HiRes qw(sleep time);

my ($action, $path, $number, @targets) = @ARGV;
die "Usage: fcgi.pl hold SOCKET COUNT [TARGET]... | late SOCKET PID | meanwhile SOCKET PID | idle SOCKET PID\n"
	unless @ARGV >= 3 and $action =~ /^(?:hold|late|meanwhile|idle)$/;
$| = 1;
$SIG{PIPE} = 'IGNORE';

# BEGIN_REQUEST with FCGI_KEEP_CONN, the parameters, and the empty records that end parameters and body.
sub request {
	my ($target) = @_;
	my $parameters = '';
	my %value = (REQUEST_METHOD => 'GET', REQUEST_URI => $target);
	$parameters .= pack 'CCa*a*', length, length $value{$_}, $_, $value{$_} for sort keys %value;
	return pack('CCnnCCnCx5', 1, 1, 1, 8, 0, 0, 1, 1)
		. pack('CCnnCCa*', 1, 4, 1, length $parameters, 0, 0, $parameters)
		. pack('CCnnCC', 1, 4, 1, 0, 0, 0) . pack('CCnnCC', 1, 5, 1, 0, 0, 0);
}

sub connect_to {
	return IO::Socket::UNIX->new(Peer => $path) // die "$path: $!\n";
}

# Reads until END_REQUEST, the third type of record; 000 when it does not come.
sub read_status {
	my ($socket) = @_;
	my ($buffer, $text) = ('', '');
	while (IO::Select->new($socket)->can_read(10) and sysread $socket, $buffer, 65536, length $buffer) {
		while (length $buffer >= 8) {
			my ($type, $size, $padding) = (unpack 'CCnnCC', $buffer)[1, 3, 4];
			last if length $buffer < 8 + $size + $padding;
			$text .= substr $buffer, 8, $size if $type == 6;
			substr $buffer, 0, 8 + $size + $padding, '';
			return $text =~ /^Status: (\d+)/ ? $1 : '000' if $type == 3;
		}
	}
	return '000';
}

sub hold {
	my @sockets = map { connect_to() } 1 .. $number;
	my $select = IO::Select->new(@sockets);
	my $answers = 0;
	@targets = ('/hello') unless @targets;
	syswrite $sockets[$_], request($targets[$_ % @targets]) for 0 .. $#sockets;
	my $parent = getppid;
	print "0\n";
	while (getppid == $parent) {
		for my $socket ($select->can_read(1)) {
			$answers++ if sysread $socket, my $buffer, 65536;
			$select->remove($socket);
			print "$answers\n";
		}
		sleep 0.1 unless $select->count;
	}
}

sub descriptors_count {
	return scalar(() = glob "/proc/$number/fd/*");
}

sub late {
	my $before = descriptors_count();
	my $socket = connect_to();
	my $limit = time + 10;
	sleep 0.001 while descriptors_count() == $before and time < $limit;
	kill TERM => $number;
	sleep 0.02;
	syswrite $socket, request('/hello');
	print read_status($socket), "\n";
}

sub meanwhile {
	my $socket = connect_to();
	syswrite $socket, request('/hello');
	read_status($socket);
	# Longer than a responder that ends waits for the next request on an idle connection.
	sleep 0.3;
	kill STOP => $number;
	kill TERM => $number;
	syswrite $socket, request('/hello');
	kill CONT => $number;
	print read_status($socket), "\n";
}

# It looks when SIGTERM comes, and every 0.1 s.
sub idle {
	my $socket = connect_to();
	syswrite $socket, request('/readyz');
	read_status($socket);
	kill TERM => $number;
	sleep 0.05;
	kill STOP => $number;
	sleep 0.2;
	syswrite $socket, request('/readyz');
	kill CONT => $number;
	print read_status($socket), "\n";
}

{ hold => \&hold, late => \&late, meanwhile => \&meanwhile, idle => \&idle }->{$action}->();
