/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of coded fields: every set ascending and unique, and looked up rightly. The words for
 * the reasons of refusals are checked with the messages, in test_mad.c.
 */
#include "dissectors/headers.h"
#include "dissectors/values.h"
#include "tests/unit/suite.h"

START_TEST(every_set_is_ascending_and_unique)
{
	for (unsigned set = RDA_SET_NONE + 1; set < RDA_SET_COUNT; set++) {
		const struct rda_words *words = &rda_value_sets[set];

		ck_assert_uint_gt(words->count, 0);
		for (unsigned i = 0; i < words->count; i++) {
			ck_assert_msg(i == 0 || words->word[i - 1].value < words->word[i].value,
				      "set %u, %s", set, words->word[i].words);
			ck_assert(words->word[i].words[0] != '\0');
			for (unsigned j = 0; j < i; j++)
				ck_assert_str_ne(words->word[i].words, words->word[j].words);
		}
	}
}
END_TEST

START_TEST(every_value_is_found_and_its_neighbours_are_not)
{
	for (unsigned set = RDA_SET_NONE + 1; set < RDA_SET_COUNT; set++) {
		const struct rda_words *words = &rda_value_sets[set];

		for (unsigned value = 0; value <= UINT16_MAX; value++) {
			const char *want = NULL;

			for (unsigned i = 0; i < words->count; i++)
				if (words->word[i].value == value)
					want = words->word[i].words;
			RDA_CHECK(rda_words((enum rda_value_set)set, value) == want,
				  "set %u, value %u", set, value);
		}
	}
}
END_TEST

START_TEST(no_words_for_what_no_set_has)
{
	ck_assert_ptr_null(rda_words(RDA_SET_NONE, 0));
	/* a wide field whose low 16 bits are a value has none */
	ck_assert_ptr_null(rda_words(RDA_SET_ETHERTYPE, 0x10800));
	ck_assert_ptr_null(rda_words(RDA_SET_ECN, UINT64_MAX));
}
END_TEST

/* a value that its field cannot hold is a mistake in one of the two */
START_TEST(every_value_fits_its_fields)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		for (unsigned i = 0; i < rda_headers[h].field_count; i++) {
			const struct rda_field *field = &rda_headers[h].fields[i];
			const struct rda_words *words = &rda_value_sets[field->values];

			if (words->count == 0 || field->width >= 16)
				continue;
			ck_assert_msg(words->word[words->count - 1].value < 1u << field->width,
				      "%s.%s", rda_headers[h].id, field->member);
		}
	}
}
END_TEST

START_TEST(known_values_have_their_words)
{
	ck_assert_str_eq(rda_words(RDA_SET_ETHERTYPE, 0x8915), "RoCEv1");
	ck_assert_str_eq(rda_words(RDA_SET_IP_PROTO, 17), "UDP");
	ck_assert_str_eq(rda_words(RDA_SET_ECN, 3), "CE");
	ck_assert_str_eq(rda_words(RDA_SET_SYNDROME, 0x62), "remote access error");
	ck_assert_str_eq(rda_words(RDA_SET_MAD_CLASS, 7), "ComMgt");
	ck_assert_str_eq(rda_words(RDA_SET_PATH_MTU, 5), "4096");
}
END_TEST

Suite *rda_suite_values(void)
{
	Suite *suite = suite_create("values");
	TCase *tcase = tcase_create("sets");

	tcase_add_test(tcase, every_set_is_ascending_and_unique);
	tcase_add_test(tcase, every_value_is_found_and_its_neighbours_are_not);
	tcase_add_test(tcase, no_words_for_what_no_set_has);
	tcase_add_test(tcase, every_value_fits_its_fields);
	tcase_add_test(tcase, known_values_have_their_words);
	suite_add_tcase(suite, tcase);
	return suite;
}
