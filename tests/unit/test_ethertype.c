/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each EtherType announces, and that it does so in every header that has one.
 */
#include "dissectors/walk.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

static const struct {
	uint16_t type;
	enum rda_next next;
} types[] = {
	{0x0800, RDA_NEXT_IP4},	     {0x86dd, RDA_NEXT_IP6},  {0x8915, RDA_NEXT_GRH},
	{0x8100, RDA_NEXT_VLAN},     {0x88a8, RDA_NEXT_VLAN}, {0x9100, RDA_NEXT_VLAN},
	{0x8847, RDA_NEXT_MPLS},     {0x8848, RDA_NEXT_MPLS}, {0x8808, RDA_NEXT_MAC_CONTROL},
	{0x6558, RDA_NEXT_ETHERNET}, {0x0806, RDA_NEXT_ARP},
};

START_TEST(every_type)
{
	for (unsigned type = 0; type <= UINT16_MAX; type++) {
		enum rda_next want = RDA_NEXT_STOP;

		for (unsigned i = 0; i < RDA_COUNT(types); i++)
			if (types[i].type == type)
				want = types[i].next;
		RDA_CHECK(rda_next_of_ethertype((uint16_t)type) == want, "type 0x%04x", type);
	}
}
END_TEST

START_TEST(the_same_type_in_every_header_that_has_one)
{
	/* up to and without the type; what the header is */
	static const struct {
		uint16_t link;
		const char *before, *layers;
	} headers[] = {
		{1, "020000000002 020000000001", "eth grh bth"},
		{1, "020000000002 020000000001 8100 0001", "eth vlan grh bth"},
		{113, "0000 0001 0006 020000000001 0000", "sll grh bth"},
	};

	for (unsigned i = 0; i < RDA_COUNT(headers); i++) {
		struct rda_build b = {0};
		struct rda_packet packet;

		rda_put_hex(&b, headers[i].before);
		rda_put16(&b, 0x8915);
		rda_put_send(&b, RDA_ROUTE_ROCEV1);
		rda_expect_whole(&packet, &b, headers[i].link, headers[i].layers);
	}
}
END_TEST

Suite *rda_suite_ethertype(void)
{
	Suite *suite = suite_create("ethertype");
	TCase *tcase = tcase_create("ethertype");

	tcase_add_test(tcase, every_type);
	tcase_add_test(tcase, the_same_type_in_every_header_that_has_one);
	suite_add_tcase(suite, tcase);
	return suite;
}
