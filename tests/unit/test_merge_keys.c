/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys and words of ATOMICs that are used in two engines, merged, are what one engine says.
 */
#include "analyzer/rda.h"

#include "analyzer/checks/judge.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { CLIENTS = 2, KEYS = 3, STEPS = 60 };

static const uint8_t hosts[CLIENTS] = {1, 3};

/* Findings that were compared. */
static uint64_t seen[RDA_CHECK_COUNT];

/* What two clients do with the keys of one responder; `one`: in one engine, else in one each. */
struct run {
	struct rda_keys_feed clients[CLIENTS];
	uint64_t words[2];
	bool one;
};

/* The numbers of frames go on from client to client. */
static void hand_on(struct run *run, unsigned client)
{
	struct rda_feed *from = &run->clients[!client].feed, *to = &run->clients[client].feed;

	to->meta = from->meta;
	to->meta.time_ns +=
		500; /* one engine would take stamps for made up that are all 1 us apart */
}

static void tell_key(struct rda_keys_feed *keys, uint32_t key)
{
	uint8_t bytes[8] = {0};

	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(key >> (24 - 8 * i));
	rda_keys_tell(keys, bytes, sizeof(bytes));
}

/* A FetchAdd on one of two words, and its result: mostly what the one before left. */
static void count_up(struct run *run, struct rda_keys_feed *keys, GRand *random)
{
	unsigned word = (unsigned)g_rand_int_range(random, 0, 2);

	rda_keys_access(keys, RC_FETCH_ADD, 0x2000 + 8 * word, 0x70, 8);
	rda_keys_result(keys, run->words[word]);
	run->words[word] += g_rand_int_range(random, 0, 16) == 0;
}

static void step(struct run *run, GRand *random)
{
	unsigned client = (unsigned)g_rand_int_range(random, 0, CLIENTS);
	uint32_t key = 0x70 + (uint32_t)g_rand_int_range(random, 0, KEYS);
	uint64_t va = 0x1000 + 4 * (uint64_t)g_rand_int_range(random, 0, 4);
	int what = g_rand_int_range(random, 0, 14);
	struct rda_keys_feed *keys = &run->clients[client];

	hand_on(run, client);
	if (what < 5)
		rda_keys_access(keys, what < 4 ? RC_WRITE_ONLY : RC_READ_REQUEST, va, key, 8);
	else if (what < 9)
		rda_keys_ack(keys);
	else if (what == 9)
		rda_keys_invalidate(keys, key);
	else if (what == 10)
		tell_key(keys, key);
	else if (what < 13)
		count_up(run, keys, random);
	else if (g_rand_int_range(random, 0, 4) == 0)
		rda_keys_nak(keys, 0x62);
	run->clients[!client].feed.meta = keys->feed.meta;
}

static void play(struct run *run, uint32_t seed, bool one, const struct rda_config *config)
{
	GRand *random = g_rand_new_with_seed(seed);

	memset(run, 0, sizeof(*run));
	run->one = one;
	for (unsigned i = 0; i < CLIENTS; i++) {
		struct rda_feed *feed = &run->clients[i].feed;

		feed->engine = i && one ? run->clients[0].feed.engine : rda_engine_new(config);
		if (i)
			hand_on(run, i);
		rda_keys_connect(&run->clients[i], i, hosts[i]);
		run->clients[0].feed.meta = feed->meta;
	}
	for (unsigned i = 0; i < STEPS; i++)
		step(run, random);
	g_rand_free(random);
}

/* The result of one engine, or of both: either way round. */
static struct rda_result *result_of(uint32_t seed, bool one, const struct rda_config *config)
{
	struct rda_result *results[CLIENTS] = {NULL}, *merged;
	struct run run;

	play(&run, seed, one, config);
	for (unsigned i = 0; i < (one ? 1 : CLIENTS); i++) {
		rda_engine_end(run.clients[i].feed.engine);
		results[i] = rda_engine_result(run.clients[i].feed.engine);
		rda_engine_free(run.clients[i].feed.engine);
	}
	if (one)
		return results[0];
	merged = rda_result_merge(results[seed & 1], results[~seed & 1]);
	rda_result_free(results[0]);
	rda_result_free(results[1]);
	return merged;
}

