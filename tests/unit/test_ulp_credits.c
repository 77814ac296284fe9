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

static void use(struct rda_ulp_credits *c, bool grants, uint64_t place, int64_t ns)
{
	rda_ulp_credits_use(c, &(struct rda_ulp_use){1, true, grants, place, ns});
}

START_TEST(waits)
{
	static const struct {
		int64_t sent_ns; /* behind a grant that came at 10 ms; nothing was left at 0 */
		uint64_t times;
	} cases[] = {{0, 1}, {9 * MS, 1}, {10 * MS, 0}, {50 * MS, 0}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_credits c = of(2), now;

		use(&c, true, 6, -MS);
		use(&c, i % 2, 7, 0);
		now = rda_ulp_credits_until(&c, false, 4 * MS);
		ck_assert(now.waits.held && now.waits.times == 1 && now.waits.held_ns == 4 * MS);
		ck_assert_uint_eq(c.waits.times, 0);
		rda_ulp_credits_grant(&c, 0, RDA_ULP_GRANT_ALONE, MS);
		rda_ulp_credits_grant(&c, 3, RDA_ULP_GRANT_ALONE, 10 * MS);
		ck_assert(!rda_ulp_credits_until(&c, false, 20 * MS).waits.held);
		use(&c, true, 8, 10 * MS + cases[i].sent_ns);
		ck_assert_msg(c.waits.times == cases[i].times, "case %u", i);
		ck_assert_int_eq(c.waits.held_ns, cases[i].times ? 10 * MS : 0);
		ck_assert_uint_eq(c.waits.longest_place, cases[i].times ? 7 : 0);
		ck_assert(!c.waits.times || c.waits.longest_granted == i % 2);
		ck_assert_int_eq(c.left, 2);
		ck_assert_uint_eq(c.granted, 3);
		ck_assert_uint_eq(c.used, 3);
	}
}
END_TEST

/* A grant with a message may bring what is answered, and who only grants did not wait. */
START_TEST(perhaps)
{
	static const struct {
		enum rda_ulp_grant with;
		bool tells;
		uint64_t times, perhaps;
	} cases[] = {
		{RDA_ULP_GRANT_ALONE, true, 1, 0},     {RDA_ULP_GRANT_ALONE, false, 0, 0},
		{RDA_ULP_GRANT_WITH_MORE, true, 0, 1}, {RDA_ULP_GRANT_WITH_MORE, false, 0, 0},
		{RDA_ULP_GRANT_TO_ANSWER, true, 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_credits c = of(1);

		use(&c, true, 5, 0);
		rda_ulp_credits_grant(&c, 1, cases[i].with, 9 * MS);
		rda_ulp_credits_use(&c, &(struct rda_ulp_use){1, cases[i].tells, true, 6, 10 * MS});
		ck_assert_msg(c.waits.times == cases[i].times &&
				      c.perhaps.times == cases[i].perhaps,
			      "case %u", i);
		c = rda_ulp_credits_until(&c, true, 20 * MS);
		ck_assert(c.perhaps.held && !c.waits.held);
		ck_assert_uint_eq(c.perhaps.times, cases[i].perhaps + 1);
	}
}
END_TEST

/* What rests on a message that no checksum vouches for, and what was counted before it. */
START_TEST(of_unchecked_messages)
{
	for (unsigned unchecked = 0; unchecked < 3; unchecked++) {
		struct rda_ulp_credits c = of(1);

		rda_ulp_credits_count(&c, unchecked != 0);
		use(&c, true, 5, 0);
		rda_ulp_credits_count(&c, unchecked != 1);
		use(&c, true, 6, MS);
		rda_ulp_credits_count(&c, false);
		ck_assert_int_eq(rda_ulp_credits_until(&c, false, 9 * MS).waits.checked_ns, 0);
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
		{0, 50, 0, 0},	   {12, 50, 1, 6},    {13, 50, 2, 6},
		{0, 100001, 1, 6}, {0, 100002, 2, 6}, {12, 100002, 2, 6},
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
	use(&c, true, 5, 0);
	ck_assert(!rda_ulp_credits_until(&c, false, 9 * MS).waits.held);
	rda_ulp_credits_grant(&c, 1, RDA_ULP_GRANT_ALONE, 9 * MS);
	use(&c, true, 6, 9 * MS);
	ck_assert_uint_eq(c.waits.times, 0);
	c.begun = true;
	ck_assert(rda_ulp_credits_until(&c, false, 10 * MS).waits.held);
	rda_ulp_credits_forget(&c);
	ck_assert(!rda_ulp_credits_until(&c, false, 10 * MS).waits.held);
	use(&c, true, 7, 10 * MS);
	rda_ulp_credits_grant(&c, 1, RDA_ULP_GRANT_ALONE, 10 * MS);
	ck_assert_int_eq(c.left, 0);
}
END_TEST

Suite *rda_suite_ulp_credits(void)
{
	Suite *suite = suite_create("ulp_credits");
	TCase *tcase = tcase_create("ulp_credits");

	tcase_add_test(tcase, waits);
	tcase_add_test(tcase, perhaps);
	tcase_add_test(tcase, of_unchecked_messages);
	tcase_add_test(tcase, one_too_many);
	tcase_add_test(tcase, many_too_many);
	tcase_add_test(tcase, not_begun_and_not_known);
	suite_add_tcase(suite, tcase);
	return suite;
}
