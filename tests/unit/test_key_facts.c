/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory keys as values: of a ledger that goes on, and of one of which nothing more is asked.
 */
#include "analyzer/facts/key_facts.h"

#include "dissectors/aeth.h"
#include "tests/unit/suite.h"

/* Two users of key 5, the second of which is refused twice at one address; one of key 6. */
static struct rda_key_ledger *ledger_of_two(void)
{
	struct rda_key_ledger *ledger = rda_key_ledger_new(1, 0);
	struct rda_key_news news;

	for (uint32_t i = 0; i < 3; i++) {
		struct rda_key_event event = {.kind = RDA_KEY_ASKED,
					      .flow = i,
					      .peer = RDA_KEY_NO_FLOW,
					      .requester = i,
					      .responder = 7,
					      .key = i < 2 ? 5 : 6,
					      .use = RDA_KEY_USE_WRITE,
					      .va = 0x1000 * (i + 1),
					      .length = 0x100,
					      .asked_place = i + 1,
					      .answers = true};

		rda_key_ledger_take(ledger, &event, &news);
		if (i != 1)
			continue;
		event.kind = RDA_KEY_REFUSED;
		event.syndrome = RDA_SYNDROME_NAK_REMOTE_ACCESS;
		rda_key_ledger_take(ledger, &event, &news);
		rda_key_ledger_take(ledger, &event, &news);
	}
	return ledger;
}

/* Index: whether the ledger is spent. */
START_TEST(of_a_ledger)
{
	struct rda_key_ledger *ledger = ledger_of_two();
	struct rda_key_facts *facts = rda_key_facts_of(ledger, _i);
	const struct rda_key_troubles *troubles;

	ck_assert_uint_eq(facts[0].id.key, 5);
	ck_assert_uint_eq(facts[0].id.responder, 7);
	ck_assert_uint_eq(facts[0].user_count, 2);
	ck_assert_uint_eq(facts[0].users[0], 0);
	ck_assert_uint_eq(facts[0].users[1], 1);
	ck_assert_uint_eq(facts[0].asked[RDA_KEY_USE_WRITE], 2);
	ck_assert_uint_eq(facts[0].bytes, 0x200);
	ck_assert(facts[0].has_range);
	ck_assert_uint_eq(facts[0].low, 0x1000);
	ck_assert_uint_eq(facts[0].last, 0x20ff);
	ck_assert_uint_eq(facts[0].first_place, 1);
	troubles = rda_key_troubles(&facts[0]);
	ck_assert_uint_eq(troubles->refused, 2);
	ck_assert_uint_eq(troubles->refusals.count, 1);
	ck_assert_uint_eq(troubles->refusals.va[0], 0x2000);
	ck_assert_uint_eq(troubles->invalidated_place, 0);
	/* what few keys have the others have no room for */
	ck_assert_ptr_null(facts[1].troubles);
	ck_assert_uint_eq(rda_key_troubles(&facts[1])->refused, 0);
	for (uint32_t i = 0; i < 2; i++)
		ck_assert(!rda_key_ledger_at(ledger, i) == (_i > 0));
	rda_key_facts_free(facts, 2);
	rda_key_ledger_free(ledger);
}
END_TEST

Suite *rda_suite_key_facts(void)
{
	Suite *suite = suite_create("key_facts");
	TCase *tcase = tcase_create("key_facts");

	tcase_add_loop_test(tcase, of_a_ledger, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
