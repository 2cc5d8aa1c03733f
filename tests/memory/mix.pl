# What the soak asks for: all that clients send, good and bad, in a random order. Read by soak.pl.
#
#   mix_begin(KEY)   sets the key that is good, and the random numbers, which are the same in each run
#   mix_next()       returns the next request: { text, expected, is_head, note }; expected is the status of its answer,
#                    and note, where it is there, is called with the body of the answer
#
# The links Soak… are there before: soak.t makes them. Others come from the answers.
use strict;
use warnings;

my $SERVICE = 'http://test.short/';
my $BODY_MAX = 65536;
my $ALPHABET = join '', 'a' .. 'z', 'A' .. 'Z', 0 .. 9, '_-';
# Few: visits are kept in memory until they are written, a place for each link, and that is to be the same soon.
my $IDS_MAX = 300;

my $JSON = 'Content-Type: application/json';
my $FORM = 'Content-Type: application/x-www-form-urlencoded';

my ($key, @kinds, %cursors);
my $number = 0;
# Ids that redirect; those that the management calls change; those that may be deleted; those that end with their
# first visit; those that have ended.
my @plain = 'SoakEnds';
my @managed = 'SoakTaken';
my (@deletable, @once);
my @ended = qw(SoakExpired SoakDisabled SoakDeleted SoakUsedUp);

sub one_of { return $_[rand @_] }
sub random_text { my ($size) = @_; return join '', map { substr $ALPHABET, rand length $ALPHABET, 1 } 1 .. $size }
sub lines { return split /\n/, $_[0] }

sub url {
	my ($size) = @_;
	my $start = 'http://soak.example/' . $number++ . '/';
	return $start . 'u' x ($size - length $start);
}

