# Sends the requests of mix.pl to a web server on 127.0.0.1 and looks at the memory of the responders behind it.
#
# Usage: IN_USE=PREFIX perl soak.pl PORT REQUESTS KEY NGINX_PID NAME=PID... >SAMPLES
#
# The responders have no connection when it begins. After 5, 25, 50, 75 and 100 of a hundred requests all connections
# are closed, those of nginx to the responders too, and what a responder has then is what it would keep for ever.
# Over 80 connections, each with some requests under way. Some of these connections are cut before the answers come.
# A line of the samples has a tab between its fields:
#   sample  WHEN NAME REQUESTS SECONDS RESIDENT PRIVATE DESCRIPTORS IN_USE   of a responder; RESIDENT and PRIVATE in KB.
#           WHEN is "load" every five seconds under load, and 5, 25, 50, 75, 100 without connections, after so many of a
#           hundred requests. Only then IN_USE is there: what the heap holds, in bytes (see in_use.c)
#   status  STATUS COUNT
#   wrong   REQUEST STATUS EXPECTED   an answer with another status than expected; of many, some. 000: no answer
#   end     REQUESTS SECONDS WRONG CUT   CUT: how many were sent over connections that were cut
use strict;
use warnings;
use FindBin;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(sleep time);
require "$FindBin::Bin/mix.pl";

my $CONNECTIONS = 80;
my $DEPTH = 4;
my $ANSWER_LIMIT_S = 60;
my $SAMPLE_S = 5;
my $REST_LIMIT_S = 30;
my $WRONG_SHOWN = 20;
# One of so many turns of a connection is cut.
my $CUT_EVERY = 400;

my ($port, $wanted, $key, $nginx, @responders) = @ARGV;
die "Usage: see the head of soak.pl\n" unless @responders;
my @pids = map { [split /=/] } @responders;
local $SIG{PIPE} = 'IGNORE';

my ($sent, $done, $wrong, $cut) = (0, 0, 0, 0);
my (%statuses, %descriptors);
my $select = IO::Select->new;
my $began = time;

# ---- samples

# What smaps_rollup says is exact; VmRSS of status is not, since Linux 6.2 (proc(5)).
sub memory_of {
	my ($pid) = @_;
	open my $file, '<', "/proc/$pid/smaps_rollup" or die "process $pid has ended\n";
	my %kb = map { /^(\w+): +(\d+) kB/ ? ($1, $2) : () } <$file>;
	return ($kb{Rss}, $kb{Private_Dirty});
}

sub count_descriptors {
	my ($pid) = @_;
	my @descriptors = glob "/proc/$pid/fd/*";
	return scalar @descriptors;
}

sub sample {
	my ($when) = @_;
	for (@pids) {
		my ($name, $pid) = @$_;
		printf "sample\t%s\t%s\t%d\t%.1f\t%d\t%d\t%d\t%s\n", $when, $name, $done, time - $began, memory_of($pid),
			count_descriptors($pid), $when eq 'load' ? '-' : in_use_of($pid);
	}
}

# The responder writes the file when it is told to.
sub in_use_of {
	my ($pid) = @_;
	my $file = "$ENV{IN_USE}.$pid";
	my $limit = time + $REST_LIMIT_S;
	unlink $file;
	kill USR2 => $pid;
	while (time < $limit) {
		my $handle;
		return $1 if open $handle, '<', $file and (<$handle> // '') =~ /^(\d+)\n/;
		sleep 0.05;
	}
	die "process $pid does not say what is in use\n";
}

# ---- connections

sub open_connection {
	my ($connection) = @_;
	$connection->{socket} = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) // die "cannot connect: $!\n";
	$connection->{buffer} = '';
	$select->add($connection->{socket});
}

sub close_connection {
	my ($connection) = @_;
	$select->remove($connection->{socket});
	close $connection->{socket};
}

sub send_text {
	my ($connection, $text) = @_;
	my $offset = 0;
	while ($offset < length $text) {
		my $size = syswrite $connection->{socket}, $text, length($text) - $offset, $offset;
		# It has been closed: who reads will see that.
		return unless $size;
		$offset += $size;
	}
}

sub send_requests {
	my ($connection, $count) = @_;
	my @requests = map { mix_next() } 1 .. $count;
	$sent += $count;
	$connection->{asked} = \@requests;
	$connection->{since} = time;
	send_text($connection, join '', map { $_->{text} } @requests);
	cut_off($connection) if rand($CUT_EVERY) < 1;
}

