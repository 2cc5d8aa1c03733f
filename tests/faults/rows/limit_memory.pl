# Requests that want much memory, over and over.
#
# Usage: perl limit_memory.pl PORT KEY NAME LINKS FILE LEDGER
#
# Four at a time each of these kinds, until FILE exists:
#   bulk    an array of LINKS links, 900 bytes each
#   single  a link with hundreds of escapes, so that a parser puts its URL together of as many parts
#   patch   the same, as the new URL of one of the links hungry1 and so on, each of which is changed by one client
#   list    a page of 500 links
#   nested  a body of the same size that no JSON is
# NAME is a digit; it makes the URLs, and the links of patch, different from those of other runs.
# Prints a line for each answer, with a tab between its fields: its kind, its status, and what is wrong with it, or
# "none". LEDGER gets a line for each link, as ledger.pl writes them. Of the changes of a link it has the last one that
# was acknowledged, and those that were not: with one of these behind it, it counts as not acknowledged either.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time);

die "Usage: limit_memory.pl PORT KEY NAME LINKS FILE LEDGER\n" unless @ARGV == 6;
my ($port, $key, $name, $array_count, $file, $ledger_file) = @ARGV;
my $CLIENTS = 4;
# What stands in a body, and what it means.
my $ESCAPES = '\/\u0041\u00e9\ud83d\ude00';
my $MEANT = "/A\xc3\xa9\xf0\x9f\x98\x80";
my ($client, $ledger);
my $links_count = 0;
# The fields of the last change that was acknowledged, and whether none without an acknowledgement followed.
my ($change, $is_last);
$| = 1;
$SIG{PIPE} = 'IGNORE';

# ---- requests

# A link of its own, and its URL as it stands in a body. No two have the same URL.
sub new_link {
	my ($kind, $escapes_count, $tail) = @_;
	my $path = "$kind-$name-$client-" . $links_count++;
	return {
		url => "https://hungry.example/$path" . $MEANT x $escapes_count . $tail,
		text => "https:\\/\\/hungry.example\\/$path" . $ESCAPES x $escapes_count . $tail,
	};
}

