/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of memory keys: whose key it is, who used it, what worked, and the limits.
 */
#include "analyzer/track/keys/key_ledger.h"

#include "dissectors/aeth.h"
#include "tests/unit/suite.h"

static struct rda_key_ledger *ledger;

/* Flow i is that of requester i. */
static struct rda_key_event event_of(uint32_t flow, uint32_t responder, uint32_t key)
{
	return (struct rda_key_event){.flow = flow,
				      .peer = RDA_KEY_NO_FLOW,
				      .requester = flow,
				      .responder = responder,
				      .key = key,
				      .answers = true};
}

static struct rda_key_news take(enum rda_key_event_kind kind, struct rda_key_event event)
{
	struct rda_key_news news;

	event.kind = (uint8_t)kind;
	rda_key_ledger_take(ledger, &event, &news);
	return news;
}

static const struct rda_memory_key *ask(uint32_t responder, uint32_t tap, uint32_t key)
{
	/* flow and receiver go together */
	struct rda_key_event event = event_of(10 * responder + tap, responder, key);

	event.tap = tap;
	return take(RDA_KEY_ASKED, event).key;
}

START_TEST(a_key_is_its_responders)
{
	ledger = rda_key_ledger_new(1, 0);
	ck_assert_ptr_null(rda_key_ledger_find(ledger, 1, 5, 0));
	ck_assert_ptr_eq(ask(1, 0, 5), ask(1, 0, 5));
	ck_assert_ptr_ne(ask(1, 0, 5), ask(2, 0, 5));
	ck_assert_ptr_ne(ask(1, 0, 5), ask(1, 7, 5));
	ck_assert_ptr_ne(ask(1, 0, 5), ask(1, 0, 6));
	ck_assert_uint_eq(rda_key_ledger_count(ledger), 4);
	ck_assert_uint_eq(ask(1, 0, 6)->index, 3);
	ck_assert_ptr_eq(rda_key_ledger_find(ledger, 1, 6, 0), rda_key_ledger_at(ledger, 3));
	rda_key_ledger_free(ledger);
}
END_TEST

START_TEST(what_was_asked_gives_way_to_what_worked)
{
	struct rda_key_event inside = event_of(0, 1, 5), outside = inside, nothing = inside;
	const struct rda_memory_key *key;

	inside.use = RDA_KEY_USE_WRITE;
	inside.va = 0x1000;
	inside.length = outside.length = 0x100;
	inside.asked_place = 1;
	outside.va = 0x9000;
	outside.asked_place = 2;
	outside.syndrome = RDA_SYNDROME_NAK_REMOTE_ACCESS;
	nothing.va = 1;
	nothing.asked_place = 3;
	ledger = rda_key_ledger_new(1, 0);
	key = take(RDA_KEY_ASKED, nothing).key;
	ck_assert(!key->has_range); /* C9-88: of no bytes, the key is not looked at */
	take(RDA_KEY_ASKED, inside);
	take(RDA_KEY_ASKED, outside);
	ck_assert_uint_eq(key->low, 0x1000);
	ck_assert_uint_eq(key->last, 0x90ff);
	take(RDA_KEY_WORKED, nothing);
	ck_assert_uint_eq(key->worked->place, 0);
	take(RDA_KEY_WORKED, inside);
	ck_assert_uint_eq(key->low, 0x1000);
	ck_assert_uint_eq(key->last, 0x10ff);
	ck_assert(take(RDA_KEY_REFUSED, outside).is_new);
	ck_assert(!take(RDA_KEY_REFUSED, outside).is_new);
	ck_assert_uint_eq(key->rare->refused, 2);
	ck_assert_uint_eq(key->rare->refusals->count, 1);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_READ], 2);
	ck_assert_uint_eq(key->asked[RDA_KEY_USE_WRITE], 1);
	ck_assert_uint_eq(key->worked->count[RDA_KEY_USE_WRITE], 1);
	ck_assert_uint_eq(key->bytes, 0x200);
	ck_assert_uint_eq(key->worked->place, 1);
	ck_assert_uint_eq(key->latest_place, 2);
	rda_key_ledger_free(ledger);
}
END_TEST

/* One more than are kept: said, not forgotten. */
START_TEST(users_are_kept_once_and_capped)
{
	const struct rda_memory_key *key;

	ledger = rda_key_ledger_new(1, 0);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i <= RDA_KEY_USERS_MAX; i++) {
			struct rda_key_event event = event_of(i, 1, 5);

			event.asked_place = i + 1;
			event.length = 8;
			key = take(RDA_KEY_ASKED, event).key;
			ck_assert(key->more_users_seen == (round || i >= RDA_KEY_USERS_MAX));
		}
	ck_assert_uint_eq(key->user_count, RDA_KEY_USERS_MAX);
	ck_assert_uint_eq(key->rare->second_user_place, 2);
	for (uint32_t i = 0; i < RDA_KEY_USERS_MAX; i++)
		ck_assert_uint_eq(rda_key_user(key, i)->flow, i);
	rda_key_ledger_free(ledger);
}
END_TEST

