# The requests of fastcgi.pl: how they are made, and the table of them.
use strict;
use warnings;

# ---- records (FastCGI specification 1.0, section 3.3)

my ($BEGIN, $ABORT, $PARAMS, $STDIN, $GET_VALUES) = (1, 2, 4, 5, 9);

sub record {
	my ($type, $content, %other) = @_;
	my ($version, $id, $size) = ($other{version} // 1, $other{id} // 1, $other{size} // length $content);
	my $padding = $other{filling} // "\xA5" x ($other{padding} // 0);
	return pack('CCnnCC', $version, $type, $id, $size, length $padding, 0) . $content . $padding;
}

sub begin {
	my (%other) = @_;
	return record($BEGIN, pack('nCx5', $other{role} // 1, $other{flags} // 0), %other);
}

# A stream in records of so many bytes, with the empty record at its end. libfcgi knows padding of those that are not
# empty only.
sub stream {
	my ($type, $content, %other) = @_;
	my $step = $other{step} // 65000;
	my @parts = unpack "(a$step)*", $content;
	return join '', (map { record($type, $_, %other) } @parts), record($type, '', %other, padding => 0);
}

sub pair {
	my ($name, $value) = @_;
	my @sizes = map { $_ < 128 ? pack 'C', $_ : pack 'N', $_ | 1 << 31 } length $name, length $value;
	return join '', @sizes, $name, $value;
}

# Lengths as they are given, in four bytes, whatever follows.
sub lengths {
	my ($name, $value) = @_;
	return pack 'NN', $name | 1 << 31, $value | 1 << 31;
}

sub pairs {
	my (@list) = @_;
	my $text = '';
	$text .= pair(splice @list, 0, 2) while @list;
	return $text;
}

sub get_pairs {
	my ($target) = @_;
	return pairs(REQUEST_METHOD => 'GET', REQUEST_URI => $target);
}

sub json {
	my ($url) = @_;
	return "{\"srcUrl\":\"$url\"}";
}

sub post_pairs {
	my ($url) = @_;
	return pairs(REQUEST_METHOD => 'POST', REQUEST_URI => '/shorten', CONTENT_TYPE => 'application/json',
		CONTENT_LENGTH => length json($url));
}

sub request {
	my ($pairs, $body, %other) = @_;
	return begin(%other, padding => 0) . stream($PARAMS, $pairs, %other) . stream($STDIN, $body, %other);
}

sub get {
	my ($target, %other) = @_;
	return request(get_pairs($target), '', %other);
}

sub post {
	my ($url, %other) = @_;
	return request(post_pairs($url), json($url), %other);
}

# Without its BEGIN_REQUEST.
sub rest {
	my ($request) = @_;
	return substr $request, 16;
}

# ---- the table: [NAME, OUTCOME, BYTES, whether the peer ends its side]

my $WHOLE = 'http://whole.example/';
my $BROKEN = 'http://broken.example/';
my $BODY = stream($STDIN, json($BROKEN));

# A request whose parameters are these, behind those of a POST.
sub post_with {
	my ($content) = @_;
	return begin() . stream($PARAMS, post_pairs($BROKEN) . $content) . $BODY;
}

sub framing_cases {
	my $values = record($GET_VALUES, pair('FCGI_MPXS_CONNS', '') x 8, id => 0);
	return (
		(map { ["padding of $_ bytes", 200, get('/hello', padding => $_)] } 0 .. 255),
		(map { ["a body with padding of $_ bytes", 200, post($WHOLE, padding => $_)] } 1, 7, 8, 255),
		(map { ["records of $_ bytes", 200, post($WHOLE, step => $_)] } 1, 2, 3, 7, 13),
		['records of 1 byte with padding of 255', 200, post($WHOLE, step => 1, padding => 255)],
		(map { ["the id $_", 200, post($WHOLE, id => $_)] } 2, 255, 256, 65535),
		['all flags but that to keep', 200, get('/hello', flags => 254)],
		(map { ["the role $_", 200, get('/hello', role => $_)] } 2, 3),
		(map { ["the role $_", 'closed', post($BROKEN, role => $_)] } 0, 4, 256, 65535),
		(map { ["padding of $_ bytes behind BEGIN_REQUEST", 'closed', begin(padding => $_) . rest(post($BROKEN))] }
			1, 8, 255),
		(map { ["padding of $_ bytes behind the end of PARAMS", 'closed',
			begin() . record($PARAMS, post_pairs($BROKEN)) . record($PARAMS, '', padding => $_) . $BODY] } 1, 8, 255),
		['padding behind the end of STDIN', 200,
			begin() . stream($PARAMS, get_pairs('/hello')) . record($STDIN, '', padding => 255)],
		['padding behind BEGIN_REQUEST with FCGI_GET_VALUES in it', 'closed',
			begin(filling => $values) . rest(post($BROKEN))],
		['noise behind a request', 200, get('/hello') . "\xFF" x 1000],
		['ABORT_REQUEST behind a request', 200, get('/hello') . record($ABORT, '')],
		['a second request behind the first', 200, post($WHOLE) . post($BROKEN)],
		['a body that is too large, without CONTENT_LENGTH', 413,
			request(post_pairs($BROKEN) =~ s/CONTENT_LENGTH/CONTENT_XXXXXX/r, 'x' x 1_000_000, step => 65535)],
		['a body of 65 MiB', 'closed', request(get_pairs('/hello'), 'x' x (65 << 20), step => 65535)],
	);
}

sub order_cases {
	my $params = stream($PARAMS, post_pairs($BROKEN));
	my $open_params = record($PARAMS, post_pairs($BROKEN));
	return (
		['no PARAMS at all', 'closed', begin() . $BODY],
		['no BEGIN_REQUEST', 'closed', $params . $BODY],
		['STDIN before PARAMS', 'closed', begin() . $BODY . $params],
		['STDIN within PARAMS', 'closed', begin() . $open_params . $BODY . record($PARAMS, '')],
		['PARAMS behind STDIN', 'closed',
			begin() . $params . record($STDIN, json($BROKEN)) . $params . record($STDIN, '')],
		['PARAMS behind their end', 'closed', begin() . $params . $params . $BODY],
		['the end of PARAMS twice', 'closed', begin() . $params . record($PARAMS, '') . $BODY],
		['ABORT_REQUEST at once', 'closed', begin() . record($ABORT, '') . $params . $BODY],
		['ABORT_REQUEST within PARAMS', 'closed',
			begin() . $open_params . record($ABORT, '') . record($PARAMS, '') . $BODY],
		['ABORT_REQUEST instead of a body', 'closed', begin() . $params . record($ABORT, '')],
		['ABORT_REQUEST within a body', 'closed',
			begin() . $params . record($STDIN, json($BROKEN)) . record($ABORT, '')],
		['BEGIN_REQUEST twice', 'closed', begin() . begin() . $params . $BODY],
		['BEGIN_REQUEST within PARAMS', 'closed', begin() . $open_params . begin() . record($PARAMS, '') . $BODY],
		['BEGIN_REQUEST within a body', 'closed', begin() . $params . begin() . $BODY],
		['a second request before the first has ended', 'closed', begin() . post($BROKEN, id => 2) . $params . $BODY],
		['another BEGIN_REQUEST', 'closed', begin() . begin(id => 2) . $params . $BODY],
		['PARAMS of another request', 'closed',
			begin() . stream($PARAMS, post_pairs($BROKEN), id => 2) . $params . $BODY],
		['a body of another request', 'closed', begin() . $params . stream($STDIN, json($BROKEN), id => 2)],
	);
}

sub record_cases {
	my @heads = (['first', ''], ['second', begin()], ['behind PARAMS', begin() . stream($PARAMS, post_pairs($BROKEN))]);
	my @cases;
	for my $head (@heads) {
		my ($where, $bytes) = @$head;
		my $case = sub {
			my ($name, $record, $ends) = @_;
			push @cases, ["$name, $where", 'closed', $bytes . $record, $ends];
		};
		$case->("the type $_", record($_, '12345678') . $BODY) for 0, 2, 3, 6 .. 11, 255;
		$case->("the type $_ without an id", record($_, '', id => 0) . $BODY) for 0 .. 11, 255;
		$case->("the version $_", record($STDIN, 'x', version => $_) . $BODY) for 0, 2, 255;
		my $type = $bytes eq '' ? $BEGIN : $PARAMS;
		$case->("a record that lacks $_ bytes", record($type, '12345678', size => 8 + $_), 1) for 1, 100, 65527;
		$case->('padding that does not come', record($type, '') =~ s/..\z/\xFF\0/sr, 1);
	}
	my $begin = "\0\1" . "\0" x 65533;
	my $rest = rest(post($BROKEN));
	return @cases, map { ["BEGIN_REQUEST of $_ bytes", 'closed', record($BEGIN, substr $begin, 0, $_) . $rest] }
		0, 1, 7, 9, 65535;
}

# libfcgi 2.4.2 answers FCGI_GET_VALUES into an array for three of its names, and only when more bytes have come.
sub values_cases {
	my $name = pair('FCGI_MPXS_CONNS', '');
	my @lists = (['no name', ''], ['1 name', $name], ['3 names', $name x 3], ['4 names', $name x 4],
		['1000 names', $name x 1000], ['unknown names', pair('NO_SUCH_NAME', '') x 100],
		['lengths that do not fit', lengths(1 << 30, 1 << 30)], ['lengths of INT_MAX', lengths(0x7FFFFFFF, 0x7FFFFFFF)]);
	return map {
		my ($name, $content) = @$_;
		my $record = record($GET_VALUES, $content, id => 0, padding => -length($content) % 8);
		["FCGI_GET_VALUES of $name", 'closed', $record . post($BROKEN)],
		["FCGI_GET_VALUES of $name within a request", 'closed', begin() . $record . rest(post($BROKEN))];
	} @lists;
}

sub lengths_cases {
	my @cases = map {
		my ($name, @sizes) = @$_;
		[$name, 'closed', post_with(lengths(@sizes) . 'ab')],
		["$name, across two records", 'closed',
			begin() . record($PARAMS, post_pairs($BROKEN) . substr lengths(@sizes), 0, 5)
				. stream($PARAMS, substr(lengths(@sizes), 5) . 'ab') . $BODY];
	} ['a name of INT_MAX bytes', 0x7FFFFFFF, 0], ['a value of INT_MAX bytes', 0, 0x7FFFFFFF],
		['both of INT_MAX bytes', 0x7FFFFFFF, 0x7FFFFFFF], ['both one byte less', 0x7FFFFFFE, 0x7FFFFFFE],
		['both of half as many', 1 << 30, 1 << 30], ['both of a quarter', 1 << 29, 1 << 29],
		['a sum of INT_MAX', 0x7FFFFFFE, 1], ['a sum of INT_MAX with the NULs', 0x7FFFFFFC, 1],
		['a name past the end of the stream', 3, 0], ['a value past the end of the stream', 1, 2],
		['a value far past the end', 1, 1 << 20];
	return (
		@cases,
		(map { ["PARAMS that end behind " . length($_) . ' bytes of a pair', 'closed', post_with($_)] }
			"\1", "\1\1", "\1\1a", "\x80", "\x80\0\0", "\1\x80\0", "\x80\0\0\1\x80\0\0\1a"),
	);
}

# Parameters may be odd and yet no harm.
sub parameters_cases {
	my $hello = get_pairs('/hello');
	my $length = length json($WHOLE);
	my @post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/shorten', CONTENT_TYPE => 'application/json');
	my $whole = stream($STDIN, json($WHOLE));
	my $long = 'x' x 100_000;
	return (
		['empty PARAMS', 405, request('', '')],
		['no REQUEST_URI', 200, request(pairs(REQUEST_METHOD => 'GET'), '')],
		['no REQUEST_METHOD', 405, request(pairs(REQUEST_URI => '/hello'), '')],
		['empty values', 405, request(pairs(REQUEST_METHOD => '', REQUEST_URI => ''), '')],
		['lengths in four bytes where one would do', 200,
			request(lengths(14, 3) . 'REQUEST_METHODGET' . pairs(REQUEST_URI => '/hello'), '')],
		['30,000 parameters', 200, request($hello . join('', map { pair("HTTP_X_$_", "value $_") } 1 .. 30000), '')],
		['500,000 empty parameters', 200, request($hello . "\0\0" x 500_000, '')],
		['a value of 1,000,000 bytes', 200, request($hello . pair(HTTP_X => 'x' x 1_000_000), '')],
		['a name of 1,000,000 bytes', 200, request($hello . pair('X' x 1_000_000, ''), '')],
		['a value of 2 MiB', 'closed', request(post_pairs($BROKEN) . pair(HTTP_X => 'x' x (2 << 20)), json($BROKEN))],
		['1000 values of 8 KiB', 'closed', request(post_pairs($BROKEN) . pair(HTTP_X => 'x' x 8192) x 1000, json($BROKEN))],
		['every byte in a name', 200, request($hello . join('', map { pair('HTTP_' . chr($_) . 'X', 'x') } 0 .. 255), '')],
		['every byte in a value', 200, request($hello . join('', map { pair('HTTP_X', 'x' . chr($_) . 'x') } 0 .. 255), '')],
		['an = in a name', 200, request(pairs(REQUEST_METHOD => 'GET', 'REQUEST_URI=/hello?' => 'x'), '')],
		['REQUEST_METHOD twice: the first counts', 200, request($hello . pairs(REQUEST_METHOD => 'POST'), '')],
		['REQUEST_URI twice: the first counts', 200, request($hello . pairs(REQUEST_URI => '/none'), '')],
		['CONTENT_LENGTH twice, the first is right', 200,
			request(pairs(@post, CONTENT_LENGTH => $length, CONTENT_LENGTH => 1), json($WHOLE))],
		['CONTENT_LENGTH twice, the first is wrong', 400,
			request(pairs(@post, CONTENT_LENGTH => 1, CONTENT_LENGTH => length json($BROKEN)), json($BROKEN))],
		['a body of which one byte is missing', 400, request(post_pairs($BROKEN), substr json($BROKEN), 0, -1)],
		['a body with one byte more', 400, request(post_pairs($BROKEN), json($BROKEN) . ' ')],
		['a target of 100,000 bytes', 404, get("/$long")],
		['a target of 100,000 slashes', 404, get('/' x 100_000)],
		['a target of 100,000 percent signs', 404, get('/' . '%' x 100_000)],
		['a query of 100,000 bytes', 200, get("/hello?$long")],
		['a cursor of 100,000 bytes', 401, get("/api/links?after=$long")],
		['a method of 100,000 bytes', 405, request(pairs(REQUEST_METHOD => $long, REQUEST_URI => '/hello'), '')],
		['a type of 100,000 bytes', 415, request(pairs(@post[0 .. 3], CONTENT_TYPE => $long), json($BROKEN))],
		(map { ["$_ of 100,000 bytes", 404, request(get_pairs('/unknown') . pairs($_ => 'a,;=q' x 20_000), '')] }
			qw(HTTP_ACCEPT HTTP_USER_AGENT HTTP_AUTHORIZATION HTTP_SEC_PURPOSE HTTP_PURPOSE)),
		['a key of 100,000 bytes', 401, request(get_pairs('/api/links') . pairs(HTTP_AUTHORIZATION => "Bearer $long"), '')],
	);
}

# The same noise every time.
sub noise_cases {
	my $state = 1;
	my $next = sub { $state = ($state * 1103515245 + 12345) & 0x7FFFFFFF; return chr($state >> 16 & 255) };
	my $noise = sub { my ($size) = @_; return join '', map { $next->() } 1 .. $size };
	return (
		(map { ["$_ bytes of noise", 'closed', $noise->($_), 1] } 1, 7, 8, 9, 100, 1000, 20_000),
		(map { ["$_ bytes of noise in PARAMS", 'closed', begin() . stream($PARAMS, "\xC0" . $noise->($_)) . $BODY, 1] }
			1, 8, 100, 20_000),
		(map { ["$_ bytes of noise behind BEGIN_REQUEST", 'closed', begin() . $noise->($_), 1] } 1, 8, 100, 20_000),
		['64 KiB of 0', 'closed', "\0" x 65536],
		['64 KiB of 255', 'closed', "\xFF" x 65536],
		['HTTP', 'closed', "POST /shorten HTTP/1.1\r\nHost: x\r\n\r\n" . json($BROKEN)],
		['TLS', 'closed', "\x16\3\1\2\0\1\0\1\xFC\3\3" . $noise->(500)],
		['nothing', 'closed', '', 1],
	);
}

sub cases {
	return (framing_cases(), order_cases(), record_cases(), values_cases(), lengths_cases(), parameters_cases(),
		noise_cases());
}

1;
