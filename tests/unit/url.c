/* Tests URLs: what is refused, what becomes of the rest, and loops. modules: url percent url_host utf8 */
#include "url.h"

#include "tap.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

/* Labels of 63 characters, and a name of 253 made of them. */
#define A_10 "aaaaaaaaaa"
#define A_60 A_10 A_10 A_10 A_10 A_10 A_10
#define LABEL_63 A_60 "aaa"
#define NAME_253 LABEL_63 "." LABEL_63 "." LABEL_63 "." A_60 "a"

/* One character of three bytes, which UTS 46 makes six of, as a label. */
#define LONG_LABEL "\xe3\x8c\x96."
#define FOUR_LABELS LONG_LABEL LONG_LABEL LONG_LABEL LONG_LABEL

static const struct {
	enum url_error error;
	const char *text;
	size_t text_size;
} refused[] = {
	{ URL_BAD_SCHEME, TEXT("") },
	{ URL_BAD_SCHEME, TEXT(" ") },
	{ URL_BAD_SCHEME, TEXT("h") },
	{ URL_BAD_SCHEME, TEXT("http") },
	{ URL_BAD_SCHEME, TEXT("http:/") },
	{ URL_BAD_SCHEME, TEXT("https:/") },
	{ URL_BAD_SCHEME, TEXT(" http://example.com/") },
	{ URL_BAD_SCHEME, TEXT("javascript:alert(1)") },
	{ URL_BAD_SCHEME, TEXT("javascript://example.com/%0Aalert(1)") },
	{ URL_BAD_SCHEME, TEXT("ftp://example.com/") },
	{ URL_BAD_SCHEME, TEXT("//example.com/") },
	{ URL_BAD_SCHEME, TEXT("example.com") },
	{ URL_BAD_SCHEME, TEXT("http:/example.com") },
	{ URL_BAD_SCHEME, TEXT("http:example.com") },
	{ URL_BAD_SCHEME, TEXT("http:\\\\example.com") },
	{ URL_BAD_SCHEME, TEXT("httpss://example.com") },
	{ URL_BAD_SCHEME, TEXT("data:text/html,x") },
	{ URL_BAD_SCHEME, TEXT("\xff") },
	{ URL_BAD_ENCODING, TEXT("http://example.com/\xff") },
	{ URL_BAD_ENCODING, TEXT("http://example.com/\xc0\xaf") },
	{ URL_BAD_ENCODING, TEXT("http://example.com/\xed\xa0\x80") },
	{ URL_BAD_ENCODING, TEXT("http://example.com/\xc3") },
	{ URL_BAD_ENCODING, TEXT("http://\xfc.example/\n") },
	{ URL_CONTROL, TEXT("http://example.com/\r\nSet-Cookie: a=b") },
	{ URL_CONTROL, TEXT("http://example.com/a\tb") },
	{ URL_CONTROL, TEXT("http://example.com/\0") },
	{ URL_CONTROL, TEXT("http://example.com/\x7f") },
	{ URL_CONTROL, TEXT("http://example.com/\x1f") },
	{ URL_CONTROL, TEXT("http://example.com/\xc2\x80") },
	{ URL_CONTROL, TEXT("http://example.com/\xc2\x9f") },
	{ URL_CONTROL, TEXT("http://exam\nple.com/") },
	{ URL_CONTROL, TEXT("http://us\ner@example.com/") },
	{ URL_CONTROL, TEXT("http://\t") },
	{ URL_NO_HOST, TEXT("http://") },
	{ URL_NO_HOST, TEXT("https://") },
	{ URL_NO_HOST, TEXT("http:///path") },
	{ URL_NO_HOST, TEXT("http://?q") },
	{ URL_NO_HOST, TEXT("http://#f") },
	{ URL_NO_HOST, TEXT("http://:80/") },
	{ URL_NO_HOST, TEXT("http://user@/") },
	{ URL_NO_HOST, TEXT("http://@") },
	{ URL_NO_HOST, TEXT("http://user@:80") },
	{ URL_BAD_HOST, TEXT("http://<b>x</b>/") },
	{ URL_BAD_HOST, TEXT("http://exa mple.com/") },
	{ URL_BAD_HOST, TEXT("http:// example.com/") },
	{ URL_BAD_HOST, TEXT("http://evil.example%00.example.com/") },
	{ URL_BAD_HOST, TEXT("http://ex%61mple.com/") },
	{ URL_BAD_HOST, TEXT("http://!\"$^()/path") },
	{ URL_BAD_HOST, TEXT("http://example.com\\@other.example/") },
	{ URL_BAD_HOST, TEXT("http://other.example\\.example.com/") },
	{ URL_BAD_HOST, TEXT("http://\\example.com/") },
	{ URL_BAD_HOST, TEXT("http://.") },
	{ URL_BAD_HOST, TEXT("http://.example.com/") },
	{ URL_BAD_HOST, TEXT("http://a..b/") },
	{ URL_BAD_HOST, TEXT("http://example.com../") },
	{ URL_BAD_HOST, TEXT("http://a.example,b.example/") },
	{ URL_BAD_HOST, TEXT("http://a*b/") },
	{ URL_BAD_HOST, TEXT("http://" LABEL_63 "a.example/") },
	{ URL_BAD_HOST, TEXT("http://" NAME_253 "a/") },
	{ URL_BAD_HOST, TEXT("http://" NAME_253 "a./") },
	{ URL_BAD_HOST, TEXT("http://" NAME_253 ".a/") },
	{ URL_BAD_HOST, TEXT("http://" NAME_253 NAME_253 NAME_253) },
	/* IP literals */
	{ URL_BAD_HOST, TEXT("http://[::1.2.3.]/") },
	{ URL_BAD_HOST, TEXT("http://[2001:db8:0:1]:80/") },
	{ URL_BAD_HOST, TEXT("http://[::1/") },
	{ URL_BAD_HOST, TEXT("http://[::1") },
	{ URL_BAD_HOST, TEXT("http://[") },
	{ URL_BAD_HOST, TEXT("http://[]") },
	{ URL_BAD_HOST, TEXT("http://]/") },
	{ URL_BAD_HOST, TEXT("http://a]/") },
	{ URL_BAD_HOST, TEXT("http://a[::1]/") },
	{ URL_BAD_HOST, TEXT("http://[::1]a/") },
	{ URL_BAD_HOST, TEXT("http://[::1]]/") },
	{ URL_BAD_HOST, TEXT("http://[[::1]]/") },
	{ URL_BAD_HOST, TEXT("http://[::1%25eth0]/") },
	{ URL_BAD_HOST, TEXT("http://[fe80::1%eth0]/") },
	{ URL_BAD_HOST, TEXT("http://[v1.a]/") },
	{ URL_BAD_HOST, TEXT("http://[127.0.0.1]/") },
	{ URL_BAD_HOST, TEXT("http://[0000:0000:0000:0000:0000:0000:0000:0000:0000]/") },
	{ URL_BAD_HOST, TEXT("http://[" A_60 "]/") },
	{ URL_BAD_HOST, TEXT("http://256.0.0.1/") },
	{ URL_BAD_HOST, TEXT("http://1.2.3.256/") },
	{ URL_BAD_HOST, TEXT("http://1.2.65536/") },
	{ URL_BAD_HOST, TEXT("http://1.16777216/") },
	{ URL_BAD_HOST, TEXT("http://4294967296/") },
	{ URL_BAD_HOST, TEXT("http://99999999999999999999999999999999/") },
	{ URL_BAD_HOST, TEXT("http://18446744073709551617/") },
	{ URL_BAD_HOST, TEXT("http://0x10000000000000001/") },
	{ URL_BAD_HOST, TEXT("http://0x100000000/") },
	{ URL_BAD_HOST, TEXT("http://1.2.3.4.5/") },
	{ URL_BAD_HOST, TEXT("http://1.2.3.08/") },
	{ URL_BAD_HOST, TEXT("http://09/") },
	{ URL_BAD_HOST, TEXT("http://example.1/") },
	{ URL_BAD_HOST, TEXT("http://example.0x1/") },
	{ URL_BAD_HOST, TEXT("http://example.1./") },
	/* Hosts that UTS 46 refuses, or that it turns into something which is no host */
	{ URL_BAD_HOST, TEXT("http://b\xc3\xbc cher.example/") },
	{ URL_BAD_HOST, TEXT("http://\xc2\xad/") },
	{ URL_BAD_HOST, TEXT("http://a\xef\xbc\x8f" "b/") },
	{ URL_BAD_HOST, TEXT("http://a\xef\xbc\x85" "2fb/") },
	{ URL_BAD_HOST, TEXT("http://a\xef\xbc\xa0" "b/") },
	{ URL_BAD_HOST, TEXT("http://a\xef\xbc\x9a" "80/") },
	{ URL_BAD_HOST, TEXT("http://\xef\xbc\xbb::1\xef\xbc\xbd/") },
	{ URL_BAD_HOST, TEXT("http://a\xe2\x84\x80" "b/") },
	{ URL_BAD_HOST, TEXT("http://a\xc2\xa0" "b/") },
	{ URL_BAD_HOST, TEXT("http://a\xef\xbf\xbd" "b/") },
	{ URL_BAD_HOST, TEXT("http://\xcc\x88" "a.example/") },
	{ URL_BAD_HOST, TEXT("http://a\xe2\x80\x8d" "b.example/") },
	{ URL_BAD_HOST, TEXT("http://\xd7\x90" "a.example/") },
	{ URL_BAD_HOST, TEXT("http://\xc3\xbc..example/") },
	{ URL_BAD_HOST, TEXT("http://\xc3\xbc.xn--a\xc3\xa4/") },
	{ URL_BAD_HOST, TEXT("http://\xc3\xbc" LABEL_63 ".example/") },
	{ URL_BAD_HOST, TEXT("http://\xc3\xbc." NAME_253 "/") },
	{ URL_BAD_HOST, TEXT("http://\xef\xbc\x92\xef\xbc\x95\xef\xbc\x96.0.0.1/") },
	{ URL_BAD_PORT, TEXT("http://example.com:65536/") },
	{ URL_BAD_PORT, TEXT("http://example.com:99999999999999999999/") },
	{ URL_BAD_PORT, TEXT("http://example.com:80a/") },
	{ URL_BAD_PORT, TEXT("http://example.com:-1/") },
	{ URL_BAD_PORT, TEXT("http://example.com:+80/") },
	{ URL_BAD_PORT, TEXT("http://example.com: 80/") },
	{ URL_BAD_PORT, TEXT("http://example.com:80:80/") },
	{ URL_BAD_PORT, TEXT("http://user:pass:80") },
	{ URL_BAD_PORT, TEXT("http://[::1]:65536/") },
	{ URL_BAD_PORT, TEXT("http://example.com:\xd9\xa3/") },
};