START_TEST(keys_past_the_cap_are_counted)
{
	ledger = rda_key_ledger_new(1, 2);
	ck_assert_ptr_nonnull(ask(1, 0, 1));
	ck_assert_ptr_nonnull(ask(1, 0, 2));
	ck_assert_ptr_null(ask(1, 0, 3));
	ck_assert_ptr_null(ask(1, 0, 3));
	ck_assert_ptr_nonnull(ask(1, 0, 1));
	ck_assert_uint_eq(rda_key_ledger_not_kept(ledger), 2);
	ck_assert_uint_eq(rda_key_ledger_count(ledger), 2);
	rda_key_ledger_free(ledger);
}
END_TEST

START_TEST(a_hundred_thousand_keys)
{
	ledger = rda_key_ledger_new(1, 0);
	for (uint32_t i = 0; i < 100000; i++)
		RDA_CHECK(ask(1, 0, i * 0x101)->index == i, "key %u", i);
	ck_assert_uint_eq(rda_key_ledger_not_kept(ledger), 0);
	for (uint32_t i = 0; i < 100000; i++)
		RDA_CHECK(ask(1, 0, i * 0x101)->index == i, "key %u", i);
	rda_key_ledger_free(ledger);
}
END_TEST

enum { ASKED_NS = 100, AGAIN_NS = 180, WAIT_NS = 50 };

static bool is_under_way(const struct rda_memory_key *key, int64_t time_ns)
{
	return rda_key_is_under_way(ledger, &key->rare->recent[1], time_ns);
}

/* Of a key that two share: from the answers on until the acknowledgment, the end of the QP, that it
 * gives the key back, or that it was silent for longer than its timer takes. */
START_TEST(what_is_under_way)
{
	static const struct {
		enum rda_key_event_kind kind;
		bool paired;
		int64_t time_ns; /* it is under way until then; 0: it is not */
	} cases[] = {{RDA_KEY_ASKED, false, 0}, {RDA_KEY_ASKED, true, ASKED_NS + WAIT_NS},
		     {RDA_KEY_PASSED, true, 0}, {RDA_KEY_WORKED, true, 0},
		     {RDA_KEY_DEAD, true, 0},	{RDA_KEY_AGAIN, true, AGAIN_NS + WAIT_NS}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_key_event one = event_of(0, 1, 5), other = event_of(1, 1, 5);
		const struct rda_memory_key *key;

		one.length = other.length = 8;
		one.asked_place = other.asked_place = 1;
		one.time_ns = ASKED_NS;
		one.wait_ns = WAIT_NS;
		ledger = rda_key_ledger_new(1, 0);
		take(RDA_KEY_ASKED, one);
		key = take(RDA_KEY_ASKED, other).key;
		one.psn = 7;
		take(RDA_KEY_ASKED, one);
		take(RDA_KEY_ASKED, other); /* the one before it is in the ring from here on */
		if (cases[i].paired)
			take(RDA_KEY_PAIRED, one);
		one.time_ns = AGAIN_NS;
		if (cases[i].kind != RDA_KEY_ASKED)
			take(cases[i].kind, one);
		ck_assert_uint_eq(key->rare->recent[1].flow, 0);
		RDA_CHECK(is_under_way(key, cases[i].time_ns) == (cases[i].time_ns != 0), "case %u",
			  i);
		RDA_CHECK(!is_under_way(key, cases[i].time_ns + 1), "case %u", i);
		one.use = RDA_KEY_USE_INVALIDATE;
		take(RDA_KEY_ASKED, one); /* of the same PSN: it is not behind it */
		RDA_CHECK(is_under_way(key, cases[i].time_ns) == (cases[i].time_ns != 0), "case %u",
			  i);
		one.psn++;
		take(RDA_KEY_ASKED, one);
		RDA_CHECK(!is_under_way(key, cases[i].time_ns), "case %u", i);
		rda_key_ledger_free(ledger);
	}
}
END_TEST

Suite *rda_suite_key_ledger(void)
{
	Suite *suite = suite_create("key_ledger");
	TCase *tcase = tcase_create("key_ledger");

	tcase_add_test(tcase, a_key_is_its_responders);
	tcase_add_test(tcase, what_was_asked_gives_way_to_what_worked);
	tcase_add_test(tcase, users_are_kept_once_and_capped);
	tcase_add_test(tcase, keys_past_the_cap_are_counted);
	tcase_add_test(tcase, a_hundred_thousand_keys);
	tcase_add_test(tcase, what_is_under_way);
	suite_add_tcase(suite, tcase);
	return suite;
}
