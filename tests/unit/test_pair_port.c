/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs that answers made, beside flows whose ports tell of others.
 */
#include "analyzer/track/pair_port.h"

#include "tests/unit/suite.h"

enum { FLOWS = 3 };

/* Host 1 asks, from port 1; what goes back from host 2 comes from port 2, and from `third`. */
static enum rda_paired_by doubted(uint16_t third, uint8_t third_to, enum rda_paired_by made)
{
	struct rda_flow flows[FLOWS] = {0}, *items[FLOWS], *peer[FLOWS] = {0};
	const struct rda_table table = {.items = (void **)items, .count = FLOWS};
	uint8_t by[FLOWS] = {(uint8_t)made, (uint8_t)made, RDA_PAIRED_BY_NONE};

	for (unsigned i = 0; i < FLOWS; i++) {
		items[i] = &flows[i];
		flows[i].index = i;
		flows[i].key.source.bytes[15] = i ? 2 : 1;
		flows[i].key.destination.bytes[15] = i ? 1 : 2;
		flows[i].source_port_known = true;
	}
	flows[2].key.destination.bytes[15] = third_to;
	flows[0].source_port = 1;
	flows[1].source_port = 2;
	flows[2].source_port = third;
	peer[0] = &flows[1];
	peer[1] = &flows[0];
	rda_pair_port_doubts(&table, peer, by);
	ck_assert_uint_eq(by[0], by[1]);
	ck_assert_uint_eq(by[2], RDA_PAIRED_BY_NONE);
	return by[0];
}

START_TEST(another_has_the_port_of_one)
{
	ck_assert_int_eq(doubted(1, 1, RDA_PAIRED_BY_RESPONSES), RDA_PAIRED_BY_ONLY_CANDIDATE);
}
END_TEST

START_TEST(none_has_it_or_elsewhere)
{
	ck_assert_int_eq(doubted(3, 1, RDA_PAIRED_BY_RESPONSES), RDA_PAIRED_BY_RESPONSES);
	ck_assert_int_eq(doubted(2, 1, RDA_PAIRED_BY_RESPONSES), RDA_PAIRED_BY_RESPONSES);
	ck_assert_int_eq(doubted(1, 3, RDA_PAIRED_BY_RESPONSES), RDA_PAIRED_BY_RESPONSES);
}
END_TEST

START_TEST(other_evidence_stands)
{
	ck_assert_int_eq(doubted(1, 1, RDA_PAIRED_BY_CM), RDA_PAIRED_BY_CM);
}
END_TEST

Suite *rda_suite_pair_port(void)
{
	Suite *suite = suite_create("pair_port");
	TCase *tcase = tcase_create("pair_port");

	tcase_add_test(tcase, another_has_the_port_of_one);
	tcase_add_test(tcase, none_has_it_or_elsewhere);
	tcase_add_test(tcase, other_evidence_stands);
	suite_add_tcase(suite, tcase);
	return suite;
}