/* What a URL is taken apart into. Where a Location is given, the text is not written as it is. */
static const struct {
	const char *text;
	const char *user;
	const char *host;
	const char *host_name;
	int port;
	const char *rest;
	const char *location;
} accepted[] = {
	{ "http://example.com", NULL, "example.com", "example.com", -1, "", NULL },
	{ "http://example.com?", NULL, "example.com", "example.com", -1, "?", NULL },
	{ "http://example.com/#", NULL, "example.com", "example.com", -1, "/#", NULL },
	{ "https://a?b@c/", NULL, "a", "a", -1, "?b@c/", NULL },
	{ "https://a#b@c/", NULL, "a", "a", -1, "#b@c/", NULL },
	{ "HTTP://ExAmPlE.com/BLAH", NULL, "ExAmPlE.com", "example.com", -1, "/BLAH", NULL },
	{ "hTTpS://localhost:443/", NULL, "localhost", "localhost", 443, "/", NULL },
	{ "http://user:pass@example.com:8042/over/there?x=1#nose:@:@", "user:pass", "example.com", "example.com", 8042,
	  "/over/there?x=1#nose:@:@", NULL },
	{ "http://a@b@c/", "a@b", "c", "c", -1, "/", NULL },
	{ "http://@c/", "", "c", "c", -1, "/", NULL },
	{ "http://[a]:1@c/", "[a]:1", "c", "c", -1, "/", NULL },
	{ "http://example.com:/", NULL, "example.com", "example.com", -1, "/", NULL },
	{ "http://example.com:0/", NULL, "example.com", "example.com", 0, "/", NULL },
	{ "http://example.com:65535/", NULL, "example.com", "example.com", 65535, "/", NULL },
	{ "http://example.com:000000080/", NULL, "example.com", "example.com", 80, "/", NULL },
	{ "http://example.com./", NULL, "example.com.", "example.com", -1, "/", NULL },
	{ "http://a-b.c_d.-example-/", NULL, "a-b.c_d.-example-", "a-b.c_d.-example-", -1, "/", NULL },
	{ "http://" LABEL_63 "/", NULL, LABEL_63, LABEL_63, -1, "/", NULL },
	{ "http://" NAME_253 "/", NULL, NAME_253, NAME_253, -1, "/", NULL },
	{ "http://" NAME_253 "./", NULL, NAME_253 ".", NAME_253, -1, "/", NULL },
	{ "http://XN--BCHER-kva.example/", NULL, "XN--BCHER-kva.example", "xn--bcher-kva.example", -1, "/", NULL },
	{ "http://xn--a/", NULL, "xn--a", "xn--a", -1, "/", NULL },
	{ "http://[2001:DB8:0::0:1]:100/", NULL, "[2001:DB8:0::0:1]", "2001:db8::1", 100, "/", NULL },
	{ "http://[::1]", NULL, "[::1]", "::1", -1, "", NULL },
	{ "http://[::1]:", NULL, "[::1]", "::1", -1, "", NULL },
	{ "http://u@[0:0:0:0:0:ffff:192.0.2.7]/", "u", "[0:0:0:0:0:ffff:192.0.2.7]", "192.0.2.7", -1, "/",
	  NULL },
	{ "http://192.0.2.7:65535/x", NULL, "192.0.2.7", "192.0.2.7", 65535, "/x", NULL },
	{ "http://2130706433/", NULL, "2130706433", "127.0.0.1", -1, "/", NULL },
	{ "http://4294967295/", NULL, "4294967295", "255.255.255.255", -1, "/", NULL },
	{ "http://0X7F.1/", NULL, "0X7F.1", "127.0.0.1", -1, "/", NULL },
	{ "http://0x/", NULL, "0x", "0.0.0.0", -1, "/", NULL },
	{ "http://0/", NULL, "0", "0.0.0.0", -1, "/", NULL },
	{ "http://0177.0.0.01/", NULL, "0177.0.0.01", "127.0.0.1", -1, "/", NULL },
	{ "http://1.2.65535/", NULL, "1.2.65535", "1.2.255.255", -1, "/", NULL },
	{ "http://1.16777215/", NULL, "1.16777215", "1.255.255.255", -1, "/", NULL },
	{ "http://127.0.0.1./", NULL, "127.0.0.1.", "127.0.0.1", -1, "/", NULL },
	{ "http://1.example/", NULL, "1.example", "1.example", -1, "/", NULL },
	{ "http://0xg/", NULL, "0xg", "0xg", -1, "/", NULL },
	{ "http://1a/", NULL, "1a", "1a", -1, "/", NULL },
	{ "http://example.com/%zz%0%0%0DAD%", NULL, "example.com", "example.com", -1, "/%zz%0%0%0DAD%", NULL },
	{ "https://example.com/{id}/|pipe|/^hat^/`tick`/\"q\"/<tag>[\\]", NULL, "example.com", "example.com", -1,
	  "/{id}/|pipe|/^hat^/`tick`/\"q\"/<tag>[\\]", NULL },
	{ "http://example.com/?a b  c#d e ", NULL, "example.com", "example.com", -1, "/?a b  c#d e ",
	  "http://example.com/?a%20b%20%20c#d%20e%20" },
	{ "https://example.com/?q=\xe6\x97\xa5#\xe8\xaa\x9e", NULL, "example.com", "example.com", -1,
	  "/?q=\xe6\x97\xa5#\xe8\xaa\x9e", "https://example.com/?q=%E6%97%A5#%E8%AA%9E" },
	{ "https://EXAMPLE.com:/\xf0\x9f\x98\x80%zz", NULL, "EXAMPLE.com", "example.com", -1, "/\xf0\x9f\x98\x80%zz",
	  "https://EXAMPLE.com:/%F0%9F%98%80%zz" },
	{ "http://example.com/\xc2\xa0\xdf\xbf", NULL, "example.com", "example.com", -1, "/\xc2\xa0\xdf\xbf",
	  "http://example.com/%C2%A0%DF%BF" },
	{ "http://k\xc3\xa4the p@2130706433:1/ ", "k\xc3\xa4the p", "2130706433", "127.0.0.1", 1, "/ ",
	  "http://k%C3%A4the%20p@2130706433:1/%20" },
	{ "http://[::0001]/ ", NULL, "[::0001]", "::1", -1, "/ ", "http://[::0001]/%20" },
	{ "http://B\xc3\x9c" "CHER.example:8080/\xc3\xbc", NULL, "B\xc3\x9c" "CHER.example", "xn--bcher-kva.example",
	  8080, "/\xc3\xbc", "http://xn--bcher-kva.example:8080/%C3%BC" },
	{ "http://bu\xcc\x88" "cher.example", NULL, "bu\xcc\x88" "cher.example", "xn--bcher-kva.example", -1, "",
	  "http://xn--bcher-kva.example" },
	{ "http://fa\xc3\x9f.example/", NULL, "fa\xc3\x9f.example", "xn--fa-hia.example", -1, "/",
	  "http://xn--fa-hia.example/" },
	{ "http://u:p@\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x80\x82" "EXAMPLE\xe3\x80\x82/", "u:p",
	  "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x80\x82" "EXAMPLE\xe3\x80\x82", "xn--wgv71a119e.example", -1, "/",
	  "http://u:p@xn--wgv71a119e.example./" },
	{ "http://\xf0\x9f\x98\x80.example/", NULL, "\xf0\x9f\x98\x80.example", "xn--e28h.example", -1, "/",
	  "http://xn--e28h.example/" },
	{ "http://ab--\xc3\xbc-.example/", NULL, "ab--\xc3\xbc-.example", "xn--ab----nva.example", -1, "/",
	  "http://xn--ab----nva.example/" },
	{ "http://-\xc3\xbc.example/", NULL, "-\xc3\xbc.example", "xn----eha.example", -1, "/",
	  "http://xn----eha.example/" },
	{ "http://_a.\xc3\xbc/", NULL, "_a.\xc3\xbc", "_a.xn--tda", -1, "/", "http://_a.xn--tda/" },
	{ "http://exam\xc2\xadple.com/", NULL, "exam\xc2\xadple.com", "example.com", -1, "/", "http://example.com/" },
	{ "http://\xef\xbc\xa5xample.com/", NULL, "\xef\xbc\xa5xample.com", "example.com", -1, "/",
	  "http://example.com/" },
	{ "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1/", NULL, "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1",
	  "127.0.0.1", -1, "/", "http://127.1/" },
};

