/* Tells robots and fetches ahead of time from people's visits, by what they say of themselves. */
#include "robots.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define NAMES_PER_LETTER 10

/* What the names of robots start with, at the start of a word, in small letters and by their first letter: one
 * look at each word is enough. Names that end in `bot` and the like, and robots that give an address, are found
 * without. curl, wget and the libraries of programs are not here: people use them. */
static const char *const names[26][NAMES_PER_LETTER] = {
	['a' - 'a'] = { "ahrefs", "anthropic-ai", "appinsights", "archiver" },
	['b' - 'a'] = { "barkrowler", "bingpreview", "blackbox exporter", "botpoke" },
	['c' - 'a'] = { "cardyb", "catchpoint", "check_http", "checkly", "claude-", "cloudflare-traffic",
			"cohere-ai" },
	['d' - 'a'] = { "dareboost", "datadog", "discourse forum onebox" },
	['e' - 'a'] = { "embedly", "expanse" },
	['f' - 'a'] = { "facebookcatalog", "facebookexternal", "feedfetcher", "fetcher", "flipboardproxy",
			"freshping" },
	['g' - 'a'] = { "github-camo", "google favicon", "google web preview", "google-", "googleagent", "googlehc",
			"googleimageproxy", "googleother", "googlestackdriver", "gtmetrix" },
	['h' - 'a'] = { "headless", "health-check", "healthcheck", "heritrix", "hetrixtools", "httrack" },
	['i' - 'a'] = { "icinga", "iframely", "imgproxy" },
	['j' - 'a'] = { "jigsaw", "jsdom" },
	['k' - 'a'] = { "kakaotalk-scrap", "kube-probe" },
	['l' - 'a'] = { "lighthouse", "line-poker", "link checker", "link preview", "link-preview", "linkpreview" },
	['m' - 'a'] = { "manus-user", "masscan", "mastodon", "mediapartners", "meta-external", "microsoftpreview",
			"misskey", "monitor" },
	['n' - 'a'] = { "nagios", "netcraft", "newrelic", "nikto", "nmap", "nodeping", "notionembedder", "nutch" },
	['o' - 'a'] = { "openvas", "outbrain" },
	['p' - 'a'] = { "perplexity-user", "phantomjs", "pingdom", "playwright", "pleroma", "prerender", "prometheus",
			"ptst", "puppeteer" },
	['q' - 'a'] = { "qwantify" },
	['r' - 'a'] = { "ruxitsynthetic" },
	['s' - 'a'] = { "scrapy", "selenium", "seokicks", "site24x7", "sitebulb", "siteimprove", "skypeuripreview",
			"slimerjs", "statuscake" },
	['t' - 'a'] = { "thousandeyes", "turnitin" },
	['u' - 'a'] = { "updown.io", "uptime", "uptimia", "uptrends", "url preview", "url-preview", "urlpreview" },
	['v' - 'a'] = { "validator", "valve/steam http client", "vkshare" },
	['w' - 'a'] = { "w3c-", "w3c_", "wayback", "websitepulse", "wordpress/" },
	['y' - 'a'] = { "yahoomailproxy" },
	['z' - 'a'] = { "zabbix", "zgrab", "zulipurl" },
};

/* Messengers and networks that call themselves so only when they look at a link: their browsers start with
 * `Mozilla`. Signal says that it is WhatsApp. */
static const char *const starts[] = { "bluesky/", "notion/", "tumblr/", "viber", "whatsapp" };

/* The letter's number, 0 for `a` or `A`; 26 or more for what is no letter of ASCII. */
static unsigned number_of(char character)
{
	return ((unsigned char)character | 0x20U) - 'a';
}

static bool is_letter(char character)
{
	return number_of(character) < 26;
}

static char small_letter(char character)
{
	if (is_letter(character))
		return (char)(character | 0x20);
	return character;
}

/* Whether the text goes on with a name in small letters. */
static bool has_name(const char *at, const char *name)
{
	while (*name != '\0' && small_letter(*at) == *name) {
		at++;
		name++;
	}
	return *name == '\0';
}

/* The first letter is known to be the same, and the second tells most apart. */
static bool is_known(const char *word)
{
	const char *const *known = names[number_of(*word)];
	char second = small_letter(word[1]);

	for (size_t i = 0; i < NAMES_PER_LETTER && known[i] != NULL; i++)
		if (known[i][1] == second && has_name(word + 1, known[i] + 1))
			return true;
	return false;
}

/* `bot` or `bots` at the end of a word, except that of CUBOT, who make telephones. */
static bool is_bot(const char *at, const char *word)
{
	if (!has_name(at, "bot") || (at == word + 2 && has_name(word, "cu")))
		return false;
	at += 3;
	if (small_letter(*at) == 's')
		at++;
	return !is_letter(*at);
}

/* What a word says anywhere in it. */
static bool has_kind(const char *at, const char *word)
{
	switch (*at | 0x20) {
	case 'b':
		return is_bot(at, word);
	case 'c':
		return has_name(at, "crawl");
	case 's':
		return has_name(at, "spider") || has_name(at, "slurp") || has_name(at, "scraper");
	default:
		return false;
	}
}

bool robots_is_robot(const char *user_agent)
{
	const char *at = user_agent;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (has_name(user_agent, starts[i]))
			return true;
	while (*at != '\0') {
		if (!is_letter(*at)) {
			at++;
			continue;
		}
		const char *word = at;
		if (is_known(word))
			return true;
		for (; is_letter(*at); at++)
			if (has_kind(at, word))
				return true;
	}
	/* Robots give the address of a page about them; browsers do not. */
	return strstr(user_agent, "://") != NULL;
}

static bool is_token(const char *token, size_t token_size, const char *name)
{
	return strlen(name) == token_size && strncasecmp(token, name, token_size) == 0;
}

/* Sec-Purpose is `prefetch` or `prefetch;prerender` (Fetch standard), Purpose was `prefetch` in older browsers and
 * `preview` in Safari. */
static bool has_prefetch(const char *purpose)
{
	static const char separators[] = ";, \t=\"";

	while (*purpose != '\0') {
		size_t size = strcspn(purpose, separators);
		if (is_token(purpose, size, "prefetch") || is_token(purpose, size, "prerender") ||
		    is_token(purpose, size, "preview"))
			return true;
		purpose += size;
		purpose += strspn(purpose, separators);
	}
	return false;
}

bool robots_is_prefetch(const char *sec_purpose, const char *purpose)
{
	return has_prefetch(sec_purpose) || has_prefetch(purpose);
}
