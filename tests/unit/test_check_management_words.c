/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words for hosts, services and reasons.
 */
#include "analyzer/checks/management/words.h"

#include "dissectors/values.h"
#include "tests/unit/suite.h"

#include <string.h>

START_TEST(addresses)
{
	struct rda_address ip4 = {.bytes = {[10] = 0xff, 0xff, 10, 0, 0, 1},
				  .kind = RDA_ADDRESS_IP4};
	struct rda_address lid = {.bytes = {[15] = 7}, .kind = RDA_ADDRESS_LID};
	char text[RDA_MANAGEMENT_WORDS];

	ck_assert_str_eq(rda_words_address(text, &ip4), "10.0.0.1");
	ck_assert_str_eq(rda_words_address(text, &lid), "LID 7");
}
END_TEST

START_TEST(services)
{
	static const struct {
		uint64_t id;
		const char *words;
	} cases[] = {
		{UINT64_C(0x0000000001061c06), "TCP port 7174"},
		{UINT64_C(0x0000000001110001), "UDP port 1"},
		{UINT64_C(0x00000000013f0001), "IP port 1"},
		{UINT64_C(0x1000000000000123), "service ID 0x1000000000000123"},
		{0, "an unknown service"},
	};
	char text[RDA_MANAGEMENT_WORDS];

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_cm_pair pair = {.service_id = cases[i].id};

		ck_assert_str_eq(rda_words_service(text, &pair), cases[i].words);
	}
}
END_TEST

/* Each reason that has words of its own is one that the table knows. */
START_TEST(reasons)
{
	unsigned explained = 0;

	for (int32_t reason = -1; reason < 70000; reason++) {
		const char *means = rda_words_reject(reason);

		explained += means != NULL;
		if (means)
			ck_assert_ptr_nonnull(rda_words(RDA_SET_REJ_REASON, (uint64_t)reason));
	}
	ck_assert_uint_eq(explained, 12);
	ck_assert_ptr_nonnull(strstr(rda_words_reject(8), "nobody listens"));
}
END_TEST

Suite *rda_suite_check_management_words(void)
{
	Suite *suite = suite_create("management_words");
	TCase *tcase = tcase_create("management_words");

	tcase_add_test(tcase, addresses);
	tcase_add_test(tcase, services);
	tcase_add_test(tcase, reasons);
	suite_add_tcase(suite, tcase);
	return suite;
}
