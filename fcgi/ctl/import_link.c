/* Checks the values of a row and makes a link of them. */
#include "import_link.h"

#include <stdio.h>
#include <string.h>

#include "id.h"
#include "import_time.h"
#include "rfc3339.h"
#include "utf8.h"

/* Deleted links that `shortenctl prune` has emptied. */
#define EMPTIED "-"

/* What all checks of a row know. */
struct row {
	const struct import_text *values;
	struct import_link *link;
	const struct link_rules *rules;
	bool is_own;
	char *problem; /* of LINK_RULES_PROBLEM_SIZE bytes */
};

static bool is_equal(struct import_text text, const char *other)
{
	return text.size == strlen(other) && memcmp(text.start, other, text.size) == 0;
}

/* Trimmed; absent when it is empty. phpMyAdmin writes NULL where there is none. */
static struct import_text value_of(const struct row *row, enum import_field field)
{
	struct import_text value = row->values[field];

	if (value.start == NULL)
		return value;
	value.start = link_rules_trim(value.start, &value.size);
	if (value.size == 0 || (!row->is_own && is_equal(value, "NULL")))
		return (struct import_text){ NULL, 0 };
	return value;
}

static const char *check_encoding(struct row *row)
{
	for (int field = 0; field < IMPORT_FIELDS_COUNT; field++) {
		const struct import_text *value = &row->values[field];

		if (value->start != NULL && utf8_find_invalid(value->start, value->size) < value->size)
			return "The row is not valid UTF-8";
	}
	return NULL;
}

/* Adds a slug unless it is there. */
static const char *add_slug(struct row *row, struct import_text slug)
{
	struct import_link *link = row->link;

	for (size_t i = 0; i < link->slugs_count; i++)
		if (link->slugs[i].size == slug.size && memcmp(link->slugs[i].start, slug.start, slug.size) == 0)
			return NULL;
	if (link->slugs_count == IMPORT_SLUGS_MAX)
		return "The row has too many short URLs";
	link->slugs[link->slugs_count++] = slug;
	return link_rules_slug_problem(slug.start, slug.size, row->problem);
}

/* What stands behind the host: of https://s.example/abc?x, s.example/abc and /abc/ it is abc. */
static struct import_text last_part(struct import_text url)
{
	const char *end = url.start + url.size;
	const char *host_end;

	for (const char *at = url.start; at + 3 <= end; at++) {
		if (memcmp(at, "://", 3) != 0)
			continue;
		url.start = at + 3;
		break;
	}
	host_end = memchr(url.start, '/', (size_t)(end - url.start));
	if (host_end != NULL)
		url.start = host_end;
	while (url.start < end && *url.start == '/')
		url.start++;
	for (const char *at = url.start; at < end; at++)
		if (*at == '?' || *at == '#')
			end = at;
	while (end > url.start && end[-1] == '/')
		end--;
	url.size = (size_t)(end - url.start);
	return url;
}

/* Calls `add` with each element of a list, trimmed. */
static const char *read_list(struct row *row, struct import_text list, const char *separators,
			     const char *(*add)(struct row *row, struct import_text element))
{
	const char *end = list.start + list.size;
	const char *problem = NULL;

	while (list.start < end && problem == NULL) {
		struct import_text element = { list.start, 0 };

		while (element.start + element.size < end && strchr(separators, element.start[element.size]) == NULL)
			element.size++;
		list.start += element.size + 1;
		element.start = link_rules_trim(element.start, &element.size);
		if (element.size > 0)
			problem = add(row, element);
	}
	return problem;
}

static const char *add_short_url(struct row *row, struct import_text url)
{
	return add_slug(row, last_part(url));
}

static const char *read_slugs(struct row *row)
{
	struct import_text slug = value_of(row, IMPORT_SLUG);
	struct import_text slugs = value_of(row, IMPORT_SLUGS);
	struct import_text short_url = value_of(row, IMPORT_SHORT_URL);
	const char *problem = NULL;

	if (slug.start != NULL)
		return add_slug(row, slug);
	if (slugs.start != NULL)
		problem = read_list(row, slugs, ",;| \t\n\r", add_short_url);
	if (problem == NULL && short_url.start != NULL)
		problem = add_short_url(row, short_url);
	if (problem == NULL && row->link->slugs_count == 0)
		return "The row has no slug";
	return problem;
}