static const struct {
	bool is_below;
	const char *base;
	const char *text;
} loops[] = {
	{ true, "http://test.short/", "http://test.short/abcdefghij" },
	{ true, "http://test.short/", "HTTPS://user:p@TEST.SHORT:80/x" },
	{ true, "http://test.short/", "http://test.short" },
	{ true, "http://test.short/", "http://test.short./" },
	{ true, "http://test.short/", "http://test.short?q" },
	{ true, "http://test.short/", "http://test.short#f" },
	{ true, "http://test.short/", "http://test.short:/" },
	{ true, "http://test.short/", "https://test.short:443/" },
	{ true, "http://test.short/", "http://test.short:443/" },
	{ true, "http://test.short/", "http://\xef\xbd\x94" "est.short/a" },
	{ true, "http://test.short", "http://test.short/a" },
	{ true, "https://test.short:443/", "http://test.short/a" },
	{ false, "http://test.short/", "http://test.short:8080/" },
	{ false, "http://test.short/", "http://www.test.short/" },
	{ false, "http://test.short/", "http://test.short.example/" },
	{ false, "http://test.short/", "http://test.short@example.com/" },
	{ false, "http://test.short/", "http://example.com/?http://test.short/" },
	{ true, "http://test.short:8080/", "http://test.short:8080/a" },
	{ true, "http://test.short:8080/", "https://test.short:08080/a" },
	{ false, "http://test.short:8080/", "http://test.short/a" },
	{ false, "http://test.short:8080/", "http://test.short:8081/a" },
	{ true, "http://127.0.0.1/", "http://2130706433/a" },
	{ true, "http://127.0.0.1/", "http://0x7f.1/a" },
	{ true, "http://127.0.0.1/", "http://[::ffff:127.0.0.1]/a" },
	{ true, "http://127.0.0.1/", "http://[::ffff:7f00:1]/a" },
	{ false, "http://127.0.0.1/", "http://127.0.0.2/a" },
	{ true, "http://[::1]:81/", "http://[0:0::0:1]:81/a" },
	{ true, "http://b\xc3\xbc" "cher.example/", "http://XN--bcher-kva.example/a" },
	{ true, "http://xn--bcher-kva.example/", "http://B\xc3\x9c" "CHER.example/a" },
	{ true, "http://test.short/s/", "http://test.short/s/abc" },
	{ true, "http://test.short/s/", "http://test.short/s/" },
	{ true, "http://test.short/s/", "http://test.short/s" },
	{ true, "http://test.short/s/", "http://test.short/s?q" },
	{ true, "http://test.short/s/", "http://test.short/s#f" },
	{ true, "http://test.short/s/", "http://test.short/%73/abc" },
	{ true, "http://test.short/s/", "http://test.short/./s/abc" },
	{ true, "http://test.short/s/", "http://test.short/other/../s/abc" },
	{ true, "http://test.short/s/", "http://test.short/other/%2e%2E/s/abc" },
	{ true, "http://test.short/s/", "http://test.short/other/.%2e\\s\\abc" },
	{ true, "http://test.short/s/", "http://test.short/../../s/abc" },
	{ true, "http://test.short/s/", "http://test.short/s/x/.." },
	{ true, "http://test.short/s/", "http://test.short/s/x/y/../../." },
	{ true, "http://test.short/s/", "http://test.short/a/s/../../s/.." "/s/" },
	{ true, "http://test.short/%73/", "http://test.short/s/abc" },
	{ true, "http://test.short/x/../s/", "http://test.short/s/abc" },
	{ true, "http://test.short/\xc3\xbc/", "http://test.short/%C3%BC/abc" },
	{ true, "http://test.short/s/?q", "http://test.short/s/abc" },
	{ false, "http://test.short/s/", "http://test.short" },
	{ false, "http://test.short/s/", "http://test.short/" },
	{ false, "http://test.short/s/", "http://test.short/sx" },
	{ false, "http://test.short/s/", "http://test.short/S/abc" },
	{ false, "http://test.short/s/", "http://test.short/other" },
	{ false, "http://test.short/s/", "http://test.short/s/../other" },
	{ false, "http://test.short/s/", "http://test.short/s/.." },
	{ false, "http://test.short/s/", "http://test.short/s/%2e%2e/x" },
	{ false, "http://test.short/s/", "http://test.short/s%2Fabc" },
	{ false, "http://test.short/s/", "http://test.short/%2573/abc" },
	{ false, "http://test.short/s/", "http://test.short/x?/s/abc" },
	{ false, "http://test.short/s/", "http://test.short/s%00/" },
	{ false, "http://test.short/s/", "http://test.short/%" },
	{ false, "http://test.short/s/", "http://test.short/%7" },
	{ false, "http://test.short/s/.", "http://test.short/sx" },
	{ false, "http://test.short/s/x/..", "http://test.short/sx" },
	{ true, "http://test.short/s", "http://test.short/s" },
	{ true, "http://test.short/s", "http://test.short/sx" },
	{ false, "http://test.short/s", "http://test.short/" },
	{ false, "http://test.short/%0F/", "http://test.short/%+f/" },
	{ true, "http://test.short/.../", "http://test.short/.../abc" },
};

