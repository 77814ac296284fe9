/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the headers of tunnels say.
 */
#include "dissectors/outer.h"

#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { ETHERNET = RDA_LINK_ETHERNET };

/* `count` VXLANs, one in the other, around a SEND. */
static void build_vxlans(struct rda_build *b, unsigned count)
{
	uint32_t ip[16], udp[16];

	ck_assert_uint_le(count, RDA_COUNT(ip));
	for (unsigned i = 0; i < count; i++) {
		rda_put_eth(b, 0x0800);
		ip[i] = rda_put_ip4(b, 17, 8, 9);
		udp[i] = rda_put_udp(b, 50000, 4789);
		rda_put_hex(b, "08000000 00000100");
	}
	rda_put_eth(b, 0x0800);
	rda_put_send(b, RDA_ROUTE_IP4);
	for (unsigned i = 0; i < count; i++) {
		rda_close_udp(b, udp[i]);
		rda_close_ip4(b, ip[i]);
	}
}

/* Of 2 VXLANs: what the outer headers say besides the packet's own. */
START_TEST(classes_of_tunnels)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_frame frame = {.bytes = b.bytes, .link = ETHERNET};
	struct rda_outer outer;

	build_vxlans(&b, 2);
	frame.captured = frame.wire = b.length;
	b.bytes[14 + 1] = 46 << 2;	    /* the outermost one */
	b.bytes[50 + 14 + 1] = 10 << 2 | 3; /* the next one has CE */
	b.bytes[100 + 14 + 1] = 26 << 2 | 2;
	rda_dissect(&packet, &frame, NULL);
	outer = rda_outer_of(&frame, &packet);
	ck_assert_uint_eq(outer.tunnels, 2);
	ck_assert_uint_eq(outer.dscp, 46);
	ck_assert(outer.marked);
	b.bytes[50 + 14 + 1] = 10 << 2 | 2;
	ck_assert(!rda_outer_of(&frame, &packet).marked);
	b = (struct rda_build){0};
	build_vxlans(&b, 0);
	frame.captured = frame.wire = b.length;
	b.bytes[14 + 1] = 26 << 2 | 3;
	rda_dissect(&packet, &frame, NULL);
	outer = rda_outer_of(&frame, &packet);
	ck_assert_uint_eq(outer.tunnels, 0);
	ck_assert_uint_eq(outer.dscp, 26);
	ck_assert(!outer.marked); /* its own mark is in the packet */
}
END_TEST

Suite *rda_suite_outer(void)
{
	Suite *suite = suite_create("outer");
	TCase *tcase = tcase_create("outer");

	tcase_add_test(tcase, classes_of_tunnels);
	suite_add_tcase(suite, tcase);
	return suite;
}
