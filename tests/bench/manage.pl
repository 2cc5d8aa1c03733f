# The client of tests/bench/manage: asks for what the management calls give, over one kept connection to a web server
# on 127.0.0.1, and looks at each answer.
#
# Usage: perl manage.pl calls PORT FOLDER COUNT
#     COUNT calls of each kind, one after another, or fewer where they take more than 10 s. Prints a line for each
#     kind, with tabs between: GROUP CALL CALLS FAILED LINKS PROCESSOR MEDIAN P95 P99 MAX. LINKS is the median of links
#     in an answer, PROCESSOR what a call takes of PostgreSQL's processor time on average, the others are the time from
#     the first byte sent to the last one received, all in milliseconds. In the end a line
#     "walked", with a tab and the number of links that all pages together have shown, for each order.
#
# Usage: perl manage.pl lists PORT FOLDER [PER_SECOND]
#     Lists of all kinds, one after another without pause, or so many in each second, until SIGTERM. Prints "ready"
#     after the first one, and in the end: COUNT FAILED SECONDS MEDIAN.
#
# FOLDER has what the database holds, a value in each line: key, ids, visited (ids), and what can be looked for,
# rare, words, topics, sections, rare_tags, tags and frequent_tags; and backends, the processes of PostgreSQL that work
# for the service.
use strict;
use warnings;
use Errno;
use IO::Select;
use IO::Socket::INET;
use POSIX qw(strftime);
use Time::HiRes qw(sleep time);

my $LIMIT_S = 10;
my $CALLS_MIN = 3;
my $PAGES = 50;
my ($port, $folder, $socket, $key);
my (%values, %cursors);

sub read_values {
	my ($name) = @_;
	open my $file, '<', "$folder/$name" or die "$folder/$name: $!\n";
	chomp(my @lines = <$file>);
	die "$folder/$name is empty\n" unless @lines;
	return \@lines;
}

sub any { my ($name) = @_; return $values{$name}[rand @{ $values{$name} }] }
sub one_of { return $_[rand @_] }

