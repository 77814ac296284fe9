/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What few requesters have is each one's own once it is written, and nobody else's.
 */
#include "analyzer/track/roce/requester.h"

#include "tests/unit/suite.h"

START_TEST(made_by_the_first_that_writes)
{
	struct rda_requester one, other;
	struct rda_requester_rare *rare;

	rda_requester_init(&one, 0);
	rda_requester_init(&other, 0);
	ck_assert_ptr_eq(one.rare, &rda_requester_ordinary);
	ck_assert_ptr_eq(one.heard, &rda_requester_unheard);
	rda_requester_anew(&one); /* nothing was answered: nothing to forget */
	ck_assert_ptr_eq(one.heard, &rda_requester_unheard);
	rare = rda_requester_rare(&one);
	ck_assert_int_eq(rare->due.trigger, RDA_TRIGGER_NONE);
	ck_assert_int_eq(rare->due_before.trigger, RDA_TRIGGER_NONE);
	rare->counts.spurious = 7;
	ck_assert_ptr_eq(rda_requester_rare(&one), rare);
	ck_assert_uint_eq(one.rare->counts.spurious, 7);
	ck_assert_uint_eq(other.rare->counts.spurious, 0);
	rda_requester_answered(&one, 12, 1000);
	ck_assert_int_eq(one.heard->answers.next, 12);
	ck_assert_int_eq(one.heard->answers.overtaken_ns, 1000);
	ck_assert_int_eq(one.heard->answers.overtaken_before_ns, RDA_NEVER_NS);
	ck_assert_int_eq(other.heard->answers.next, 0);
	ck_assert_int_eq(other.heard->answers.overtaken_ns, RDA_NEVER_NS);
	rda_requester_cleanup(&one);
	rda_requester_cleanup(&other);
}
END_TEST

Suite *rda_suite_requester_parts(void)
{
	Suite *suite = suite_create("requester_parts");
	TCase *tcase = tcase_create("requester_parts");

	tcase_add_test(tcase, made_by_the_first_that_writes);
	suite_add_tcase(suite, tcase);
	return suite;
}
