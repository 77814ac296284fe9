/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capsules in FPDUs however they are cut into segments, and with holes.
 */
#include "analyzer/track/ulp/ulp_iwarp.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

static const struct rda_iwarp_shape shapes[] = {
	{"whole", 0, false, false},    {"bytes", 1, false, false}, {"pieces", 7, false, false},
	{"reversed", 40, false, true}, {"twice", 50, true, false}, {"long", 700, false, true},
};

/* A SEND of so many FPDUs, of `payload` bytes each. */
static void send_parts(struct rda_nvme_feed *n, unsigned side, const struct rda_build *b,
		       uint32_t payload)
{
	n->msn[side]++;
	for (uint32_t at = 0; at < b->length; at += payload) {
		bool last = b->length - at <= payload;
		struct rda_build ulpdu = {0};

		rda_put_hex(&ulpdu, last ? "4143" : "0143");
		rda_put_zeros(&ulpdu, 8);
		rda_put32(&ulpdu, n->msn[side]);
		rda_put32(&ulpdu, at);
		rda_put(&ulpdu, b->bytes + at, last ? b->length - at : payload);
		rda_iwarp_fpdu(&n->w, side, &ulpdu);
	}
}

START_TEST(in_every_shape)
{
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, true);
	n.w.shape = shapes[_i];
	rda_nvme_connect(&n, 1, 0);
	rda_nvme_read(&n, 5, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_nvme_complete(&n, 5, 0);
	rda_nvme_capsule(&b, 0x01, 6, 1, 0x1001, 2048, (uint32_t[]){0, 0, 3});
	rda_put_pattern(&b, 2000); /* with data behind it */
	send_parts(&n, 0, &b, 700);
	rda_nvme_fetch(&n, 0x1001, 2048);
	rda_nvme_complete(&n, 6, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 3);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.answered, 3);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.cut, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.unjoined, 0);
	for (uint32_t i = 1; i < 3 && !shapes[_i].reverse; i++) /* then its end came first */
		ck_assert_uint_eq(rda_nvme_found(&n)->facts.operations[i].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* The capsule itself in several FPDUs, once it is known what they are. */
START_TEST(small_parts)
{
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, true);
	rda_nvme_connect(&n, 1, 0);
	rda_nvme_capsule(&b, 0x02, 5, 1, 0x1000, 512, (uint32_t[]){0, 0, 0});
	send_parts(&n, 0, &b, 20);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(a_hole)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, true);
	rda_nvme_connect(&n, 1, 0);
	rda_nvme_read(&n, 5, 0x1000, 512);
	n.w.flags = 8; /* missed */
	rda_nvme_data(&n, 0x1000, 512);
	rda_nvme_complete(&n, 5, 0);
	rda_nvme_read(&n, 6, 0x1000, 512);
	rda_nvme_complete(&n, 6, 0);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 3);
	ck_assert_uint_ge(rda_nvme_found(&n)->facts.answered, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_ulp_iwarp(void)
{
	Suite *suite = suite_create("ulp_iwarp");
	TCase *tcase = tcase_create("ulp_iwarp");

	tcase_add_loop_test(tcase, in_every_shape, 0, RDA_COUNT(shapes));
	tcase_add_test(tcase, small_parts);
	tcase_add_test(tcase, a_hole);
	suite_add_tcase(suite, tcase);
	return suite;
}
