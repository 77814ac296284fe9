/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes of addresses as text.
 */
#include "analyzer/report/address.h"
#include "tests/unit/suite.h"

START_TEST(the_longest_fits)
{
	static const uint8_t bytes[16] = {0x20, 0x01, 0x1d, 0xb8, 0x12, 0x34, 0x56, 0x78,
					  0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34, 0x56, 0x78};
	char text[RDA_ADDRESS_TEXT], mac[RDA_MAC_TEXT];

	ck_assert_str_eq(rda_ip6_text(text, bytes), "2001:1db8:1234:5678:9abc:def0:1234:5678");
	ck_assert_str_eq(rda_mac_text(mac, bytes), "20:01:1d:b8:12:34");
}
END_TEST

Suite *rda_suite_address(void)
{
	Suite *suite = suite_create("address");
	TCase *tc = tcase_create("address");

	tcase_add_test(tc, the_longest_fits);
	suite_add_tcase(suite, tc);
	return suite;
}
