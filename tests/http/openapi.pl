# Sends requests and holds each answer against the OpenAPI document.
# Usage: perl openapi.pl calls DOCUMENT FRONT ADDRESS MARKS <TABLE    the requests of a table
#        perl openapi.pl generated DOCUMENT FRONT ADDRESS MARKS       other methods, and no or wrong keys, everywhere
#        perl openapi.pl examples DOCUMENT FRONT ADDRESS MARKS        the document's own examples, which must work
# Prints "pass NAME" or "fail NAME TAB REASON" lines. ADDRESS is bulk.pl's. What was seen is added to the file MARKS.
# From the environment: KEY, and REVOKED_KEY.
#
# A line of a table: STATUS|METHOD TARGET|WORDS|BODY; the last two may be missing, and lines that are empty or begin
# with # are none. WORDS are header fields, by the names below. In target and body <TEXT*N> stands for so many times
# the text, <front> for FRONT, <next> for the last cursor. What is answered with 200 is described as good, and what
# with 400 is not; a * behind the status says that it is the other way round. A GET is also sent as HEAD, an error
# also asked for as a page.
use strict;
use warnings;
use FindBin;
use IPC::Open2;
use JSON::PP;
require "$FindBin::Bin/../lib/openapi.pl";

my $JSON = JSON::PP->new->utf8->allow_nonref->canonical;

# Every answer may have these, whatever is said about it.
my %COMMON = map { $_ => 1 } qw(connection content-length content-security-policy content-type date server vary
	x-content-type-options);

