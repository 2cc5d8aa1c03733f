# Sends many requests one after another, over a kept connection where there is a web server.
# Usage: perl bulk.pl http:PORT|fcgi:SOCKET <requests >answers
#
# A request is a line with a tab between its fields: NAME METHOD TARGET HEADERS BODY. HEADERS are
# "Name: value" with \n between; the last fields may be missing, and then there is no body.
# In all fields \t \n \r \\ and \xHH stand for bytes. Content-Length comes by itself unless HEADERS
# have it; "NAME=VALUE" among the HEADERS of fcgi is a parameter.
#
# An answer is a line: NAME STATUS FAULTS LOCATION TYPE HEADERS BODY, escaped in the same way.
# FAULTS names, with commas between, the rules of every answer that this one breaks: no-answer,
# server-error, no-length, wrong-length, no-nosniff, not-json (an error without errMsg); or "none".
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;

my ($kind, $address) = ($ARGV[0] // '') =~ /^(http|fcgi):(.+)/ or die "Usage: bulk.pl http:PORT|fcgi:SOCKET\n";
my $LIMIT_S = 10;
my $socket;
local $SIG{PIPE} = 'IGNORE';

sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-Fa-f]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2} \/\/ "\\$2"/ge;
	return $text;
}

sub escape {
	my ($text) = @_;
	my %name = ("\t" => '\t', "\n" => '\n', "\r" => '\r', '\\' => '\\\\');
	$text =~ s/([\t\n\r\\])/$name{$1}/g;
	$text =~ s/([^ -~])/sprintf '\\x%02X', ord $1/ge;
	return $text;
}

sub connect_to {
	return $kind eq 'http'
		? IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $address)
		: IO::Socket::UNIX->new(Peer => $address);
}

# Reads more into the buffer; false when there is nothing more to come.
sub read_more {
	my ($buffer) = @_;
	return 0 unless IO::Select->new($socket)->can_read($LIMIT_S);
	return sysread $socket, $$buffer, 65536, length $$buffer;
}

# ---- HTTP

