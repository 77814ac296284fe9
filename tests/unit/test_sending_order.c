/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which identifications tell the order of sending, and which tell nothing.
 */
#include "analyzer/track/roce/sending_order.h"

#include "tests/unit/suite.h"

#define US INT64_C(1000)

static struct rda_sending_order order;
static int64_t now;

static void begin(void)
{
	order = (struct rda_sending_order){0};
	now = 0;
}

static int64_t pass(uint16_t ip_id, int64_t psn)
{
	now += 10 * US;
	return rda_sending_order_of(&order, ip_id, psn, now);
}

START_TEST(counting)
{
	int64_t late, latest;

	begin();
	for (uint16_t i = 0; i < 8; i++)
		pass((uint16_t)(0xfffc + 2 * i), 100 + i); /* wraps; others of the host between */
	latest = pass(20, 110);
	ck_assert_int_ne(latest, RDA_ORDER_UNKNOWN);
	late = pass(18, 109);
	ck_assert_int_eq(late, latest - 2);
	ck_assert_int_eq(order.latest, latest);
	ck_assert_int_eq(pass(21, 100), latest + 1); /* sent again: behind none */
	ck_assert_int_eq(pass(21, 100), latest + 1); /* a copy of it */
	ck_assert_uint_eq(order.behind, 1);
	ck_assert_uint_eq(order.odd, 0);
}
END_TEST

/* A flow of more packets than 32 bits count: what was known of its identifications stays so. */
START_TEST(of_billions)
{
	begin();
	for (uint16_t i = 0; i < 20; i++)
		pass((uint16_t)(2 * i), 100 + i);
	order.ahead = order.near = UINT32_MAX;
	order.odd = 1 << 20;
	ck_assert_int_ne(pass(60, 120), RDA_ORDER_UNKNOWN);
	ck_assert_int_ne(pass(61, 121), RDA_ORDER_UNKNOWN);
	ck_assert(rda_sending_order_is_dense(&order));
	/* random ones: about half of the steps are odd */
	order.ahead = UINT32_MAX / 2;
	order.near = UINT32_MAX / 128;
	order.odd = UINT32_MAX;
	ck_assert_int_eq(pass(60000, 122), RDA_ORDER_UNKNOWN);
	ck_assert_int_eq(pass(62, 123), RDA_ORDER_UNKNOWN);
	rda_sending_order_again(&order);
	ck_assert(!rda_sending_order_is_known(&order));
	/* one for all packets */
	begin();
	pass(0, 100);
	order.odd = UINT32_MAX;
	for (uint32_t i = 0; i < 4; i++)
		ck_assert_int_eq(pass(0, 101 + i), RDA_ORDER_UNKNOWN);
	ck_assert(!rda_sending_order_is_known(&order));
}
END_TEST

/* What is sent again would have the identification of its original. */
START_TEST(made_of_the_psn)
{
	begin();
	for (uint16_t i = 0; i < 100; i++)
		ck_assert_int_eq(pass((uint16_t)(7 + i), 100 + i), RDA_ORDER_UNKNOWN);
	ck_assert_int_eq(pass(57, 150), RDA_ORDER_UNKNOWN);
}
END_TEST

/* As long as they go up as the PSNs do it may be either. */
START_TEST(line)
{
	begin();
	ck_assert(!rda_sending_order_is_line(&order, 7, 100));
	pass(0xfffe, 100);
	ck_assert(!rda_sending_order_is_line(&order, 0xfffe, 100)); /* nothing went up */
	pass(3, 105);
	ck_assert(rda_sending_order_is_line(&order, 0xffff, 101));
	ck_assert(rda_sending_order_is_line(&order, 3, 105));
	ck_assert(!rda_sending_order_is_line(&order, 4, 101));
	pass(0xffff, 101);
	ck_assert(rda_sending_order_is_line(&order, 6, 108));
	pass(1, 102); /* overtaken, and not where the PSN is */
	ck_assert(!rda_sending_order_is_line(&order, 6, 108));
}
END_TEST

/* 5 and 6 were overtaken by 8, which went first: sent before it, so by no run of resends. */
START_TEST(before_the_first)
{
	begin();
	pass(0xfffe, 100);
	ck_assert(!rda_sending_order_is_before(&order, 0xfffe, 100)); /* the latest itself */
	ck_assert(rda_sending_order_is_before(&order, 0xfffd, 99));
	pass(2, 104);
	ck_assert(rda_sending_order_is_before(&order, 0xffff, 101));  /* across the wrap */
	ck_assert(!rda_sending_order_is_before(&order, 0xffff, 102)); /* not where the PSN is */
	ck_assert(!rda_sending_order_is_before(&order, 3, 101));      /* sent later: again */
	pass(3, 101);
	ck_assert(!rda_sending_order_is_before(&order, 0,
					       102)); /* counted, and something was sent again */
}
END_TEST

START_TEST(constant)
{
	begin();
	for (uint16_t i = 0; i < 100; i++)
		ck_assert_int_eq(pass(0, 100 + i), RDA_ORDER_UNKNOWN);
}
END_TEST

START_TEST(random_ones)
{
	uint32_t state = 1;
	unsigned believed = 0;

	begin();
	for (unsigned i = 0; i < 10000; i++) {
		state = state * 1664525 + 1013904223;
		believed += pass((uint16_t)(state >> 16), 100 + i) != RDA_ORDER_UNKNOWN;
	}
	ck_assert_uint_lt(believed, 10);
}
END_TEST

/* A flow of few packets: going ahead each time, by however much, is chance in one of 2 to so many.
 */
