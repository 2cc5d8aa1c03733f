# Load with a ledger, and the comparison of ledgers with the table of links.
#
# Usage: perl ledger.pl load PORT [NAME=VALUE]... >LEDGER
#
# Sends POST /shorten, each with a URL of its own, and GET /ID of known ids to a web server on 127.0.0.1
# over kept connections, and writes a line for each request, with a tab between its fields:
#   when (seconds, begin of the request), GET or POST, the id or URL asked for, status, id, milliseconds, fault
# Status 000: no answer, or the connection was cut. Fault: what is wrong with the answer, or "none".
#   connections=20   how many requests are under way at once
#   rate=1000        how many requests a second, at most
#   requests=N       ends after so many,
#   seconds=30       after this time,
#   until=FILE       or when this file appears; requests under way are waited for
#   gets=0           so many of a hundred are GET, of an id that was given before
#   known=LEDGER     the first ids for GET: those that this ledger says were given
#   name=load        makes the URLs different from those of other loads
#   forbidden=0      every so-manieth URL contains the word "forbidden"
#
# Usage: perl ledger.pl follow PORT LEDGER... >LEDGER
#
# Asks for every id that the ledgers say was given, and writes lines as above.
#
# Usage: perl ledger.pl check [may-miss[=FROM,UNTIL]]... LEDGER... <ROWS
#
# ROWS are all rows of the table: id|srcurl|visits. Prints a line for each thing that is not as it must be. It
# begins with "lost" where an id was given, but has not its row with its URL, or is not found when it is asked
# for. All else is "wrong": an answer with a fault, an id that was given twice, a row that nobody asked for,
# except for requests that had no answer or 503, and visits that are not as many as redirects. With may-miss,
# visits may be missing; with times (in seconds), as many as there were redirects between them. Prints nothing
# when all is well.
#
# Usage: perl ledger.pl times LEDGER
#
# Prints, with a tab between them: requests, links given, and the longest time in milliseconds without a new link
# and without a redirect, between the first request and the last one.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time);

my $ANSWER_LIMIT_S = 20;
my $FAILED = '{"errMsg":"Failed to shorten"}';

# ---- load

my %option = (
	connections => 20, rate => 1000, requests => 0, seconds => 30, until => '', gets => 0, known => '',
	name => 'load', forbidden => 0,
);
my ($port, $select, @idle, %busy, @known, @followed);
my $sent = 0;
my $parent = getppid;

sub read_known {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	while (<$file>) {
		my (undef, $method, $url, $status, $id) = split /\t/;
		push @known, { id => $id, url => $url } if $method eq 'POST' and $status eq '200';
	}
}

sub get_request {
	my ($link) = @_;
	return { method => 'GET', asked => $link->{id}, url => $link->{url}, text => "GET /$link->{id} HTTP/1.1\r\nHost: a\r\n\r\n" };
}

sub next_request {
	return get_request(shift @followed) if @followed;
	return get_request($known[rand @known]) if @known and rand(100) < $option{gets};
	my $word = $option{forbidden} && $sent % $option{forbidden} == 0 ? 'forbidden' : 'a';
	my $url = "https://ledger.example/$option{name}/$word/$sent";
	my $body = qq({"srcUrl":"$url"});
	my $text = "POST /shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " . length($body);
	return { method => 'POST', asked => $url, url => $url, text => "$text\r\n\r\n$body" };
}

# A web server may close a kept connection while nothing is asked on it; then a new one is needed.
sub is_usable {
	my ($socket) = @_;
	return $socket && !IO::Select->new($socket)->can_read(0);
}

sub start {
	my ($connection) = @_;
	$connection->{request} = next_request();
	$connection->{began} = time;
	$connection->{buffer} = '';
	$sent++;
	$connection->{socket} = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port)
		unless is_usable($connection->{socket});
	my $socket = $connection->{socket};
	my $text = $connection->{request}{text};
	if (!$socket or (syswrite($socket, $text) // 0) != length $text) {
		note($connection, '000', '', '');
		return;
	}
	$busy{fileno $socket} = $connection;
	$select->add($socket);
}