static void same_findings(const struct rda_result *one, const struct rda_result *two, uint32_t seed)
{
	unsigned count = rda_result_finding_count(one), j = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct rda_finding *a = rda_result_finding(one, i), *b;

		if (!rda_judge_is_of_keys((enum rda_check)a->key.check))
			continue;
		do
			b = rda_result_finding(two, j++);
		while (!rda_judge_is_of_keys((enum rda_check)b->key.check));
		RDA_CHECK(memcmp(&a->key, &b->key, sizeof(a->key)) == 0 &&
				  a->connection == b->connection && a->flow == b->flow &&
				  a->proof == b->proof && a->count == b->count &&
				  !strcmp(rda_said_by(a), rda_said_by(b)) &&
				  memcmp(a->places, b->places,
					 a->place_count * sizeof(a->places[0])) == 0,
			  "seed %u: %s instead of %s", seed, rda_said_by(b), rda_said_by(a));
		seen[a->key.check]++;
	}
	RDA_CHECK(count == rda_result_finding_count(two), "seed %u: %u findings instead of %u",
		  seed, rda_result_finding_count(two), count);
}

static void same_keys(const struct rda_result *one, const struct rda_result *two, uint32_t seed)
{
	RDA_CHECK(rda_result_key_count(one) == rda_result_key_count(two), "seed %u", seed);
	RDA_CHECK(rda_result_keys_not_kept(one) == rda_result_keys_not_kept(two), "seed %u", seed);
	for (unsigned i = 0; i < rda_result_key_count(one); i++) {
		const struct rda_key_facts *a = rda_result_key(one, i), *b = rda_result_key(two, i);

		RDA_CHECK(memcmp(&a->id, &b->id, sizeof(a->id)) == 0 &&
				  memcmp(a->asked, b->asked, sizeof(a->asked)) == 0 &&
				  a->bytes == b->bytes &&
				  memcmp(rda_key_troubles(a), rda_key_troubles(b),
					 sizeof(struct rda_key_troubles)) == 0 &&
				  a->user_count == b->user_count &&
				  memcmp(a->users, b->users, a->user_count * sizeof(a->users[0])) ==
					  0,
			  "seed %u: key %u", seed, i);
	}
}

static void same(uint32_t seed, const struct rda_config *config)
{
	struct rda_result *whole = result_of(seed, true, config);
	struct rda_result *merged = result_of(seed, false, config);

	same_findings(whole, merged, seed);
	same_keys(whole, merged, seed);
	rda_result_free(whole);
	rda_result_free(merged);
}

START_TEST(two_engines_say_what_one_says)
{
	const struct rda_config config = {.keep_key_events = true};

	for (uint32_t seed = 0; seed < 200; seed++)
		same(seed, &config);
	/* what crosses engines was tried */
	ck_assert_uint_gt(seen[RDA_CHECK_A21], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K01], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K04], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K11], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K13], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K14], 0);
}
END_TEST

/* The limit is on all keys, whichever engine they are in; checks that are off stay off. */
START_TEST(limits)
{
	struct rda_config config = {.keep_key_events = true, .keys_cap = 2};

	config.checks_off[RDA_CHECK_K11] = true;
	memset(seen, 0, sizeof(seen));
	for (uint32_t seed = 0; seed < 20; seed++)
		same(seed, &config);
	ck_assert_uint_eq(seen[RDA_CHECK_K11], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K13], 0);
}
END_TEST

static uint64_t uses(const struct rda_result *result)
{
	uint64_t count = rda_result_keys_not_kept(result);

	for (unsigned i = 0; i < rda_result_key_count(result); i++)
		for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++)
			count += rda_result_key(result, i)->asked[use];
	return count;
}

/* What is behind the end of the logs is counted; of engines that keep none that is all. */
START_TEST(not_kept)
{
	const struct rda_config none = {.keys_cap = 0},
				some = {.keep_key_events = true, .key_events_cap = 2000};
	struct rda_result *whole = result_of(1, true, &none);

	for (unsigned i = 0; i < 2; i++) {
		struct rda_result *merged = result_of(1, false, i ? &some : &none);

		ck_assert_uint_gt(uses(whole), 0);
		ck_assert_uint_eq(uses(merged), uses(whole));
		ck_assert_uint_gt(rda_result_keys_not_kept(merged), 0);
		ck_assert_int_eq(rda_result_key_count(merged) > 0, i);
		rda_result_free(merged);
	}
	rda_result_free(whole);
}
END_TEST

Suite *rda_suite_merge_keys(void)
{
	Suite *suite = suite_create("merge_keys");
	TCase *tcase = tcase_create("merge_keys");

	tcase_add_test(tcase, two_engines_say_what_one_says);
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, not_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
