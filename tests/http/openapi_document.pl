# Looks at the OpenAPI document by itself, and at what of it was seen.
# Usage: perl openapi_document.pl check DOCUMENT         whether it is whole and agrees with itself
#        perl openapi_document.pl paths DOCUMENT         its paths, each with its methods: /hello GET HEAD
#        perl openapi_document.pl names DOCUMENT WHAT    the names below a pointer, or of an operation's parameters
#        perl openapi_document.pl coverage DOCUMENT MARKS   what is described and was never seen (see openapi.pl)
# check and coverage print "pass NAME" or "fail NAME TAB REASON" lines.
use strict;
use warnings;
use FindBin;
use JSON::PP;
require "$FindBin::Bin/../lib/openapi.pl";

my @METHODS = qw(get head post put patch delete options);
my ($document, $root);

sub report {
	my ($name, @problems) = @_;
	s/[\t\n\r]+/ /g for @problems;
	print @problems ? "fail $name\t" . join('; ', @problems) : "pass $name", "\n";
}

sub is {
	my ($name, $got, $expected) = @_;
	report($name, $got eq $expected ? () : "$got, not $expected");
}

# ---- its form

# The objects of OpenAPI 3.1 as far as they are used: what each member is. ! must be there; [x] is a list, {x} an
# object with any names, 'text' and 'truth' are JSON's, 'any' is any value, a name is another of these objects.
my %OBJECTS = (
	document => {
		openapi => 'text!', info => 'info!', servers => '[server]!', tags => '[tag]!', paths => '{path}!',
		components => 'components!',
	},
	info => { title => 'text!', version => 'text!', summary => 'text!', description => 'text!' },
	server => { url => 'text!', description => 'text' },
	tag => { name => 'text!', description => 'text!' },
	path => { parameters => '[parameter]', 'x-other-methods' => '{response}!', map { $_ => 'operation' } @METHODS },
	operation => {
		operationId => 'text!', tags => '[text]!', summary => 'text!', description => 'text', security => '[security]',
		parameters => '[parameter]', requestBody => 'body', responses => '{response}!',
	},
	security => { bearer => '[text]' },
	body => { required => 'truth!', content => '{media}!', description => 'text' },
	media => { schema => 'schema!', example => 'any', examples => '{example}', encoding => '{encoding}' },
	example => { summary => 'text', value => 'any!' },
	encoding => { style => 'text', explode => 'truth' },
	parameter => {
		name => 'text!', in => 'text!', required => 'truth', description => 'text!', schema => 'schema!',
		example => 'any', style => 'text', explode => 'truth',
	},
	response => { description => 'text!', headers => '{header}', content => '{media}' },
	header => { description => 'text', required => 'truth!', schema => 'schema!', example => 'any' },
	components => {
		securitySchemes => '{scheme}', parameters => '{parameter}', headers => '{header}', responses => '{response}',
		schemas => '{schema}',
	},
	scheme => { type => 'text!', scheme => 'text!', description => 'text!' },
	# Their keywords are known to openapi_expect.
	schema => 'any',
);

my %places; # of each kind of object, where they are