static const char *read_srcurl(struct row *row)
{
	struct import_text url = value_of(row, IMPORT_SRCURL);
	struct url parsed;
	bool is_emptied = row->link->deleted_us != LINK_NO_TIME && url.start != NULL && is_equal(url, EMPTIED);

	row->link->srcurl = url;
	if (row->is_own && url.start != NULL && url_parse(url.start, url.size, &parsed) == URL_VALID)
		return NULL;
	return is_emptied ? NULL : link_rules_url_problem(row->rules, url.start, url.size, row->problem);
}

/* Control characters become blanks, what is too long is cut. */
static struct import_text clean_title(struct import_link *link, struct import_text title)
{
	size_t size = 0;
	size_t characters = 0;

	for (size_t i = 0; i < title.size; i++) {
		char character = title.start[i];
		unsigned char byte = (unsigned char)character;
		bool is_c1 = byte == 0xc2 && i + 1 < title.size && (unsigned char)title.start[i + 1] < 0xa0;

		characters += (byte & 0xc0) != 0x80;
		if (characters > LINK_TITLE_MAX)
			break;
		if (byte < 0x20 || byte == 0x7f || is_c1)
			character = ' ';
		link->cleaned_title[size++] = character;
		i += is_c1;
	}
	struct import_text cleaned = { link->cleaned_title, size };
	cleaned.start = link_rules_trim(cleaned.start, &cleaned.size);
	return cleaned;
}

static const char *read_title(struct row *row)
{
	struct import_text title = value_of(row, IMPORT_TITLE);

	if (title.start == NULL)
		return NULL;
	const char *problem = link_rules_title_problem(title.start, title.size, row->problem);
	if (problem != NULL && !row->is_own) {
		title = clean_title(row->link, title);
		problem = NULL;
	}
	if (title.size > 0)
		row->link->title = title;
	return problem;
}

static const char *add_tag(struct row *row, struct import_text tag)
{
	struct import_link *link = row->link;

	for (size_t i = 0; i < link->tags_count; i++)
		if (link->tags[i].size == tag.size && memcmp(link->tags[i].start, tag.start, tag.size) == 0)
			return NULL;
	if (link->tags_count == LINK_TAGS_MAX)
		return "'tags' must hold at most 20 tags";
	link->tags[link->tags_count++] = tag;
	return link_rules_tag_problem(tag.start, tag.size, row->problem);
}

static const char *read_tags(struct row *row)
{
	struct import_text tags = value_of(row, IMPORT_TAGS);

	return tags.start == NULL ? NULL : read_list(row, tags, row->is_own ? "," : ",;|", add_tag);
}

static const char *read_time(struct row *row, enum import_field field, const char *name, int64_t *time_us)
{
	struct import_text text = value_of(row, field);

	if (text.start == NULL)
		return NULL;
	if (row->is_own ? rfc3339_parse_time(text.start, text.size, time_us) : import_time_parse(text.start, text.size, time_us))
		return NULL;
	snprintf(row->problem, LINK_RULES_PROBLEM_SIZE, "'%s' must be a time, such as 2026-12-31T23:59:59+01:00", name);
	return row->problem;
}

static const char *read_times(struct row *row)
{
	struct import_link *link = row->link;
	const struct {
		enum import_field field;
		const char *name;
		int64_t *time_us;
	} times[] = {
		{ IMPORT_CREATED, "created", &link->created_us },
		{ IMPORT_LAST_ACCESSED, "lastAccessed", &link->last_accessed_us },
		{ IMPORT_VALID_FROM, "validFrom", &link->valid_from_us },
		{ IMPORT_EXPIRES, "expires", &link->expires_us },
		{ IMPORT_DELETED, "deleted", &link->deleted_us },
	};
	const char *problem = NULL;

	for (size_t i = 0; i < sizeof times / sizeof times[0] && problem == NULL; i++)
		problem = read_time(row, times[i].field, times[i].name, times[i].time_us);
	return problem == NULL ? link_rules_times_problem(link->valid_from_us, link->expires_us) : problem;
}

/* Others may write 1,234. */
static bool parse_count(struct import_text text, bool is_own, int64_t *count)
{
	*count = 0;
	for (size_t i = 0; i < text.size; i++) {
		if (text.start[i] == ',' && !is_own && i > 0)
			continue;
		int digit = text.start[i] - '0';
		if (digit < 0 || digit > 9 || *count > (INT64_MAX - digit) / 10)
			return false;
		*count = *count * 10 + digit;
	}
	return text.size > 0;
}