my ($FORM, $PAGE) = ('application/x-www-form-urlencoded', 'Accept: text/html');
my $KEY = $ENV{KEY} // '';
my %FIELDS = (
	key => "Authorization: Bearer $KEY",
	lower => "authorization: bearer $KEY",
	wrong => 'Authorization: Bearer ' . 'A' x 43,
	revoked => 'Authorization: Bearer ' . ($ENV{REVOKED_KEY} // ''),
	basic => 'Authorization: Basic dTpw',
	html => $PAGE,
	robot => 'User-Agent: Googlebot/2.1 (+http://www.google.com/bot.html)',
	json => 'Content-Type: application/json; charset=utf-8',
	form => "Content-Type: $FORM",
	merge => 'Content-Type: application/merge-patch+json',
	text => 'Content-Type: text/plain',
);

my ($document, $front, $next, %marks, $to_bulk, $from_bulk);

# ---- requests out, answers in

# bulk.pl's escapes.
sub escape {
	my ($text) = @_;
	$text =~ s/\\/\\\\/g;
	$text =~ s/([^ -~])/sprintf '\\x%02X', ord $1/ge;
	return $text;
}

sub unescape {
	my ($text) = @_;
	my %byte = (t => "\t", n => "\n", r => "\r", '\\' => '\\');
	$text =~ s/\\(?:x([0-9A-F]{2})|(.))/defined $1 ? chr hex $1 : $byte{$2}/ge;
	return $text;
}

sub open_bulk {
	my ($address) = @_;
	open2($from_bulk, $to_bulk, $^X, "$FindBin::Bin/../lib/bulk.pl", $address);
}

# { status, faults, type, headers: by their names in small letters, body }.
sub exchange {
	my ($call) = @_;
	my @fields = ('x', $call->{method}, $call->{target}, join("\n", @{ $call->{fields} }), $call->{body} // ());
	print $to_bulk join("\t", map { escape($_) } @fields), "\n";
	chomp(my $line = <$from_bulk> // die "bulk.pl has ended\n");
	my (undef, $status, $faults, undef, $type, $head, $body) = map { unescape($_) } split /\t/, $line, -1;
	my %headers = map { /^([^:]+): *(.*?)\r?$/ ? (lc $1, $2) : () } split /\n/, $head;
	return { status => $status, faults => $faults, type => media_type($type), headers => \%headers, body => $body };
}

sub media_type {
	my ($type) = @_;
	$type =~ s/\s*;.*//s;
	return lc $type;
}

# ---- the request against what is said about it

# Validates, and keeps the marks until it is clear that they count.
sub validate {
	my ($side, $pointer, $value, $problems, $seen) = @_;
	my $run = openapi_validate($document, $pointer, $value);
	push @$problems, @{ $run->{problems} };
	push @$seen, map { "$side $_" } keys %{ $run->{marks} };
}

# An object, in a query, stands for all of its parameters that are not described by themselves.
sub take_value {
	my ($parameter, $given) = @_;
	return delete $given->{"$parameter->{in} $parameter->{name}"} if ($parameter->{schema}{type} // '') ne 'object';
	my %rest = map { (substr($_, 6) => delete $given->{$_}) } grep { /^query / } keys %$given;
	return %rest ? \%rest : undef;
}

sub check_parameters {
	my ($said, $problems, $seen) = @_;
	my %given = map { ("query $_->[0]" => $_->[1]) } form_pairs($said->{query} // '');
	$given{"path $_"} = percent_decode($said->{values}{$_}) for keys %{ $said->{values} };
	for my $pointer (openapi_parameters($document, $said->{pointer}, $said->{operation})) {
		my $parameter = openapi_node($document, $pointer);
		my $value = take_value($parameter, \%given);
		push @$problems, "$parameter->{name} is required" if $parameter->{required} and !defined $value;
		next unless defined $value;
		push @$seen, "parameter $said->{name} $parameter->{name}";
		validate('request', "$pointer/schema", openapi_typed($document, "$pointer/schema", $value), $problems, $seen);
	}
	push @$problems, "$_ is not described" for sort keys %given;
}

sub form_value {
	my ($schema, $text) = @_;
	my $place = openapi_follow($document, $schema) . '/properties';
	my $properties = openapi_node($document, $place);
	my %value = map { @$_ } form_pairs($text);
	$value{$_} = openapi_typed($document, "$place/$_", $value{$_}) for grep { $properties->{$_} } keys %value;
	return \%value;
}

sub check_body {
	my ($said, $call, $problems, $seen) = @_;
	my $body = "$said->{operation}/requestBody";
	my $has_body = openapi_node($document, $said->{operation})->{requestBody};
	return unless $has_body;
	return push @$problems, 'there is no body' unless length($call->{body} // '');
	my ($type) = map { /^Content-Type: (.*)/i ? media_type($1) : () } @{ $call->{fields} };
	my $schema = openapi_below($body, 'content', $type, 'schema');
	return push @$problems, "the type $type is not described" unless $has_body->{content}{$type};
	push @$seen, "body $said->{name} $type";
	return validate('request', $schema, form_value($schema, $call->{body}), $problems, $seen) if $type eq $FORM;
	my $value = eval { [$JSON->decode($call->{body})] } or return push @$problems, 'the body is not JSON';
	validate('request', $schema, $value->[0], $problems, $seen);
}

# Where the description wants a key, nothing succeeds without one.
sub check_access {
	my ($said, $call, $problems, $seen) = @_;
	my $access = has_field($call, 'Authorization') ? 'with' : 'without';
	push @$problems, 'a key is described as needed, and is not'
		if $access eq 'without' and !openapi_allows($document, $said->{operation})->{without};
	push @$seen, "access $said->{name} $access a key";
}

# Whether the description takes the request must agree with whether the server does, where it can.
sub request_problems {
	my ($said, $call, $status) = @_;
	my (@problems, @seen);
	return unless $said->{operation} and ($status < 400 or $status == 400 or $status == 415);
	check_access($said, $call, \@problems, \@seen) if $status < 400;
	check_parameters($said, \@problems, \@seen);
	check_body($said, $call, \@problems, \@seen);
	my $is_good = ($status < 400) != ($call->{differs} // 0);
	return @problems ? () : 'the request is described as good' unless $is_good;
	$marks{$_} = 1 for $status < 400 ? @seen : ();
	return map { "the request: $_" } @problems;
}

# ---- the answer against what is said about it

sub check_headers {
	my ($response, $name, $answer, $problems, $seen) = @_;
	my $headers = openapi_node($document, $response)->{headers} // {};
	my %given = %{ $answer->{headers} };
	for my $field (sort keys %$headers) {
		my $header = openapi_follow($document, openapi_below($response, 'headers', $field));
		my $value = delete $given{ lc $field };
		push @$problems, "$field is missing" if !defined $value and openapi_node($document, $header)->{required};
		next unless defined $value;
		push @$seen, "header $name $field";
		validate('response', "$header/schema", openapi_typed($document, "$header/schema", $value), $problems, $seen);
	}
	push @$problems, "the header $_ is not described" for grep { !$COMMON{$_} } sort keys %given;
}

sub check_content {
	my ($response, $name, $call, $answer, $problems, $seen) = @_;
	my $content = openapi_node($document, $response)->{content};
	my ($type, $body) = @$answer{qw(type body)};
	push @$problems, 'HEAD has a body' if $call->{method} eq 'HEAD' and length $body;
	return push @$problems, $content ? () : "a body or type is not described" if !$content and length "$type$body";
	return unless $content;
	return push @$problems, "the type '$type' is not described" unless $content->{$type};
	push @$seen, "content $name $type";
	return if $call->{method} eq 'HEAD';
	my $value = $body;
	utf8::decode($value) or push @$problems, 'the body is not UTF-8';
	if ($type eq 'application/json') {
		return push @$problems, 'the body is not JSON' unless eval { $value = $JSON->decode($body); 1 };
		$next = $value->{next} if ref $value eq 'HASH' and defined $value->{next};
	}
	validate('response', openapi_below($response, 'content', $type, 'schema'), $value, $problems, $seen);
}

sub answer_problems {
	my ($said, $call, $answer) = @_;
	my (@problems, @seen);
	my $status = $answer->{status};
	my $name = "$said->{name} $status";
	return "$status is not described" unless openapi_node($document, $said->{responses})->{$status};
	my $response = openapi_follow($document, openapi_below($said->{responses}, $status));
	push @seen, "status $name";
	check_headers($response, $name, $answer, \@problems, \@seen);
	check_content($response, $name, $call, $answer, \@problems, \@seen);
	$marks{$_} = 1 for @problems ? () : @seen;
	return @problems;
}

# What every answer keeps to, as bulk.pl knows it; of an error of the server it only says that it is one.
sub faults {
	my ($answer) = @_;
	return grep { $_ ne 'none' and ($_ ne 'server-error' or $answer->{status} !~ /^50[03]$/) } split /,/, $answer->{faults};
}

sub report {
	my ($name, @problems) = @_;
	s/[\t\n\r]+/ /g for $name, @problems;
	print @problems ? "fail $name\t" . join('; ', @problems) : "pass $name", "\n";
}

sub try_call {
	my ($call) = @_;
	my $answer = exchange($call);
	my $said = openapi_find($document, $call->{method}, $call->{target});
	my @problems = faults($answer);
	push @problems, "answered $answer->{status}, not $call->{status}: " . substr $answer->{body}, 0, 200
		if $call->{status} ne $answer->{status};
	for my $field (sort keys %{ $call->{wants} // {} }) {
		my $value = $answer->{headers}{ lc $field } // 'missing';
		push @problems, "$field is $value, not $call->{wants}{$field}" if $value ne $call->{wants}{$field};
	}
	push @problems, $said
		? (request_problems($said, $call, $answer->{status}), answer_problems($said, $call, $answer))
		: 'the path is not described';
	report("$call->{name}: $call->{status}", @problems);
}

sub has_field {
	my ($call, $name) = @_;
	return grep { /^\Q$name\E:/i } @{ $call->{fields} };
}

# Each call with its variants.
sub try_calls {
	my ($call) = @_;
	push @{ $call->{fields} }, 'Content-Type: application/json' if defined $call->{body} and !has_field($call, 'Content-Type');
	my @methods = $call->{method} eq 'GET' ? qw(GET HEAD) : $call->{method};
	my @accepts = $call->{status} ge '400' && !has_field($call, 'Accept') ? ([], [$PAGE]) : [];
	for my $method (@methods) {
		for my $accept (@accepts) {
			my $shown = substr $call->{body} // '', 0, 100;
			try_call({
				%$call, method => $method, fields => [@{ $call->{fields} }, @$accept],
				name => join ' ', $method, $call->{target}, $call->{words} // '', @$accept ? 'html' : (), $shown,
			});
		}
	}
}

# ---- where the calls come from

sub expand {
	my ($text) = @_;
	$text =~ s/<front>/$front/g;
	$text =~ s/<next>/percent_encode($next \/\/ '')/ge;
	$text =~ s/<([^<>*]+)\*(\d+)>/$1 x $2/ge;
	return $text;
}

sub calls {
	while (my $line = <STDIN>) {
		chomp $line;
		next if $line =~ /^(?:#|$)/;
		my ($status, $request, $words, $body) = split /\|/, $line, 4;
		my $differs = $status =~ s/\*$// ? 1 : 0;
		my ($method, $target) = split / /, $request, 2;
		try_calls({
			status => $status, differs => $differs, method => $method, target => expand($target), words => $words,
			fields => [map { $FIELDS{$_} // die "no such word: $_\n" } split / /, $words // ''],
			body => defined $body ? expand($body) : undef,
		});
	}
}

# A target of the path, made of the parameters' examples; with the query's when there is an operation.
sub example_target {
	my ($path, $operation) = @_;
	my $pointer = openapi_below('#/paths', $path);
	my ($target, @query) = $path;
	for my $place (openapi_parameters($document, $pointer, $operation // $pointer)) {
		my $parameter = openapi_node($document, $place);
		my $value = $parameter->{example} // $parameter->{schema}{default};
		$target =~ s/\{\Q$parameter->{name}\E\}/$value/ if $parameter->{in} eq 'path';
		push @query, "$parameter->{name}=$value" if $parameter->{in} eq 'query' and defined $value;
	}
	return $operation && @query ? "$target?" . join '&', @query : $target;
}

sub generated {
	for my $path (sort keys %{ $document->{root}{paths} }) {
		my $target = example_target($path);
		my $has = openapi_find($document, 'GET', $target)->{methods};
		for my $method (qw(GET HEAD POST PUT PATCH DELETE OPTIONS)) {
			my $operation = $document->{root}{paths}{$path}{ lc $method };
			my %call = (method => $method, target => $target, $method =~ /^P/ ? (body => '') : ());
			try_calls({ %call, status => 405, fields => [], wants => { Allow => join ', ', @$has } }) unless $operation;
			try_without_key(\%call) if $operation and grep { $_->{bearer} } @{ $operation->{security} // [] };
		}
	}
}

# A request that needs a key is not looked at without one; where none is needed, a wrong one is refused.
sub try_without_key {
	my ($call) = @_;
	my $operation = openapi_find($document, $call->{method}, $call->{target})->{operation};
	my %wants = (wrong => 'Bearer error="invalid_token"', revoked => 'Bearer error="invalid_token"');
	%wants = (%wants, '' => 'Bearer', basic => 'Bearer')
		unless grep { !%$_ } @{ openapi_node($document, $operation)->{security} };
	for my $word (sort keys %wants) {
		my %wanted = ('WWW-Authenticate' => $wants{$word});
		my @fields = map { $FIELDS{$_} } grep { length } $word;
		try_calls({ %$call, status => 401, words => $word, fields => \@fields, wants => \%wanted });
	}
}

# How `encoding` writes a form.
sub form_text {
	my ($value) = @_;
	my %text = map { ($_ => ref $value->{$_} eq 'ARRAY' ? join ',', @{ $value->{$_} } : "$value->{$_}") } keys %$value;
	return join '&', map { "$_=" . percent_encode($text{$_}) } sort keys %text;
}

sub examples {
	for my $path (sort keys %{ $document->{root}{paths} }) {
		for my $method (qw(get post patch)) {
			my $operation = $document->{root}{paths}{$path}{$method} or next;
			my $target = example_target($path, openapi_below('#/paths', $path, $method));
			my $success = (grep { /^[23]/ } sort keys %{ $operation->{responses} })[0];
			my %call = (method => uc $method, target => $target, words => 'key', fields => [$FIELDS{key}]);
			try_calls({ %call, status => $path eq '/{id}' ? 302 : $success }) if $method eq 'get';
			try_examples(\%call, $operation->{requestBody}{content} // {});
		}
	}
}

sub try_examples {
	my ($call, $content) = @_;
	for my $type (sort keys %$content) {
		for my $name (sort keys %{ $content->{$type}{examples} }) {
			my $value = $content->{$type}{examples}{$name}{value};
			my $status = $call->{target} eq '/api/links' && ref $value eq 'HASH' ? 201 : 200;
			my $body = $type eq $FORM ? form_text($value) : $JSON->encode($value);
			try_calls({ %$call, status => $status, fields => [$FIELDS{key}, "Content-Type: $type"], body => $body });
		}
	}
}

sub write_marks {
	my ($file) = @_;
	open my $handle, '>>', $file or die "$file: $!\n";
	print $handle "$_\n" for sort keys %marks;
	close $handle or die "$file: $!\n";
}

my ($action, $file, @arguments) = @ARGV;
my %actions = (calls => \&calls, generated => \&generated, examples => \&examples);
die "Usage: see the head of openapi.pl\n" unless @arguments == 3 and $actions{$action};
$| = 1;
$document = openapi_read($file);
$front = $arguments[0];
open_bulk($arguments[1]);
$actions{$action}->();
write_marks($arguments[2]);
