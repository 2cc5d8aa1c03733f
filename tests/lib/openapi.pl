# Reads an OpenAPI document: what it says about a request, and whether a value keeps to one of its schemas.
# For `require`. Places in the document are JSON pointers (RFC 6901) behind a #, such as #/paths/~1hello/get.
#
#   openapi_read FILE                             the document
#   openapi_node DOCUMENT, POINTER                what stands there; dies when nothing does
#   openapi_below POINTER, NAME...                the pointer of a member
#   openapi_follow DOCUMENT, POINTER              the pointer behind all $ref
#   openapi_find DOCUMENT, METHOD, TARGET         what is said about such a request; see there
#   openapi_parameters DOCUMENT, PATH, OPERATION  the pointers of its parameters
#   openapi_allows DOCUMENT, OPERATION            { with => … a key, without => … one }: what succeeds
#   openapi_typed DOCUMENT, SCHEMA, TEXT          the value that the text stands for, in a query or form
#   percent_encode, percent_decode, form_pairs    how that is written
#   openapi_validate DOCUMENT, POINTER, VALUE     { problems => [sentences], marks => { what was tried => 1 } }
#   openapi_expect DOCUMENT, POINTER, MARKS       adds the marks that all values together have to leave
#
# A schema may have the keywords of the tables below and no others: one that is not checked would be no promise.
use strict;
use warnings;
use B;
use JSON::PP;

my $CANONICAL = JSON::PP->new->canonical->allow_nonref;
my %TYPES = (HASH => 'object', ARRAY => 'array', 'JSON::PP::Boolean' => 'boolean');
my %ANNOTATIONS = map { $_ => 1 } qw(description default examples);
my @METHODS = qw(get head post put patch delete options);

sub openapi_read {
	my ($file) = @_;
	open my $handle, '<', $file or die "$file: $!\n";
	local $/;
	return { root => JSON::PP->new->utf8->decode(<$handle>), nodes => {} };
}

# ---- places

sub openapi_below {
	my ($pointer, @names) = @_;
	for my $name (@names) {
		(my $escaped = $name) =~ s/~/~0/g;
		$escaped =~ s{/}{~1}g;
		$pointer .= "/$escaped";
	}
	return $pointer;
}

sub find_node {
	my ($document, $pointer) = @_;
	my $node = $document->{root};
	my (undef, @names) = split m{/}, $pointer, -1;
	for my $name (@names) {
		$name =~ s{~1}{/}g;
		$name =~ s/~0/~/g;
		$node = ref $node eq 'HASH' ? $node->{$name} : ref $node eq 'ARRAY' && $name =~ /^\d+$/ ? $node->[$name] : undef;
		die "nothing at $pointer\n" unless defined $node;
	}
	return $node;
}

sub openapi_node {
	my ($document, $pointer) = @_;
	return $document->{nodes}{$pointer} //= find_node($document, $pointer);
}

sub openapi_follow {
	my ($document, $pointer) = @_;
	while (1) {
		my $node = openapi_node($document, $pointer);
		return $pointer unless ref $node eq 'HASH' and defined $node->{'$ref'};
		$pointer = $node->{'$ref'};
	}
}

# ---- requests