static const char *read_numbers(struct row *row)
{
	struct import_text visits = value_of(row, IMPORT_VISITS);
	struct import_text max_visits = value_of(row, IMPORT_MAX_VISITS);
	struct import_text status = value_of(row, IMPORT_REDIRECT_STATUS);
	int64_t number = 0;

	if (visits.start != NULL && !parse_count(visits, row->is_own, &row->link->visits))
		return "'visits' must be a whole number";
	if (max_visits.start != NULL) {
		bool is_number = parse_count(max_visits, row->is_own, &row->link->max_visits);
		const char *problem = link_rules_max_visits_problem(is_number ? row->link->max_visits : 0, row->problem);
		if (problem != NULL)
			return problem;
	}
	if (status.start == NULL)
		return NULL;
	bool is_number = parse_count(status, row->is_own, &number);
	const char *problem = link_rules_redirect_status_problem(is_number ? number : 0);
	row->link->redirect_status = problem == NULL ? (int)number : 0;
	return problem;
}

static bool is_one_of(struct import_text text, const char *const *words, size_t words_count)
{
	for (size_t i = 0; i < words_count; i++)
		if (is_equal(text, words[i]))
			return true;
	return false;
}

static const char *read_boolean(struct row *row, enum import_field field, const char *name, bool *boolean)
{
	static const char *const yes[] = { "true", "t", "1", "TRUE", "True" };
	static const char *const no[] = { "false", "f", "0", "FALSE", "False" };
	struct import_text text = value_of(row, field);
	size_t count = row->is_own ? 1 : sizeof yes / sizeof yes[0];

	if (text.start == NULL)
		return NULL;
	*boolean = is_one_of(text, yes, count);
	if (*boolean || is_one_of(text, no, count))
		return NULL;
	snprintf(row->problem, LINK_RULES_PROBLEM_SIZE, "'%s' must be true or false", name);
	return row->problem;
}

static const char *read_booleans(struct row *row)
{
	bool is_banned = false;
	const char *problem = read_boolean(row, IMPORT_FORWARD_QUERY, "forwardQuery", &row->link->forwards_query);

	if (problem == NULL)
		problem = read_boolean(row, IMPORT_ENABLED, "enabled", &row->link->is_enabled);
	if (problem == NULL)
		problem = read_boolean(row, IMPORT_BANNED, "banned", &is_banned);
	row->link->is_enabled = row->link->is_enabled && !is_banned;
	return problem;
}

/* Kutt's API and its tables name the column differently, and some hold only whether there is a password. */
static const char *check_password(struct row *row)
{
	static const char *const no[] = { "false", "f", "0", "FALSE", "False" };
	static const enum import_field fields[] = { IMPORT_PASSWORD, IMPORT_PROTECTED };

	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		struct import_text value = value_of(row, fields[i]);

		if (value.start != NULL && !is_one_of(value, no, sizeof no / sizeof no[0]))
			return "The link has a password, which cannot be kept";
	}
	return NULL;
}

static const char *read_owner(struct row *row)
{
	struct import_text owner = value_of(row, IMPORT_OWNER);

	if (owner.start != NULL && !id_is_valid(owner.start, owner.size))
		return "'owner' must be the id of a key";
	row->link->owner = owner;
	return NULL;
}

/* Times come before the URL, which a deleted link need not have. */
const char *import_link_read(const struct import_text values[IMPORT_FIELDS_COUNT], bool is_own,
			     const struct link_rules *rules, struct import_link *link,
			     char problem[LINK_RULES_PROBLEM_SIZE])
{
	static const char *(*const steps[])(struct row *row) = {
		check_encoding, read_slugs,   read_times,    read_srcurl, read_title,
		read_tags,	read_numbers, read_booleans, read_owner,  check_password,
	};
	struct row row = { values, link, rules, is_own, problem };
	const char *sentence = NULL;

	link->slugs_count = link->tags_count = 0;
	link->title = link->owner = (struct import_text){ NULL, 0 };
	link->created_us = link->last_accessed_us = link->valid_from_us = link->expires_us = link->deleted_us = LINK_NO_TIME;
	link->visits = link->max_visits = 0;
	link->redirect_status = 0;
	link->forwards_query = false;
	link->is_enabled = true;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0] && sentence == NULL; i++)
		sentence = steps[i](&row);
	return sentence;
}
