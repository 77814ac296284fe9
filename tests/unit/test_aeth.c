/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credits and RNR timers of every syndrome, against the tables of the specification written out.
 */
#include "dissectors/aeth.h"
#include "tests/unit/suite.h"

static const int32_t credits[32] = {
	0,    1,    2,	  3,	4,    6,     8,	    12,	   16,	  24,	32,
	48,   64,   96,	  128,	192,  256,   384,   512,   768,	  1024, 1536,
	2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, -1,
};

/* microseconds */
static const int32_t timers[32] = {
	655360, 10,    20,    30,    40,    60,	    80,	    120,    160,    240,    320,
	480,	640,   960,   1280,  1920,  2560,   3840,   5120,   7680,   10240,  15360,
	20480,	30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

START_TEST(credits_are_those_of_the_table)
{
	for (unsigned code = 0; code < 32; code++)
		ck_assert_int_eq(rda_aeth_credits((uint8_t)code), credits[code]);
}
END_TEST

START_TEST(timers_are_those_of_the_table_and_0_is_the_longest)
{
	for (unsigned code = 0; code < 32; code++)
		ck_assert_int_eq(rda_aeth_rnr_ns((uint8_t)(0x20 | code)),
				 timers[code] * INT64_C(1000));
}
END_TEST

START_TEST(the_kind_is_in_the_two_type_bits)
{
	ck_assert_int_eq(rda_syndrome_kind(0x1f), RDA_AETH_ACK);
	ck_assert_int_eq(rda_syndrome_kind(0x20), RDA_AETH_RNR);
	ck_assert_int_eq(rda_syndrome_kind(0x40), RDA_AETH_RESERVED);
	ck_assert_int_eq(rda_syndrome_kind(RDA_SYNDROME_NAK_SEQUENCE), RDA_AETH_NAK);
	ck_assert_int_eq(rda_syndrome_kind(RDA_SYNDROME_NAK_INVALID_RD), RDA_AETH_NAK);
}
END_TEST

Suite *rda_suite_aeth(void)
{
	Suite *suite = suite_create("aeth");
	TCase *tcase = tcase_create("syndromes");

	tcase_add_test(tcase, credits_are_those_of_the_table);
	tcase_add_test(tcase, timers_are_those_of_the_table_and_0_is_the_longest);
	tcase_add_test(tcase, the_kind_is_in_the_two_type_bits);
	suite_add_tcase(suite, tcase);
	return suite;
}
