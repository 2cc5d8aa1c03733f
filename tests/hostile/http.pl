# Hostile requests to a web server on 127.0.0.1.
#
# Usage: perl http.pl table PORT FRONT TABLE   the requests of http.table, as they stand there
#        perl http.pl fields PORT FRONT KEY    each text of http_texts.pl in every field that takes one
#
# Prints "pass NAME" or "fail NAME TAB REASON" lines, and at the end "stored COUNT": how many links were made.
# No answer may have a header field that a request has put there, a status past 499 but 501 and 505, or a page with
# markup of a request's: all of these bear the word hostile.
use strict;
use warnings;
use FindBin;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time);
require "$FindBin::Bin/http_texts.pl";

my ($action, $port, $front, $argument) = @ARGV;
my $SILENCE_S = 1;
my $LIMIT_S = 8;
my $stored = 0;
$SIG{PIPE} = 'IGNORE';
binmode STDOUT;
$| = 1;

sub report {
	my ($name, $problem) = @_;
	s/([^ -~])/sprintf '\\x%02X', ord $1/ge for grep { defined } $name, $problem;
	print defined $problem ? "fail $front: $name\t$problem\n" : "pass $front: $name\n";
}

# ---- answers

# The answers that stand one behind the other, each as { status, head, body, is_whole }.
sub parse_answers {
	my ($bytes, $method) = @_;
	my @answers;
	while ($bytes =~ s/\A(HTTP\/1\.\d (\d{3})[^\r\n]*\r\n(.*?\r\n)??)\r\n//s) {
		my ($head, $status) = ($1, $2);
		my ($length) = $head =~ /^Content-Length: (\d+)\r$/mi;
		$length = 0 if $method eq 'HEAD' or $status < 200 or $status == 204;
		my $body = substr $bytes, 0, $length // length $bytes, '';
		push @answers, { status => $status, head => $head, body => $body,
			is_whole => !defined $length || length $body == $length };
	}
	push @answers, { status => 'noise', head => '', body => $bytes, is_whole => 1 } if $bytes ne '';
	return @answers;
}