/* Where the tests let Locations be written. */
static char location[URL_LOCATION_MAX + 1];
static char location_again[URL_LOCATION_MAX + 1];

static void is_part(struct url_part part, const char *expected, const char *what, const char *text)
{
	char got[512] = "";

	if (part.start == NULL) {
		is_text(NULL, expected, "%s of %s", what, text);
		return;
	}
	memcpy(got, part.start, part.size < sizeof(got) ? part.size : sizeof(got) - 1);
	is_text(got, expected, "%s of %s", what, text);
}

static void test_refused(size_t i)
{
	size_t size = refused[i].text_size;
	const char *text = tap_copy_to_edge(refused[i].text, size);
	struct url url;

	is_int(url_parse(text, size, &url), refused[i].error, "error of refused %zu: %s", i, refused[i].text);
	if (refused[i].error == URL_CONTROL)
		is_int(url_write_location(text, size, location), 0, "no Location of %zu: %s", i, refused[i].text);
}

/* A Location is printable, is its own Location, and is a URL to the same host. */
static void test_location_properties(size_t size, const struct url *url)
{
	struct url parsed;
	size_t printable_count = 0;

	for (size_t i = 0; i < size; i++)
		printable_count += location[i] >= 0x21 && location[i] <= 0x7E;
	is_int(printable_count, size, "only printable characters in %s", location);
	is_int(url_write_location(tap_copy_to_edge(location, size), size, location_again), size,
	       "size again of %s", location);
	is_text(location_again, location, "Location again of %s", location);
	is_int(url_parse(location, size, &parsed), URL_VALID, "the Location is valid: %s", location);
	is_text(parsed.host_name, url->host_name, "the Location has the same host: %s", location);
	is_int(parsed.port, url->port, "the Location has the same port: %s", location);
}