START_TEST(random_few)
{
	uint32_t state = 1;
	unsigned believed = 0;

	for (unsigned flow = 0; flow < 10000; flow++) {
		int64_t place = RDA_ORDER_UNKNOWN;

		begin();
		for (unsigned i = 0; i < 12; i++) {
			state = state * 1664525 + 1013904223;
			place = pass((uint16_t)(state >> 16), 100 + i);
		}
		believed += place != RDA_ORDER_UNKNOWN;
	}
	ck_assert_uint_le(believed, 0);
}
END_TEST

/* A few short steps ahead and some behind tell, though one step is far. */
START_TEST(few_with_a_far_one)
{
	begin();
	pass(58, 100);
	pass(65, 102);
	pass(63, 101);
	pass(60, 100);
	pass(70, 103);
	pass(68, 102);
	ck_assert(rda_sending_order_is_known(&order));
	ck_assert_int_ne(pass(1753, 103), RDA_ORDER_UNKNOWN);
}
END_TEST

/* Behind silences all that comes is ahead: random ones are no better known for that. */
START_TEST(random_behind_silences)
{
	uint32_t random = 1;

	begin();
	for (unsigned i = 0; i < 100000; i++) {
		now += i < 100 ? 10 * US : 600000 * US;
		random = random * 1103515245 + 12345;
		pass((uint16_t)(random >> 16), i < 100 ? 100 + i : 150);
	}
	ck_assert(!rda_sending_order_is_known(&order));
}
END_TEST

/* Linux jumps ahead by up to the time that it was idle: that is no overtaken packet. */
START_TEST(after_an_idle_time)
{
	int64_t latest = 0;

	begin();
	for (uint16_t i = 0; i < 10; i++)
		latest = pass((uint16_t)(3 * i), 100 + i);
	now += 600000 * US;
	ck_assert_int_eq(pass(27 + 50000, 110), latest + 50000);
}
END_TEST

/* Other flows took so many meanwhile that it seems to lie behind; but a few may be held back. */
START_TEST(after_a_silence)
{
	int64_t latest = 0;

	begin();
	for (uint16_t i = 0; i < 10; i++)
		latest = pass((uint16_t)(3 * i), 100 + i);
	now += 20000 * US;
	ck_assert_int_eq(pass(24, 108), latest - 3);
	ck_assert_int_eq(pass((uint16_t)(27 - 1000), 108), latest + 65536 - 1000);
	ck_assert_int_eq(pass((uint16_t)(26 - 1000), 107), latest + 65535 - 1000);
}
END_TEST

/* What is late goes on for longer than a silence: what follows it is late, too. */
START_TEST(late_ones_go_on)
{
	int64_t latest = 0;

	begin();
	for (uint16_t i = 0; i < 10; i++)
		latest = pass((uint16_t)(3 * i), 100 + i);
	ck_assert_int_eq(latest, pass(1027, 110) - 1000);
	latest += 1000;
	for (uint16_t i = 0; i < 20; i++) {
		now += 1000 * US;
		ck_assert_int_eq(pass((uint16_t)(30 + 3 * i), 90 + i), latest - 997 + 3 * i);
	}
	ck_assert_int_eq(pass(900, 120), latest + 65536 - 127);
}
END_TEST

/* No other flow takes any: it lies behind. */
START_TEST(after_a_silence_alone)
{
	int64_t latest = 0;

	begin();
	for (uint16_t i = 0; i < 100; i++)
		latest = pass((uint16_t)(7 + i + (i >= 50)), i < 90 ? 100 + i : 10 + i);
	now += 25000 * US;
	ck_assert(rda_sending_order_is_dense(&order));
	ck_assert_int_eq(pass(7 + 20, 120), latest - 80);
	ck_assert_int_eq(pass(7 + 20, 120), latest - 80);
}
END_TEST

/* Others take some, as the sender's packets of another kind tell: any number went by meanwhile. */
START_TEST(after_a_silence_beside_others)
{
	struct rda_sending_order other = {0};
	int64_t latest = 0;

	for (uint16_t i = 0; i < 20; i++)
		rda_sending_order_of(&other, (uint16_t)(9 + 3 * i), i, i * 10 * US);
	ck_assert(rda_sending_order_is_known(&other));
	ck_assert(!rda_sending_order_is_dense(&other));
	begin();
	for (uint16_t i = 0; i < 100; i++) {
		rda_sending_order_beside(&order, &other, now + 10 * US);
		latest = pass((uint16_t)(7 + i + (i >= 50)), i < 90 ? 100 + i : 10 + i);
	}
	ck_assert(rda_sending_order_is_dense(&order)); /* no silence yet */
	now += 25000 * US;
	rda_sending_order_beside(&order, &other, now + 10 * US);
	ck_assert(!rda_sending_order_is_dense(&order));
	ck_assert_int_eq(pass(7 + 20, 120), latest - 80 + (1 << 16));
}
END_TEST

Suite *rda_suite_sending_order(void)
{
	Suite *suite = suite_create("sending_order");
	TCase *tcase = tcase_create("order");

	tcase_add_test(tcase, counting);
	tcase_add_test(tcase, of_billions);
	tcase_add_test(tcase, made_of_the_psn);
	tcase_add_test(tcase, line);
	tcase_add_test(tcase, before_the_first);
	tcase_add_test(tcase, constant);
	tcase_add_test(tcase, random_ones);
	tcase_add_test(tcase, random_few);
	tcase_add_test(tcase, few_with_a_far_one);
	tcase_add_test(tcase, random_behind_silences);
	tcase_add_test(tcase, after_an_idle_time);
	tcase_add_test(tcase, after_a_silence);
	tcase_add_test(tcase, late_ones_go_on);
	tcase_add_test(tcase, after_a_silence_alone);
	tcase_add_test(tcase, after_a_silence_beside_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
