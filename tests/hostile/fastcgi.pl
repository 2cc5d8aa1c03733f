# What no good web server sends to a responder, and whether the responder bears it.
#
# Usage: perl fastcgi.pl cases|cuts|splits|crowd|slow SOCKET PID
#   cases   each of the requests of fastcgi_cases.pl
#   cuts    a request that ends behind each of its bytes: the peer stops writing, or has gone
#   splits  a request that comes in two parts, and one that comes byte by byte
#   crowd   100 connections that send what is broken, again and again, while good requests go on
#   slow    a request that stops in the middle, one that comes ever so slowly, one with much behind what is broken, and
#           an answer that is taken ever so slowly
#
# Prints "pass NAME" or "fail NAME TAB REASON" lines, and at the end "stored COUNT". Behind each request a good one on
# another connection must be answered soon, by the same process, which must have as many descriptors as before. All that
# is whole asks for URLs at whole.example, and COUNT says how many were given; what is broken asks for broken.example.
use strict;
use warnings;
use FindBin;
use IO::Select;
use IO::Socket::UNIX;
use POSIX ();
use Time::HiRes qw(sleep time);
require "$FindBin::Bin/fastcgi_cases.pl";

my ($action, $path, $pid) = @ARGV;
my $LIMIT_S = 10;
my $SOON_S = 1.5;
my $descriptors;
my $stored = 0;
$SIG{PIPE} = 'IGNORE';
$| = 1;

sub report {
	my ($name, $problem) = @_;
	print defined $problem ? "fail $name\t$problem\n" : "pass $name\n";
}

sub connect_to {
	my $socket = IO::Socket::UNIX->new(Peer => $path) // die "$path: $!\n";
	$socket->blocking(0);
	return $socket;
}

# ---- exchanges