sub fault {
	my ($request, $status, $head, $body) = @_;
	my ($location) = $head =~ /^Location: ([^\r\n]*)/mi;
	my $is_post = $request->{method} eq 'POST';
	return 'wrong-location' if $status eq '302' and ($location // '') ne $request->{url};
	return 'wrong-body' if $status eq '200' and $body !~ /^\{"srcUrl":"\Q$request->{url}\E","shortenedUrl":"[^"]+"\}\z/;
	return 'no-retry-after' if $status eq '503' and $head !~ /^Retry-After: *[1-9]/mi;
	return 'wrong-error' if $is_post and $status =~ /^5/ and $body ne $FAILED;
	return 'none';
}

# Writes the line and puts the connection back; it is closed when it is of no more use.
sub note {
	my ($connection, $status, $head, $body) = @_;
	my $request = $connection->{request};
	my ($id) = $status eq '200' ? $body =~ m{/([^/"]*)"\}\z} : ();
	my $ms = (time - $connection->{began}) * 1000;
	printf "%.3f\t%s\t%s\t%s\t%s\t%d\t%s\n", $connection->{began}, $request->{method}, $request->{asked}, $status,
		$id // '-', $ms, fault($request, $status, $head, $body);
	push @known, { id => $id, url => $request->{url} } if defined $id;
	if ($connection->{socket}) {
		delete $busy{fileno $connection->{socket}};
		$select->remove($connection->{socket});
		delete $connection->{socket} if $status eq '000' or $head =~ /^Connection: *close/mi;
	}
	push @idle, $connection;
}

sub receive {
	my ($connection) = @_;
	my $size = sysread $connection->{socket}, $connection->{buffer}, 65536, length $connection->{buffer};
	my ($head, $body) = split /\r\n\r\n/, $connection->{buffer}, 2;
	if (defined $body and $head =~ /^Content-Length: *(\d+)/mi and length $body >= $1) {
		my ($status) = $head =~ m{^HTTP/\S+ (\d+)};
		note($connection, $status, $head, $body);
	} elsif (!$size) {
		note($connection, '000', '', '');
	}
}

sub give_up_late {
	for my $connection (values %busy) {
		note($connection, '000', '', '') if time - $connection->{began} > $ANSWER_LIMIT_S;
	}
}

# The test that started this may have been killed.
sub is_over {
	my ($began) = @_;
	return 1 if $option{requests} and $sent >= $option{requests};
	return 1 if $option{until} ne '' and -e $option{until};
	return time - $began > $option{seconds} || getppid != $parent;
}

sub load {
	$port = shift;
	for (@_) {
		my ($name, $value) = split /=/, $_, 2;
		exists $option{$name} or die "$name is not an option\n";
		$option{$name} = $value;
	}
	read_known($option{known}) if $option{known} ne '';
	run();
}

sub run {
	$select = IO::Select->new;
	@idle = map { {} } 1 .. $option{connections};
	my $began = time;
	my $is_over;
	until (($is_over ||= is_over($began)) and !%busy) {
		start(shift @idle) while @idle and !$is_over and $sent < $option{rate} * (time - $began) and !($is_over = is_over($began));
		receive($busy{fileno $_}) for $select->can_read(0.005);
		select undef, undef, undef, 0.005 unless %busy;
		give_up_late();
	}
}

# ---- follow

sub follow {
	$port = shift;
	read_known($_) for @_;
	@followed = @known;
	%option = (%option, connections => 4, rate => 1e6, requests => scalar @followed, seconds => 600);
	run() if @followed;
}

# ---- times

sub times_of {
	my (%last, %longest);
	my ($requests, $given, $from, $until) = (0, 0);
	my @answers;
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	while (<$file>) {
		my ($began, $method, undef, $status, undef, $ms) = split /\t/;
		$requests++;
		$from = $began if !defined $from or $began < $from;
		$until = $began if !defined $until or $began > $until;
		next unless $status eq ($method eq 'POST' ? '200' : '302');
		$given++ if $method eq 'POST';
		push @answers, [ $began + $ms / 1000, $method ];
	}
	for ((sort { $a->[0] <=> $b->[0] } @answers), [ $until // 0, 'POST' ], [ $until // 0, 'GET' ]) {
		my ($at, $method) = @$_;
		my $silence = $at - ($last{$method} // $from // 0);
		$longest{$method} = $silence if $silence > ($longest{$method} // 0);
		$last{$method} = $at;
	}
	printf "%d\t%d\t%.0f\t%.0f\n", $requests, $given, map { 1000 * ($longest{$_} // 0) } 'POST', 'GET';
}

# ---- check

my (%row, %given, %excused, %asked, %redirects, %unanswered);
my ($may_miss_all, $may_miss, @may_miss_times) = (0, 0);

sub read_rows {
	while (<STDIN>) {
		chomp;
		my ($id, $url, $visits) = split /\|/;
		$row{$id} = { url => $url, visits => $visits };
	}
}

sub note_redirect {
	my ($id, $at) = @_;
	$redirects{$id}++;
	$may_miss++ if grep { $at >= $_->[0] && $at <= $_->[1] } @may_miss_times;
}

sub read_ledger {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	while (<$file>) {
		chomp;
		my ($began, $method, $asked, $status, $id, $ms, $fault) = split /\t/;
		print "wrong: $method $asked: $status with $fault\n" if $fault ne 'none';
		if ($method eq 'GET') {
			note_redirect($asked, $began + $ms / 1000) if $status eq '302';
			$unanswered{$asked}++ if $status eq '000';
			print "lost: the link $asked is answered with $status\n" if $status =~ /^4/;
			next;
		}
		print "wrong: the URL $asked was asked for twice, by the test\n" if $asked{$asked}++;
		$excused{$asked} = 1 if $status eq '000' or $status eq '503';
		next if $status ne '200';
		print "wrong: the id $id was given twice\n" if exists $given{$id};
		$given{$id} = $asked;
	}
}

sub check_given {
	for my $id (sort keys %given) {
		my $stored = $row{$id};
		print "lost: the link $id to $given{$id} was given, but is not stored\n" unless $stored;
		print "lost: the link $id was given for $given{$id}, but leads to $stored->{url}\n"
			if $stored and $stored->{url} ne $given{$id};
	}
}

sub check_rows {
	my %rows_of;
	for my $id (sort keys %row) {
		my $url = $row{$id}{url};
		print "wrong: nobody asked for the row $id with $url\n" unless exists $given{$id} or $excused{$url};
		print "wrong: $url is stored twice\n" if $rows_of{$url}++;
	}
}

sub check_visits {
	my $missing = 0;
	for my $id (sort keys %row) {
		my $least = $redirects{$id} // 0;
		my $most = $least + ($unanswered{$id} // 0);
		my $visits = $row{$id}{visits};
		my $may_be_less = $may_miss_all || @may_miss_times;
		print "wrong: the link $id redirected $least times, but has $visits visits\n"
			if $visits > $most or ($visits < $least and !$may_be_less);
		$missing += $least - $visits if $visits < $least;
	}
	print "wrong: $missing visits are missing, of $may_miss that may be\n" if @may_miss_times and $missing > $may_miss;
}

sub check {
	while (@_ and $_[0] =~ /^may-miss(?:=([0-9.]+),([0-9.]+))?$/) {
		if (defined $1) { push @may_miss_times, [ $1, $2 ] } else { $may_miss_all = 1 }
		shift;
	}
	read_rows();
	read_ledger($_) for @_;
	check_given();
	check_rows();
	check_visits();
}

my %actions = (load => \&load, follow => \&follow, check => \&check, times => \&times_of);

$| = 1;
$SIG{PIPE} = 'IGNORE';
my $action = $actions{shift // ''};
die "Usage: ledger.pl load PORT [NAME=VALUE]... | follow PORT LEDGER... | check [may-miss[=FROM,UNTIL]]... LEDGER... | times LEDGER\n"
	unless $action and @ARGV;
$action->(@ARGV);
