# Turns a table of requests into bulk.pl's requests, and its answers into test results.
# Usage: perl table.pl requests TABLE HEADERS    requests for bulk.pl; HEADERS as there
#        perl table.pl compare TABLE ANSWERS     "pass NAME" or "fail NAME TAB REASON" lines
#
# A line of a table: STATUS|WANTED|METHOD TARGET|BODY. Without the last | there is no body. In target and body
# <TEXT*N> stands for so many times the text, <front> for the way in, and \xHH for a byte in the target.
# WANTED is what the answer must have besides its status and what every answer has:
#   nothing         no more than that
#   .PATH=JSON      this value at this path (see json.pl), with a * in it an array of all that are there; of numbers
#                   and texts the type matters, too
#   a text          this in its errMsg
# Lines that are empty or begin with # are none.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/json.pl";

sub expand {
	my ($text) = @_;
	my $front = $ENV{FRONT} // '';
	$text =~ s/<front>/$front/g;
	$text =~ s/<([^<>*]+)\*(\d+)>/$1 x $2/ge;
	return $text;
}

sub read_table {
	my ($file) = @_;
	open my $handle, '<', $file or die "$file: $!\n";
	my @rows;
	while (my $line = <$handle>) {
		chomp $line;
		next if $line =~ /^(?:#|$)/;
		my ($status, $wanted, $call, $body) = split /\|/, $line, 4;
		my ($method, $target) = split / /, $call, 2;
		push @rows, { status => $status, wanted => $wanted, method => $method, target => $target, body => $body };
	}
	return @rows;
}

# bulk.pl's escapes.
sub escape {
	my ($text) = @_;
	$text =~ s/\\/\\\\/g;
	$text =~ s/\t/\\t/g;
	return $text;
}

sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-F]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2}/ge;
	return $text;
}

sub write_requests {
	my ($table, $headers) = @_;
	my $number = 0;
	for my $row (read_table($table)) {
		my @fields = ($number++, $row->{method}, expand($row->{target}), $headers);
		push @fields, escape(expand($row->{body})) if defined $row->{body};
		print join("\t", @fields), "\n";
	}
}

sub body_problem {
	my ($wanted, $body) = @_;
	return if $wanted eq '';
	my $parsed = json_parse($body) // return 'the body is no JSON';
	if ($wanted =~ /^\.([^=]+)=(.*)/) {
		my ($path, $text) = ($1, $2);
		my $expected = json_parse(expand($text)) // die "the table wants what is no JSON: $wanted\n";
		my @values = json_find($$parsed, split /\./, $path);
		@values = ([@values]) if $path =~ /\*/;
		return "there is no $path" unless @values;
		my $value = json_write($values[0]);
		return $value eq json_write($$expected) ? () : "$path is $value";
	}
	my ($message) = json_find($$parsed, 'errMsg');
	return 'there is no errMsg' unless defined $message;
	utf8::encode($message);
	return index($message, $wanted) >= 0 ? () : "errMsg is '$message'";
}

sub problem {
	my ($row, $status, $faults, $body) = @_;
	return "answered $status $body, not $row->{status}" if $status ne $row->{status};
	return "faults: $faults" if $faults ne 'none';
	my $problem = body_problem($row->{wanted}, $body);
	return defined $problem ? "$problem, wanted $row->{wanted}" : ();
}

sub compare {
	my ($table, $answers) = @_;
	open my $handle, '<', $answers or die "$answers: $!\n";
	chomp(my @lines = <$handle>);
	for my $row (read_table($table)) {
		my (undef, $status, $faults, undef, undef, undef, $body) = map { unescape($_) } split /\t/, shift @lines // '', -1;
		my $problem = problem($row, $status // 'nothing', $faults // '', $body // '');
		my $name = join ' ', $row->{status}, $row->{method}, $row->{target}, $row->{body} // '';
		$problem =~ s/[\t\n]/ /g if defined $problem;
		print defined $problem ? 'fail' : 'pass', " $name", defined $problem ? "\t$problem" : '', "\n";
	}
}

my ($action, @arguments) = @ARGV;
my %actions = (requests => \&write_requests, compare => \&compare);
($actions{$action // ''} // die "Usage: see the head of table.pl\n")->(@arguments);
