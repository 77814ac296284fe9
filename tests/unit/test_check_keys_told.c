/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys in messages: told with their address, told, not told, and not to be known.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

enum { KEY = 0x00001622 };

static const uint8_t WITH_ADDRESS[] = {0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x16, 0x22};
static const uint8_t ALONE[] = {0x22, 0x16, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
static const uint8_t NEITHER[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				  0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

START_TEST(told_or_not)
{
	static const struct {
		const uint8_t *message;
		uint32_t length;
		uint64_t in_clear, never;
	} cases[] = {
		{WITH_ADDRESS, 12, 1, 0}, {ALONE, 12, 0, 0}, {NEITHER, 12, 0, 1},
		{NULL, 600, 0, 0}, /* not all of it is looked at: nobody knows */
		{NEITHER, 0, 0, 1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_keys_feed keys;

		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		rda_keys_tell(&keys, cases[i].message, cases[i].length);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 64);
		rda_keys_ack(&keys);
		rda_keys_access(&keys, RC_WRITE_ONLY, 0x1000, KEY, 64);
		rda_keys_ack(&keys);
		rda_keys_finish(&keys);
		ck_assert_msg(rda_keys_count(&keys, RDA_CHECK_K19) == cases[i].in_clear, "case %u",
			      i);
		ck_assert_msg(rda_keys_count(&keys, RDA_CHECK_K03) == cases[i].never, "case %u", i);
		rda_keys_end(&keys);
	}
}
END_TEST

Suite *rda_suite_check_keys_told(void)
{
	Suite *suite = suite_create("check_keys_told");
	TCase *tcase = tcase_create("check_keys_told");

	tcase_add_test(tcase, told_or_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
