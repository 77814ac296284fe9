/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that are sent again, in pieces, or missing: each message counts once.
 */
#include "analyzer/track/ulp/ulp_roce.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum { MTU = 1024 };

static void packet(struct rda_nvme_feed *n, unsigned side, uint8_t opcode, uint32_t psn,
		   const struct rda_extended *extended, const uint8_t *payload, uint32_t length)
{
	struct rda_recipe recipe = side ? rda_packet_of(2, 1, RDA_NVME_HOST_QP, opcode, psn)
					: rda_packet_of(1, 2, RDA_NVME_TARGET_QP, opcode, psn);

	if (extended)
		recipe = rda_with(recipe, extended);
	recipe.payload = payload;
	recipe.payload_length = length;
	recipe.ip_id_by = (uint16_t)n->reads++;
	rda_feed(&n->w.feed, &recipe);
}

/* A Write with its data in the capsule, of three packets. */
START_TEST(sent_again)
{
	static uint8_t bytes[3 * MTU];
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_capsule(&b, 0x01, 5, 1, 0x1000, 512, (uint32_t[]){0, 0, 0});
	memcpy(bytes, b.bytes, b.length);
	rda_nvme_feed_begin(&n, false);
	n.silent = true;
	for (unsigned again = 0; again < 3; again++) {
		packet(&n, 0, RC_SEND_FIRST, 100, NULL, bytes, MTU);
		if (again != 1) /* lost */
			packet(&n, 0, RC_SEND_MIDDLE, 101, NULL, bytes, MTU);
		packet(&n, 0, RC_SEND_LAST, 102, NULL, bytes, 64);
		rda_nvme_wait(&n, 100000000);
	}
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.asked, 1);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.replaced, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

static void write_data(struct rda_nvme_feed *n, bool middle, bool last)
{
	const struct rda_extended reth = rda_reth(RDA_NVME_ADDRESS, 0x1000, 3 * MTU);

	packet(n, 1, RC_WRITE_FIRST, 5000, &reth, NULL, MTU);
	if (middle)
		packet(n, 1, RC_WRITE_MIDDLE, 5001, NULL, NULL, MTU);
	if (last)
		packet(n, 1, RC_WRITE_LAST, 5002, NULL, NULL, MTU);
	n->psn[1] = 5003;
}

START_TEST(data_in_packets)
{
	static const struct {
		bool middle, last, known;
	} cases[] = {{true, true, true}, {false, true, true}, {true, false, false}};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, false);
		rda_nvme_read(&n, 5, 0x1000, 3 * MTU);
		write_data(&n, cases[i].middle, cases[i].last);
		rda_nvme_complete(&n, 5, 0);
		ck_assert_uint_eq(rda_nvme_found(&n)->facts.answered, 1);
		ck_assert_msg(rda_nvme_found(&n)->facts.operations[0].data.count == cases[i].known,
			      "case %u", i);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

/* Without connection management the two directions find each other by their responses. */
START_TEST(without_management)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	rda_engine_drop(n.w.feed.engine);
	n.w.feed.engine = rda_engine_new(NULL);
	rda_nvme_read(&n, 5, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_nvme_complete(&n, 5, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.answered, 1);
	ck_assert_uint_eq(rda_nvme_found(&n)->facts.operations[0].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Of a snap length that leaves no whole capsule nothing is found. */
START_TEST(cut)
{
	struct rda_build b = {0};
	struct rda_nvme_feed n;
	struct rda_recipe recipe;

	rda_nvme_capsule(&b, 0x18, 5, 0, 0, 0, (uint32_t[]){0, 0, 0});
	for (uint32_t captured = 54; captured <= 54 + 64; captured++) {
		struct rda_built built;

		rda_nvme_feed_begin(&n, false);
		recipe = rda_packet_of(1, 2, RDA_NVME_TARGET_QP, 0x04, 100);
		recipe.payload = b.bytes;
		recipe.payload_length = b.length;
		rda_build_packet(&built, &recipe);
		rda_feed_frame(&n.w.feed, &built.b, captured, built.link);
		ck_assert_msg((rda_nvme_found(&n) != NULL) == (captured == 54 + 64),
			      "%u bytes captured", captured);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

Suite *rda_suite_ulp_roce(void)
{
	Suite *suite = suite_create("ulp_roce");
	TCase *tcase = tcase_create("ulp_roce");

	tcase_add_test(tcase, sent_again);
	tcase_add_test(tcase, data_in_packets);
	tcase_add_test(tcase, without_management);
	tcase_add_test(tcase, cut);
	suite_add_tcase(suite, tcase);
	return suite;
}