sub request {
	my ($target, $body, @links) = @_;
	my $head = "$target HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer $key\r\n";
	$head .= "Content-Type: application/json\r\nContent-Length: " . length($body) . "\r\n" if defined $body;
	return { text => "$head\r\n" . ($body // ''), links => \@links };
}

sub bulk {
	my @links = map { new_link('bulk', 2, 'x' x 780) } 1 .. $array_count;
	return request('POST /shorten', '[' . join(',', map { qq({"srcUrl":"$_->{text}"}) } @links) . ']', @links);
}

sub single {
	my $link = new_link('single', 1 + int rand 120, 'x' x rand 200);
	return request('POST /shorten', qq({"srcUrl":"$link->{text}"}), $link);
}

sub patch {
	my $link = new_link('patch', 1 + int rand 120, 'x' x rand 200);
	return request("PATCH /api/links/hungry$name$client", qq({"srcUrl":"$link->{text}"}), $link);
}

sub list {
	return request('GET /api/links?limit=500');
}

sub nested {
	return request('POST /shorten', '[{"srcUrl":"' . 'y' x (900 * $array_count));
}

# ---- answers

# What is cut off has not its end. Each element of an array is settled for itself.
my %kinds = (
	bulk => {
		request => \&bulk, status => 200, count => $array_count, each => qr/\{"status":(?:200|503),/, whole => qr/\A\[\{.*\}\]\z/s,
		note => \&note,
	},
	single => {
		request => \&single, status => 200, count => 1, each => qr/"shortenedUrl":/, whole => qr/\A\{.*\}\z/s,
		note => \&note,
	},
	patch => {
		request => \&patch, status => 200, count => 1, each => qr/"shortenedUrl"/, whole => qr/\A\{.*\}\z/s,
		note => \&note_change, end => \&note_last_change,
	},
	list => {
		request => \&list, status => 200, count => 500, each => qr/\{"id":/,
		whole => qr/\A\{"links":\[.*\],"next":(?:null|"[^"]*")\}\z/s,
	},
	nested => { request => \&nested, status => 400, count => 1, each => qr/errMsg/, whole => qr/\A\{.*\}\z/s },
);

sub problem {
	my ($kind, $status, $head, $body) = @_;
	if ($status eq $kind->{status}) {
		return 'cut off' unless $body =~ $kind->{whole};
		my $count = () = $body =~ /$kind->{each}/g;
		return $count == $kind->{count} ? 'none' : "$count instead of $kind->{count}";
	}
	return "status $status" unless $status eq '503';
	return 'no errMsg' unless $body =~ /\A\{"errMsg":"[^"]+"\}\z/;
	return $head =~ /^Retry-After: *[1-9]/mi ? 'none' : 'no Retry-After';
}

# The parts of an answer that are about one link each, in order.
sub parts_of {
	my ($body) = @_;
	return $body unless $body =~ /\A\[/;
	return split /(?<=\}),(?=\{)/, substr $body, 1, -1;
}

# The status of a link, its id, and whether its URL is the one that was asked for.
sub outcome {
	my ($link, $status, $part) = @_;
	$status = $1 if $part =~ /\A\{"status":(\d+),/;
	return ($status, '-', 'none') unless $status eq '200';
	my ($id) = $part =~ m{"shortenedUrl" ?: ?"[^"]*/([^"/]+)"};
	my ($url) = $part =~ /"srcUrl" ?: ?"([^"]*)"/;
	return ($status, $id // '-', defined $id && defined $url && $url eq $link->{url} ? 'none' : 'wrong-body');
}

# ---- all of it

# At once, for others write into it too.
sub write_ledger {
	my $text = join '', @_;
	(syswrite($ledger, $text) // 0) == length $text or die "$ledger_file: $!\n";
}

sub ledger_line {
	my ($link, $began, $status, $id, $fault) = @_;
	return sprintf "%.3f\tPOST\t%s\t%s\t%s\t%d\t%s\n", $began, $link->{url}, $status, $id, (time - $began) * 1000, $fault;
}

sub note {
	my ($request, $began, $status, $body) = @_;
	my @parts = $status eq '200' ? parts_of($body) : ();
	write_ledger(map { ledger_line($_, $began, outcome($_, $status, shift @parts // '')) } $request->{links}->@*);
}

sub note_change {
	my ($request, $began, $status, $body) = @_;
	my ($link) = $request->{links}->@*;
	my @fields = ($link, $began, outcome($link, $status, $body));
	$is_last = $fields[2] eq '200';
	if ($is_last and $fields[4] eq 'none') {
		$change = \@fields;
	} else {
		write_ledger(ledger_line(@fields));
	}
}

sub note_last_change {
	return unless $change;
	$change->[2] = '503' unless $is_last;
	write_ledger(ledger_line(@$change));
}

sub is_whole {
	my ($head, $body) = split /\r\n\r\n/, $_[0], 2;
	return defined $body && $head =~ /^Content-Length: *(\d+)/mi && length $body >= $1;
}

# The status, head and body of the answer; status 000, and why, where there is none.
sub answer_to {
	my ($text) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 5)
		or return ('000', 'no connection', '');
	print $socket $text;
	$socket->flush;
	my $answer = '';
	until (is_whole($answer) or !IO::Select->new($socket)->can_read(20)) {
		last unless sysread $socket, $answer, 1 << 20, length $answer;
	}
	return ('000', 'no answer', '') unless is_whole($answer);
	my ($head, $body) = split /\r\n\r\n/, $answer, 2;
	my ($status) = $head =~ m{^HTTP/\S+ (\d+)};
	return ($status, $head, $body);
}

sub ask {
	my ($kind) = @_;
	my $request = $kinds{$kind}{request}->();
	my $began = time;
	my ($status, $head, $body) = answer_to($request->{text});
	$kinds{$kind}{note}->($request, $began, $status, $body) if $kinds{$kind}{note};
	my $problem = $status eq '000' ? $head : problem($kinds{$kind}, $status, $head, $body);
	print "$kind\t$status\t$problem\n";
}

my @children;
for my $kind (sort keys %kinds) {
	for my $number (1 .. $CLIENTS) {
		my $child = fork // die "fork: $!\n";
		push @children, $child;
		next if $child;
		$client = $number;
		open $ledger, '>>', $ledger_file or die "$ledger_file: $!\n";
		ask($kind) until -e $file or getppid == 1;
		$kinds{$kind}{end}->() if $kinds{$kind}{end};
		exit;
	}
}
my $failed = 0;
waitpid($_, 0) && ($failed ||= $?) for @children;
exit($failed ? 1 : 0);