sub form_problems {
	my ($kind, $pointer) = @_;
	my $node = openapi_node($document, $pointer);
	return if $kind eq 'any';
	return !ref $node && length $node ? () : "$pointer is no text" if $kind eq 'text';
	return ref $node eq 'JSON::PP::Boolean' ? () : "$pointer is neither true nor false" if $kind eq 'truth';
	my ($open, $inner) = $kind =~ /^([\[{])(\w+)/;
	return "$pointer is no list" if ($open // '') eq '[' and ref $node ne 'ARRAY';
	return map { form_problems($inner, "$pointer/$_") } 0 .. $#$node if ref $node eq 'ARRAY';
	return "$pointer is no object" if ref $node ne 'HASH';
	return map { form_problems($inner, openapi_below($pointer, $_)) } sort keys %$node if $open;
	push @{ $places{$kind} }, $pointer;
	return ref_problems($kind, $pointer) if defined $node->{'$ref'};
	return $OBJECTS{$kind} eq 'any' ? () : member_problems($OBJECTS{$kind}, $pointer, $node);
}

sub member_problems {
	my ($members, $pointer, $node) = @_;
	my @problems = map { "$pointer has no $_" } grep { $members->{$_} =~ /!$/ && !exists $node->{$_} } sort keys %$members;
	for my $name (sort keys %$node) {
		(my $kind = $members->{$name} // '') =~ s/!$//;
		push @problems, $kind ? form_problems($kind, openapi_below($pointer, $name)) : "$pointer/$name is unknown";
	}
	return @problems;
}

# Only a schema may have something beside its $ref, and components stand where their kind says.
sub ref_problems {
	my ($kind, $pointer) = @_;
	my $node = openapi_node($document, $pointer);
	my $target = $node->{'$ref'};
	return "$pointer has more than \$ref" if $kind ne 'schema' and keys %$node > 1;
	return "$pointer leads to $target" if $target !~ m{^#/components/\Q$kind\Es/};
	return eval { openapi_follow($document, $pointer); 1 } ? () : "$pointer: $@";
}

sub check_form {
	%places = ();
	report('the form of OpenAPI 3.1', form_problems('document', '#'));
	is('the version of OpenAPI', $root->{openapi}, '3.1.0');
}

# ---- that it agrees with itself

# Calls the function with each pair of a pointer and what stands there.
sub walk {
	my ($function, $pointer, $node) = @_;
	$function->($pointer, $node);
	if (ref $node eq 'HASH') {
		walk($function, openapi_below($pointer, $_), $node->{$_}) for sort keys %$node;
	} elsif (ref $node eq 'ARRAY') {
		walk($function, "$pointer/$_", $node->[$_]) for 0 .. $#$node;
	}
}

# [where, what it refers to] of each $ref.
sub references {
	my @references;
	walk(sub {
		my ($pointer, $node) = @_;
		push @references, [$pointer, $node->{'$ref'}] if ref $node eq 'HASH' and defined $node->{'$ref'};
	}, '#', $root);
	return @references;
}

sub leads_somewhere {
	my ($pointer) = @_;
	return eval { openapi_node($document, $pointer); 1 };
}

sub check_references {
	my @references = references();
	report('every $ref leads somewhere', map { "$_->[0]: $_->[1]" } grep { !leads_somewhere($_->[1]) } @references);
	my %used = map { $_->[1] =~ m{^#/components/(\w+/[^/]+)} ? ($1 => 1) : () } @references;
	my @components;
	for my $kind (grep { $_ ne 'securitySchemes' } sort keys %{ $root->{components} }) {
		push @components, map { "$kind/$_" } sort keys %{ $root->{components}{$kind} };
	}
	report('every component is used', grep { !$used{$_} } @components);
}

# { path, pointer, operation } of each.
sub operations {
	my @operations;
	for my $path (sort keys %{ $root->{paths} }) {
		my $item = $root->{paths}{$path};
		for my $method (grep { $item->{$_} } @METHODS) {
			my $pointer = openapi_below('#/paths', $path, $method);
			push @operations, { path => $path, pointer => $pointer, operation => $item->{$method} };
		}
	}
	return @operations;
}

sub check_operations {
	my (%ids, %tags, @problems);
	for (operations()) {
		my ($path, $pointer, $operation) = @$_{qw(path pointer operation)};
		push @problems, "$pointer: its operationId is there twice" if $ids{ $operation->{operationId} }++;
		$tags{$_} = 1 for @{ $operation->{tags} };
		push @problems, security_problems($pointer, $operation), parameter_problems($path, $pointer);
	}
	report('operations', @problems);
	is('their tags', join(', ', sort keys %tags), join ', ', sort map { $_->{name} } @{ $root->{tags} });
}

sub security_problems {
	my ($pointer, $operation) = @_;
	my @names = map { keys %$_ } @{ $operation->{security} // [] };
	my @problems = map { "$pointer: no scheme $_" } grep { !$root->{components}{securitySchemes}{$_} } @names;
	push @problems, "$pointer: 401 is there exactly where a key counts" if !$operation->{responses}{401} != !@names;
	return @problems;
}

sub parameter_problems {
	my ($path, $pointer) = @_;
	my @places = openapi_parameters($document, openapi_below('#/paths', $path), $pointer);
	my @parameters = map { openapi_node($document, $_) } @places;
	my $in_path = join ' ', map { $_->{name} } grep { $_->{in} eq 'path' && $_->{required} } @parameters;
	my $wanted = join ' ', $path =~ /\{(\w+)\}/g;
	return $in_path eq $wanted ? () : "$pointer: the path has '$wanted', the parameters '$in_path'";
}

# What HEAD says of itself is what GET does.
sub check_heads {
	my $json = JSON::PP->new->canonical->allow_nonref;
	my @problems;
	for my $path (sort keys %{ $root->{paths} }) {
		my ($get, $head) = map { $root->{paths}{$path}{$_} // {} } qw(get head);
		for my $member (qw(parameters responses security)) {
			push @problems, "$path: $member" if $json->encode([$get->{$member}]) ne $json->encode([$head->{$member}]);
		}
	}
	report('HEAD is described as GET is', @problems);
}

# The places of all that has a schema, without those that only refer to one.
sub places_with_schema {
	return grep { !openapi_node($document, $_)->{'$ref'} } map { @{ $places{$_} // [] } } qw(media parameter header);
}

# [the pointer of a schema, an example of it] of all.
sub all_examples {
	my @examples;
	for my $place (places_with_schema()) {
		my $node = openapi_node($document, $place);
		push @examples, ["$place/schema", $node->{example}] if exists $node->{example};
		push @examples, map { ["$place/schema", $_->{value}] } values %{ $node->{examples} // {} };
	}
	walk(sub {
		my ($pointer, $node) = @_;
		push @examples, map { [$pointer, $_] } @{ $node->{examples} } if ref $node eq 'HASH' and $node->{examples};
	}, '#/components/schemas', $root->{components}{schemas});
	return @examples;
}

sub check_examples {
	my @examples = all_examples();
	my @problems = map { @{ openapi_validate($document, @$_, "the example of $_->[0]")->{problems} } } @examples;
	report('examples keep to their schemas', @problems, @examples >= 10 ? () : 'there are few');
}

# Whoever reads an answer can rely on there being nothing else in it. The description itself is somebody else's.
sub check_closed {
	my @problems;
	walk(sub {
		my ($pointer, $node) = @_;
		return unless ref $node eq 'HASH' and ref $node->{properties} eq 'HASH' and ($node->{type} // '') eq 'object';
		return if $pointer =~ m{^#/components/responses/Description/};
		push @problems, $pointer if !exists $node->{additionalProperties} or $node->{additionalProperties};
	}, '#', $root);
	report('objects are closed', @problems);
}

sub check_schemas {
	my %known;
	openapi_expect($document, "$_/schema", \%known) for places_with_schema();
	report('every keyword of a schema is one that is checked', keys %known > 50 ? () : 'few schemas');
}

# ---- the validator

my @VERDICTS = (
	# a schema, good values, bad values; each JSON
	['{"type":"string"}', ['"x"', '"1"', '""'], ['1', 'null', 'true', '[]', '{}']],
	['{"type":"integer"}', ['1', '0', '-1', '1000000000000'], ['1.5', '"1"', 'true', 'null']],
	['{"type":"number"}', ['1', '1.5'], ['"1.5"', 'false']],
	['{"type":["boolean","null"]}', ['true', 'false', 'null'], ['0', '"true"', '""']],
	['{"enum":[1,"2",null]}', ['1', '"2"', 'null'], ['"1"', '2', 'false']],
	['{"const":"ok\\n"}', ['"ok\\n"'], ['"ok"', '"ok\\n\\n"', '1']],
	['{"required":["a"]}', ['{"a":null}', '[]'], ['{}', '{"b":1}']],
	['{"properties":{"a":{"type":"null"}},"additionalProperties":false}', ['{}', '{"a":null}'], ['{"a":1}', '{"b":null}']],
	['{"additionalProperties":{"type":"string"}}', ['{}', '{"a":"b"}', '[1]'], ['{"a":1}', '{"a":"b","c":null}']],
	['{"items":{"type":"integer"},"minItems":1,"maxItems":2}', ['[1]', '[1,2]', '"x"'], ['[]', '[1,2,3]', '[1,"2"]']],
	['{"minLength":1,"maxLength":2}', ['"x"', '"\u00fc\ud83d\ude00"', '1'], ['""', '"abc"']],
	['{"pattern":"^[a-z]+$"}', ['"abc"', '7'], ['"a\\n"', '"A"', '""']],
	['{"minimum":1,"maximum":10}', ['1', '10', '"0"'], ['0', '11', '10.5']],
	['{"format":"date"}', ['"2024-02-29"', '1'], ['"2023-02-29"', '"2024-13-01"', '"2024-1-1"', '"2024-04-31"']],
	[
		'{"format":"date-time"}', ['"2026-11-30T12:00:00Z"', '"2026-11-30t15:00:00.5+03:00"'],
		['"2026-11-30T12:00:00"', '"2026-11-30T24:00:00Z"', '"2026-11-30"'],
	],
	['{"format":"uri"}', ['"http://e.example/a?b#c"'], ['"e.example"', '"http://e.example/ x"', '"http://\u00fc.example/"']],
	['{"oneOf":[{"type":"string"},{"type":"integer"},{"minimum":5}]}', ['1', 'true'], ['"x"', '7']],
	['{"not":{"enum":["x"]}}', ['"y"', '1'], ['"x"']],
);

# A document that is this schema.
sub alone {
	my ($schema) = @_;
	return { root => { schema => $schema }, nodes => {} };
}

# Neither lets through what it should not, nor refuses what is good, nor ignores what it does not know.
sub check_validator {
	my $json = JSON::PP->new->utf8->allow_nonref;
	my @problems;
	for (@VERDICTS) {
		my ($schema, $good, $bad) = @$_;
		my $document = alone($json->decode($schema));
		my $is_good = sub { !@{ openapi_validate($document, '#/schema', $json->decode($_[0]))->{problems} } };
		push @problems, map { "$schema refuses $_" } grep { !$is_good->($_) } @$good;
		push @problems, map { "$schema takes $_" } grep { $is_good->($_) } @$bad;
	}
	for my $schema ({ allOf => [] }, { format => 'ipv4' }, { multipleOf => 2 }) {
		push @problems, 'it knows ' . $json->encode($schema) if eval { openapi_validate(alone($schema), '#/schema', 'x') };
	}
	report('the validator itself', @problems);
}

# ---- what was never seen

sub expected_marks {
	my (%expected, %request, %response);
	for my $path (keys %{ $document->{root}{paths} }) {
		my $pointer = openapi_below('#/paths', $path);
		my $item = openapi_node($document, $pointer);
		expect_responses("other $path", "$pointer/x-other-methods", \%expected, \%response);
		for my $method (grep { $item->{$_} } qw(get head post put patch delete)) {
			my $operation = openapi_below($pointer, $method);
			my $name = uc($method) . " $path";
			expect_responses($name, "$operation/responses", \%expected, \%response);
			expect_request($name, $pointer, $operation, \%expected, \%request);
		}
	}
	return keys %expected, map({ "request $_" } keys %request), map { "response $_" } keys %response;
}

sub expect_request {
	my ($name, $path, $operation, $expected, $marks) = @_;
	my $allows = openapi_allows($document, $operation);
	$expected->{"access $name $_ a key"} = 1 for grep { $allows->{$_} } sort keys %$allows;
	for my $pointer (openapi_parameters($document, $path, $operation)) {
		$expected->{"parameter $name " . openapi_node($document, $pointer)->{name}} = 1;
		openapi_expect($document, "$pointer/schema", $marks);
	}
	for my $type (keys %{ openapi_node($document, $operation)->{requestBody}{content} // {} }) {
		$expected->{"body $name $type"} = 1;
		openapi_expect($document, openapi_below($operation, 'requestBody', 'content', $type, 'schema'), $marks);
	}
}

sub expect_responses {
	my ($name, $responses, $expected, $marks) = @_;
	for my $status (keys %{ openapi_node($document, $responses) }) {
		my $response = openapi_follow($document, openapi_below($responses, $status));
		my $node = openapi_node($document, $response);
		$expected->{"status $name $status"} = 1;
		for my $field (keys %{ $node->{headers} // {} }) {
			$expected->{"header $name $status $field"} = 1;
			my $header = openapi_follow($document, openapi_below($response, 'headers', $field));
			openapi_expect($document, "$header/schema", $marks);
		}
		for my $type (keys %{ $node->{content} // {} }) {
			$expected->{"content $name $status $type"} = 1;
			openapi_expect($document, openapi_below($response, 'content', $type, 'schema'), $marks);
		}
	}
}

sub read_lines {
	my ($file) = @_;
	open my $handle, '<', $file or die "$file: $!\n";
	chomp(my @lines = <$handle>);
	return @lines;
}

sub coverage {
	my ($file) = @_;
	my %seen = map { $_ => 1 } read_lines($file);
	my %missing;
	for my $mark (grep { !$seen{$_} } sort(expected_marks())) {
		my ($kind) = $mark =~ /^(\w+)/;
		push @{ $missing{$kind} }, $mark;
	}
	for my $kind (qw(access status content header parameter body request response)) {
		report("every described $kind was seen", @{ $missing{$kind} // [] });
	}
}

# ---- actions

sub check {
	check_validator();
	check_form();
	check_references();
	check_operations();
	check_heads();
	check_schemas();
	check_examples();
	check_closed();
}

sub print_paths {
	for my $path (sort keys %{ $root->{paths} }) {
		print join(' ', $path, map { uc } grep { $root->{paths}{$path}{$_} } @METHODS), "\n";
	}
}

sub print_names {
	my ($pointer) = @_;
	my $node = openapi_node($document, $pointer);
	my @names = ref $node eq 'HASH'
		? sort keys %$node
		: map { openapi_node($document, openapi_follow($document, "$pointer/$_"))->{name} } 0 .. $#$node;
	print "@names\n";
}

my ($action, $file, @arguments) = @ARGV;
my %actions = (check => \&check, paths => \&print_paths, names => \&print_names, coverage => \&coverage);
die "Usage: see the head of openapi_document.pl\n" unless defined $file and $actions{$action};
$document = openapi_read($file);
$root = $document->{root};
$actions{$action}->(@arguments);