static void test_accepted(size_t i)
{
	const char *name = accepted[i].text;
	size_t size = strlen(name);
	const char *text = tap_copy_to_edge(name, size);
	struct url url;

	if (!is_int(url_parse(text, size, &url), URL_VALID, "accepts %s", name))
		return;
	is_part(url.text, name, "text", name);
	is_part(url.user, accepted[i].user, "user info", name);
	is_part(url.host, accepted[i].host, "host", name);
	is_text(url.host_name, accepted[i].host_name, "host name of %s", name);
	is_int(url.port, accepted[i].port, "port of %s", name);
	is_int(url.is_https, name[4] == 's' || name[4] == 'S', "scheme of %s", name);
	is_part(url.rest, accepted[i].rest, "rest", name);
	size_t location_size = url_write_location(text, size, location);
	is_text(location, accepted[i].location == NULL ? name : accepted[i].location, "Location of %s", name);
	is_int(location_size, strlen(location), "size of the Location of %s", name);
	test_location_properties(location_size, &url);
}

static void test_loop(size_t i)
{
	size_t size = strlen(loops[i].text);
	struct url url;
	struct url base;

	if (url_parse(loops[i].base, strlen(loops[i].base), &base) != URL_VALID ||
	    url_parse(tap_copy_to_edge(loops[i].text, size), size, &url) != URL_VALID) {
		ok(false, "both are URLs: %s %s", loops[i].base, loops[i].text);
		return;
	}
	is_int(url_is_below(&url, &base), loops[i].is_below, "whether below %s: %s", loops[i].base, loops[i].text);
}

