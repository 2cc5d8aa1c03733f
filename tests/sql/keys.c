/* Keys of the API, against a real PostgreSQL: SHORTEN_DATABASE names an empty, migrated database.
 * modules: keys store store_keys store_work store_statements store_manage link_rules id digest database database_connection database_array database_value database_queue database_batch database_sharing database_hosts database_session database_error config url percent url_host utf8 loop log */
#include "keys.h"

#include "store_keys.h"
#include "store_test.h"
#include "url.h"

static struct keys *keys;

/* 43 characters, the last of which differ. */
#define KEY(last) "abcdefghijklmnopqrstuvwxyz0123456789_-AB" last

static void make_key(const char *id, const char *key)
{
	ask("INSERT INTO api_keys (id, hash, label, created) VALUES ('%s', sha256('%s'), 'test', now())", id, key);
}

static enum result find_key(const char *key, struct outcome *outcome)
{
	unsigned char hash[DIGEST_SIZE];

	*outcome = (struct outcome){ 0 };
	ok(digest_write(key, strlen(key), hash), "the hash of a key");
	store_find_key(store, hash, id_done, outcome);
	return wait_for(outcome);
}

#define IS_USED "SELECT lastused > now() - interval '10 s' FROM api_keys WHERE id = 'key-1'"

static void test_find_key(void)
{
	struct outcome outcome;
	struct outcome behind = { 0 };

	make_key("key-1", KEY("001"));
	make_key("key-2", KEY("002"));
	ask("UPDATE api_keys SET revoked = now() WHERE id = 'key-2'");
	is_int(find_key(KEY("003"), &outcome), RESULT_NOT_FOUND, "a key that is none");
	is_int(find_key(KEY("002"), &outcome), RESULT_NOT_FOUND, "one that was revoked");
	is_int(find_key(KEY("001"), &outcome), RESULT_OK, "one that is good");
	is_text(outcome.id, "key-1", "has its id");
	wait_for_answer(IS_USED, "t", true);
	ask("UPDATE api_keys SET lastused = now() - interval '50 s' WHERE id = 'key-1'");
	int sent_before = sent_count;
	is_int(find_key(KEY("001"), &outcome), RESULT_OK, "once more");
	store_ping(store, done, &behind);
	is_int(wait_for(&behind), RESULT_OK, "and something behind it");
	is_int(sent_count - sent_before, 2, "its use is not noted again");
	is_text(ask(IS_USED), "f", "within a minute");
	ask("UPDATE api_keys SET lastused = now() - interval '61 s' WHERE id = 'key-1'");
	is_int(find_key(KEY("001"), &outcome), RESULT_OK, "later once more");
	wait_for_answer(IS_USED, "t", true);
	is_text(ask(IS_USED), "t", "it is");
	is_text(ask("SELECT count(lastused) FROM api_keys WHERE id <> 'key-1'"), "0", "that of no other key");
}

/* Starts to check a key; ends at once where it is known. */
static void check_key(const char *key, struct outcome *outcome)
{
	*outcome = (struct outcome){ 0 };
	keys_check(keys, key, strlen(key), id_done, outcome);
}

static void test_known_key(void)
{
	struct outcome outcome;
	int known_count = 0;

	make_key("known", KEY("010"));
	ask("UPDATE api_keys SET lastused = now() WHERE id = 'known'");
	int64_t start_ms = loop_now_ms();
	check_key(KEY("010"), &outcome);
	ok(!outcome.is_done, "a key is looked up");
	is_int(wait_for(&outcome), RESULT_OK, "and found");
	is_text(outcome.id, "known", "with its id");
	int sent_before = sent_count;
	for (check_key(KEY("010"), &outcome); outcome.is_done; check_key(KEY("010"), &outcome)) {
		known_count += outcome.result == RESULT_OK && strcmp(outcome.id, "known") == 0;
		loop_turn(loop, 1);
		if (loop_now_ms() > start_ms + 5000)
			break;
	}
	int64_t known_ms = loop_now_ms() - start_ms;
	is_int(sent_count - sent_before, 0, "then it is known, without a statement");
	ok(known_count > 0 && known_ms >= 500 && known_ms < 1000, "for half a second: %lld ms", (long long)known_ms);
	is_int(wait_for(&outcome), RESULT_OK, "then it is looked up again");
}

static void test_revoked_key(void)
{
	struct outcome outcome;

	make_key("revoked", KEY("020"));
	check_key(KEY("020"), &outcome);
	is_int(wait_for(&outcome), RESULT_OK, "a key is good");
	ask("UPDATE api_keys SET revoked = now() WHERE id = 'revoked'");
	int64_t start_ms = loop_now_ms();
	while (outcome.result == RESULT_OK && loop_now_ms() < start_ms + 5000) {
		check_key(KEY("020"), &outcome);
		wait_for(&outcome);
		loop_turn(loop, 1);
	}
	int64_t good_ms = loop_now_ms() - start_ms;
	is_int(outcome.result, RESULT_NOT_FOUND, "after it was revoked it is refused");
	is_text(outcome.id, "", "without an id");
	ok(good_ms < 1000, "within a second: %lld ms", (long long)good_ms);
}

/* What can be no key is refused without a look at the database; what is wrong is never remembered. */
static void test_wrong_keys(void)
{
	static const char *const keys_wrong[] = { "", "a", KEY("01"), KEY("0100"), KEY("010") KEY("010") };
	struct outcome outcome;
	int sent_before = sent_count;

	for (size_t i = 0; i < COUNT_OF(keys_wrong); i++) {
		check_key(keys_wrong[i], &outcome);
		ok(outcome.is_done && outcome.result == RESULT_NOT_FOUND, "`%s` is no key", keys_wrong[i]);
	}
	loop_turn(loop, 0);
	is_int(sent_count - sent_before, 0, "nobody is asked");
	check_key(KEY("030"), &outcome);
	is_int(wait_for(&outcome), RESULT_NOT_FOUND, "a key that is none");
	make_key("late", KEY("030"));
	check_key(KEY("030"), &outcome);
	is_int(wait_for(&outcome), RESULT_OK, "is good as soon as it is made");
	is_text(outcome.id, "late", "with its id");
	check_key(KEY("O30"), &outcome);
	is_int(wait_for(&outcome), RESULT_NOT_FOUND, "another one is not");
}

/* More at once than are remembered. */
static void test_many_keys(void)
{
	static struct outcome outcomes[100];
	int right = 0;

	ask("INSERT INTO api_keys (id, hash, label, created, lastused) SELECT 'key-' || i, sha256(('" KEY("") "' || i)::bytea), 'test', now(),"
	    " now() FROM generate_series(100, 199) i");
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
			char key[64];
			char id[ID_MAX + 1];

			snprintf(key, sizeof key, KEY("%zu"), 100 + i);
			snprintf(id, sizeof id, "key-%zu", 100 + i);
			check_key(key, &outcomes[i]);
			/* One after the other, then all at once. */
			if (round < 2)
				right += wait_for(&outcomes[i]) == RESULT_OK && strcmp(outcomes[i].id, id) == 0;
		}
	is_int(count_results(outcomes, COUNT_OF(outcomes), RESULT_OK), COUNT_OF(outcomes), "many keys at once are good");
	is_int(right, 2 * COUNT_OF(outcomes), "each with its own id");
}

int main(void)
{
	struct config config;

	open_all(&config);
	keys = keys_open(store);
	test_find_key();
	test_known_key();
	test_revoked_key();
	test_wrong_keys();
	test_many_keys();
	keys_close(keys);
	close_all();
	url_close();
	return tap_done();
}
