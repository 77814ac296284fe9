/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of numbers: each has one, and no two the same.
 */
#include "analyzer/rda.h"

#include "tests/unit/suite.h"

#include <string.h>

static void check_names(const char *(*name_of)(uint8_t), uint8_t first, uint8_t count)
{
	for (uint8_t i = first; i < count; i++) {
		ck_assert_msg(name_of(i) && name_of(i)[0], "%u has no name", i);
		for (uint8_t other = first; other < i; other++)
			ck_assert_str_ne(name_of(i), name_of(other));
	}
}

START_TEST(each_number_has_a_name_of_its_own)
{
	check_names(rda_transport_name, RDA_CARRIER_ROCEV2, RDA_CARRIER_COUNT);
	check_names(rda_icrc_name, 0, RDA_ICRC_VERDICTS);
	check_names(rda_service_name, RDA_SERVICE_RC, RDA_SERVICE_IWARP + 1);
	check_names(rda_paired_by_name, 0, RDA_PAIRED_BY_COUNT);
	check_names(rda_message_name, 0, RDA_MESSAGE_COUNT);
	check_names(rda_timer_name, RDA_TIMER_CONSTANT, RDA_TIMER_COUNT);
}
END_TEST

START_TEST(none_and_unknown_have_no_name)
{
	ck_assert_ptr_null(rda_transport_name(RDA_CARRIER_NONE));
	ck_assert_ptr_null(rda_service_name(RDA_SERVICE_UNKNOWN));
	ck_assert_ptr_null(rda_timer_name(RDA_TIMER_UNKNOWN));
}
END_TEST

Suite *rda_suite_names(void)
{
	Suite *suite = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_add_test(tc, each_number_has_a_name_of_its_own);
	tcase_add_test(tc, none_and_unknown_have_no_name);
	suite_add_tcase(suite, tc);
	return suite;
}
