# Picks values out of JSON. Also read by table.pl, hence the last line.
# Usage: perl json.pl PATH... <JSON
#
# Prints the value at each path, with | between them: text as it is, everything else as JSON (compact, names in
# order), "missing" where there is nothing, and "no JSON" for all when it is none. A path has members and indices
# with dots between them: links.0.title. * stands for each element: links.*.id prints the ids with commas between.
# As the last part {} gives the names of an object, in order, and # the length of an array. "." is the whole.
use strict;
use warnings;
use JSON::PP;

my $JSON = JSON::PP->new->utf8->allow_nonref->canonical;

# Undefined when the text is no JSON, otherwise a reference to its value.
sub json_parse {
	my ($text) = @_;
	my $value = eval { $JSON->decode($text) };
	return $@ ? undef : \$value;
}

# As compact JSON, so that equal values are equal texts.
sub json_write {
	return $JSON->encode($_[0]);
}

# The values at a path: one, or those of all elements where it has a *. None where there is nothing.
sub json_find {
	my ($value, @parts) = @_;
	return $value unless @parts;
	my $part = shift @parts;
	return map { json_find($_, @parts) } @$value if ref $value eq 'ARRAY' and $part eq '*';
	return scalar @$value if ref $value eq 'ARRAY' and $part eq '#';
	return ref $value eq 'ARRAY' && $part < @$value ? json_find($value->[$part], @parts) : () if $part =~ /^\d+$/;
	return () unless ref $value eq 'HASH';
	return join ',', sort keys %$value if $part eq '{}';
	return exists $value->{$part} ? json_find($value->{$part}, @parts) : ();
}

sub json_show {
	my ($value) = @_;
	my $text = json_write($value);
	return $text unless $text =~ /^"/;
	utf8::encode($value);
	return $value;
}

sub json_pick {
	my ($text, @paths) = @_;
	my $parsed = json_parse($text) // return join '|', map { 'no JSON' } @paths;
	my @shown;
	for my $path (@paths) {
		my @values = json_find($$parsed, grep { length } split /\./, $path);
		push @shown, @values || $path =~ /\*/ ? join ',', map { json_show($_) } @values : 'missing';
	}
	return join '|', @shown;
}

sub main {
	binmode $_ for \*STDIN, \*STDOUT;
	my $text = do { local $/; <STDIN> };
	print json_pick($text // '', @ARGV), "\n";
}

caller or main();
1;
