/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two QPs and one place: which pairs of accesses matter, and when they are at once.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

enum { KEY = 0x77 };

static struct rda_keys_feed keys;

/* Both QPs are known to the key; then one access each, the first acknowledged before or not. */
static void two(uint8_t one, uint8_t other, uint64_t other_va, bool acked)
{
	struct rda_keys_feed second;

	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 1, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x9000, KEY, 8);
	rda_keys_ack(&keys);
	second = keys;
	rda_keys_connect(&keys, 0, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x9000, KEY, 8);
	rda_keys_ack(&keys);
	rda_keys_access(&keys, one, 0x1000, KEY, 8);
	if (acked)
		rda_keys_ack(&keys);
	second.feed = keys.feed;
	rda_keys_access(&second, other, other_va, KEY, 8);
	rda_keys_ack(&second);
	keys.feed = second.feed;
	rda_keys_finish(&keys);
}

START_TEST(which_pairs_are_told)
{
	static const struct {
		uint8_t one, other;
		uint64_t va;
		bool acked;
		int check; /* RDA_CHECK_COUNT: none */
	} cases[] = {
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0x1000, false, RDA_CHECK_K13},
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0x1007, false, RDA_CHECK_K13},
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0xff9, false, RDA_CHECK_K13},
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0x1008, false, RDA_CHECK_COUNT},
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0xff8, false, RDA_CHECK_COUNT},
		{RC_WRITE_ONLY, RC_WRITE_ONLY, 0x1000, true, RDA_CHECK_COUNT},
		{RC_WRITE_ONLY, RC_READ_REQUEST, 0x1000, false, RDA_CHECK_K14},
		{RC_READ_REQUEST, RC_WRITE_ONLY, 0x1000, false, RDA_CHECK_K14},
		{RC_READ_REQUEST, RC_READ_REQUEST, 0x1000, false, RDA_CHECK_COUNT},
		{RC_FETCH_ADD, RC_WRITE_ONLY, 0x1000, false, RDA_CHECK_K15},
		{RC_FETCH_ADD, RC_FETCH_ADD, 0x1000, false, RDA_CHECK_COUNT},
		{RC_FETCH_ADD, RC_READ_REQUEST, 0x1000, false, RDA_CHECK_COUNT},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		two(cases[i].one, cases[i].other, cases[i].va, cases[i].acked);
		for (int check = RDA_CHECK_K13; check <= RDA_CHECK_K15; check++)
			ck_assert_msg(rda_keys_count(&keys, (enum rda_check)check) ==
					      (check == cases[i].check),
				      "case %u, K%d", i, 13 + check - RDA_CHECK_K13);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K11), 1);
		rda_keys_end(&keys);
	}
}
END_TEST

START_TEST(one_qp_keeps_its_own_order)
{
	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 1, 1); /* another user of the key */
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x9000, KEY, 8);
	rda_keys_ack(&keys);
	rda_keys_connect(&keys, 0, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x8000, KEY, 8);
	rda_keys_ack(&keys);
	for (unsigned i = 0; i < 20; i++)
		rda_keys_access(&keys, i % 2 ? RC_READ_REQUEST : RC_WRITE_ONLY, 0x1000, KEY, 8);
	rda_keys_finish(&keys);
	for (int check = RDA_CHECK_K13; check <= RDA_CHECK_K15; check++)
		ck_assert_uint_eq(rda_keys_count(&keys, (enum rda_check)check), 0);
	rda_keys_end(&keys);
}
END_TEST

START_TEST(a_window_of_a_gibibyte)
{
	for (unsigned more = 0; more < 2; more++) {
		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x10000, KEY, 8);
		rda_keys_ack(&keys);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x10000 + (1 << 30) - 8 + more, KEY, 8);
		rda_keys_ack(&keys);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K12), more);
		rda_keys_end(&keys);
	}
}
END_TEST

/* Registered one after the other, or at one time: the first is used again after the second. */
START_TEST(two_keys_for_one_address)
{
	for (uint32_t row = 0; row < 4; row++) {
		uint32_t uses = 2 + row / 2; /* and which of the keys begins at the lower address */

		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		for (uint32_t i = 0; i < uses; i++) {
			rda_keys_access(&keys, RC_WRITE_ONLY, 0x10000 + 32 * ((i + row) % 2),
					KEY + i % 2, 64);
			rda_keys_ack(&keys);
		}
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K18), uses == 3);
		rda_keys_end(&keys);
	}
}
END_TEST

Suite *rda_suite_check_keys_shared(void)
{
	Suite *suite = suite_create("check_keys_shared");
	TCase *tcase = tcase_create("check_keys_shared");

	tcase_add_test(tcase, which_pairs_are_told);
	tcase_add_test(tcase, one_qp_keeps_its_own_order);
	tcase_add_test(tcase, a_window_of_a_gibibyte);
	tcase_add_test(tcase, two_keys_for_one_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