sub http_request {
	my ($method, $target, $headers, $body) = @_;
	my $text = "$method $target HTTP/1.1\r\nHost: localhost\r\n";
	$text .= "$_\r\n" for @$headers;
	$text .= 'Content-Length: ' . length($body) . "\r\n"
		if defined $body and !grep { /^(?:Content-Length|Transfer-Encoding):/i } @$headers;
	return "$text\r\n" . ($body // '');
}

# A kept connection may have been closed meanwhile: then once more on a new one.
sub http_exchange {
	my ($method, $text) = @_;
	for my $attempt (1, 2) {
		my $is_new = !$socket;
		$socket //= connect_to() or return;
		my @answer = http_send($method, $text);
		return @answer if @answer or $is_new;
		undef $socket;
	}
	return;
}

sub http_send {
	my ($method, $text) = @_;
	my $buffer = '';
	syswrite $socket, $text;
	while ($buffer !~ /\r\n\r\n/) {
		read_more(\$buffer) or return;
	}
	my ($head, $body) = split /\r\n\r\n/, $buffer, 2;
	my ($length) = $head =~ /^Content-Length: *(\d+)/mi;
	my $is_bodiless = $method eq 'HEAD' || $head =~ m{^HTTP/\S+ (?:204|304)};
	while (!$is_bodiless and (!defined $length or length $body < $length)) {
		read_more(\$body) or last;
	}
	undef $socket if $head =~ /^Connection: *close/mi or !defined $length;
	my ($status) = $head =~ m{^HTTP/\S+ (\d+)};
	$head =~ s/^[^\n]*\n?//;
	return ($status, $head, $body);
}

# ---- FastCGI

sub record {
	my ($type, $content) = @_;
	return pack('CCnnCC', 1, $type, 1, length $content, 0, 0) . $content;
}

sub stream {
	my ($type, $content) = @_;
	my $text = '';
	$text .= record($type, $1) while $content =~ /\G(.{1,65000})/gs;
	return $text . record($type, '');
}

sub pair {
	my ($name, $value) = @_;
	my @sizes = map { $_ < 128 ? pack 'C', $_ : pack 'N', $_ | 1 << 31 } length $name, length $value;
	return "$sizes[0]$sizes[1]$name$value";
}

sub fcgi_parameters {
	my ($method, $target, $headers, $body) = @_;
	my %parameters = (REQUEST_METHOD => $method, REQUEST_URI => $target);
	$parameters{CONTENT_LENGTH} = length $body if defined $body;
	for my $header (@$headers) {
		if ($header =~ /^([A-Z_]+)=(.*)/s) {
			$parameters{$1} = $2;
			next;
		}
		my ($name, $value) = (split(/: */, $header, 2), '', '');
		($name = uc $name) =~ tr/A-Z0-9/_/c;
		$name = "HTTP_$name" unless $name =~ /^CONTENT_(?:TYPE|LENGTH)$/;
		$parameters{$name} = $value;
	}
	return join '', map { pair($_, $parameters{$_}) } sort keys %parameters;
}

sub fcgi_exchange {
	my ($parameters, $body) = @_;
	$socket = connect_to() or return;
	my $begin = record(1, pack 'nCx5', 1, 0);
	my $buffer = '';
	syswrite $socket, $begin . stream(4, $parameters) . stream(5, $body);
	while (read_more(\$buffer)) { }
	undef $socket;
	my $answer = '';
	while (length $buffer >= 8) {
		my ($type, $size, $padding) = (unpack 'CCnnCC', $buffer)[1, 3, 4];
		$answer .= substr $buffer, 8, $size if $type == 6;
		substr $buffer, 0, 8 + $size + $padding, '';
	}
	my ($head, $text) = split /\r\n\r\n/, $answer, 2;
	return unless defined $text;
	my ($status) = $head =~ /^Status: (\d+)/m;
	$head =~ s/^Status: [^\n]*\n//m;
	return ($status, $head, $text);
}

# ---- what every answer keeps to

sub faults {
	my ($method, $status, $head, $body) = @_;
	return 'no-answer' unless defined $status;
	my @faults;
	my ($length) = $head =~ /^Content-Length: *(\d+)/mi;
	push @faults, 'server-error' if $status >= 500;
	push @faults, 'no-length' unless defined $length or $status == 204;
	push @faults, 'wrong-length' if defined $length and $method ne 'HEAD' and $length != length $body;
	push @faults, 'no-nosniff' unless $head =~ /^X-Content-Type-Options: nosniff\r?$/mi;
	push @faults, 'not-json'
		if $status >= 400 and $method ne 'HEAD' and $body !~ /^(?:\{"errMsg":"(?:[^"\\]|\\.)+"\}\z|<!DOCTYPE html>)/;
	return @faults ? join ',', @faults : 'none';
}

binmode $_ for \*STDIN, \*STDOUT;
$| = 1;
while (my $line = <STDIN>) {
	chomp $line;
	my ($name, $method, $target, $headers, $body) = map { unescape($_) } split /\t/, $line, -1;
	my @headers = split /\n/, $headers // '';
	my @answer = $kind eq 'http'
		? http_exchange($method, http_request($method, $target, \@headers, $body))
		: fcgi_exchange(fcgi_parameters($method, $target, \@headers, $body), $body // '');
	my ($status, $head, $text) = @answer ? @answer : (undef, '', '');
	my ($location) = $head =~ /^Location: ([^\r\n]*)/mi;
	my ($type) = $head =~ /^Content-Type: ([^\r\n]*)/mi;
	my $faults = faults($method, $status, $head, $text);
	print join("\t", map { escape($_) } $name, $status // '000', $faults, $location // '', $type // '', $head, $text), "\n";
}
