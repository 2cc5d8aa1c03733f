/* Counting visits: added up by id, taken in order.
 * modules: visits */
#include "tap.h"
#include "visits.h"

static bool add(struct visits *visits, const char *id, int64_t at_us)
{
	struct visit visit = { .count = 1, .last_us = at_us };

	snprintf(visit.id, sizeof visit.id, "%s", id);
	return visits_add(visits, &visit);
}

static void test_sums(void)
{
	struct visits *visits = visits_open();
	struct visit batch[4];

	ok(visits_is_empty(visits), "nothing at first");
	is_int(visits_take(visits, batch, 4), 0, "and nothing to take");
	ok(add(visits, "b", 5) && add(visits, "a", 1) && add(visits, "b", 9) && add(visits, "b", 7), "four visits");
	ok(!visits_is_empty(visits), "are there");
	is_int(visits_take(visits, batch, 4), 2, "two links were visited");
	is_text(batch[0].id, "a", "the first in order");
	is_int(batch[0].count, 1, "once");
	is_text(batch[1].id, "b", "the second");
	is_int(batch[1].count, 3, "three times");
	is_int(batch[1].last_us, 9, "the last time counts, not the last call");
	ok(visits_is_empty(visits), "nothing is left");
	visits_close(visits);
}

static void test_order(void)
{
	static const char *const ids[] = { "-", "0", "9", "A", "Z", "_", "a", "aa", "b", "z" };
	struct visits *visits = visits_open();
	struct visit batch[COUNT_OF(ids)];

	for (size_t i = 0; i < COUNT_OF(ids); i++)
		ok(add(visits, ids[COUNT_OF(ids) - 1 - i], 0), "add %s", ids[COUNT_OF(ids) - 1 - i]);
	is_int(visits_take(visits, batch, COUNT_OF(ids)), COUNT_OF(ids), "all are taken");
	for (size_t i = 0; i < COUNT_OF(ids); i++)
		is_text(batch[i].id, ids[i], "in the order of bytes");
	visits_close(visits);
}

/* Far more than fit at first, in batches smaller than all. */
static void test_many(void)
{
	enum { LINKS = 5000, ROUNDS = 20, BATCH = 700 };
	struct visits *visits = visits_open();
	static struct visit batch[BATCH];
	long total = 0;
	long links = 0;
	size_t count;
	bool is_added = true;
	bool is_ordered = true;

	for (int i = 0; i < LINKS * ROUNDS; i++) {
		char id[16];

		snprintf(id, sizeof id, "%d", i * 7919 % LINKS);
		is_added = add(visits, id, i) && is_added;
	}
	ok(is_added, "a hundred thousand visits");
	while ((count = visits_take(visits, batch, BATCH)) > 0) {
		links += (long)count;
		for (size_t i = 0; i < count; i++) {
			total += (long)batch[i].count;
			is_ordered = is_ordered && (i == 0 || strcmp(batch[i - 1].id, batch[i].id) < 0);
		}
	}
	is_int(links, LINKS, "each link comes once");
	is_int(total, LINKS * ROUNDS, "with all its visits");
	ok(is_ordered, "each batch in order");
	visits_close(visits);
}

/* A database that takes no visits must not cost all memory. */
static void test_bound(void)
{
	struct visits *visits = visits_open();
	long taken = 0;

	for (int i = 0; i < 3 * VISITS_MAX; i++) {
		char id[16];

		snprintf(id, sizeof id, "%d", i);
		taken += add(visits, id, i);
	}
	ok(taken >= VISITS_MAX, "as many links as there may be");
	ok(taken <= 2L * VISITS_MAX, "but not many more");
	visits_close(visits);
}

static void test_longest_id(void)
{
	struct visits *visits = visits_open();
	struct visit batch[1];
	char id[ID_MAX + 1];

	memset(id, 'x', ID_MAX);
	id[ID_MAX] = '\0';
	ok(add(visits, id, 0), "the longest id");
	is_int(visits_take(visits, batch, 1), 1, "comes back");
	is_text(batch[0].id, id, "whole");
	visits_close(visits);
	visits_close(NULL);
}

/* A batch that was taken can be added to others. */
static void test_robots(void)
{
	static const struct visit rows[] = { { "a", 2, 1, 7 }, { "b", 0, 3, 1 }, { "a", 5, 10, 3 } };
	struct visits *visits = visits_open();
	struct visit batch[4];

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		ok(visits_add(visits, &rows[i]), "visits of %s", rows[i].id);
	is_int(visits_take(visits, batch, 4), 2, "are added up");
	is_int(batch[0].count, 7, "those of people");
	is_int(batch[0].robots_count, 11, "and those of robots, apart");
	is_int(batch[0].last_us, 7, "the last time is the latest");
	is_int(batch[1].count, 0, "a link that only robots have visited");
	is_int(batch[1].robots_count, 3, "has no other visits");
	visits_close(visits);
}

int main(void)
{
	test_sums();
	test_order();
	test_many();
	test_bound();
	test_longest_id();
	test_robots();
	return tap_done();
}
