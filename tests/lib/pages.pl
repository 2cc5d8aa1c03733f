# Reads all pages of a list, following each cursor, through bulk.pl.
# Usage: perl pages.pl http:PORT|fcgi:SOCKET TARGET HEADERS >LINKS
#
# TARGET has no "after" yet; HEADERS are as bulk.pl has them. A link is a line: PAGE ID CREATED VISITS LASTACCESSED with
# a tab between. When something is wrong with a page, the last line is "problem" and what.
use strict;
use warnings;
use FindBin;
use IPC::Open2;
require "$FindBin::Bin/json.pl";

my $PAGES_MAX = 5000;
my ($address, $target, $headers) = @ARGV;
die "Usage: perl pages.pl http:PORT|fcgi:SOCKET TARGET HEADERS\n" unless defined $headers;
my $pid = open2(my $answers, my $requests, $^X, "$FindBin::Bin/bulk.pl", $address);
$requests->autoflush(1);

sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-F]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2}/ge;
	return $text;
}

sub stop {
	print "problem $_[0]\n" if @_;
	close $requests;
	waitpid $pid, 0;
	exit;
}

sub percent_encode {
	my ($text) = @_;
	utf8::encode($text);
	$text =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ge;
	return $text;
}

sub read_page {
	my ($after) = @_;
	my $cursor = defined $after ? ($target =~ /\?/ ? '&' : '?') . 'after=' . percent_encode($after) : '';
	print $requests "x\tGET\t$target$cursor\t$headers\n";
	my $line = <$answers> // stop('there is no answer');
	chomp $line;
	my (undef, $status, $faults, undef, undef, undef, $body) = map { unescape($_) } split /\t/, $line, -1;
	stop("answered $status $body") if $status ne '200';
	stop("faults: $faults") if $faults ne 'none';
	my $parsed = json_parse($body) // stop("no JSON: $body");
	return $$parsed;
}

my $after;
for my $number (1 .. $PAGES_MAX) {
	my $page = read_page($after);
	print join("\t", $number, @$_{qw(id created visits lastAccessed)}), "\n" for @{ $page->{links} };
	$after = $page->{next} // stop();
}
stop("there are more than $PAGES_MAX pages");