# Nobody waits for these answers.
sub cut_off {
	my ($connection) = @_;
	my $count = $connection->{asked}->@*;
	$cut += $count;
	$done += $count;
	$connection->{asked} = [];
	close_connection($connection);
	open_connection($connection);
}

# What the server has not read, it has not answered either: it is asked again.
sub reconnect {
	my ($connection) = @_;
	close_connection($connection);
	open_connection($connection);
	send_text($connection, join '', map { $_->{text} } $connection->{asked}->@*);
}

# ---- answers

sub judge {
	my ($request, $status, $body) = @_;
	$done++;
	$statuses{$status}++;
	if ($status eq $request->{expected}) {
		$request->{note}->($body) if $request->{note};
		return;
	}
	return if $wrong++ >= $WRONG_SHOWN;
	my ($line) = $request->{text} =~ /^([^\r]*) HTTP/;
	my ($sent_body) = $request->{text} =~ /\r\n\r\n(.*)/s;
	my $shown = substr "$line $sent_body", 0, 200;
	$shown =~ s/([^ -~])/sprintf '\\x%02X', ord $1/ge;
	print "wrong\t$shown\t$status\t$request->{expected}\n";
}

# Takes an answer from the buffer. Returns whether there was one, and whether the server will close the connection.
sub take_answer {
	my ($connection) = @_;
	my $end = index $connection->{buffer}, "\r\n\r\n";
	return (0, 0) if $end < 0;
	my $head = substr $connection->{buffer}, 0, $end;
	my ($status) = $head =~ m{^HTTP/1.1 (\d+)} or die "no answer: $head\n";
	my ($size) = $head =~ /^Content-Length: (\d+)/mi;
	my $request = $connection->{asked}[0] // die "an answer that nobody asked for: $head\n";
	$size = 0 if $request->{is_head} or !defined $size;
	return (0, 0) if length($connection->{buffer}) < $end + 4 + $size;
	my $body = substr $connection->{buffer}, $end + 4, $size;
	substr $connection->{buffer}, 0, $end + 4 + $size, '';
	shift $connection->{asked}->@*;
	judge($request, $status, $body);
	return (1, $head =~ /^Connection: close/mi);
}

sub lose {
	my ($connection) = @_;
	my $request = shift $connection->{asked}->@*;
	judge($request, '000', '') if $request;
	reconnect($connection);
}

sub receive {
	my ($connection) = @_;
	my $size = sysread $connection->{socket}, $connection->{buffer}, 1 << 18, length $connection->{buffer};
	return lose($connection) unless $size;
	while ($connection->{asked}->@*) {
		my ($is_there, $is_last) = take_answer($connection);
		return reconnect($connection) if $is_last;
		last unless $is_there;
	}
}

# ---- all of it

my @connections = map { { asked => [] } } 1 .. $CONNECTIONS;
my $next_sample = time + $SAMPLE_S;

sub sample_in_time {
	return if time < $next_sample;
	sample('load');
	$next_sample = time + $SAMPLE_S;
	for my $connection (@connections) {
		lose($connection) if $connection->{asked}->@* and time - $connection->{since} > $ANSWER_LIMIT_S;
	}
}

# Until so many are sent and answered.
sub run_to {
	my ($mark) = @_;
	while ($done < $mark) {
		for my $connection (grep { !$_->{asked}->@* } @connections) {
			my $count = $mark - $sent < $DEPTH ? $mark - $sent : $DEPTH;
			send_requests($connection, $count) if $count > 0;
		}
		my %connection_of = map { fileno $_->{socket} => $_ } @connections;
		receive($connection_of{fileno $_}) for $select->can_read(1);
		sample_in_time();
	}
}

# Other processes of nginx take over, and those that were there end with their connections. The last visits are
# written within a second.
sub rest {
	close_connection($_) for @connections;
	kill HUP => $nginx or die "nginx has ended\n";
	my $limit = time + $REST_LIMIT_S;
	for (@pids) {
		my ($name, $pid) = @$_;
		sleep 0.1 while count_descriptors($pid) > $descriptors{$pid} and time < $limit;
	}
	sleep 1.5;
}

binmode STDOUT;
$| = 1;
mix_begin($key);
%descriptors = map { $_->[1] => count_descriptors($_->[1]) } @pids;
for my $percent (5, 25, 50, 75, 100) {
	open_connection($_) for @connections;
	run_to(int($wanted * $percent / 100));
	rest();
	sample($percent);
}
print "status\t$_\t$statuses{$_}\n" for sort keys %statuses;
printf "end\t%d\t%.1f\t%d\t%d\n", $done, time - $began, $wrong, $cut;
