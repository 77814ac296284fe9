/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credits: what is a wait, what is one too many, and what is not known.
 */
#include "analyzer/track/ulp/ulp_credits.h"

#include "tests/unit/suite.h"

enum { MS = 1000000 };

static struct rda_ulp_credits of(int64_t left)
{
	struct rda_ulp_credits c;

	rda_ulp_credits_begin(&c, left, 0);
	c.begun = true;
	return c;
}

START_TEST(waits)
{
	static const struct {
		int64_t sent_ns; /* behind a grant that came at 10 ms; nothing was left at 0 */
		uint64_t times;
	} cases[] = {{0, 1}, {9 * MS, 1}, {10 * MS, 0}, {50 * MS, 0}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_credits c = of(2), now;

		rda_ulp_credits_use(&c, 1, true, 6, -MS);
		rda_ulp_credits_use(&c, 1, i % 2, 7, 0);
		now = rda_ulp_credits_until(&c, 4 * MS);
		ck_assert(now.held && now.times == 1 && now.held_ns == 4 * MS);
		ck_assert_uint_eq(c.times, 0);
		rda_ulp_credits_grant(&c, 0, MS);
		rda_ulp_credits_grant(&c, 3, 10 * MS);
		ck_assert(!rda_ulp_credits_until(&c, 20 * MS).held);
		rda_ulp_credits_use(&c, 1, true, 8, 10 * MS + cases[i].sent_ns);
		ck_assert_msg(c.times == cases[i].times, "case %u", i);
		ck_assert_int_eq(c.held_ns, cases[i].times ? 10 * MS : 0);
		ck_assert_uint_eq(c.longest_place, cases[i].times ? 7 : 0);
		ck_assert(!c.times || c.longest_granted == i % 2);
		ck_assert_int_eq(c.left, 2);
		ck_assert_uint_eq(c.granted, 3);
		ck_assert_uint_eq(c.used, 3);
	}
}
END_TEST

/* What rests on a message that no checksum vouches for, and what was counted before it. */
START_TEST(of_unchecked_messages)
{
	for (unsigned unchecked = 0; unchecked < 3; unchecked++) {
		struct rda_ulp_credits c = of(1);

		rda_ulp_credits_count(&c, unchecked != 0);
		rda_ulp_credits_use(&c, 1, true, 5, 0);
		rda_ulp_credits_count(&c, unchecked != 1);
		rda_ulp_credits_use(&c, 1, true, 6, MS);
		rda_ulp_credits_count(&c, false);
		ck_assert_int_eq(rda_ulp_credits_until(&c, 9 * MS).checked_ns, 0);
	}
}
END_TEST

/* What has no credit is owed until a grant comes: not behind an acknowledgment, nor much later. */
START_TEST(one_too_many)
{
	static const struct {
		int64_t acked, paid_ns;
		uint64_t exceeded, place;
	} cases[] = {
		{0, 50, 0, 0},	    {12, 50, 1, 6},	{13, 50, 2, 6},
		{0, 100001, 1, 6},  {0, 100002, 2, 6}, {12, 100002, 2, 6},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_debts d = {0};

		rda_ulp_debts_owe(&d, 12, 6, 1);
		rda_ulp_debts_owe(&d, 13, 7, 2);
		rda_ulp_debts_settle(&d, cases[i].acked, cases[i].paid_ns, true);
		rda_ulp_debts_pay(&d, 2);
		rda_ulp_debts_settle(&d, 20, MS, true);
		ck_assert_msg(d.exceeded == cases[i].exceeded && d.exceeded_place == cases[i].place,
			      "case %u", i);
		ck_assert(d.exceeded_checked == (d.exceeded > 0));
		rda_ulp_debts_owe(&d, 30, 8, MS);
		rda_ulp_debts_pay(&d, 0);
		rda_ulp_debts_forget(&d);
		rda_ulp_debts_settle(&d, 30, 2 * MS, true);
		ck_assert_uint_eq(d.exceeded, cases[i].exceeded);
	}
}
END_TEST

/* Of many the latest count together, as late as the last of them. */
START_TEST(many_too_many)
{
	struct rda_ulp_debts d = {0};

	for (uint64_t i = 0; i < 2 * RDA_ULP_DEBTS; i++)
		rda_ulp_debts_owe(&d, (int64_t)i, i + 1, (int64_t)i * 10000);
	rda_ulp_debts_pay(&d, 2);
	rda_ulp_debts_settle(&d, -1, 2 * RDA_ULP_DEBTS * 10000, false);
	ck_assert_uint_eq(d.exceeded, RDA_ULP_DEBTS - 3);
	ck_assert_uint_eq(d.exceeded_place, 3);
	ck_assert(!d.exceeded_checked);
	rda_ulp_debts_pay(&d, RDA_ULP_DEBTS); /* some of these are overdue */
	rda_ulp_debts_settle(&d, -1, MS, true);
	ck_assert_uint_eq(d.exceeded, 2 * RDA_ULP_DEBTS - 2 - 3);
	rda_ulp_debts_pay(&d, RDA_ULP_DEBTS);
	ck_assert_uint_eq(d.overdue, 0);
}
END_TEST

START_TEST(not_begun_and_not_known)
{
	struct rda_ulp_credits c;

	rda_ulp_credits_begin(&c, 1, 0);
	rda_ulp_credits_use(&c, 1, true, 5, 0);
	ck_assert(!rda_ulp_credits_until(&c, 9 * MS).held);
	rda_ulp_credits_grant(&c, 1, 9 * MS);
	rda_ulp_credits_use(&c, 1, true, 6, 9 * MS);
	ck_assert_uint_eq(c.times, 0);
	c.begun = true;
	ck_assert(rda_ulp_credits_until(&c, 10 * MS).held);
	rda_ulp_credits_forget(&c);
	ck_assert(!rda_ulp_credits_until(&c, 10 * MS).held);
	rda_ulp_credits_use(&c, 1, true, 7, 10 * MS);
	rda_ulp_credits_grant(&c, 1, 10 * MS);
	ck_assert_int_eq(c.left, 0);
}
END_TEST

Suite *rda_suite_ulp_credits(void)
{
	Suite *suite = suite_create("ulp_credits");
	TCase *tcase = tcase_create("ulp_credits");

	tcase_add_test(tcase, waits);
	tcase_add_test(tcase, of_unchecked_messages);
	tcase_add_test(tcase, one_too_many);
	tcase_add_test(tcase, many_too_many);
	tcase_add_test(tcase, not_begun_and_not_known);
	suite_add_tcase(suite, tcase);
	return suite;
}