# Paths without {…} come before those with it.
sub sorted_paths {
	my ($document) = @_;
	return sort { ($a =~ tr/{//) <=> ($b =~ tr/{//) || $a cmp $b } keys %{ $document->{root}{paths} };
}

# The values in the path, or nothing when the target is not of this path.
sub path_values {
	my ($path, $target) = @_;
	my @names = $path =~ /\{(\w+)\}/g;
	(my $pattern = quotemeta $path) =~ s/\\\{\w+\\\}/([^\/]+)/g;
	my @values = $target =~ /\A$pattern\z/ or return;
	my %values;
	@values{@names} = @values;
	return \%values;
}

# { path, pointer: of the path; methods: that it has; operation: its pointer, or undefined when the path has not
# this method; name: for people; responses: their pointer; values: by the names in the path; query: of the
# target }. Undefined when there is no such path.
sub openapi_find {
	my ($document, $method, $target) = @_;
	my ($raw, $query) = split /\?/, $target, 2;
	for my $path (sorted_paths($document)) {
		my $values = path_values($path, $raw) or next;
		my $pointer = openapi_below('#/paths', $path);
		my $item = openapi_node($document, $pointer);
		my $operation = $item->{ lc $method } ? openapi_below($pointer, lc $method) : undef;
		return {
			path => $path, pointer => $pointer, operation => $operation, values => $values, query => $query,
			methods => [map { uc } grep { $item->{$_} } @METHODS],
			name => $operation ? "$method $path" : "other $path",
			responses => $operation ? "$operation/responses" : "$pointer/x-other-methods",
		};
	}
	return;
}

sub openapi_parameters {
	my ($document, $path, $operation) = @_;
	my @pointers;
	for my $owner ($path, $operation) {
		my $list = openapi_node($document, $owner)->{parameters} // [];
		push @pointers, map { openapi_follow($document, openapi_below($owner, 'parameters', $_)) } 0 .. $#$list;
	}
	return @pointers;
}

# Whether a request may succeed with a key, and without one. A key where none counts is not described.
sub openapi_allows {
	my ($document, $operation) = @_;
	my @security = @{ openapi_node($document, $operation)->{security} // [{}] };
	return { with => scalar grep({ %$_ } @security), without => scalar grep { !%$_ } @security };
}

# ---- values as text

sub percent_decode {
	my ($text) = @_;
	$text =~ tr/+/ /;
	$text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
	utf8::decode($text);
	return $text;
}

sub percent_encode {
	my ($text) = @_;
	$text =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ge;
	return $text;
}

# Pairs of decoded names and values; empty values count as not given.
sub form_pairs {
	my ($text) = @_;
	return grep { length $_->[1] } map { [map { percent_decode($_) } (split(/=/, $_, 2), '')[0, 1]] } split /&/, $text;
}

# Text stands for a value of the type that the schema wants; texts with commas for lists, as `encoding` says.
sub openapi_typed {
	my ($document, $schema, $text) = @_;
	$schema = openapi_node($document, openapi_follow($document, $schema));
	my %types = map { $_ => 1 } ref $schema->{type} ? @{ $schema->{type} } : $schema->{type} // ();
	return $text if ref $text;
	return 0 + $text if $types{integer} and $text =~ /\A-?\d+\z/;
	return $text eq 'true' ? JSON::PP::true : JSON::PP::false if $types{boolean} and $text =~ /\A(?:true|false)\z/;
	return [split /,/, $text] if $types{array};
	return $text;
}

# ---- values

# An integer is a number, too. What a copy of the value is used for does not change its own type.
sub type_of {
	my ($value) = @_;
	return 'null' unless defined $value;
	return $TYPES{ ref $value } if ref $value;
	return 'string' if B::svref_2object(\$value)->FLAGS & B::SVp_POK;
	return $value == int $value ? 'integer' : 'number';
}

sub is_type {
	my ($type, $wanted) = @_;
	return $type eq $wanted || ($type eq 'integer' && $wanted eq 'number');
}

sub has_day {
	my ($year, $month, $day) = @_;
	my $is_leap = $year % 4 == 0 && ($year % 100 != 0 || $year % 400 == 0);
	my @days = (31, $is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31);
	return $month >= 1 && $month <= 12 && $day >= 1 && $day <= $days[$month - 1];
}

sub is_date {
	return $_[0] =~ /\A(\d{4})-(\d\d)-(\d\d)\z/a && has_day($1, $2, $3);
}

# RFC 3339 section 5.6.
sub is_time {
	my ($date, $hour, $minute, $second, $offset) =
		$_[0] =~ /\A(.{10})[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)\z/a or return 0;
	my ($offset_hour, $offset_minute) = $offset =~ /(\d\d):(\d\d)/ ? ($1, $2) : (0, 0);
	return is_date($date) && $hour < 24 && $minute < 60 && $second < 61 && $offset_hour < 24 && $offset_minute < 60;
}

my %FORMATS = (
	date => \&is_date,
	'date-time' => \&is_time,
	uri => sub { $_[0] =~ /\A[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:\/?#@!\$&'()*+,;=-]|%[0-9A-Fa-f]{2})+\z/ },
);

# The patterns are those of ECMA-262, of which only what Perl reads alike is used; but $ is the very end.
sub has_pattern {
	my ($text, $pattern) = @_;
	$pattern =~ s/\$\z/\\z/;
	return $text =~ /$pattern/;
}

sub is_equal {
	return $CANONICAL->encode($_[0]) eq $CANONICAL->encode($_[1]);
}

# Each with the keyword's argument, the value and its type; true when the value keeps to it. A keyword about one
# type lets all others pass.
my %ASSERTIONS = (
	type => sub { my ($wanted, undef, $type) = @_; grep { is_type($type, $_) } ref $wanted ? @$wanted : $wanted },
	enum => sub { my ($values, $value) = @_; grep { is_equal($value, $_) } @$values },
	const => sub { is_equal($_[0], $_[1]) },
	required => sub { my ($names, $value, $type) = @_; $type ne 'object' || !grep { !exists $value->{$_} } @$names },
	minItems => sub { $_[2] ne 'array' || @{ $_[1] } >= $_[0] },
	maxItems => sub { $_[2] ne 'array' || @{ $_[1] } <= $_[0] },
	minLength => sub { $_[2] ne 'string' || length $_[1] >= $_[0] },
	maxLength => sub { $_[2] ne 'string' || length $_[1] <= $_[0] },
	pattern => sub { $_[2] ne 'string' || has_pattern($_[1], $_[0]) },
	minimum => sub { !is_type($_[2], 'number') || $_[1] >= $_[0] },
	maximum => sub { !is_type($_[2], 'number') || $_[1] <= $_[0] },
	format => sub { $_[2] ne 'string' || ($FORMATS{ $_[0] } // die "the format $_[0] is not known here\n")->($_[1]) },
);

# Each with the run, the pointer of the schema, the value, its type and its place.
my %APPLICATORS = (
	'$ref' => sub {
		my ($run, $pointer, $value, undef, $at) = @_;
		apply($run, openapi_node($run->{document}, $pointer)->{'$ref'}, $value, $at);
	},
	properties => sub {
		my ($run, $pointer, $value, $type, $at) = @_;
		return unless $type eq 'object';
		for my $name (grep { exists $value->{$_} } sort keys %{ openapi_node($run->{document}, "$pointer/properties") }) {
			apply($run, openapi_below($pointer, 'properties', $name), $value->{$name}, "$at.$name");
		}
	},
	additionalProperties => sub {
		my ($run, $pointer, $value, $type, $at) = @_;
		my $schema = openapi_node($run->{document}, $pointer);
		return unless $type eq 'object';
		for my $name (grep { !$schema->{properties}{$_} } sort keys %$value) {
			push @{ $run->{problems} }, "$at.$name is not described" unless $schema->{additionalProperties};
			apply($run, "$pointer/additionalProperties", $value->{$name}, "$at.$name") if $schema->{additionalProperties};
		}
	},
	items => sub {
		my ($run, $pointer, $value, $type, $at) = @_;
		return unless $type eq 'array';
		apply($run, "$pointer/items", $value->[$_], "$at\[$_]") for 0 .. $#$value;
	},
	oneOf => sub {
		my ($run, $pointer, $value, undef, $at) = @_;
		my $count = @{ openapi_node($run->{document}, "$pointer/oneOf") };
		my @tried = map { openapi_validate($run->{document}, "$pointer/oneOf/$_", $value, $at) } 0 .. $count - 1;
		my @good = grep { !@{ $_->{problems} } } @tried;
		push @{ $run->{problems} }, @good ? "$at is several of oneOf" : map { @{ $_->{problems} } } @tried if @good != 1;
		$run->{marks}{$_} = 1 for map { keys %{ $_->{marks} } } @good;
	},
	not => sub {
		my ($run, $pointer, $value, undef, $at) = @_;
		my $tried = openapi_validate($run->{document}, "$pointer/not", $value, $at);
		push @{ $run->{problems} }, "$at is what it must not be" unless @{ $tried->{problems} };
	},
);

# What a value has tried: each schema; each of several types; each value of an enum.
sub mark {
	my ($run, $pointer, $schema, $value, $type) = @_;
	my $marks = $run->{marks};
	$marks->{$pointer} = 1;
	$marks->{ "$pointer enum " . $CANONICAL->encode($value) } = 1 if $schema->{enum};
	return unless ref $schema->{type};
	$marks->{"$pointer type $_"} = 1 for grep { is_type($type, $_) } @{ $schema->{type} };
}

sub apply {
	my ($run, $pointer, $value, $at) = @_;
	my $schema = openapi_node($run->{document}, $pointer);
	my $type = type_of($value);
	for my $keyword (grep { !$ANNOTATIONS{$_} } sort keys %$schema) {
		if (my $applicator = $APPLICATORS{$keyword}) {
			$applicator->($run, $pointer, $value, $type, $at);
			next;
		}
		my $assertion = $ASSERTIONS{$keyword} // die "the keyword $keyword of $pointer is not known here\n";
		next if $assertion->($schema->{$keyword}, $value, $type);
		push @{ $run->{problems} }, "$at: $keyword of $pointer refuses " . substr $CANONICAL->encode($value), 0, 100;
	}
	mark($run, $pointer, $schema, $value, $type);
}

sub openapi_validate {
	my ($document, $pointer, $value, $at) = @_;
	my $run = { document => $document, problems => [], marks => {} };
	apply($run, $pointer, $value, $at // 'the value');
	return $run;
}

# What stands below `not` is left out, for no good value tries it.
sub openapi_expect {
	my ($document, $pointer, $marks) = @_;
	return if $marks->{$pointer}++;
	my $schema = openapi_node($document, $pointer);
	for my $keyword (keys %$schema) {
		die "the keyword $keyword of $pointer is not known here\n"
			unless $ANNOTATIONS{$keyword} or $ASSERTIONS{$keyword} or $APPLICATORS{$keyword};
	}
	$marks->{ "$pointer enum " . $CANONICAL->encode($_) } = 1 for @{ $schema->{enum} // [] };
	$marks->{"$pointer type $_"} = 1 for ref $schema->{type} ? @{ $schema->{type} } : ();
	openapi_expect($document, $schema->{'$ref'}, $marks) if $schema->{'$ref'};
	openapi_expect($document, "$pointer/items", $marks) if $schema->{items};
	openapi_expect($document, "$pointer/additionalProperties", $marks) if $schema->{additionalProperties};
	openapi_expect($document, openapi_below($pointer, 'properties', $_), $marks) for keys %{ $schema->{properties} // {} };
	openapi_expect($document, "$pointer/oneOf/$_", $marks) for 0 .. $#{ $schema->{oneOf} // [] };
}

1;
