/* Tests who is taken for a robot, and what for a prefetch. modules: robots */
#include "robots.h"

#include "tap.h"

#define WEBKIT "AppleWebKit/537.36 (KHTML, like Gecko) "
#define CHROME "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " WEBKIT "Chrome/142.0.0.0 Safari/537.36"
#define ANDROID(device) "Mozilla/5.0 (Linux; Android 10; " device ") " WEBKIT "Chrome/142.0.0.0 Mobile Safari/537.36"
#define IPHONE "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
#define SAFARI "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " WEBKIT "Version/18.6 Safari/605.1.15"

static const char *const people[] = {
	"",
	CHROME,
	CHROME " Edg/142.0.0.0",
	CHROME " OPR/124.0.0.0",
	CHROME " YaBrowser/25.10.0.0",
	CHROME " Vivaldi/7.6.3797.63",
	CHROME " MetaSr 1.0",
	CHROME " Whale/4.32.315.22",
	"Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
	SAFARI,
	SAFARI " Ddg/18.6",
	"Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
	"Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
	"Mozilla/5.0 (compatible; Konqueror/4.5; FreeBSD) KHTML/4.5.4 (like Gecko)",
	"Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12.388 Version/12.18",
	"Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8",
	"w3m/0.5.3+git20230121",
	"Links (2.28; Linux 6.1.0 x86_64; GNU C 12.2; text)",
	"Dillo/3.0.5",
	"Amazon CloudFront", /* which passes on the requests of people */
	"curl/8.5.0",
	"Wget/1.21.3",
	"HTTPie/3.2.1",
	IPHONE "Version/18.6 Mobile/15E148 Safari/604.1",
	IPHONE "Mobile/15E148 [FBAN/FBIOS;FBAV/486.0.0.54.103;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.6]",
	IPHONE "Mobile/15E148 Instagram 405.0.0.28.83 (iPhone14,5; iOS 18_6; de_DE; de; scale=3.00; 1170x2532)",
	IPHONE "Mobile/15E148 [LinkedInApp]/9.31.1",
	IPHONE "Mobile/15E148 [Pinterest/iOS]",
	IPHONE "Mobile/15E148 Snapchat/13.63.0.44 (like Safari/8620.1.16.10.11, panda)",
	IPHONE "Mobile/15E148 Twitter for iPhone/11.40",
	IPHONE "Mobile/15E148 Safari Line/15.18.0",
	IPHONE "GSA/392.0.812 Mobile/15E148 Safari/604.1",
	IPHONE "CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1",
	IPHONE "Mobile/15E148 musical_ly_42.5.0 BytedanceWebview/d8a21c6",
	ANDROID("K"),
	ANDROID("SM-A515F"),
	ANDROID("CUBOT"),
	ANDROID("CUBOT X30"),
	ANDROID("CUBOT_NOTE_S"),
	ANDROID("Cubot P40"),
	ANDROID("cubot"),
	ANDROID("SM-A515F; wv") " WhatsApp/2.25.32.75",
	ANDROID("Botswana"),
	"bottle, botany and Botox",
	"uriuptimes previewer preview",
	"Mozilla/5.0 (Windows NT 10.0) http:/ https: //",
	IPHONE "Mobile/15E148 Tumblr/38.2 Viber",
	"\xd8\xa8\xd9\x88\xd8\xaa \xff",
};

/* The brackets say that the comma is not forgotten. */
static const char *const robots[] = {
	/* Crawlers. */
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	ANDROID("Nexus 5X Build/MMB29P") " (compatible; GoogleOther)",
	"Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)",
	"Mediapartners-Google",
	"AdsBot-Google",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
	"Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)",
	"Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)",
	"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
	ANDROID("wv") " (compatible; Bytespider; spider-feedback@bytedance.com)",
	"ia_archiver",
	"Mozilla/5.0 (compatible; MJ12bot/v2.0.3; http://mj12bot.com/)",
	"Mozilla/5.0 (compatible; SEOkicks; https://www.seokicks.de/robot.html)",
	"CCBot/2.0 (https://commoncrawl.org/faq/)",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
	"Scrapy/2.11.0 (+https://scrapy.org)",
	"Screaming Frog SEO Spider/21.0",
	"Nextcloud Server Crawler",
	"Unheard-Of/1.0 (+https://example.com/about)",
	"Mozilla/5.0 (compatible; Unheard-Of; http://example.com/about)",
	/* `bot` at the end of a word. */
	"bot",
	"BOT",
	"a bot",
	"robots",
	"somebot1.0",
	"some_bot_of_ours",
	"Bot\xc3\xa4",
	"Xcubot/1.0",
	"Cubot X30 Twitterbot/1.0",
	"bothbots",
	"crawling",
	"MegaCrawler",
	"Webscraper",
	"slurps",
	/* Who looks at a link to show a preview. */
	"facebookexternalhit/1.1",
	"facebookexternalhit/1.1;line-poker/1.0",
	(SAFARI " facebookexternalhit/1.1 Facebot Twitterbot/1.0"),
	"Twitterbot/1.0",
	"LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
	"WhatsApp/2.25.32.75 A",
	"WhatsApp/2",
	"Viber",
	"Tumblr/14.0.835.186",
	"Valve/Steam HTTP Client 1.0 (SteamChatURLLookup)",
	"TelegramBot (like TwitterBot)",
	"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
	"Slack-ImgProxy (+https://api.slack.com/robots)",
	"Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
	"Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
	(CHROME " BingPreview/1.0b"),
	"Mozilla/5.0 (compatible; Quora Link Preview/1.0; https://www.quora.com)",
	"Mastodon/4.3.0 (http.rb/5.2.0; https://mastodon.example/)",
	"Mozilla/5.0 (compatible; Iframely/1.3.1)",
	"Mozilla/5.0 (compatible; vkShare; http://vk.com/dev/Share)",
	"Mozilla/5.0 (compatible; Embedly/0.2)",
	"Mattermost-Bot/1.1",
	"Bluesky Cardyb/1.1",
	"Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
	/* Monitors. */
	"Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
	"Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
	(CHROME " (StatusCake)"),
	"Mozilla/5.0 (compatible) Uptime-Kuma/1.23.13",
	"check_http/v2.3.3 (monitoring-plugins 2.3.3)",
	"ELB-HealthChecker/2.0",
	"kube-probe/1.31",
	"GoogleHC/1.0",
	"Amazon-Route53-Health-Check-Service (ref 0; report http://amzn.to/1vsZADi)",
	"Blackbox Exporter/0.25.0",
	"Zabbix",
	/* Browsers without a screen. */
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
	"Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
	(CHROME " Chrome-Lighthouse"),
};

