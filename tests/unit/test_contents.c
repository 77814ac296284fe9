/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether packets that come again carry the same.
 */
#include "analyzer/rdma-analyze/contents.h"

#include "tests/unit/suite.h"

#include <string.h>

static struct rda_contents *contents;

static void setup(void)
{
	contents = rda_contents_new(1);
}

static void teardown(void)
{
	rda_contents_free(contents);
}

static struct rda_packet packet_of(uint32_t psn)
{
	struct rda_packet packet;

	memset(&packet, 0, sizeof(packet));
	packet.bth.dest_qp = 0x11;
	packet.bth.psn = psn;
	return packet;
}

/* The first contents of a packet are zeros, and so is what is the same; what differs is marked. */
START_TEST(contents_that_differ)
{
	const struct rda_packet one = packet_of(1), two = packet_of(2);
	const uint8_t a[] = {1, 2, 3}, b[] = {1, 2, 4};

	ck_assert_uint_eq(rda_contents_mark(contents, &one, a, 3), 0);
	ck_assert_uint_eq(rda_contents_mark(contents, &two, b, 3), 0);
	ck_assert_uint_eq(rda_contents_mark(contents, &one, a, 3), 0);
	ck_assert_uint_ne(rda_contents_mark(contents, &one, b, 3), 0);
	ck_assert_uint_eq(rda_contents_mark(contents, &one, a, 3), 0);
}
END_TEST

/* So many packets on, the oldest is forgotten, the latest is not. */
START_TEST(contents_of_long_ago)
{
	const uint8_t a[] = {1}, b[] = {2};
	struct rda_packet packet;

	for (uint32_t psn = 0; psn <= 2 * RDA_CONTENTS_KEPT; psn++) {
		packet = packet_of(psn);
		rda_contents_mark(contents, &packet, a, 1);
	}
	ck_assert_uint_ne(rda_contents_mark(contents, &packet, b, 1), 0);
	packet = packet_of(0);
	ck_assert_uint_eq(rda_contents_mark(contents, &packet, b, 1), 0);
}
END_TEST

Suite *rda_suite_contents(void)
{
	Suite *suite = suite_create("contents");
	TCase *tc = tcase_create("contents");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, contents_that_differ);
	tcase_add_test(tc, contents_of_long_ago);
	suite_add_tcase(suite, tc);
	return suite;
}