/* Fills the text up to its full size with copies of a character. */
static void fill(char *text, size_t text_size, const char *start, const char *character)
{
	size_t size = strlen(start);

	memcpy(text, start, size < text_size ? size : text_size);
	for (size_t i = size; i < text_size; i++)
		text[i] = character[(i - size) % strlen(character)];
}

static void test_largest(const char *start, const char *character)
{
	static char text[URL_SIZE_MAX + 1];
	struct url url;

	fill(text, sizeof(text), start, character);
	is_int(url_parse(tap_copy_to_edge(text, URL_SIZE_MAX), URL_SIZE_MAX, &url), URL_VALID,
	       "takes URL_SIZE_MAX: %s", start);
	ok(url_is_below(&url, &url), "a URL is below itself: %s", start);
	is_int(url_parse(text, URL_SIZE_MAX + 1, &url), URL_TOO_LONG, "refuses one byte more: %s", start);
	size_t size = url_write_location(text, URL_SIZE_MAX, location);
	ok(size >= URL_SIZE_MAX, "the longest Location is written: %s", start);
	is_int(url_write_location(location, size, location_again), size, "the longest Location again: %s", start);
	is_text(location_again, location, "the longest Location stays the same: %s", start);
}

/* Hosts whose punycode is much longer than their UTF-8, followed by as many blanks as there can be. */
static void test_longest_location(void)
{
	static char text[URL_SIZE_MAX];
	static const char host[] = "http://" FOUR_LABELS FOUR_LABELS FOUR_LABELS "a/";

	fill(text, sizeof(text), host, " ");
	size_t size = url_write_location(text, sizeof(text), location);
	ok(size > URL_SIZE_MAX * 3 && size <= URL_LOCATION_MAX, "the longest Location fits: %zu", size);
}