# Sends while it reads, as the server may answer early. Waits for the server to close the connection, or for silence
# behind a whole answer.
sub send_bytes {
	my ($bytes) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) // die "port $port: $!\n";
	$socket->blocking(0);
	my ($sent, $received, $method, $limit) = (0, '', $bytes =~ /\A(\w+)/ ? $1 : '', time + $LIMIT_S);
	while (time < $limit) {
		my $writer = $sent < length $bytes ? IO::Select->new($socket) : undef;
		my ($readable, $writable) = IO::Select->select(IO::Select->new($socket), $writer, undef, $SILENCE_S);
		if (@{$writable // []}) {
			my $count = syswrite $socket, $bytes, 1 << 20, $sent;
			$sent = defined $count ? $sent + $count : $!{EAGAIN} ? $sent : length $bytes;
		}
		if (@{$readable // []}) {
			my $count = sysread $socket, $received, 65536, length $received;
			last if defined $count ? $count == 0 : !$!{EAGAIN};
		}
		my @answers = parse_answers($received, $method);
		last if !defined $readable and @answers and $answers[-1]{status} ne 100 and $answers[-1]{is_whole};
	}
	my @answers = parse_answers($received, $method);
	return @answers if $method ne 'POST';
	$stored += $_->{status} =~ /^20/ && $_->{body} =~ m{http://test\.short/} for @answers;
	return @answers;
}

# Whether it is an error that the web server has made by itself: those of the responder's vary.
sub is_own {
	my ($answer) = @_;
	return $answer->{status} =~ /^[45]/ && $answer->{head} !~ /^Vary: Accept\r$/mi;
}

# What is wrong with an answer whatever was asked; undefined when nothing is.
sub fault {
	my ($answer) = @_;
	my ($status, $head, $body) = @$answer{qw(status head body)};
	return if $status eq 'noise';
	return "$status" if $status >= 500 and $status != 501 and $status != 505;
	my (undef, @fields) = split /\r\n/, $head;
	my ($odd) = grep { !/^[A-Za-z-]+: [ -~]*\z/ } @fields;
	return "a field that is none: $odd" if defined $odd;
	my ($foreign) = grep { /^(?:Set-Cookie|Refresh|X-Hostile|Access-Control)/i } @fields;
	return "a field that was injected: $foreign" if defined $foreign;
	return 'a length that is wrong' unless $answer->{is_whole};
	return "foreign markup: $body" if $head =~ /^Content-Type: text\/html/mi
		and $body =~ s/="[^"<>]*"//gr =~ /<[^>]*hostile/i;
	return 'it believes a field' if "$head$body" =~ /hostile\.example/i;
	# lighttpd's own pages have none, nor has its answer to OPTIONS *.
	return if $status < 200 or $front eq 'lighttpd' && (is_own($answer) || $body eq '');
	return $head =~ /^X-Content-Type-Options: nosniff\r$/mi ? undef : 'no nosniff';
}

# ---- the table

my %short = (
	h => " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n",
	k => " HTTP/1.1\r\nHost: x\r\n",
	json => "Content-Type: application/json\r\n",
	html => "Accept: text/html\r\n",
	chunked => "Transfer-Encoding: chunked\r\n",
	body => '{"srcUrl":"http://e.example/"}',
);

sub expand {
	my ($text) = @_;
	$text =~ s/\{(\w+)\}/$short{$1} \/\/ "{$1}"/ge;
	$text =~ s/<([^<>*]+)\*(\d+)>/$1 x $2/ge;
	$text =~ s/\\(?:n|x([0-9A-F]{2}))/defined $1 ? chr hex $1 : "\r\n"/ge;
	return $text;
}

sub try_table {
	open my $handle, '<', $argument or die "$argument: $!\n";
	while (my $line = <$handle>) {
		chomp $line;
		next if $line =~ /^(?:#|$)/;
		my ($name, $lighttpd, $nginx, $request) = split /\|/, $line, 4;
		my $wanted = $front eq 'nginx' ? $nginx : $lighttpd;
		my @answers = send_bytes(expand($request));
		my $got = join(' ', map { $_->{status} . (is_own($_) ? '*' : '') } @answers) || 'none';
		$got = "100 times $1" if $got =~ /\A(\d+)(?: \1){99}\z/;
		my ($fault) = grep { defined } map { fault($_) } @answers;
		$fault //= "$got, not $wanted" if $got ne $wanted;
		report("$name: $wanted", $fault);
	}
}

# ---- fields

sub encode {
	my ($text) = @_;
	$text =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ge;
	return $text;
}

# As JSON, byte for byte, in the shortest form that is right.
sub quote {
	my ($text) = @_;
	$text =~ s/([\\"])/\\$1/g;
	$text =~ s/([\0-\x1F])/sprintf '\\u%04x', ord $1/ge;
	return "\"$text\"";
}

# The one answer there must be, and when it is no fault.
sub ask {
	my ($name, $statuses, $method, $target, $fields, $body) = @_;
	my $text = "$method $target HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" . join '', map { "$_\r\n" } @$fields;
	$text .= 'Content-Length: ' . length($body) . "\r\n" if defined $body;
	my $start = time;
	my @answers = send_bytes("$text\r\n" . ($body // ''));
	my $answer = $answers[0] // { status => 'no answer', head => '', body => '', is_whole => 1 };
	my ($fault) = grep { defined } map { fault($_) } @answers;
	$fault //= scalar(@answers) . ' answers' if @answers != 1;
	$fault //= "$answer->{status} $answer->{body}, not $statuses" if " $statuses " !~ / $answer->{status} /;
	$fault //= 'it has taken seconds' if time - $start > 3;
	report("$name: $statuses", $fault);
	return $answer;
}

my @key = ("Authorization: Bearer " . ($argument // ''));
my @json = ('Content-Type: application/json');
my @html = ('Accept: text/html');
my @form = ('Content-Type: application/x-www-form-urlencoded');

# The text is stored as it is, and comes back as it is: as part of the whole link, and from the database.
sub try_stored {
	my ($name, $text) = @_;
	my $url = "http://e.example/?q=$text";
	my $tag = $text =~ tr/,/;/r; # which a tag cannot have
	my $sent = '{"srcUrl":' . quote($url) . ',"title":' . quote($text) . ',"tags":[' . quote($tag) . ']}';
	my $made = ask("$name: stored", 201, 'POST', '/api/links', [@key, @json], $sent);
	my ($id) = $made->{head} =~ m{^Location: \S*/api/links/(\S+)\r$}m or return;
	my $shown = ask("$name: shown", 200, 'GET', "/api/links/$id", \@key);
	for my $part ('"srcUrl":' . quote($url), '"title":' . quote($text), '"tags":[' . quote($tag) . ']') {
		my $body = $shown->{body} =~ s/": /":/gr;
		report("$name: comes back: $part", index($body, $part) >= 0 ? undef : $body);
	}
	my $followed = ask("$name: followed", 302, 'GET', "/$id", []);
	my ($location) = $followed->{head} =~ /^Location: (.*)\r$/m;
	my $wanted = $url =~ s/([ \x80-\xFF])/sprintf '%%%02X', ord $1/ger;
	report("$name: Location", ($location // '') eq $wanted ? undef : $location);
	my %value = (search => $text, tag => $tag);
	for my $query (sort keys %value) {
		my $found = ask("$name: $query", 200, 'GET', "/api/links?$query=" . encode($value{$query}), \@key);
		report("$name: $query finds it", index($found->{body}, "\"$id\"") >= 0 ? undef : $found->{body});
	}
	my $page = ask("$name: from a form", 200, 'POST', '/shorten', [@form, @html], 'srcUrl=' . encode($url));
	my %entity = ('&' => 'amp', '<' => 'lt', '>' => 'gt', '"' => 'quot', "'" => '#39');
	my $escaped = $url =~ s/([&<>"'])/&$entity{$1};/gr;
	report("$name: in a page", index($page->{body}, $escaped) >= 0 ? undef : $page->{body});
}

# Where the text is neither stored nor an answer to anything.
sub try_refused {
	my ($name, $text) = @_;
	my ($encoded, $quoted) = (encode($text), quote($text));
	my $shorten = '{"srcUrl":"http://e.example/",';
	my $add = sub { my ($member) = @_; return ('POST', '/api/links', [@key, @json, @html], "$shorten\"$member\":$quoted}") };
	ask("$name: as a slug", 400, $add->('slug')) unless $text =~ /^[\w-]+\z/a;
	ask("$name: as a name in JSON", 400, 'POST', '/shorten', [@json, @html], "$shorten$quoted:1}");
	ask("$name: as a name in a form", 400, 'POST', '/shorten', [@form, @html], "srcUrl=http://e.example/&$encoded=1");
	ask("$name: as a URL", 400, 'POST', '/shorten', [@json, @html], "{\"srcUrl\":$quoted}");
	ask("$name: as a host", 400, 'POST', '/shorten', [@json, @html], '{"srcUrl":' . quote("http://e[$text].example/") . '}');
	ask("$name: as a time", 400, $add->('expires'));
	ask("$name: as a number", 400, $add->('maxVisits'));
	ask("$name: as a path", '400 404', 'GET', "/$encoded", \@html);
	for my $query (qw(after sort limit)) {
		ask("$name: as $query", 400, 'GET', "/api/links?$query=$encoded", [@key, @html]);
	}
	for my $query (qw(from to by)) {
		ask("$name: as $query", 400, 'GET', "/api/links/known-$front/visits?$query=$encoded", [@key, @html]);
	}
	return if $text =~ /[\0-\x1F\x7F]/;
	ask("$name: as a key", 401, 'GET', '/api/links', ["Authorization: Bearer $text", @html]);
	ask("$name: as a type", 415, 'POST', '/shorten', ["Content-Type: $text", @html], '{}');
	my @fields = map { "$_: $text" } qw(User-Agent Referer Cookie X-Forwarded-Host);
	ask("$name: as a browser", 404, 'GET', '/none', [@fields, @html]);
}

sub try_fields {
	my $known = "{\"srcUrl\":\"http://e.example/\",\"slug\":\"known-$front\"}";
	ask('a link to ask for', 201, 'POST', '/api/links', [@key, @json], $known);
	for my $text (texts()) {
		my $name = $text =~ s/([^ -~])/sprintf '\\x%02X', ord $1/ger;
		try_stored($name, $text) unless $text =~ /[\0-\x1F\x7F]|\xC2[\x80-\x9F]/;
		try_refused($name, $text);
	}
}

my %actions = (table => \&try_table, fields => \&try_fields);
die "Usage: see the head of http.pl\n" unless @ARGV == 4 and $actions{$action};
$actions{$action}->();
print "stored $stored\n";