# Each value once.
sub take { my ($name) = @_; return shift @{ $values{$name} } // die "no $name are left\n" }

# ---- HTTP

sub read_more {
	my ($buffer) = @_;
	my $select = IO::Select->new($socket);
	# SIGTERM ends the waiting, but not the call.
	until ($select->can_read($LIMIT_S * 2)) {
		return 0 unless $!{EINTR};
		$! = 0;
	}
	return sysread $socket, $$buffer, 1 << 20, length $$buffer;
}

# Status and body; status 0 when there is no answer. Sets $took_s.
my $took_s;

sub call {
	my ($method, $target, $body) = @_;
	my $text = "$method $target HTTP/1.1\r\nHost: test.short\r\nAuthorization: Bearer $key\r\n";
	$text .= "Content-Type: application/json\r\nContent-Length: " . length($body) . "\r\n" if defined $body;
	$text .= "\r\n" . ($body // '');
	$socket //= IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) // die "cannot connect: $!\n";
	my $start = time;
	my ($status, $answer) = exchange($text);
	$took_s = time - $start;
	return ($status, $answer);
}

sub exchange {
	my ($text) = @_;
	my $buffer = '';
	syswrite $socket, $text;
	while (index($buffer, "\r\n\r\n") < 0) {
		read_more(\$buffer) or return lost();
	}
	my ($head, $body) = split /\r\n\r\n/, $buffer, 2;
	my ($status) = $head =~ m{^HTTP/1.1 (\d+)};
	my ($size) = $head =~ /^Content-Length: (\d+)/mi;
	while (length $body < ($size // 0)) {
		read_more(\$body) or return lost();
	}
	undef $socket if $head =~ /^Connection: close/mi;
	return ($status, $body);
}

sub lost {
	undef $socket;
	return (0, '');
}

# ---- what is measured

my @rows;

# The value in the middle of sorted ones, or that which so many of a hundred do not exceed.
sub percentile {
	my ($percent, @sorted) = @_;
	my $rank = int(@sorted * $percent / 100 + 0.999999) - 1;
	return $sorted[$rank < 0 ? 0 : $rank];
}

sub print_row {
	my ($group, $name, $failed, $links, $processor_s, $times) = @_;
	my @sorted = sort { $a <=> $b } @$times;
	my @links = sort { $a <=> $b } @$links;
	my @shown = map { sprintf '%.2f', 1000 * percentile($_, @sorted) } 50, 95, 99, 100;
	print join("\t", $group, $name, scalar @sorted, $failed, @links ? percentile(50, @links) : '-',
		sprintf('%.2f', 1000 * $processor_s / @sorted), @shown), "\n";
}

# Unlike the time of a call, it hardly depends on what else the machine does.
sub processor_s {
	my $sum = 0;
	for my $pid (@{ $values{backends} }) {
		open my $file, '<', "/proc/$pid/schedstat" or die "process $pid of PostgreSQL is gone\n";
		$sum += (split ' ', <$file>)[0];
	}
	return $sum / 1e9;
}

# measure(GROUP, NAME, COUNT, STATUS, REQUEST, SEEN): REQUEST gives method, target and body of the next call, SEEN is
# given each answer's body, and returns the number of links in it where that is of interest.
sub measure {
	my ($group, $name, $count, $expected, $request, $seen) = @_;
	my (@times, @links);
	my $failed = 0;
	my $processor_before = processor_s();
	my $end = time + $LIMIT_S;
	while (@times < $count and (@times < $CALLS_MIN or time < $end)) {
		my ($status, $body) = call($request->());
		push @times, $took_s;
		if ($status != $expected) {
			$failed++;
			warn "$group, $name: status $status instead of $expected: ", substr($body, 0, 200), "\n" if $failed == 1;
		}
		my $found = $seen ? $seen->($status == $expected ? $body : '') : undef;
		push @links, $found if defined $found and $status == $expected;
	}
	print_row($group, $name, $failed, \@links, processor_s() - $processor_before, \@times);
}

# ---- one link

my $made = 0;

sub new_url {
	return sprintf 'https://www.%s.example/%s/%s-%s-%d', any('words'), any('sections'), any('words'), any('words'),
		200000000 + ++$made;
}

sub plain { return sprintf '{"srcUrl":"%s"}', new_url() }

sub with_options {
	return sprintf '{"srcUrl":"%s","slug":"own-%s-%d","title":"%s %s","tags":["%s","%s"],"validFrom":"%s","expires":"%s",' .
		'"maxVisits":%d,"redirectStatus":307,"forwardQuery":true}', new_url(), any('words'), $made, ucfirst any('words'),
		any('words'), any('tags'), any('frequent_tags'), '2020-01-01T00:00:00+01:00', '2099-12-31T23:59:59+01:00',
		1000 + int rand 1e6;
}

sub array_of { my ($make) = @_; return '[' . join(',', map { $make->() } 1 .. 100) . ']' }

# Statistics of so many days up to today.
sub visits {
	my ($days) = @_;
	return sprintf '/api/links/%s/visits?from=%s&to=%s&by=day', any('visited'),
		map { strftime '%Y-%m-%d', gmtime time - 86400 * $_ } $days - 1, 0;
}

# All 100 must be made.
sub all_made {
	my ($body) = @_;
	my $count = () = $body =~ /\{"status":20[01],/g;
	die "only $count of 100 links were made: ", substr($body, 0, 300), "\n" if $count != 100;
	return undef;
}

sub measure_links {
	my ($count) = @_;
	my @again = map { sprintf '{"srcUrl":"%s","reuse":true}', new_url() } 1 .. $count;
	my ($used, $reused) = (0, 0);
	my $post = sub { my ($make) = @_; return sub { return ('POST', '/api/links', $make->()) } };
	my $edit = sub { my ($make) = @_; return sub { return ('PATCH', '/api/links/' . any('ids'), $make->()) } };
	my @kinds = (
		['POST /api/links, srcUrl only', 201, $post->(\&plain)],
		['POST /api/links, all options', 201, $post->(\&with_options)],
		['POST /api/links, reuse, a new one', 201, $post->(sub { return $again[$used++] })],
		['POST /api/links, reuse, one that is there', 200, $post->(sub { return $again[$reused++ % $used] })],
		['POST /api/links, array of 100, srcUrl only', 200, $post->(sub { return array_of(\&plain) }), \&all_made],
		['POST /api/links, array of 100, all options', 200, $post->(sub { return array_of(\&with_options) }), \&all_made],
		['GET /api/links/ID', 200, sub { return ('GET', '/api/links/' . any('ids')) }],
		['GET /api/links/ID/visits, 30 days', 200, sub { return ('GET', visits(30)) }],
		['GET /api/links/ID/visits, 3,660 days', 200, sub { return ('GET', visits(3660)) }],
		['PATCH /api/links/ID, title and tags', 200,
			$edit->(sub { return sprintf '{"title":"%s %s","tags":["%s"]}', any('words'), any('words'), any('tags') })],
		['PATCH /api/links/ID, srcUrl', 200, $edit->(\&plain)],
		['PATCH /api/links/ID, with nothing', 200, $edit->(sub { return '{}' })],
		['DELETE /api/links/ID', 204, sub { return ('DELETE', '/api/links/' . take('ids')) }],
		['GET /api/openapi.json', 200, sub { return ('GET', '/api/openapi.json') }],
	);
	measure('links', $_->[0], $count, @$_[1 .. $#$_]) for @kinds;
}

# ---- lists

my @SORTS = qw(created visits lastAccessed);

# What a search finds does not depend on the words alone: a pattern of two letters has no trigram, and one whose parts
# are in all links is found in all of them by the index, but stands in none.
sub parts_of_all { return one_of(qw(example.https example/example www.https https/example)) }

sub tag { my ($name) = @_; (my $tag = any($name)) =~ s/ /%20/g; return "tag=$tag" }

my @FILTERS = (
	['none', sub { return '' }],
	['search: one link', sub { return 'search=' . any('rare') }],
	['search: 0.7 %', sub { return 'search=' . any('words') }],
	['search: 1 %', sub { return 'search=' . any('topics') }],
	['search: a tenth', sub { return 'search=' . any('sections') }],
	['search: nearly all', sub { return 'search=' . one_of(qw(https https:// .example example example/)) }],
	['search: no such word', sub { return 'search=' . any('words') . any('topics') }],
	['search: none, but their parts', sub { return 'search=' . parts_of_all() }],
	['search: a host', sub { return 'search=https://' . one_of(qw(www shop news blog)) . '.' . any('words') }],
	['search: a folder', sub { return 'search=' . any('words') . one_of(qw(bank net)) . '.example/' . any('sections') . '/' }],
	['search: two letters of a word', sub { return 'search=' . substr any('words'), 0, 2 }],
	['search: any two letters', sub { return 'search=' . one_of('a' .. 'z') . one_of('a' .. 'z') }],
	['tag: 0.02 %', sub { return tag('rare_tags') }],
	['tag: 0.1 %', sub { return tag('tags') }],
	['tag: 1 to 3 %', sub { return tag('frequent_tags') }],
	['tag 1 to 3 %, search a tenth', sub { return tag('frequent_tags') . '&search=' . any('sections') }],
	['tag 0.1 %, search 1 %', sub { return tag('tags') . '&search=' . any('topics') }],
);

sub next_of { my ($body) = @_; return $body =~ /"next":"([^"]+)"\}$/ ? $1 : undef }

sub count_links { my ($body) = @_; my $count = () = $body =~ /"shortenedUrl":/g; return $count }

# Places in the whole list: the cursors of all its pages of 500.
sub walk {
	my ($sort) = @_;
	my ($next, $count) = (undef, 0);
	do {
		my ($status, $body) = call('GET', "/api/links?sort=$sort&limit=500" . (defined $next ? "&after=$next" : ''));
		die "a page of the list by $sort has status $status\n" if $status != 200;
		$count += count_links($body);
		$next = next_of($body);
		push @{ $cursors{$sort} }, $next if defined $next;
	} while (defined $next);
	die "the list by $sort has less than two pages\n" unless $cursors{$sort};
	return $count;
}

# Where a chain of pages begins: at the first page, anywhere, or near the end.
sub start {
	my ($sort, $place) = @_;
	my $pages = $cursors{$sort};
	return undef if $place eq 'first';
	return $place eq 'further' ? $pages->[rand @$pages] : $pages->[-1 - int rand(@$pages < 3 ? @$pages : 3)];
}

# Two functions: the next request, and what looks at its answer. Further pages are followed 50 times, or to the end.
sub pages_of {
	my ($sort, $filter, $limit, $place) = @_;
	my ($query, $next, $left) = ('', undef, 0);
	my $request = sub {
		if ($left == 0 or !defined $next) {
			($query, $next) = ($filter->(), start($sort, $place));
			$left = $place eq 'first' ? 1 : $PAGES;
		}
		$left--;
		return ('GET', "/api/links?sort=$sort&limit=$limit" . ($query ne '' ? "&$query" : '') .
			(defined $next ? "&after=$next" : ''));
	};
	return ($request, sub { my ($body) = @_; $next = next_of($body); return count_links($body) });
}

sub measure_lists {
	my ($count) = @_;
	for my $sort (@SORTS) {
		for my $filter (@FILTERS) {
			for my $kind ([50, 'first'], [50, 'further'], [50, 'last'], [500, 'first'], [500, 'further']) {
				my ($limit, $place) = @$kind;
				measure("lists by $sort", "$filter->[0]\t$limit\t$place", $count, 200,
					pages_of($sort, $filter->[1], $limit, $place));
			}
		}
	}
}

sub calls {
	my ($count) = @_;
	measure_links($count);
	my @walked = map { walk($_) } @SORTS;
	measure_lists($count);
	print join("\t", 'walked', @walked), "\n";
}

# ---- load

sub lists {
	my ($per_second) = @_;
	my $is_over = 0;
	local $SIG{TERM} = sub { $is_over = 1 };
	my ($failed, @times) = 0;
	my ($start, $due) = (time) x 2;
	until ($is_over) {
		my $sort = one_of(@SORTS);
		my $filter = one_of(@FILTERS)->[1];
		my ($status) = call((pages_of($sort, $filter, one_of(50, 500), 'first'))[0]->());
		push @times, $took_s;
		$failed++ if $status != 200;
		print "ready\n" if @times == 1;
		next unless $per_second;
		$due += 1 / $per_second;
		sleep $due - time if $due > time and !$is_over;
	}
	printf "%d %d %.3f %.2f\n", scalar @times, $failed, time - $start,
		1000 * percentile(50, sort { $a <=> $b } @times);
}

(my $action, $port, $folder, my $number) = @ARGV;
my %actions = (calls => \&calls, lists => \&lists);
my $run = $actions{ $action // '' } // die "Usage: see the head of manage.pl\n";
$| = 1;
srand 1;
local $SIG{PIPE} = 'IGNORE';
$values{$_} = read_values($_) for qw(ids visited rare words topics sections rare_tags tags frequent_tags backends);
$key = read_values('key')->[0];
$run->($number);