/* Every name by itself, which a longer User-Agent may hide. */
static const char *const known[] = {
	"ahrefs", "anthropic-ai", "appinsights", "archiver", "barkrowler", "bingpreview", "blackbox exporter",
	"botpoke", "cardyb", "catchpoint", "check_http", "checkly", "claude-",
	"cloudflare-traffic", "cohere-ai", "dareboost", "datadog", "discourse forum onebox", "embedly",
	"expanse", "facebookcatalog", "facebookexternal", "feedfetcher", "fetcher", "flipboardproxy",
	"freshping", "github-camo", "google favicon", "google web preview", "google-", "googleagent",
	"googlehc", "googleimageproxy", "googleother", "googlestackdriver", "gtmetrix", "headless", "health-check",
	"healthcheck", "heritrix", "hetrixtools", "httrack", "icinga", "iframely", "imgproxy", "jigsaw",
	"jsdom", "kakaotalk-scrap", "kube-probe", "lighthouse", "line-poker", "link checker",
	"link preview", "link-preview", "linkpreview", "manus-user", "masscan", "mastodon", "mediapartners",
	"meta-external", "microsoftpreview", "misskey", "monitor", "nagios", "netcraft", "newrelic", "nikto",
	"nmap", "nodeping", "notionembedder", "nutch", "openvas", "outbrain", "perplexity-user", "phantomjs",
	"pingdom", "playwright", "pleroma", "prerender", "prometheus", "ptst", "puppeteer", "qwantify",
	"ruxitsynthetic", "scrapy", "selenium", "seokicks", "site24x7", "sitebulb", "siteimprove",
	"skypeuripreview", "slimerjs", "statuscake", "thousandeyes", "turnitin", "updown.io",
	"uptime", "uptimia", "uptrends", "url preview", "url-preview", "urlpreview", "validator",
	"valve/steam http client", "vkshare", "w3c-", "w3c_", "wayback", "websitepulse", "wordpress/",
	"yahoomailproxy", "zabbix", "zgrab", "zulipurl",
};

static const struct {
	bool is_prefetch;
	const char *sec_purpose;
	const char *purpose;
} purposes[] = {
	{ true, "prefetch", "" },
	{ true, "prefetch;prerender", "" },
	{ true, "prefetch; prerender", "" },
	{ true, "prefetch;anonymous-client-ip", "" },
	{ true, "prerender", "" },
	{ true, "PreFetch", "" },
	{ true, " prefetch ", "" },
	{ true, "other, prefetch", "" },
	{ true, "\"prefetch\"", "" },
	{ true, "", "prefetch" },
	{ true, "", "preview" },
	{ true, "prefetch", "prefetch" },
	{ true, "other", "prefetch" },
	{ true, "purpose=prefetch", "" },
	{ false, "", "" },
	{ false, " ", ";" },
	{ false, "prefetcher", "" },
	{ false, "dns-prefetch", "" },
	{ false, "prefetch-not", "" },
	{ false, "prefetc", "previe" },
	{ false, "navigate", "reload" },
	{ false, "pre", "fetch" },
};

static void test_known(size_t i)
{
	char user_agent[100];

	snprintf(user_agent, sizeof(user_agent), "Mozilla/5.0 (%s)", known[i]);
	ok(robots_is_robot(user_agent), "known: %s", user_agent);
	snprintf(user_agent, sizeof(user_agent), "Mozilla/5.0 (X%s)", known[i]);
	ok(!robots_is_robot(user_agent), "another word: %s", user_agent);
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(people); i++)
		ok(!robots_is_robot(people[i]), "people: %s", people[i]);
	for (size_t i = 0; i < COUNT_OF(robots); i++)
		ok(robots_is_robot(robots[i]), "robot: %s", robots[i]);
	for (size_t i = 0; i < COUNT_OF(known); i++)
		test_known(i);
	for (size_t i = 0; i < COUNT_OF(purposes); i++)
		is_int(robots_is_prefetch(purposes[i].sec_purpose, purposes[i].purpose), purposes[i].is_prefetch,
		       "whether `%s`, `%s` is a prefetch", purposes[i].sec_purpose, purposes[i].purpose);
	return tap_done();
}
