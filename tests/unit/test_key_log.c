/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of keys that two engines keep, merged and told to one ledger, are what one engine says.
 */
#include "analyzer/track/keys/key_log.h"

#include "analyzer/checks/judge.h"
#include "analyzer/checks/keys/keys.h"
#include "tests/unit/keys_feed.h"
#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

enum { CLIENTS = 2, KEYS = 3, STEPS = 60, RESPONDER = 2 };

static const uint8_t hosts[CLIENTS] = {1, 3};

/* What two clients do with the keys of one responder; `one`: in one engine, else in one each. */
struct run {
	struct rda_keys_feed clients[CLIENTS];
	bool one;
};

/* The numbers of frames go on from client to client. */
static void hand_on(struct run *run, unsigned client)
{
	struct rda_feed *from = &run->clients[!client].feed, *to = &run->clients[client].feed;

	to->meta = from->meta;
}

static void tell_key(struct rda_keys_feed *keys, uint32_t key)
{
	uint8_t bytes[8] = {0};

	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(key >> (24 - 8 * i));
	rda_keys_tell(keys, bytes, sizeof(bytes));
}

static void step(struct run *run, GRand *random)
{
	unsigned client = (unsigned)g_rand_int_range(random, 0, CLIENTS);
	uint32_t key = 0x70 + (uint32_t)g_rand_int_range(random, 0, KEYS);
	uint64_t va = 0x1000 + 4 * (uint64_t)g_rand_int_range(random, 0, 4);
	int what = g_rand_int_range(random, 0, 12);
	struct rda_keys_feed *keys = &run->clients[client];

	hand_on(run, client);
	if (what < 5)
		rda_keys_access(keys, what < 4 ? RDA_WRITE : RDA_READ, va, key, 8);
	else if (what < 9)
		rda_keys_ack(keys);
	else if (what == 9)
		rda_keys_invalidate(keys, key);
	else if (what == 10)
		tell_key(keys, key);
	else if (g_rand_int_range(random, 0, 4) == 0)
		rda_keys_nak(keys, 0x62);
	run->clients[!client].feed.meta = keys->feed.meta;
}

static void play(struct run *run, uint32_t seed, bool one)
{
	const struct rda_config config = {.keep_key_events = !one};
	GRand *random = g_rand_new_with_seed(seed);

	memset(run, 0, sizeof(*run));
	run->one = one;
	for (unsigned i = 0; i < CLIENTS; i++) {
		struct rda_feed *feed = &run->clients[i].feed;

		feed->engine = i && one ? run->clients[0].feed.engine : rda_engine_new(&config);
		if (i)
			hand_on(run, i);
		rda_keys_connect(&run->clients[i], i, hosts[i]);
		run->clients[0].feed.meta = feed->meta;
	}
	for (unsigned i = 0; i < STEPS; i++)
		step(run, random);
	for (unsigned i = 0; i < (one ? 1 : CLIENTS); i++)
		rda_engine_finish(run->clients[i].feed.engine);
	g_rand_free(random);
}

static void stop(struct run *run)
{
	for (unsigned i = 0; i < (run->one ? 1 : CLIENTS); i++)
		rda_engine_drop(run->clients[i].feed.engine);
}

/* Where the flows and hosts of an engine are in the one that saw all. */
static struct rda_key_map map_of(const struct rda_engine *engine, const struct rda_engine *whole)
{
	const struct rda_table *flows = rda_engine_judge(engine)->whole.flows;
	const struct rda_table *table = rda_engine_judge(engine)->whole.hosts;
	uint32_t *of_flows = g_new(uint32_t, flows->count),
		 *of_hosts = g_new(uint32_t, table->count);

	for (uint32_t i = 0; i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];
		const struct rda_flow *same =
			rda_table_find(rda_engine_judge(whole)->whole.flows, &flow->key);

		ck_assert_ptr_nonnull(same);
		of_flows[i] = same->index;
	}
	for (uint32_t i = 0; i < table->count; i++) {
		const struct rda_host *host = table->items[i];
		const struct rda_host *same =
			rda_table_find(rda_engine_judge(whole)->whole.hosts, &host->address);

		of_hosts[i] = same->index;
	}
	return (struct rda_key_map){of_flows, of_hosts};
}