# Sends and reads at the same time, for neither side may wait for the other. Returns what came until the responder has
# closed the connection; undefined when it has not within the limit.
sub exchange {
	my ($socket, $bytes, $ends) = @_;
	my ($sent, $answer, $limit) = (0, '', time + $LIMIT_S);
	shutdown $socket, 1 if $ends and $bytes eq '';
	while (time < $limit) {
		my $writer = $sent < length $bytes ? IO::Select->new($socket) : undef;
		my ($readable, $writable) = IO::Select->select(IO::Select->new($socket), $writer, undef, 0.5);
		if ($writer and @{$writable // []}) {
			my $count = syswrite $socket, $bytes, 1 << 20, $sent;
			$sent = defined $count ? $sent + $count : $!{EAGAIN} ? $sent : length $bytes;
			shutdown $socket, 1 if $ends and $sent == length $bytes;
		}
		next unless @{$readable // []};
		my $count = sysread $socket, $answer, 65536, length $answer;
		return $answer if defined $count ? $count == 0 : !$!{EAGAIN};
	}
	return;
}

# The status; "closed" when there is no answer, "cut" for a part of one, and what ended the request otherwise.
sub outcome {
	my ($answer) = @_;
	return 'silence' unless defined $answer;
	my ($text, $ends) = ('', '');
	while (length $answer >= 8) {
		my ($type, $id, $size, $padding) = (unpack 'CCnnCC', $answer)[1, 2, 3, 4];
		$text .= substr $answer, 8, $size if $type == 6;
		$ends .= " end $id:" . ord substr $answer, 12, 1 if $type == 3 and length $answer >= 16;
		substr $answer, 0, 8 + $size + $padding, '';
	}
	return 'closed' if $text eq '' and $ends eq '';
	my ($status) = $text =~ /^Status: (\d+)/;
	$ends =~ s/ end \d+:0\z// or return 'cut';
	return ($status // 'no status') . $ends;
}

sub ask {
	my ($socket, $bytes, $ends) = @_;
	my $answer = exchange($socket, $bytes, $ends);
	$stored++ if defined $answer and index($answer, '"shortenedUrl"') >= 0;
	return outcome($answer);
}

sub descriptors_count {
	return scalar(() = glob "/proc/$pid/fd/*");
}

# Undefined when all is well.
sub aftermath {
	my $start = time;
	my $outcome = ask(connect_to(), get('/healthz'));
	my $took = time - $start;
	return "a good request is answered: $outcome" if $outcome ne '200';
	return sprintf 'a good request takes %.1f s', $took if $took > $SOON_S;
	my $limit = time + 5;
	sleep 0.002 while descriptors_count() != $descriptors and time < $limit;
	my $count = descriptors_count();
	return $count == $descriptors ? undef : "$count descriptors instead of $descriptors";
}

# ---- what there is to try

sub try_cases {
	for my $case (cases()) {
		my ($name, $expected, $bytes, $ends) = @$case;
		my $outcome = ask(connect_to(), $bytes, $ends);
		my $problem = $outcome eq $expected ? aftermath() : "$outcome, not $expected";
		report("$name: $expected", $problem);
	}
}

# What was sent to the responder and not read by it yet: TIOCOUTQ.
sub is_read {
	my ($socket) = @_;
	my $count = pack 'i', 0;
	ioctl $socket, 0x5411, $count or die "TIOCOUTQ: $!\n";
	return unpack('i', $count) == 0;
}

sub send_part {
	my ($socket, $part) = @_;
	syswrite $socket, $part;
	my $limit = time + $LIMIT_S;
	until (is_read($socket) or time > $limit) { }
}

sub try_cuts {
	my $request = post('http://broken.example/cut');
	for my $way ('stops writing', 'has gone') {
		my @answered;
		for my $size (0 .. length($request) - 1) {
			my $socket = connect_to();
			my $part = substr $request, 0, $size;
			if ($way eq 'has gone') {
				syswrite $socket, $part if $size > 0;
				close $socket;
			} else {
				my $outcome = ask($socket, $part, 1);
				push @answered, "$size bytes: $outcome" if $outcome ne 'closed';
			}
			my $problem = $size % 16 == 0 ? aftermath() : undef;
			push @answered, "$size bytes: $problem" if defined $problem;
		}
		report("the peer $way behind each of " . length($request) . ' bytes', join(', ', @answered) || aftermath());
	}
}

sub try_splits {
	my @failed;
	my $request = post('http://whole.example/split');
	for my $size (1 .. length($request) - 1) {
		my $socket = connect_to();
		send_part($socket, substr $request, 0, $size);
		my $outcome = ask($socket, substr $request, $size);
		push @failed, "$size bytes: $outcome" if $outcome ne '200';
	}
	report('two parts, behind each of ' . (length($request) - 1) . ' bytes', join(', ', @failed) || aftermath());
	my $socket = connect_to();
	send_part($socket, $_) for split //, $request;
	my $outcome = ask($socket, '');
	report('byte by byte', $outcome eq '200' ? aftermath() : $outcome);
}

# Each of 4 processes has 25 connections at a time. The broken cases end at once; those that go on to their end of
# the limit would hold up all others.
sub send_crowd {
	my ($first, @broken) = @_;
	for my $round (0 .. 7) {
		my @sockets = map { connect_to() } 1 .. 25;
		my $number = $first + 25 * $round;
		syswrite $_, $broken[$number++ % @broken] for @sockets;
		# Half of them go without a look at what comes back.
		sysread $_, my $answer, 65536 for grep { IO::Select->new($_)->can_read(5) } @sockets[0 .. 11];
		close $_ for @sockets;
	}
	POSIX::_exit(0);
}

sub try_crowd {
	my @broken = grep { length $_ < 65536 } map { $_->[2] } grep { $_->[1] eq 'closed' and !$_->[3] } cases();
	my %is_alive = map { my $child = fork; $child == 0 ? send_crowd(200 * $_, @broken) : ($child => 1) } 0 .. 3;
	my ($slowest, %count) = (0);
	while (%is_alive) {
		my $start = time;
		$count{ask(connect_to(), post('http://whole.example/crowd'))}++;
		$slowest = time - $start if time - $start > $slowest;
		my $ended = waitpid -1, POSIX::WNOHANG();
		delete $is_alive{$ended} if $ended > 0;
	}
	my $good = delete $count{200} // 0;
	report('100 connections at a time: all good requests are answered', $good && !%count ? undef : join ' ', %count);
	report('100 connections at a time: soon', $slowest < $SOON_S ? undef : "$slowest s");
	report('100 connections at a time: nothing is left of them', aftermath());
}

# Asks on another connection while `go_on` is called again and again. Returns what came of it and how long it took.
sub ask_beside {
	my ($go_on) = @_;
	my ($other, $start) = (connect_to(), time);
	syswrite $other, get('/hello');
	while (time - $start < $LIMIT_S) {
		$go_on->();
		last if IO::Select->new($other)->can_read(0);
	}
	my $took = time - $start;
	return (ask($other, ''), $took);
}

sub report_beside {
	my ($name, $limit_s, $go_on, @sockets) = @_;
	my ($outcome, $took) = ask_beside($go_on);
	close $_ for @sockets;
	report("$name holds up others for less than $limit_s s",
		$outcome eq '200' && $took < $limit_s ? aftermath() : "$outcome after $took s");
}

# Within the parameters, and between two records, where libfcgi by itself would try three times.
sub try_to_stop {
	my ($request) = @_;
	for my $size (30, index $request, "\1\4\0\1\0\0\0\0") {
		my $socket = connect_to();
		send_part($socket, substr $request, 0, $size);
		report_beside("a request that stops behind $size bytes", 3, sub { sleep 0.05 });
		close $socket;
	}
}

sub try_to_dawdle {
	my ($request) = @_;
	my ($socket, $at) = (connect_to(), 10);
	syswrite $socket, substr $request, 0, $at;
	report_beside('a request that comes ever so slowly', 6,
		sub { sleep 0.3; syswrite $socket, substr $request, $at++, 1 }, $socket);
}

# Each is broken where its name says. Whoever read on behind it would do so for as long as there is something, so the
# responder must close the connection over what it has not read: its peer sees a reset then, and an end otherwise.
sub try_to_flood {
	my $noise = "\xA5" x 65536;
	my %beginnings = (
		'nothing that is FastCGI' => 'GET / HTTP/1.0',
		'a broken header' => begin() . "\2\4\0\1\0\0\0\0",
		'a broken parameter' => begin() . record(4, lengths(0x70000000, 0x70000000)),
		'a broken body' => substr(post('http://broken.example/flood'), 0, -8) . "\1\x63\0\1\0\0\0\0",
	);
	for my $name (sort keys %beginnings) {
		my $socket = connect_to();
		syswrite $socket, $beginnings{$name} . $noise x 2;
		my $is_answered = IO::Select->new($socket)->can_read($LIMIT_S);
		my $is_reset = !defined sysread($socket, my $some, 1) && $!{ECONNRESET};
		report("$name: what follows is not read", $is_answered && $is_reset ? aftermath() : 'it is read');
	}
}

# Asks for more and more, until the answers fill the socket and the responder reads no further.
sub fill_with_answers {
	my ($socket) = @_;
	for my $number (1 .. 100) {
		syswrite $socket, get('/api/openapi.json', flags => 1);
		my $limit = time + 0.3;
		until (is_read($socket)) {
			return if time > $limit;
		}
	}
	die "100 answers do not fill a socket\n";
}

sub try_to_read_slowly {
	for my $size (0, 512) {
		my $socket = connect_to();
		fill_with_answers($socket);
		report_beside("an answer that is taken by $size bytes at a time", 7,
			sub { sleep 0.1; sysread $socket, my $some, $size }, $socket);
	}
}

# They hold up the others, but not for long: 2 s for a peer that stops, about 4 s for one that does not get on, at most
# 6 s for one that stops then.
sub try_slow {
	my $request = post('http://broken.example/slow');
	try_to_stop($request);
	try_to_dawdle($request);
	try_to_flood();
	try_to_read_slowly();
}

my %actions = (cases => \&try_cases, cuts => \&try_cuts, splits => \&try_splits, crowd => \&try_crowd,
	slow => \&try_slow);
die "Usage: fastcgi.pl " . join('|', sort keys %actions) . " SOCKET PID\n" unless @ARGV == 3 and $actions{$action};
exchange(connect_to(), get('/healthz'));
$descriptors = descriptors_count();
$actions{$action}->();
print "stored $stored\n";
