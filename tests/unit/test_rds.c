/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Headers of RDS as they were captured, cut anywhere, and maps.
 */
#include "dissectors/ulp/rds.h"

#include "tests/unit/rds_feed.h"
#include "tests/unit/suite.h"

/* of a recorded capture: a message that requires an acknowledgement; an acknowledgement alone */
static const char MESSAGE[] = "000000000000000a 0000000000000009 000007d0 0fa1 0fa0 02 00 00000000 "
			      "d6db 00000000000000000000000000000000";
static const char ACK[] =
	"0000000000000000 000000000000000a 00000000 0000 0000 00 00 00000000 fff5 "
	"00000000000000000000000000000000";

START_TEST(a_message)
{
	struct rda_build b = {0};

	rda_put_hex(&b, MESSAGE);
	ck_assert_uint_eq(b.length, RDA_RDS_BYTES);
	for (uint32_t have = 0; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 0, have, b.length};
		struct rda_rds rds;

		ck_assert(rda_read_rds(&c, &rds) == (have == b.length));
		ck_assert(rda_rds_is_header(frame.bytes, have, false) == (have == b.length));
		if (have == b.length) {
			ck_assert_uint_eq(rds.sequence, 10);
			ck_assert_uint_eq(rds.ack, 9);
			ck_assert_uint_eq(rds.length, 2000);
			ck_assert_uint_eq(rds.source, 4001);
			ck_assert_uint_eq(rds.destination, 4000);
			ck_assert_uint_eq(rds.flags, RDA_RDS_ACK_REQUIRED);
			ck_assert(rds.sum_right && !rds.has_rdma && !rds.reserved_set);
			ck_assert_uint_eq(rda_rds_kind(&rds), RDA_RDS_MESSAGE);
		}
		rda_frame_free(&frame);
	}
}
END_TEST

START_TEST(what_is_none)
{
	struct rda_build ack = {0}, none = {0}, other = {0};

	rda_put_hex(&ack, ACK);
	ck_assert(rda_rds_is_header(ack.bytes, ack.length, true));
	ck_assert(!rda_rds_is_header(ack.bytes, ack.length, false));
	rda_put_zeros(&none, RDA_RDS_BYTES);
	ck_assert(!rda_rds_is_header(none.bytes, none.length, true));
	/* every bit is in the checksum */
	for (uint32_t bit = 0; bit < 8 * RDA_RDS_BYTES; bit++) {
		struct rda_build b = {0};

		rda_put_hex(&b, MESSAGE);
		b.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ck_assert(!rda_rds_is_header(b.bytes, b.length, true));
	}
	rda_rds_put(&other, &(struct rda_rds_pdu){.sequence = 1, .source = 9, .length = 1 << 21});
	ck_assert(rda_rds_is_header(other.bytes, other.length, true));
	ck_assert(!rda_rds_is_header(other.bytes, other.length, false));
}
END_TEST

START_TEST(extensions)
{
	static const struct {
		const char *hex;
		bool has;
		uint32_t key;
	} cases[] = {
		{"02 00001234", true, 0x1234},
		{"03 00000001 00000002 02 00001234", true, 0x1234},
		{"05 0001 06 00000009 02 00001234", true, 0x1234},
		{"03 00000001 00000002 05 0001 05 0001 02", false,
		 0}, /* its key is behind the end */
		{"07 02 00001234", false, 0},
		{"00 02 00001234", false, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};
		struct rda_cursor c;
		struct rda_rds rds;

		rda_rds_put(&b, &(struct rda_rds_pdu){.sequence = 1, .extension = cases[i].hex});
		c = (struct rda_cursor){b.bytes, 0, b.length, b.length};
		ck_assert(rda_read_rds(&c, &rds) && rds.sum_right);
		ck_assert_msg(rds.has_rdma == cases[i].has, "case %u", i);
		ck_assert_uint_eq(rds.rdma_key, cases[i].key);
	}
}
END_TEST

START_TEST(a_map)
{
	enum { BYTES = 20 };
	uint8_t bytes[BYTES] = {[0] = 0x81, [19] = 0x10};

	for (uint32_t have = 0; have <= BYTES; have++) {
		struct rda_frame frame = rda_exact_frame(bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 0, have, BYTES};

		ck_assert_int_eq(rda_rds_next_congested(&c, 0), have ? 0 : -1);
		ck_assert_int_eq(rda_rds_next_congested(&c, 1), have ? 7 : -1);
		ck_assert_int_eq(rda_rds_next_congested(&c, 8), have == BYTES ? 156 : -1);
		ck_assert_int_eq(rda_rds_next_congested(&c, 157), -1);
		ck_assert_uint_eq(rda_rds_count_congested(&c),
				  (have ? 2u : 0u) + (have == BYTES ? 1u : 0u));
		rda_frame_free(&frame);
	}
}
END_TEST

Suite *rda_suite_rds(void)
{
	Suite *suite = suite_create("rds");
	TCase *tcase = tcase_create("rds");

	tcase_add_test(tcase, a_message);
	tcase_add_test(tcase, what_is_none);
	tcase_add_test(tcase, extensions);
	tcase_add_test(tcase, a_map);
	suite_add_tcase(suite, tcase);
	return suite;
}
