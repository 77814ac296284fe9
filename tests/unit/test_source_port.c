/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The UDP source port that drivers make of two QPNs.
 */
#include "analyzer/track/roce/source_port.h"
#include "tests/unit/suite.h"

START_TEST(ports_of_drivers)
{
	/* perftest's UC pairs, recorded with the numbers that the two ends told each other */
	ck_assert_uint_eq(rda_source_port_of_qps(0x12, 0x12), 49476);
	ck_assert_uint_eq(rda_source_port_of_qps(0x13, 0x13), 49513);
}
END_TEST

/* The product of 48 bits, folded to 20 and then to 14, worked out apart from the code. */
START_TEST(large_numbers_are_folded)
{
	ck_assert_uint_eq(rda_source_port_of_qps(0x123456, 0x9abcde), 50194);
}
END_TEST

START_TEST(both_directions_have_the_same)
{
	for (uint32_t i = 1; i < 1000; i++) {
		uint32_t one = i * 7919 & 0xffffff, two = i * 104729 & 0xffffff;

		ck_assert_uint_eq(rda_source_port_of_qps(one, two),
				  rda_source_port_of_qps(two, one));
		ck_assert_uint_ge(rda_source_port_of_qps(one, two), 0xc000);
	}
}
END_TEST

Suite *rda_suite_source_port(void)
{
	Suite *suite = suite_create("source_port");
	TCase *tcase = tcase_create("source_port");

	tcase_add_test(tcase, ports_of_drivers);
	tcase_add_test(tcase, large_numbers_are_folded);
	tcase_add_test(tcase, both_directions_have_the_same);
	suite_add_tcase(suite, tcase);
	return suite;
}