# A member of an object.
sub srcurl { my ($size) = @_; return '"srcUrl":"' . url($size // 40 + int rand 211) . '"' }

# Once there are enough, a new one replaces any, now and then.
sub keep {
	my ($ids, $id) = @_;
	if (@$ids < $IDS_MAX) {
		push @$ids, $id;
	} elsif (rand() < 0.02) {
		$ids->[rand @$ids] = $id;
	}
}

sub id_of { return $_[0] =~ m{"shortenedUrl":"\Q$SERVICE\E([^"]+)"} ? $1 : die "no short URL: $_[0]\n" }
sub note_plain { keep(\@plain, id_of($_[0])) }

sub request {
	my ($expected, $method, $target, $fields, $body, $note) = @_;
	my $text = "$method $target HTTP/1.1\r\nHost: test.short\r\n";
	$text .= "$_\r\n" for @$fields;
	$text .= 'Content-Length: ' . length($body) . "\r\n" if defined $body;
	return { text => "$text\r\n" . ($body // ''), expected => $expected, is_head => $method eq 'HEAD', note => $note };
}

sub post {
	my ($expected, $body, $note) = @_;
	return request($expected, 'POST', '/shorten', [$JSON], $body, $note);
}

sub post_with_key {
	my ($expected, $body, $note) = @_;
	return request($expected, 'POST', '/shorten', ["Authorization: Bearer $key", $JSON], $body, $note);
}

sub api {
	my ($expected, $method, $target, $body, $note) = @_;
	return request($expected, $method, "/api/links$target", ["Authorization: Bearer $key", $JSON], $body, $note);
}

# ---- new links

sub shorten { return post(200, '{' . srcurl() . '}', \&note_plain) }
sub shorten_form { return request(200, 'POST', '/shorten', [$FORM], 'srcUrl=' . url(100), \&note_plain) }
# A body of any size that may be, most of which is blank.
sub shorten_padded { return post(200, '{' . srcurl() . ' ' x rand($BODY_MAX - 300) . '}', \&note_plain) }
sub reuse { return post(200, '{"srcUrl":"http://reuse.example/' . int(rand 500) . '","reuse":true}', \&note_plain) }

sub shorten_non_ascii {
	return post(200, qq({"srcUrl":"http://b\xc3\xbccher.example/\xe2\x82\xac \\u00e9\\ud83d\\ude00?$number"}), \&note_plain);
}

# Of each, one value at most. The last one is for what may answer with another link.
my @options = (
	['"title":"a title"', '"title":"' . '\\u00e9' x 300 . '"'],
	['"tags":["a","b","c"]', '"tags":["' . join('","', 'aa' .. 'at') . '"]'],
	['"expires":"2999-12-31T23:59:59+01:00"'],
	['"validFrom":"2020-01-01T00:00:00Z"'],
	['"maxVisits":1000000'],
	['"redirectStatus":307'],
	['"forwardQuery":true'],
	['"reuse":true'],
);

sub link_body {
	my $last = shift // $#options;
	return '{' . join(',', srcurl(), map { rand() < 0.4 ? one_of(@$_) : () } @options[0 .. $last]) . '}';
}

sub shorten_with_key { return post_with_key(200, link_body()) }
sub slug { return post_with_key(200, qq({"slug":"s$number",) . srcurl() . '}', \&note_plain) }
sub slug_taken { return post_with_key(409, '{"slug":"SoakTaken",' . srcurl() . '}') }

my @bad_elements = ('{"srcUrl":"ftp://x/"}', '5', '{}', '{"srcUrl":"http://x.example/","slug":"SoakTaken"}');

sub bulk {
	my $body = '[' . join(',', map { rand() < 0.2 ? one_of(@bad_elements) : link_body() } 1 .. 1 + rand 20) . ']';
	return rand() < 0.5 ? post_with_key(200, $body) : api(200, 'POST', '', $body);
}

sub bulk_large { return post_with_key(200, '[' . join(',', map { '{' . srcurl(50) . '}' } 1 .. 100 + rand 200) . ']') }

# ---- visits

my @visitors = (
	[], [], [],
	[
		'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0', 'Accept: text/html',
		'Referer: https://news.example/1',
	],
	['User-Agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
	['Sec-Purpose: prefetch'],
	['DNT: 1'],
	['Sec-GPC: 1', 'Referer: ' . 'r' x 1500],
);

sub visit {
	my ($expected, $id) = @_;
	return request($expected, rand() < 0.15 ? 'HEAD' : 'GET', "/$id", one_of(@visitors));
}

sub visit_known { return visit(302, one_of(@plain)) }
sub visit_moved { return visit(301, 'SoakMoved') }
sub visit_later { return visit(404, 'SoakLater') }
sub visit_with_query { return visit(302, 'SoakForward?' . 'q' x (1 + rand 1500)) }
sub visit_unknown { return visit(404, random_text(10)) }
sub visit_any_unknown { return visit(404, random_text(1 + int rand 64)) }
sub visit_ended { return visit(410, one_of(@ended)) }

# The one visit it has, and afterwards it has ended.
sub visit_once {
	my $id = shift @once // return api(201, 'POST', '', '{"maxVisits":1,' . srcurl() . '}', sub { push @once, id_of($_[0]) });
	return request(302, 'GET', "/$id", [], undef, sub { keep(\@ended, $id) });
}

# ---- management

sub note_managed {
	my $id = id_of($_[0]);
	return keep(\@managed, $id) if rand() < 0.5 or @deletable >= $IDS_MAX;
	push @deletable, $id;
}

my @changes = ((map { @$_ } @options[0 .. $#options - 1]), lines(<<'END'), '');
"title":null
"tags":[]
"expires":null
"validFrom":null
"maxVisits":null
"redirectStatus":null
"forwardQuery":false
"enabled":false
"enabled":true
"srcUrl":"http://changed.example/"
END

my @ranges = ('', '?by=day', '?from=2026-01-01&to=2030-01-01');

sub api_create { return api(201, 'POST', '', link_body($#options - 1), \&note_managed) }
sub api_edit { return api(200, 'PATCH', '/' . one_of(@managed), '{' . one_of(@changes) . '}') }
sub api_edit_unknown { return api(404, 'PATCH', '/' . random_text(12), '{"title":"x"}') }
sub api_edit_ended { return api(410, 'PATCH', '/SoakDeleted', '{"title":"x"}') }
sub api_show { return api(200, one_of('GET', 'GET', 'HEAD'), '/' . one_of(@managed)) }
sub api_show_unknown { return api(404, 'GET', '/' . random_text(12)) }
sub api_visits { return api(200, 'GET', '/' . one_of(@plain) . '/visits' . one_of(@ranges)) }

sub api_delete {
	my $id = shift @deletable // return api_create();
	return api(204, 'DELETE', "/$id", undef, sub { keep(\@ended, $id) });
}

# A page, or the next one where there is one.
sub api_list {
	my $order = 'sort=' . one_of('created', 'visits', 'lastAccessed') . one_of('', '', '', '&tag=b');
	my $limit = one_of(1, 10, 50, 50, 50, 200, 500);
	my $after = defined $cursors{$order} ? "&after=$cursors{$order}" : '';
	my $note = sub { $cursors{$order} = $_[0] =~ /"next": ?"([^"]+)"/ ? $1 : undef };
	return api(200, 'GET', "?$order&limit=$limit$after", undef, $note);
}

my @searches = ('soak', 'a+title', '%C3%A9', '%25', 'changed.example', 's1');
my @pages = ('/', '/app/style.css', '/api/openapi.json', '/hello', '/healthz', '/readyz');

sub api_search { return api(200, 'GET', '?limit=20&search=' . one_of(@searches)) }
sub page { return request(200, one_of('GET', 'HEAD'), one_of(@pages), []) }

# ---- what is wrong

my @bad_bodies = (lines(<<'END'), '', ' ', "\0", "\xff\xfe", "{\"srcUrl\":\"http://x.example/\xff\"}", '[' x 5000);
{
[
[1
}
nul
null
5
"x"
{}
{"srcUrl":5}
{"srcUrl":null}
{"srcUrl":""}
{"srcUrl":[]}
{"srcUrl":"ftp://x/"}
{"srcUrl":"http://"}
{"srcUrl":"http://a b/"}
{"srcUrl":"http://[::1/"}
{"srcUrl":"http://x:70000/"}
{"srcUrl":"http://test.short/x"}
{"srcUrl":"http://x.example/","srcUrl":"http://x.example/"}
{"srcUrl":"http://x.example/","nope":1}
{"srcUrl":"http://x.example/"}x
{"srcUrl":"http://x.example/"
{"srcUrl":"http://x.example/	"
{"srcUrl":"http://x.example/\ud800"}
{"srcUrl":"http://x.example/\u0000"}
{"srcUrl":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}
END

my @bad_slugs = ('"slug":"a b"', '"slug":"api"', '"slug":5');
my @bad_options = (lines(<<'END'), '"title":"' . 'x' x 501 . '"', '"tags":["' . 'x' x 65 . '"]');
"title":5
"title":"a","title":"b"
"tags":5
"tags":["a,b"]
"tags":["x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x","x"]
"expires":"tomorrow"
"validFrom":5
"validFrom":"2021-01-01T00:00:00Z","expires":"2020-01-01T00:00:00Z"
"maxVisits":0
"maxVisits":1.5
"redirectStatus":303
"forwardQuery":"yes"
"unknown":{"a":[1,2,{"b":null}]}
END

my @bad_forms = ('x', 'srcUrl=', 'srcUrl=%zz', 'srcUrl=ftp://x/', 'a=b&' x 200, 'srcUrl=http://x.example/&nope=1');
my @bad_lists = (qw(limit=0 limit=501 limit=x sort=x after=x nope=1 tag=%zz), 'search=' . 'x' x 201);
my @bad_ranges = qw(from=x by=hour from=2026-02-30 from=2020-01-01&to=2019-01-01 nope=);

sub bad_body { return post(400, one_of(@bad_bodies)) }
sub bad_form { return request(400, 'POST', '/shorten', [$FORM], one_of(@bad_forms)) }
sub bad_option { return api(400, 'POST', '', '{"srcUrl":"http://x.example/",' . one_of(@bad_slugs, @bad_options) . '}') }
sub bad_edit { return api(400, 'PATCH', '/' . one_of(@managed), one_of('', '{', '[]', map { "{$_}" } @bad_slugs, @bad_options)) }
sub bad_list { return api(400, 'GET', '?' . one_of(@bad_lists)) }
sub bad_visits { return api(400, 'GET', '/SoakEnds/visits?' . one_of(@bad_ranges)) }

# Of any size up to the limit: a URL that is too long, or none, and what is no JSON.
sub bad_long {
	my $start = one_of('{"srcUrl":"http://x.example/', '{"srcUrl":"\\u00e9', '[[');
	return post(400, $start . 'x' x (300 + rand($BODY_MAX - 400)) . one_of('', '"}', '"]'));
}

# What is small as a text and large as objects.
sub bad_nested { return post(400, '{"srcUrl":"http://x.example/","x":[' . join(',', ('{}') x (1 + rand 20_000)) . ']}') }

sub too_large {
	my $body = 'x' x ($BODY_MAX + 1 + rand 200_000);
	return rand() < 0.5 ? post(413, $body) : api(413, 'POST', '', $body);
}

my @any_paths = qw(/shorten /hello /api/links /SoakEnds);

sub wrong_type { return request(415, 'POST', '/shorten', ['Content-Type: text/plain'], '{"srcUrl":"http://x.example/"}') }
sub no_type { return request(415, 'POST', '/shorten', [], '{"srcUrl":"http://x.example/"}') }
sub wrong_method { return request(405, one_of('PUT', 'DELETE', 'PATCH', 'OPTIONS'), one_of(@any_paths), []) }
sub wrong_path { return visit(404, one_of('a/b', 'api/x', 'app/x', '%C3%A9', 'x' x (65 + rand 3000))) }
sub option_without_key { return post(401, '{"srcUrl":"http://x.example/","slug":"x"}') }

my @calls = (['POST', '/api/links'], ['GET', '/api/links'], map { [$_, '/api/links/SoakEnds'] } 'GET', 'HEAD', 'DELETE', 'PATCH');

sub wrong_key {
	my $wrong = one_of(random_text(43), 'x', 'x' x 2000);
	my ($method, $target) = one_of(@calls, ['POST', '/shorten'])->@*;
	return request(401, $method, $target, ["Authorization: Bearer $wrong", $JSON], $method =~ /^P/ ? link_body() : undef);
}

sub no_key {
	my ($method, $target) = one_of(@calls)->@*;
	return request(401, $method, $target, one_of([$JSON], ['Authorization: Basic eDp4', $JSON]), $method =~ /^P/ ? '{}' : undef);
}

# ---- the mix

# How many of about a thousand requests are of this kind.
my @shares = (
	160 => \&shorten, 40 => \&shorten_form, 20 => \&shorten_non_ascii, 12 => \&shorten_padded, 15 => \&reuse,
	30 => \&shorten_with_key, 15 => \&slug, 10 => \&slug_taken, 4 => \&bulk, 1 => \&bulk_large,
	245 => \&visit_known, 10 => \&visit_moved, 10 => \&visit_later, 20 => \&visit_with_query, 5 => \&visit_once,
	50 => \&visit_unknown, 10 => \&visit_any_unknown, 20 => \&visit_ended, 24 => \&page,
	40 => \&api_create, 30 => \&api_edit, 5 => \&api_edit_unknown, 5 => \&api_edit_ended, 40 => \&api_show,
	10 => \&api_show_unknown, 15 => \&api_visits, 20 => \&api_delete, 10 => \&api_list, 1 => \&api_search,
	30 => \&bad_body, 5 => \&bad_form, 10 => \&bad_option, 10 => \&bad_edit, 5 => \&bad_list, 4 => \&bad_visits,
	6 => \&bad_long, 2 => \&bad_nested, 2 => \&too_large, 2 => \&wrong_type, 2 => \&no_type, 10 => \&wrong_method,
	10 => \&wrong_path, 5 => \&option_without_key, 15 => \&wrong_key, 5 => \&no_key,
);

sub mix_begin {
	($key) = @_;
	srand 1;
	while (my ($share, $make) = splice @shares, 0, 2) {
		push @kinds, ($make) x $share;
	}
}

sub mix_next { return $kinds[rand @kinds]->() }

1;
