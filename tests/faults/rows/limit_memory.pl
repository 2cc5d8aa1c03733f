# Requests that want much memory, over and over.
#
# Usage: perl limit_memory.pl PORT KEY FILE
#
# Four at a time each of these kinds, until FILE exists:
#   bulk    an array of 1000 links, 900 KB
#   list    a page of 500 links
#   nested  a body of 900 KB that no JSON is
# Prints a line for each answer, with a tab between its fields: its kind, its status, what is wrong with it, or "none",
# and how many links of an array were given.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

die "Usage: limit_memory.pl PORT KEY FILE\n" unless @ARGV == 3;
my ($port, $key, $file) = @ARGV;
my $parent = getppid;
my $links_count = 0;
$| = 1;
$SIG{PIPE} = 'IGNORE';

sub request {
	my ($target, $body) = @_;
	my $head = "$target HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer $key\r\n";
	$head .= "Content-Type: application/json\r\nContent-Length: " . length($body) . "\r\n" if defined $body;
	return "$head\r\n" . ($body // '');
}

sub bulk {
	my $tail = 'x' x 850;
	my @links = map { '{"srcUrl":"https://hungry.example/' . $links_count++ . $tail . '"}' } 1 .. 1000;
	return request('POST /shorten', '[' . join(',', @links) . ']');
}

sub list {
	return request('GET /api/links?limit=500');
}

sub nested {
	return request('POST /shorten', '[{"srcUrl":"' . 'y' x 900_000);
}

# What is cut off has not its end. Each element of an array is settled for itself.
my %kinds = (
	bulk => {
		request => \&bulk, status => 200, count => 1000, each => qr/\{"status":(?:200|503),/, whole => qr/\A\[\{.*\}\]\z/s,
	},
	list => {
		request => \&list, status => 200, count => 500, each => qr/\{"id":/,
		whole => qr/\A\{"links":\[.*\],"next":(?:null|"[^"]*")\}\z/s,
	},
	nested => { request => \&nested, status => 400, count => 1, each => qr/errMsg/, whole => qr/\A\{.*\}\z/s },
);

sub problem {
	my ($kind, $status, $head, $body) = @_;
	if ($status == $kind->{status}) {
		return 'cut off' unless $body =~ $kind->{whole};
		my $count = () = $body =~ /$kind->{each}/g;
		return $count == $kind->{count} ? 'none' : "$count instead of $kind->{count}";
	}
	return "status $status" unless $status == 503;
	return 'no errMsg' unless $body =~ /\A\{"errMsg":"[^"]+"\}\z/;
	return $head =~ /^Retry-After: *[1-9]/mi ? 'none' : 'no Retry-After';
}

sub is_whole {
	my ($head, $body) = split /\r\n\r\n/, $_[0], 2;
	return defined $body && $head =~ /^Content-Length: *(\d+)/mi && length $body >= $1;
}

sub ask {
	my ($name) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 5)
		or return "$name\t000\tno connection\t0";
	print $socket $kinds{$name}{request}->();
	$socket->flush;
	my $answer = '';
	until (is_whole($answer) or !IO::Select->new($socket)->can_read(20)) {
		last unless sysread $socket, $answer, 1 << 20, length $answer;
	}
	return "$name\t000\tno answer\t0" unless is_whole($answer);
	my ($head, $body) = split /\r\n\r\n/, $answer, 2;
	my ($status) = $head =~ m{^HTTP/\S+ (\d+)};
	my $given = () = $body =~ /"status":200,/g;
	return join "\t", $name, $status, problem($kinds{$name}, $status, $head, $body), $given;
}

my @children;
for my $name (sort keys %kinds) {
	for my $number (0 .. 3) {
		my $child = fork // die "fork: $!\n";
		push @children, $child;
		next if $child;
		$links_count = 1_000_000 * $number;
		print ask($name) . "\n" until -e $file or getppid == 1;
		exit;
	}
}
waitpid $_, 0 for @children;