/* A host of so many bytes, of which UTS 46 drops all but the last ones. */
static void test_unicode_host(size_t size, enum url_error expected)
{
	static char text[URL_SIZE_MAX];
	struct url url;

	fill(text, sizeof(text), "http://", "\xc2\xad");
	size += strlen("http://");
	text[size - 2] = 'a';
	text[size - 1] = 'a';
	is_int(url_parse(text, size, &url), expected, "a long host, URL of %zu bytes", size);
}

static void test_too_long_location(void)
{
	static char text[URL_LOCATION_MAX + 1];

	fill(text, sizeof(text), "http://a/", "a");
	is_int(url_write_location(text, URL_LOCATION_MAX, location), URL_LOCATION_MAX,
	       "URL_LOCATION_MAX can be copied");
	is_int(url_write_location(text, URL_LOCATION_MAX + 1, location), 0, "one byte more cannot");
	is_text(location, "", "and leaves an empty Location");
	is_int(url_write_location("", 0, location), 0, "nothing has no Location");
	is_int(url_write_location("ftp://\xc3\xa4/", 9, location), 0, "another scheme has no Location");
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		test_refused(i);
	for (size_t i = 0; i < COUNT_OF(accepted); i++)
		test_accepted(i);
	for (size_t i = 0; i < COUNT_OF(loops); i++)
		test_loop(i);
	test_largest("http://a/", "a");
	test_largest("http://a/", "/../");
	test_largest("http://a.b/x", "\xf4\x8f\xbf\xbf");
	test_largest("http://a", "/");
	test_longest_location();
	test_unicode_host(1012, URL_VALID);
	test_unicode_host(1014, URL_BAD_HOST);
	test_too_long_location();
	url_close();
	url_close();
	return tap_done();
}