static struct rda_key_log *merged(const struct run *run, const struct rda_engine *whole,
				  bool backwards)
{
	struct rda_key_log *log = rda_key_log_new();

	for (unsigned i = 0; i < CLIENTS; i++) {
		const struct rda_engine *engine =
			run->clients[backwards ? CLIENTS - 1 - i : i].feed.engine;
		struct rda_key_log *from = rda_engine_key_log(engine);
		struct rda_key_map map = map_of(engine, whole);

		rda_key_log_merge(log, from, &map);
		rda_key_log_free(from);
		g_free((void *)(uintptr_t)map.flows);
		g_free((void *)(uintptr_t)map.hosts);
	}
	return log;
}

static void same_findings(const struct rda_findings *one, const struct rda_findings *two,
			  uint32_t seed)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < one->table.count; i++) {
		const struct rda_finding *a = one->table.items[i], *b;

		if (rda_check_row((enum rda_check)a->key.check)->code[0] != 'K' ||
		    a->key.check == RDA_CHECK_K21)
			continue;
		b = rda_table_find(&two->table, &a->key);
		RDA_CHECK(b, "seed %u: %s is missing: %s", seed,
			  rda_check_row((enum rda_check)a->key.check)->code, rda_said_by(a));
		RDA_CHECK(a->count == b->count && !strcmp(rda_said_by(a), rda_said_by(b)) &&
				  memcmp(a->places, b->places,
					 a->place_count * sizeof(a->places[0])) == 0,
			  "seed %u: %s instead of %s", seed, rda_said_by(b), rda_said_by(a));
		count++;
	}
	RDA_CHECK(count == two->table.count, "seed %u: %u findings instead of %u", seed,
		  two->table.count, count);
}

static void same_keys(const struct rda_engine *engine, const struct rda_key_ledger *ledger,
		      uint32_t seed)
{
	RDA_CHECK(rda_engine_key_count(engine) == rda_key_ledger_count(ledger), "seed %u", seed);
	for (uint32_t i = 0; i < rda_key_ledger_count(ledger); i++) {
		const struct rda_memory_key *a = rda_engine_key(engine, i);
		const struct rda_memory_key *b = rda_key_ledger_at(ledger, i);

		RDA_CHECK(memcmp(&a->id, &b->id, sizeof(a->id)) == 0 &&
				  memcmp(a->asked, b->asked, sizeof(a->asked)) == 0 &&
				  memcmp(a->worked, b->worked, sizeof(a->worked)) == 0 &&
				  a->user_count == b->user_count && a->refused == b->refused &&
				  a->invalidated_place == b->invalidated_place &&
				  a->used_after_invalidate == b->used_after_invalidate &&
				  a->told_place == b->told_place &&
				  a->told_unknown == b->told_unknown,
			  "seed %u: key %u", seed, i);
	}
}

START_TEST(two_engines_say_what_one_says)
{
	uint64_t seen[RDA_CHECK_COUNT] = {0};

	for (uint32_t seed = 0; seed < 200; seed++) {
		struct run whole, parts;
		struct rda_engine *engine;
		struct rda_key_log *log;
		struct rda_key_ledger *ledger = rda_key_ledger_new(1, 0);
		struct rda_judge judge;
		const struct rda_table nothing = {.count = 0};

		play(&whole, seed, true);
		play(&parts, seed, false);
		engine = whole.clients[0].feed.engine;
		log = merged(&parts, engine, seed & 1);
		rda_judge_init(&judge, 1);
		judge.whole = rda_engine_judge(engine)->whole;
		rda_check_keys_replay(&judge, log, ledger);
		same_findings(&rda_engine_judge(engine)->findings, &judge.findings, seed);
		same_keys(engine, ledger, seed);
		for (uint32_t i = 0; i < judge.findings.table.count; i++)
			seen[((struct rda_finding *)judge.findings.table.items[i])->key.check]++;
		rda_judge_cleanup(&judge, &nothing);
		rda_key_log_free(log);
		rda_key_ledger_free(ledger);
		stop(&whole);
		stop(&parts);
	}
	/* what crosses engines was tried */
	ck_assert_uint_gt(seen[RDA_CHECK_K01], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K04], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K11], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K13], 0);
	ck_assert_uint_gt(seen[RDA_CHECK_K14], 0);
}
END_TEST

Suite *rda_suite_key_log(void)
{
	Suite *suite = suite_create("key_log");
	TCase *tcase = tcase_create("key_log");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, two_engines_say_what_one_says);
	suite_add_tcase(suite, tcase);
	return suite;
}
