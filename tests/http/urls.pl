# The halves of urls.t that need JSON and hexadecimal: makes requests of the vectors, compares the answers.
# Usage: perl urls.pl requests VECTORS                          requests that create, for bulk.pl
#        perl urls.pl follow CREATED                            requests that follow what was created
#        perl urls.pl compare VECTORS CREATED FOLLOWED ROWS     "pass NAME" or "fail NAME TAB REASON" lines
# CREATED and FOLLOWED are bulk.pl's answers, named by the vector's line; ROWS are "id|srcurl in hexadecimal".
use strict;
use warnings;
use Encode qw(encode);
use JSON::PP;

my $JSON = JSON::PP->new->utf8->allow_nonref;
my %WORDS = (
	missing => 'is missing', scheme => 'must start with http', host => ' host', port => ' port',
	control => 'control', surrogate => 'surrogate', loop => 'of this service',
);

sub read_lines {
	my ($file) = @_;
	open my $handle, '<', $file or die "$file: $!\n";
	chomp(my @lines = <$handle>);
	return @lines;
}

sub read_vectors {
	my ($file) = @_;
	my ($line, @vectors) = 0;
	for (read_lines($file)) {
		$line++;
		next if /^#/;
		my ($verdict, $sent, $third) = split /\t/, $_, -1;
		push @vectors, { line => $line, verdict => $verdict, sent => $sent, third => $third };
	}
	return @vectors;
}

# bulk.pl's escapes.
sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-F]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2}/ge;
	return $text;
}

sub read_answers {
	my ($file) = @_;
	my %answers;
	for (read_lines($file)) {
		my @fields = map { unescape($_) } split /\t/, $_, -1;
		$answers{$fields[0]} = { status => $fields[1], faults => $fields[2], location => $fields[3], body => $fields[6] };
	}
	return %answers;
}

sub id_of {
	my ($answer) = @_;
	return $answer->{status} eq '200' && $answer->{body} =~ m{"shortenedUrl":"http://test\.short/([A-Za-z0-9_-]{10})"\}\z} ? $1 : undef;
}

sub write_requests {
	for my $vector (read_vectors($_[0])) {
		(my $sent = $vector->{sent}) =~ s/\\/\\\\/g;
		print "$vector->{line}\tPOST\t/shorten\tContent-Type: application/json\t{\"srcUrl\":\"$sent\"}\n";
	}
}

sub write_follow {
	my %created = read_answers($_[0]);
	for my $line (sort { $a <=> $b } keys %created) {
		my $id = id_of($created{$line});
		print "$line\tGET\t/$id\n" if defined $id;
	}
}

# The text that a JSON string means, in UTF-8 and trimmed.
sub meaning_of {
	my $text = encode('utf8', $JSON->decode("\"$_[0]\""));
	$text =~ s/\A[ \t\n\f\r]+|[ \t\n\f\r]+\z//g;
	return $text;
}

sub ok_problem {
	my ($vector, $created, $followed, $rows) = @_;
	my $srcurl = meaning_of($vector->{sent});
	my $location = length $vector->{third} ? encode('utf8', $JSON->decode("\"$vector->{third}\"")) : $srcurl;
	return "answered $created->{status} $created->{body}" if $created->{status} ne '200';
	my $id = id_of($created) // return "no short URL in $created->{body}";
	return "the answer $created->{body} has another srcUrl"
		if encode('utf8', $JSON->decode($created->{body})->{srcUrl}) ne $srcurl;
	return 'the row holds ' . pack 'H*', $rows->{$id} // '' if ($rows->{$id} // '') ne unpack 'H*', $srcurl;
	return "following answered $followed->{status}" if $followed->{status} ne '302';
	return "Location is $followed->{location}, not $location" if $followed->{location} ne $location;
	return "Location $location is not printable ASCII" if $location !~ /\A[!-~]+\z/;
	return "faults: $created->{faults}, $followed->{faults}" if "$created->{faults} $followed->{faults}" ne 'none none';
	return;
}

sub bad_problem {
	my ($vector, $created) = @_;
	my $words = $WORDS{$vector->{third}} // return "no such reason: $vector->{third}";
	return "answered $created->{status} $created->{body}" if $created->{status} ne '400';
	return "the sentence is $created->{body}" if $created->{body} !~ /\A\{"errMsg":"[^"]*\Q$words\E[^"]*"\}\z/;
	return "faults: $created->{faults}" if $created->{faults} ne 'none';
	return;
}

sub compare {
	my ($vectors_file, $created_file, $followed_file, $rows_file) = @_;
	my %created = read_answers($created_file);
	my %followed = read_answers($followed_file);
	my %rows = map { split /\|/ } read_lines($rows_file);
	my $ok_count = 0;
	for my $vector (read_vectors($vectors_file)) {
		my $created = $created{$vector->{line}} // { status => '000', body => '' };
		my $followed = $followed{$vector->{line}} // { status => '000' };
		my $problem = $vector->{verdict} eq 'ok'
			? ok_problem($vector, $created, $followed, \%rows)
			: bad_problem($vector, $created);
		$ok_count++ if $vector->{verdict} eq 'ok';
		print defined $problem ? 'fail' : 'pass', " line $vector->{line}: $vector->{verdict} $vector->{sent}",
			defined $problem ? "\t$problem" : '', "\n";
	}
	my $rows_count = keys %rows;
	print $rows_count == $ok_count ? 'pass' : 'fail', " only what is ok made a row\t$rows_count rows, $ok_count are ok\n";
}

my ($action, @files) = @ARGV;
my %actions = (requests => \&write_requests, follow => \&write_follow, compare => \&compare);
($actions{$action // ''} // die "Usage: see the head of urls.pl\n")->(@files);
