/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entropies: of sequences whose entropy is known.
 */
#include "analyzer/checks/keys/state.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

static struct rda_keys_feed keys;

static void give(uint32_t key)
{
	rda_keys_access(&keys, RC_WRITE_ONLY, 0x10000 * UINT64_C(1) * key, key, 8);
	rda_keys_ack(&keys);
}

START_TEST(keys_that_can_be_guessed)
{
	static const struct {
		uint32_t count, first, step, every; /* every so many, the step is greater by 1 */
		const char *words;		    /* NULL: nothing is told */
	} cases[] = {
		{16, 0x1000, 1, 0, "0.00 bits of entropy in the step"},
		{15, 0x1000, 1, 0, NULL},
		{17, 0x1000, 0x100, 0, "0.00 bits in the lowest byte"},
		{16, 0x1000, 0x10, 0, "(0x10 in 15 of 15), and 4.00 bits in the lowest byte"},
		{17, 0x1000, 5, 2, "1.00 bits of entropy in the step"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		uint32_t key = cases[i].first;

		rda_keys_begin(&keys);
		rda_keys_connect(&keys, 0, 1);
		for (uint32_t n = 0; n < cases[i].count; n++) {
			give(key);
			key += cases[i].step + (cases[i].every && n % cases[i].every == 0);
		}
		rda_keys_finish(&keys);
		ck_assert_msg(rda_keys_count(&keys, RDA_CHECK_K10) == (cases[i].words != NULL),
			      "case %u", i);
		if (cases[i].words)
			ck_assert_msg(rda_keys_says(&keys, RDA_CHECK_K10, cases[i].words),
				      "case %u", i);
		rda_keys_end(&keys);
	}
}
END_TEST

START_TEST(keys_that_cannot)
{
	uint32_t key = 12345;

	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	for (uint32_t n = 0; n < 64; n++) {
		key = key * 1664525 + 1013904223;
		give(key ^ key >> 15);
	}
	rda_keys_finish(&keys);
	ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K10), 0);
	rda_keys_end(&keys);
}
END_TEST

/* The feed's QPNs count up, and its starting PSNs are all 0. */
START_TEST(eight_connections_tell)
{
	for (uint32_t count = 7; count <= 8; count++) {
		rda_keys_begin(&keys);
		for (uint32_t link = 0; link < count; link++)
			rda_keys_connect(&keys, link, 1);
		rda_keys_finish(&keys);
		ck_assert_uint_eq(rda_keys_count(&keys, RDA_CHECK_K22), count == 8 ? 2 : 0);
		ck_assert(count < 8 ||
			  rda_keys_says(&keys, RDA_CHECK_K22,
					"the QPN grows by 1 in 7 of 7 steps, and the starting "
					"PSNs have 0.00 bits of entropy, of at most "
					"3.00"));
		rda_keys_end(&keys);
	}
}
END_TEST

START_TEST(the_first_connections_tell_of_many)
{
	rda_keys_begin(&keys);
	for (uint32_t link = 0; link <= RDA_KEY_NUMBERS_MAX; link++)
		rda_keys_connect(&keys, link, 1);
	rda_keys_finish(&keys);
	ck_assert(rda_keys_says(&keys, RDA_CHECK_K22, "Of the first 1024 connections of "));
	rda_keys_end(&keys);
}
END_TEST

Suite *rda_suite_check_keys_guess(void)
{
	Suite *suite = suite_create("check_keys_guess");
	TCase *tcase = tcase_create("check_keys_guess");

	tcase_add_test(tcase, keys_that_can_be_guessed);
	tcase_add_test(tcase, keys_that_cannot);
	tcase_add_test(tcase, eight_connections_tell);
	tcase_add_test(tcase, the_first_connections_tell_of_many);
	suite_add_tcase(suite, tcase);
	return suite;
}
