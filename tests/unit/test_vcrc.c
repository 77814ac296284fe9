/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The VCRC: on packets of real senders, against a bit-by-bit computation, and when there is none.
 */
#include "dissectors/icrc.h"
#include "dissectors/link.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"
#include "tests/unit/vectors.h"

static bool vcrc_of(const struct rda_build *b, uint32_t captured, uint16_t link,
		    struct rda_crc *crc)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, link);
	struct rda_packet packet;
	bool checked;

	rda_dissect(&packet, &frame, NULL);
	checked = rda_vcrc(&frame, &packet, crc);
	rda_frame_free(&frame);
	return checked;
}

static void build(struct rda_built *built, enum rda_route route, uint32_t payload)
{
	rda_build_packet(built, &(struct rda_recipe){.route = route,
						     .from = 1,
						     .to = 2,
						     .opcode = 0x04,
						     .payload_length = payload});
}

START_TEST(packets_of_real_senders)
{
	unsigned checked = 0;

	for (unsigned i = 0; i < RDA_COUNT(rda_vectors); i++) {
		const struct rda_vector *vector = &rda_vectors[i];
		struct rda_build b = {0};
		struct rda_crc crc;

		rda_put_hex(&b, vector->frame);
		if (!vcrc_of(&b, b.length, vector->link, &crc)) {
			ck_assert_msg(vector->vcrc < 0, "%s", vector->name);
			continue;
		}
		ck_assert_msg((int32_t)crc.stored == vector->vcrc, "%s", vector->name);
		ck_assert_msg((int32_t)crc.computed == vector->vcrc, "%s", vector->name);
		checked++;
	}
	ck_assert_uint_eq(checked, 2);
}
END_TEST

START_TEST(every_length)
{
	for (uint32_t payload = 0; payload <= 260; payload++) {
		for (unsigned route = RDA_ROUTE_LOCAL; route <= RDA_ROUTE_GLOBAL; route++) {
			struct rda_built built;
			struct rda_crc crc;

			build(&built, (enum rda_route)route, payload);
			RDA_CHECK(vcrc_of(&built.b, built.b.length, built.link, &crc),
				  "route %u, %u bytes", route, payload);
			RDA_CHECK(crc.stored == crc.computed, "route %u, %u bytes", route, payload);
		}
	}
}
END_TEST

/* Every bit counts, of the LRH and of the ICRC too. */
START_TEST(every_bit_is_protected)
{
	struct rda_packet packet;
	struct rda_built built;

	build(&built, RDA_ROUTE_GLOBAL, 6);
	rda_dissect_build(&packet, &built.b, built.link);
	for (uint32_t i = 0; i < (built.end + 2) * 8; i++) {
		struct rda_frame frame;
		struct rda_crc crc;

		built.b.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
		frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
		RDA_CHECK(rda_vcrc(&frame, &packet, &crc), "bit %u", i);
		RDA_CHECK(crc.stored != crc.computed, "bit %u", i);
		rda_frame_free(&frame);
		built.b.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
	}
}
END_TEST

START_TEST(raw_packets_have_one_too)
{
	struct rda_build b = {0};
	struct rda_crc crc;
	uint16_t vcrc;

	rda_put_lrh(&b, 0, 1, 2);
	rda_put_hex(&b, "0000 0806");
	rda_put_pattern(&b, 28);
	rda_close_lrh(&b, 0);
	vcrc = rda_reference_vcrc(b.bytes, b.length);
	rda_put8(&b, (uint8_t)vcrc);
	rda_put8(&b, (uint8_t)(vcrc >> 8));
	ck_assert(vcrc_of(&b, b.length, RDA_LINK_INFINIBAND, &crc));
	ck_assert_uint_eq(crc.computed, vcrc);
	ck_assert_uint_eq(crc.stored, vcrc);
}
END_TEST

/* In ERF the LRH is not the first byte of the frame. */
START_TEST(it_begins_at_the_lrh)
{
	struct rda_build b = {0};
	struct rda_crc crc;

	rda_put_hex(&b, "0102030405060708 15 04 0060 0000 0050");
	rda_put_send(&b, RDA_ROUTE_LOCAL);
	ck_assert(vcrc_of(&b, b.length, RDA_LINK_ERF, &crc));
	ck_assert_uint_eq(crc.stored, crc.computed);
}
END_TEST

START_TEST(when_there_is_none)
{
	struct rda_built built;
	struct rda_crc crc;

	build(&built, RDA_ROUTE_LOCAL, 8);
	for (uint32_t captured = 0; captured <= built.b.length; captured++)
		RDA_CHECK(vcrc_of(&built.b, captured, built.link, &crc) ==
				  (captured == built.b.length),
			  "%u bytes", captured);
	built.b.length = built.end; /* captured by something that leaves it out */
	ck_assert(!vcrc_of(&built.b, built.b.length, built.link, &crc));
	build(&built, RDA_ROUTE_LOCAL, 8); /* the end is not known */
	rda_set16(&built.b, 4, 100);
	ck_assert(!vcrc_of(&built.b, built.b.length, built.link, &crc));
	build(&built, RDA_ROUTE_ROCEV1, 8); /* Ethernet has none, whatever is behind the packet */
	rda_put_zeros(&built.b, 2);
	ck_assert(!vcrc_of(&built.b, built.b.length, built.link, &crc));
}
END_TEST

Suite *rda_suite_vcrc(void)
{
	Suite *suite = suite_create("vcrc");
	TCase *tcase = tcase_create("vcrc");

	tcase_add_test(tcase, packets_of_real_senders);
	tcase_add_test(tcase, every_length);
	tcase_add_test(tcase, every_bit_is_protected);
	tcase_add_test(tcase, raw_packets_have_one_too);
	tcase_add_test(tcase, it_begins_at_the_lrh);
	tcase_add_test(tcase, when_there_is_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
